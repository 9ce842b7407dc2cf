import { z } from "zod";
import { idSchema, LociError, parseOrThrow } from "../../schema/index.ts";
import { RECORDING_FORMATS } from "../../sensors/index.ts";
import { FAMILIES, familyOf } from "../families/index.ts";
import { allNoise, noiseLevelsSchema } from "../noise/index.ts";
import { SUITES, suiteOf } from "../questions/index.ts";
import { PLAIN_FOV_DEG, PLAIN_TILT_DEG } from "./plain.ts";

/** A larger recording is a mistake in a parameter: a day of ten robots at one frame per second. */
const MAX_FRAMES = 1_000_000;

/** Monday 5 January 2026, 09:00 UTC: recordings of one seed have the same date, whenever they are made. */
export const DEFAULT_START_US = Date.UTC(2026, 0, 5, 9) * 1000;

const SIDE = "expected a size between 16x16 and 4096x4096";
const side = z.int(SIDE).min(16, SIDE).max(4096, SIDE);
const sizeSchema = z.preprocess(
  (value) => {
    const match = typeof value === "string" ? /^(\d{1,5})x(\d{1,5})$/.exec(value) : null;
    return match ? { width: Number(match[1]), height: Number(match[2]) } : value;
  },
  z.object({ width: side, height: side }, { error: "expected a size such as 160x120" }),
);

function whole(what: string, least: number, most: number) {
  const error = `expected ${least} to ${most} ${what}`;
  return z.int(error).min(least, error).max(most, error);
}

export const recordOptionsSchema = z.object({
  family: z.enum(FAMILIES, {
    error: (issue) => `expected one of ${FAMILIES.join(", ")}, got ${JSON.stringify(issue.input)}`,
  }),
  seed: z.union([z.int(), z.string().min(1).max(64)]).default(1),
  agents: z.int("expected a whole number of agents").min(1, "expected at least 1 agent").max(64).default(1),
  minutes: z.number().positive("expected more than 0 minutes").max(100_000).default(2),
  fps: z.number().positive("expected more than 0 frames per second").max(120).default(1),
  size: sizeSchema.default({ width: 160, height: 120 }),
  noise: z
    .union([z.number().min(0).max(1).transform(allNoise), noiseLevelsSchema], {
      error: "expected noise between 0 and 1, or a level for each kind of it",
    })
    .default(allNoise(0)),
  out: z.string().min(1, "expected a folder to write to"),
  format: z
    .enum(RECORDING_FORMATS, { error: `expected one of ${RECORDING_FORMATS.join(", ")}` })
    .default("folder"),
  /** As a RealSense on a ROS 2 robot is recorded: no masks, no detections, nothing of the truth. */
  plain: z.boolean().default(false),
  colour: z.enum(["png", "jpeg"]).default("png"),
  /** Default: the family's camera. */
  horizontalFovDeg: z.number().min(20).max(160).optional(),
  tiltDeg: z.number().min(-80).max(80).optional(),
  cameraHeightM: z.number().min(0.1).max(2.2).default(1.5),
  lidar: z.boolean().default(true),
  /** Rooms of a house, aisles of a warehouse, blocks of a campus. */
  rooms: whole("rooms, aisles or blocks", 4, 14).optional(),
  floors: whole("floors", 1, 2).optional(),
  objects: whole("objects", 60, 400).optional(),
  /** Events per hour; people besides. */
  rate: z.number().min(0).max(100_000).optional(),
  people: whole("people", 0, 8).optional(),
  startUs: z.int().min(0).default(DEFAULT_START_US),
  /** The world's whole time span, if longer than the tour: recordings with one seed and life share one world. */
  life: z.object({ startUs: z.int().min(0), minutes: z.number().positive().max(100_000) }).optional(),
  workers: z.int().min(0).max(64).optional(),
  agentPrefix: idSchema.default("robot"),
  /** Also writes questions of this suite beside the recording, with their number and wording. */
  questions: z.enum(SUITES, { error: `expected one of ${SUITES.join(", ")}` }).optional(),
  questionCount: z.int().min(1).max(100_000).optional(),
  wording: z.enum(["dev", "test"]).optional(),
});

export type RecordOptions = Omit<z.input<typeof recordOptionsSchema>, "size"> & {
  size?: string | { width: number; height: number } | undefined;
};
export type ParsedOptions = z.output<typeof recordOptionsSchema> & {
  readonly horizontalFovDeg: number;
  readonly tiltDeg: number;
};

/** One clear line about the first problem, before anything is written. */
export function parseRecordOptions(options: unknown): ParsedOptions {
  const parsed = parseOrThrow(recordOptionsSchema, options, "simulate");
  const frames = parsed.agents * parsed.minutes * 60 * parsed.fps;
  if (frames > MAX_FRAMES) {
    throw new LociError(
      "invalid-input",
      `simulate: expected at most ${MAX_FRAMES} frames, got ${Math.round(frames)}`,
    );
  }
  const suited = parsed.questions === undefined ? undefined : suiteOf(parsed.questions).family;
  if (suited !== undefined && suited !== parsed.family)
    throw new LociError(
      "invalid-input",
      `simulate: questions of suite ${parsed.questions} are about a ${suited}, not a ${parsed.family}`,
    );
  if (parsed.family !== "house" && (parsed.floors ?? 1) + (parsed.objects ?? 0) > 1)
    throw new LociError(
      "invalid-input",
      `simulate: floors and objects are options of a house, not of a ${parsed.family}`,
    );
  if (parsed.questions === "collab" && parsed.agents < 2)
    throw new LociError("invalid-input", "simulate: questions of suite collab need at least 2 agents");
  if (parsed.plain && (parsed.format !== "mcap" || parsed.agents > 1))
    throw new LociError(
      "invalid-input",
      "simulate: a plain recording is the bag of one robot: --format mcap --agents 1",
    );
  const { life, startUs, minutes } = parsed;
  if (life && (startUs < life.startUs || startUs + minutes * 60e6 > life.startUs + life.minutes * 60e6))
    throw new LociError("invalid-input", "simulate: the tour must lie within the life of its world");
  if (frames < 1) throw new LociError("invalid-input", "simulate: expected time for at least one frame");
  const { camera } = familyOf(parsed.family);
  return {
    ...parsed,
    horizontalFovDeg: parsed.horizontalFovDeg ?? (parsed.plain ? PLAIN_FOV_DEG : camera.horizontalFovDeg),
    tiltDeg: parsed.tiltDeg ?? (parsed.plain ? PLAIN_TILT_DEG : camera.tiltDeg),
  };
}
