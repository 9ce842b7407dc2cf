/**
 * What an answer of the rules costs at 100k records, by kind of question, beyond the encoder: processor time of the
 * whole process, which does not depend on who else uses the machine, and the clock beside it.
 * npx node bench/ask.bench.ts [--rooms N] [--rounds N]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../src/geometry/index.ts";
import { EmbeddedEngine } from "../src/memory/index.ts";
import { openHashing } from "../src/models/hashing/hashing.ts";
import { ask } from "../src/reasoning/index.ts";
import type { RecordInput } from "../src/schema/index.ts";

const { values } = parseArgs({
  options: { rooms: { type: "string", default: "600" }, rounds: { type: "string", default: "8" } },
});
const ROOMS = Number(values.rooms);
const THINGS = 50;
const LOOKS = 60;
const S = 1_000_000;
const random = new Random("ask");
const pick = <T>(list: readonly T[]): T => list[random.int(0, list.length)]!;
const COLOURS = "red blue green white black grey brown yellow".split(" ");
const NAMES =
  "mug plate bowl lamp chair table sofa bed desk shelf book box bottle laptop clock mirror rug plant vase bin fridge kettle sink".split(
    " ",
  );
const ROOM_NAMES = "kitchen bedroom bathroom office hallway workshop lounge library garage".split(" ");

/** A room of a large building: what stands in it, and where the agent looked from. */
function roomRecords(room: number): RecordInput[] {
  const [x0, y0] = [(room % 25) * 6, Math.floor(room / 25) * 6];
  const id = `r${room}`;
  const corners = [
    { x: x0, y: y0, z: 0 },
    { x: x0 + 5, y: y0, z: 0 },
    { x: x0 + 5, y: y0 + 5, z: 0 },
    { x: x0, y: y0 + 5, z: 0 },
  ];
  const name = `${ROOM_NAMES[room % ROOM_NAMES.length]} ${room}`;
  const span = { validFromUs: room * LOOKS * S, validToUs: null };
  const records: RecordInput[] = [
    {
      kind: "region",
      id,
      type: "room",
      level: 2,
      name,
      hull: corners,
      text: [name],
      anchor: { submap: "world", p: { x: x0 + 2.5, y: y0 + 2.5, z: 0 } },
      ...span,
    },
  ];
  for (let n = 0; n < THINGS; n++) {
    const [category, colour] = [pick(NAMES), pick(COLOURS)];
    const text = [`${colour} ${category}`];
    const side = random.range(0.1, 0.8);
    records.push({ kind: "track", id: `t${room}-${n}`, name: text[0]!, category, text, ...span });
    records.push({
      kind: "state",
      id: `s${room}-${n}`,
      trackId: `t${room}-${n}`,
      name: text[0]!,
      category,
      text,
      regionId: id,
      anchor: {
        submap: "world",
        p: { x: x0 + random.range(0, 5), y: y0 + random.range(0, 5), z: random.range(0, 1.5) },
      },
      extent: { x: side, y: side, z: side },
      attributes: { colour: { value: colour, p: 0.9, support: 5, lastUs: span.validFromUs } },
      ...span,
    });
  }
  for (let n = 0; n < LOOKS; n++)
    records.push({
      kind: "observation",
      id: `o${room}-${n}`,
      sensorId: "camera",
      anchor: {
        submap: "world",
        p: { x: x0 + 2.5, y: y0 + 2.5, z: 1.5 },
        q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 },
      },
      validFromUs: (room * LOOKS + n) * S,
      validToUs: (room * LOOKS + n) * S + 1,
    });
  return records;
}

const QUESTIONS = [
  "Where is the red mug?",
  "What colour is the sofa in the kitchen?",
  "How many chairs are there in the office?",
  "How many lamps are there?",
  "Is there a fridge in the library?",
  "What is on the desk?",
  "Is the blue vase closer to the bed than to the sofa?",
  "When did you last see the green kettle?",
  "What was on your left 2 minutes and 5 seconds ago?",
  "Which room were you in 5 minutes ago?",
  "Where can I sleep?",
  "Where is the nearest sink?",
  "Where is the chandelier?",
];

const folder = mkdtempSync(join(tmpdir(), "loci-ask-bench-"));
const engine = await EmbeddedEngine.open({ folder, nowUs: () => Date.now() * 1000, create: true });
const embedder = openHashing(64);
const writer = await engine.writer();
await writer.setEmbedder("text", embedder.info);
let count = 0;
for (let room = 0; room < ROOMS; room++) {
  const records = roomRecords(room);
  const lines = [...new Set(records.flatMap(({ text }) => text ?? []))];
  const known = await writer.knownTexts(lines);
  const unknown = lines.filter((_, n) => !known[n]);
  const made = await embedder.embed(unknown);
  const sightings = records.flatMap((record) =>
    record.kind === "state"
      ? [0, 1, 2].map((n) => ({
          stateId: record.id,
          timeUs: record.validFromUs + n * S,
          outcome: "seen" as const,
        }))
      : [],
  );
  const vectors = unknown.map((text, n) => ({ text, vector: made[n]! }));
  count += (await writer.write({ records, vectors, sightings })).written;
}
const reader = await engine.reader();
const nowUs = ROOMS * LOOKS * S;
console.log(`${count} records, ${cpus()[0]?.model}, ${cpus().length} cores`);
const sorted = (values: readonly number[]) => values.toSorted((a, b) => a - b);
const share = (values: readonly number[], part: number) =>
  sorted(values)[Math.min(values.length - 1, Math.floor(values.length * part))]!.toFixed(1);
const all: { cpuMs: number; wallMs: number }[] = [];
for (const question of QUESTIONS) {
  const own: typeof all = [];
  let said = "";
  for (let round = 0; round < Number(values.rounds); round++) {
    const [cpu, began] = [process.cpuUsage(), performance.now()];
    const { status, text } = await ask(question, { reader, embedder, nowUs, navigate: false });
    const { user, system } = process.cpuUsage(cpu);
    said = `${status}: ${text}`;
    // The first round opens what later ones find open.
    if (round > 0) own.push({ cpuMs: (user + system) / 1e3, wallMs: performance.now() - began });
  }
  all.push(...own);
  const cpu = own.map(({ cpuMs }) => cpuMs);
  console.log(
    `${question.padEnd(54)} cpu p50 ${share(cpu, 0.5).padStart(6)} p95 ${share(cpu, 0.95).padStart(6)} ms  ${said.slice(0, 60)}`,
  );
}
for (const key of ["cpuMs", "wallMs"] as const) {
  const times = all.map((one) => one[key]);
  console.log(`${key}: p50 ${share(times, 0.5)}, p95 ${share(times, 0.95)}, most ${share(times, 1)}`);
}
await writer.close();
await engine.close();
rmSync(folder, { recursive: true, force: true });
