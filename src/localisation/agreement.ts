import { apply, type Intrinsics, invert, type Transform } from "../geometry/index.ts";
import type { DepthImage } from "../schema/core.ts";
import { BELIEVED } from "./settings.ts";
import type { Surfels } from "./surfels.ts";

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
  for (const [x, y, z] of surfels.facing(worldFromCamera.p.x, worldFromCamera.p.y, BELIEVED.mostCompared)) {
    const at = apply(cameraFromWorld, { x, y, z });
    if (at.z < BELIEVED.nearM || at.z > BELIEVED.farM) continue;
    const [u, v] = [Math.round((fx * at.x) / at.z + cx), Math.round((fy * at.y) / at.z + cy)];
    if (u < 0 || v < 0 || u >= depth.width || v >= depth.height) continue;
    const measuredM = depth.data[v * depth.width + u]! * depth.unitM;
    if (measuredM === 0) continue;
    tested++;
    const withinM = BELIEVED.metM + BELIEVED.metShare * at.z;
    if (Math.abs(measuredM - at.z) <= withinM) met++;
    else if (measuredM > at.z) through++;
  }
  return { tested, met, through };
}

/** Whether a frame can hardly have been taken there: it sees through walls that should block its view. */
export function contradicts({ met, through }: Agreement): boolean {
  return met + through >= BELIEVED.leastCompared && through > BELIEVED.throughShare * (met + through);
}

/** Whether it shows what should be there: so many walls do not match by chance. */
export function confirms({ tested, met, through }: Agreement): boolean {
  return (
    met >= BELIEVED.confirmedLeast && met >= BELIEVED.confirmedShare * (met + through) && met >= tested / 2
  );
}
