import { z } from "zod";
import { LIMITS } from "./limits.ts";
import {
  anchorSchema,
  blobRefSchema,
  boundedJsonSchema,
  extentSchema,
  idSchema,
  labelsSchema,
  lineSchema,
  nameSchema,
  probabilitySchema,
  timeUsSchema,
  vec3Schema,
} from "./primitives.ts";

const ids = z.array(idSchema).max(LIMITS.refsPerRecord);

/**
 * The fields of every record. `text` holds the lines by which it is found, each embedded on its own
 * (docs/formulas.md#lines) and indexed by its words; `labels` are access labels: a reader must hold all of them.
 * World time is [validFromUs, validToUs); null means still valid.
 */
const common = {
  id: idSchema,
  sceneId: idSchema.default("default"),
  author: idSchema.default("local"),
  labels: labelsSchema,
  validFromUs: timeUsSchema,
  validToUs: timeUsSchema.nullable(),
  anchor: anchorSchema.optional(),
  /** Full size along the submap's axes, centred on the anchor. */
  extent: extentSchema.optional(),
  text: z.array(lineSchema).max(LIMITS.linesPerRecord).default([]),
  /** The blob whose image vector represents this record. */
  image: blobRefSchema.optional(),
};

/**
 * The robots' own name, category and text of a record that a person has corrected. The record then has the person's
 * values, and undoing the correction restores these (docs/decisions/0014).
 */
const perceived = z
  .object({
    name: nameSchema,
    category: nameSchema.optional(),
    text: z.array(lineSchema).max(LIMITS.linesPerRecord),
    aliases: z.array(nameSchema).max(64).optional(),
  })
  .optional();

const quality = z.object({
  black: probabilitySchema,
  blur: z.number().min(0),
  validDepth: probabilitySchema,
});
const intrinsics = z.object({
  fx: z.number().positive(),
  fy: z.number().positive(),
  cx: z.number(),
  cy: z.number(),
  width: z.int().positive(),
  height: z.int().positive(),
});
const bbox = z.tuple([z.number(), z.number(), z.number(), z.number()]);

const observation = z.object({
  ...common,
  kind: z.literal("observation"),
  sensorId: idSchema,
  intrinsics: intrinsics.optional(),
  rgb: blobRefSchema.optional(),
  depth: blobRefSchema.optional(),
  cloud: blobRefSchema.optional(),
  quality: quality.optional(),
});

const detection = z.object({
  ...common,
  kind: z.literal("detection"),
  observationId: idSchema,
  stateId: idSchema.optional(),
  bbox: bbox.optional(),
  mask: blobRefSchema.optional(),
  score: probabilitySchema,
  category: nameSchema.optional(),
  points: z.int().min(0).default(0),
  truncated: z.boolean().default(false),
  occludedFraction: probabilitySchema.default(0),
});

const track = z.object({
  ...common,
  kind: z.literal("track"),
  type: z.enum(["object", "mover", "person", "agent", "stuff", "part"]).default("object"),
  name: nameSchema,
  category: nameSchema,
  aliases: z.array(nameSchema).max(64).default([]),
  perceived,
  mergedInto: idSchema.optional(),
  maybeSameAs: z
    .array(z.object({ id: idSchema, p: probabilitySchema }))
    .max(32)
    .default([]),
  salience: z.number().min(0).default(0),
});

/** One attribute with its evidence; includes changing ones (open/closed, on/off). */
export const attributeSchema = z.object({
  value: z.union([
    z
      .string()
      .max(LIMITS.nameChars)
      .refine((text) => text.isWellFormed()),
    z.number(),
    z.boolean(),
  ]),
  p: probabilitySchema,
  support: z.int().min(0),
  lastUs: timeUsSchema,
});

const state = z.object({
  ...common,
  kind: z.literal("state"),
  trackId: idSchema,
  name: nameSchema,
  category: nameSchema,
  /**
   * The source of the category: "eyes", a detector, or a vision model by its id; absent for a recording or a person.
   */
  namedBy: nameSchema.optional(),
  /** Alternative categories from an uncertain source, likeliest first. */
  maybe: z
    .array(z.object({ category: nameSchema, p: probabilitySchema }))
    .max(LIMITS.maybes)
    .optional(),
  perceived,
  yawRad: z.number().optional(),
  points: blobRefSchema.optional(),
  attributes: z
    .record(nameSchema, attributeSchema)
    .refine((all) => Object.keys(all).length <= LIMITS.attributesPerState, "too many attributes")
    .default({}),
  views: ids.default([]),
  supportedBy: idSchema.optional(),
  insideOf: idSchema.optional(),
  regionId: idSchema.optional(),
  placeId: idSchema.optional(),
  movedFrom: z.object({ stateId: idSchema, p: probabilitySchema }).optional(),
});

const view = z.object({
  ...common,
  kind: z.literal("view"),
  observationId: idSchema,
  thumb: blobRefSchema,
  overlay: blobRefSchema.optional(),
  visible: z
    .array(z.object({ stateId: idSchema, bbox, depthM: z.number().min(0), fraction: probabilitySchema }))
    .max(LIMITS.refsPerRecord)
    .default([]),
  room: nameSchema.optional(),
  /** 64×48 luma for SSIM (docs/formulas.md#signature). */
  signature: blobRefSchema.optional(),
  supersedes: idSchema.optional(),
});

const caption = z.object({
  ...common,
  kind: z.literal("caption"),
  source: z.enum(["vlm", "template", "human"]),
  /** The topic, for writers of text only: a note, a body state, a task episode. */
  topic: nameSchema.optional(),
  path: z.array(vec3Schema).max(LIMITS.refsPerRecord).optional(),
  states: ids.default([]),
  views: ids.default([]),
  regionId: idSchema.optional(),
});

const place = z.object({
  ...common,
  kind: z.literal("place"),
  yawRad: z.number(),
  views: ids.default([]),
  captions: ids.default([]),
  edges: z
    .array(z.object({ to: idSchema, costM: z.number().min(0), type: z.enum(["traversed", "clear", "door"]) }))
    .max(LIMITS.refsPerRecord)
    .default([]),
  regionId: idSchema.optional(),
});

const region = z.object({
  ...common,
  kind: z.literal("region"),
  /**
   * A "map" is the map data of one submap: its grid and its surface points. A "spot" is a place that a person named:
   * whatever lies around its anchor, within its extent.
   */
  type: z.enum(["cluster", "room", "floor", "site", "map", "spot"]),
  level: z.int().min(0),
  name: nameSchema,
  perceived,
  /** The type of room, where a person gave it a name of its own. */
  roomType: nameSchema.optional(),
  parent: idSchema.optional(),
  children: ids.default([]),
  leaves: z.int().min(0).default(0),
  hull: z.array(vec3Schema).max(LIMITS.polygonPoints).optional(),
  relationships: z.array(lineSchema).max(256).default([]),
  dirty: z.boolean().default(false),
  coverage: probabilitySchema.default(0),
  /** Occupancy and the time each cell was last observed; in the map's own format. */
  grid: blobRefSchema.optional(),
  /** Coloured surface points, in the map's own format. */
  surface: blobRefSchema.optional(),
});

const relation = z.object({
  ...common,
  kind: z.literal("relation"),
  subject: idSchema,
  predicate: z.enum([
    "on",
    "in",
    "under",
    "above",
    "next_to",
    "left_of",
    "right_of",
    "in_front_of",
    "behind",
    "between",
    "part_of",
    "same_room",
    "near",
  ]),
  object: idSchema,
  object2: idSchema.optional(),
  frame: z.enum(["ego", "object", "world"]).optional(),
  p: probabilitySchema.default(1),
  derived: z.boolean().default(true),
});

const event = z.object({
  ...common,
  kind: z.literal("event"),
  type: z.enum([
    "appear",
    "disappear",
    "move",
    "state-change",
    "enter",
    "exit",
    "stop",
    "turn",
    "pass",
    "door",
    "interaction",
    "custom",
    "correction",
  ]),
  who: ids.default([]),
  regionId: idSchema.optional(),
  detail: z.record(z.string().max(LIMITS.nameChars), boundedJsonSchema).default({}),
  p: probabilitySchema.default(1),
});

const agent = z.object({
  ...common,
  kind: z.literal("agent"),
  name: nameSchema,
  bodyFrame: idSchema,
  sensors: z.array(nameSchema).max(64).default([]),
  capabilities: z.array(nameSchema).max(64).default([]),
  clockOffset: z.object({ us: timeUsSchema, sdUs: z.number().min(0) }).optional(),
  trust: probabilitySchema.default(1),
  /** Observations that were deleted again by retention, by sensor; times in the retention's own format. */
  givenUp: z
    .array(z.object({ sensorId: idSchema, times: blobRefSchema }))
    .max(64)
    .optional(),
});

/** Every kind of versioned record, discriminated by `kind` (docs/formulas.md#records). */
export const recordSchema = z
  .discriminatedUnion("kind", [
    observation,
    detection,
    track,
    state,
    view,
    caption,
    place,
    region,
    relation,
    event,
    agent,
  ])
  .refine((r) => r.validToUs === null || r.validToUs > r.validFromUs, {
    message: "an interval ends after it starts (validToUs > validFromUs); an instant t is [t, t+1)",
    path: ["validToUs"],
  })
  .refine((r) => r.extent === undefined || r.anchor !== undefined, {
    message: "an extent needs an anchor",
    path: ["extent"],
  });

export type LociRecord = z.infer<typeof recordSchema>;
export type RecordInput = z.input<typeof recordSchema>;
export type RecordKind = LociRecord["kind"];
export type RecordOf<K extends RecordKind> = Extract<LociRecord, { kind: K }>;

/** What the memory adds to a record: its version, and the memory-time span in which that version was current. */
export type Stored<R extends LociRecord = LociRecord> = R & {
  readonly version: number;
  readonly recordedAtUs: number;
  readonly supersededAtUs: number | null;
};
