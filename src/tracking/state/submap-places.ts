import type { Transform, Vec3 } from "../../geometry/index.ts";
import { add, apply, compose, fromYaw, IDENTITY, solveSymmetric3 } from "../../geometry/index.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON } from "../settings/common.ts";

/** A thing seen from the current submap, and its position according to other submaps. */
export interface Correspondence {
  readonly thingId: string;
  readonly pointInSubmap: Vec3;
  readonly target: Vec3;
  readonly sdM: number;
}

interface Place {
  worldFromSubmap: Transform;
  correction: Transform;
}

/**
 * The place of each submap: the map's latest revision plus a small correction of our own. Odometry drifts by decimetres
 * before a loop closure notices, too much to tell mugs on a shelf apart; but things seen from older submaps show the
 * drift at once. The correction only helps to recognise things: anchors stay in the submap's own coordinates, and the
 * next revision of the map replaces it.
 */
export class SubmapPlaces {
  readonly #places = new Map<string, Place>();
  /** Per agent: its current submap, and the pairs collected there. */
  readonly #current = new Map<string, { readonly submap: string; pairs: Correspondence[] }>();

  /** The corrected place of a submap. */
  readonly placeOf = (submap: string): Transform | undefined => {
    const place = this.#places.get(submap);
    return place && compose(place.correction, place.worldFromSubmap);
  };

  /** The place by the map alone. */
  rawPlaceOf(submap: string): Transform | undefined {
    return this.#places.get(submap)?.worldFromSubmap;
  }

  /** An agent enters a submap: a new one starts with the correction that the agent had before. */
  enter(agentId: string, submap: string, worldFromSubmap: Transform): void {
    const current = this.#current.get(agentId);
    const place = this.#places.get(submap);
    if (place) place.worldFromSubmap = worldFromSubmap;
    else {
      const correction = current ? (this.#places.get(current.submap)?.correction ?? IDENTITY) : IDENTITY;
      this.#places.set(submap, { worldFromSubmap, correction });
    }
    if (current?.submap !== submap) this.#current.set(agentId, { submap, pairs: [] });
  }

  know(submap: string, worldFromSubmap: Transform): void {
    if (!this.#places.has(submap)) this.#places.set(submap, { worldFromSubmap, correction: IDENTITY });
  }

  /**
   * Adds this frame's pairs and improves the correction of the agent's submap. With `commit` false the pairs are only
   * tried. Returns how far the middle of the frame moved.
   */
  learn(agentId: string, fresh: readonly Correspondence[], pivotInSubmap: Vec3, commit: boolean): number {
    const current = this.#current.get(agentId);
    const place = current && this.#places.get(current.submap);
    if (!current || !place || fresh.length === 0) return 0;
    const pairs = [...current.pairs, ...fresh].slice(-ASSOCIATE.maxPairs);
    if (commit) current.pairs = pairs;
    const found = solve(pairs, place, pivotInSubmap);
    if (!found) return 0;
    const before = apply(compose(place.correction, place.worldFromSubmap), pivotInSubmap);
    place.correction = found;
    const after = apply(compose(found, place.worldFromSubmap), pivotInSubmap);
    return Math.hypot(after.x - before.x, after.y - before.y);
  }

  /** How many things that the agent saw from its submap lie, as that is placed now, where other submaps saw them. */
  agreeing(agentId: string): number {
    const current = this.#current.get(agentId);
    const worldFromSubmap = current && this.placeOf(current.submap);
    if (!current || !worldFromSubmap) return 0;
    const agreeing = new Set<string>();
    for (const { thingId, pointInSubmap, target, sdM } of current.pairs) {
      const { x, y } = apply(worldFromSubmap, pointInSubmap);
      if (Math.hypot(target.x - x, target.y - y) < COMMON.placeM + sdM) agreeing.add(thingId);
    }
    return agreeing.size;
  }

  /** Moves the correction of an agent's submap at once; the pairs collected so far were wrong. */
  nudge(agentId: string, shift: Vec3): void {
    const current = this.#current.get(agentId);
    const place = current && this.#places.get(current.submap);
    if (!current || !place) return;
    place.correction = { p: add(place.correction.p, shift), q: place.correction.q };
    current.pairs = [];
  }

  /** A new revision of the map replaces our corrections. */
  correct(worldFromSubmap: (submap: string) => Transform | undefined): boolean {
    let changed = false;
    for (const [submap, place] of this.#places) {
      const now = worldFromSubmap(submap);
      if (!now) continue;
      place.worldFromSubmap = now;
      place.correction = IDENTITY;
      changed = true;
    }
    for (const current of this.#current.values()) {
      current.pairs = [];
    }
    return changed;
  }
}

/**
 * A rotation about the vertical and a horizontal shift that align the pairs, by least squares with Geman–McClure
 * weights, wide at first and then narrow. Undefined when too few things agree.
 */
function solve(pairs: readonly Correspondence[], place: Place, pivotInSubmap: Vec3): Transform | undefined {
  const pivot = apply(place.worldFromSubmap, pivotInSubmap);
  const points = pairs.map(({ pointInSubmap }) => apply(place.worldFromSubmap, pointInSubmap));
  let [turn, shiftX, shiftY] = startFrom(place.correction, pivot);
  let agreeing = new Set<string>();
  for (let n = 0; n < ASSOCIATE.iterations; n++) {
    const scale =
      COMMON.placeM + (ASSOCIATE.priorShiftM - COMMON.placeM) * (1 - n / (ASSOCIATE.iterations - 1));
    const normal = new Normal(turn, shiftX, shiftY);
    agreeing = new Set();
    for (let i = 0; i < pairs.length; i++) {
      const { target, sdM, thingId } = pairs[i]!;
      const [cos, sin] = [Math.cos(turn), Math.sin(turn)];
      const [x, y] = [points[i]!.x - pivot.x, points[i]!.y - pivot.y];
      const [rx, ry] = [cos * x - sin * y, sin * x + cos * y];
      const ex = target.x - pivot.x - rx - shiftX;
      const ey = target.y - pivot.y - ry - shiftY;
      const squared = ex * ex + ey * ey;
      const robust = scale * scale + sdM * sdM;
      const share = robust / (robust + squared);
      if (squared < robust) agreeing.add(thingId);
      normal.add(-ry, rx, ex, ey, (share * share) / (COMMON.edgeM * COMMON.edgeM + sdM * sdM));
    }
    const step = normal.solve();
    turn += step[0];
    shiftX += step[1];
    shiftY += step[2];
  }
  if (agreeing.size < COMMON.fewLooks) return undefined;
  if (
    Math.abs(turn) > COMMON.certainSd * ASSOCIATE.priorTurnRad ||
    Math.hypot(shiftX, shiftY) > COMMON.certainSd * ASSOCIATE.priorShiftM
  )
    return undefined;
  const q = fromYaw(turn);
  const turned = apply({ p: { x: 0, y: 0, z: 0 }, q }, pivot);
  return { p: { x: pivot.x - turned.x + shiftX, y: pivot.y - turned.y + shiftY, z: 0 }, q };
}

function startFrom({ p, q }: Transform, pivot: Vec3): [number, number, number] {
  const turn = 2 * Math.atan2(q.z, q.w);
  const moved = apply({ p, q }, pivot);
  return [turn, moved.x - pivot.x, moved.y - pivot.y];
}

/** The 3×3 normal equations of a small rotation and a shift, with a zero-mean prior on both. */
class Normal {
  readonly #a: [number, number, number, number, number, number];
  readonly #b: [number, number, number];

  constructor(turn: number, shiftX: number, shiftY: number) {
    const [wt, ws] = [
      1 / (ASSOCIATE.priorTurnRad * ASSOCIATE.priorTurnRad),
      1 / (ASSOCIATE.priorShiftM * ASSOCIATE.priorShiftM),
    ];
    this.#a = [wt, 0, 0, ws, 0, ws];
    this.#b = [-wt * turn, -ws * shiftX, -ws * shiftY];
  }

  /** One point whose position changes by (jx, jy) per radian and is off by (ex, ey). */
  add(jx: number, jy: number, ex: number, ey: number, weight: number): void {
    const [a, b] = [this.#a, this.#b];
    a[0] += weight * (jx * jx + jy * jy);
    a[1] += weight * jx;
    a[2] += weight * jy;
    a[3] += weight;
    a[5] += weight;
    b[0] += weight * (jx * ex + jy * ey);
    b[1] += weight * ex;
    b[2] += weight * ey;
  }

  /** The prior keeps the determinant away from zero. */
  solve(): [number, number, number] {
    return solveSymmetric3(this.#a, this.#b);
  }
}
