/**
 * `node bench/join/large.ts --cache DIR --seeds 44008 [--records 50000] [--minutes 2]`: how long it takes to join the maps of two robots
 * in a memory that holds so many more records of each, and to take a frame in where nothing is to be joined, by processor time.
 */
import { cp, rm } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ingestInto, joinScene, type Memory, openMemory } from "../../src/compose.ts";
import type { RecordInput } from "../../src/schema/index.ts";
import { openRecording } from "../../src/sensors/index.ts";
import { mapsIn } from "../../src/sharing/index.ts";
import { HOUSE_OPTIONS, openHouse, seedsNamed, settingsOf } from "./houses.ts";

const { values } = parseArgs({
  options: { ...HOUSE_OPTIONS, records: { type: "string", default: "50000" } },
});
const [seed] = seedsNamed(values.seeds!);
const house = (await openHouse(seed!, settingsOf(values)))!;
const place = join(house.folder, "large");
await rm(place, { recursive: true, force: true });
await cp(join(house.folder, "memory"), place, { recursive: true });
const memory = await openMemory(place);
try {
  await fill(memory, Number(values.records));
  const { records } = await (await memory.reader()).stats();
  const [cpu, joins] = await processorMs(() => joinScene(memory));
  console.log(JSON.stringify(records));
  console.log(
    `joined: ${joins.map(({ refused, things }) => refused ?? `${things} things one`).join()}; ${Math.round(cpu)} ms of processor`,
  );
} finally {
  await memory.close();
  await rm(place, { recursive: true, force: true });
}
const figures: Record<"with" | "without", number[]> = { with: [], without: [] };
for (let round = 0; round < 3; round++)
  for (const how of ["without", "with"] as const) figures[how].push(await ingestAlone(how === "with"));
const least = (list: readonly number[]) => Math.min(...list);
console.log(
  `one robot taken in without looking for joins ${least(figures.without).toFixed(0)} ms, with ${least(figures.with).toFixed(0)} ms: ${(least(figures.with) / least(figures.without)).toFixed(3)} ×`,
);

/** So many things, looks and notes of each robot, lying in its own map. */
async function fill(memory: Memory, count: number): Promise<void> {
  const reader = await memory.reader();
  const graph = await reader.frames();
  for (const { root, agents } of await mapsIn(reader, "default")) {
    const frame = graph.frames().find((each) => each !== root && graph.topOf(each) === root) ?? root;
    for (let at = 0; at < count; at += 1_000) {
      const records = Array.from({ length: 1_000 }, (_, n) => noteOf(agents[0]!, frame, at + n));
      await memory.write({ records });
    }
  }
}

function noteOf(author: string, submap: string, n: number): RecordInput {
  const common = { author, labels: [], validFromUs: 1_790_000_000_000_000 + n * 1_000_000 };
  const anchor = { submap, p: { x: (n % 97) / 10, y: (n % 89) / 10, z: 0.5 } };
  const id = `${n % 2 ? "caption" : "obs"}-large-${author}-${n}`;
  const validToUs = common.validFromUs + 1;
  return n % 2
    ? {
        ...common,
        kind: "caption",
        id,
        source: "template",
        text: [`note ${n} of ${author}`],
        anchor,
        validToUs,
      }
    : { ...common, kind: "observation", id, sensorId: "camera", anchor, validToUs };
}

async function ingestAlone(join: boolean): Promise<number> {
  await rm(place, { recursive: true, force: true });
  const recording = await openRecording(`${house.folder}/recording`);
  const alone = await openMemory(place);
  try {
    const only = ({ agentId }: { agentId: string }) => agentId === "robot-1";
    return (await processorMs(() => ingestInto(alone, recording, { join, only })))[0];
  } finally {
    await recording.close();
    await alone.close();
    await rm(place, { recursive: true, force: true });
  }
}

async function processorMs<T>(work: () => Promise<T>): Promise<[number, T]> {
  const before = process.cpuUsage();
  const result = await work();
  const { user, system } = process.cpuUsage(before);
  return [(user + system) / 1000, result];
}
