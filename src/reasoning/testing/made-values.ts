import type { RoomView } from "../../belief/room-names.ts";
import type { KnownThing } from "../../belief/thing.ts";
import type { Vec3 } from "../../geometry/index.ts";
import {
  type NumberValue,
  type ThingsValue,
  type TruthValue,
  WHOLE,
  type WordsItem,
  type WordsValue,
} from "../algebra/value.ts";
import type { SayContext } from "../say/said.ts";

/** Values made by hand, for tests of how they are said. */

export interface MadeThing {
  readonly category?: string;
  readonly attributes?: Readonly<Record<string, string>>;
  readonly roomId?: string;
  readonly holder?: string;
}

let made = 0;

export function thing(name: string, more: MadeThing = {}): KnownThing {
  const id = `s${++made}`;
  const attributes = Object.fromEntries(
    Object.entries(more.attributes ?? {}).map(([key, value]) => [key, { value, p: 0.9 }]),
  );
  const category = more.category ?? name.split(" ").at(-1)!;
  return {
    state: {
      id,
      attributes,
      category,
      name,
      text: [name],
      supportedBy: more.holder,
      views: [],
      author: "robot",
      validFromUs: 0,
      validToUs: null,
    } as unknown as KnownThing["state"],
    trackId: `t${made}`,
    name,
    category,
    position: { x: made % 7, y: 1, z: 0.5 },
    box: undefined,
    worldFromSubmap: undefined,
    roomId: more.roomId,
    heldBy: undefined,
    fit: 1,
  };
}

export function room(name: string, centre: Vec3 = { x: 0, y: 0, z: 0 }): RoomView {
  return {
    id: name,
    name,
    type: name,
    record: { hull: [] } as unknown as RoomView["record"],
    centre,
    storey: 0,
  };
}

/** Things are in the room whose name is their `roomId`, on the support given by their record. */
export const CONTEXT: SayContext = {
  nowUs: Date.UTC(2026, 4, 4, 12) * 1000,
  surroundings: {
    roomOf: async ({ roomId }) => (roomId === undefined ? undefined : room(roomId)),
    holderOf: async ({ state }) =>
      state.supportedBy === undefined ? undefined : `on the ${state.supportedBy}`,
  },
};

const KNOWN = { p: 0.9, complete: WHOLE, evidence: [] } as const;

export function thingsOf(things: readonly KnownThing[], more: Partial<ThingsValue> = {}): ThingsValue {
  return { kind: "things", things, phrase: "thing", ...KNOWN, ...more };
}

export function wordsOf(
  about: string,
  items: readonly Partial<WordsItem>[],
  more: Partial<WordsValue> = {},
): WordsValue {
  return {
    kind: "words",
    about,
    items: items.map((item) => ({ words: "", p: 0.9, ...item })),
    ...KNOWN,
    ...more,
  };
}

export function truthOf(truth: boolean, more: Partial<TruthValue> = {}): TruthValue {
  return { kind: "truth", truth, ...KNOWN, ...more };
}

export function numberOf(value: number, unit: NumberValue["unit"], of?: readonly KnownThing[]): NumberValue {
  return { kind: "number", value, unit, of, ...KNOWN };
}
