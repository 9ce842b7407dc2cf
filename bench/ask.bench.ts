/**
 * What an answer of the rules costs at 100k records, by kind of question, beyond the encoder: processor time of the
 * whole process, which does not depend on who else uses the machine, and the clock beside it.
 * npx node bench/ask.bench.ts [--rooms N] [--rounds N]
 */
import { cpus } from "node:os";
import { parseArgs } from "node:util";
import { ask } from "../src/reasoning/index.ts";
import { openBuilding } from "./building.ts";

const { values } = parseArgs({
  options: { rooms: { type: "string", default: "600" }, rounds: { type: "string", default: "8" } },
});
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

const building = await openBuilding(Number(values.rooms));
const { reader, embedder, nowUs, records } = building;
console.log(`${records} records, ${cpus()[0]?.model}, ${cpus().length} cores`);
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
await building.close();
