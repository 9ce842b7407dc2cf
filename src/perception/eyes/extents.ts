import { settings } from "../../schema/settings.ts";
import { reachOf } from "./spans.ts";
import type { VoxelMap } from "./voxels.ts";

/** Value, unit, minimum, maximum, source. */
const EXTENTS = settings("eyes.extents", {
  /** Directions around the vertical in which a thing is measured: every 22.5°, including the axes. */
  ways: [16, "count", 8, 32, "experiment"],
  /** Share of a thing's points beyond its extent in each direction: specks at its rim. */
  beyond: [0.01, "share", 0.005, 0.02, "experiment"],
  /** Most points measured of a larger thing. */
  most: [1_500, "count", 750, 3_000, "limit"],
  /** Distance of the outermost voxel centres of a surface inside it, as a share of a voxel. */
  within: [0.25, "voxels", 0.125, 0.5, "experiment"],
});

/**
 * Points that describe the extent of voxels, and some points beside them, in all directions, x y z in sequence. Along
 * any axes the box of these points equals the box of the voxels, to one percent.
 */
export function extentOf(
  { columns: { point, weight }, sizeM }: VoxelMap,
  all: readonly number[],
  beside: readonly number[] = [],
): Float32Array {
  const step = Math.ceil(all.length / EXTENTS.most);
  const voxels = step > 1 ? all.filter((_, n) => n % step === 0) : all;
  const at = (voxel: number, k: number) => point[3 * voxel + k]! / weight[voxel]!;
  const [low, high] = reachOf(
    Float64Array.from(voxels, (voxel) => at(voxel, 2)),
    EXTENTS.beyond,
  );
  const ways = Array.from({ length: EXTENTS.ways / 2 }, (_, n) => {
    const [x, y] = [Math.cos((2 * Math.PI * n) / EXTENTS.ways), Math.sin((2 * Math.PI * n) / EXTENTS.ways)];
    const reach = reachOf(
      Float64Array.from(voxels, (voxel) => x * at(voxel, 0) + y * at(voxel, 1)),
      EXTENTS.beyond,
    );
    return { x, y, reach };
  });
  const own = voxels.filter((voxel) => {
    const [x, y] = [at(voxel, 0), at(voxel, 1)];
    return ways.every((way) => isWithin(way.x * x + way.y * y, way.reach));
  });
  const moreM = EXTENTS.within * sizeM;
  const middleZ = (low + high) / 2;
  const out: number[] = [];
  for (const { x, y, reach } of ways)
    for (const [sign, farthest] of [
      [-1, reach[0]],
      [1, reach[1]],
    ] as const) {
      const off = (voxel: number) => Math.abs(x * at(voxel, 0) + y * at(voxel, 1) - farthest);
      const tip = own.reduce((best, voxel) => (off(voxel) < off(best) ? voxel : best), own[0] ?? voxels[0]!);
      out.push(at(tip, 0) + sign * moreM * x, at(tip, 1) + sign * moreM * y, middleZ);
    }
  const [firstX, firstY] = out;
  return Float32Array.from([
    ...out,
    firstX!,
    firstY!,
    low - moreM,
    firstX!,
    firstY!,
    high + moreM,
    ...beside,
  ]);
}

function isWithin(value: number, [from, to]: readonly [number, number]): boolean {
  return value >= from && value <= to;
}
