import { dumpRowToJson, type MemoryReader } from "../../memory/index.ts";

/** What a memory believes, without recording times and version numbers: sorted lines. */
export async function beliefOf(reader: MemoryReader): Promise<string[]> {
  const lines: string[] = [];
  const forgotten = new Set<string>();
  for await (const row of reader.dump()) {
    // Another clock is ahead of each memory's own.
    if (row.type === "record" && row.record.kind === "agent" && row.record.clockOffset) continue;
    if (row.type === "record" && row.record.supersededAtUs === null)
      lines.push(dumpRowToJson({ ...row, record: { ...row.record, version: 1, recordedAtUs: 0 } }));
    else if (row.type === "sighting" || row.type === "frame")
      lines.push(dumpRowToJson({ ...row, recordedAtUs: 0 }));
    else if (row.type === "forgotten") forgotten.add(row.id);
  }
  return [...lines, ...Array.from(forgotten, (id) => `forgotten ${id}`)].sort();
}
