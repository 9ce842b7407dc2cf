/**
 * What retrieval costs at 100k records, by strategy and stage, beyond the encoder.
 * npx node bench/retrieval.bench.ts [--rooms N] [--questions N] [--only a,b]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../src/geometry/index.ts";
import { EmbeddedEngine } from "../src/memory/index.ts";
import { openLociText } from "../src/models/loci-text/loci-text.ts";
import { bottleneck } from "../src/retrieval/bottleneck/bottleneck.ts";
import { retrieve, STRATEGIES, type Strategy } from "../src/retrieval/index.ts";
import type { RecordInput } from "../src/schema/index.ts";

const { values } = parseArgs({
  options: {
    rooms: { type: "string", default: "400" },
    questions: { type: "string", default: "100" },
    only: { type: "string", default: STRATEGIES.join(",") },
  },
});
const ROOMS = Number(values.rooms);
const THINGS = 50;
const VISITS = 150;
const S = 1_000_000;
const random = new Random("retrieval");
const pick = <T>(list: readonly T[]): T => list[random.int(0, list.length)]!;

const COLOURS = "red blue green white black grey brown yellow silver orange".split(" ");
const THING_NAMES =
  "mug cup plate bowl lamp chair table sofa bed desk shelf book box bottle bag laptop monitor keyboard phone clock mirror rug curtain plant vase pillow blanket towel bin bucket broom ladder toolbox drill hammer printer whiteboard projector cabinet drawer stove oven fridge kettle toaster sink faucet toilet shower door window radiator fan heater bicycle helmet jacket shoe umbrella suitcase backpack guitar piano painting poster statue extinguisher sign cart pallet crate forklift cone barrier bench".split(
    " ",
  );
const ROOM_NAMES =
  "kitchen bedroom bathroom office corridor hall workshop storeroom lounge library laboratory garage".split(
    " ",
  );

interface HouseThing {
  readonly id: string;
  readonly name: string;
}

/** Rooms in a grid, each visited again and again: the redundancy that long memories have. */
function roomRecords(room: number): RecordInput[] {
  const [x0, y0] = [(room % 20) * 6, Math.floor(room / 20) * 6];
  const name = `${pick(ROOM_NAMES)} ${room}`;
  const records: RecordInput[] = [];
  const things: HouseThing[] = [];
  for (let i = 0; i < THINGS; i++) {
    const [id, category] = [`s${room}-${i}`, pick(THING_NAMES)];
    const text = `${pick(COLOURS)} ${category}`;
    const p = { x: x0 + random.range(0, 5), y: y0 + random.range(0, 5), z: random.range(0, 1.5) };
    const side = random.range(0.1, 0.8);
    const common = { validFromUs: room * S, validToUs: null, text: [text] };
    records.push({ kind: "track", id: `t${id}`, name: text, category, ...common });
    records.push({
      kind: "state",
      id,
      trackId: `t${id}`,
      name: text,
      category,
      anchor: { submap: "world", p },
      extent: { x: side, y: side, z: side },
      ...common,
      text: [text, `${text} in the ${name}`],
    });
    things.push({ id, name: text });
  }
  for (let visit = 0; visit < VISITS; visit++) {
    const seen = Array.from({ length: 6 }, () => pick(things));
    const fromUs = (visit * ROOMS + room) * 3 * S;
    records.push({
      kind: "caption",
      id: `c${room}-${visit}`,
      source: "vlm",
      text: [
        `In the ${name} there are ${seen.map((t) => `a ${t.name}`).join(", ")}.`,
        `The robot drives through the ${name}.`,
      ],
      states: [...new Set(seen.map((t) => t.id))],
      anchor: { submap: "world", p: { x: x0 + 2.5, y: y0 + 2.5, z: 0 } },
      validFromUs: fromUs,
      validToUs: fromUs + 3 * S,
    });
  }
  return records;
}

const folder = mkdtempSync(join(tmpdir(), "loci-retrieval-"));
const engine = await EmbeddedEngine.open({ folder, nowUs: () => Date.now() * 1000, create: true });
const embedder = await openLociText();
const writer = await engine.writer();
await writer.setEmbedder("text", embedder.info);
let count = 0;
for (let room = 0; room < ROOMS; room++) {
  const records = roomRecords(room);
  const lines = [...new Set(records.flatMap(({ text }) => text ?? []))];
  const known = await writer.knownTexts(lines);
  const unknown = lines.filter((_, i) => !known[i]);
  const made = await embedder.embed(unknown);
  const vectors = unknown.flatMap((text, i) => (made[i] ? [{ text, vector: made[i]! }] : []));
  const sightings = records.flatMap((r) =>
    r.kind === "state" ? [{ stateId: r.id, timeUs: r.validFromUs, outcome: "seen" as const }] : [],
  );
  count += (await writer.write({ records, vectors, sightings })).written;
}
await writer.calibrate("text");
const reader = await engine.reader();
console.log(
  `${cpus()[0]?.model ?? "unknown"}, ${cpus().length} cores, ${process.version}; ${count} records, ${embedder.info.id}`,
);

const templates = [
  (c: string, t: string) => `Where is the ${c} ${t}?`,
  (c: string, t: string) => `When did you last see a ${c} ${t}?`,
  (_: string, t: string) => `How many ${t}s are there in the kitchen?`,
  () => "Where is the closest place to sit?",
];
const questions = Array.from({ length: Number(values.questions) }, () =>
  pick(templates)(pick(COLOURS), pick(THING_NAMES)),
);
const nowUs = VISITS * ROOMS * 3 * S;
const quantile = (sorted: readonly number[], q: number) =>
  sorted[Math.min(sorted.length - 1, Math.floor(q * sorted.length))]!;

console.log("strategy         wall p50, p95 beyond the encoder; processor p50, p95; mean wall ms by stage");
for (const strategy of values.only.split(",") as Strategy[]) {
  const times: number[] = [];
  const processor: number[] = [];
  const stages: Record<string, number> = {};
  for (const [i, text] of [...questions.slice(0, 10), ...questions].entries()) {
    const before = process.cpuUsage();
    const { trace } = await retrieve({ text }, { reader, embedder, strategy, nowUs });
    const { user, system } = process.cpuUsage(before);
    if (i < 10) continue;
    processor.push((user + system) / 1_000);
    times.push(trace.totalMs - trace.stages["encode"]!);
    for (const [stage, ms] of Object.entries(trace.stages))
      stages[stage] = (stages[stage] ?? 0) + ms / questions.length;
  }
  times.sort((a, b) => a - b);
  processor.sort((a, b) => a - b);
  const shares = Object.entries(stages).map(([stage, ms]) => `${stage} ${ms.toFixed(2)}`);
  const column = (value: number) => value.toFixed(2).padStart(7);
  console.log(
    `${strategy.padEnd(16)}${column(quantile(times, 0.5))} ${column(quantile(times, 0.95))}  ${column(quantile(processor, 0.5))} ${column(quantile(processor, 0.95))}   ${shares.join(", ")}`,
  );
}

const n = 2_000;
const scores = Float64Array.from({ length: n * 3 }, () => random.range(0, 0.4));
const edges = Int32Array.from({ length: 24_000 }, (_, i) =>
  i % 2 === 0 ? (i >> 1) % n : ((i >> 1) + 1 + random.int(0, 40)) % n,
);
const bottleneckMs = Array.from({ length: 9 }, () => {
  const began = performance.now();
  bottleneck({ scores, cues: 3, edges }, { alpha: 0.23, nullMode: "soft" });
  return performance.now() - began;
}).sort((a, b) => a - b);
console.log(`bottleneck of ${n} things, ${edges.length / 2} edges: median ${bottleneckMs[4]!.toFixed(1)} ms`);
await reader.close();
await engine.close();
await embedder.close();
rmSync(folder, { recursive: true });
