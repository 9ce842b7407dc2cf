import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { afterAll, describe, expect, it } from "vitest";
import type { KeptEngine } from "../memory/port.ts";
import { OWNER } from "../memory/port.ts";
import { PostgresEngine } from "../memory/postgres/engine.ts";
import { PgliteDatabase } from "../memory/testing/pglite.ts";
import { frameOfLook, LiveFrames } from "./live-frames.ts";
import { Memory } from "./memory.ts";

const T0 = 1_760_000_000_000_000;
const folder = mkdtempSync(join(tmpdir(), "loci-many-writers-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** What a robot at one end of a table sees, with an error of a few centimetres. */
function look(agent: string, n: number, errorM: number) {
  const at = (x: number, y: number, z: number) => ({ x: x + errorM, y: y - errorM, z });
  return frameOfLook({
    time: T0 + n * 500_000 + (agent === "rob" ? 0 : 1_000),
    agent,
    pose: { p: { x: 20, y: 0, z: 1 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } },
    detections: [
      { category: "kettle", position: at(22, 0, 0.8), extent: { x: 0.2, y: 0.2, z: 0.2 } },
      { category: "kettle", position: at(22, 1, 0.8), extent: { x: 0.2, y: 0.2, z: 0.2 } },
      { category: "chair", position: at(23, -1, 0.4), extent: { x: 0.5, y: 0.5, z: 0.9 } },
    ],
  });
}

/** Two processes from the memory's point of view: separate engines, trackers and writers over one database. */
async function twoRobots(engineOf: (robot: string) => Promise<KeptEngine>, hears: boolean) {
  const robots = await Promise.all(
    ["rob", "bob"].map(async (agent) => {
      const engine = await engineOf(agent);
      const own: KeptEngine = {
        name: engine.name,
        capabilities: { ...engine.capabilities, manyWriters: hears },
        reader: (options) => engine.reader(options),
        writer: () => engine.writer(),
        generation: () => engine.generation(),
        texts: () => engine.texts(),
        log: () => engine.log(),
        hasLost: () => engine.hasLost(),
        verify: (options) => engine.verify(options),
        close: () => engine.close(),
      };
      const memory = new Memory(own, folder, { nowUs: () => Date.now() * 1000 });
      return { agent, memory, frames: new LiveFrames(memory) };
    }),
  );
  const filing = { sceneId: "default", labels: [], author: undefined };
  for (let n = 0; n < 6; n++)
    await Promise.all(
      robots.map(({ agent, frames }, i) =>
        frames.take(look(agent, n, 0.02 * i), filing, { actor: OWNER, eyes: undefined }),
      ),
    );
  await Promise.all(robots.map(({ frames }) => frames.finish()));
  const reader = await robots[0]!.memory.reader();
  const { hits } = await reader.search({ kinds: ["state", "track"], limit: 100 });
  for (const { memory } of robots) await memory.close();
  const records = hits.map(({ record }) => record);
  return {
    things: records
      .flatMap((record) => (record.kind === "state" && record.validToUs === null ? [record.category] : []))
      .sort(),
    tracks: records.filter((record) => record.kind === "track" && record.mergedInto === undefined).length,
  };
}

describe("two robots that write into one memory at once", { timeout: 300_000 }, () => {
  const database = PGlite.create({ extensions: { vector } }).then(async (made) => {
    await made.exec("SET search_path TO loci, public");
    return new PgliteDatabase(made);
  });
  const engineOf = (scene: string) => async () =>
    PostgresEngine.open({ database: await database, scene, partitions: 2, resident: false });

  it("end with one track for each thing that both see", async () => {
    const once = { things: ["chair", "kettle", "kettle"], tracks: 3 };
    expect(await twoRobots(engineOf("heard"), true)).toEqual(once);
  });

  it("would have two, did they not hear each other", async () => {
    const { things, tracks } = await twoRobots(engineOf("unheard"), false);
    expect([things.length, tracks]).toEqual([6, 6]);
  });
});
