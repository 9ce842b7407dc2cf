import { type MeaningName, standardScores } from "./fusion.ts";
import type { RankBy } from "./request.ts";

/** A record that passed every key but meaning, with the score of each key. */
export interface Candidate {
  readonly id: string;
  readonly validFromUs: number;
  readonly distanceM: number | undefined;
  meaning?: number;
  image?: number;
  words?: number;
}

/**
 * Orders candidates by the port's rules and cuts at the limit. `given` are the meaning keys of the request: under
 * `fused` one of them is enough, under any other rank all must apply.
 */
export function rankCandidates<C extends Candidate>(
  candidates: readonly C[],
  given: readonly MeaningName[],
  rank: RankBy,
  limit: number,
  pool: number,
): { candidate: C; score: number }[] {
  if (rank === "fused") return fuse(candidates, given, limit, pool);
  const eligible =
    given.length === 0 ? candidates : candidates.filter((c) => given.every((key) => c[key] !== undefined));
  const scored = eligible.map((candidate) => ({ candidate, score: scoreOf(candidate, rank) }));
  const direction = rank === "distance" || rank === "earliest" ? 1 : -1;
  scored.sort((a, b) => direction * (a.score - b.score) || byId(a.candidate, b.candidate));
  return scored.slice(0, limit);
}

function fuse<C extends Candidate>(
  candidates: readonly C[],
  given: readonly MeaningName[],
  limit: number,
  pool: number,
) {
  const members = new Set<C>();
  for (const key of given) {
    const eligible = candidates.filter((c) => c[key] !== undefined);
    eligible.sort((a, b) => b[key]! - a[key]! || byId(a, b));
    for (const candidate of eligible.slice(0, pool)) members.add(candidate);
  }
  const ordered = [...members].sort(byId);
  const scores = standardScores(ordered, given);
  const scored = ordered.map((candidate, i) => ({ candidate, score: scores[i]! }));
  scored.sort((a, b) => b.score - a.score || byId(a.candidate, b.candidate));
  return scored.slice(0, limit);
}

function scoreOf(candidate: Candidate, rank: RankBy): number {
  switch (rank) {
    case "meaning":
    case "image":
    case "words":
      return candidate[rank]!;
    case "distance":
      return candidate.distanceM!;
    case "earliest":
    case "latest":
      return candidate.validFromUs;
    default:
      return 0;
  }
}

function byId(a: Candidate, b: Candidate): number {
  return a.id < b.id ? -1 : a.id > b.id ? 1 : 0;
}
