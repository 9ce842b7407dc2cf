import type { Vec3 } from "../../geometry/index.ts";
import { dot } from "../../geometry/index.ts";
import { COMMON } from "../settings/common.ts";
import { PRESENCE } from "../settings/presence.ts";

/** The result of one frame for a place where an expected thing was not reported. */
export interface AbsenceVote {
  readonly timeUs: number;
  /** Unit vector from the thing to the camera. */
  readonly direction: Vec3;
  readonly says: "absent" | "present";
  /** Whether its support and background were seen as well: then no caution is needed. */
  readonly isSure: boolean;
  /** The strength of a miss: −ln of the chance that a detector misses the thing there. */
  readonly missedOdds: number;
}

/**
 * The evidence that a thing has left its place (docs/formulas.md#presence): frames since the last sighting that saw
 * through its place, weighed against frames that found something there. Every sighting of the thing resets it.
 */
export class AbsenceEvidence {
  #votes: AbsenceVote[] = [];

  /** A sighting of the thing: earlier evidence against it was wrong. */
  clear(): void {
    if (this.#votes.length > 0) this.#votes = [];
  }

  add(vote: AbsenceVote): void {
    this.#votes.push(vote);
    if (this.#votes.length > PRESENCE.maxVotes) this.#votes.shift();
  }

  /** The evidence so far that it is gone (natural log of odds): seen through, and unreported. */
  get logOdds(): number {
    let sum = 0;
    this.#votes.forEach((vote, n) => {
      const odds = vote.says === "absent" ? Math.max(COMMON.lookOdds, vote.missedOdds) : vote.missedOdds;
      sum += weightOf(vote, this.#votes.slice(0, n)) * odds;
    });
    return sum;
  }

  /**
   * The time at which the place was first seen empty, once that is sure; otherwise undefined. `caution` multiplies the
   * frames required: large things are rarely moved, and rarely seen things are not known well.
   */
  confirmedUs(caution: number): number | undefined {
    const absent = this.#votes.filter(({ says }) => says === "absent");
    const isMost = absent.length > (caution > 1 ? 1 - COMMON.partShare : 0.5) * this.#votes.length;
    if (isMost && isEnough(absent, caution)) return earliest(absent);
    const sure = absent.filter(({ isSure }) => isSure);
    if (isMost && isEnough(sure, 1)) return earliest(sure);
    // Depth cannot separate a book from its table; a detector that reported it many times and now does not, from
    // several sides, can.
    const missed = this.#votes.filter(({ missedOdds }) => missedOdds > 0);
    const odds = missed.reduce(
      (sum, vote, n) => sum + weightOf(vote, missed.slice(0, n)) * vote.missedOdds,
      0,
    );
    if (odds < COMMON.againstOdds * caution || !isEnough(missed, caution)) return undefined;
    if (!haveAngle(missed, 2 * COMMON.sideRad) && spanOf(missed) < COMMON.whileUs) return undefined;
    // The first of these frames without the thing is unknown; at the last of them the absence is sure.
    return absent.length > 0 ? earliest(absent) : Math.max(...missed.map(({ timeUs }) => timeUs));
  }
}

/** Frames of one visit from one place have common errors: an occlusion or a small size affects all of them. */
function weightOf({ direction, timeUs }: AbsenceVote, before: readonly AbsenceVote[]): number {
  const isAgain = (other: AbsenceVote) =>
    Math.abs(timeUs - other.timeUs) < COMMON.visitUs &&
    dot(other.direction, direction) > Math.cos(COMMON.sideRad / 2);
  return before.some(isAgain) ? 0.5 : 1;
}

function earliest(votes: readonly AbsenceVote[]): number {
  return Math.min(...votes.map(({ timeUs }) => timeUs));
}

function isEnough(votes: readonly AbsenceVote[], caution: number): boolean {
  if (votes.length < COMMON.fewLooks * caution) return false;
  if (spanOf(votes) < COMMON.instantUs) return false;
  if (votes.length >= PRESENCE.framesFromOnePlace * caution || haveAngle(votes, COMMON.sideRad)) return true;
  return spanOf(votes) >= COMMON.visitUs;
}

function spanOf(votes: readonly AbsenceVote[]): number {
  return Math.max(...votes.map(({ timeUs }) => timeUs)) - earliest(votes);
}

function haveAngle(votes: readonly AbsenceVote[], angleRad: number): boolean {
  const cosine = Math.cos(angleRad);
  return votes.some((a) => votes.some((b) => dot(a.direction, b.direction) < cosine));
}
