import { z } from "zod";
import { momentSchema } from "./face.ts";
import { LIMITS } from "./limits.ts";
import { idSchema, timeUsSchema } from "./primitives.ts";

/** What a viewer requests from a memory (docs/feed.md); responses are JSON described here, or blocks of columns. */

const scene = { scene: idSchema.optional() };

export const sceneQuerySchema = z.strictObject(scene);

export const mapChunkQuerySchema = z.strictObject({
  ...scene,
  /** Requested levels of detail, from 0, the coarsest; default: all. */
  level: z.int().min(0).max(3).optional(),
});

export const statesQuerySchema = z
  .strictObject({
    ...scene,
    /** The cursor from the previous block. */
    after: z.string().max(128).optional(),
    /** A revision from the feed: only what changed since. */
    since: z.string().max(64).optional(),
    /** Also past beliefs of the memory, one row per version. */
    versions: z.boolean().optional(),
    limit: z.int().min(1).max(8_192).optional(),
  })
  .refine(({ after, since }) => after === undefined || since === undefined, {
    message: "either the next block (after) or what changed (since)",
  });

export const waysQuerySchema = z.strictObject({
  ...scene,
  from: momentSchema.optional(),
  to: momentSchema.optional(),
  /** Metres between the points of a trajectory. */
  stepM: z.number().min(0).max(1_000).optional(),
});

const outline = z.array(z.object({ x: z.number(), y: z.number() })).max(LIMITS.polygonPoints);

export const feedSceneSchema = z.object({
  format: z.literal(1),
  revision: z.string(),
  span: z.object({ fromUs: timeUsSchema, toUs: timeUsSchema }).nullable(),
  counts: z.object({ states: z.int(), tracks: z.int(), events: z.int() }),
  maps: z.array(idSchema),
  regions: z.array(
    z.object({
      id: idSchema,
      type: z.enum(["room", "floor"]),
      name: z.string(),
      map: idSchema,
      parent: idSchema.optional(),
      z: z.number(),
      outline,
      fromUs: timeUsSchema,
      toUs: timeUsSchema.nullable(),
      coverage: z.number(),
    }),
  ),
  chunks: z.array(
    z.object({
      id: z.string(),
      etag: z.string(),
      map: idSchema,
      x: z.number(),
      y: z.number(),
      sizeM: z.number(),
      points: z.int(),
      fromUs: timeUsSchema,
    }),
  ),
});

export const groundListSchema = z.array(
  z.object({
    id: z.string(),
    etag: z.string(),
    map: idSchema,
    floor: z.int(),
    floorZ: z.number(),
    seenM2: z.number(),
  }),
);
