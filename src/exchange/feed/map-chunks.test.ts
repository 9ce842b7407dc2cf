import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { apply, fromYaw, type Vec3 } from "../../geometry/index.ts";
import { edge, piece, type TestMemory, testMemory } from "../testing/feed-memory.ts";
import { type PointsBlock, readPoints } from "./decode.ts";
import { MapChunks } from "./map-chunks.ts";
import { CHUNK_M } from "./pieces.ts";

let memory: TestMemory;
beforeEach(async () => {
  memory = await testMemory();
});
afterEach(() => memory.close());

type Centimetres = [number, number, number];
const WALL: Centimetres[] = Array.from({ length: 50 }, (_, n) => [n * 10, 0, (n % 5) * 20]);

async function put(
  submap: string,
  points: readonly Centimetres[],
  at: { p: Vec3; yawRad?: number },
  more: Parameters<typeof piece>[2] = {},
): Promise<void> {
  const { record, blob } = piece(submap, points, more);
  await memory.write({ records: [record], blobs: [blob], frames: [edge(submap, at)] });
}

async function allPoints(chunks = new MapChunks()): Promise<{ id: string; block: PointsBlock }[]> {
  const list = await chunks.list(memory.reader);
  return Promise.all(
    list.map(async ({ id }) => ({
      id,
      block: readPoints((await chunks.chunk(memory.reader, id))!.bytes),
    })),
  );
}

function worldOf({ origin, unitM, position }: PointsBlock, n: number): Vec3 {
  return {
    x: origin.x + position[n * 3]! * unitM,
    y: origin.y + position[n * 3 + 1]! * unitM,
    z: origin.z + position[n * 3 + 2]! * unitM,
  };
}

describe("the map in chunks", () => {
  it("has every surface point once a cube, where it lies in the world, whatever the turn", async () => {
    const centimetre = fc.integer({ min: -2_500, max: 2_500 });
    const points = fc.array(fc.tuple(centimetre, centimetre, fc.integer({ min: -300, max: 900 })), {
      minLength: 1,
      maxLength: 120,
    });
    const place = fc.record({
      p: fc.record({
        x: fc.double({ min: -20, max: 20, noNaN: true }),
        y: fc.double({ min: -20, max: 20, noNaN: true }),
        z: fc.double({ min: -3, max: 3, noNaN: true }),
      }),
      yawRad: fc.double({ min: -3.2, max: 3.2, noNaN: true }),
    });
    let run = 0;
    await fc.assert(
      fc.asyncProperty(points, place, async (given, at) => {
        await memory.close();
        memory = await testMemory();
        await put(`sub-${run++}`, given, at);
        const truth = given.map(([x, y, z]) =>
          apply({ p: at.p, q: fromYaw(at.yawRad) }, { x: x / 100, y: y / 100, z: z / 100 }),
        );
        const found = await allPoints();
        const drawn = found.flatMap(({ block }) =>
          Array.from({ length: block.count }, (_, n) => worldOf(block, n)),
        );
        for (const point of drawn)
          expect(
            Math.min(...truth.map((t) => Math.hypot(t.x - point.x, t.y - point.y, t.z - point.z))),
          ).toBeLessThan(0.004);
        // A point may be left out if its cube has one already, which lies within the cube's diagonal.
        for (const point of truth)
          expect(
            Math.min(...drawn.map((t) => Math.hypot(t.x - point.x, t.y - point.y, t.z - point.z))),
          ).toBeLessThan(0.11);
        expect(drawn.length).toBeLessThanOrEqual(truth.length);
      }),
      { numRuns: 25 },
    );
  });

  it("draws coarse levels as the first of its points, one a cube", async () => {
    await put("sub", WALL, { p: { x: 1, y: 1, z: 0 } });
    const chunks = new MapChunks();
    const [chunk] = await chunks.list(memory.reader);
    const whole = readPoints((await chunks.chunk(memory.reader, chunk!.id))!.bytes);
    expect(whole.levels.map(({ cubeM }) => cubeM)).toEqual([0.48, 0.24, 0.12, 0.06]);
    expect(whole.levels.at(-1)!.points).toBe(whole.count);
    for (const [level, { cubeM, points }] of whole.levels.entries()) {
      // Cubes are counted from the chunk's own corner.
      const cubeAt = (n: number) =>
        [0, 1, 2].map((axis) => Math.floor((whole.position[n * 3 + axis]! * whole.unitM) / cubeM)).join();
      const cubes = (to: number) => new Set(Array.from({ length: to }, (_, n) => cubeAt(n)));
      expect(cubes(points).size).toBe(cubes(whole.count).size);
      const part = readPoints((await chunks.chunk(memory.reader, chunk!.id, { level }))!.bytes);
      expect(part.count).toBe(points);
      expect(part.total).toBe(whole.count);
      expect(part.position).toEqual(whole.position.subarray(0, points * 3));
      expect(part.colour).toEqual(whole.colour.subarray(0, points * 3));
    }
  });

  it("keeps the oldest of two that fill one cube, with its time and who saw it", async () => {
    await put("late", WALL, { p: { x: 0, y: 1, z: 0 } }, { fromUs: 500, author: "second" });
    await put("early", WALL.slice(0, 10), { p: { x: 0, y: 1, z: 0 } }, { fromUs: 100, author: "first" });
    const [{ block } = { block: undefined }] = await allPoints();
    const of = (agent: string) => block!.piece.filter((n) => block!.pieces[n]!.agent === agent).length;
    expect([of("first"), of("second")]).toEqual([10, 40]);
    expect(block!.pieces.map(({ fromUs }) => fromUs)).toEqual([100, 500]);
  });

  it("says which chunks are stale: grown, corrected, joined; and no other", async () => {
    await put("here", WALL, { p: { x: 1, y: 1, z: 0 } });
    await put("far", WALL, { p: { x: 1 + 4 * CHUNK_M, y: 1, z: 0 } });
    const chunks = new MapChunks();
    const etags = async () =>
      new Map((await chunks.list(memory.reader)).map(({ id, etag }) => [id, etag] as const));
    const before = await etags();
    expect([...before.keys()]).toEqual(["world:0:0", "world:4:0"]);

    const grown = piece("here", [...WALL, [30, 30, 30]]);
    await memory.write({ records: [grown.record], blobs: [grown.blob] });
    const afterGrowth = await etags();
    expect(afterGrowth.get("world:0:0")).not.toBe(before.get("world:0:0"));
    expect(afterGrowth.get("world:4:0")).toBe(before.get("world:4:0"));

    await memory.write({ frames: [edge("far", { p: { x: 2 + 4 * CHUNK_M, y: 1, z: 0 } }, 1)] });
    const corrected = await etags();
    expect(corrected.get("world:4:0")).not.toBe(afterGrowth.get("world:4:0"));
    expect(corrected.get("world:0:0")).toBe(afterGrowth.get("world:0:0"));

    const own = piece("alone", WALL);
    await memory.write({ records: [own.record], blobs: [own.blob] });
    expect([...(await etags()).keys()]).toContain("alone:0:0");
    await memory.write({ frames: [edge("alone", { p: { x: 8 * CHUNK_M, y: 0, z: 0 } }, 2)] });
    expect([...(await etags()).keys()]).toEqual(["world:0:0", "world:4:0", "world:8:0"]);
  });

  it("shows nobody what he may not see: no chunk, no point, no other etag", async () => {
    await put("open", WALL, { p: { x: 1, y: 1, z: 0 } });
    const chunks = new MapChunks();
    const guest = await memory.holding();
    const before = await chunks.list(guest);
    const bytes = (await chunks.chunk(guest, "world:0:0"))!.bytes;
    await put("secret", WALL, { p: { x: 1, y: 5, z: 0 } }, { labels: ["private"], author: "hidden" });
    await put("hidden", WALL, { p: { x: 5 * CHUNK_M, y: 0, z: 0 } }, { labels: ["private"] });
    expect((await chunks.list(memory.reader)).map(({ id }) => id)).toEqual(["world:0:0", "world:5:0"]);
    expect((await chunks.chunk(memory.reader, "world:0:0"))!.bytes).not.toEqual(bytes);
    expect(await chunks.list(guest)).toEqual(before);
    expect((await chunks.chunk(guest, "world:0:0"))!.bytes).toEqual(bytes);
    expect(await chunks.chunk(guest, "world:5:0")).toBeUndefined();
    const friend = await memory.holding("private");
    expect(await chunks.list(friend)).toEqual(await chunks.list(memory.reader));
  });
});
