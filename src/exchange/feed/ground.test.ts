import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { IDENTITY } from "../../geometry/index.ts";
import { SceneMap } from "../../map/index.ts";
import { cameraAt, lookAt, tour, twoRooms } from "../../map/testing/test-world.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { Percept, TrackedFrame } from "../../schema/core.ts";
import { edge, type TestMemory, testMemory } from "../testing/feed-memory.ts";
import { GROUND_CELLS, type GroundBlock, OPEN, readGround } from "./decode.ts";
import { groundOf } from "./ground.ts";
import { MapChunks } from "./map-chunks.ts";
import { sceneOf } from "./scene.ts";

const NOTHING: TrackedFrame = { stateOf: [], changed: [] };
const HOUSE = twoRooms();

/** A walk through two rooms; then an agent with private labels observes the second one again. */
let memory: TestMemory;
beforeAll(async () => {
  memory = await testMemory();
  const origin = { p: { x: 0, y: 0, z: 0 } };
  await memory.write({ frames: [edge("sub-0", origin), edge("sub-secret", origin)] });
  await taken(tour(HOUSE));
  const hour = 3_600_000_000;
  const again = [0, 1, 2, 3].map((n) =>
    lookAt(HOUSE, cameraAt(7, 2.5, (n * Math.PI) / 2), n, {
      submap: "sub-secret",
      labels: ["private"],
      observationId: `secret-${n}`,
      timeUs: 1_000_000_000 + hour + n,
    }),
  );
  await taken(again, ["private"]);
});
afterAll(() => memory.close());

async function taken(percepts: readonly Percept[], labels: readonly string[] = []): Promise<void> {
  const map = await SceneMap.open(memory.reader, { labels, worldFromSubmap: () => IDENTITY });
  for (const percept of percepts) {
    const { records, blobs } = map.observe(percept, NOTHING);
    await memory.write({ records, blobs });
  }
  await memory.write(await map.update([], percepts.at(-1)!.timeUs));
  await memory.write(map.finish());
}

async function groundFor(reader: MemoryReader): Promise<GroundBlock> {
  const map = await SceneMap.open(reader, { worldFromSubmap: () => IDENTITY });
  const [floor, ...more] = groundOf(map, "world");
  expect(more).toEqual([]);
  return readGround(floor!.bytes);
}

function cellAt({ originX, originY, cellM, width }: GroundBlock, x: number, y: number): number {
  return Math.floor((y - originY) / cellM) * width + Math.floor((x - originX) / cellM);
}

describe("the ground", () => {
  it("tells free from walls and passages from both, and knows nothing of what nobody saw", async () => {
    const ground = await groundFor(memory.reader);
    const at = (x: number, y: number) => ground.cell[cellAt(ground, x, y)];
    expect(at(2, 1.5)).toBe(GROUND_CELLS.free);
    expect(at(4.05, 0.75)).toBe(GROUND_CELLS.wall);
    expect(at(4.05, 1.95)).toBe(GROUND_CELLS.lintel);
    expect(ground.cell.every((cell, n) => cell === GROUND_CELLS.unknown || ground.looked[n]! > -OPEN)).toBe(
      true,
    );
    const doorway = ground.openings.filter(({ from, to }) => Math.abs((from.x + to.x) / 2 - 4.05) < 0.3);
    expect(doorway.length).toBeGreaterThan(0);
    for (const { from, to } of doorway) expect((from.y + to.y) / 2).toBeCloseTo(1.95, 0);
  });

  it("says when each cell was last looked at, to whoever may know of that look", async () => {
    const guest = await memory.holding();
    const [owners, guests] = [await groundFor(memory.reader), await groundFor(guest)];
    const lookedUs = (ground: GroundBlock, x: number, y: number) =>
      ground.timeOriginUs + ground.looked[cellAt(ground, x, y)]! * 1e6;
    const hourLater = 1_000_000_000 + 3_600_000_000;
    expect(lookedUs(owners, 6, 2.5)).toBeGreaterThanOrEqual(hourLater - 1e5);
    expect(lookedUs(owners, 1, 3.8)).toBeLessThan(1_100_000_000);
    expect(lookedUs(guests, 6, 2.5)).toBeLessThan(1_100_000_000);
    expect(Math.max(...guests.looked) * 1e6 + guests.timeOriginUs).toBeLessThan(1_100_000_000);
  });

  it("comes with the rooms of the scene", async () => {
    const chunks = await new MapChunks().list(memory.reader);
    const scene = await sceneOf(memory.reader, chunks);
    const rooms = scene.regions.filter(({ type, toUs }) => type === "room" && toUs === null);
    expect(rooms).toHaveLength(2);
    for (const { map, z, outline, parent } of rooms) {
      expect([map, z.toFixed(0), outline.length]).toEqual(["world", "0", 4]);
      expect(scene.regions.find(({ id }) => id === parent)?.type).toBe("floor");
    }
    expect(scene.maps).toEqual(["world"]);
    expect(scene.chunks.length).toBeGreaterThan(0);
  });
});
