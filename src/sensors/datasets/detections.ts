import { dirname, resolve, sep } from "node:path";
import { z } from "zod";
import { LociError, lineSchema, nameSchema, parseOrThrow } from "../../schema/index.ts";
import { DETECTIONS_PER_FRAME, type Detection } from "../frame.ts";
import type { ReadOptions } from "../options.ts";
import { usable } from "../pose-track.ts";
import type { ShotList } from "./shots.ts";
import { epochToUs, poseOfNumbers } from "./tables.ts";

const MANY = 5_000_000;
const number = z.number();
const id = z.union([z.int(), z.string().max(256)]);
const xyz = z.object({ x: number, y: number, z: number });
const cameraSchema = z.object({
  fx: number.positive(),
  fy: number.positive(),
  cx: number,
  cy: number,
  width: number.positive().optional(),
  height: number.positive().optional(),
});
const poseSchema = z.union([
  z.array(number).length(16),
  z.array(z.array(number).length(4)).length(4),
  z.object({ p: xyz, q: xyz.extend({ w: number }) }),
]);
/** Object detections (COCO), with three additions: time, pose and depth. */
const fileSchema = z.object({
  camera: cameraSchema.optional(),
  images: z
    .array(
      z.object({
        id,
        file_name: z.string().max(1_024).optional(),
        depth_file_name: z.string().max(1_024).optional(),
        width: z.int().min(1).max(8_192).optional(),
        height: z.int().min(1).max(8_192).optional(),
        timestamp: z.union([number, z.string().max(64)]).optional(),
        date_captured: z.string().max(64).optional(),
        pose: poseSchema.optional(),
        camera: cameraSchema.optional(),
      }),
    )
    .max(MANY),
  annotations: z
    .array(
      z.object({
        image_id: id,
        bbox: z.tuple([number, number, number, number]),
        category_id: id.optional(),
        score: number.min(0).max(1).optional(),
        caption: lineSchema.optional(),
      }),
    )
    .max(MANY),
  categories: z
    .array(z.object({ id, name: nameSchema }))
    .max(100_000)
    .default([]),
});

/** Whether parsed JSON looks like COCO. */
export function isDetections(value: unknown): boolean {
  return typeof value === "object" && value !== null && "images" in value && "annotations" in value;
}

/** Boxes of an external detector on pictures that need not exist. */
export function listDetections(file: string, value: unknown, options: ReadOptions): ShotList {
  const parsed = parseOrThrow(fileSchema, value, file);
  const folder = dirname(file);
  const names = new Map(parsed.categories.map((category) => [category.id, category.name]));
  const byImage = Map.groupBy(parsed.annotations, (annotation) => annotation.image_id);
  const { startUs = 0, frameIntervalUs = 33_333 } = options;
  const shots = parsed.images.map((image, i) => {
    const stamp = image.timestamp;
    const captured = image.date_captured === undefined ? Number.NaN : Date.parse(image.date_captured);
    const timeUs =
      (stamp === undefined
        ? undefined
        : (epochToUs(String(stamp)) ?? startUs + Math.round(Number(stamp) * 1e6))) ??
      (Number.isFinite(captured) ? captured * 1000 : startUs + i * frameIntervalUs);
    if (!Number.isSafeInteger(timeUs))
      throw new LociError("invalid-input", `${file}: no time in ${String(stamp)}`);
    const detections = (byImage.get(image.id) ?? [])
      .slice(0, DETECTIONS_PER_FRAME)
      .map((annotation): Detection => {
        const [x, y, w, h] = annotation.bbox;
        const label = annotation.category_id === undefined ? undefined : names.get(annotation.category_id);
        return {
          bbox: [x, y, x + w, y + h],
          score: annotation.score ?? 1,
          ...(label !== undefined && { label }),
          ...(annotation.caption !== undefined && { text: annotation.caption }),
        };
      });
    const { pose, width, height } = image;
    return {
      timeUs,
      colour: image.file_name === undefined ? undefined : inside(folder, image.file_name),
      depth: image.depth_file_name === undefined ? undefined : inside(folder, image.depth_file_name),
      pose: pose && ("p" in pose ? usable(pose) : poseOfNumbers(pose.flat())),
      camera: image.camera,
      detections,
      ...(width !== undefined && height !== undefined && { size: { width, height } }),
    };
  });
  const hasDepth = parsed.images.some((image) => image.depth_file_name !== undefined);
  return {
    path: file,
    format: "detections",
    shots,
    camera: options.intrinsics ?? parsed.camera,
    depthUnitM: 0.001,
    cameraAxes: "optical",
    worldUp: "ask",
    posesFrom: "pose of each image",
    conventions: ["Boxes are x, y, width, height in pixels."],
    missing: hasDepth ? [] : ["No depth_file_name: boxes get no place."],
  };
}

/** A picture beside the file, or below it: file names from outside must not lead elsewhere. */
function inside(folder: string, name: string): string {
  const path = resolve(folder, name);
  if (!path.startsWith(`${resolve(folder)}${sep}`))
    throw new LociError(
      "invalid-input",
      `expected pictures beside the detections, got "${name.slice(0, 200)}"`,
    );
  return path;
}
