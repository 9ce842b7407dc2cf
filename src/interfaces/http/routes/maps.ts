import { createRoute, z } from "@hono/zod-openapi";
import { alignScene, clocksSeen, joinScene, mapsSeen, partScene } from "../../../compose.ts";
import { idSchema, LociError, vec3Schema } from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { everyLabel } from "../every-label.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

const ALL = "joining maps";

const mapsSchema = z.object({
  maps: z.array(
    z.object({ root: z.string(), pieces: z.int(), agents: z.array(z.string()), isTakenOff: z.boolean() }),
  ),
  /** How far the clocks of robots are ahead of the memory's, where that was found. */
  clocks: z.array(
    z.object({
      agentId: z.string(),
      aheadUs: z.number(),
      sdUs: z.number(),
      driftPpm: z.number().optional(),
    }),
  ),
});
const alignSchema = z.strictObject({
  /**
   * The map that the other is placed in, and that other; without both, all maps that can be recognised in one another.
   */
  into: idSchema.optional(),
  map: idSchema.optional(),
  /** How it lies there, where that is known. */
  transform: z.strictObject({ position: vec3Schema, yawRad: z.number() }).optional(),
  /** Takes the map off what it was joined to. */
  undo: z.boolean().optional(),
  scene: idSchema.optional(),
});
const joinsSchema = z.looseObject({ joins: z.array(z.looseObject({ root: z.string() })) });

/** Unaligned maps of robots, joined and parted. A caller that joins what all readers see must see all of it. */
export function mapRoutes(app: App, context: ServerContext): void {
  const maps = createRoute({
    method: "get",
    path: "/v1/maps",
    summary: "The maps that are not joined to each other, the one that others are joined to first",
    middleware: everyLabel(ALL, "read"),
    responses: { 200: jsonReply(mapsSchema, "Their root frames"), ...PROBLEMS },
  });
  app.openapi(maps, async (c) => {
    const { scene } = c.get("caller").actor;
    const reader = await context.memory.reader();
    const seen = await mapsSeen(reader, scene);
    return send(c, {
      clocks: await clocksSeen(reader, scene),
      maps: seen.map(({ root, pieces, agents, isTakenOff }) => ({
        root,
        pieces,
        agents: [...agents],
        isTakenOff,
      })),
    });
  });

  const align = createRoute({
    method: "post",
    path: "/v1/maps/align",
    summary: "Joins maps by what they show or by a known transform, or takes a join back",
    middleware: everyLabel(ALL, "admin"),
    request: { body: jsonBody(alignSchema) },
    responses: { 200: jsonReply(joinsSchema, "What came of each"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(align, async (c) => {
    const { into, map, transform, undo, scene: asked } = c.req.valid("json");
    const { scene: sceneId = asked } = c.get("caller").actor;
    if (asked !== undefined && asked !== sceneId)
      throw new LociError("access-denied", `this token is for scene "${sceneId}"`);
    const { memory } = context;
    if (undo) {
      if (map === undefined) throw new LociError("invalid-input", "name the map that is to be taken off");
      return send(c, { joins: [await partScene(memory, map, sceneId)] });
    }
    if (into === undefined && map === undefined && transform === undefined)
      return send(c, { joins: await joinScene(memory, sceneId) });
    if (into === undefined || map === undefined)
      throw new LociError("invalid-input", "name two maps: into and map");
    const pose = transform && {
      p: transform.position,
      q: { w: Math.cos(transform.yawRad / 2), x: 0, y: 0, z: Math.sin(transform.yawRad / 2) },
    };
    return send(c, { joins: [await alignScene(memory, { into, map, sceneId, transform: pose })] });
  });
}
