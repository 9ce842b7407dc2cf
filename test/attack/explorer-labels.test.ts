import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { exploreHouse } from "../../src/compose/explore.ts";
import { type Memory, openMemory } from "../../src/compose/memory.ts";
import { localFace } from "../../src/operations/face.ts";
import { finishFrames } from "../../src/operations/frames.ts";
import { LiveHouse } from "../../src/world/live-house.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-explorer-labels-"));
const SEED = 7;
const HOUSE = { seed: SEED, rooms: 4, floors: 1, noise: 0, budget: { steps: 6 } };
const GUEST = { id: "guest", labels: [] };
let memory: Memory;

/** A house in which only somebody with a label has seen a strongbox, where the robot will start. */
beforeAll(async () => {
  memory = await openMemory(join(folder, "memory"));
  const { positionInWorld: at } = new LiveHouse(HOUSE).start(0);
  const looks = [0, 1, 2, 3].map((n) => ({
    time: new LiveHouse(HOUSE).startUs + n * 500_000,
    agent: "eye",
    sensor: "detector",
    frame: "world",
    pose: { p: { x: at.x - 1, y: at.y, z: 1 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } },
    detections: [
      {
        category: "strongbox",
        position: { x: at.x, y: at.y, z: 0.5 },
        extent: { x: 0.3, y: 0.3, z: 0.3 },
        text: "a purple strongbox",
        score: 1,
      },
    ],
  }));
  await localFace(memory).ingestDetections({ looks, track: true, labels: ["secret"] });
  await finishFrames(memory);
}, 120_000);
afterAll(async () => {
  await memory?.close();
  rmSync(folder, { recursive: true, force: true });
});

describe("an explorer", { timeout: 240_000 }, () => {
  it("answers the owner by what is hidden, and leaves nothing of it where others read", async () => {
    const { answer } = await exploreHouse(memory, { ...HOUSE, question: "Where is the strongbox?" });
    expect(answer?.status).toBe("answered");
    const reader = await memory.engine.reader({ principal: GUEST });
    const { hits } = await reader.search({ limit: 10_000, rank: "id" });
    await reader.close();
    expect(hits.length).toBeGreaterThan(10);
    expect(JSON.stringify(hits)).not.toMatch(/strongbox/);
  });

  it("answers who may not see it as if it were not there", async () => {
    const lines: unknown[] = [];
    const { answer } = await exploreHouse(memory, {
      ...HOUSE,
      question: "Where is the strongbox?",
      asker: GUEST,
      onLine: (line) => lines.push(line),
    });
    expect(answer?.status).not.toBe("answered");
    // The question itself is in the lines.
    expect(JSON.stringify(lines)).not.toMatch(/purple strongbox/);
  });
});
