import type { MemoryReader, WriteBatch } from "../memory/port.ts";
import { LociError, type RecordKind } from "../schema/core.ts";

/** Drawn from many frames, and told to all who may see them. */
const SHARED: ReadonlySet<RecordKind> = new Set(["place", "region"]);

/**
 * What an ingest under some labels may write: places and regions that others see too stay as they are, since what is said
 * of them comes from what all who see them may see. Its own it derives beside them. A frame whose ids are there and hidden
 * is refused: writing would overwrite them.
 */
export async function ownLayer(
  batch: WriteBatch,
  labels: readonly string[],
  all: MemoryReader,
  seen: MemoryReader,
): Promise<WriteBatch> {
  const { records = [] } = batch;
  const ids = records.map(({ id }) => id);
  const there = await all.get(ids);
  const visible = await seen.get(ids);
  if (ids.some((_, n) => there[n] !== undefined && visible[n] === undefined))
    throw new LociError("access-denied", "this frame cannot be filed under these labels");
  const own = new Set(labels);
  const isOwn = (now: readonly string[]) => now.length === own.size && now.every((label) => own.has(label));
  const isKept = (n: number) => {
    const before = there[n];
    return before === undefined || !SHARED.has(before.kind) || isOwn(before.labels);
  };
  return records.every((_, n) => isKept(n))
    ? batch
    : { ...batch, records: records.filter((_, n) => isKept(n)) };
}
