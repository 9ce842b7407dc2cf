import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, expect, it } from "vitest";
import { Random } from "../src/geometry/index.ts";
import { EmbeddedEngine } from "../src/memory/index.ts";

const KILLS = 50;
const CHILD = join(import.meta.dirname, "ingest-child.ts");
const folder = mkdtempSync(join(tmpdir(), "loci-crash-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Runs the child until it has been writing for a random while, kills it for real, and returns what it acknowledged. */
function ingestAndKill(firstBatch: number, afterMs: number): Promise<number> {
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [CHILD, folder, String(firstBatch)], {
      stdio: ["ignore", "pipe", "pipe"],
    });
    let printed = "";
    let complaints = "";
    let armed = false;
    child.stdout.setEncoding("utf8").on("data", (text: string) => {
      printed += text;
      if (!armed && printed.includes("ready\n")) {
        armed = true;
        setTimeout(() => child.kill("SIGKILL"), afterMs);
      }
    });
    child.stderr.setEncoding("utf8").on("data", (text: string) => {
      complaints += text;
    });
    child.on("close", (_, signal) => {
      if (signal !== "SIGKILL") return reject(new Error(`the child ended by itself: ${complaints}`));
      // The last line may be cut: what was not fully printed was not acknowledged to anyone.
      const lines = printed.slice(0, printed.lastIndexOf("\n")).split("\n").slice(1);
      resolve(lines.length === 0 ? firstBatch - 1 : Number(lines.at(-1)));
    });
  });
}

it(`survives SIGKILL at ${KILLS} random moments of ingest: what was acknowledged is there, nothing is half-written`, {
  timeout: 600_000,
}, async () => {
  const random = new Random("crash");
  let acknowledged = 0;
  let next = 1;
  for (let kill = 0; kill < KILLS; kill++) {
    acknowledged = Math.max(acknowledged, await ingestAndKill(next, random.range(0, 120)));
    const engine = await EmbeddedEngine.open({ folder, create: false });
    const reader = await engine.reader();
    // Whole batches up to the last one that was acknowledged, and at most one more that was not yet told.
    const { records, sightings, texts, vectors, versions } = await reader.stats();
    const batches = records.state / 10;
    expect(batches).toBeGreaterThanOrEqual(acknowledged);
    expect(batches).toBeLessThanOrEqual(acknowledged + 1);
    expect(records.state).toBe(batches * 10);
    expect({ track: records.track, sightings, texts, vectors }).toEqual({
      track: batches + Math.min(batches, 1),
      sightings: batches * 10,
      texts: batches * 10,
      vectors: batches * 10,
    });
    expect(versions).toBe(batches * 12);
    // The index, read from a snapshot or built, holds the same.
    expect(await reader.count({ kinds: ["state"] })).toBe(records.state);
    const newest = await reader.searchIds({ kinds: ["state"], meaning: { words: `${batches} 9` }, limit: 1 });
    expect(newest[0]?.id).toBe(batches > 0 ? `b${batches}-s9` : undefined);
    if (batches > 0)
      expect((await reader.get(["counter"]))[0]).toMatchObject({
        version: batches,
        category: `count-${batches}`,
      });
    await engine.close();
    next = batches + 1;
    acknowledged = batches;
  }
  expect(acknowledged).toBeGreaterThan(KILLS);
  const engine = await EmbeddedEngine.open({ folder, create: false });
  expect((await engine.verify()).problems).toEqual([]);
  await engine.close();
});
