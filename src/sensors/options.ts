import { z } from "zod";
import { idSchema, nameSchema, refusalOf, timeUsSchema } from "../schema/index.ts";

const WORLD_UPS = ["x", "y", "z", "-x", "-y", "-z"] as const;
/** The axis of the files' world that points away from the ground. */
export type WorldUp = (typeof WORLD_UPS)[number];

/**
 * What a reader cannot always find in the files. Nothing here is needed if the files say it; otherwise the error
 * names the option. Times are in microseconds, lengths in metres.
 */
export const readOptionsSchema = z.strictObject({
  /** The start, for sources without times or with times that count from their own start. */
  startUs: timeUsSchema.optional(),
  /** For sources that only number their frames. */
  frameIntervalUs: z.int().min(1).max(3_600_000_000).optional(),
  agentId: idSchema.optional(),
  sensorId: idSchema.optional(),
  /** The map that the poses are in; "world" unless said otherwise. */
  mapFrame: idSchema.optional(),
  /** Depth unit of a depth image, in metres. */
  depthUnitM: z.number().positive().max(1).optional(),
  /** Unit of the positions in poses, in metres. */
  poseUnitM: z.number().positive().max(1_000).optional(),
  poseConvention: z.enum(["camera-to-world", "world-to-camera"]).optional(),
  /** optical: +Z forward, +Y down. opengl: −Z forward, +Y up. body: +X forward, +Z up. */
  cameraAxes: z.enum(["optical", "opengl", "body"]).optional(),
  worldUp: z.enum(WORLD_UPS).optional(),
  /** Pixel centres at integers, as in calibration files. */
  intrinsics: z
    .strictObject({
      fx: z.number().positive(),
      fy: z.number().positive(),
      cx: z.number(),
      cy: z.number(),
    })
    .optional(),
  /** ROS: the topics to use, if there is a choice. */
  topics: z
    .strictObject({
      colour: z.array(nameSchema).max(64).optional(),
      depth: nameSchema.optional(),
      cloud: nameSchema.optional(),
      cameraInfo: nameSchema.optional(),
      pose: nameSchema.optional(),
    })
    .optional(),
  /** ROS: the frame of the recording that becomes the world; by default "map", "world" or "odom", if there is one. */
  worldFrame: nameSchema.optional(),
  /** Pictures, depths and poses further apart than this do not belong together; default 50 ms, of poses 100 ms. */
  syncToleranceUs: z
    .int("expected a sync tolerance between 0 and 10 s")
    .min(0, "expected a sync tolerance between 0 and 10 s")
    .max(10_000_000, "expected a sync tolerance between 0 and 10 s")
    .optional(),
  /** Live: requested pictures per second, and the number after which it ends. */
  rateHz: z.number().min(0.01).max(60).optional(),
  maxFrames: z.int().min(1).optional(),
  /** Called with everything that had to be skipped. */
  onSkip: z.custom<(skip: Skip) => void>((value) => typeof value === "function").optional(),
});

export type ReadOptions = z.infer<typeof readOptionsSchema>;

/** What people give each of them by on the command line. */
const GIVEN_BY: Partial<Record<keyof ReadOptions, string>> = {
  startUs: "--start",
  frameIntervalUs: "--interval",
  agentId: "--agent",
  depthUnitM: "--depth-unit",
  poseUnitM: "--pose-unit",
  poseConvention: "--pose-convention",
  cameraAxes: "--camera-axes",
  worldUp: "--world-up",
  intrinsics: "--intrinsics",
  topics: "--topic",
  worldFrame: "--world-frame",
  syncToleranceUs: "--sync-tolerance",
  rateHz: "--rate",
  maxFrames: "--frames",
};

/** Checks them; a wrong one is named as the command line and the library know it. */
export function parseReadOptions(options: unknown): ReadOptions {
  const result = readOptionsSchema.safeParse(options);
  if (result.success) return result.data;
  const key = result.error.issues[0]?.path[0] as keyof ReadOptions | undefined;
  const option = key === undefined ? undefined : GIVEN_BY[key];
  throw refusalOf(
    result.error,
    option === undefined ? "the reading options" : `${option}, the reading options`,
  );
}

/** Content that exists but could not be used. */
export interface Skip {
  readonly what: string;
  readonly why: string;
}
