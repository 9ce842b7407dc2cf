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

/** The content of a memory as one number. */
interface ContentDigest {
  /** Two memories with the same are equal, whatever engine keeps them. */
  readonly sha256: string;
  /** The same for two memories that were told the same, each at its own time. */
  readonly sha256WithoutClock: string;
  readonly rows: number;
}

export async function contentDigest(reader: MemoryReader): Promise<ContentDigest> {
  const [whole, timeless]: [string[], string[]] = [[], []];
  for await (const row of reader.dump()) {
    const json = dumpRowToJson(row);
    whole.push(sha256(json));
    timeless.push(row.type === "blob" ? whole.at(-1)! : sha256(dumpRowToJson(withoutClock(row))));
  }
  const together = (lines: string[]) => sha256(lines.sort().join(""));
  return { sha256: together(whole), sha256WithoutClock: together(timeless), rows: whole.length };
}

/** A row without its recording times. */
function withoutClock(row: DumpRow): DumpRow {
  switch (row.type) {
    case "record":
      return {
        ...row,
        record: {
          ...row.record,
          recordedAtUs: 0,
          supersededAtUs: row.record.supersededAtUs === null ? null : 0,
        },
      };
    case "frame":
    case "sighting":
      return { ...row, recordedAtUs: 0 };
    case "forgotten":
      return { ...row, atUs: 0 };
    case "heard":
      return { ...row, commitUs: 0, atUs: 0 };
    default:
      return row;
  }
}

function sha256(text: string): string {
  return createHash("sha256").update(text).digest("hex");
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
