import { join } from "node:path";
import { LociError } from "../../schema/index.ts";
import { numberedFiles, readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import type { Shot, ShotList } from "./shots.ts";
import { pinholeOf, poseOfRow, rowsOf, secondsToUs } from "./tables.ts";

/**
 * Stray Scanner on a phone with LiDAR: depth/N.png in millimetres, odometry.csv with one pose per frame,
 * camera_matrix.csv of the video. Its rgb.mp4 must be extracted into rgb/ first, since we ship no video decoder.
 */
export async function listStray(
  folder: string,
  names: readonly string[],
  options: ReadOptions,
): Promise<ShotList> {
  if (!names.includes("rgb"))
    throw new LociError(
      "invalid-input",
      `expected the pictures of rgb.mp4 in ${folder}/rgb: unpack them (mkdir rgb && ffmpeg -i rgb.mp4 -start_number 0 -q:v 3 rgb/%06d.jpg)`,
    );
  const [colours, depths] = [
    await numberedFiles(join(folder, "rgb")),
    await numberedFiles(join(folder, "depth")),
  ];
  const camera = options.intrinsics ?? pinholeOf((await readText(join(folder, "camera_matrix.csv"))) ?? "");
  const { startUs = 0 } = options;
  const rows = (await rowsOf(join(folder, "odometry.csv"))).filter(([stamp]) =>
    Number.isFinite(Number(stamp)),
  );
  const firstUs = secondsToUs(rows[0]?.[0] ?? "") ?? 0;
  const shots = rows.flatMap(([stamp = "", frame = "", ...rest]): Shot[] => {
    const timeUs = secondsToUs(stamp);
    const [colour, depth] = [colours.get(Number(frame)), depths.get(Number(frame))];
    if (timeUs === undefined || colour === undefined) return [];
    return [{ timeUs: startUs + timeUs - firstUs, colour, depth, pose: poseOfRow(rest) }];
  });
  return {
    path: folder,
    format: "stray",
    shots,
    camera,
    depthUnitM: 0.001,
    cameraAxes: "optical",
    worldUp: "y",
    posesFrom: "odometry.csv",
    conventions: ["Times count from the start of the recording (--start says when that was)."],
  };
}
