import { cp } from "node:fs/promises";
import { join } from "node:path";
import { assign, distance } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { keepWithin } from "../../memory/retention/index.ts";
import { shrunkJpeg } from "../../perception/index.ts";
import { TRUTH_FILE } from "../../world/recorder/index.ts";
import { ingestAndScore, ingestInto, reading, type SeedContext } from "./pipeline.ts";
import { currentState } from "./places.ts";
import { quantile, shareOf } from "./ratio.ts";
import { askRecallQuestions } from "./recall-questions.ts";
import { everyOther, shuffled } from "./recordings.ts";
import { type RememberedState, readRemembered } from "./remembered.ts";
import type { TrackingScore } from "./score.ts";
import { readTruth } from "./truth.ts";

/** Tracks of two memories are the same within this distance, with the same name. */
const SAME_M = 0.2;
const BUDGET_SHARE = 0.1;

/** The robustness experiments on one recording. */
export interface Experiments {
  readonly seed: string;
  /** Even frames, then the odd ones of the same recording: everything has been seen already. */
  readonly growth: { readonly before: number; readonly after: number; readonly share: number };
  /** The frames in random order against the frames in order: present tracks, one-to-one. */
  readonly order: {
    readonly ordered: number;
    readonly shuffled: number;
    readonly matched: number;
    readonly share: number;
  };
  /** Median position error with drift and loop closures, and of the same house without drift. */
  readonly drift: { readonly withDriftM: number; readonly withoutDriftM: number; readonly ratio: number };
  /** A tenth of the bytes: whether the budget holds, and what can still be answered. */
  readonly budget: {
    readonly bytesBefore: number;
    readonly budgetBytes: number;
    readonly bytesAfter: number;
    readonly isWithin: boolean;
    readonly questions: number;
    readonly answersBefore: number;
    readonly answersAfter: number;
    /** Answers that were right before and are wrong now, of all questions. */
    readonly answersLost: number;
  };
}

export interface FirstRun {
  readonly recording: string;
  readonly memory: string;
  readonly score: TrackingScore;
  readonly recordWithoutDrift: () => Promise<string>;
  /** The same house and tour without any events. */
  readonly recordWithoutEvents: () => Promise<string>;
}

/**
 * Runs all four, each on its own memory. Passes and orders are compared on a tour without events: if things move, the
 * final state depends on the order of observations.
 */
export async function runExperiments(context: SeedContext, run: FirstRun): Promise<Experiments> {
  const still = await run.recordWithoutEvents();
  return {
    seed: run.score.seed,
    growth: await growthBySecondPass(context, still),
    order: await compareShuffled(context, still, run.score.seed),
    drift: await compareDrift(context, run),
    budget: await underBudget(context, run),
  };
}

async function growthBySecondPass(context: SeedContext, recording: string): Promise<Experiments["growth"]> {
  const memory = join(context.folder, "even-odd");
  const tracks = () =>
    reading(context, memory, async ({ reader }) => (await readRemembered(reader)).tracks.size);
  await ingestInto(context, recording, memory, (all) => everyOther(all, "even"));
  const before = await tracks();
  await ingestInto(context, recording, memory, (all) => everyOther(all, "odd"));
  const after = await tracks();
  return { before, after, share: (after - before) / Math.max(1, before) };
}

async function compareShuffled(
  context: SeedContext,
  recording: string,
  seed: string,
): Promise<Experiments["order"]> {
  const [inOrder, other] = [join(context.folder, "in-order"), join(context.folder, "shuffled")];
  await ingestInto(context, recording, inOrder);
  await ingestInto(context, recording, other, (all) => shuffled(all, seed));
  const a = await reading(context, inOrder, ({ reader }) => presentThings(reader));
  const b = await reading(context, other, ({ reader }) => presentThings(reader));
  const matched = matchedPairs(a, b);
  return { ordered: a.length, shuffled: b.length, matched, share: matched / Math.max(1, a.length, b.length) };
}

async function compareDrift(
  context: SeedContext,
  { score, recordWithoutDrift }: FirstRun,
): Promise<Experiments["drift"]> {
  const recording = await recordWithoutDrift();
  const still = await ingestAndScore(context, recording, join(context.folder, "still"));
  const [withDriftM, withoutDriftM] = [score, still].map(({ places }) => quantile(places.errorsM, 0.5)) as [
    number,
    number,
  ];
  return { withDriftM, withoutDriftM, ratio: withDriftM / withoutDriftM };
}

async function underBudget(
  context: SeedContext,
  { recording, memory }: FirstRun,
): Promise<Experiments["budget"]> {
  const truth = await readTruth(join(recording, TRUTH_FILE));
  const small = join(context.folder, "small");
  await cp(memory, small, { recursive: true });
  return reading(context, small, async ({ reader, writer }) => {
    const before = await askRecallQuestions(reader, truth);
    const { bytes } = await reader.stats();
    const budgetBytes = Math.round(bytes * BUDGET_SHARE);
    const policy = { nowUs: truth.endUs, maxBytes: budgetBytes };
    const report = await keepWithin(reader, await writer(), policy, { shrink: shrunkJpeg });
    const after = await askRecallQuestions(reader, truth);
    return {
      bytesBefore: bytes,
      budgetBytes,
      bytesAfter: report.bytesAfter,
      isWithin: report.isWithinBudget,
      questions: before.total,
      answersBefore: shareOf(before),
      answersAfter: shareOf(after),
      answersLost: before.isRight.filter((right, n) => right && !after.isRight[n]).length / before.total,
    };
  });
}

/** The place of every track that is there now; people and movers differ between runs. */
async function presentThings(reader: MemoryReader): Promise<RememberedState[]> {
  const { tracks } = await readRemembered(reader);
  return [...tracks.values()].flatMap((track) => {
    const state = currentState(track);
    const isThere =
      track.record.type === "object" && state?.record.validToUs === null && state.position !== undefined;
    return isThere ? [state] : [];
  });
}

/** As many pairs as there are, each used once. */
export function matchedPairs(a: readonly RememberedState[], b: readonly RememberedState[]): number {
  const costs = new Float64Array(a.length * b.length).fill(Infinity);
  a.forEach((one, i) => {
    b.forEach((other, j) => {
      const apartM = distance(one.position!, other.position!);
      const isSame = one.record.category === other.record.category && apartM <= SAME_M;
      if (isSame) costs[i * b.length + j] = apartM;
    });
  });
  return assign(costs, a.length, b.length).filter((j) => j >= 0).length;
}
