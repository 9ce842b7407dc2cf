import type { MemoryReader, WriteBatch } from "../memory/port.ts";
import { LociError, type RecordInput } from "../schema/core.ts";

/** Whether two sets of access labels are one. */
export function sameLabels(a: readonly string[], b: readonly string[]): boolean {
  const own = new Set(a);
  return own.size === new Set(b).size && b.every((label) => own.has(label));
}

/**
 * What an ingest under some labels may write. Records that others see too stay unchanged, since their content comes
 * from what all their readers may see; the ingest derives its own beside them. A frame whose ids are present but hidden
 * is refused: writing would overwrite them.
 */
export async function ownLayer(
  batch: WriteBatch,
  labels: readonly string[],
  all: MemoryReader,
): Promise<WriteBatch> {
  const { records = [] } = batch;
  const there = await all.get(records.map(({ id }) => id));
  const held = new Set(labels);
  if (there.some((record) => record?.labels.some((label) => !held.has(label))))
    throw new LociError("access-denied", "this frame cannot be filed under these labels");
  const own = records.filter((_, n) => isOwn(there[n], labels));
  return own.length === records.length ? batch : { ...batch, records: own };
}

/** The same for records derived anew under some labels from present ones: other readers' records stay unchanged. */
export async function ownRecords(
  records: readonly RecordInput[],
  labels: readonly string[],
  all: MemoryReader,
): Promise<RecordInput[]> {
  const there = await all.get(records.map(({ id }) => id));
  return records.filter((record, n) => sameLabels(record.labels ?? [], labels) && isOwn(there[n], labels));
}

function isOwn(
  before: { readonly labels: readonly string[] } | undefined,
  labels: readonly string[],
): boolean {
  return before === undefined || sameLabels(before.labels, labels);
}
