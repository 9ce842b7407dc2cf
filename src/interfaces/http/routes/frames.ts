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

/** A frame has four parts, each with a short head. */
const MAX_PARTS = 16;
const MAX_HEAD_BYTES = 4_096;

async function formOf(c: RequestContext): Promise<FormData> {
  const type = c.req.header("content-type") ?? "";
  if (!/^multipart\/form-data;/i.test(type))
    throw new LociError("invalid-input", "expected multipart/form-data");
  const bytes = Buffer.from(await c.req.arrayBuffer());
  checkParts(bytes, /boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i.exec(type));
  try {
    return await new Response(bytes, { headers: { "content-type": type } }).formData();
  } catch (cause) {
    throw new LociError("invalid-input", "expected multipart/form-data that can be read", { cause });
  }
}

/** Very many parts, or one very long head, would hold the thread for a second and more. */
function checkParts(bytes: Buffer, found: RegExpExecArray | null): void {
  const name = found?.[1] ?? found?.[2];
  if (name === undefined)
    throw new LociError("invalid-input", "expected multipart/form-data with a boundary");
  const boundary = Buffer.from(`--${name}`, "latin1");
  let parts = 0;
  for (let at = bytes.indexOf(boundary); at >= 0; at = bytes.indexOf(boundary, at + boundary.length)) {
    if (++parts > MAX_PARTS + 1)
      throw new LociError(
        "limit-exceeded",
        `a frame has at most ${MAX_PARTS} parts; send frame, picture, depth and masks`,
      );
    const head = bytes.subarray(at + boundary.length, at + boundary.length + MAX_HEAD_BYTES);
    if (head.length === MAX_HEAD_BYTES && !head.includes("\r\n\r\n"))
      throw new LociError("limit-exceeded", `the head of a part has at most ${MAX_HEAD_BYTES} bytes`);
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
