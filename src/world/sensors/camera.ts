import type { Intrinsics, Transform, Vec3 } from "../../geometry/index.ts";
import { fromMatrix } from "../../geometry/index.ts";
import { sinCos } from "./exact-trig.ts";

/** A pinhole camera on a mast, as docs/formulas.md#simulator describes it. */
export interface CameraSpec {
  readonly width: number;
  readonly height: number;
  readonly horizontalFovRad: number;
  /** Of the optical centre above the floor that the body stands on. */
  readonly heightM: number;
  /** Negative looks down. */
  readonly tiltRad: number;
}

/** The paper's camera at the size that tests use. */
export const DEFAULT_CAMERA: CameraSpec = {
  width: 160,
  height: 120,
  horizontalFovRad: (120 * Math.PI) / 180,
  heightM: 1.5,
  tiltRad: (-30 * Math.PI) / 180,
};

/** Square pixels, the principal point in the middle of the image. */
export function intrinsicsOf(camera: CameraSpec): Intrinsics {
  const { sin, cos } = sinCos(camera.horizontalFovRad / 2);
  const focal = (camera.width / 2) * (cos / sin);
  return {
    fx: focal,
    fy: focal,
    cx: camera.width / 2,
    cy: camera.height / 2,
    width: camera.width,
    height: camera.height,
  };
}

/** An optical frame (+Z forward, +X right, +Y down) at a point of the world that looks along a heading and a tilt. */
export function worldFromOptical(positionInWorld: Vec3, yawRad: number, tiltRad: number): Transform {
  const yaw = sinCos(yawRad);
  const tilt = sinCos(tiltRad);
  const forward = { x: yaw.cos * tilt.cos, y: yaw.sin * tilt.cos, z: tilt.sin };
  const right = { x: yaw.sin, y: -yaw.cos, z: 0 };
  const down = { x: yaw.cos * tilt.sin, y: yaw.sin * tilt.sin, z: -tilt.cos };
  // biome-ignore format: a matrix reads by rows
  const q = fromMatrix([
    right.x, down.x, forward.x,
    right.y, down.y, forward.y,
    right.z, down.z, forward.z,
  ]);
  return { p: positionInWorld, q };
}

/** Where the camera is when its body stands at a point of the floor. */
export function worldFromCameraOf(camera: CameraSpec, bodyInWorld: Vec3, yawRad: number): Transform {
  const eye = { x: bodyInWorld.x, y: bodyInWorld.y, z: bodyInWorld.z + camera.heightM };
  return worldFromOptical(eye, yawRad, camera.tiltRad);
}
