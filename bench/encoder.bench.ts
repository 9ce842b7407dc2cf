import { LociEncoder } from "../src/models/loci-encoder/encoder.ts";

// The bundled text encoder alone, one thread: node bench/encoder.bench.ts [--lines N]. Prints the first load of the process, the
// best of ten later loads, and the time a line of twelve words in the best of five passes over N lines, after one warming pass.

const at = process.argv.indexOf("--lines");
const LINES = at < 0 ? 20_000 : Number(process.argv[at + 1]);

/** Wall and processor time: on a busy machine only the second says what the code costs. */
const milliseconds = (work: () => unknown): { wall: number; cpu: number } => {
  const [began, before] = [performance.now(), process.cpuUsage()];
  work();
  const used = process.cpuUsage(before);
  return { wall: performance.now() - began, cpu: (used.user + used.system) / 1000 };
};
const best = (n: number, work: () => unknown): { wall: number; cpu: number } => {
  const runs = Array.from({ length: n }, () => milliseconds(work));
  return { wall: Math.min(...runs.map((r) => r.wall)), cpu: Math.min(...runs.map((r) => r.cpu)) };
};

const first = milliseconds(() => LociEncoder.open());
const later = best(10, () => LociEncoder.open());

const things = ["mug", "plate", "lamp", "notebook", "screwdriver", "umbrella", "basket", "kettle"];
const colours = ["red", "blue", "green", "white", "black", "yellow", "brown"];
const places = ["sofa", "shelf", "window", "fridge", "printer"];
const rooms = ["kitchen", "hallway", "office", "bedroom", "garage", "workshop"];
const pick = (from: readonly string[], n: number): string => from[n % from.length]!;
const lines = Array.from(
  { length: LINES },
  (_, n) =>
    `there is a ${pick(colours, n)} ${pick(things, n)} standing near the ${pick(places, n)} in the ${pick(rooms, n)}`,
);

const encoder = LociEncoder.open();
const pass = (): void => {
  for (const line of lines) encoder.encode(line);
};
pass();
const all = best(5, pass);

const say = (what: string, time: { wall: number; cpu: number }, scale: number, unit: string): void =>
  console.log(
    `${what}: ${(time.wall * scale).toFixed(1)} ${unit} wall, ${(time.cpu * scale).toFixed(1)} ${unit} CPU`,
  );
console.log(`${encoder.id} on ${process.arch}, Node ${process.versions.node}`);
say("first load", first, 1, "ms");
say("later loads, best of 10", later, 1, "ms");
say("a line of 12 words, best pass of 5", all, 1000 / lines.length, "µs");
