import { describe, expect, it } from "vitest";
import type { MemoryReader } from "../memory/index.ts";
import type { TrackedFrame } from "../schema/core.ts";
import { SceneMap } from "./scene-map.ts";
import { cameraAt, lookAt, slab } from "./testing/test-world.ts";

const NOTHING = { stateOf: [] } as unknown as TrackedFrame;
const EMPTY = {
  frames: async () => ({ resolve: () => undefined }),
  search: async () => ({ hits: [] }),
  get: async () => [undefined],
} as unknown as MemoryReader;

const EYE_M = 1.2;
const [STEPS, RISE_M, RUN_M] = [9, 0.2, 0.3];

/** A hall of 10 × 6 m with a flight of steps along one wall, up to a gallery of the given size. */
function hall(galleryM: number) {
  const steps = Array.from({ length: STEPS }, (_, n) =>
    slab(3 + n * RUN_M, 0, 0, 3 + (n + 1) * RUN_M, 1, (n + 1) * RISE_M),
  );
  const topX = 3 + STEPS * RUN_M;
  const topM = (STEPS + 1) * RISE_M;
  return [
    slab(-1, -1, -0.2, 11, 7, 0),
    slab(-0.1, -0.1, 0, 10.1, 0, 5),
    slab(-0.1, 6, 0, 10.1, 6.1, 5),
    slab(-0.1, 0, 0, 0, 6, 5),
    slab(10, 0, 0, 10.1, 6, 5),
    ...steps,
    slab(topX, 0, 0, topX + galleryM, galleryM, topM),
  ];
}

async function climbed(galleryM: number): Promise<SceneMap> {
  const boxes = hall(galleryM);
  const map = await SceneMap.open(EMPTY);
  let index = 0;
  const look = (x: number, y: number, floorZ: number, turns = 4) => {
    for (let i = 0; i < turns; i++)
      map.observe(
        lookAt(boxes, cameraAt(x, y, (i * 2 * Math.PI) / turns, 0.35, floorZ + EYE_M), index++),
        NOTHING,
      );
  };
  for (const [x, y] of [
    [1, 1],
    [2, 3],
    [5, 4],
    [8, 4],
  ] as const)
    look(x, y, 0);
  for (let n = 0; n < STEPS; n++) look(3 + (n + 0.5) * RUN_M, 0.5, (n + 1) * RISE_M, 2);
  const topX = 3 + STEPS * RUN_M;
  for (const share of [0.2, 0.5, 0.8]) look(topX + share * galleryM, share * galleryM, (STEPS + 1) * RISE_M);
  return map;
}

describe("storeys", () => {
  it("are not made of the steps that lead to one, however far one sees from them", async () => {
    const map = await climbed(1.2);
    expect(map.floors().map(({ floorZ }) => Math.round(floorZ))).toEqual([0]);
  });

  it("may be half a storey up, if they are as large as a room", async () => {
    const map = await climbed(4);
    expect(map.floors().map(({ floorZ }) => Math.round(floorZ))).toEqual([0, 2]);
  });
});
