/**
 * Makes a memory of so many records to open in the viewer: rooms of a warehouse, things in them, a tenth of which moved, and
 * captions.
 * npx node bench/large-memory.ts --folder DIR [--records N]
 */
import { parseArgs } from "node:util";
import { openMemory } from "../src/compose.ts";
import { Random } from "../src/geometry/index.ts";
import type { RecordInput } from "../src/schema/core.ts";

const { values } = parseArgs({
  options: { folder: { type: "string" }, records: { type: "string", default: "1000000" } },
});
if (values.folder === undefined) throw new Error("--folder DIR: where the memory shall lie");
const RECORDS = Number(values.records);
const BATCH = 5_000;
const ROOM_M = 20;
const ROOMS_A_SIDE = 10;
const SECOND = 1_000_000;
const START_US = Date.UTC(2026, 0, 5) * 1_000;
const KINDS = ["pallet", "carton", "barrel", "shelf", "forklift", "crate", "ladder", "trolley"];
const random = new Random("large");

function room(n: number): RecordInput {
  const [x, y] = [(n % ROOMS_A_SIDE) * ROOM_M, Math.floor(n / ROOMS_A_SIDE) * ROOM_M];
  const corners = [
    [0, 0],
    [ROOM_M, 0],
    [ROOM_M, ROOM_M],
    [0, ROOM_M],
  ] as const;
  return {
    kind: "region",
    id: `room-${n}`,
    type: "room",
    level: 0,
    name: `hall ${n + 1}`,
    hull: corners.map(([dx, dy]) => ({ x: x + dx, y: y + dy, z: 0 })),
    validFromUs: START_US,
    validToUs: null,
    anchor: { submap: "world", p: { x: 0, y: 0, z: 0 } },
  };
}

/** A thing and where it is, or was and is now; and what was said of it. */
function thing(n: number): RecordInput[] {
  const fromUs = START_US + n * 2 * SECOND;
  const category = KINDS[n % KINDS.length]!;
  const named = { name: `${category} ${n}`, category, validFromUs: fromUs };
  const track: RecordInput = { ...named, kind: "track", id: `track-${n}`, validToUs: null };
  const state = (k: number, from: number, to: number | null): RecordInput => {
    const p = {
      x: random.range(0, ROOM_M * ROOMS_A_SIDE),
      y: random.range(0, ROOM_M * ROOMS_A_SIDE),
      z: 0.4,
    };
    return {
      ...named,
      kind: "state",
      id: `state-${n}-${k}`,
      trackId: `track-${n}`,
      validFromUs: from,
      validToUs: to,
      regionId: `room-${Math.floor(p.y / ROOM_M) * ROOMS_A_SIDE + Math.floor(p.x / ROOM_M)}`,
      anchor: { submap: "world", p },
      extent: { x: random.range(0.2, 1), y: random.range(0.2, 1), z: random.range(0.2, 1.2) },
      ...(k > 0 && { movedFrom: { stateId: `state-${n}-${k - 1}`, p: 0.9 } }),
    };
  };
  const movedUs = fromUs + 3_600 * SECOND;
  const states =
    n % 10 === 0 ? [state(0, fromUs, movedUs), state(1, movedUs, null)] : [state(0, fromUs, null)];
  const caption: RecordInput = {
    kind: "caption",
    source: "template",
    id: `caption-${n}`,
    text: [`a ${category} stands in the hall`],
    validFromUs: fromUs,
    validToUs: fromUs + SECOND,
    anchor: { submap: "world", p: { x: 1, y: 1, z: 1 } },
  };
  return [track, ...states, caption];
}

const memory = await openMemory(values.folder);
const writer = await memory.writer();
const rooms = Array.from({ length: ROOMS_A_SIDE ** 2 }, (_, n) => room(n));
await writer.write({ records: rooms });
let written = rooms.length;
const began = performance.now();
for (let n = 0; written < RECORDS; ) {
  const records: RecordInput[] = [];
  while (records.length < BATCH && written + records.length < RECORDS) records.push(...thing(n++));
  await writer.write({ records });
  written += records.length;
  if (written % 100_000 < BATCH)
    console.error(`${written} records, ${Math.round((performance.now() - began) / 1000)} s`);
}
await writer.close();
await memory.close();
