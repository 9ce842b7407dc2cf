import { createRoute, z } from "@hono/zod-openapi";
import { inSlices } from "../../../schema/effort.ts";
import { frameLineSchema, idSchema, LociError, labelsSchema } from "../../../schema/index.ts";
import { parseJsonInTurns } from "../../../schema/json-in-turns.ts";
import { refusalOf } from "../../../schema/parse.ts";
import { callerIdOf } from "../access.ts";
import { checkInTurns } from "../check-in-turns.ts";
import type { App, RequestContext, ServerContext } from "../context.ts";
import type { ServerLimits } from "../limits.ts";
import { partsOf } from "../multipart.ts";
import { jsonReply, PROBLEMS, send } from "../spec.ts";

const file = z.any().openapi({ type: "string", format: "binary" });
const saidSchema = frameLineSchema
  .omit({ index: true, receivedAtUs: true })
  .extend({ scene: idSchema.optional(), labels: labelsSchema })
  .openapi("Frame");
const outcomeSchema = z.object({
  observationId: idSchema,
  /** Absent if the frame was taken completely. */
  reason: z.string().optional(),
  detections: z.int(),
});
const PARTS = ["picture", "depth", "masks"] as const;

/** Posed frames of running robots: pictures, depth, metadata. */
export function frameRoutes(app: App, context: ServerContext): void {
  const frames = createRoute({
    method: "post",
    path: "/v1/frames",
    summary: "A posed frame through the whole pipeline; the same one again changes nothing",
    middleware: context.require("write"),
    request: {
      body: {
        required: true,
        description:
          "`frame` is JSON; `picture` a JPEG or PNG, `depth` and `masks` grey PNGs, all of the size that its intrinsics say",
        content: {
          "multipart/form-data": {
            schema: z.object({
              frame: saidSchema,
              picture: file.optional(),
              depth: file.optional(),
              masks: file.optional(),
            }),
          },
        },
      },
    },
    responses: { 200: jsonReply(outcomeSchema, "It is on the disk, or why not"), ...PROBLEMS },
  });
  app.openAPIRegistry.registerPath(frames);
  app.post("/v1/frames", context.require("write"), async (c) =>
    send(c, await context.face(c).ingestFrame(await sentFrame(c, context.limits))),
  );
}

async function sentFrame(c: RequestContext, limits: ServerLimits) {
  const body = Buffer.from(await c.req.arrayBuffer());
  const parts = partsOf(body, c.req.header("content-type") ?? "");
  const said = parts.get("frame");
  if (said === undefined) throw new LociError("invalid-input", 'expected a part "frame" with JSON');
  if (said.length > limits.jsonBytes)
    throw new LociError(
      "limit-exceeded",
      `the part "frame" has at most ${limits.jsonBytes} bytes, this one ${said.length}`,
    );
  const line = await saidBy(said, callerIdOf(c.get("caller")), limits);
  const images = PARTS.flatMap((name) => {
    const part = parts.get(name);
    return part === undefined ? [] : [[name, new Uint8Array(part)]];
  });
  return { ...line, ...Object.fromEntries(images) };
}

/** What a frame says, read and checked in turns with other requests. */
async function saidBy(bytes: Uint8Array, caller: string, limits: ServerLimits) {
  const { jsonDepth: depth, jsonContainers: containers, jsonKeys: keys } = limits;
  let value: unknown;
  try {
    value = await parseJsonInTurns(bytes, { depth, containers, keys, caller });
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new LociError("invalid-input", "frame: expected JSON", { cause });
  }
  const checked = await checkInTurns(saidSchema, value, inSlices(caller));
  if (!checked.success) throw refusalOf(checked.error, "frame");
  return checked.data as z.infer<typeof saidSchema>;
}
