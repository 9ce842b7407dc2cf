/** A caption as the cover sees it: the clusters it speaks of, and how well it fits the question, in [0, 1]. */
export interface CoverCandidate {
  readonly clusters: readonly number[];
  readonly fit: number;
  readonly timeUs: number;
}

export interface CoverOptions {
  /** How many captions at most. */
  readonly k: number;
  /** Stop when the next one adds less than this share of what the first one did. */
  readonly leastGain?: number;
  /** Further captions for each of the best clusters, apart in time and newest first: for "when" and "last". */
  readonly extraPerCluster?: number;
  readonly extraApartUs?: number;
  /**
   * Which of captions with nearly the same gain to take: a question without a time is about now, so of many visits the
   * last one is best. Default: the best itself.
   */
  readonly prefer?: "newest" | "oldest";
}

/** Nearly as much: within a tenth. */
const NEARLY = 0.9;

export interface CoverChoice {
  readonly index: number;
  /** The clusters that this one was taken for; empty for one added for its time. */
  readonly covers: readonly number[];
}

const APART_US = 90e6;

/**
 * Greedy set cover (docs/formulas.md#cover): each time the caption with the greatest weight of clusters not yet
 * covered, times (½ + ½·fit). Few, rich captions instead of many similar ones (docs/formulas.md#cover). Ties go to the
 * earlier index.
 */
export function greedyCover(
  candidates: readonly CoverCandidate[],
  weights: readonly number[],
  options: CoverOptions,
): CoverChoice[] {
  let least = 0;
  const covered = new Set<number>();
  const chosen: CoverChoice[] = [];
  const taken = new Set<number>();
  while (chosen.length < options.k) {
    const gains = candidates.map((candidate, i) => {
      if (taken.has(i)) return 0;
      let gain = 0;
      for (const c of new Set(candidate.clusters)) if (!covered.has(c)) gain += weights[c]!;
      return gain * (0.5 + 0.5 * candidate.fit);
    });
    const bestGain = Math.max(0, ...gains);
    const best = bestGain === 0 ? -1 : chosenOf(gains, bestGain, candidates, options.prefer);
    if (best < 0 || bestGain < least) break;
    // A share of the first gain, not of the whole weight: among many equal clusters each is a small share of the whole.
    if (chosen.length === 0) least = (options.leastGain ?? 0.05) * bestGain;
    const covers = [...new Set(candidates[best]!.clusters)].filter((c) => !covered.has(c));
    for (const c of covers) covered.add(c);
    taken.add(best);
    chosen.push({ index: best, covers });
  }
  return [...chosen, ...extras(candidates, weights, chosen, options)];
}

function chosenOf(
  gains: readonly number[],
  bestGain: number,
  candidates: readonly CoverCandidate[],
  prefer: CoverOptions["prefer"],
): number {
  if (prefer === undefined) return gains.indexOf(bestGain);
  const sign = prefer === "newest" ? -1 : 1;
  const good = [...gains.keys()].filter((i) => gains[i]! >= NEARLY * bestGain);
  return good.sort((a, b) => sign * (candidates[a]!.timeUs - candidates[b]!.timeUs) || a - b)[0]!;
}

/** Other times of the same clusters, so that "the last time" is not hidden behind the best picture (docs/formulas.md#cover). */
function extras(
  candidates: readonly CoverCandidate[],
  weights: readonly number[],
  chosen: readonly CoverChoice[],
  options: CoverOptions,
): CoverChoice[] {
  const most = options.extraPerCluster ?? 0;
  const apart = options.extraApartUs ?? APART_US;
  if (most === 0) return [];
  const taken = new Set(chosen.map(({ index }) => index));
  const room = Math.max(0, options.k - chosen.length);
  const added: CoverChoice[] = [];
  const speakingOf = new Map<number, number[]>();
  candidates.forEach(({ clusters }, i) => {
    for (const c of new Set(clusters)) speakingOf.set(c, [...(speakingOf.get(c) ?? []), i]);
  });
  const clusters = [...speakingOf.keys()].sort((a, b) => weights[b]! - weights[a]! || a - b);
  for (const cluster of clusters) {
    if (added.length >= room) break;
    const speaking = speakingOf.get(cluster)!;
    const times = speaking.filter((i) => taken.has(i)).map((i) => candidates[i]!.timeUs);
    if (times.length === 0) continue;
    const newest = speaking
      .filter((i) => !taken.has(i))
      .sort((a, b) => candidates[b]!.timeUs - candidates[a]!.timeUs || a - b);
    let here = 0;
    for (const i of newest) {
      if (here >= most || added.length >= room) break;
      const { timeUs } = candidates[i]!;
      if (times.some((t) => Math.abs(t - timeUs) < apart)) continue;
      times.push(timeUs);
      taken.add(i);
      added.push({ index: i, covers: [] });
      here++;
    }
  }
  return added;
}
