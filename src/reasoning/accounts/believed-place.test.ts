import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { Belief } from "../../belief/belief.ts";
import { EmbeddedEngine, type MemoryReader } from "../../memory/index.ts";
import type { RecordInput, SightingInput } from "../../schema/index.ts";
import { lifeOf } from "./life.ts";

const S = 1_000_000;
const NOW_US = 200 * S;

/** Two rooms side by side, five metres wide. */
const room = (id: string, x: number): RecordInput => ({
  kind: "region",
  id,
  type: "room",
  level: 2,
  name: id,
  hull: [
    { x, y: 0, z: 0 },
    { x: x + 5, y: 0, z: 0 },
    { x: x + 5, y: 5, z: 0 },
    { x, y: 5, z: 0 },
  ],
  text: [id],
  anchor: { submap: "world", p: { x: x + 2.5, y: 2.5, z: 0 } },
  validFromUs: 0,
  validToUs: null,
});

const at = (x: number) => ({ submap: "world", p: { x, y: 2, z: 0.9 } });
const span = { validFromUs: 10 * S, validToUs: null };
const person: RecordInput[] = [
  { kind: "track", id: "anna", name: "Anna", category: "person", text: ["Anna"], ...span },
  {
    kind: "state",
    id: "anna-1",
    trackId: "anna",
    name: "Anna",
    category: "person",
    text: ["Anna"],
    regionId: "study",
    anchor: at(7),
    extent: { x: 0.5, y: 0.5, z: 1.8 },
    ...span,
  },
];
/** Seen in the kitchen for ten seconds; the last look was at somebody else in the study. */
const looks: SightingInput[] = [...Array.from({ length: 10 }, (_, n) => [10 + n, 2] as const), [120, 7]].map(
  ([s, x]) => ({ stateId: "anna-1", timeUs: s! * S, outcome: "seen", agentId: "a", anchor: at(x!) }),
);

const folder = mkdtempSync(join(tmpdir(), "loci-believed-"));
let engine: EmbeddedEngine;
let reader: MemoryReader;
beforeAll(async () => {
  engine = await EmbeddedEngine.open({ folder, nowUs: () => NOW_US, create: true });
  const writer = await engine.writer();
  await writer.write({ records: [room("kitchen", 0), room("study", 5), ...person], sightings: looks });
  await writer.close();
  reader = await engine.reader();
});
afterAll(async () => {
  await engine.close();
  rmSync(folder, { recursive: true, force: true });
});

it("is the same for a thing, its room, its stays and its life, whatever a stray look says", async () => {
  const memory = new Belief({ reader, nowUs: NOW_US });
  const anna = (await memory.thingById("anna"))!;
  expect(anna.roomId).toBe("kitchen");
  expect((await memory.stays("anna")).at(-1)?.roomId).toBe("kitchen");
  const inRoom = async (roomId: string) =>
    (await memory.everything({ roomId })).map(({ trackId }) => trackId);
  expect(await inRoom("kitchen")).toEqual(["anna"]);
  expect(await inRoom("study")).toEqual([]);
  const life = await lifeOf(anna, memory);
  expect(life.stays.at(-1)?.room?.id).toBe("kitchen");
  expect(life.lastSeenUs).toBe(19 * S);
});
