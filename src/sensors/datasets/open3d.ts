import { basename, join } from "node:path";
import { z } from "zod";
import type { Transform } from "../../geometry/index.ts";
import { LociError, parseOrThrow } from "../../schema/index.ts";
import { lines, numberedFiles, parseJson, readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import type { Pinhole } from "./develop.ts";
import type { ShotList } from "./shots.ts";
import { poseOfNumbers, rowsOf } from "./tables.ts";

/** The folder names that Open3D's own scripts look for. */
const COLOUR_FOLDERS = ["color", "image", "rgb"];
/** Open3D's default camera. */
const PRIMESENSE: Pinhole = { fx: 525, fy: 525, cx: 319.5, cy: 239.5, width: 640, height: 480 };
const STEPS_PER_METRE = 1_000;
const NUMBER = /^[-+]?(\d+\.?\d*|\.\d+)(e[-+]?\d+)?$/i;
/** How C prints the NaN and infinity of lost tracking. */
const NO_NUMBER = /^[-+]?(nan|inf)/i;

const cameraSchema = z.object({
  width: z.number().positive(),
  height: z.number().positive(),
  intrinsic_matrix: z
    .array(z.number())
    .length(9)
    .refine(
      (m) => m[0]! > 0 && m[4]! > 0 && [m[1], m[2], m[5]].every((zero) => zero === 0) && m[8] === 1,
      "fx, 0, 0, 0, fy, 0, cx, cy, 1, which is the matrix column by column",
    ),
  /** Depth units per metre, for RealSense or Kinect recordings. */
  depth_scale: z.number().positive().optional(),
});

/** The files in a folder that identify it as Open3D's. */
export interface Open3dFiles {
  readonly colours: string;
  /** Trajectories, best first. */
  readonly logs: readonly string[];
  /** Cameras by their file names. */
  readonly cameras: readonly { readonly name: string; readonly said: unknown }[];
}

/** Pictures and depths with a trajectory or a camera in Open3D's format; undefined without either. */
export async function open3dFiles(
  folder: string,
  names: readonly string[],
): Promise<Open3dFiles | undefined> {
  const colours = COLOUR_FOLDERS.find((name) => names.includes(name));
  if (colours === undefined || !names.includes("depth")) return undefined;
  const logs = [];
  // The scripts write the trajectory of a finished reconstruction to scene/.
  for (const name of [...names, "scene/trajectory.log"].sort(byPreference))
    if (name.endsWith(".log") && (await isTrajectory(join(folder, name)))) logs.push(name);
  const cameras = [];
  for (const name of names.filter((file) => file.endsWith(".json")).sort()) {
    // A file that is not a short text does not describe a camera.
    const text = (await readText(join(folder, name)).catch(() => undefined)) ?? "";
    if (!text.includes('"intrinsic_matrix"')) continue;
    const said = parseJson(text, join(folder, name));
    if (typeof said === "object" && said && "intrinsic_matrix" in said) cameras.push({ name, said });
  }
  return logs.length > 0 || cameras.length > 0 ? { colours, logs, cameras } : undefined;
}

/**
 * What Open3D's reconstruction system reads and Redwood publishes: color/N.jpg, depth/N.png, a
 * trajectory .log (http://redwood-data.org/indoor/fileformat.html) and the camera as JSON.
 */
export async function listOpen3d(
  folder: string,
  { colours, logs, cameras }: Open3dFiles,
  options: ReadOptions,
): Promise<ShotList> {
  const pictures = await numberedFiles(join(folder, colours));
  const depths = await numberedFiles(join(folder, "depth"));
  const numbers = [...pictures.keys()].sort((a, b) => a - b);
  const [log = "", ...otherLogs] = logs;
  const poses = log === "" ? [] : await posesOf(join(folder, log));
  const byId = new Map(poses.map(({ id, pose }) => [id, pose]));
  // One pose per picture. If some are missing, their numbers decide: poses count from 0, pictures from 0 or, in
  // Redwood, from 1.
  const isWhole = poses.length === numbers.length;
  const first = numbers[0] === 1 ? 1 : 0;
  const { startUs = 0, frameIntervalUs = 33_333 } = options;
  const { camera, stepsPerMetre = STEPS_PER_METRE, ...about } = cameraOf(folder, cameras, options);
  return {
    path: folder,
    format: "open3d",
    shots: numbers.map((number, n) => ({
      timeUs: startUs + (number - numbers[0]!) * frameIntervalUs,
      colour: pictures.get(number),
      depth: depths.get(number),
      pose: isWhole ? poses[n]!.pose : byId.get(number - first),
    })),
    camera,
    depthUnitM: 1 / stepsPerMetre,
    cameraAxes: "optical",
    worldUp: "detect",
    posesFrom: log,
    counted: "frame numbers",
    conventions: [
      ...(otherLogs.length > 0 ? [`Poses are those of ${log}, not of ${otherLogs.join(", ")}.`] : []),
      ...about.conventions,
    ],
    missing: [
      ...about.missing,
      ...(log === "" || isWhole
        ? []
        : [`${log} has ${poses.length} poses for ${numbers.length} pictures: they go by number.`]),
    ],
  };
}

function cameraOf(folder: string, [found, ...others]: Open3dFiles["cameras"], { intrinsics }: ReadOptions) {
  if (!found) {
    const guess =
      "No camera in the files: taken for a PrimeSense (525, 525, 319.5, 239.5 at 640×480) unless told (--intrinsics fx,fy,cx,cy).";
    return { camera: intrinsics ?? PRIMESENSE, conventions: [], missing: intrinsics ? [] : [guess] };
  }
  const said = parseOrThrow(cameraSchema, found.said, join(folder, found.name));
  const { width, height, intrinsic_matrix: m, depth_scale: stepsPerMetre } = said;
  const own: Pinhole = { fx: m[0]!, fy: m[4]!, cx: m[6]!, cy: m[7]!, width, height };
  const unused = others.length > 0 ? `, not of ${others.map(({ name }) => name).join(", ")}` : "";
  return {
    camera: intrinsics ?? own,
    stepsPerMetre,
    conventions: intrinsics ? [] : [`The camera is that of ${found.name}${unused}.`],
    missing: [],
  };
}

/** trajectory.log first, then names that end with it, then others. */
function byPreference(a: string, b: string): number {
  const rank = (name: string) => (name === "trajectory.log" ? 0 : name.endsWith("trajectory.log") ? 1 : 2);
  return rank(a) - rank(b) || a.localeCompare(b, "en");
}

/** Program logs are not trajectories, nor are those that register pairs of fragments ("0 1 57"). */
async function isTrajectory(path: string): Promise<boolean> {
  for await (const line of lines(path))
    return basename(path) === "trajectory.log" || /^\s*(\d+)\s+\1\s+-?\d+\s*$/.test(line);
  return false;
}

/** Entries of "id id id+1" and four rows of a camera-to-world matrix. */
async function posesOf(path: string): Promise<{ id: number; pose: Transform | undefined }[]> {
  const rows = await rowsOf(path);
  const poses = [];
  for (let at = 0; at < rows.length; at += 5) {
    const head = rows[at]!;
    if (head.length !== 3 || !head.every((cell) => /^-?\d{1,9}$/.test(cell)))
      throw new LociError(
        "invalid-input",
        `expected three whole numbers before each matrix of ${path}, got "${head.join(" ").slice(0, 80)}"`,
      );
    for (let row = at + 1; row <= at + 4; row++) {
      const cells = rows[row] ?? [];
      if (cells.length !== 4 || !cells.every((cell) => NUMBER.test(cell) || NO_NUMBER.test(cell)))
        throw new LociError(
          "invalid-input",
          `expected four rows of four numbers after "${head.join(" ")}" in ${path}, got "${cells.join(" ").slice(0, 80)}"`,
        );
    }
    const matrix = rows.slice(at + 1, at + 5).flat();
    poses.push({ id: Number(head[0]), pose: poseOfNumbers(matrix.map(Number)) });
  }
  return poses;
}
