import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { LIMITS, parseOrThrow } from "../../schema/index.ts";
import { parseJson, readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import type { Shot, ShotList } from "./shots.ts";
import { poseOfNumbers } from "./tables.ts";

const ROWS = ["00", "01", "02", "03", "10", "11", "12", "13", "20", "21", "22", "23"] as const;
const cameraSchema = z
  .object({
    fx: z.number().positive(),
    fy: z.number().positive(),
    cx: z.number(),
    cy: z.number(),
    width: z.number().positive(),
    height: z.number().positive(),
    timestamp: z.number().optional(),
  })
  .catchall(z.unknown());

/**
 * Polycam's raw data from a phone with LiDAR: keyframes/images, /depth in millimetres and /cameras, each a JSON with
 * a camera-to-world matrix in ARKit's axes; corrected poses where Polycam computed them.
 */
export async function listPolycam(folder: string, options: ReadOptions): Promise<ShotList> {
  const names = new Set(await readdir(folder));
  const isCorrected = names.has("corrected_cameras") && names.has("corrected_images");
  const [images, cameras] = isCorrected
    ? [join(folder, "corrected_images"), join(folder, "corrected_cameras")]
    : [join(folder, "images"), join(folder, "cameras")];
  const depths = new Set(await readdir(join(folder, "depth")).catch(() => []));
  const files = (await readdir(cameras)).filter((name) => name.endsWith(".json"));
  files.sort((a, b) => a.localeCompare(b, "en", { numeric: true }));
  const pictures = new Map((await readdir(images)).map((name) => [name.replace(/\.\w+$/, ""), name]));
  const { startUs = 0, frameIntervalUs = 33_333 } = options;
  const shots: (Shot & { readonly stampUs: number | undefined })[] = [];
  for (const file of files) {
    const stem = file.replace(/\.json$/, "");
    const picture = pictures.get(stem);
    if (picture === undefined) continue;
    const path = join(cameras, file);
    const said = parseOrThrow(
      cameraSchema,
      parseJson((await readText(path, LIMITS.blobBytes)) ?? "", path),
      path,
    );
    const { fx, fy, cx, cy, width, height, timestamp } = said;
    shots.push({
      timeUs: startUs + shots.length * frameIntervalUs,
      stampUs: timestamp === undefined ? undefined : Math.round(timestamp),
      colour: join(images, picture),
      depth: depths.has(`${stem}.png`) ? join(folder, "depth", `${stem}.png`) : undefined,
      pose: poseOfNumbers(ROWS.map((at) => Number(said[`t_${at}`]))),
      // These files count pixels from the corner of the first one; `Pinhole` from its middle.
      camera: { fx, fy, cx: cx - 0.5, cy: cy - 0.5, width, height },
    });
  }
  const firstUs = shots[0]?.stampUs;
  const hasTimes =
    firstUs !== undefined && shots.every(({ stampUs }) => stampUs !== undefined && stampUs >= firstUs);
  return {
    path: folder,
    format: "polycam",
    shots: hasTimes
      ? shots.map(({ stampUs, ...shot }) => ({ ...shot, timeUs: startUs + stampUs! - firstUs }))
      : shots,
    camera: options.intrinsics,
    depthUnitM: 0.001,
    cameraAxes: "opengl",
    worldUp: "y",
    posesFrom: isCorrected ? "corrected_cameras" : "cameras",
    counted: hasTimes ? undefined : "keyframes",
  };
}
