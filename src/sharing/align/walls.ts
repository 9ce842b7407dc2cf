import type { FloorRaster } from "../../map/index.ts";

/** Cells on each side of a wall's cell in which its direction is measured: half a metre of wall either way. */
const REACH_CELLS = 5;
/** Fewer cells than this have no direction. */
const MIN_CELLS = 5;
/** The second axis of a straight wall segment is at most this much of its first, in variance. */
const STRAIGHT = 0.15;

/** Centres of the wall cells, and the normal of each; corners have none (0, 0). */
export interface WallPoints {
  readonly count: number;
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly nx: Float32Array;
  readonly ny: Float32Array;
}

export function wallPointsOf(floor: FloorRaster): WallPoints {
  const { wall, width, height, originX, originY, cellM } = floor;
  const cells: number[] = [];
  for (let at = 0; at < wall.length; at++) if (wall[at]) cells.push(at);
  const count = cells.length;
  const [x, y, nx, ny] = Array.from({ length: 4 }, () => new Float32Array(count)) as [
    Float32Array,
    Float32Array,
    Float32Array,
    Float32Array,
  ];
  for (const [i, at] of cells.entries()) {
    const [column, row] = [at % width, Math.floor(at / width)];
    x[i] = originX + (column + 0.5) * cellM;
    y[i] = originY + (row + 0.5) * cellM;
    const facing = facingOf(wall, width, height, column, row);
    if (facing) [nx[i], ny[i]] = facing;
  }
  return { count, x, y, nx, ny };
}

/** The lesser principal axis of the wall's cells around one of them. */
function facingOf(
  wall: Uint8Array,
  width: number,
  height: number,
  column: number,
  row: number,
): [number, number] | undefined {
  let [n, sx, sy, xx, xy, yy] = [0, 0, 0, 0, 0, 0];
  for (let dy = -REACH_CELLS; dy <= REACH_CELLS; dy++)
    for (let dx = -REACH_CELLS; dx <= REACH_CELLS; dx++) {
      const [c, r] = [column + dx, row + dy];
      if (c < 0 || r < 0 || c >= width || r >= height || !wall[r * width + c]) continue;
      n++;
      sx += dx;
      sy += dy;
      xx += dx * dx;
      xy += dx * dy;
      yy += dy * dy;
    }
  if (n < MIN_CELLS) return undefined;
  const [a, b, d] = [xx / n - (sx / n) ** 2, xy / n - (sx * sy) / n ** 2, yy / n - (sy / n) ** 2];
  const [half, root] = [(a + d) / 2, Math.hypot((a - d) / 2, b)];
  if (half - root > STRAIGHT * (half + root)) return undefined;
  const along = Math.atan2(2 * b, a - d) / 2;
  return [-Math.sin(along), Math.cos(along)];
}

/** The direction of a house's walls modulo a right angle, and how far they agree on it: 0 not at all, 1 wholly. */
export function directionOf(points: readonly WallPoints[]): {
  readonly yawRad: number;
  readonly agreed: number;
} {
  let [cos, sin, n] = [0, 0, 0];
  for (const { count, nx, ny } of points)
    for (let i = 0; i < count; i++) {
      if (nx[i] === 0 && ny[i] === 0) continue;
      const angle = 4 * Math.atan2(ny[i]!, nx[i]!);
      cos += Math.cos(angle);
      sin += Math.sin(angle);
      n++;
    }
  return { yawRad: Math.atan2(sin, cos) / 4, agreed: n === 0 ? 0 : Math.hypot(cos, sin) / n };
}
