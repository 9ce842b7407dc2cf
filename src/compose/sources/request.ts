import { z } from "zod";
import { privacyPolicySchema } from "../../ingest/privacy.ts";
import {
  idSchema,
  LIMITS,
  LociError,
  labelsSchema,
  nameSchema,
  PROFILE_NAMES,
  parseOrThrow,
  WHEN_BEHIND,
} from "../../schema/index.ts";
import { readOptionsSchema } from "../../sensors/options.ts";
import { REFUSALS } from "../known-place.ts";

export type WhenBehind = (typeof WHEN_BEHIND)[number];
export type ProfileName = (typeof PROFILE_NAMES)[number];

/** Longest address or path of a source, in characters. */
const SOURCE_CHARS = 1_024;

/**
 * A source that a memory takes in while it is used: a running robot or a recording, with the options that `ingest` has
 * for it.
 */
export const sourceRequestSchema = z.strictObject({
  /** rosbridge://HOST:PORT, foxglove://HOST:PORT, or a file or folder on the server's machine. */
  source: z.string().min(1).max(SOURCE_CHARS),
  /** What it is called; default: made from `source`. */
  name: idSchema.optional(),
  scene: idSchema.optional(),
  labels: labelsSchema.optional(),
  /** The map that its poses are in, if they have an origin of their own. */
  map: nameSchema.optional(),
  odometry: z.string().max(SOURCE_CHARS).optional(),
  detector: z.string().max(SOURCE_CHARS).optional(),
  classes: z.array(nameSchema).max(LIMITS.refsPerRecord).optional(),
  segmenter: z.string().max(SOURCE_CHARS).optional(),
  /** Longest side of the pictures of views, pixels. */
  viewPx: z.int().min(64).max(4_096).optional(),
  mode: z.enum(["loci", "paper"]).optional(),
  privacy: privacyPolicySchema.optional(),
  /** What the source does not say about itself. */
  read: readOptionsSchema.omit({ onSkip: true }).optional(),
  /** Live: what happens when frames come faster than they are taken in; default newest. */
  whenBehind: z.enum(WHEN_BEHIND).optional(),
  /** How much of the machine it may use; default full. */
  profile: z.enum(PROFILE_NAMES).optional(),
});
export type SourceRequest = z.input<typeof sourceRequestSchema>;

export const SOURCE_STATES = [
  "connecting", // not reached yet
  "running",
  "reconnecting", // lost, and tried again by itself
  "finished", // a recording that is in, or a robot of which as many frames came as were asked for
  "stopped",
  "failed", // ended with an error that trying again does not mend
] as const;
export type SourceState = (typeof SOURCE_STATES)[number];

const countSchema = z.int().min(0);

/** How a source is doing. */
export const sourceStatusSchema = z.object({
  id: idSchema,
  source: z.string(),
  kind: z.enum(["live", "recording"]),
  state: z.enum(SOURCE_STATES),
  scene: idSchema,
  /** Why it waits or what is missing, for people; null where nothing is amiss. */
  waits: z.string().nullable(),
  /** What it failed with, or what last went wrong. */
  problem: z.object({ code: z.string(), message: z.string() }).nullable(),
  sinceUs: z.int(),
  /** Frames that came, that are durable, and that wait. */
  frames: z.object({ came: countSchema, taken: countSchema, waiting: countSchema }),
  /** Of a recording; null for a robot. */
  totalFrames: countSchema.nullable(),
  /** Frames that were dropped because they came too fast, or could not be read, by reason. */
  dropped: z.record(z.string(), countSchema),
  /** Frames from which nothing, or little, was learnt, by reason. */
  skipped: z.record(z.string(), countSchema),
  detections: countSchema,
  /** Frames taken in a second over the last minute. */
  rateHz: z.number(),
  /** Live: from the arrival of a picture until it is durable, so that answers know it; over the last 256 frames. */
  latencyMs: z
    .object({ last: z.number(), median: z.number(), p95: z.number(), longest: z.number() })
    .nullable(),
  /** Since the last frame was taken in; null before the first. */
  lastTakenAgoS: z.number().nullable(),
  /** By the robot's clock. */
  lastFrameUs: z.int().nullable(),
  reconnects: countSchema,
  /**
   * Live: frames that were put aside or wait for a second look with what was seen since, and those that had one; it has
   * caught up where none waits.
   */
  later: z.object({ waiting: countSchema, done: countSchema }),
  /**
   * The map that its frames are in, the known map that it was recognised in, or why it stays apart; null before the
   * first frame.
   */
  map: z
    .object({ name: idSchema, into: idSchema.nullable(), refused: z.enum(REFUSALS).nullable() })
    .nullable(),
  whenBehind: z.enum(WHEN_BEHIND).nullable(),
  profile: z.enum(PROFILE_NAMES),
});
export type SourceStatus = z.infer<typeof sourceStatusSchema>;

export function parseSourceRequest(input: unknown): SourceRequest {
  return parseOrThrow(sourceRequestSchema, input, "the source");
}

type Given = (value: string, before: SourceRequest) => Partial<SourceRequest>;
type Read = NonNullable<SourceRequest["read"]>;

const reading =
  (given: (value: string, before: Read) => Read): Given =>
  (value, { read = {} }) => ({ read: { ...read, ...given(value, read) } });
const listOf = (value: string) => value.split(",").filter((part) => part !== "");

/** The options that may follow a source after "?", named as those of `ingest`. */
const OPTIONS: Readonly<Record<string, Given>> = {
  name: (name) => ({ name }),
  scene: (scene) => ({ scene }),
  labels: (value) => ({ labels: listOf(value) }),
  map: (map) => ({ map }),
  odometry: (odometry) => ({ odometry }),
  detector: (detector) => ({ detector }),
  classes: (value) => ({ classes: listOf(value) }),
  segmenter: (segmenter) => ({ segmenter }),
  "view-px": (value) => ({ viewPx: Number(value) }),
  "when-behind": (value) => ({ whenBehind: value as WhenBehind }),
  profile: (value) => ({ profile: value as ProfileName }),
  agent: reading((agentId) => ({ agentId })),
  rate: reading((value) => ({ rateHz: Number(value) })),
  frames: reading((value) => ({ maxFrames: Number(value) })),
  "world-frame": reading((worldFrame) => ({ worldFrame })),
  topic: reading((value, { topics }) => ({ topics: withTopic(topics, value) })),
};

/** "foxglove://robot:8765?agent=rob1&rate=2": an address or a path, and options of `ingest` after it. */
export function parseSource(text: string): SourceRequest {
  const [source, query] = splitQuery(text);
  let request: SourceRequest = { source };
  for (const [name, value] of new URLSearchParams(query)) {
    const given = OPTIONS[name];
    if (given === undefined)
      throw new LociError(
        "invalid-input",
        `expected options of a source among ${Object.keys(OPTIONS).join(", ")}, got "${name.slice(0, 64)}" in "${text.slice(0, 128)}"`,
      );
    request = { ...request, ...given(value, request) };
  }
  return parseSourceRequest(request);
}

function splitQuery(text: string): readonly [source: string, query: string] {
  const at = text.indexOf("?");
  return at < 0 ? [text, ""] : [text.slice(0, at), text.slice(at + 1)];
}

const TOPIC_USES = ["colour", "depth", "cloud", "cameraInfo", "pose"] as const;
type Topics = NonNullable<Read["topics"]>;

/** "depth=/camera/depth" added to the topics; several colours are several cameras. */
export function withTopic(topics: Topics = {}, given: string): Topics {
  const at = given.indexOf("=");
  const [use, name] = [
    TOPIC_USES.find((known) => known === given.slice(0, Math.max(0, at))),
    given.slice(at + 1),
  ];
  if (use === undefined || name === "")
    throw new LociError(
      "invalid-input",
      `--topic expects USE=NAME with a use of ${TOPIC_USES.join(", ")}, got "${given.slice(0, 80)}"`,
    );
  return use === "colour"
    ? { ...topics, colour: [...(topics.colour ?? []), name] }
    : { ...topics, [use]: name };
}
