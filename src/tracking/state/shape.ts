import type { Box, Quat, Transform, Vec3 } from "../../geometry/index.ts";
import {
  apply,
  boxFromPoints,
  centreOf,
  conjugate,
  diagonalOf,
  rotate,
  subtract,
  toMatrix,
  vec3,
} from "../../geometry/index.ts";
import type { LiftedSolid } from "../../schema/core.ts";
import { COMMON } from "../settings/common.ts";
import { OBSERVE } from "../settings/observe.ts";
import { boxAlongWorld } from "./look-box.ts";

/** The box of one observation: its position in its submap, and its size along the world's axes. */
interface ShapeView {
  readonly submap: string;
  readonly centreInSubmap: Vec3;
  readonly half: Vec3;
  readonly weight: number;
  /** Its weight if it showed all of the thing. */
  readonly clarity: number;
  readonly bearing: number;
  /** The faces where the thing may extend further, unseen: a bit each, in the order of `FACES`. */
  readonly open: number;
}

/** A lifted box with the map's present places. */
export interface PlacedSolid {
  readonly submap: string;
  readonly centroid: Vec3;
  readonly box: Box;
  readonly centreInSubmap: Vec3;
  readonly half: Vec3;
  readonly sdM: number;
  readonly depthM: number;
  readonly bearing: number;
  /** Size of a pixel at its depth. */
  readonly pixelM: number;
  readonly isPartial: boolean;
  readonly open: number;
}

/** The extent of a map instance: points around it in a submap, as x y z triples. */
export interface Extent {
  readonly submap: string;
  readonly points: Float32Array;
}

/** The place of a submap in the world, by the latest revision and tracking's own correction of it. */
export type PlaceOf = (submap: string) => Transform | undefined;

/**
 * The box of a thing, fused from many partial observations (docs/formulas.md#fused-box). No single one sees all of a
 * thing, the middle of the visible part lies towards the camera, and inaccurate masks make some too large. So the best
 * few boxes from each side are kept (the clear ones, and of a side those that show as much as others do), each in its
 * own submap (a correction moves them apart). Each face of the fused box is where most of the observations put it or
 * beyond: a weighted quantile, which neither one merged mask nor one glimpse of a corner can shift far. Bounded: 24
 * views.
 */
export class Shape {
  readonly #views: ShapeView[] = [];
  /** The fused box in the world. */
  box: Box;
  /** Directions from the thing to the cameras that saw it, the first included. */
  viewpoints: Vec3[] = [];
  /** Pixels reported, as a share of those that its box would cover. */
  fill = 1;
  /** Pixels reported, scaled to a metre's distance, as a recent mean. */
  pxAtMetre: number | undefined;
  /** Share of its box that was seen through while it was there, as a recent mean. */
  transparency: number | undefined;
  /** Whether any observation showed all of it, not cut off by the image or an occluder. */
  wasWhole = false;
  /** Surface points of the best observation, in its submap. */
  surface: { submap: string; points: Float32Array; weight: number } | undefined;
  /** Recent positions of a mover. */
  trail: { timeUs: number; position: Vec3 }[] = [];

  /** The extent in a map fused from many frames. */
  #extent: Extent | undefined;

  constructor(box: Box) {
    this.box = box;
  }

  get centre(): Vec3 {
    return centreOf(this.box);
  }

  get diagonalM(): number {
    return diagonalOf(this.box);
  }

  add(solid: PlacedSolid): void {
    const clarity = 1 / Math.max(1e-4, (solid.pixelM + COMMON.hairM / 2) ** 2);
    const weight = (solid.isPartial ? COMMON.partShare : 1) * clarity;
    const { submap, centreInSubmap, half, bearing, open } = solid;
    this.#keep({ submap, centreInSubmap, half, weight, clarity, bearing, open });
  }

  /** A known box, for example from the memory: it counts like a few good observations. */
  addKnown(submap: string, centreInSubmap: Vec3, worldFromSubmap: Quat, halfInSubmap: Vec3): void {
    const m = toMatrix(worldFromSubmap);
    const { x, y, z } = halfInSubmap;
    const half = {
      x: Math.abs(m[0]) * x + Math.abs(m[1]) * y,
      y: Math.abs(m[3]) * x + Math.abs(m[4]) * y,
      z,
    };
    const clarity = 1 / (COMMON.edgeM * COMMON.edgeM);
    for (let bearing = 0; bearing < OBSERVE.bearings; bearing += 2) {
      this.#keep({ submap, centreInSubmap, half, weight: clarity, clarity, bearing, open: 0 });
    }
  }

  /** The extent from a map of all frames: where one observation sees a part of a counter, many see it whole. */
  addExtent(extent: Extent): void {
    this.#extent = extent;
  }

  /** Adds the present position of a mover. */
  leaveTrail(timeUs: number): void {
    this.trail.push({ timeUs, position: this.centre });
    if (this.trail.length > OBSERVE.maxTrail) this.trail.shift();
  }

  joinTrail({ trail }: Shape): void {
    if (trail.length === 0) return;
    this.trail = [...this.trail, ...trail].sort((a, b) => a.timeUs - b.timeUs).slice(-OBSERVE.maxTrail);
  }

  /** Takes over the shape of another thing. */
  become(other: Shape): void {
    this.clear();
    this.absorb(other);
    this.#extent = other.#extent;
    this.box = other.box;
  }

  addViewpoints({ viewpoints }: Shape): void {
    for (const direction of viewpoints)
      if (this.viewpoints.length < OBSERVE.maxViewpoints) this.viewpoints.push(direction);
  }

  absorb(other: Shape): void {
    for (const view of other.#views) this.#keep(view);
  }

  /** Drops the views that also covered another thing, unless there are no others; returns whether there were any. */
  forgetOver(isOver: (look: Box) => boolean, placeOf: PlaceOf): boolean {
    const kept = this.#views.filter(({ submap, centreInSubmap, half }) => {
      const place = placeOf(submap);
      return !place || !isOver(boxAround(apply(place, centreInSubmap), half));
    });
    if (kept.length === 0 || kept.length === this.#views.length) return false;
    this.#views.splice(0, this.#views.length, ...kept);
    return true;
  }

  /** Drops the past views, as for a mover. */
  clear(): void {
    this.#views.length = 0;
    this.#extent = undefined;
  }

  seenFrom(submap: string): boolean {
    return this.#views.some((view) => view.submap === submap);
  }

  /** The submap with most of the evidence: where the thing is anchored. */
  get submap(): string {
    const weights = new Map<string, number>();
    let best = "";
    for (const { submap, weight } of this.#views) {
      const sum = (weights.get(submap) ?? 0) + weight;
      weights.set(submap, sum);
      if (best === "" || sum > weights.get(best)!) best = submap;
    }
    return best;
  }

  /**
   * The box in the world: the fused one, longer or shorter where a map of all frames shows that observations saw only a
   * part, or more than the thing.
   */
  boxInWorld(placeOf: PlaceOf, without?: string): Box | undefined {
    const fused = this.#fusedInWorld(placeOf, without);
    const extent = this.#extent?.submap === without ? undefined : this.#extent;
    const whole = extent && boxOfExtent(extent, placeOf);
    return fused && whole ? fittedTo(whole, fused) : (fused ?? whole);
  }

  /** Views in submaps without a known place are left out. */
  #fusedInWorld(placeOf: PlaceOf, without?: string): Box | undefined {
    const placed: { centre: Vec3; half: Vec3; weight: number; open: number }[] = [];
    for (const { submap, centreInSubmap, half, weight, open } of this.#views) {
      if (submap === without) continue;
      const place = placeOf(submap);
      if (place) placed.push({ centre: apply(place, centreInSubmap), half, weight, open });
    }
    if (placed.length === 0) return undefined;
    const side = (axis: "x" | "y" | "z", sign: 1 | -1): number =>
      sign *
      face(
        placed.map(({ centre, half, weight, open }) => ({
          at: sign * centre[axis] + half[axis],
          weight,
          isOpen: (open & faceBit(axis, sign)) !== 0,
        })),
      );
    const min = { x: side("x", -1), y: side("y", -1), z: side("z", -1) };
    const max = { x: side("x", 1), y: side("y", 1), z: side("z", 1) };
    return {
      min: { x: Math.min(min.x, max.x), y: Math.min(min.y, max.y), z: Math.min(min.z, max.z) },
      max: { x: Math.max(min.x, max.x), y: Math.max(min.y, max.y), z: Math.max(min.z, max.z) },
    };
  }

  #keep(view: ShapeView): void {
    const same = this.#views.filter(({ bearing }) => bearing === view.bearing);
    this.#views.push(view);
    if (same.length < OBSERVE.viewsPerBearing) return;
    const kept = [...same, view];
    // Two observations must agree on a size, since one alone may cover two things.
    const size = (axis: "x" | "y" | "z") =>
      COMMON.edgeM + kept.map(({ half }) => half[axis]).sort((a, b) => b - a)[1]!;
    const [x, y, z] = [size("x"), size("y"), size("z")];
    const share = (halfM: number, sizeM: number) => Math.min(1, (halfM + COMMON.edgeM) / sizeM);
    // Close views show less of a large thing: a leg from half a metre must not push out the table. A small thing is
    // seen whole or cut off, and the later of two views gives its present position.
    const isLarge = 2 * Math.max(x, y, z) >= COMMON.smallM;
    const worth = ({ half, weight, clarity }: ShapeView) =>
      isLarge ? clarity * share(half.x, x) * share(half.y, y) * share(half.z, z) : weight;
    const least = kept.reduce((a, b) => (worth(b) < worth(a) ? b : a));
    this.#views.splice(this.#views.indexOf(least), 1);
  }
}

/** The visible part of a thing in one frame, placed in the world; the box is along the world's axes. */
export function placeSolid(
  solid: LiftedSolid,
  context: {
    readonly submap: string;
    readonly worldFromSubmap: Transform;
    readonly cameraInWorld: Vec3;
    readonly focalPx: number;
    readonly isPartial: boolean;
    /** The faces where the observation does not show the end, as `faceBit` numbers them. */
    readonly open: number;
  },
): PlacedSolid {
  const { submap, worldFromSubmap, cameraInWorld } = context;
  const centroid = apply(worldFromSubmap, solid.centroid);
  const box = boxAlongWorld(solid, worldFromSubmap, cameraInWorld);
  const centre = {
    x: (box.min.x + box.max.x) / 2,
    y: (box.min.y + box.max.y) / 2,
    z: (box.min.z + box.max.z) / 2,
  };
  const half = {
    x: (box.max.x - box.min.x) / 2,
    y: (box.max.y - box.min.y) / 2,
    z: (box.max.z - box.min.z) / 2,
  };
  const turn = Math.atan2(cameraInWorld.y - centroid.y, cameraInWorld.x - centroid.x) / (2 * Math.PI);
  return {
    submap,
    centroid,
    box,
    centreInSubmap: rotate(conjugate(worldFromSubmap.q), subtract(centre, worldFromSubmap.p)),
    half,
    sdM: solid.sdM,
    depthM: solid.depthM,
    bearing: Math.floor((turn - Math.floor(turn)) * OBSERVE.bearings) % OBSERVE.bearings,
    pixelM: solid.depthM / context.focalPx,
    isPartial: context.isPartial,
    open: context.open,
  };
}

/** Whether the camera of an observation was on the greater (1) or the lesser side (−1) of the thing, along x and y. */
export function directionOf(bearing: number): { readonly x: 1 | -1; readonly y: 1 | -1 } {
  const turnRad = (2 * Math.PI * (bearing + 0.5)) / OBSERVE.bearings;
  return { x: Math.cos(turnRad) > 0 ? 1 : -1, y: Math.sin(turnRad) > 0 ? 1 : -1 };
}

/**
 * A box with the ends of another along the axes along which that one is clearly longer (observations showed only a
 * part) or clearly shorter (they included things beside or behind it). Otherwise observations are more exact: a map is
 * blurred by pose errors.
 */
function fittedTo(whole: Box, box: Box): Box {
  const [min, max] = [{ ...box.min }, { ...box.max }];
  for (const axis of ["x", "y", "z"] as const) {
    const sizeM = box.max[axis] - box.min[axis];
    const longM = whole.max[axis] - whole.min[axis];
    if (isClearlyLonger(longM, sizeM)) {
      min[axis] = Math.min(min[axis], whole.min[axis]);
      max[axis] = Math.max(max[axis], whole.max[axis]);
    } else if (isClearlyLonger(sizeM, longM)) {
      min[axis] = whole.min[axis];
      max[axis] = whole.max[axis];
    }
  }
  return { min, max };
}

function isClearlyLonger(aM: number, bM: number): boolean {
  return aM >= bM + COMMON.toleranceM && (1 - COMMON.slightShare) * aM >= bM;
}

/** The box in the world of an extent; undefined if its submap has no known place. */
export function boxOfExtent({ submap, points }: Extent, placeOf: PlaceOf): Box | undefined {
  const place = placeOf(submap);
  if (!place) return undefined;
  return boxFromPoints(
    Array.from({ length: points.length / 3 }, (_, n) =>
      apply(place, vec3(points[3 * n]!, points[3 * n + 1]!, points[3 * n + 2]!)),
    ),
  );
}

function boxAround(centre: Vec3, half: Vec3): Box {
  return {
    min: { x: centre.x - half.x, y: centre.y - half.y, z: centre.z - half.z },
    max: { x: centre.x + half.x, y: centre.y + half.y, z: centre.z + half.z },
  };
}

/** The box as used for overlaps: grown a little, and thin ones to a least thickness. */
export function thickened({ min, max }: Box): Box {
  const low = (a: number, b: number) => Math.min(a - COMMON.hairM, (a + b - COMMON.touchM) / 2);
  const high = (a: number, b: number) => Math.max(b + COMMON.hairM, (a + b + COMMON.touchM) / 2);
  return {
    min: { x: low(min.x, max.x), y: low(min.y, max.y), z: low(min.z, max.z) },
    max: { x: high(min.x, max.x), y: high(min.y, max.y), z: high(min.z, max.z) },
  };
}

/** The bit of one face of a box in `open`. */
export function faceBit(axis: "x" | "y" | "z", sign: 1 | -1): number {
  return 1 << (2 * "xyz".indexOf(axis) + (sign > 0 ? 1 : 0));
}

export const ALL_FACES = 0b111111;

interface FaceVote {
  readonly at: number;
  readonly weight: number;
  readonly isOpen: boolean;
}

/**
 * The position of a face. Observations that show the end vote. Those that do not show it only give a lower bound of the
 * extent: they never pull a face in, and push it out where two of them agree.
 */
function face(votes: readonly FaceVote[]): number {
  const closed = votes.filter(({ isOpen }) => !isOpen);
  const seen = closed.length === 0 ? -Infinity : outer(closed.map(({ at, weight }) => [at, weight] as const));
  const beyond = votes
    .filter(({ at }) => at > seen)
    .map(({ at }) => at)
    .sort((a, b) => b - a);
  const least = Math.min(Math.max(COMMON.twice, Math.ceil(COMMON.someShare * votes.length)), votes.length);
  return Math.max(seen, beyond[least - 1] ?? -Infinity);
}

/**
 * The value that `(1 - COMMON.slightShare)` of the weight lies at or below; of two the larger. A single observation
 * that reaches far beyond all others is a mask over two things until another one confirms it, however close it was.
 */
function outer(values: (readonly [number, number])[]): number {
  values.sort((a, b) => a[0] - b[0]);
  const last = values.length - 1;
  if (last < 2) return values[last]![0];
  if (values[last]![0] - values[last - 1]![0] > COMMON.flatM) values.pop();
  const weights = values.map(([, weight]) => weight).sort((a, b) => a - b);
  const most = 2 * weights[weights.length >> 1]!;
  const total = weights.reduce((sum, weight) => sum + Math.min(weight, most), 0);
  let sum = 0;
  for (const [value, weight] of values) {
    sum += Math.min(weight, most);
    if (sum >= (1 - COMMON.slightShare) * total) return value;
  }
  return values.at(-1)![0];
}
