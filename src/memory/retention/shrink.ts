import { blobRefOf, type LociRecord, type RecordOf, type Stored } from "../../schema/core.ts";
import type { MemoryReader } from "../port.ts";
import { BLOB_SHARE, type Candidate, plain } from "./gather.ts";
import type { Planner } from "./planner.ts";
import { type Slimmed, slimmed } from "./slim.ts";

/**
 * Returns a picture with no side longer than this many pixels; undefined if it is that small already, or cannot be
 * read.
 */
export type ShrinkPicture = (picture: Uint8Array, sidePx: number) => Promise<Uint8Array | undefined>;

/** How small pictures become, step by step: a fifth of a page of the engine, then an eighth. */
const SIDES_PX = [160, 96];

/** Makes pictures smaller, those of the least useful views first, until enough bytes are free; records it in `slim`. */
export async function shrinkUntil(
  goal: number,
  reader: MemoryReader,
  planner: Planner,
  shrink: ShrinkPicture,
  slim: Map<string, Slimmed>,
  isFixed: (record: LociRecord) => boolean,
): Promise<void> {
  for (const sidePx of SIDES_PX) {
    for (const view of planner.freed < goal ? planner.leastUseful("view") : []) {
      if (planner.freed >= goal) return;
      if (isFixed(view.record)) continue;
      const one = await withSmallerPicture(reader, view, sidePx, shrink, slim.get(view.record.id));
      if (one === undefined) continue;
      slim.set(one.record.id, one);
      planner.slim(one.record.id, one.bytes);
    }
  }
}

/**
 * A view with a smaller picture; undefined where that saves nothing. What was seen, when, where and beside what is
 * unchanged: the record of a boundary is not its picture.
 */
async function withSmallerPicture(
  reader: MemoryReader,
  { record }: Candidate,
  sidePx: number,
  shrink: ShrinkPicture,
  before: Slimmed | undefined,
): Promise<Slimmed | undefined> {
  const view = record as Stored<RecordOf<"view">>;
  const picture = before?.blobs?.[0] ?? (await reader.blob(view.thumb));
  const small = picture && (await shrink(picture, sidePx));
  if (picture === undefined || small === undefined) return undefined;
  const one = before ?? (await slimmed(reader, view, plain(view)));
  return {
    record: { ...(one.record as RecordOf<"view">), thumb: blobRefOf(small) },
    versions: one.versions,
    bytes: (before === undefined ? one.bytes : 0) + BLOB_SHARE * (picture.length - small.length),
    blobs: [small],
  };
}
