import type { Vec3 } from "../../geometry/index.ts";
import { dot } from "../../geometry/index.ts";
import { COMMON } from "../settings/common.ts";
import { PRESENCE } from "../settings/presence.ts";

/** What one frame said about a place where a thing should be and was not reported. */
export interface AbsenceVote {
  readonly timeUs: number;
  /** Unit vector from the thing to the camera. */
  readonly direction: Vec3;
  readonly says: "absent" | "present";
  /** Whether what was under and behind the thing was seen as well: then nothing about the thing calls for caution. */
  readonly isSure: boolean;
  /** How sure a detector would have reported the thing there, as −ln of the chance to miss it. */
  readonly missedOdds: number;
}

/**
 * The case against a thing's being where it was (docs/formulas.md#presence): frames since it was last seen that saw through its place,
 * weighed against frames that found something there. Every look that does see the thing starts it anew.
 */
export class AbsenceEvidence {
  #votes: AbsenceVote[] = [];

  /** A look at the thing: whatever spoke against it was wrong. */
  clear(): void {
    if (this.#votes.length > 0) this.#votes = [];
  }

  add(vote: AbsenceVote): void {
    this.#votes.push(vote);
    if (this.#votes.length > PRESENCE.maxVotes) this.#votes.shift();
  }

  /** How much speaks for its being gone so far (natural log of odds): what was seen through, and what went unreported. */
  get logOdds(): number {
    let sum = 0;
    this.#votes.forEach((vote, n) => {
      const odds = vote.says === "absent" ? Math.max(COMMON.lookOdds, vote.missedOdds) : vote.missedOdds;
      sum += weightOf(vote, this.#votes.slice(0, n)) * odds;
    });
    return sum;
  }

  /**
   * When the place was first seen empty, once that is sure; else undefined. `caution` multiplies the frames asked
   * for: what is large is rarely moved, and what was seen rarely is not known well.
   */
  confirmedUs(caution: number): number | undefined {
    const absent = this.#votes.filter(({ says }) => says === "absent");
    const isMost = absent.length > (caution > 1 ? 1 - COMMON.partShare : 0.5) * this.#votes.length;
    if (isMost && isEnough(absent, caution)) return earliest(absent);
    const sure = absent.filter(({ isSure }) => isSure);
    if (isMost && isEnough(sure, 1)) return earliest(sure);
    // Depth cannot tell a book from the table it lies on; but a detector that reported it time and again and now
    // does not, from several sides, can.
    const missed = this.#votes.filter(({ missedOdds }) => missedOdds > 0);
    const odds = missed.reduce(
      (sum, vote, n) => sum + weightOf(vote, missed.slice(0, n)) * vote.missedOdds,
      0,
    );
    if (odds < COMMON.againstOdds * caution || !isEnough(missed, caution)) return undefined;
    if (!haveAngle(missed, 2 * COMMON.sideRad) && spanOf(missed) < COMMON.whileUs) return undefined;
    // Which of these looks was the first without it nobody knows; by the last of them it is sure.
    return absent.length > 0 ? earliest(absent) : Math.max(...missed.map(({ timeUs }) => timeUs));
  }
}

/** Frames of one visit from one place err together: what hides a thing, or makes it small, does so in all of them. */
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
