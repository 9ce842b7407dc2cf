import { afterEach, beforeEach, expect, it } from "vitest";
import { applyDirection } from "../../geometry/index.ts";
import { cameraAt } from "../../map/testing/test-world.ts";
import type { RecordInput } from "../../schema/core.ts";
import { edge, state, type TestMemory, testMemory, track } from "../testing/feed-memory.ts";
import { readWays, type WaysBlock } from "./decode.ts";
import { waysBlock } from "./ways.ts";

let memory: TestMemory;
beforeEach(async () => {
  memory = await testMemory();
});
afterEach(() => memory.close());

const second = 1_000_000;
const START_US = Date.UTC(2026, 0, 5, 9) * 1_000;

/** A robot that moves along x, a tenth of a metre per look, two looks per second, facing +y. */
function look(n: number, more: Partial<Extract<RecordInput, { kind: "observation" }>> = {}): RecordInput {
  const { p, q } = cameraAt(n * 0.1, 0, Math.PI / 2, 0);
  return {
    kind: "observation",
    id: `look-${n}-${more.author ?? "robot"}`,
    author: "robot",
    sensorId: "camera",
    validFromUs: START_US + (n * second) / 2,
    validToUs: START_US + (n * second) / 2 + 1,
    anchor: { submap: "sub", p, q },
    intrinsics: { fx: 40, fy: 40, cx: 40, cy: 30, width: 80, height: 60 },
    ...more,
  };
}

const points = (block: WaysBlock, n: number) => {
  const { first, points: count } = block.ways[n]!;
  return Array.from({ length: count }, (_, i) => ({
    x: block.origin.x + block.position[(first + i) * 3]!,
    y: block.origin.y + block.position[(first + i) * 3 + 1]!,
    timeUs: block.timeOriginUs + Math.round(block.time[first + i]! * 1e6),
  }));
};

it("has the ways of agents, thinned, in the world, with where their cameras look", async () => {
  await memory.write({
    frames: [edge("sub", { p: { x: 10, y: 0, z: 0 }, yawRad: Math.PI / 2 })],
    records: Array.from({ length: 41 }, (_, n) => look(n)),
  });
  const block = readWays(await waysBlock(memory.reader));
  expect(block.ways).toMatchObject([{ id: "robot", type: "agent", first: 0 }]);
  expect(block.ways[0]!.view!.across).toBeCloseTo(Math.PI / 2);
  const way = points(block, 0);
  expect(way).toHaveLength(21);
  for (const { x } of way) expect(x).toBeCloseTo(10);
  expect(way.map(({ y }) => Math.round(y * 10))).toEqual(Array.from({ length: 21 }, (_, n) => 2 * n));
  expect(way.at(-1)!.timeUs).toBe(START_US + 20 * second);
  const [x, y, z, w] = block.rotation;
  const ahead = applyDirection(
    { p: { x: 0, y: 0, z: 0 }, q: { x: x!, y: y!, z: z!, w: w! } },
    { x: 0, y: 0, z: 1 },
  );
  // It faces +y of a submap rotated by a quarter turn.
  expect(ahead.x).toBeCloseTo(-1);
  const coarse = readWays(await waysBlock(memory.reader, { stepM: 1 }));
  expect(coarse.count).toBeLessThan(block.count);
});

it("has whoever moves by himself where he was seen, and keeps to a span", async () => {
  await memory.write({
    records: [
      ...Array.from({ length: 10 }, (_, n) => look(n)),
      track("anna", { type: "person", category: "person", name: "Anna" }),
      track("chair", { type: "object", category: "chair" }),
      state("anna-1", { trackId: "anna", validFromUs: START_US }),
      state("chair-1", { trackId: "chair", validFromUs: START_US }),
    ],
    sightings: Array.from({ length: 10 }, (_, n) => ({
      stateId: "anna-1",
      timeUs: START_US + n * second,
      outcome: "seen" as const,
      anchor: { submap: "world", p: { x: n, y: 5, z: 1 } },
    })),
  });
  const block = readWays(await waysBlock(memory.reader));
  expect(block.ways.map(({ name, type }) => `${name} ${type}`)).toEqual(["robot agent", "Anna person"]);
  expect(points(block, 1).map(({ x }) => Math.round(x))).toEqual([0, 1, 2, 3, 4, 5, 6, 7, 8, 9]);
  const during = { fromUs: START_US + 3 * second, toUs: START_US + 5 * second };
  const part = readWays(await waysBlock(memory.reader, { during }));
  for (const n of [0, 1])
    for (const { timeUs } of points(part, n)) {
      expect(timeUs).toBeGreaterThanOrEqual(during.fromUs);
      expect(timeUs).toBeLessThan(during.toUs);
    }
  expect(points(part, 1).map(({ x }) => Math.round(x))).toEqual([3, 4]);
});

it("shows nobody the way of whom he may not know", async () => {
  await memory.write({ records: [look(0), look(1, { author: "spy", labels: ["private"] })] });
  const guest = await memory.holding();
  expect(readWays(await waysBlock(guest)).ways.map(({ id }) => id)).toEqual(["robot"]);
  expect(readWays(await waysBlock(memory.reader)).ways.map(({ id }) => id)).toEqual(["robot", "spy"]);
});
