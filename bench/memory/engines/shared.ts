import { readdirSync, statSync } from "node:fs";
import { join } from "node:path";
import { FUSED_CONSTANT, FUSED_POOL, type QueryArgs } from "../workload.ts";

/** A row without its vector, as engines hand it back. */
export interface Found {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly z: number;
}

export type Bounds = NonNullable<QueryArgs["box"]>;

/** Stands for "still so" in engines that compare plain numbers: the greatest exact integer. */
export const OPEN_US = Number.MAX_SAFE_INTEGER;

/** Longest interval of each duration class, in microseconds; the last holds those still so. */
export const CLASS_LONGEST_US = [60e6, 1_800e6, 43_200e6, 20 * 86_400e6 + 1e6, null] as const;

/**
 * Interval overlap through B-trees: long intervals are kept apart from short ones, so that a window needs only
 * one short range of starts in each class. Any of these engines may do this; without it they read half a table.
 */
export function classOf(fromUs: number, toUs: number | null): number {
  if (toUs === null) return CLASS_LONGEST_US.length - 1;
  return CLASS_LONGEST_US.findIndex((longest) => longest === null || toUs - fromUs <= longest);
}

/** The range of starts that can overlap a window, for each class. */
export function startRanges(window: NonNullable<QueryArgs["window"]>) {
  return CLASS_LONGEST_US.map((longest, number) => ({
    number,
    after: longest === null ? 0 : window.fromUs - longest,
    before: window.toUs,
  }));
}

/** Vector as little-endian float32 bytes. */
export function bytesOf(vector: Float32Array): Uint8Array {
  return new Uint8Array(vector.buffer, vector.byteOffset, vector.byteLength);
}

export function cubeAround(point: readonly number[], radiusM: number): Bounds {
  const [x, y, z] = point as [number, number, number];
  return {
    min: [x - radiusM, y - radiusM, z - radiusM],
    max: [x + radiusM, y + radiusM, z + radiusM],
  };
}

/** Rows within the radius, nearest first. */
export function byDistance<F extends Found>(
  rows: readonly F[],
  point: readonly number[],
  radiusM: number,
  limit: number,
): F[] {
  const [x, y, z] = point as [number, number, number];
  return rows
    .map((row) => ({ row, distance: Math.hypot(row.x - x, row.y - y, row.z - z) }))
    .filter(({ distance }) => distance <= radiusM)
    .sort((a, b) => a.distance - b.distance || a.row.id - b.row.id)
    .slice(0, limit)
    .map(({ row }) => row);
}

/** The nearest rows by boxes that grow until enough rows lie within the sphere inside the box. */
export async function growingNearest(
  args: QueryArgs,
  inBox: (bounds: Bounds) => Found[] | Promise<Found[]>,
): Promise<number[]> {
  for (let radiusM = 4; ; radiusM *= 2.5) {
    const rows = await inBox(cubeAround(args.point!, radiusM));
    const near = byDistance(rows, args.point!, radiusM, args.limit);
    if (near.length >= args.limit || radiusM > 4_000) return near.map(({ id }) => id);
  }
}

/** Reciprocal-rank fusion of lists that are best first, ties by number. */
export function fuse(lists: readonly (readonly number[])[], limit: number): number[] {
  const scores = new Map<number, number>();
  for (const list of lists) {
    list.slice(0, FUSED_POOL).forEach((id, rank) => {
      scores.set(id, (scores.get(id) ?? 0) + 1 / (FUSED_CONSTANT + rank + 1));
    });
  }
  const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  return best.slice(0, limit).map(([id]) => id);
}

export async function folderBytes(folder: string): Promise<number> {
  let bytes = 0;
  for (const entry of readdirSync(folder, { recursive: true, withFileTypes: true })) {
    if (entry.isFile()) bytes += statSync(join(entry.parentPath, entry.name)).size;
  }
  return bytes;
}

/** Why a package of bench/package.json cannot be used, or null. */
export async function packageMissing(name: string): Promise<string | null> {
  try {
    await import(name);
    return null;
  } catch (error) {
    const said = error instanceof Error ? error.message.split("\n")[0]! : String(error);
    return `${name} does not load (npm run bench:setup installs it): ${said}`;
  }
}
