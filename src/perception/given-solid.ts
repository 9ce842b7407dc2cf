import { apply, type Box, centreOf, compose, invert, transformBox, type Vec3 } from "../geometry/index.ts";
import type { LiftedSolid } from "../schema/core.ts";
import type { FramePlace, PosedFrame } from "./posed-frame.ts";

/** A detector that places things itself is believed to this far, and as much as this many pixels with a depth. */
const SD_M = 0.05;
const POINTS = 64;

/** The solid of a box that the detector placed in the map itself, moved with the frame wherever that was laid. */
export function givenSolid(box: Box, frame: PosedFrame, place: FramePlace): LiftedSolid | undefined {
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

/** One point on each face, x y z after each other. */
function faceCentres({ min, max }: Box, { x, y, z }: Vec3): number[] {
  return [min.x, y, z, max.x, y, z, x, min.y, z, x, max.y, z, x, y, min.z, x, y, max.z];
}
