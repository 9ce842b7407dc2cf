import { apply, type Intrinsics, invert, type Transform } from "../geometry/index.ts";
import type { DepthImage } from "../schema/core.ts";
import type { Surfels } from "./surfels.ts";

/** Most surfels that a frame is compared with, and the least number in view for a verdict. */
const MOST = 4_000;
const LEAST = 25;
const NEAR_M = 0.3;
const FAR_M = 5;
/** A surface is confirmed within this distance, plus a share of its range. */
const MET_M = 0.2;
const MET_SHARE = 0.06;
/** A frame contradicts the map if it sees through this share of the surfaces that it confirms or sees through. */
const THROUGH = 0.4;
/** … and confirms its pose if it confirms this many. */
const LEAST_MET = 120;
const CONFIRMS = 0.8;

/** How a frame agrees with the surfaces that should be in its view. */
export interface Agreement {
  readonly tested: number;
  readonly met: number;
  readonly through: number;
}

/** Compares a depth image with surfaces seen before, from its estimated pose. */
export function agreementOf(
  surfels: Surfels,
  worldFromCamera: Transform,
  depth: DepthImage,
  { fx, fy, cx, cy }: Intrinsics,
): Agreement {
  const cameraFromWorld = invert(worldFromCamera);
  let [tested, met, through] = [0, 0, 0];
  for (const [x, y, z] of surfels.facing(worldFromCamera.p.x, worldFromCamera.p.y, MOST)) {
    const at = apply(cameraFromWorld, { x, y, z });
    if (at.z < NEAR_M || at.z > FAR_M) continue;
    const [u, v] = [Math.round((fx * at.x) / at.z + cx), Math.round((fy * at.y) / at.z + cy)];
    if (u < 0 || v < 0 || u >= depth.width || v >= depth.height) continue;
    const measuredM = depth.data[v * depth.width + u]! * depth.unitM;
    if (measuredM === 0) continue;
    tested++;
    const withinM = MET_M + MET_SHARE * at.z;
    if (Math.abs(measuredM - at.z) <= withinM) met++;
    else if (measuredM > at.z) through++;
  }
  return { tested, met, through };
}

/** Whether a frame can hardly have been taken there: it sees through walls that should block its view. */
export function contradicts({ met, through }: Agreement): boolean {
  return met + through >= LEAST && through > THROUGH * (met + through);
}

/** Whether it shows what should be there: so many walls do not match by chance. */
export function confirms({ tested, met, through }: Agreement): boolean {
  return met >= LEAST_MET && met >= CONFIRMS * (met + through) && met >= tested / 2;
}
