import { createHash } from "node:crypto";
import { z } from "zod";
import { parseOrThrow } from "../schema/index.ts";
import type { DumpRow, MemoryReader } from "./port.ts";

const base64 = z.string().regex(/^[A-Za-z0-9+/]*={0,2}$/);
const embedder = z.object({ id: z.string(), dim: z.int().positive() }).nullable();
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
        sd: z.number(),
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
]);

/** A dump row as one line of JSON, the same bytes for the same content. */
export function dumpRowToJson(row: DumpRow): string {
  switch (row.type) {
    case "blob":
      return canonical({ ...row, bytes: Buffer.from(row.bytes).toString("base64") });
    case "text":
    case "image-vector":
      return canonical({ ...row, vector: row.vector === null ? null : toBase64(row.vector) });
    default:
      return canonical(row);
  }
}

/** The inverse; what does not fit is refused with the line's name in the message. */
export function dumpRowFromJson(line: string, what: string): DumpRow {
  let value: unknown;
  try {
    value = JSON.parse(line);
  } catch {
    value = undefined;
  }
  const row = parseOrThrow(lineSchema, value, what);
  if (row.type === "blob") return { type: "blob", bytes: Buffer.from(row.bytes, "base64") };
  if (row.type === "text") return { ...row, vector: row.vector === null ? null : fromBase64(row.vector) };
  if (row.type === "image-vector") return { ...row, vector: fromBase64(row.vector) };
  return row as DumpRow;
}

/** What a memory holds as one number: two memories with the same digest are equal, whatever engine keeps them. */
export async function contentDigest(reader: MemoryReader): Promise<{ sha256: string; rows: number }> {
  const lines: string[] = [];
  for await (const row of reader.dump())
    lines.push(createHash("sha256").update(dumpRowToJson(row)).digest("hex"));
  lines.sort();
  const all = createHash("sha256");
  for (const line of lines) all.update(line);
  return { sha256: all.digest("hex"), rows: lines.length };
}

function canonical(value: unknown): string {
  return JSON.stringify(value, (_, inner: unknown) => {
    if (inner === null || typeof inner !== "object" || Array.isArray(inner)) return inner;
    return Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)));
  });
}

function toBase64(vector: Float32Array): string {
  return Buffer.from(vector.buffer, vector.byteOffset, vector.byteLength).toString("base64");
}

function fromBase64(text: string): Float32Array {
  const bytes = Buffer.from(text, "base64");
  return new Float32Array(new Uint8Array(bytes).buffer, 0, Math.floor(bytes.length / 4));
}
