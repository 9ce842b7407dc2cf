import { createRoute, z } from "@hono/zod-openapi";
import { frameLineSchema, idSchema, LociError, labelsSchema, parseOrThrow } from "../../../schema/index.ts";
import type { App, RequestContext, ServerContext } from "../context.ts";
import { jsonReply, PROBLEMS, send } from "../spec.ts";

const file = z.any().openapi({ type: "string", format: "binary" });
const saidSchema = frameLineSchema
  .omit({ index: true, receivedAtUs: true })
  .extend({ scene: idSchema.optional(), labels: labelsSchema })
  .openapi("Frame");
const outcomeSchema = z.object({
  observationId: idSchema,
  /** Absent when it was taken in whole. */
  reason: z.string().optional(),
  detections: z.int(),
});
const PARTS = ["picture", "depth", "masks"] as const;

/** Posed frames of robots that are under way: pictures, depth, what is known about them. */
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
    send(c, await context.face(c).ingestFrame(await sentFrame(c))),
  );
}

async function sentFrame(c: RequestContext) {
  const form = await formOf(c);
  const said = form.get("frame");
  if (said === null) throw new LociError("invalid-input", 'expected a part "frame" with JSON');
  const line = parseOrThrow(saidSchema, jsonOf(await textOf(said)), "frame");
  const images = await Promise.all(
    PARTS.map(async (name) => {
      const part = form.get(name);
      return part instanceof Blob ? [[name, new Uint8Array(await part.arrayBuffer())]] : [];
    }),
  );
  return { ...line, ...Object.fromEntries(images.flat()) };
}

async function formOf(c: RequestContext): Promise<FormData> {
  if (!/^multipart\/form-data;/i.test(c.req.header("content-type") ?? ""))
    throw new LociError("invalid-input", "expected multipart/form-data");
  try {
    return await c.req.formData();
  } catch (cause) {
    throw new LociError("invalid-input", "expected multipart/form-data that can be read", { cause });
  }
}

const textOf = async (part: File | string) => (typeof part === "string" ? part : part.text());

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch (cause) {
    throw new LociError("invalid-input", "frame: expected JSON", { cause });
  }
}
