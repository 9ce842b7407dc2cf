import { LociError } from "../../schema/index.ts";
import { optionalBytes, readText } from "../files.ts";
import { imageSize } from "../images.ts";
import type { ReadOptions } from "../options.ts";
import type { Pinhole } from "./develop.ts";
import { calibrationIn } from "./posed/calibration.ts";
import { type Paired, pairedFiles } from "./posed/pairing.ts";
import { type FoundPoses, posesFor } from "./posed/poses.ts";
import type { ShotList } from "./shots.ts";
import { epochToUs, secondsToUs } from "./tables.ts";

/** The marker for missing depth in 7-Scenes and ScanNet. */
const NO_DEPTH = 65_535;

/**
 * Pictures in a folder or one of its subfolders, with the files beside them: depths of the same names, poses in a
 * list or one file per picture, a calibration, times. Covers K.txt, poses.txt, images/ and depth/; the folders of
 * ARCore recorders (state.txt, N.mat, N.tms); OpenEQA's frames (N-rgb.png, N-depth.png, N.txt); OpenCV's texts; and
 * pictures alone.
 */
export async function listPictures(
  folder: string,
  names: readonly string[],
  options: ReadOptions,
): Promise<ShotList> {
  const pictures = await pairedFiles(folder, names);
  if (pictures.length === 0) {
    throw new LociError(
      "invalid-input",
      `expected a recording in ${folder}: pictures (frame-N.color.png, images/, rgb/, N-rgb.png) with depth and poses beside them, rgb.txt, color/ and pose/, results/ and traj.txt, transforms.json, image_2/, a bag or a video; found none`,
    );
  }
  const found = await posesFor(folder, pictures);
  const said = await calibrationIn(folder, names);
  const fitted = await fittedTo(pictures[0]!, said.camera);
  const times = await timesOf(pictures);
  const { startUs = 0, frameIntervalUs = 33_333 } = options;
  const firstUs = times?.isFromZero ? times.timesUs[0]! : 0;
  const hasPoses = found?.poses.some(Boolean) === true;
  return {
    path: folder,
    format: "images",
    shots: pictures.map(({ colour, depth }, n) => ({
      timeUs: times
        ? times.timesUs[n]! - firstUs + (times.isFromZero ? startUs : 0)
        : startUs + n * frameIntervalUs,
      colour,
      depth,
      pose: found?.poses[n],
      camera: options.intrinsics ?? found?.cameras?.[n],
    })),
    camera: options.intrinsics ?? fitted.camera,
    depthCamera: options.intrinsics ? undefined : said.depthCamera,
    depthUnitM: 0.001,
    noDepth: NO_DEPTH,
    cameraAxes: found?.cameraAxes ?? "optical",
    poseConvention: found?.poseConvention,
    worldUp: found?.worldUp ?? "detect",
    posesFrom: found?.from ?? "",
    counted: times ? undefined : "pictures",
    conventions: [...(times ? [times.line] : []), ...fitted.lines],
    missing: missingOf(pictures, found, hasPoses),
  };
}

/** What is missing, and the option to set if a file was found but not understood. */
function missingOf(pictures: readonly Paired[], found: FoundPoses | undefined, hasPoses: boolean): string[] {
  if (found && !hasPoses) return [`No pose in ${found.from} is a turn and a place.`];
  const beside = new Set(pictures.flatMap((one) => [...one.beside.keys()]));
  return !found && beside.size > 0
    ? [
        `What lies beside the pictures (N${[...beside].slice(0, 3).join(", N")}) was not understood as poses: 12 or 16 numbers of a matrix, or x y z qx qy qz qw.`,
      ]
    : [];
}

/** Times from file names that are times, or from a file of seconds beside each picture. */
async function timesOf(
  pictures: readonly Paired[],
): Promise<{ timesUs: number[]; isFromZero: boolean; line: string } | undefined> {
  const stamps = pictures.map(({ key }) => epochToUs(key));
  if (stamps.every((stamp) => stamp !== undefined))
    return { timesUs: stamps, isFromZero: false, line: "Times are the names of the files." };
  if (!pictures.every(({ beside }) => beside.has(".tms"))) return undefined;
  const read = await Promise.all(
    pictures.map(async ({ beside }) => secondsToUs(((await readText(beside.get(".tms")!)) ?? "").trim())),
  );
  return read.every((timeUs) => timeUs !== undefined)
    ? {
        timesUs: read,
        isFromZero: true,
        line: "Times are those of N.tms, from the start of the recording (--start says when that was).",
      }
    : undefined;
}

/** The centre of a lens is near the centre of its picture: within this share of a side. */
const OFF_MIDDLE = 0.15;

/**
 * A calibration without a picture size refers to the colour pictures if its centre lies in their middle; else to the
 * depths, or to pictures rotated by a quarter.
 */
async function fittedTo(
  { colour, depth }: Paired,
  camera: Pinhole | undefined,
): Promise<{ camera: Pinhole | undefined; lines: string[] }> {
  const sizeOf = async (path: string | undefined) => {
    const bytes = path && (await optionalBytes(path));
    return bytes ? imageSize(bytes) : undefined;
  };
  if (!camera || camera.width !== undefined) return { camera, lines: [] };
  const [ofColour, ofDepth] = [await sizeOf(colour), await sizeOf(depth)];
  const isMiddle = (size: { width: number; height: number }, { cx, cy }: Pinhole) =>
    Math.abs((cx + 0.5) / size.width - 0.5) < OFF_MIDDLE &&
    Math.abs((cy + 0.5) / size.height - 0.5) < OFF_MIDDLE;
  if (!ofColour || isMiddle(ofColour, camera)) return { camera: { ...camera, ...ofColour }, lines: [] };
  if (ofDepth && isMiddle(ofDepth, camera))
    return {
      camera: { ...camera, ...ofDepth },
      lines: [`The calibration is of pictures of ${ofDepth.width}×${ofDepth.height}, as the depths are.`],
    };
  const { fx, fy, cx, cy, distortion: _of, ...rest } = camera;
  const aside = { ...rest, fx: fy, fy: fx, cx: cy, cy: cx };
  for (const size of [ofColour, ofDepth])
    if (size && isMiddle(size, aside))
      return {
        camera: { ...aside, ...size },
        lines: ["The calibration is of pictures that lie on their side: turned as the pictures are."],
      };
  return {
    camera,
    lines: [
      `The middle of the lens (${Math.round(cx)}, ${Math.round(cy)}) is far from the middle of the pictures (${ofColour.width}×${ofColour.height}): if the calibration is of another size, give that of these (--intrinsics fx,fy,cx,cy).`,
    ],
  };
}
