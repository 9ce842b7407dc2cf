import type { Vec3 } from "../../geometry/index.ts";
import type { Placement } from "../house/types.ts";
import { cosOfStep, sinOfStep, stepTowards, yawOfStep } from "../house/yaw.ts";
import type { DistanceM, Viewpoint } from "./evidence-path.ts";
import type { FreeSpace } from "./free-space.ts";
import { distanceField, pathLengthM, pathTo } from "./geodesic.ts";

export interface ViewpointOptions {
  /** Distance to the target on the floor; docs/formulas.md#questions asks for 0.5–4. */
  readonly minM?: number;
  readonly maxM?: number;
  /** Height of the eye above the floor; default 1.5. */
  readonly eyeM?: number;
}

/** Whether a target is sufficiently visible (≥ 60 px) from an eye with a heading; the renderer implements it. */
export type VisibleFrom = (eyeInWorld: Vec3, yawRad: number) => boolean;

/**
 * Standing places from which a target is visible: rings of 24 headings around it, 0.5 m apart in distance, on free
 * floor, facing the target, and confirmed by the callback.
 */
export function viewpointsOf(
  space: FreeSpace,
  target: Placement,
  visible: VisibleFrom,
  options: ViewpointOptions = {},
): Viewpoint[] {
  const { minM = 0.5, maxM = 4, eyeM = 1.5 } = options;
  const found: Viewpoint[] = [];
  const floorZ = space.pointOf(
    Math.max(0, space.nodeAt({ ...target.centre, z: target.centre.z - target.extent.z / 2 })),
  ).z;
  for (let radius = minM; radius <= maxM + 1e-9; radius += 0.5) {
    for (let step = 0; step < 24; step++) {
      const position = {
        x: target.centre.x + radius * cosOfStep(step),
        y: target.centre.y + radius * sinOfStep(step),
        z: floorZ,
      };
      if (!space.isFree(position)) continue;
      const yawRad = yawOfStep(stepTowards(target.centre.x - position.x, target.centre.y - position.y));
      if (visible({ ...position, z: floorZ + eyeM }, yawRad)) found.push({ position, yawRad });
    }
  }
  return found;
}

/** Geodesic distances that run one search per start point, however many targets follow. */
export function geodesicTable(space: FreeSpace): DistanceM {
  const fields = new Map<number, ReturnType<typeof distanceField>>();
  return (a, b) => {
    const from = space.nearestFree(a);
    const to = space.nearestFree(b);
    if (from < 0 || to < 0) return Infinity;
    let field = fields.get(from);
    if (field === undefined) {
      field = distanceField(space, from);
      fields.set(from, field);
    }
    const path = pathTo(space, field, to);
    return path === undefined ? Infinity : pathLengthM(path);
  };
}
