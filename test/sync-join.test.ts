import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { ingestInto } from "../src/compose/ingest.ts";
import { localPeer, type Memory, openMemory, simulate, syncMemories } from "../src/compose.ts";
import { openRecording } from "../src/sensors/index.ts";
import { mapsIn } from "../src/sharing/index.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-sync-join-"));
const recording = join(folder, "recording");
const ROBOTS = ["robot-1", "robot-2"];
const closing: (() => Promise<void>)[] = [];
afterAll(async () => {
  for (const close of closing) await close();
  rmSync(folder, { recursive: true, force: true });
});

/** What one robot of the recording remembers by itself. */
async function robotAlone(robot: string): Promise<Memory> {
  const memory = await openMemory(join(folder, robot));
  const source = await openRecording(recording);
  await ingestInto(memory, source, { odometry: "recorded", only: ({ agentId }) => agentId === robot });
  await source.close();
  return memory;
}

const rootsIn = async (memory: Memory) =>
  (await mapsIn(await memory.reader(), "default")).map(({ root }) => root);

it("robots that never met have one map where their memories meet, and at home once they heard of it", {
  timeout: 600_000,
}, async () => {
  const size = { width: 80, height: 60 };
  const house = { family: "house" as const, seed: "30012", agents: 2, rooms: 4 };
  await simulate({ ...house, minutes: 3, fps: 1, noise: 0.3, size, out: recording });
  const server = await openMemory(join(folder, "server"));
  const there = await localPeer(server, "server");
  closing.push(
    () => there.close(),
    () => server.close(),
  );
  for (const [n, robot] of ROBOTS.entries()) {
    const memory = await robotAlone(robot);
    const here = await localPeer(memory, robot);
    const { maps, pushed } = await syncMemories(here, there);
    expect(pushed.taken).toBeGreaterThan(100);
    expect(maps.there).toEqual({ joined: n, apart: 0 });
    expect(await rootsIn(server)).toHaveLength(1);
    expect(await rootsIn(memory)).toHaveLength(1);
    // The join is each memory's own: it is no news for the other.
    expect((await syncMemories(here, there)).pushed).toMatchObject({ records: 0, sightings: 0 });
    await here.close();
    await memory.close();
  }
  expect((await server.verify()).problems).toEqual([]);
});
