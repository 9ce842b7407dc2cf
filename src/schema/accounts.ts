import { z } from "zod";
import { navGoalSchema } from "./answer.ts";
import { momentSchema } from "./face.ts";
import {
  blobRefSchema,
  extentSchema,
  idSchema,
  nameSchema,
  quatSchema,
  timeUsSchema,
  vec3Schema,
} from "./primitives.ts";

/**
 * What a memory reports beyond answers to questions: the life of a thing, a timeline of events, the differences
 * between two times, which ground was observed, and routes.
 */

const scene = idSchema.optional().describe("of which place, where a memory has several");
const room = z.object({ id: idSchema, name: nameSchema });
const box = z.tuple([z.number(), z.number(), z.number(), z.number()]);

/** A thing by its id (of a track or a state) or by words: "the red mug". */
const REF_CHARS = "expected an id or words of 1 to 256 characters";
export const thingRefSchema = z
  .string()
  .min(1, REF_CHARS)
  .max(256, REF_CHARS)
  .describe("its id, or words for it: “the red mug”");

export const lifeQuerySchema = z.strictObject({
  scene,
  pictures: z.int().min(0).max(100).optional().describe("most pictures to return"),
});

/** One stay of a thing in one place. */
const staySchema = z.object({
  stateId: idSchema,
  fromUs: timeUsSchema,
  /** When the stay ended; null while it lasts. */
  toUs: timeUsSchema.nullable(),
  position: vec3Schema.optional(),
  size: extentSchema.optional(),
  room: room.optional(),
  seen: z.int(),
  lastSeenUs: timeUsSchema.nullable(),
  /** When an observer later saw that it was not there. */
  absentUs: timeUsSchema.nullable(),
  attributes: z.record(
    z.string(),
    z.object({ value: z.union([z.string(), z.number(), z.boolean()]), p: z.number() }),
  ),
});

const eventSchema = z.object({
  id: idSchema,
  type: z.string(),
  fromUs: timeUsSchema,
  toUs: timeUsSchema.nullable(),
  text: z.string(),
  p: z.number(),
  by: idSchema,
  position: vec3Schema.optional(),
});

export const lifeSchema = z.object({
  /** The id of the track, with merges followed. */
  id: idSchema,
  name: nameSchema,
  category: nameSchema,
  type: z.string(),
  aliases: z.array(nameSchema),
  /** Whether it is where it was last seen, as far as is known: its last stay has not ended. */
  isThere: z.boolean(),
  firstSeenUs: timeUsSchema.nullable(),
  lastSeenUs: timeUsSchema.nullable(),
  seen: z.int(),
  /** The agents that saw it, each with how often and when last. */
  seenBy: z.array(z.object({ agent: idSchema, seen: z.int(), lastUs: timeUsSchema })),
  /** Oldest first. */
  stays: z.array(staySchema),
  /** Its events: appeared, moved, changed, gone; oldest first. */
  events: z.array(eventSchema),
  /** What it was called before, oldest first; times are memory times. */
  names: z.array(z.object({ sinceUs: timeUsSchema, name: nameSchema, category: nameSchema })),
  /** Pictures that show it, latest first; the box in shares of the picture's sides: left, top, right, bottom. */
  pictures: z.array(
    z.object({
      viewId: idSchema,
      image: blobRefSchema,
      atUs: timeUsSchema,
      by: idSchema,
      box: box.optional(),
    }),
  ),
  maybeSameAs: z.array(z.object({ id: idSchema, p: z.number() })),
});

export const timelineQuerySchema = z.strictObject({
  scene,
  from: momentSchema.optional().describe("from when; default: all that is known"),
  to: momentSchema.optional().describe("to when; default: all that is known"),
  buckets: z.int().min(1).max(1_000).optional().describe("equal steps to count in"),
  types: z.array(nameSchema).min(1).max(12).optional().describe("only these types of event"),
  limit: z.int().min(0).max(1_000).optional().describe("most events to list; all are counted"),
});

export const timelineSchema = z.object({
  fromUs: timeUsSchema,
  toUs: timeUsSchema,
  stepUs: z.number(),
  /** In order, each `stepUs` long: the number of observations, and the events that began, by type. */
  buckets: z.array(z.object({ fromUs: timeUsSchema, looks: z.int(), events: z.record(z.string(), z.int()) })),
  /** The latest, in order of time. */
  events: z.array(eventSchema),
  /** Whether there are more events than could be counted. */
  isCut: z.boolean(),
});

/** Two times, in either order. */
export const diffQuerySchema = z.strictObject({
  scene,
  a: momentSchema.describe("one time"),
  b: momentSchema.describe("the other time"),
});

const diffThing = {
  id: idSchema,
  stateId: idSchema,
  name: nameSchema,
  category: nameSchema,
  position: vec3Schema.optional(),
  room: room.optional(),
};
const diffThingSchema = z.object(diffThing);

export const diffSchema = z.object({
  /** The earlier one. */
  aUs: timeUsSchema,
  bUs: timeUsSchema,
  /** There at b and not at a, in a place observed before. */
  appeared: z.array(diffThingSchema),
  /** There at b, in a place not observed before, so the time of its arrival is unknown. */
  found: z.array(diffThingSchema),
  /** There at a and not at b. */
  gone: z.array(
    z.object({
      ...diffThing,
      /** Whether its place was observed again and the thing was not there. */ looked: z.boolean(),
    }),
  ),
  moved: z.array(
    z.object({
      ...diffThing,
      from: z.object({ position: vec3Schema, room: room.optional() }),
      distanceM: z.number(),
    }),
  ),
  /** Attributes that changed (opened, switched, filled), with the earlier and the later value. */
  changed: z.array(
    z.object({ ...diffThing, attribute: z.string(), from: z.unknown(), to: z.unknown(), atUs: timeUsSchema }),
  ),
  /** There at both times and in the same place. */
  same: z.int(),
  isCut: z.boolean(),
});

export const coverageQuerySchema = z.strictObject({
  scene,
  since: momentSchema.optional().describe("only looks since then count; default: all"),
});

export const coverageSchema = z.object({
  /** The latest known moment: ages count back from it. */
  nowUs: timeUsSchema,
  floors: z.array(z.object({ id: z.string(), floor: z.int(), floorZ: z.number(), seenM2: z.number() })),
  rooms: z.array(
    z.object({
      id: idSchema,
      name: nameSchema,
      areaM2: z.number(),
      /** Share of its floor that was observed. */
      share: z.number(),
      /** When it was last observed. */
      lastUs: timeUsSchema.nullable(),
    }),
  ),
});

/** A place: a point, the id of a record that has a place, or words: "kitchen", "the red mug", "here". */
export const placeRefSchema = z.union([thingRefSchema, vec3Schema], {
  error: 'expected a point {"x", "y", "z"} in metres, an id or words',
});

const going = {
  scene,
  agent: idSchema.optional(),
  /** Selects the map that contains this frame; points are given in it. */
  frame: idSchema.optional(),
  from: placeRefSchema.optional(),
};
export const routeQuerySchema = z.strictObject({ ...going, to: placeRefSchema });
export const goalQuerySchema = z.strictObject({
  ...going,
  to: placeRefSchema,
  /** A target that was not looked at for longer is called stale; default: a day. */
  staleAfterS: z.number().min(0).max(1e9).optional(),
});

const endSchema = z.object({
  position: vec3Schema,
  name: z.string().optional(),
  id: idSchema.optional(),
  /** The robot that stands there: the one that was asked, or the nearest. */
  agent: idSchema.optional(),
});

export const routeSchema = z.object({
  from: endSchema,
  to: endSchema,
  /** Along the mapped floor; from door to door; or a straight line where no route is known. */
  by: z.enum(["map", "doors", "straight"]),
  lengthM: z.number(),
  points: z.array(vec3Schema),
  /** The frame of the points, if not the world. */
  frame: idSchema.optional(),
  /** In the order they are passed, including the first and the last. */
  rooms: z.array(room),
  doors: z.array(endSchema),
});

/** Stamped 0: "as the frames are now", whatever the robot's clock says. */
const poseWithCovarianceStamped = z.object({
  header: z.object({
    stamp: z.object({ sec: z.int(), nanosec: z.int() }),
    frame_id: z.string(),
  }),
  pose: z.object({
    pose: z.object({ position: vec3Schema, orientation: quatSchema }),
    /** 6 × 6 row-major over x, y, z, roll, pitch, yaw. */
    covariance: z.array(z.number()).length(36),
  }),
});

export const goalSchema = z.object({
  to: endSchema,
  /** Where to stand to see it, or in the room; null where no map is available. */
  goal: navGoalSchema.nullable(),
  /** The goal as a geometry_msgs/PoseWithCovarianceStamped in the robot's frame; its `pose` is a PoseStamped's. */
  ros: poseWithCovarianceStamped.optional(),
  /** The robot from whose place the way was measured, where no start was given. */
  agent: idSchema.optional(),
});

export type LifeQuery = z.input<typeof lifeQuerySchema>;
export type Life = z.infer<typeof lifeSchema>;
export type LifeEvent = z.infer<typeof eventSchema>;
export type Stay = z.infer<typeof staySchema>;
export type Timeline = z.infer<typeof timelineSchema>;
export type Diff = z.infer<typeof diffSchema>;
export type DiffThing = z.infer<typeof diffThingSchema>;
export type Coverage = z.infer<typeof coverageSchema>;
export type PlaceRef = z.infer<typeof placeRefSchema>;
export type RouteQuery = z.input<typeof routeQuerySchema>;
export type Route = z.infer<typeof routeSchema>;
export type RouteEnd = z.infer<typeof endSchema>;
export type Goal = z.infer<typeof goalSchema>;
