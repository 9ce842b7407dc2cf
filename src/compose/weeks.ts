import { writeFile } from "node:fs/promises";
import { join } from "node:path";
import { LociError } from "../schema/core.ts";
import { openMemory } from "./memory.ts";

export interface SimulateWeeksRequest {
  readonly seed: number | string;
  readonly days: number;
  readonly out: string;
  /** Number of questions written beside the memory, and their wording. */
  readonly count?: number | undefined;
  readonly wording?: "dev" | "test" | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

export interface SimulateWeeksSummary {
  readonly out: string;
  readonly days: number;
  readonly rounds: number;
  readonly things: number;
  readonly stays: number;
  readonly looks: number;
  readonly questions: number;
}

const DAY_US = 86_400_000_000;
const DEFAULT_COUNT = 100;
const MAX_DAYS = 59;

/**
 * `simulate weeks`: several days of a household, as a robot sees them on a few rounds a day, without images. Writes a
 * memory (`OUT/memory`), the truth (`truth.json`) and questions (`questions.jsonl`). The folder appears once
 * complete.
 */
export async function simulateWeeks(request: SimulateWeeksRequest): Promise<SimulateWeeksSummary> {
  const { seed, days, out, count = DEFAULT_COUNT, wording = "test", signal } = request;
  if (!Number.isInteger(days) || days < 1 || days > MAX_DAYS)
    throw new LociError("invalid-input", `simulate weeks: expected 1 to ${MAX_DAYS} days, got ${days}`);
  const { imagineWeeks, factsOf, makeWeekQuestions } = await import("../world/weeks/index.ts");
  const { StagedFolder } = await import("../sensors/index.ts");
  const staged = await StagedFolder.create(out);
  try {
    const onRound = (done: number, all: number) => request.onProgress?.(`round ${done + 1} of ${all}`);
    const weeks = imagineWeeks({ seed, days: days + 1, signal, onRound });
    const { timeline } = weeks;
    const rounds = weeks.rounds.filter(({ toUs }) => toUs < timeline.startUs + days * DAY_US);
    const facts = factsOf(timeline, rounds);
    const memory = await openMemory(join(staged.path, "memory"));
    try {
      await memory.write({ records: facts.records });
      await memory.write({ sightings: facts.sightings });
    } finally {
      await memory.close();
    }
    const questions = makeWeekQuestions(weeks, { days, count, seed, wording });
    const { house, startUs, events } = timeline;
    const histories = Object.fromEntries(house.things.map(({ id }) => [id, timeline.historyOf(id)]));
    const truth = { version: 1, seed, days, startUs, house, histories, events };
    await writeFile(join(staged.path, "truth.json"), JSON.stringify(truth));
    const lines = questions.map((question) => `${JSON.stringify(question)}\n`);
    await writeFile(join(staged.path, "questions.jsonl"), lines.join(""));
    await staged.commit();
    const kinds = Object.groupBy(facts.records, ({ kind }) => kind);
    return {
      out,
      days,
      rounds: rounds.length,
      things: kinds.track?.length ?? 0,
      stays: kinds.state?.length ?? 0,
      looks: facts.sightings.length,
      questions: questions.length,
    };
  } catch (error) {
    await staged.discard();
    throw error;
  }
}
