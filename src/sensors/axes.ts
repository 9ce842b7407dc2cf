import {
  compose,
  fromAxisAngle,
  type Quat,
  rotate,
  type Transform,
  type Vec3,
  ZERO,
} from "../geometry/index.ts";
import type { ReadOptions, WorldUp } from "./options.ts";

/** A camera that looks along the +X of its body: optical +Z is forward, +X right, +Y down. */
export const BODY_FROM_OPTICAL: Transform = { p: ZERO, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } };
/** OpenGL, Blender, nerfstudio: −Z forward, +Y up. */
const OPENGL_FROM_OPTICAL: Transform = { p: ZERO, q: { w: 0, x: 1, y: 0, z: 0 } };
const X: Vec3 = { x: 1, y: 0, z: 0 };
const Y: Vec3 = { x: 0, y: 1, z: 0 };
const IDENTITY_Q: Quat = { w: 1, x: 0, y: 0, z: 0 };

const Z_UP_FROM: Readonly<Record<WorldUp, Quat>> = {
  z: IDENTITY_Q,
  "-z": { w: 0, x: 1, y: 0, z: 0 },
  y: fromAxisAngle(X, Math.PI / 2),
  "-y": fromAxisAngle(X, -Math.PI / 2),
  x: fromAxisAngle(Y, -Math.PI / 2),
  "-x": fromAxisAngle(Y, Math.PI / 2),
};

/** How clearly one axis must win to count as up. */
const CLEAR = 0.6;
const POSES_LOOKED_AT = 2_000;

/** worldFromCamera in our convention, from the files' convention. */
export function upright(
  filesWorldFromCamera: Transform,
  camera: NonNullable<ReadOptions["cameraAxes"]>,
  up: WorldUp,
): Transform {
  const cameraFromOptical =
    camera === "opengl" ? OPENGL_FROM_OPTICAL : camera === "body" ? BODY_FROM_OPTICAL : null;
  const inFiles = cameraFromOptical ? compose(filesWorldFromCamera, cameraFromOptical) : filesWorldFromCamera;
  return up === "z" ? inFiles : compose({ p: ZERO, q: Z_UP_FROM[up] }, inFiles);
}

/**
 * The up axis, from how the camera was held: people and robots keep the top of the picture roughly up, so the mean
 * picture-up direction lies near one world axis. Undefined if no axis clearly wins (a camera that looks down, or was
 * rotated).
 */
export function detectWorldUp(
  poses: Iterable<Transform>,
  camera: NonNullable<ReadOptions["cameraAxes"]>,
): WorldUp | undefined {
  const mean = { x: 0, y: 0, z: 0 };
  let count = 0;
  for (const pose of poses) {
    if (++count > POSES_LOOKED_AT) break;
    const up = rotate(upright(pose, camera, "z").q, { x: 0, y: -1, z: 0 });
    mean.x += up.x;
    mean.y += up.y;
    mean.z += up.z;
  }
  if (count === 0) return undefined;
  const axes = (["x", "y", "z"] as const).map((axis) => ({
    axis,
    share: mean[axis] / Math.min(count, POSES_LOOKED_AT),
  }));
  const [best, second] = axes.sort((a, b) => Math.abs(b.share) - Math.abs(a.share));
  if (!best || !second || Math.abs(best.share) < CLEAR || Math.abs(best.share) < 1.3 * Math.abs(second.share))
    return undefined;
  return best.share > 0 ? best.axis : `-${best.axis}`;
}
