import { readdir } from "node:fs/promises";
import { basename, join, resolve } from "node:path";
import { compose, IDENTITY_QUAT } from "../../geometry/index.ts";
import { readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import type { Pinhole } from "./develop.ts";
import type { ShotList } from "./shots.ts";
import { numbersOf, poseOfNumbers, rowsOf, secondsToUs } from "./tables.ts";

/** Colour before grey, left before right. */
const IMAGE_FOLDERS = ["image_2", "image_02/data", "image_3", "image_0", "image_00/data", "image_1"] as const;

/** The folder of pictures of a KITTI odometry sequence; undefined where there is none. */
export function kittiImages(names: readonly string[]): string | undefined {
  return IMAGE_FOLDERS.find((folder) => names.includes(folder.split("/")[0]!));
}

/** KITTI odometry: numbered pictures, times.txt from zero, calib.txt, and the poses of the left grey camera. */
export async function listKitti(folder: string, images: string, options: ReadOptions): Promise<ShotList> {
  const files = (await readdir(join(folder, images)))
    .filter((name) => /^\d+\.(png|jpg|jpeg)$/.test(name))
    .sort((a, b) => Number.parseInt(a, 10) - Number.parseInt(b, 10));
  const { startUs = 0, frameIntervalUs = 100_000 } = options;
  const times = (await rowsOf(join(folder, "times.txt"))).map(([seconds]) => secondsToUs(seconds!));
  const sequence = basename(resolve(folder));
  const poseFiles = ["poses.txt", `${sequence}.txt`, join("..", "..", "poses", `${sequence}.txt`)];
  let poses: string[][] = [];
  for (const name of poseFiles) if (poses.length === 0) poses = await rowsOf(join(folder, name));
  const camera = projectionOf(
    (await readText(join(folder, "calib.txt"))) ?? "",
    Number(/_0?(\d)/.exec(images)?.[1] ?? 0),
  );
  const shots = files.map((name, i) => {
    const number = Number.parseInt(name, 10);
    const leftGrey = poses[number] && poseOfNumbers(poses[number].map(Number));
    const offset = { p: { x: camera?.offsetM ?? 0, y: 0, z: 0 }, q: IDENTITY_QUAT };
    return {
      timeUs: startUs + (times[number] ?? i * frameIntervalUs),
      colour: join(folder, images, name),
      pose: leftGrey && compose(leftGrey, offset),
    };
  });
  return {
    path: folder,
    format: "kitti",
    shots,
    camera: camera?.pinhole,
    depthUnitM: 1 / 256,
    cameraAxes: "optical",
    worldUp: "-y",
    posesFrom: "poses.txt",
    counted: times.length > 0 ? undefined : "frames",
    conventions: [
      `Pictures are those of ${images}.`,
      ...(times.length === 0
        ? []
        : options.startUs === undefined
          ? ["Times count from 1970, since nobody said when it began (--start)."]
          : ["Times count from the start that was given."]),
      "The world is the first pose, turned upright.",
    ],
  };
}

/** "P2: 12 numbers": the projection of a rectified camera, and its offset to the right of the first. */
function projectionOf(text: string, camera: number): { pinhole: Pinhole; offsetM: number } | undefined {
  const row = new RegExp(`^P(?:_rect_0)?${camera}:(.*)$`, "m").exec(text)?.[1];
  const p = numbersOf(row ?? "");
  if (p.length !== 12 || !(p[0]! > 0 && p[5]! > 0)) return undefined;
  return { pinhole: { fx: p[0]!, fy: p[5]!, cx: p[2]!, cy: p[6]! }, offsetM: -p[3]! / p[0]! };
}
