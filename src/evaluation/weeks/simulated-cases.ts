import { existsSync } from "node:fs";
import { mkdir, mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type MemoryReader, SqliteEngine } from "../../memory/index.ts";
import { ELSEWHERE, habitsOf } from "../../reasoning/habits/index.ts";
import {
  factsOf,
  type ImaginedWeeks,
  imagineWeeks,
  looksAt,
  roomIdOf,
  type Subject,
  subjectsOf,
  trackIdOf,
  valueAt,
  type WeekFacts,
} from "../../world/weeks/index.ts";
import { ASK_DAYS, type Ask, type Cases, type ForecastCase, LEARN_DAYS } from "./forecast-case.ts";

const DAY_US = 86_400_000_000;
const HALF_HOUR_US = 1_800_000_000;
/** Waking hours; at night there are no questions and no observations. */
const [FIRST_HALF, LAST_HALF] = [14, 46];

export interface SimulatedCasesOptions {
  /** Where the weeks' training data is kept for the next run. */
  readonly keep?: string | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((line: string) => void) | undefined;
}

/**
 * A simulated week: habits are learnt from the memory of the robot's rounds on the first five days; the truth of the
 * last two is asked, every half hour from seven to eleven.
 */
async function simulatedCases(seed: number | string, options: SimulatedCasesOptions = {}): Promise<Cases> {
  const weeks = imagineWeeks({
    seed,
    days: LEARN_DAYS + ASK_DAYS,
    signal: options.signal,
    onRound: (done, all) => options.onProgress?.(`seed ${seed}: round ${done + 1} of ${all}`),
  });
  const { timeline, household, rounds } = weeks;
  const nowUs = timeline.startUs + LEARN_DAYS * DAY_US;
  const subjects = subjectsOf(timeline, household);
  const learnt = factsOf(
    timeline,
    rounds.filter(({ toUs }) => toUs < nowUs),
  );
  const whole = factsOf(timeline, rounds);
  const cases: ForecastCase[] = [];
  let unseen = 0;
  await withMemory(learnt, async (reader) => {
    for (const subject of subjects) {
      const { id, group, fluent } = subject;
      const by = fluent === undefined ? (group === "person" ? "room" : "place") : { attribute: fluent };
      const { input } = await habitsOf(reader, [trackIdOf({ id })], { nowUs, by });
      if (input.stays.length === 0) unseen++;
      else
        cases.push({
          household: `house-${seed}`,
          name: fluent === undefined ? id : `${id} ${fluent}`,
          group,
          input,
          asks: asksOf(weeks, subject, nowUs, whole),
        });
    }
  });
  return { cases, unseen };
}

/** The cases of a week, from an earlier run if they were kept. */
export async function keptCases(seed: number | string, options: SimulatedCasesOptions): Promise<Cases> {
  if (options.keep === undefined) return simulatedCases(seed, options);
  const file = join(options.keep, `cases-${seed}.json`);
  if (existsSync(file)) return JSON.parse(await readFile(file, "utf8")) as Cases;
  const made = await simulatedCases(seed, options);
  await mkdir(options.keep, { recursive: true });
  await writeFile(file, JSON.stringify(made));
  return made;
}

/** The name that the memory uses. */
function keyOf({ group, fluent }: Subject, value: string | undefined): string {
  if (value === undefined) return ELSEWHERE;
  if (fluent !== undefined) return value;
  return group === "person" ? roomIdOf(value) : trackIdOf({ id: value });
}

function asksOf({ timeline }: ImaginedWeeks, subject: Subject, fromUs: number, facts: WeekFacts): Ask[] {
  const looks = looksAt(facts, timeline, subject);
  return Array.from({ length: ASK_DAYS }, (_, day) =>
    Array.from({ length: LAST_HALF - FIRST_HALF }, (_, n): Ask => {
      const timeUs = fromUs + day * DAY_US + (FIRST_HALF + n) * HALF_HOUR_US;
      const last = looks.findLast((look) => look.timeUs <= timeUs);
      return {
        timeUs,
        truth: keyOf(subject, valueAt(timeline, subject, timeUs)),
        ...(last && { last: { placeKey: keyOf(subject, last.value), seenUs: last.timeUs } }),
      };
    }),
  ).flat();
}

async function withMemory(
  { records, sightings }: WeekFacts,
  use: (reader: MemoryReader) => Promise<void>,
): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "loci-weeks-"));
  const engine = await SqliteEngine.open({ folder });
  try {
    const writer = await engine.writer();
    await writer.write({ records });
    await writer.write({ sightings });
    const reader = await engine.reader();
    await use(reader);
    await reader.close();
  } finally {
    await engine.close();
    await rm(folder, { recursive: true, force: true });
  }
}
