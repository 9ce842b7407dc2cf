import type { Transform } from "../../geometry/index.ts";
import { type ArrivalView, type Cloud, CloudMaker } from "./cloud.ts";
import { type Laid, layOnKnown } from "./fit.ts";
import { CellGrid } from "./grid.ts";
import { judgeArrival, transformOf, type Verdict } from "./judge.ts";
import { HERE, type Level } from "./level.ts";
import { proposalsOf } from "./search.ts";
import { ARRIVAL, BELIEF } from "./settings.ts";

/** The pose of a recording in the known world, or why it cannot be determined. */
export interface Arrival {
  /** Transforms the recording's world to the known one; absent if uncertain. */
  readonly knownFromArriving?: Transform;
  readonly refused?: "nothing-in-common" | "not-sure" | "ambiguous";
  /** The likeliest pose, accepted or not, and its score (settings.ts). */
  readonly best?: Verdict & { readonly score: number };
}

/**
 * Recognises a recording's world in known surfaces. Poses are proposed by the number of points that fall onto
 * surfaces, refined point to plane (Chen and Medioni 1992), and judged by what the recording's own frames confirm
 * there and see through. Both worlds are upright, so there are four parameters. The identity, for worlds that are
 * already equal, is a proposal like any other.
 */
export function recogniseArrival(known: Cloud, views: readonly ArrivalView[]): Arrival {
  const maker = new CloudMaker(ARRIVAL.voxelM);
  for (const view of views) maker.addView(view);
  const arriving = maker.made();
  if (known.count < BELIEF.leastMet || arriving.count < BELIEF.leastMet)
    return { refused: "nothing-in-common" };
  const grid = new CellGrid(known, ARRIVAL.squareM);
  const starts: Level[] = [HERE];
  for (const proposal of proposalsOf(known, grid, arriving)) {
    if (starts.length > ARRIVAL.tried) break;
    if (!starts.some((other) => isSame(other, proposal))) starts.push(proposal);
  }
  const rough = starts.map((start) => layOnKnown(known, grid, arriving, start, ARRIVAL.roughFit));
  const likely = apart(rough.sort((a, b) => b.lying - a.lying)).slice(0, ARRIVAL.fitted);
  const fitted = apart(likely.map((start) => layOnKnown(known, grid, arriving, start)));
  const answers = fitted
    .map((laid) => {
      const verdict = judgeArrival(known, grid, arriving, views, laid);
      return { laid, verdict, score: scoreOf(laid, verdict), rank: rankOf(verdict) };
    })
    .sort((a, b) => b.rank - a.rank);
  const [first, ...others] = answers;
  if (!first) return { refused: "nothing-in-common" };
  const best = { ...first.verdict, score: first.score };
  if (first.verdict.met < BELIEF.leastMet) return { refused: "nothing-in-common", best };
  if (first.score < BELIEF.least) return { refused: "not-sure", best };
  const isRival = ({ rank, score }: (typeof answers)[number]) =>
    rank >= BELIEF.rivalShare * first.rank && score > first.score - BELIEF.ahead;
  if (others.some(isRival)) return { refused: "ambiguous", best };
  return { knownFromArriving: transformOf(first.laid), best };
}

/** Number of points in favour of a pose, weighted: used to compare poses. */
function rankOf({ met, through, explained, alike }: Verdict): number {
  return (met * met * explained * (0.5 + Math.max(0, alike))) / (met + through + 1);
}

function scoreOf({ holds }: Laid, { met, through, alike }: Verdict): number {
  const share = met / (met + through + 1);
  const hold = Math.log(Math.max(1e-3, holds[0]) / BELIEF.holds);
  return (
    BELIEF.shareWeight * (share - BELIEF.share) +
    BELIEF.alikeWeight * (alike - BELIEF.alike) +
    Math.max(-BELIEF.mostHold, Math.min(BELIEF.mostHold, hold))
  );
}

/** Poses that are not neighbours of an earlier one, in order. */
function apart(places: readonly Laid[]): Laid[] {
  const found: Laid[] = [];
  for (const place of places) if (!found.some((other) => isSame(other, place))) found.push(place);
  return found;
}

function isSame(a: Level, b: Level): boolean {
  const turn = a.yawRad - b.yawRad;
  return (
    Math.hypot(a.x - b.x, a.y - b.y, a.z - b.z) < ARRIVAL.sameM &&
    Math.abs(Math.atan2(Math.sin(turn), Math.cos(turn))) < ARRIVAL.sameRad
  );
}
