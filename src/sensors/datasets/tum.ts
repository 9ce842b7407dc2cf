import { readdir } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { LociError } from "../../schema/index.ts";
import { lines, readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import { lowerBound, Trajectory } from "../pose-track.ts";
import type { Pinhole } from "./develop.ts";
import type { ShotList } from "./shots.ts";
import { pinholeOf, poseOfRow, rowsOf, secondsToUs } from "./tables.ts";

/** As in the dataset's own associate.py. */
const SYNC_TOLERANCE_US = 20_000;
/** The published calibration of each camera of the dataset; the folders do not contain it. */
const FREIBURG: Readonly<Record<string, Pinhole>> = {
  freiburg1: { fx: 517.3, fy: 516.5, cx: 318.6, cy: 255.3, width: 640, height: 480 },
  freiburg2: { fx: 520.9, fy: 521, cx: 325.1, cy: 249.7, width: 640, height: 480 },
  freiburg3: { fx: 535.4, fy: 539.2, cx: 320.1, cy: 247.6, width: 640, height: 480 },
};

/** TUM RGB-D and datasets in its format (ICL-NUIM, Bonn): lists of timestamped files and a timestamped trajectory. */
export async function listTum(folder: string, options: ReadOptions): Promise<ShotList> {
  const toleranceUs = options.syncToleranceUs ?? SYNC_TOLERANCE_US;
  const colours = await stampedFiles(folder, "rgb.txt");
  const [depths] = await thereOf(
    (await stampedFiles(folder, "depth.txt")).sort((a, b) => a.timeUs - b.timeUs),
  );
  const [shown, gone] = await thereOf(colours);
  const poses = await trajectoryOf(join(folder, "groundtruth.txt"));
  const depthTimes = depths.map(({ timeUs }) => timeUs);
  const near = (timeUs: number) => {
    const next = lowerBound(depthTimes, timeUs);
    const [before, after] = [depths[next - 1], depths[next]];
    const best = !after || (before && timeUs - before.timeUs <= after.timeUs - timeUs) ? before : after;
    return best && Math.abs(best.timeUs - timeUs) <= toleranceUs ? best.file : undefined;
  };
  return {
    path: folder,
    format: "tum",
    shots: shown.map(({ timeUs, file }) => ({
      timeUs,
      colour: file,
      depth: near(timeUs),
      pose: poses.at(timeUs, toleranceUs),
    })),
    camera: await cameraOf(folder, options),
    depthUnitM: 1 / 5000,
    cameraAxes: "optical",
    worldUp: "z",
    posesFrom: "groundtruth.txt, interpolated",
    conventions: [`Depths are the nearest within ${toleranceUs / 1000} ms.`],
    missing: [
      ...(depths.length === 0 ? ["No depth.txt."] : []),
      ...(gone > 0 ? [`${gone} of the ${colours.length} pictures in rgb.txt are not there.`] : []),
    ],
  };
}

/** "stamp x y z qx qy qz qw" per line; other rows are skipped. */
export async function trajectoryOf(path: string): Promise<Trajectory> {
  const rows = await rowsOf(path);
  return new Trajectory(
    rows.flatMap(([stamp, ...rest]) => {
      const timeUs = secondsToUs(stamp!);
      const pose = poseOfRow(rest);
      return timeUs !== undefined && pose ? [{ timeUs, pose }] : [];
    }),
  );
}

async function stampedFiles(folder: string, name: string): Promise<{ timeUs: number; file: string }[]> {
  return (await rowsOf(join(folder, name))).flatMap(([stamp, file]) => {
    const timeUs = secondsToUs(stamp!);
    return timeUs !== undefined && file !== undefined ? [{ timeUs, file: join(folder, file) }] : [];
  });
}

/** The listed files that exist, and the number that do not: an excerpt of a recording keeps the whole lists. */
async function thereOf(
  files: readonly { timeUs: number; file: string }[],
): Promise<[{ timeUs: number; file: string }[], number]> {
  const folders = new Map<string, Promise<Set<string>>>();
  const there = await Promise.all(
    files.map(async ({ file }) => {
      const folder = dirname(file);
      const names =
        folders.get(folder) ??
        readdir(folder).then(
          (all) => new Set(all),
          () => new Set<string>(),
        );
      folders.set(folder, names);
      return (await names).has(basename(file));
    }),
  );
  const found = files.filter((_, n) => there[n]);
  return found.length === 0 ? [[...files], 0] : [found, files.length - found.length];
}

async function remarksOf(path: string): Promise<string[]> {
  const found: string[] = [];
  for await (const line of lines(path)) {
    if (!line.startsWith("#")) break;
    found.push(line);
  }
  return found;
}

async function cameraOf(folder: string, options: ReadOptions): Promise<Pinhole> {
  if (options.intrinsics) return options.intrinsics;
  for (const name of ["calibration.txt", "camera.txt", "intrinsics.txt", "camera-intrinsics.txt"]) {
    const found = pinholeOf((await readText(join(folder, name))) ?? "");
    if (found) return found;
  }
  // The lists begin with the name of the bag they were made from.
  const named = [basename(resolve(folder)), ...(await remarksOf(join(folder, "rgb.txt")))].join(" ");
  const known = /(?:freiburg|\bfr|_fr)([123])(?![0-9])/.exec(named)?.[1];
  if (known) return FREIBURG[`freiburg${known}`]!;
  throw new LociError(
    "invalid-input",
    `${folder} does not say which camera it is from: give its numbers (--intrinsics fx,fy,cx,cy), or put them into a calibration.txt`,
  );
}
