/**
 * `node bench/join/people.ts --cache DIR --data bench/people/read --houses 20101,20105 [--fps 1 --size 80x60] [--again]`: what people wrote
 * about a house, asked of the robot that they wrote about alone, and of it together with a second one whose map lies elsewhere. The first goes the
 * same way in both. What was taken in is kept; `--again` joins and asks anew.
 */
import { existsSync } from "node:fs";
import { cp, readFile, rename, rm, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { askMemory, ingestInto, joinScene, openMemory } from "../../src/compose.ts";
import {
  askHouse,
  keyOf,
  type PeopleRow,
  readPeopleData,
  recordingOf,
} from "../../src/evaluation/people/index.ts";
import { openRecording } from "../../src/sensors/index.ts";
import { recordHouse, TRUTH_FILE } from "../../src/world/recorder/index.ts";
import { seedsNamed } from "./houses.ts";

const { values } = parseArgs({
  options: {
    cache: { type: "string" },
    data: { type: "string", default: "bench/people/read" },
    houses: { type: "string" },
    /** Fewer and smaller pictures of the same ways, where time is short. */
    fps: { type: "string" },
    size: { type: "string", default: "160x120" },
    again: { type: "boolean", default: false },
  },
});
/** Whom people ask: the one whose way their truth sheet told. */
const ASKED = "robot-1";
const WHO = ["alone", "together"] as const;
type Who = (typeof WHO)[number];
type AskedHouse = Awaited<ReturnType<typeof readPeopleData>>[number];

const rows: Record<Who, PeopleRow[]> = { alone: [], together: [] };
const houses = await readPeopleData(values.data, { houses: seedsNamed(values.houses!) });
for (const { house, questions } of houses) {
  const asked = { questions, house: { ...house, ...(values.fps && { fps: Number(values.fps) }) } };
  const { seed } = house;
  const own = { alone: await rowsOf(asked, "alone"), together: await rowsOf(asked, "together") };
  for (const who of WHO) rows[who].push(...own[who]);
  console.log(`${seed}: alone ${told(own.alone)}; together ${told(own.together)}`);
}
for (const who of WHO) console.log(`${who}: ${told(rows[who])}`);
for (const [n, alone] of rows.alone.entries()) {
  const together = rows.together[n]!;
  if (isRight(alone) !== isRight(together))
    console.log(
      `${isRight(together) ? "better" : "worse"} ${alone.id} ${alone.kind} "${alone.question}": "${alone.text}"; together "${together.text}"${together.why ? ` (${together.why})` : ""}`,
    );
}

function isRight({ verdict }: PeopleRow): boolean {
  return verdict === "right" || verdict === "rightly-refused";
}

function told(own: readonly PeopleRow[]): string {
  const count = (verdict: string) => own.filter((row) => row.verdict === verdict).length;
  const right = own.filter(isRight).length;
  return `${right} of ${own.length} right, ${count("wrongly-refused")} wrongly refused, ${count("wrong")} wrong`;
}

/** The answers of one memory, kept beside its house. */
async function rowsOf(asked: AskedHouse, who: Who): Promise<PeopleRow[]> {
  const folder = join(values.cache!, `${keyOf(asked.house)}_${values.size}_2robots`);
  const kept = join(folder, `people-${who}.json`);
  if (values.again) await rm(kept, { force: true });
  if (!existsSync(kept)) {
    await recorded(asked, join(folder, "recording"));
    const taken = join(folder, `taken-${who}`);
    if (!existsSync(taken)) await takenIn(join(folder, "recording"), who, taken);
    await writeFile(`${kept}.partial`, JSON.stringify(await answersOf(asked, taken, join(folder, "asked"))));
    await rename(`${kept}.partial`, kept);
  }
  return JSON.parse(await readFile(kept, "utf8")) as PeopleRow[];
}

async function recorded({ house }: AskedHouse, out: string): Promise<void> {
  if (existsSync(join(out, TRUTH_FILE))) return;
  await rm(out, { recursive: true, force: true });
  await recordHouse({ ...recordingOf(house, out), agents: 2, size: values.size });
}

async function takenIn(folder: string, who: Who, place: string): Promise<void> {
  const partial = `${place}.partial`;
  await rm(partial, { recursive: true, force: true });
  const recording = await openRecording(folder);
  const memory = await openMemory(partial);
  try {
    const only = ({ agentId }: { agentId: string }) => who === "together" || agentId === ASKED;
    await ingestInto(memory, recording, { only, join: false });
  } finally {
    await recording.close();
    await memory.close();
  }
  await rename(partial, place);
}

async function answersOf(asked: AskedHouse, taken: string, place: string): Promise<PeopleRow[]> {
  await rm(place, { recursive: true, force: true });
  await cp(taken, place, { recursive: true });
  const memory = await openMemory(place);
  try {
    for (const { refused, things } of await joinScene(memory))
      console.log(`  ${asked.house.seed}: ${refused ?? `joined, ${things} things one`}`);
    return await askHouse(asked, (question) => askMemory(memory, question, { agentId: ASKED }));
  } finally {
    await memory.close();
    await rm(place, { recursive: true, force: true });
  }
}
