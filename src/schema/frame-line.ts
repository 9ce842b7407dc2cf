import { z } from "zod";
import { IMAGE_SIDE_PX } from "./constants.ts";
import { LIMITS } from "./limits.ts";
import {
  idSchema,
  lineSchema,
  nameSchema,
  probabilitySchema,
  quatSchema,
  timeUsSchema,
  vec3Schema,
} from "./primitives.ts";

export const DETECTIONS_PER_FRAME = 4_096;
const SCAN_BEAMS = 16_384;

const poseSchema = z.object({ p: vec3Schema, q: quatSchema });
const pixel = z
  .number()
  .min(-IMAGE_SIDE_PX)
  .max(2 * IMAGE_SIDE_PX);

const intrinsicsSchema = z.object({
  fx: z.number().positive(),
  fy: z.number().positive(),
  cx: z.number(),
  cy: z.number(),
  width: z.int().min(1).max(IMAGE_SIDE_PX),
  height: z.int().min(1).max(IMAGE_SIDE_PX),
});

const detectionSchema = z.object({
  mask: z.int().min(1).max(65_535).optional(),
  bbox: z.tuple([pixel, pixel, pixel, pixel]),
  score: probabilitySchema,
  faint: z.boolean().optional(),
  label: nameSchema.optional(),
  text: lineSchema.optional(),
  /** Its box as the detector gives it, along the axes of `mapFrame`. */
  box: z.object({ min: vec3Schema, max: vec3Schema }).optional(),
  attributes: z
    .record(nameSchema, z.union([z.string().max(LIMITS.nameChars), z.number(), z.boolean()]))
    .refine((all) => Object.keys(all).length <= LIMITS.attributesPerState, "too many attributes")
    .optional(),
});

/** A frame without its pixels: one line of JSON beside the images, the same for every format. */
export const frameLineSchema = z.object({
  index: z.int().min(0),
  timeUs: timeUsSchema,
  receivedAtUs: timeUsSchema.optional(),
  agentId: idSchema,
  sensorId: idSchema,
  intrinsics: intrinsicsSchema,
  mapFrame: idSchema.default("world"),
  robotFrame: nameSchema.optional(),
  worldFromCamera: poseSchema.optional(),
  submap: z.object({ frame: idSchema, submapFromCamera: poseSchema }).optional(),
  /** Uncertainty of the pose from its localisation: one standard deviation. */
  poseSd: z.object({ m: z.number().min(0), rad: z.number().min(0) }).optional(),
  odometry: z.object({ frame: idSchema, odomFromBody: poseSchema }).optional(),
  depthUnitM: z.number().positive().max(1).optional(),
  scan: z
    .object({
      startRad: z.number(),
      stepRad: z.number(),
      rangesMm: z.array(z.int().min(0).max(65_535)).max(SCAN_BEAMS),
    })
    .optional(),
  detections: z.array(detectionSchema).max(DETECTIONS_PER_FRAME).optional(),
  captions: z.array(lineSchema).max(LIMITS.linesPerRecord).optional(),
});

export type FrameLine = z.infer<typeof frameLineSchema>;
