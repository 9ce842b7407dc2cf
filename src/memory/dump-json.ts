import { createHash } from "node:crypto";
import type { DumpRow, MemoryReader } from "./port.ts";

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
