import { createRoute, z } from "@hono/zod-openapi";
import { goalQuerySchema, goalSchema, LociError, type NavGoal, WORLD_FRAME } from "../../../schema/index.ts";
import type { App, ServerContext } from "../context.ts";
import { jsonBody, jsonReply, NOT_FOUND, PROBLEMS, send } from "../spec.ts";

const robotSchema = z.object({
  /** The rosbridge that goals go to, or null where none was named. */
  address: z.string().nullable(),
  topic: z.string().nullable(),
});
const sentSchema = z.object({ ...goalSchema.shape, sentTo: robotSchema });

/** The robot that listens, if the server was given one: whether there is, and sending it somewhere. */
export function robotRoutes(app: App, context: ServerContext): void {
  const { robot } = context;
  const told = { address: robot?.address ?? null, topic: robot?.topic ?? null };

  const who = createRoute({
    method: "get",
    path: "/v1/robot",
    summary: "Whether a robot listens for goals, and where",
    middleware: context.require("read"),
    responses: { 200: jsonReply(robotSchema, "The robot"), ...PROBLEMS },
  });
  app.openapi(who, (c) => send(c, told));

  const go = createRoute({
    method: "post",
    path: "/v1/robot/goal",
    summary: "Sends the robot to a thing, a room or a point: a goal on its topic, and what was sent",
    middleware: context.require("write"),
    request: { body: jsonBody(goalQuerySchema) },
    responses: { 200: jsonReply(sentSchema, "What was sent"), ...NOT_FOUND, ...PROBLEMS },
  });
  app.openapi(go, async (c) => {
    if (robot === undefined)
      throw new LociError("not-supported", "no robot listens: serve with --rosbridge ws://HOST:9090");
    const query = c.req.valid("json");
    const found = await context.face(c).goal(query, { signal: context.signalOf(c) });
    const goal = found.goal ?? pointItself(query.to);
    if (goal === null)
      throw new LociError("unknown-id", "no way there is known, so there is no place to stand");
    await robot.sendGoal(goal);
    return send(c, { ...found, goal, sentTo: told });
  });
}

/** Without a map that has a route, a given point is still a goal: the robot finds out whether it can be reached. */
function pointItself(to: string | { x: number; y: number; z: number }): NavGoal | null {
  return typeof to === "string" ? null : { frame: WORLD_FRAME, position: to, yawRad: 0, reachable: false };
}
