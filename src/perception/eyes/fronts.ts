import { settings } from "../../schema/settings.ts";
import { STRUCTURE, type Surface } from "./links.ts";
import { reachOf } from "./spans.ts";
import type { VoxelMap } from "./voxels.ts";
import { facingOf, placeIn, type Upright, uprightOf, voxelsThat, type Way, waysOf } from "./walls.ts";

/** Value, unit, minimum, maximum, source. */
const FRONTS = settings("eyes.fronts", {
  /**
   * Least area of a front in its plane, and the plane's thickness: handles, plinths and worktop edges lie in front of
   * or behind it.
   */
  frontM2: [0.15, "m²", 0.075, 0.3, "experiment"],
  planeM: [0.1, "m", 0.05, 0.2, "experiment"],
  /** Least length of a run. */
  runM: [0.6, "m", 0.3, 1.2, "experiment"],
  /**
   * Fronts meet in a corner if their directions have at most this cosine, and each extends this far out of the other's
   * plane.
   */
  crossing: [0.35, "cosine", 0.175, 0.7, "experiment"],
  cornerM: [0.15, "m", 0.075, 0.3, "experiment"],
  /**
   * Fitted furniture stands against a wall: its depth, the least area of wall in one plane behind it, and that wall's
   * greatest vertical offset.
   */
  deepLeastM: [0.15, "m", 0.075, 0.3, "experiment"],
  deepMostM: [0.8, "m", 0.4, 1.6, "experiment"],
  wallM2: [0.05, "m²", 0.025, 0.1, "experiment"],
  beyondM: [0.8, "m", 0.4, 1.6, "experiment"],
  /** Share of outliers at either end of a run. */
  outermost: [0.01, "share", 0.005, 0.02, "experiment"],
  /** Step of the search for a wall's depth. */
  stepM: [0.05, "m", 0.025, 0.1, "experiment"],
});

/** The plane of an upright front: the points whose distance along `way` is `off`. */
export interface Front {
  readonly way: Way;
  readonly off: number;
  /** The voxels in it. */
  readonly voxels: readonly number[];
}

/** A straight stretch of fitted furniture. */
export interface Run {
  readonly voxels: readonly number[];
  readonly front: Front | undefined;
}

/**
 * Fitted furniture split at inner corners, since a box cannot describe a corner. With one front or none it is one
 * run.
 */
export function runsOf(map: VoxelMap, voxels: readonly number[]): Run[] {
  const all = frontsOf(map, voxels);
  const fronts = all.slice(0, 1);
  for (let more = true; more; ) {
    const next = all.find((one) => !fronts.includes(one) && meetsAll(map, one, fronts));
    more = next !== undefined;
    if (next) fronts.push(next);
  }
  if (fronts.length < 2) return [{ voxels, front: fronts[0] }];
  const own = fronts.map((): number[] => []);
  const facing = new Map(fronts.flatMap((front, n) => front.voxels.map((voxel) => [voxel, n] as const)));
  for (const voxel of voxels) own[facing.get(voxel) ?? nearest(map, voxel, fronts)]!.push(voxel);
  return fronts.map((front, n) => ({ voxels: own[n]!, front }));
}

/**
 * How far runs of fitted furniture reach back: to the wall behind each front, along all of it, x y z in sequence. A
 * depth camera sees nothing of a black or polished worktop. The corner between two runs belongs to the one with more
 * front.
 */
export function backsOf(map: VoxelMap, { placeOf }: Surface, runs: readonly Run[]): number[][] {
  const walls = uprightOf(
    map,
    voxelsThat(map, (voxel) => placeOf[voxel] === STRUCTURE),
  );
  const backs = runs.map((run) => wallBehind(map, walls, run));
  return runs.map((_, n) => {
    const back = backs[n];
    if (!back) return [];
    const { way, off, along, z } = back;
    const ends = along.map((at) => [way.x * off - way.y * at, way.y * off + way.x * at, z]);
    const corners = backs.slice(n + 1).flatMap((other) => {
      const across = other ? way.x * other.way.y - way.y * other.way.x : 0;
      if (!other || Math.abs(across) < FRONTS.crossing) return [];
      const x = (off * other.way.y - other.off * way.y) / across;
      const y = (other.off * way.x - off * other.way.x) / across;
      return [[x, y, z]];
    });
    return [...ends, ...corners].flat();
  });
}

/** The plane of a wall behind a front, the range of the run along it, and its centre's height. */
interface Back {
  readonly way: Way;
  readonly off: number;
  readonly along: readonly [from: number, to: number];
  readonly z: number;
}

function wallBehind(map: VoxelMap, walls: Upright, { voxels, front }: Run): Back | undefined {
  if (!front) return undefined;
  const { way } = front;
  const places = voxels.map((voxel) => placeIn(map, voxel, way));
  const along = reachOf(
    Float64Array.from(places, (place) => place.along),
    FRONTS.outermost,
  );
  const up = reachOf(
    Float64Array.from(places, (place) => place.up),
    FRONTS.outermost,
  );
  const steps = new Map<number, number>();
  for (const voxel of facingOf(walls, way)) {
    const place = placeIn(map, voxel, way);
    const deepM = front.off - place.off;
    const isBeside = place.along >= along[0] && place.along <= along[1];
    if (!isBeside || place.up < up[0] - FRONTS.beyondM || place.up > up[1] + FRONTS.beyondM) continue;
    if (deepM < FRONTS.deepLeastM || deepM > FRONTS.deepMostM) continue;
    const step = Math.round(deepM / FRONTS.stepM);
    steps.set(step, (steps.get(step) ?? 0) + 1);
  }
  const around = (step: number) => [-1, 0, 1].reduce((sum, by) => sum + (steps.get(step + by) ?? 0), 0);
  const [best] = [...steps.keys()].sort((a, b) => around(b) - around(a) || a - b);
  if (best === undefined || around(best) * map.sizeM ** 2 < FRONTS.wallM2) return undefined;
  return { way, off: front.off - best * FRONTS.stepM, along, z: (up[0] + up[1]) / 2 };
}

/** The fronts among some points, largest first, each in the plane with the most points. */
function frontsOf(map: VoxelMap, voxels: readonly number[]): Front[] {
  const upright = uprightOf(map, voxels);
  return waysOf(upright, () => true, map.sizeM, FRONTS.frontM2)
    .flatMap((way): Front[] => {
      const facing = facingOf(upright, way).map((voxel) => ({ voxel, ...placeIn(map, voxel, way) }));
      const ranked = facing.sort((a, b) => a.off - b.off);
      let [best, most] = [0, 0];
      for (let from = 0, to = 0; from < ranked.length; from++) {
        while (to < ranked.length && ranked[to]!.off - ranked[from]!.off <= FRONTS.planeM) to++;
        if (to - from > most) [best, most] = [from, to - from];
      }
      const plane = ranked.slice(best, best + most);
      const [from, to] = reachOf(
        Float64Array.from(plane, ({ along }) => along),
        FRONTS.outermost,
      );
      if (most * map.sizeM ** 2 < FRONTS.frontM2 || to - from < FRONTS.runM) return [];
      return [{ way, off: plane[most >> 1]!.off, voxels: plane.map(({ voxel }) => voxel) }];
    })
    .sort((a, b) => b.voxels.length - a.voxels.length);
}

/** Whether a front meets one of these in an inner corner, and none in an outer one, which is the end of a run. */
function meetsAll(map: VoxelMap, front: Front, others: readonly Front[]): boolean {
  const crossing = others.filter(
    ({ way }) => Math.abs(way.x * front.way.x + way.y * front.way.y) < FRONTS.crossing,
  );
  return (
    crossing.length > 0 && crossing.every((one) => standsOut(map, front, one) && standsOut(map, one, front))
  );
}

function standsOut(map: VoxelMap, front: Front, of: Front): boolean {
  const offs = front.voxels.map((voxel) => placeIn(map, voxel, of.way).off).sort((a, b) => a - b);
  return offs[offs.length >> 1]! > of.off + FRONTS.cornerM;
}

/** The front nearest to a point behind it, else in front of it. */
function nearest(map: VoxelMap, voxel: number, fronts: readonly Front[]): number {
  const away = fronts.map(({ way, off }) => {
    const deepM = off - placeIn(map, voxel, way).off;
    // A point in front of a front belongs to it only if no other front claims it.
    return deepM >= 0 ? deepM : FRONTS.deepMostM - deepM;
  });
  return away.indexOf(Math.min(...away));
}
