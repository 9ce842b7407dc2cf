import {
  apply,
  type Box,
  boxesIntersect,
  coneBounds,
  coneContains,
  distance,
  distanceToBox,
  type FrameGraph,
  frustumBounds,
  frustumContains,
  polygonBounds,
  polygonContains,
  transformCone,
  transformFrustum,
  type Vec3,
} from "../geometry/index.ts";
import { LociError, WORLD_FRAME } from "../schema/core.ts";
import type { DistanceMetric, SpaceKey } from "./request.ts";

/**
 * A space key prepared for one map revision: everything in the world frame, an axis-aligned bound that contains every
 * match (for indexes), the exact test, and the distance if there is a point to measure from.
 */
export interface SpaceTest {
  /** Null: anywhere. A match's box intersects it. */
  readonly bounds: Box | null;
  readonly metric: DistanceMetric;
  readonly from: Vec3 | null;
  readonly maxM: number;
  accepts(centre: Vec3, box: Box): boolean;
  distanceM(centre: Vec3, box: Box): number;
}

const ANYWHERE = Number.POSITIVE_INFINITY;

export function spaceTest(key: SpaceKey, frames: FrameGraph, revision: number | undefined): SpaceTest {
  switch (key.type) {
    case "box":
      return test({ min: key.min, max: key.max }, null, "box", ANYWHERE, (_, box) =>
        boxesIntersect(key, box),
      );
    case "region":
      return test(polygonBounds(key), null, "centre", ANYWHERE, (centre) => polygonContains(key, centre));
    case "radius":
    case "nearest": {
      const from = apply(
        worldFrom(key.frame, frames, revision),
        key.type === "radius" ? key.centre : key.point,
      );
      const maxM = key.type === "radius" ? key.radiusM : (key.maxM ?? ANYWHERE);
      const metric = key.metric ?? "box";
      return test(maxM === ANYWHERE ? null : cube(from, maxM), from, metric, maxM);
    }
    case "cone": {
      const cone = transformCone(worldFrom(key.frame, frames, revision), key);
      return test(coneBounds(cone), cone.apex, "centre", cone.rangeM, (centre) => coneContains(cone, centre));
    }
    case "frustum": {
      const frustum = transformFrustum(worldFrom(key.frame, frames, revision), key);
      const inside = (centre: Vec3) => frustumContains(frustum, centre);
      return test(frustumBounds(frustum), frustum.worldFromCamera.p, "centre", ANYWHERE, inside);
    }
  }
}

function test(
  bounds: Box | null,
  from: Vec3 | null,
  metric: DistanceMetric,
  maxM: number,
  inside?: (centre: Vec3, box: Box) => boolean,
): SpaceTest {
  const distanceM = (centre: Vec3, box: Box) => {
    if (from === null) return Number.NaN;
    return metric === "box" ? distanceToBox(from, box) : distance(from, centre);
  };
  return {
    bounds,
    from,
    metric,
    maxM,
    distanceM,
    accepts: inside ?? ((centre, box) => distanceM(centre, box) <= maxM),
  };
}

/** A little wider than the sphere, so that rounding never puts a match outside of its own bound. */
function cube(centre: Vec3, radiusM: number): Box {
  const half = radiusM * (1 + 1e-12) + 1e-7;
  return {
    min: { x: centre.x - half, y: centre.y - half, z: centre.z - half },
    max: { x: centre.x + half, y: centre.y + half, z: centre.z + half },
  };
}

function worldFrom(frame: string | undefined, frames: FrameGraph, revision: number | undefined) {
  const found = frames.resolve(WORLD_FRAME, frame ?? WORLD_FRAME, revision === undefined ? {} : { revision });
  if (found === undefined) {
    throw new LociError(
      "invalid-input",
      `space.frame: "${frame}" is not connected to the world frame at this map revision`,
    );
  }
  return found;
}
