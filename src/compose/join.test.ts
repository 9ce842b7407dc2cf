import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { simulate } from "../compose.ts";
import { invert, type Transform, transformDelta } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { mapsIn } from "../sharing/index.ts";
import { type IngestReport, ingestRecording } from "./ingest.ts";
import { joinScene } from "./join.ts";
import { type Memory, openMemory } from "./memory.ts";

const LONG_MS = 300_000;
const folder = mkdtempSync(join(tmpdir(), "loci-join-"));
const recording = join(folder, "recording");
let memory: Memory;
let report: IngestReport;

beforeAll(async () => {
  await simulate({
    family: "house",
    seed: "30012",
    agents: 2,
    minutes: 3,
    fps: 1,
    noise: 0.3,
    rooms: 4,
    size: { width: 80, height: 60 },
    out: recording,
  });
  memory = await openMemory(join(folder, "memory"));
  report = await ingestRecording(memory, recording);
}, LONG_MS);
afterAll(async () => {
  await memory?.close();
  rmSync(folder, { recursive: true, force: true });
});

async function roomsOf(reader: MemoryReader) {
  const { hits } = await reader.search({ kinds: ["region"], where: { category: ["room"] }, limit: 100 });
  return hits.map(({ record }) => record);
}

describe("two robots whose maps say nothing of each other", () => {
  it("end with one map, the second laid where it is in truth", async () => {
    expect(report.maps).toHaveLength(1);
    const [{ pose, refused, things }] = report.maps as [IngestReport["maps"][number]];
    expect(refused).toBeUndefined();
    expect(things).toBeGreaterThan(6);
    const truth = JSON.parse(readFileSync(join(recording, "truth.json"), "utf8"));
    const { translationM, rotationRad } = transformDelta(
      pose!,
      invert(truth.agents[1].mapFromWorld as Transform),
    );
    expect(translationM).toBeLessThan(0.2);
    expect(rotationRad).toBeLessThan(0.035);
    expect((await mapsIn(await memory.reader(), "default")).map(({ root }) => root)).toEqual(["world"]);
  });

  it("have each room once, and had it twice before they were joined", async () => {
    const rooms = await roomsOf(await memory.reader());
    const open = rooms.filter(({ validToUs }) => validToUs === null);
    expect(open.every(({ anchor }) => anchor?.submap === "world")).toBe(true);
    const ended = rooms.filter(({ anchor }) => anchor?.submap !== "world");
    expect(ended.length).toBeGreaterThan(0);
    const joinedUs = Math.min(...ended.map(({ recordedAtUs }) => recordedAtUs));
    const before = await memory.engine.reader({ asOfMemoryUs: joinedUs - 1 });
    expect((await roomsOf(before)).filter(({ validToUs }) => validToUs === null).length).toBeGreaterThan(
      open.length,
    );
    expect((await mapsIn(before, "default")).length).toBe(2);
    await before.close();
  });

  it("are joined once: a second try finds one map and writes nothing", async () => {
    const before = await (await memory.reader()).stats();
    expect(await joinScene(memory, "default")).toEqual([]);
    expect((await (await memory.reader()).stats()).lastCommitUs).toBe(before.lastCommitUs);
  });
});
