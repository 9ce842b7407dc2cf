import { z } from "zod";
import { isBoundedJson, LIMITS, LociError, nameSchema, parseOrThrow } from "../schema/index.ts";
import type { DumpRow } from "./port.ts";

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/);
const embedder = z.object({ id: nameSchema, dim: z.int().positive().max(LIMITS.vectorDim) }).nullable();
/** The levels of a record, and those of an event's details. */
const MAX_LEVELS = LIMITS.jsonDepth + 8;
const time = z.int();

/** One line of a dump as JSON: vectors and blobs in base64, the rest as it is. Records are checked on restore. */
const lineSchema = z.discriminatedUnion("type", [
  z.object({
    type: z.literal("memory"),
    format: z.literal(1),
    embedder,
    imageEmbedder: embedder,
    calibrations: z.array(
      z.object({
        space: z.enum(["text", "image"]),
        embedder: z.string(),
        mean: z.number(),
        sd: z.number().positive(),
        pairs: z.int(),
      }),
    ),
  }),
  z.object({ type: z.literal("frame"), recordedAtUs: time, edge: z.looseObject({}) }),
  z.object({ type: z.literal("blob"), bytes: base64 }),
  z.object({ type: z.literal("text"), text: z.string(), vector: base64.nullable() }),
  z.object({ type: z.literal("image-vector"), blob: z.string(), vector: base64 }),
  z.object({
    type: z.literal("record"),
    record: z.looseObject({
      version: z.int().positive(),
      recordedAtUs: time,
      supersededAtUs: time.nullable(),
    }),
  }),
  z.object({ type: z.literal("sighting"), recordedAtUs: time, sighting: z.looseObject({}) }),
  z.object({ type: z.literal("forgotten"), id: z.string(), atUs: time, reason: z.string() }),
  z.object({
    type: z.literal("heard"),
    commitUs: time,
    memory: z.string(),
    atUs: time,
    derived: z.boolean(),
  }),
]);

/** The inverse; what does not fit is refused with the line's name in the message. */
export function dumpRowFromJson(line: string, what: string): DumpRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  if (!isBoundedJson(value, MAX_LEVELS))
    throw new LociError(
      "invalid-input",
      `${what}: expected JSON of at most ${MAX_LEVELS} levels, of whole characters`,
    );
  const row = parseOrThrow(lineSchema, value, what);
  if (row.type === "blob" && row.bytes.length > (LIMITS.blobBytes * 4) / 3 + 4)
    throw new LociError("limit-exceeded", `${what}: a blob has at most ${LIMITS.blobBytes} bytes`);
  if (row.type === "blob") return { type: "blob", bytes: Buffer.from(row.bytes, "base64") };
  if (row.type === "text") return { ...row, vector: row.vector === null ? null : fromBase64(row.vector) };
  if (row.type === "image-vector") return { ...row, vector: fromBase64(row.vector) };
  return row as DumpRow;
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 4));
}
