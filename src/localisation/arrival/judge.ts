import { compose, invert, type Transform, toMatrix } from "../../geometry/index.ts";
import type { ArrivalView, Cloud } from "./cloud.ts";
import type { CellGrid } from "./grid.ts";
import type { Level } from "./level.ts";
import { ARRIVAL } from "./settings.ts";

/** How a recording's frames judge a candidate pose. */
export interface Verdict {
  /** Known points that the frames confirm, and those that they see through. */
  readonly met: number;
  readonly through: number;
  /** Of the arriving points well within the known area, the share on a known surface. */
  readonly explained: number;
  /** Correlation of brightness on matching surfaces, -1 to 1; 0 without colour. */
  readonly alike: number;
}

const POINTS = 6_000;

export function transformOf({ yawRad, x, y, z }: Level): Transform {
  return { p: { x, y, z }, q: { w: Math.cos(yawRad / 2), x: 0, y: 0, z: Math.sin(yawRad / 2) } };
}

/** Compares the frames with the known points, and the arriving points with the known surfaces. */
export function judgeArrival(
  known: Cloud,
  grid: CellGrid,
  arriving: Cloud,
  views: readonly ArrivalView[],
  pose: Level,
): Verdict {
  const knownFromArriving = transformOf(pose);
  let [met, through] = [0, 0];
  const stride = Math.max(1, Math.floor(known.count / POINTS));
  const seenMet = new Uint8Array(known.count);
  const seenThrough = new Uint8Array(known.count);
  for (const { worldFromCamera, intrinsics, depth } of views) {
    const { p, q } = invert(compose(knownFromArriving, worldFromCamera));
    const m = toMatrix(q);
    const [sx, sy] = [depth.width / intrinsics.width, depth.height / intrinsics.height];
    const { fx, fy, cx, cy } = intrinsics;
    for (let i = 0; i < known.count; i += stride) {
      const [x, y, z] = [known.points[3 * i]!, known.points[3 * i + 1]!, known.points[3 * i + 2]!];
      const cz = m[6] * x + m[7] * y + m[8] * z + p.z;
      if (cz < 0.3 || cz > 4.5) continue;
      const u = Math.floor(((fx * (m[0] * x + m[1] * y + m[2] * z + p.x)) / cz + cx) * sx);
      const v = Math.floor(((fy * (m[3] * x + m[4] * y + m[5] * z + p.y)) / cz + cy) * sy);
      if (u < 0 || v < 0 || u >= depth.width || v >= depth.height) continue;
      const measured = depth.data[v * depth.width + u]! * depth.unitM;
      if (measured === 0) continue;
      const within = ARRIVAL.metM + ARRIVAL.metShare * cz;
      if (Math.abs(measured - cz) <= within) seenMet[i]! |= 1;
      else if (measured > cz + ARRIVAL.throughTimes * within)
        seenThrough[i] = Math.min(255, seenThrough[i]! + 1);
    }
  }
  for (let i = 0; i < known.count; i += stride) {
    if (seenMet[i]) met++;
    else if (seenThrough[i]! > 1) through++;
  }
  return { met: met * stride, through: through * stride, ...lying(known, grid, arriving, pose) };
}

function lying(
  known: Cloud,
  grid: CellGrid,
  arriving: Cloud,
  { yawRad, x, y, z }: Level,
): Pick<Verdict, "explained" | "alike"> {
  const [cos, sin] = [Math.cos(yawRad), Math.sin(yawRad)];
  const stride = Math.max(1, Math.floor(arriving.count / POINTS));
  let [asked, on] = [0, 0];
  let [n, a, b, aa, ab, bb] = [0, 0, 0, 0, 0, 0];
  for (let i = 0; i < arriving.count; i += stride) {
    const [px, py] = [arriving.points[3 * i]!, arriving.points[3 * i + 1]!];
    const at = [cos * px - sin * py + x, sin * px + cos * py + y, arriving.points[3 * i + 2]! + z] as const;
    asked++;
    const near = grid.nearest(...at, ARRIVAL.fit.lastReachM);
    if (near < 0) continue;
    on++;
    const [p, q] = [known.luma[near]!, arriving.luma[i]!];
    if (p < 0 || q < 0) continue;
    n++;
    a += p;
    b += q;
    aa += p * p;
    ab += p * q;
    bb += q * q;
  }
  const [va, vb] = [aa - (a * a) / n, bb - (b * b) / n];
  const alike = n > 50 && va > 0 && vb > 0 ? (ab - (a * b) / n) / Math.sqrt(va * vb) : 0;
  return { explained: asked === 0 ? 0 : on / asked, alike };
}
