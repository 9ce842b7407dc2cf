import { toMatrix } from "../../geometry/index.ts";
import type { DepthImage } from "../../schema/core.ts";
import { settings } from "../../schema/settings.ts";
import { type Hole, holesIn } from "./hole-shapes.ts";
import { FAR_M, NEAR_M, type Sight } from "./sight.ts";
import { isThingSized, standingPlane } from "./standing.ts";
import type { Sayings, VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const HOLES = settings("eyes.holes", {
  /**
   * Thickness of the plane around a hole, the least share of the rim in it or slightly in front, and the least share in
   * the plane itself.
   */
  flatM: [0.03, "m", 0.015, 0.06, "experiment"],
  flatShare: [0.7, "share", 0.35, 0.85, "experiment"],
  planeShare: [0.3, "share", 0.15, 0.6, "experiment"],
  /**
   * Least cosine of normals with the plane; the edge of a table top lies in an upright plane but does not face its way.
   */
  alike: [0.7, "share", 0.35, 0.85, "experiment"],
  /** Number of its four sides that must agree, and along which share of each. */
  sides: [2, "count", 1, 3, "experiment"],
  sideShare: [0.5, "share", 0.25, 1, "experiment"],
  /**
   * Greatest viewing angle for a screen, and its least height above the floor; nearer than this depth cameras measure
   * nothing anyway.
   */
  facing: [0.35, "cosine", 0.175, 0.7, "experiment"],
  aboveFloorM: [0.3, "m", 0.15, 0.6, "experiment"],
  nearestM: [0.8, "m", 0.4, 1.6, "experiment"],
  /** Thickness of its upper or lower end. */
  endM: [0.03, "m", 0.015, 0.06, "experiment"],
  /** Sizes of such holes: smaller ones are shadows of foreground things, larger ones doorways. */
  leastWideM: [0.3, "m", 0.15, 0.6, "experiment"],
  leastHighM: [0.12, "m", 0.06, 0.24, "experiment"],
  mostWideM: [2.2, "m", 1.1, 4.4, "experiment"],
  mostHighM: [1.3, "m", 0.65, 2.6, "experiment"],
  mostOneM: [1.3, "m", 0.65, 2.6, "experiment"],
  /** Least share of its bounding rectangle that a hole fills: black chairs and bags fill less. */
  solid: [0.65, "share", 0.325, 0.825, "experiment"],
  /** Distance of a screen from its wall, and the share of measurements there that must confirm it. */
  beforeLeastM: [0.05, "m", 0.025, 0.1, "experiment"],
  beforeMostM: [0.25, "m", 0.125, 0.5, "experiment"],
  beforePlaces: [8, "cells", 4, 16, "experiment"],
  beforeShare: [0.2, "share", 0.1, 0.4, "experiment"],
  /** Measurements on a screen are called wall by less than the first, and its outline is stronger than the second. */
  noWall: [0.3, "share", 0.15, 0.6, "experiment"],
  outline: [0.6, "share", 0.3, 0.8, "experiment"],
  /** Planes tried, each from two points at least this far apart. */
  tries: [48, "count", 24, 96, "limit"],
  apartM: [0.1, "m", 0.05, 0.2, "experiment"],
});

/** Cells of a frame's grid that received the depth of the plane around them. */
export interface Filled {
  readonly places: Int32Array;
  readonly depthM: Float32Array;
}

/** A filled hole, in cells of the frame's grid. */
export interface FilledHole {
  /** A flat upright thing; others merely stand there. */
  readonly isScreen: boolean;
  readonly places: readonly number[];
  /** Depth of each cell, and its position along the plane. */
  readonly depthM: readonly number[];
  readonly acrossM: readonly number[];
  /**
   * Measured cells of the same screen: they continue its plane, in front of the wall, up to an outline from the
   * network.
   */
  readonly measured: readonly number[];
  /** Its width and height as far as visible, and whether its top and bottom are in the picture. */
  readonly wideM: number;
  readonly highM: number;
  readonly isWhollyHigh: boolean;
}

/** An upright plane: its normal is level, of unit length and towards the camera. */
interface Plane {
  readonly x: number;
  readonly y: number;
  /** Along the normal, from the map's origin. */
  readonly off: number;
}

/**
 * Screens are black or glossy, and depth cameras measure nothing there. A hole in the depth that the network does not
 * call wall, with one upright plane around it, gets the depth of that plane, or of measurements in front of it where
 * screens stand out from their wall. So does a hole whose lower side is a level surface: something black stands there.
 * Changes the sight.
 */
export function fillHoles(
  sight: Sight,
  depth: DepthImage,
  sayings: Sayings,
  map: VoxelMap,
  floorZ: number,
): FilledHole[] {
  return holesIn(sight, depth, sayings).flatMap((hole) => {
    const around = rimPlane(sight, hole);
    const size = around && sizeOf(sight, hole, around);
    if (!size || !isScreenSized(size, floorZ)) return stood(sight, hole);
    const plane = standingOut(sight, hole, around, map);
    const measured = plane.off > around.off ? goingOn(sight, hole, plane, sayings) : [];
    return [{ ...fill(sight, hole, plane), ...size, measured, isScreen: true }];
  });
}

/** A black thing that stands on a level surface. */
function stood(sight: Sight, hole: Hole): FilledHole[] {
  const plane = standingPlane(sight, hole);
  const size = plane && sizeOf(sight, hole, plane);
  if (!size || !isThingSized(size)) return [];
  return [{ ...fill(sight, hole, plane), ...size, measured: [], isScreen: false }];
}

/** The same in one list, for later stages. */
export function allFilled(holes: readonly FilledHole[]): Filled | undefined {
  if (holes.length === 0) return undefined;
  return {
    places: Int32Array.from(holes.flatMap(({ places }) => places)),
    depthM: Float32Array.from(holes.flatMap(({ depthM }) => depthM)),
  };
}

/** Writes the depths found during fusion into a sight without shape. */
export function refill({ depthM }: Pick<Sight, "depthM">, filled: Filled): void {
  filled.places.forEach((place, n) => {
    depthM[place] = filled.depthM[n]!;
  });
}

/** The upright plane of most points around a hole, if it is flat enough there and on enough sides. */
function rimPlane(sight: Sight, hole: Hole): Plane | undefined {
  const { rim, sides } = hole;
  const plane = commonPlane(sight, rim);
  if (!plane) return undefined;
  const { points } = sight;
  // The frame of a screen is often measured, and stands out from the wall.
  const isFlat = (place: number) => {
    const m = distance(points, place, plane);
    return m > -HOLES.flatM && m < HOLES.beforeMostM;
  };
  const isLined = ({ length, places }: Hole["sides"][number]) =>
    places.filter(isFlat).length >= HOLES.sideShare * length;
  const isAround =
    rim.filter(isFlat).length >= HOLES.flatShare * rim.length && sides.filter(isLined).length >= HOLES.sides;
  return isAround ? plane : undefined;
}

/** The upright plane of most points, by RANSAC over pairs and the mean of all inliers (Fischler and Bolles 1981). */
function commonPlane(
  { points, normals, mapFromCamera }: Sight,
  places: readonly number[],
): Plane | undefined {
  const { p } = mapFromCamera;
  let own: readonly number[] = [];
  for (let n = 0; n < HOLES.tries; n++) {
    // Different points in every try, never neighbours.
    const [a, b] = [0, 0.25 + n / (2 * HOLES.tries)].map(
      (apart) => places[(n * 7919 + Math.floor(apart * places.length)) % places.length]!,
    );
    const [dx, dy] = [points[3 * b!]! - points[3 * a!]!, points[3 * b! + 1]! - points[3 * a! + 1]!];
    const length = Math.hypot(dx, dy);
    if (length < HOLES.apartM) continue;
    const normal = { x: -dy / length, y: dx / length, off: 0 };
    const plane = { ...normal, off: distance(points, a!, normal) };
    const agree = places.filter((place) => {
      const facing = Math.abs(normal.x * normals[3 * place]! + normal.y * normals[3 * place + 1]!);
      return facing > HOLES.alike && Math.abs(distance(points, place, plane)) < HOLES.flatM;
    });
    if (agree.length > own.length) own = agree;
  }
  if (own.length < HOLES.planeShare * places.length || own.length === 0) return undefined;
  let [x, y, xx, xy, yy] = [0, 0, 0, 0, 0];
  for (const place of own) {
    x += points[3 * place]! / own.length;
    y += points[3 * place + 1]! / own.length;
  }
  for (const place of own) {
    const [dx, dy] = [points[3 * place]! - x, points[3 * place + 1]! - y];
    xx += dx * dx;
    xy += dx * dy;
    yy += dy * dy;
  }
  const along = Math.atan2(2 * xy, xx - yy) / 2;
  const [nx, ny] = [-Math.sin(along), Math.cos(along)];
  const sign = nx * (p.x - x) + ny * (p.y - y) < 0 ? -1 : 1;
  return { x: sign * nx, y: sign * ny, off: sign * (nx * x + ny * y) };
}

/** Distances of the points next to a hole in front of a plane. */
function besides({ points }: Sight, { sides }: Hole, plane: Plane): number[] {
  return sides.flatMap(({ places }) => places.map((place) => distance(points, place, plane)));
}

/** The typical distance of what lies in front of a plane; undefined if there is too little evidence. */
function usual(distances: readonly number[], leastShare = 0): number | undefined {
  const before = distances.filter((m) => m >= HOLES.beforeLeastM && m <= HOLES.beforeMostM);
  const near = (middle: number) => before.filter((m) => Math.abs(m - middle) < HOLES.flatM / 2);
  let best: readonly number[] = [];
  for (let middle = HOLES.beforeLeastM; middle <= HOLES.beforeMostM; middle += HOLES.flatM / 3) {
    const around = near(middle);
    if (around.length > best.length) best = around;
  }
  if (best.length < Math.max(HOLES.beforePlaces, leastShare * distances.length)) return undefined;
  return best.reduce((sum, m) => sum + m, 0) / best.length;
}

/** Distance of a point in front of a plane. */
function distance(points: ArrayLike<number>, place: number, { x, y, off }: Plane): number {
  return x * points[3 * place]! + y * points[3 * place + 1]! - off;
}

/** The depth at which a cell's ray meets a plane; NaN behind the camera or at too flat an angle. */
function meeting({ intrinsics, width, mapFromCamera: { p, q } }: Sight, { x: nx, y: ny, off }: Plane) {
  const { fx, fy, cx, cy } = intrinsics;
  const [a, b, c, d, e, f, g, h, k] = toMatrix(q);
  const apart = off - (nx * p.x + ny * p.y);
  return (place: number) => {
    const x = ((place % width) + 0.5 - cx) / fx;
    const y = (((place / width) | 0) + 0.5 - cy) / fy;
    const [rx, ry, rz] = [a * x + b * y + c, d * x + e * y + f, g * x + h * y + k];
    const along = nx * rx + ny * ry;
    if (-along < HOLES.facing * Math.hypot(rx, ry, rz)) return undefined;
    const z = apart / along;
    if (!(z >= NEAR_M && z <= FAR_M)) return undefined;
    const at = { x: p.x + z * rx, y: p.y + z * ry, up: p.z + z * rz };
    return { ...at, z, along, across: nx * at.y - ny * at.x };
  };
}

interface Size extends Pick<FilledHole, "wideM" | "highM" | "isWhollyHigh"> {
  readonly lowZ: number;
  readonly areaM2: number;
  /** Whether its lower end is in the picture: otherwise it may stand on the floor. */
  readonly endsBelow: boolean;
}

/** The size of a hole in the plane around it; undefined if it is too near, or seen at too flat an angle. */
function sizeOf(sight: Sight, { inner, cellPlaces, isAtEdge }: Hole, plane: Plane): Size | undefined {
  const meets = meeting(sight, plane);
  const [across, up]: [number[], number[]] = [[], []];
  let areaM2 = 0;
  const { fx, fy } = sight.intrinsics;
  for (const place of inner) {
    const at = meets(place);
    if (!at || at.z < HOLES.nearestM) return undefined;
    across.push(at.across);
    up.push(at.up);
    areaM2 += (cellPlaces * at.z * at.z) / (fx * fy * -at.along);
  }
  const [left, right] = spread(across);
  const upOf = up.slice();
  const [lowZ, highZ] = spread(up);
  const isInView = (isEnd: (z: number) => boolean) => {
    const end = inner.filter((_, n) => isEnd(upOf[n]!));
    return end.filter(isAtEdge).length < end.length / 2;
  };
  const endsBelow = isInView((z) => z < lowZ + HOLES.endM);
  const isWhollyHigh = endsBelow && isInView((z) => z > highZ - HOLES.endM);
  return { wideM: right - left, highM: highZ - lowZ, isWhollyHigh, endsBelow, lowZ, areaM2 };
}

/** Whether it is a rectangle of a screen's size. */
function isScreenSized({ wideM, highM, lowZ, areaM2, endsBelow }: Size, floorZ: number): boolean {
  const isSized =
    wideM >= HOLES.leastWideM &&
    highM >= HOLES.leastHighM &&
    wideM <= HOLES.mostWideM &&
    highM <= HOLES.mostHighM;
  return (
    isSized && endsBelow && !(lowZ < floorZ + HOLES.aboveFloorM) && areaM2 >= HOLES.solid * wideM * highM
  );
}

/** The range of all values but two percent. */
function spread(values: number[]): [number, number] {
  values.sort((a, b) => a - b);
  const most = values.length - 1;
  return [values[Math.round(0.02 * most)]!, values[Math.round(0.98 * most)]!];
}

/**
 * The plane around a hole, or one in front of it: that of the points next to it or, failing those, of earlier
 * measurements in it.
 */
function standingOut(sight: Sight, hole: Hole, plane: Plane, map: VoxelMap): Plane {
  const own = usual(besides(sight, hole, plane), HOLES.beforeShare);
  if (own !== undefined) return { ...plane, off: plane.off + own };
  const before: number[] = [];
  for (const { x, y } of map.within(sight, hole.isWithin)) before.push(distance([x, y], 0, plane));
  return { ...plane, off: plane.off + (usual(before) ?? 0) };
}

/** Measured cells that continue a hole in a plane, up to the width of a screen; none if it continues farther. */
function goingOn(
  { width, depthM, points }: Sight,
  { inner }: Hole,
  plane: Plane,
  { surface, boundary, cellOf }: Sayings,
): number[] {
  const acrossOf = (place: number) => plane.x * points[3 * place + 1]! - plane.y * points[3 * place]!;
  const isOn = (place: number) =>
    depthM[place]! > 0 &&
    Math.abs(distance(points, place, plane)) < HOLES.flatM &&
    surface[cellOf[place]!]! < HOLES.noWall &&
    boundary[cellOf[place]!]! < HOLES.outline;
  const [out, queue] = [new Set<number>(), [...inner]];
  for (let place = queue.pop(); place !== undefined; place = queue.pop())
    for (const beside of [place - 2, place + 2, place - 2 * width, place + 2 * width])
      if (!out.has(beside) && isOn(beside)) {
        out.add(beside);
        queue.push(beside);
      }
  const all = [...out].map(acrossOf);
  return Math.max(...all) - Math.min(...all) > HOLES.mostOneM ? [] : [...out];
}

function fill(
  sight: Sight,
  { places }: Hole,
  plane: Plane,
): Pick<FilledHole, "places" | "depthM" | "acrossM"> {
  const { depthM, points, normals, sound } = sight;
  const meets = meeting(sight, plane);
  const out: { place: number; z: number; across: number }[] = [];
  for (const place of places) {
    const at = meets(place);
    if (!at) continue;
    depthM[place] = at.z;
    points.set([at.x, at.y, at.up], 3 * place);
    normals.set([plane.x, plane.y, 0], 3 * place);
    sound[place] = 1;
    out.push({ place, z: at.z, across: at.across });
  }
  return {
    places: out.map(({ place }) => place),
    depthM: out.map(({ z }) => z),
    acrossM: out.map(({ across }) => across),
  };
}
