import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { LociError } from "../../schema/index.ts";
import { readText } from "../files.ts";
import { INTRINSICS_FILE } from "../folder/layout.ts";
import type { ReadOptions } from "../options.ts";
import { countedTimes } from "../plan.ts";
import type { ShotList } from "./shots.ts";
import { epochToUs, pinholeOf } from "./tables.ts";

const PICTURE = /\.(png|jpe?g|webp|tiff?)$/i;
const FOLDERS = ["images", "frames", "rgb", "color", "colour"];

/** A folder with nothing but pictures: times from names that are times, else counted; no poses. */
export async function listPictures(
  folder: string,
  names: readonly string[],
  options: ReadOptions,
): Promise<ShotList> {
  let [where, pictures] = [folder, names.filter((name) => PICTURE.test(name))];
  for (const sub of FOLDERS) {
    if (pictures.length > 0 || !names.includes(sub)) continue;
    where = join(folder, sub);
    pictures = (await readdir(where)).filter((name) => PICTURE.test(name));
  }
  if (pictures.length === 0) {
    throw new LociError(
      "invalid-input",
      `expected a recording in ${folder}: frame-N.color.png, rgb.txt, color/ and pose/, results/ and traj.txt, color/, depth/ and trajectory.log, transforms.json, image_2/, a bag or pictures; found none`,
    );
  }
  pictures.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const stamps = pictures.map((name) => epochToUs(name.replace(PICTURE, "")));
  const hasTimes = stamps.every((stamp) => stamp !== undefined);
  const { startUs = 0, frameIntervalUs = 33_333 } = options;
  return {
    path: folder,
    format: "images",
    shots: pictures.map((name, i) => ({
      timeUs: hasTimes ? stamps[i]! : startUs + i * frameIntervalUs,
      colour: join(where, name),
    })),
    camera: options.intrinsics ?? pinholeOf((await readText(join(folder, INTRINSICS_FILE))) ?? ""),
    depthUnitM: 0.001,
    cameraAxes: "optical",
    worldUp: "z",
    posesFrom: "",
    conventions: hasTimes ? ["Times are the names of the files."] : [countedTimes("pictures", options)],
  };
}
