import { describe, expect, test } from "vitest";
import type { Belief } from "./belief.ts";
import { changesOf } from "./changes.ts";
import { standsOf } from "./stands.ts";
import type { KnownThing } from "./thing.ts";

const S = 1_000_000;
const NOW_US = 400 * S;

interface Look {
  readonly s: number;
  readonly x?: number;
}

/** A forklift with one record of its own, followed from look to look through rooms of ten metres. */
function followed(looks: readonly Look[]): { thing: KnownThing; memory: Belief } {
  const state = {
    id: "forklift-1",
    category: "forklift",
    name: "forklift",
    attributes: {},
    text: [],
    validFromUs: looks[0]!.s * S,
    validToUs: looks.at(-1)!.s * S + 1,
  };
  const position = { x: looks.at(-1)?.x ?? 0, y: 0, z: 1 };
  const thing = {
    state,
    trackId: "track-1",
    name: "forklift",
    category: "forklift",
    position,
  } as unknown as KnownThing;
  const sightings = looks.map(({ s, x }) => ({
    stateId: "forklift-1",
    timeUs: s * S,
    ...(x !== undefined && { anchor: { submap: "world", p: { x, y: 0, z: 1 } } }),
  }));
  const memory = {
    nowUs: NOW_US,
    options: {
      reader: { sightings: async () => sightings, frames: async () => ({ resolve: () => undefined }) },
    },
    stays: async () => [thing],
    recordsOf: async () => ["forklift-1"],
    presence: async () => new Map(),
    events: async () => [],
    thingOfState: async () => thing,
    once: (_: string, read: () => unknown) => read(),
    roomAt: async ({ x }: { x: number }) => ({ id: `room-${Math.floor(x / 10)}` }),
  } as unknown as Belief;
  return { thing, memory };
}

const stood = (x: number, ...seconds: readonly number[]): Look[] => seconds.map((s) => ({ s, x }));
const span = { fromUs: 0, toUs: NOW_US };

async function moves({ thing, memory }: ReturnType<typeof followed>): Promise<number[][]> {
  const found = await changesOf(thing, span, { kinds: ["moved"] }, memory);
  return found.map(({ event }) => [event.validFromUs / S, event.validToUs! / S]);
}

describe("what moves by itself", () => {
  test("moved between the last look at its old place and the first at the new one, though one record follows it", async () => {
    const forklift = followed([...stood(5, 10, 11, 12, 30), ...stood(25, 90, 91, 92, 95)]);
    expect(await moves(forklift)).toEqual([[30, 90]]);
    const stands = await standsOf(forklift.thing, forklift.memory);
    expect(stands.map(({ roomId }) => roomId)).toEqual(["room-0", "room-2"]);
  });

  test("did not move where looks show now one end of it and now the other, or one look was misread", async () => {
    const ends = [...stood(5, 10, 12), ...stood(6.8, 14, 15), ...stood(5.2, 20, 21), ...stood(6.5, 40, 41)];
    expect(await moves(followed(ends))).toEqual([]);
    expect(
      await moves(followed([...stood(5, 10, 11, 12), ...stood(30, 13), ...stood(5, 14, 15, 16)])),
    ).toEqual([]);
  });

  test("did not stand where it only drove by", async () => {
    const way = Array.from({ length: 12 }, (_, n) => ({ s: 13 + n, x: 8 + n * 2 }));
    const forklift = followed([...stood(5, 10, 11, 12), ...way, ...stood(35, 60, 61, 62)]);
    expect((await standsOf(forklift.thing, forklift.memory)).length).toBe(2);
  });

  test("a look without a place of its own is none at the last place of its record", async () => {
    const forklift = followed([...stood(5, 10, 11, 12), { s: 13 }, { s: 15 }, { s: 16 }, ...stood(25, 90)]);
    expect(await moves(forklift)).toEqual([]);
  });
});
