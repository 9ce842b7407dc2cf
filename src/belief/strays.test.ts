import { expect, it } from "vitest";
import { lastBeforeStray, straysOf } from "./strays.ts";

const S = 1_000_000;
const ANNA = { trackId: "anna", category: "person", state: { id: "anna" } } as never;

/** Looks at a person: the second, and where along a house of rooms five metres long; from 100 m on it is upstairs. */
function seen(...looks: readonly (readonly [s: number, x: number])[]) {
  return {
    nowUs: 1_000 * S,
    recordsOf: async () => ["anna"],
    once: (_: string, read: () => unknown) => read(),
    roomAt: async ({ x }: { x: number }) => ({ id: `room ${Math.floor(x / 5)}`, storey: x >= 100 ? 1 : 0 }),
    options: {
      reader: {
        frames: async () => ({ resolve: () => undefined }),
        sightings: async () =>
          looks.map(([s, x]) => ({
            timeUs: s * S,
            agentId: "a",
            anchor: { submap: "world", p: { x, y: 0, z: 1 } },
          })),
      },
    },
  } as never;
}

const strays = async (memory: never) =>
  [...(await straysOf(ANNA, memory))].map((key) => Number(key.split(" ")[0]) / S);

it("is a lone look in a room where nobody was seen to go or to come from", async () => {
  expect(await strays(seen([10, 1], [11, 1], [40, 7], [60, 2], [61, 2]))).toEqual([40]);
  // It is the last look that tells where somebody is.
  const atEnd = seen([10, 1], [11, 1], [40, 7]);
  expect(await strays(atEnd)).toEqual([40]);
  expect(await lastBeforeStray(ANNA, atEnd)).toBe(11 * S);
});

it("is a look that nobody could have walked to, or on another storey at once", async () => {
  expect(await strays(seen([10, 1], [11, 19], [12, 1]))).toEqual([11]);
  expect(await strays(seen([10, 1], [11, 2], [30, 8], [36, 104], [37, 104]))).toEqual([30]);
});

it("is none in passing from one room to another, in the same room, or with others", async () => {
  expect(await strays(seen([10, 1], [11, 1], [30, 7], [50, 12], [51, 12]))).toEqual([]);
  expect(await strays(seen([10, 1], [11, 1], [40, 2], [60, 2]))).toEqual([]);
  expect(await strays(seen([10, 1], [11, 1], [40, 7], [41, 7], [60, 2], [61, 2]))).toEqual([]);
  expect(await strays(seen([40, 7]))).toEqual([]);
});
