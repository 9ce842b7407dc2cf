import {
  assign,
  centreOf,
  diagonalOf,
  distance,
  extentOf,
  inflate,
  intersectionVolume,
  iou,
  volumeOf,
} from "../../geometry/index.ts";
import type { LiftedDetection } from "../../schema/core.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON, NEARLY_ALL } from "../settings/common.ts";
import type { Mode } from "../settings/mode.ts";
import type { Adjudicator, Proposal } from "../state/adjudicator.ts";
import { isFluent } from "../state/fluents.ts";
import type { Candidate } from "../state/frame.ts";
import type { Readings } from "../state/readings.ts";
import { directionOf, type PlacedSolid, thickened } from "../state/shape.ts";
import type { SpatialHash } from "../state/spatial-hash.ts";
import type { Thing } from "../state/thing.ts";
import type { Background } from "../state/words.ts";

export interface Pair {
  readonly row: number;
  readonly thing: Thing;
  readonly score: number;
  readonly meaning: number;
  readonly place: number;
  readonly looks: number | undefined;
  readonly kindAgreement: number;
  readonly overlap: number;
}

export interface AssociationContext {
  readonly things: SpatialHash<Thing>;
  readonly mode: Mode;
  readonly background: Background;
  readonly adjudicator: Adjudicator;
  readonly readings: Readings;
  /** Whether the frame has been aligned with the known things: then places are compared strictly. */
  readonly isAligned: boolean;
  readonly mayMatch: (thing: Thing) => boolean;
}

/**
 * Eq. 5 with docs/formulas.md#same-thing: assigns detections to things, one to one. Undefined where a detection is of
 * no known thing.
 */
export async function associate(
  candidates: readonly Candidate[],
  context: AssociationContext,
): Promise<{ readonly matched: (Thing | undefined)[]; readonly adjudicated: number }> {
  const pairs = candidates.flatMap((candidate, row) => proposals(candidate, row, context));
  const matched: (Thing | undefined)[] = candidates.map(() => undefined);
  const chosen = components(pairs).flatMap((component) => solve(component, ASSOCIATE.rejectScore));
  const doubtful: Pair[] = [];
  const { acceptScore, rejectScore } = ASSOCIATE;
  const isPaper = context.mode === "paper";
  for (const pair of chosen) {
    if (pair.score <= rejectScore && !isPaper) continue;
    const sure = pair.score >= acceptScore && pair.kindAgreement > 0 && !isPaper;
    if (sure) matched[pair.row] = pair.thing;
    else doubtful.push(pair);
  }
  if (doubtful.length > 0) {
    const answers = await context.adjudicator.decide(
      doubtful.map((pair) => proposalOf(pair, candidates[pair.row]!.detection)),
    );
    doubtful.forEach((pair, i) => {
      if (answers[i]) matched[pair.row] = pair.thing;
    });
  }
  return { matched, adjudicated: doubtful.length };
}

/** Every thing that eq. 5 admits for one detection, with its score. */
export function proposals(candidate: Candidate, row: number, context: AssociationContext): Pair[] {
  const { things, background } = context;
  const isPaper = context.mode === "paper";
  const { solid, detection } = candidate;
  const found: Pair[] = [];
  const reachM = isPaper
    ? ASSOCIATE.paperRadiusM
    : Math.min(COMMON.nearM, ASSOCIATE.paperRadiusM + 2 * solid.sdM);
  for (const thing of things.near(inflate(solid.box, reachM))) {
    if (!context.mayMatch(thing)) continue;
    const kindAgreement = thing.words.kindAgreement(detection, background);
    const overlap = iou(thickened(solid.box), thickened(thing.worldBox));
    if (kindAgreement === 0 && overlap < COMMON.bodyShare) continue;
    // A misnamed thing is as large as before; a thing lying on it or in it is not.
    if (kindAgreement < NEARLY_ALL && overlap < COMMON.slightShare && !isPaper) continue;
    if (!isPaper && isBehindWall(candidate, thing)) continue;
    const place = placeScore(solid, thing, overlap, context);
    if (place !== undefined && place < COMMON.partShare && context.isAligned) continue;
    if (place === undefined) continue;
    const z = thing.words.meaningZ(detection, background);
    if (z !== undefined && z < ASSOCIATE.minZ && overlap < COMMON.bodyShare) continue;
    const meaning =
      (z === undefined ? 0.5 : logistic((z - ASSOCIATE.minZ) / ASSOCIATE.meaningSd)) *
      (0.5 + 0.5 * kindAgreement);
    const looks = thing.words.looksLike(detection.appearance);
    const said = isPaper ? 0 : context.readings.evidence(detection, thing.words);
    // Small things are often moved: two clear observations are enough to contradict one.
    if (-said > (thing.diagonalM < COMMON.handyM ? 2 * COMMON.clearOdds : COMMON.againstOdds)) continue;
    const byPlace = overlap >= COMMON.bodyShare ? (ASSOCIATE.acceptScore * (1 + overlap)) / 2 : 0;
    const score = Math.max(total(meaning, place, looks, isPaper), byPlace) + ASSOCIATE.saidWeight * said;
    found.push({
      row,
      thing,
      score: Math.min(1, Math.max(0, score)),
      meaning,
      place,
      looks,
      kindAgreement,
      overlap,
    });
  }
  return found;
}

/**
 * Whether a flat thing is viewed from the side that it never showed, and lies nearer to that side than before, or looks
 * different: then there is a wall between the two, with a picture on each face. Anything as tall as a door may be one,
 * and a door is the same from both sides.
 */
export function isBehindWall(
  { solid, detection }: Pick<Candidate, "solid" | "detection">,
  thing: Thing,
): boolean {
  const { worldBox } = thing;
  const { viewpoints } = thing.shape;
  const e = extentOf(worldBox);
  if (e.z >= COMMON.tallM || viewpoints.length === 0) return false;
  const [from, at, was] = [directionOf(solid.bearing), centreOf(solid.box), centreOf(worldBox)];
  return (["x", "y"] as const).some((axis) => {
    if (
      e[axis] > COMMON.flatM ||
      2 * solid.half[axis] > COMMON.flatM ||
      e[axis === "x" ? "y" : "x"] < COMMON.flatM
    )
      return false;
    if (!viewpoints.every((direction) => direction[axis] * from[axis] < 0)) return false;
    return (at[axis] - was[axis]) * from[axis] >= COMMON.toleranceM || looksOtherwise(thing, detection);
  });
}

/** Whether a detection contradicts a permanent attribute that is certain. */
function looksOtherwise({ words }: Thing, { attributes }: LiftedDetection): boolean {
  return Object.entries(attributes).some(([name, value]) => {
    const votes = words.attributes.get(name);
    const known = votes?.best();
    if (!votes || known === undefined || isFluent(name, value)) return false;
    return (
      value !== known &&
      votes.shareOf(value) <= COMMON.slightShare &&
      votes.shareOf(known) >= COMMON.majorityShare
    );
  });
}

/**
 * s_geo of docs/formulas.md#same-thing, or undefined outside the gate. Where the frame is aligned and the thing's box
 * is well known, a detection must lie in that box (or contain it, while only parts of it had been seen). Being near is
 * not enough: similar things may stand closer to each other than ε_c, and one of them is always seen first.
 */
function placeScore(
  solid: PlacedSolid,
  thing: Thing,
  overlap: number,
  { mode, isAligned }: AssociationContext,
): number | undefined {
  const centre = centreOf(thing.worldBox);
  const d = Math.min(distance(solid.centroid, centre), distance(centreOf(solid.box), centre));
  const reach = ASSOCIATE.radiusPerDiagonal * (diagonalOf(solid.box) + thing.diagonalM) + 2 * solid.sdM;
  const fitting = Math.min(COMMON.nearM, Math.max(COMMON.flatM, reach));
  const radiusM = mode === "paper" ? ASSOCIATE.paperRadiusM : fitting;
  const within = containment(solid, thing);
  if (d >= radiusM && within < COMMON.partShare) return undefined;
  const strict = isAligned && mode !== "paper" && thing.evidence.isEstablished;
  const spreadM = strict ? Math.min(radiusM, COMMON.placeM + solid.pixelM + 2 * solid.sdM) : radiusM;
  return Math.max(overlap, within, Math.exp(-((d / spreadM) * (d / spreadM))));
}

/**
 * The share of the smaller of two boxes that lies in the larger. A partial view of a large thing is far from its
 * centre, but inside its box.
 */
function containment(solid: PlacedSolid, thing: Thing): number {
  const a = thickened(solid.box);
  const b = thickened(thing.worldBox);
  return Math.min(1, intersectionVolume(a, b) / Math.min(volumeOf(a), volumeOf(b)));
}

/** The weighted mean of the scores that exist; R⁴ uses meaning and place alone, with equal weights. */
function total(meaning: number, place: number, looks: number | undefined, isPaper: boolean): number {
  if (isPaper) return (meaning + place) / 2;
  const { meaningWeight, placeWeight } = ASSOCIATE;
  const sum = meaningWeight * meaning + placeWeight * place;
  if (looks === undefined) return sum / (meaningWeight + placeWeight);
  return sum + (1 - meaningWeight - placeWeight) * looks;
}

/** Connected components of detections and things linked by proposals; each is solved by itself. */
function components(pairs: readonly Pair[]): Pair[][] {
  const parent = new Map<number | Thing, number | Thing>();
  const rootOf = (node: number | Thing): number | Thing => {
    let at = node;
    for (let up = parent.get(at); up !== undefined && up !== at; up = parent.get(at)) at = up;
    return at;
  };
  for (const { row, thing } of pairs) {
    const a = rootOf(row);
    const b = rootOf(thing);
    if (a !== b) parent.set(a, b);
  }
  return [...Map.groupBy(pairs, ({ row }) => rootOf(row)).values()];
}

/** Each row has a column of its own for "none of these", so a poor pair is never forced. */
function solve(pairs: readonly Pair[], noneScore: number): Pair[] {
  if (pairs.length === 1) return [pairs[0]!];
  const rows = [...new Set(pairs.map(({ row }) => row))];
  const things = [...new Set(pairs.map(({ thing }) => thing))];
  const columns = things.length + rows.length;
  const costs = new Float64Array(rows.length * columns).fill(Infinity);
  const at = new Map<number, Pair>();
  for (const pair of pairs) {
    const cell = rows.indexOf(pair.row) * columns + things.indexOf(pair.thing);
    costs[cell] = 1 - pair.score;
    at.set(cell, pair);
  }
  rows.forEach((_, row) => {
    costs[row * columns + things.length + row] = 1 - noneScore;
  });
  const chosen: Pair[] = [];
  assign(costs, rows.length, columns).forEach((column, row) => {
    const pair = at.get(row * columns + column);
    if (pair) chosen.push(pair);
  });
  return chosen;
}

function proposalOf(pair: Pair, detection: LiftedDetection): Proposal {
  const { thing, score, meaning, place, looks, kindAgreement, overlap } = pair;
  const known = { stateId: thing.stateId, name: thing.words.name, category: thing.words.category };
  return { detection, known, score, meaning, place, looks, kindAgreement, overlap };
}

function logistic(x: number): number {
  return 1 / (1 + Math.exp(-x));
}
