import { apply, type Box, centreOf, compose, invert, transformBox, type Vec3 } from "../geometry/index.ts";
import type { Frame, FramePlace, LiftedSolid } from "../schema/core.ts";

/** Assumed standard deviation of a detector that places things itself, and the number of depth pixels it is worth. */
const SD_M = 0.05;
const POINTS = 64;

/** The solid of a box that the detector placed in the map itself, transformed with the frame's final pose. */
export function givenSolid(box: Box, frame: Frame, place: FramePlace): LiftedSolid | undefined {
  const { worldFromCamera } = frame;
  if (worldFromCamera === undefined) return undefined;
  const cameraFromMap = invert(worldFromCamera);
  const moved = transformBox(compose(place.submapFromCamera, cameraFromMap), box);
  const centroid = centreOf(moved);
  return {
    centroid,
    box: moved,
    sdM: SD_M,
    depthM: apply(cameraFromMap, centreOf(box)).z,
    count: POINTS,
    samples: Float32Array.from(faceCentres(moved, centroid)),
  };
}

/** One point on each face, x y z in sequence. */
function faceCentres({ min, max }: Box, { x, y, z }: Vec3): number[] {
  return [min.x, y, z, max.x, y, z, x, min.y, z, x, max.y, z, x, y, min.z, x, y, max.z];
}
