import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { z } from "zod";
import { LociError } from "../../schema/index.ts";
import { readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import type { Pinhole } from "./develop.ts";
import type { ShotList } from "./shots.ts";
import { poseOfNumbers, rowsOf } from "./tables.ts";

/** Depth units per metre in NICE-SLAM's renderings of Replica, unless a cam_params.json says otherwise. */
const STEPS_PER_METRE = 6_553.5;
const COLOUR = /^frame(\d{1,9})\.(jpg|jpeg|png)$/;

const parametersSchema = z.object({
  camera: z.object({
    w: z.number().positive(),
    h: z.number().positive(),
    fx: z.number().positive(),
    fy: z.number().positive(),
    cx: z.number(),
    cy: z.number(),
    scale: z.number().positive().optional(),
  }),
});

/**
 * Replica as rendered by NICE-SLAM, and other datasets in this format: results/frameN.jpg, results/depthN.png,
 * traj.txt with one camera-to-world matrix per line, and one cam_params.json in the folder or, for all scenes, above
 * it.
 */
export async function listReplica(folder: string, options: ReadOptions): Promise<ShotList> {
  const names = await readdir(join(folder, "results"));
  const depths = new Set(names);
  const colours = names
    .flatMap((name) => {
      const match = COLOUR.exec(name);
      return match ? [{ name, stem: match[1]!, number: Number(match[1]) }] : [];
    })
    .sort((a, b) => a.number - b.number);
  const poses = await rowsOf(join(folder, "traj.txt"));
  const known = await parametersOf(folder);
  const camera = options.intrinsics ?? known?.pinhole;
  if (!camera)
    throw new LociError(
      "invalid-input",
      `expected cam_params.json in ${folder} or above it, or its numbers (--intrinsics fx,fy,cx,cy)`,
    );
  const { startUs = 0, frameIntervalUs = 33_333 } = options;
  return {
    path: folder,
    format: "replica",
    // A trajectory line belongs to the picture at the same position in the list: numbers may have gaps.
    shots: colours.map(({ name, stem }, n) => ({
      timeUs: startUs + n * frameIntervalUs,
      colour: join(folder, "results", name),
      depth: depths.has(`depth${stem}.png`) ? join(folder, "results", `depth${stem}.png`) : undefined,
      pose: poses[n] && poseOfNumbers(poses[n].map(Number)),
    })),
    camera,
    depthUnitM: 1 / (known?.stepsPerMetre ?? STEPS_PER_METRE),
    cameraAxes: "optical",
    worldUp: "detect",
    posesFrom: "traj.txt",
    counted: "frames",
    missing:
      poses.length === colours.length
        ? []
        : [`traj.txt has ${poses.length} poses for ${colours.length} pictures.`],
  };
}

async function parametersOf(
  folder: string,
): Promise<{ pinhole: Pinhole; stepsPerMetre?: number } | undefined> {
  for (const path of [join(folder, "cam_params.json"), join(folder, "..", "cam_params.json")]) {
    const text = await readText(path);
    if (text === undefined) continue;
    const parsed = parametersSchema.safeParse(jsonOf(text));
    if (!parsed.success)
      throw new LociError("invalid-input", `expected camera: {w, h, fx, fy, cx, cy, scale} in ${path}`);
    const { w, h, scale, ...pinhole } = parsed.data.camera;
    return { pinhole: { ...pinhole, width: w, height: h }, ...(scale && { stepsPerMetre: scale }) };
  }
  return undefined;
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
