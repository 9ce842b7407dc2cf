import { mkdir, readFile, rm, stat, writeFile } from "node:fs/promises";
import { join } from "node:path";
import { askMemory } from "../../compose/ask.ts";
import { ingestRecording } from "../../compose/ingest.ts";
import { type Memory, openMemory } from "../../compose/memory.ts";
import type { ModelRoles } from "../../models/index.ts";
import { SYSTEM_NAMES, type SystemName } from "../../reasoning/systems/index.ts";
import { LociError } from "../../schema/core.ts";
import { commitName } from "../evaluate.ts";
import type { HouseSpec, PeopleReport, PeopleSelection } from "./index.ts";

/** Limit of a model's time for one question. */
const QUESTION_MS = 3_600_000;

export interface PeopleRequest extends PeopleSelection {
  /** The folder with houses.json and a file of questions for each. */
  readonly data: string;
  /** Where recordings and memories are kept. */
  readonly keep: string;
  /** The file of rows. */
  readonly out?: string | undefined;
  /** The system to ask; default: the rules, or R⁴ with a model. */
  readonly systems?: readonly string[] | undefined;
  readonly mode?: "ours" | "paper" | undefined;
  readonly models?: ModelRoles | undefined;
  /** Concurrent questions; default 1. */
  readonly parallel?: number | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

/** Asks people's questions about houses of which they saw only the truth, and marks the answers: `eval people`. */
export async function evaluatePeople(
  request: PeopleRequest,
): Promise<{ report: PeopleReport; text: string }> {
  const people = await import("./index.ts");
  const asked = await people.readPeopleData(request.data, request);
  const system = oneSystem(request.systems);
  const rows = [];
  const memoriesBy = new Set<string>();
  for (const one of asked) {
    if (one.questions.length === 0) continue;
    const { memory, madeBy } = await memoryOf(one.house, request.keep, request);
    memoriesBy.add(madeBy);
    request.onProgress?.(`house ${one.house.seed}: ${one.questions.length} questions`);
    try {
      const { signal, mode, models, parallel } = request;
      const call = signal ? { signal } : {};
      // The answer and its system are marked, so a slow model gets enough time, and one that fails is wrong.
      const asked = {
        system,
        models,
        ...(mode && { settings: { mode } }),
        budget: { timeMs: QUESTION_MS },
        onFailure: "throw",
      } as const;
      rows.push(
        ...(await people.askHouse(
          one,
          (question) => askMemory(memory, question, asked, call),
          signal,
          parallel,
        )),
      );
    } finally {
      await memory.close();
    }
  }
  if (rows.length === 0)
    throw new LociError("invalid-input", `nothing is asked of the houses of ${request.data}`);
  if (request.out !== undefined)
    await writeFile(request.out, rows.map((row) => `${JSON.stringify(row)}\n`).join(""));
  const report = people.reportOf(rows, { commit: await commitName(), memoriesBy: [...memoriesBy].sort() });
  return { report, text: people.formatPeopleReport(report) };
}

function oneSystem(systems: readonly string[] | undefined): SystemName | undefined {
  if (systems === undefined) return undefined;
  const [name, ...more] = systems;
  const found = SYSTEM_NAMES.find((one) => one === name);
  if (found !== undefined && more.length === 0) return found;
  throw new LociError(
    "invalid-input",
    `eval people asks one system (${SYSTEM_NAMES.join(", ")}), got "${systems.join(",")}"`,
  );
}

/** What question writers need: recordings, memories, and a truth sheet of each house. */
export async function preparePeopleHouses(
  request: Omit<PeopleRequest, "out" | "kinds">,
): Promise<{ house: number; sheet: string; madeBy: string }[]> {
  const { readHouses, recordingOf, truthSheet } = await import("./index.ts");
  const { imagineHouse } = await import("../../world/recorder/index.ts");
  const sheets = join(request.keep, "sheets");
  await mkdir(sheets, { recursive: true });
  const made = [];
  for (const house of await readHouses(request.data)) {
    if (request.houses?.includes(house.seed) === false) continue;
    const sheet = join(sheets, `${house.seed}.md`);
    await writeFile(sheet, truthSheet(imagineHouse(recordingOf(house, sheet)).world, house.family));
    const { memory, madeBy } = await memoryOf(house, request.keep, request);
    await memory.close();
    made.push({ house: house.seed, sheet, madeBy });
  }
  return made;
}

/** Lists the questions, or checks a file of them; neither opens a memory. */
export async function listPeopleQuestions({ data, ...selection }: PeopleSelection & { data: string }) {
  const asked = await (await import("./index.ts")).readPeopleData(data, selection);
  return asked.flatMap(({ house, questions }) =>
    questions.map(({ id, kind, question }) => ({ house: house.seed, id, kind, question })),
  );
}

export async function checkPeopleQuestions(path: string) {
  return (await import("./index.ts")).checkQuestionFile(path);
}

/** Marks a complete memory, with the commit that made it. */
const DONE_FILE = "made-by";

/**
 * The memory of a house: recorded and ingested once, then reused from `keep`. The recording depends on the simulator
 * alone; `madeBy` is the commit that ingested it, because a memory does not change with later code.
 */
async function memoryOf(
  house: HouseSpec,
  keep: string,
  hooks: { signal?: AbortSignal | undefined; onProgress?: ((line: string) => void) | undefined } = {},
): Promise<{ memory: Memory; madeBy: string }> {
  const { keyOf, recordingOf } = await import("./index.ts");
  const { recordHouse } = await import("../../world/recorder/index.ts");
  await mkdir(keep, { recursive: true });
  const recording = join(keep, `recording_${keyOf(house)}`);
  const path = join(keep, `memory_${keyOf(house)}`);
  const known = await readFile(join(path, DONE_FILE), "utf8").catch(() => undefined);
  if (known !== undefined) return { memory: await openMemory(path), madeBy: known.trim() };
  const { signal } = hooks;
  const isRecorded = await stat(recording).then(
    () => true,
    () => false,
  );
  if (!isRecorded) {
    hooks.onProgress?.(`${house.family} ${house.seed}: recording`);
    await recordHouse(recordingOf(house, recording), { signal });
  }
  hooks.onProgress?.(`${house.family} ${house.seed}: taking it in`);
  await rm(path, { recursive: true, force: true });
  const memory = await openMemory(path);
  await ingestRecording(memory, recording, {}, signal ? { signal } : {});
  const madeBy = await commitName();
  await writeFile(join(path, DONE_FILE), madeBy);
  return { memory, madeBy };
}
