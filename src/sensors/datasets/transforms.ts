import { stat } from "node:fs/promises";
import { dirname, join } from "node:path";
import { z } from "zod";
import { LIMITS, LociError, parseOrThrow } from "../../schema/index.ts";
import { parseJson, readText } from "../files.ts";
import type { ReadOptions } from "../options.ts";
import type { Pinhole } from "./develop.ts";
import type { ShotList } from "./shots.ts";
import { poseOfNumbers } from "./tables.ts";

const FRAMES = 1_000_000;
const path = z.string().min(1).max(1_024);
const camera = {
  fl_x: z.number().positive().optional(),
  fl_y: z.number().positive().optional(),
  cx: z.number().optional(),
  cy: z.number().optional(),
  w: z.number().positive().optional(),
  h: z.number().positive().optional(),
  k1: z.number().optional(),
  k2: z.number().optional(),
  k3: z.number().optional(),
  p1: z.number().optional(),
  p2: z.number().optional(),
};
const fileSchema = z.object({
  ...camera,
  camera_angle_x: z.number().positive().max(Math.PI).optional(),
  depth_unit_scale_factor: z.number().positive().max(1).optional(),
  frames: z
    .array(
      z.object({
        ...camera,
        file_path: path,
        depth_file_path: path.optional(),
        transform_matrix: z.array(z.array(z.number()).length(4)).min(3).max(4),
        time: z.number().optional(),
        timestamp: z.number().optional(),
      }),
    )
    .max(FRAMES),
});
type Camera = { [K in keyof typeof camera]?: number | undefined };

/** nerfstudio, Instant-NGP, Record3D exports, Blender: one JSON of OpenGL camera poses beside the pictures. */
export async function listTransforms(file: string, options: ReadOptions): Promise<ShotList> {
  const folder = dirname(file);
  const text = await readText(file, LIMITS.blobBytes);
  const parsed = parseOrThrow(fileSchema, parseJson(text ?? "", file), file);
  const { startUs = 0, frameIntervalUs = 33_333 } = options;
  const hasTimes = parsed.frames.every((frame) => (frame.timestamp ?? frame.time) !== undefined);
  const extension = await missingExtension(folder, parsed.frames[0]?.file_path);
  const common = pinholeFrom(parsed, parsed.camera_angle_x);
  if (!common && !options.intrinsics && !parsed.frames.some((frame) => frame.fl_x !== undefined))
    throw new LociError(
      "invalid-input",
      `${file} has no fl_x and no camera_angle_x: give the numbers (--intrinsics fx,fy,cx,cy)`,
    );
  return {
    path: folder,
    format: "transforms",
    shots: parsed.frames.map((frame, i) => ({
      timeUs: hasTimes
        ? startUs + Math.round((frame.timestamp ?? frame.time)! * 1e6)
        : startUs + i * frameIntervalUs,
      colour: join(folder, frame.file_path + extension),
      depth: frame.depth_file_path === undefined ? undefined : join(folder, frame.depth_file_path),
      pose: poseOfNumbers(frame.transform_matrix.flat()),
      camera: frame.fl_x === undefined ? undefined : pinholeFrom({ ...parsed, ...frame }, undefined),
    })),
    camera: common,
    depthUnitM: parsed.depth_unit_scale_factor ?? 0.001,
    cameraAxes: "opengl",
    worldUp: "ask",
    posesFrom: "transforms.json",
    counted: hasTimes ? undefined : "frames",
  };
}

/** These files place pixel centres at half-integers as we do; `Pinhole` does not. */
function pinholeFrom(said: Camera, angleX: number | undefined): Pinhole | undefined {
  const { fl_x, fl_y, cx, cy, w, h, k1 = 0, k2 = 0, p1 = 0, p2 = 0, k3 = 0 } = said;
  const lens = [k1, k2, p1, p2, k3];
  const fx = fl_x ?? (angleX !== undefined && w !== undefined ? w / 2 / Math.tan(angleX / 2) : undefined);
  if (fx === undefined) return undefined;
  const centreX = cx ?? (w === undefined ? undefined : w / 2);
  const centreY = cy ?? (h === undefined ? undefined : h / 2);
  if (centreX === undefined || centreY === undefined) return undefined;
  return {
    ...{ fx, fy: fl_y ?? fx, cx: centreX - 0.5, cy: centreY - 0.5, width: w, height: h },
    ...(lens.some((value) => value !== 0) && { distortion: lens }),
  };
}

/** Blender's exports omit the extension. */
async function missingExtension(folder: string, first: string | undefined): Promise<string> {
  if (first === undefined || /\.\w{3,4}$/.test(first)) return "";
  for (const extension of [".png", ".jpg", ".jpeg"]) {
    if (await stat(join(folder, first + extension)).catch(() => undefined)) return extension;
  }
  return "";
}
