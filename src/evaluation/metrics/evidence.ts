import { meanOf } from "../statistics.ts";

/** A record as retrieval showed it: its time, and the tracks it mentions (with repeats). */
export interface ShownItem {
  readonly fromUs: number;
  readonly toUs: number | null;
  readonly trackIds: readonly string[];
}

const RECALL_TOLERANCE_US = 5_000_000;
/** A longer record is no evidence for a time within it: only its two ends count. */
const LONGEST_SPAN_US = 30_000_000;

/**
 * Whether any of the first k records lies within ±5 s of an evidence time (docs/formulas.md#metrics); null if the
 * question has none.
 */
export function recallAtK(
  shown: readonly ShownItem[],
  evidenceTimesUs: readonly number[],
  k: number,
  toleranceUs = RECALL_TOLERANCE_US,
): boolean | null {
  if (evidenceTimesUs.length === 0) return null;
  return shown
    .slice(0, k)
    .some((item) => evidenceTimesUs.some((timeUs) => isNear(item, timeUs, toleranceUs)));
}

/** Share of the question's tracks that the first k records mention; null if it has none. */
export function trackRecallAtK(
  shown: readonly Pick<ShownItem, "trackIds">[],
  wanted: readonly string[],
  k: number,
): number | null {
  const tracks = new Set(wanted);
  if (tracks.size === 0) return null;
  const mentioned = new Set(shown.slice(0, k).flatMap(({ trackIds }) => trackIds));
  return [...tracks].filter((id) => mentioned.has(id)).length / tracks.size;
}

/** 1 − distinct tracks / mentions; null without mentions. */
export function redundancy(shown: readonly Pick<ShownItem, "trackIds">[]): number | null {
  const mentions = shown.flatMap(({ trackIds }) => trackIds);
  return mentions.length === 0 ? null : 1 - new Set(mentions).size / mentions.length;
}

/** What an answer cites, and what would have supported it. */
export interface Citation {
  readonly atUs: number;
  readonly trackIds: readonly string[];
}

export interface CitationScores {
  /** Share of the citations that bear on the question; null without citations. */
  readonly precision: number | null;
  /** Share of the question's tracks (or, without tracks, of the evidence times) that was cited. */
  readonly recall: number | null;
}

/**
 * A citation is good if it is about one of the question's tracks or within ±5 s of an evidence time. Null on both
 * sides if the question names neither tracks nor times.
 */
export function citationScores(
  cited: readonly Citation[],
  gold: { readonly trackIds: readonly string[]; readonly timesUs: readonly number[] },
  toleranceUs = RECALL_TOLERANCE_US,
): CitationScores {
  const tracks = new Set(gold.trackIds);
  if (tracks.size === 0 && gold.timesUs.length === 0) return { precision: null, recall: null };
  const timely = ({ atUs }: Citation) =>
    gold.timesUs.some((timeUs) => Math.abs(atUs - timeUs) <= toleranceUs);
  const good = cited.filter((item) => item.trackIds.some((id) => tracks.has(id)) || timely(item));
  const named = new Set(cited.flatMap(({ trackIds }) => trackIds));
  const reached = (timeUs: number) => cited.some(({ atUs }) => Math.abs(atUs - timeUs) <= toleranceUs);
  const recall =
    tracks.size > 0
      ? meanOf([...tracks].map((id) => Number(named.has(id))))
      : meanOf(gold.timesUs.map((timeUs) => Number(reached(timeUs))));
  return { precision: cited.length === 0 ? null : good.length / cited.length, recall };
}

/** Whether one of the first k places found satisfies the question (leaf hit@k). */
export function hitAtK(found: readonly string[], satisfying: readonly string[], k: number): boolean {
  const wanted = new Set(satisfying);
  return found.slice(0, k).some((id) => wanted.has(id));
}

/** Share of a rubric's facts that the matcher finds in a text; null without facts. */
export function rubricCoverage(
  facts: readonly string[],
  text: string,
  holds: (text: string, fact: string) => boolean,
): number | null {
  return facts.length === 0 ? null : meanOf(facts.map((fact) => Number(holds(text, fact))));
}

function isNear({ fromUs, toUs }: ShownItem, timeUs: number, toleranceUs: number): boolean {
  if (toUs === null) return Math.abs(fromUs - timeUs) <= toleranceUs;
  if (toUs - fromUs <= LONGEST_SPAN_US) return timeUs >= fromUs - toleranceUs && timeUs <= toUs + toleranceUs;
  return Math.abs(fromUs - timeUs) <= toleranceUs || Math.abs(toUs - timeUs) <= toleranceUs;
}
