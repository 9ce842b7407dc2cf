import { meanOf } from "../statistics.ts";

/** A record as retrieval showed it: when it was so, and which tracks it mentions (with repeats). */
export interface ShownItem {
  readonly fromUs: number;
  readonly toUs: number | null;
  readonly trackIds: readonly string[];
}

const RECALL_TOLERANCE_US = 5_000_000;
/** A record that spans longer says little about when: only its two ends are taken for times. */
const LONGEST_SPAN_US = 30_000_000;

/**
 * Whether any of the first k records lies within ±5 s of a time that holds the answer (docs/formulas.md#metrics); null where
 * the question has no such time.
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

/** Share of the tracks in question that the first k records mention; null where it is about none. */
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

/** 1 − distinct tracks / mentions; null where nothing is mentioned. */
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
  /** Of what was cited, how much bears on the question; null if nothing was cited. */
  readonly precision: number | null;
  /** Of the tracks in question (or, without tracks, of the evidence times), how much was cited. */
  readonly recall: number | null;
}

/**
 * A citation is good if it is about a track in question or from within ±5 s of a time that holds the answer.
 * Null on both sides where the question names neither tracks nor times: then nothing can be said.
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

/** Whether one of the first k places found is among those that satisfy the question (leaf hit@k). */
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
