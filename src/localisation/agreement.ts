import { apply, type Intrinsics, invert, type Transform } from "../geometry/index.ts";
import type { DepthImage } from "../schema/core.ts";
import type { Surfels } from "./surfels.ts";

/** Pieces of surface that a frame is held against, and those that must be in view for it to say anything. */
const MOST = 4_000;
const LEAST = 25;
const NEAR_M = 0.3;
const FAR_M = 5;
/** A surface is met within this, and a share of its distance. */
const MET_M = 0.2;
const MET_SHARE = 0.06;
/** A frame contradicts what is known where it sees through this share of what it does not merely look past. */
const THROUGH = 0.4;
/** … and confirms where it was taken where it meets so much of it. */
const LEAST_MET = 120;
const CONFIRMS = 0.8;

/** What a frame shows of the surfaces that should be in view of it. */
export interface Agreement {
  readonly tested: number;
  readonly met: number;
  readonly through: number;
}

/** Holds a depth image against surfaces seen before, from where it is believed to have been taken. */
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

/** Whether a frame can hardly have been taken from there: it sees through walls that should be in its way. */
export function contradicts({ met, through }: Agreement): boolean {
  return met + through >= LEAST && through > THROUGH * (met + through);
}

/** Whether it shows what should be there: no chance puts so many walls into their places. */
export function confirms({ tested, met, through }: Agreement): boolean {
  return met >= LEAST_MET && met >= CONFIRMS * (met + through) && met >= tested / 2;
}
