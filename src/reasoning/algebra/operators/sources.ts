import { z } from "zod";
import { asSeenAt } from "../../../belief/movers.ts";
import type { RoomView } from "../../../belief/room-names.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { trust } from "../../../belief/trust.ts";
import type { Interval } from "../../../geometry/index.ts";
import { lookup, roomKind, unitOf } from "../../../ontology/index.ts";
import { idSchema, nameSchema } from "../../../schema/index.ts";
import { withArticle } from "../../say/grammar.ts";
import { isNamed, isPerson, perhaps } from "../../say/naming.ts";
import type { Operator, Scope } from "../operator.ts";
import { completenessOf } from "../things/coverage.ts";
import { describedBy, properly, thingOptions } from "../things/description.ts";
import { findThings } from "../things/find.ts";
import { selfAt } from "../things/viewer.ts";
import {
  type NumberValue,
  numberValue,
  type RoomsValue,
  type ThingsValue,
  theseRooms,
  theseThings,
  unknownValue,
  type Value,
  WHOLE,
} from "../value.ts";

/** The confidence in the names of rooms. */
const ROOM_P = 0.85;

export async function roomsValue(
  rooms: readonly RoomView[],
  phrase: string,
  scope: Scope,
): Promise<RoomsValue> {
  const complete = await completenessOf(rooms.length > 0 ? rooms : undefined, scope);
  return theseRooms(rooms, phrase, { p: ROOM_P, complete });
}

async function wholePlace(scope: Scope): Promise<RoomsValue> {
  return { ...(await roomsValue(await scope.memory.rooms(), "house", scope)), everywhere: true };
}

const ids = z.array(idSchema).min(1).max(64);
interface SpokenOf {
  readonly category: string;
  readonly states?: readonly string[];
  readonly rooms?: readonly string[];
}

/** Things mentioned earlier, as they are at the time that is meant. */
async function spokenOf({ category, states = [], rooms }: SpokenOf, scope: Scope): Promise<Value> {
  const { memory, during } = scope;
  if (rooms)
    return roomsValue(
      (await memory.rooms()).filter(({ id }) => rooms.includes(id)),
      category,
      scope,
    );
  const things: KnownThing[] = [];
  for (const id of states) {
    const now = await memory.thingOfState(id, 1);
    const then = now && during && (await memory.stays(now.trackId)).findLast((stay) => isIn(stay, during));
    const thing = during ? then && (await asSeenAt(then, during, memory)) : now;
    if (thing) things.push(thing);
  }
  if (things.length === 0) return unknownValue("never-seen", `I did not see ${withArticle(category)} then`);
  return theseThings(things, category, { p: await trust(things[0]!, memory) });
}

function isIn({ state: { validFromUs, validToUs } }: KnownThing, { fromUs, toUs }: Interval): boolean {
  return validFromUs < (toUs ?? Infinity) && (validToUs ?? Infinity) > fromUs;
}

/** The storeys that a word for a floor means; undefined for a word that means none. */
export function storeysCalled(name: string, rooms: readonly RoomView[]): number[] | undefined {
  const all = [...new Set(rooms.map(({ storey }) => storey))].sort((a, b) => a - b);
  const top = all.at(-1) ?? 0;
  const word = name
    .toLowerCase()
    .replace(/\bfloor|storey|story|level\b/g, "")
    .replaceAll(/^[\s-]+|[\s-]+$/g, "");
  if (/^(?:upstairs|upper|up)$/.test(word)) return all.filter((storey) => storey > 0);
  if (/^(?:downstairs|ground|lower|bottom|lowest|main|down)$/.test(word))
    return all.filter((one) => one === 0);
  if (/^(?:top|highest)$/.test(word)) return all.filter((storey) => storey === top);
  const nth = ["first", "second", "third", "fourth"].indexOf(word) + 1;
  if (nth > 0) return all.filter((storey) => storey === Math.min(nth, top));
  return word === "" ? all : [];
}

/** The probability that a person asked for by name is the only, unnamed person that was seen. */
const MAYBE_THEY = 0.5;

/**
 * A person asked for by name may be the only person that was seen, if that one has no name; with two the reference is
 * ambiguous.
 */
async function onlyPerson(name: string, scope: Scope): Promise<ThingsValue | undefined> {
  const { things, complete } = await findThings(describedBy({ category: "person" }), scope);
  const [person, other] = things.filter((one) => isPerson(one) && !isNamed(one));
  if (!person || other) return undefined;
  const maybe = { ...person, name: perhaps(name), fit: MAYBE_THEY };
  return theseThings([maybe], name, { p: MAYBE_THEY, complete }, { isShared: true });
}

/** The sources of an expression: everything there is. */
export const sources: readonly Operator[] = [
  {
    name: "it",
    says: "the element that filter, most, least, nth or all is at",
    takes: [],
    gives: "things",
    run: async ({ scope }) => scope.it!,
  },
  {
    name: "things",
    says: "things, people too, by what is said of them",
    takes: [],
    options: thingOptions,
    gives: "things",
    reads: ["state", "track"],
    async run({ options, scope }) {
      const said = thingOptions.parse(options);
      const found = await findThings(describedBy(said), scope);
      // Numbers are not personal names.
      const isSomebody = said.name !== undefined && !/\d/.test(said.name) && lookup(said.name) === undefined;
      return isSomebody && found.things.length === 0
        ? ((await onlyPerson(properly(said.name!), scope)) ?? found)
        : found;
    },
  },
  {
    name: "rooms",
    says: "rooms by kind or name; all where none is said",
    takes: [],
    options: z.strictObject({ name: nameSchema.optional(), ordinal: z.int().min(1).optional() }),
    gives: "rooms",
    reads: ["region"],
    async run({ options, scope }) {
      const { name, ordinal } = options as { readonly name?: string; readonly ordinal?: number };
      if (name === undefined) return roomsValue(await scope.memory.rooms(), "room", scope);
      const description = { head: name.toLowerCase(), mods: [], attributes: {}, ordinal, phrase: name };
      const found = await scope.memory.roomsNamed(description);
      return found.length === 0 && roomKind(description.head)?.name === "house"
        ? wholePlace(scope)
        : roomsValue(found, name, scope);
    },
  },
  {
    name: "floors",
    says: "storeys by name: upstairs, ground, top …; all where none is said",
    takes: [],
    options: z.strictObject({ name: nameSchema.optional() }),
    gives: "floors",
    reads: ["region"],
    async run({ options, scope }) {
      const { name = "" } = options as { readonly name?: string };
      const rooms = await scope.memory.rooms();
      const storeys = storeysCalled(name, rooms) ?? [];
      // "The downstairs hallway" is a room, though it is called after its floor.
      if (name !== "" && storeys.length === 0) {
        const head = name.toLowerCase();
        const called = await scope.memory.roomsNamed({ head, mods: [], attributes: {}, phrase: name });
        if (called.length > 0) return roomsValue(called, name, scope);
      }
      const those = rooms.filter(({ storey }) => storeys.includes(storey));
      return {
        kind: "floors",
        storeys,
        phrase: name === "" ? "floor" : name,
        p: ROOM_P,
        complete: await completenessOf(those.length > 0 ? those : undefined, scope),
        evidence: [],
      };
    },
  },
  {
    name: "house",
    says: "the whole place",
    takes: [],
    gives: "rooms",
    reads: ["region"],
    run: ({ scope }) => wholePlace(scope),
  },
  {
    name: "self",
    says: "whoever is asked, where it stands",
    takes: [],
    gives: "self",
    reads: ["observation"],
    async run({ scope }) {
      const pose = await selfAt(scope);
      if (!pose) return unknownValue("never-seen", "I do not know where I am");
      const { position, yawRad } = pose;
      return { kind: "self", position, yawRad, p: 0.9, complete: WHOLE, evidence: [] };
    },
  },
  {
    name: "shown",
    says: "what “this” is, where a picture was shown",
    takes: [],
    gives: "things",
    reads: ["detection", "state"],
    async run({ scope: { memory } }) {
      const thing = memory.pointed;
      if (!thing) return unknownValue("ambiguous", "I do not know what “this” is: show it to me");
      return theseThings([thing], thing.category, { p: thing.fit });
    },
  },
  {
    name: "known",
    says: "things or rooms that were spoken of before, by the ids of their states or regions",
    takes: [],
    options: z.strictObject({ category: nameSchema, states: ids.optional(), rooms: ids.optional() }),
    gives: ["things", "rooms"],
    reads: ["state", "region"],
    run: async ({ options, scope }) => spokenOf(options as unknown as SpokenOf, scope),
  },
  {
    name: "value",
    says: "a number as it is given",
    takes: [],
    options: z.strictObject({ n: z.number(), unit: nameSchema.optional() }),
    gives: "number",
    async run({ options }) {
      const { n, unit: said = "1" } = options as { readonly n: number; readonly unit?: string };
      const of = unitOf(said);
      const unit = of && BASE_UNITS[of.measure];
      const base = Object.values(BASE_UNITS).find((one) => one === said);
      return numberValue(unit && !base ? n * of.factor : n, base ?? unit ?? "1", { p: 1 });
    },
  },
];

/** The memory's base unit for each unit that people use. */
const BASE_UNITS: Readonly<Record<string, NumberValue["unit"]>> = {
  length: "m",
  area: "m2",
  volume: "m3",
  time: "s",
  speed: "m/s",
};
