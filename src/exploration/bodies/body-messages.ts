import { z } from "zod";
import { frameLineSchema, LIMITS, vec3Schema } from "../../schema/index.ts";
import { GO_OUTCOMES } from "../../sensors/index.ts";

/** The protocol of bodies over WebSocket (docs/body.md); a body of another version is refused. */
export const BODY_VERSION = 1;
/** Base64 of a picture: 12 MB of PNG or JPEG. */
const PICTURE_CHARS = 16_777_216;
/** Frames of one look: those of the drive before it, and one taken now. */
const FRAMES = 64;

const id = z.int().min(0);
const metres = z.number().min(0).max(1e6);
const position = vec3Schema;
const timeUs = z.int().min(0).max(LIMITS.timeUs);

const whereaboutsSchema = z.object({
  position,
  yawRad: z.number().min(-1e3).max(1e3),
  timeUs,
  sdM: metres.default(0),
  yawSdRad: metres.default(0),
});

const modelSchema = z.object({
  radiusM: z.number().positive().max(5),
  speedMps: z.number().positive().max(20),
  turnRadps: z.number().positive().max(50),
  eyeHeightM: z.number().min(0).max(10),
  horizontalFovRad: z
    .number()
    .positive()
    .max(2 * Math.PI),
  focalPx: z.number().positive().max(1e5),
  sightM: z.number().positive().max(1e3),
});

const picture = z.base64().max(PICTURE_CHARS);
const line = frameLineSchema.shape;
const frameSchema = z.object({
  timeUs,
  sensorId: line.sensorId.default("camera"),
  intrinsics: line.intrinsics,
  worldFromCamera: line.worldFromCamera,
  /** JPEG or PNG; a grey PNG of 16 bits; and one with the number of a detection in each pixel. */
  rgb: picture.optional(),
  depth: picture.optional(),
  depthUnitM: line.depthUnitM,
  masks: picture.optional(),
  detections: line.detections,
  captions: line.captions,
});

/** What a body says to `hello`, `whereabouts`, `look` and `go`; a move says how far a drive has come. */
export const bodySays = {
  hello: z.object({ id, ok: z.literal(true), version: z.int(), agent: line.agentId, model: modelSchema }),
  whereabouts: z.object({ id, ok: z.literal(true), at: whereaboutsSchema }),
  look: z.object({ id, ok: z.literal(true), frames: z.array(frameSchema).max(FRAMES) }),
  went: z.object({
    id,
    ok: z.literal(true),
    outcome: z.enum(GO_OUTCOMES),
    pathM: metres,
    turnRad: metres,
    at: whereaboutsSchema,
    why: z.string().max(256).optional(),
  }),
  move: z.object({ id, move: whereaboutsSchema }),
  failed: z.object({ id, ok: z.literal(false), error: z.string().max(512) }),
} as const;

export type SaidWhereabouts = z.infer<typeof whereaboutsSchema>;
export type SaidFrame = z.infer<typeof frameSchema>;
