import { link, writeFile } from "node:fs/promises";
import { join } from "node:path";
import {
  fromAxisAngle,
  multiply,
  type Quat,
  rotate,
  type Transform,
  toMatrix4,
  type Vec3,
} from "../../geometry/index.ts";
import { encodePng } from "../png.ts";

export const SIZE = { width: 48, height: 36 };
export const CAMERA = { fx: 40, fy: 40, cx: 23.5, cy: 17.5 };
/** Half the room; y is down, as in most poses of hand-held cameras. */
export const ROOM: Vec3 = { x: 2, y: 1.2, z: 2.5 };

/** A walk through a room with changing view directions. */
export const POSES = Array.from({ length: 24 }, (_, n): Transform => {
  const turn = fromAxisAngle({ x: 0, y: 1, z: 0 }, 0.12 * n);
  return { p: { x: Math.sin(0.4 * n), y: 0.1 * Math.cos(n), z: 0.8 * Math.cos(0.3 * n) }, q: turn };
});

/** The depths along the optical axis that a camera in the room measures, in metres. */
function depthsFrom(worldFromCamera: Transform, times: number): number[] {
  const width = times * SIZE.width;
  return Array.from({ length: width * times * SIZE.height }, (_, at) => {
    const [u, v] = [((at % width) + 0.5) / times - 0.5, (Math.floor(at / width) + 0.5) / times - 0.5];
    const ray = rotate(worldFromCamera.q, {
      x: (u - CAMERA.cx) / CAMERA.fx,
      y: (v - CAMERA.cy) / CAMERA.fy,
      z: 1,
    });
    const reach = (["x", "y", "z"] as const).map((axis) => {
      if (ray[axis] === 0) return Infinity;
      return (Math.sign(ray[axis]) * ROOM[axis] - worldFromCamera.p[axis]) / ray[axis];
    });
    return Math.min(...reach);
  });
}

/** How the files of a room differ from what a layout of 7-Scenes holds. */
export interface RoomFiles {
  readonly pose?: ((given: Transform, n: number) => Transform | undefined) | undefined;
  /** Metres in one step of depth. */
  readonly stepM?: number | undefined;
  readonly depthM?: ((given: number) => number) | undefined;
  readonly camera?: typeof CAMERA | undefined;
  /** How the camera is turned in the hand. */
  readonly held?: Quat | undefined;
  /** How many times finer depth and colour are than `SIZE`. */
  readonly times?: number | undefined;
  /** Grey of all pixels. */
  readonly grey?: number | undefined;
  /** How many times finer colour is than depth. */
  readonly finer?: number | undefined;
  readonly frames?: number | undefined;
}

/** The same camera for pictures of more pixels. */
export function finerBy({ fx, fy, cx, cy }: typeof CAMERA, times: number): typeof CAMERA {
  return { fx: times * fx, fy: times * fy, cx: times * (cx + 0.5) - 0.5, cy: times * (cy + 0.5) - 0.5 };
}

/** Writes a walk through a room of four walls; frames beyond the walk repeat it by links to its files. */
export async function writeRoom(
  folder: string,
  {
    pose = (given) => given,
    stepM = 0.001,
    depthM = (given) => given,
    times = 1,
    camera = finerBy(CAMERA, times),
    held,
    grey = 120,
    finer = 1,
    frames = POSES.length,
  }: RoomFiles,
): Promise<void> {
  const { fx, fy, cx, cy } = camera;
  await writeFile(join(folder, "camera-intrinsics.txt"), `${fx} 0 ${cx}\n0 ${fy} ${cy}\n0 0 1\n`);
  const depthSize = { width: times * SIZE.width, height: times * SIZE.height };
  const size = { width: finer * depthSize.width, height: finer * depthSize.height };
  const data = new Uint8Array(3 * size.width * size.height).fill(grey);
  const colour = await encodePng({ ...size, channels: 3, data });
  const stemOf = (n: number) => join(folder, `frame-${String(n).padStart(6, "0")}`);
  for (const [n, along] of POSES.slice(0, frames).entries()) {
    const worldFromCamera = held ? { ...along, q: multiply(along.q, held) } : along;
    const depths = depthsFrom(worldFromCamera, times).map(depthM);
    const steps = Uint16Array.from(depths, (z) => Math.round(z / stepM));
    await writeFile(`${stemOf(n)}.color.png`, colour);
    await writeFile(`${stemOf(n)}.depth.png`, await encodePng({ ...depthSize, channels: 1, data: steps }));
    const given = pose(worldFromCamera, n);
    if (given === undefined) continue;
    const rows = toMatrix4(given);
    await writeFile(
      `${stemOf(n)}.pose.txt`,
      [0, 4, 8, 12].map((i) => rows.slice(i, i + 4).join(" ")).join("\n"),
    );
  }
  for (let n = POSES.length; n < frames; n++)
    for (const end of ["color.png", "depth.png", "pose.txt"])
      await link(`${stemOf(n % POSES.length)}.${end}`, `${stemOf(n)}.${end}`);
}
