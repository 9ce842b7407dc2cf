import { z } from "zod";
import { idSchema, nameSchema, timeUsSchema } from "../schema/index.ts";

const WORLD_UPS = ["x", "y", "z", "-x", "-y", "-z"] as const;
/** The axis of the files' world that points away from the ground. */
export type WorldUp = (typeof WORLD_UPS)[number];

/**
 * What a reader cannot always find in the files. Nothing here is needed where the files tell; where they do not,
 * the error names the option. Times are in microseconds, lengths in metres.
 */
export const readOptionsSchema = z.strictObject({
  /** For sources without times, or with times that count from their own start: when they began. */
  startUs: timeUsSchema.optional(),
  /** For sources that only number their frames. */
  frameIntervalUs: z.int().min(1).max(3_600_000_000).optional(),
  agentId: idSchema.optional(),
  sensorId: idSchema.optional(),
  /** The map that the poses are in; "world" unless said otherwise. */
  mapFrame: idSchema.optional(),
  /** Metres of one step of a depth image. */
  depthUnitM: z.number().positive().max(1).optional(),
  /** Metres of one unit of the positions in poses. */
  poseUnitM: z.number().positive().max(1_000).optional(),
  poseConvention: z.enum(["camera-to-world", "world-to-camera"]).optional(),
  /** optical: +Z forward, +Y down. opengl: −Z forward, +Y up. body: +X forward, +Z up. */
  cameraAxes: z.enum(["optical", "opengl", "body"]).optional(),
  worldUp: z.enum(WORLD_UPS).optional(),
  /** Pixel centres at whole numbers, as calibration files have them. */
  intrinsics: z
    .strictObject({
      fx: z.number().positive(),
      fy: z.number().positive(),
      cx: z.number(),
      cy: z.number(),
    })
    .optional(),
  /** ROS: which topics to take, where there is a choice. */
  topics: z
    .strictObject({
      colour: z.array(nameSchema).max(64).optional(),
      depth: nameSchema.optional(),
      cloud: nameSchema.optional(),
      cameraInfo: nameSchema.optional(),
      pose: nameSchema.optional(),
    })
    .optional(),
  /** ROS: the frame of the recording that becomes the world; "map", "world" or "odom" if there is one. */
  worldFrame: nameSchema.optional(),
  /** Pictures, depths and poses further apart than this do not belong together. */
  syncToleranceUs: z.int().min(0).max(10_000_000).optional(),
  /** Live: pictures a second that are asked for, and after how many it ends by itself. */
  rateHz: z.number().min(0.01).max(60).optional(),
  maxFrames: z.int().min(1).optional(),
  /** Told of everything that had to be left out. */
  onSkip: z.custom<(skip: Skip) => void>((value) => typeof value === "function").optional(),
});

export type ReadOptions = z.infer<typeof readOptionsSchema>;

/** Something that was there and could not be used. */
export interface Skip {
  readonly what: string;
  readonly why: string;
}
