import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RecordInput } from "../schema/index.ts";
import { scopeFor } from "./ask.ts";
import { type Memory, openMemory } from "./memory.ts";
import { mapsOf } from "./scene-maps.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-ask-"));
let memory: Memory;

const place = (sceneId: string, x: number): RecordInput => ({
  kind: "place",
  id: `place-${sceneId}`,
  sceneId,
  author: `robot-${sceneId}`,
  yawRad: 0,
  anchor: { submap: "world", p: { x, y: 0, z: 0 } },
  validFromUs: 1,
  validToUs: null,
});

beforeAll(async () => {
  memory = await openMemory(folder, { embedder: "hashing:64" });
  await memory.write({ records: [place("barn", 1), place("flat", 9)] });
});
afterAll(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

it("each place is answered from its own map", async () => {
  const xs = [];
  for (const sceneId of ["barn", "flat", "barn"]) {
    const { map } = await scopeFor(memory, { sceneId });
    xs.push((await map!())!.places().map(({ positionInWorld }) => positionInWorld.x));
  }
  expect(xs).toEqual([[1], [9], [1]]);
});

it("a map that could not be opened is tried again", async () => {
  const reader = await memory.reader();
  let broken = true;
  const view = Object.assign(Object.create(memory) as Memory, {
    reader: async () => {
      if (broken) throw new Error("the disk is away");
      return reader;
    },
    engine: memory.engine,
  });
  await expect(mapsOf(view).of("barn")).rejects.toThrow("away");
  broken = false;
  expect((await mapsOf(view).of("barn")).places()).toHaveLength(1);
});

it("a place or an agent that nobody knows is refused, unless it says where it stands", async () => {
  await expect(scopeFor(memory, { sceneId: "attic" })).rejects.toMatchObject({ code: "unknown-id" });
  await expect(scopeFor(memory, { agentId: "nobody" })).rejects.toMatchObject({ code: "unknown-id" });
  const pose = { position: { x: 0, y: 0, z: 0 }, yawRad: 0 };
  for (const request of [{ agentId: "robot-flat" }, { sceneId: "default" }, { agentId: "new", pose }])
    await expect(scopeFor(memory, request)).resolves.toBeDefined();
});
