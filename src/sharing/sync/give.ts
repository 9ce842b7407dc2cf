import type { LoggedBatch, MemoryLog } from "../../memory/index.ts";
import type { Heard, LociRecord, Stored } from "../../schema/core.ts";
import { type Sealed, type SegmentBatch, seal } from "./segment.ts";

/** A segment is closed at about this size: losing one on the way costs little, and taking it needs seconds. */
const SEGMENT_BYTES = 2 * 1024 * 1024;
const SEGMENT_BATCHES = 512;

export interface GiveRequest {
  /** Up to which time the receiver has each memory's writes. */
  readonly heard: Heard;
  /** The forgettings of the receiver that this memory has taken over. */
  readonly told: string;
  /** Every named blob, including those that an earlier batch names. */
  readonly whole?: boolean | undefined;
  readonly signal?: AbortSignal | undefined;
  readonly segmentBytes?: number | undefined;
  /** Omits what other memories wrote, for a receiver that accepts it from themselves only. */
  readonly ownOnly?: boolean | undefined;
}

/** The next segment that the other memory lacks, in the order in which it was written here; undefined if it has all. */
export async function nextSegment(log: MemoryLog, request: GiveRequest): Promise<Sealed | undefined> {
  const { told, whole = false, signal, segmentBytes = SEGMENT_BYTES } = request;
  const heard = request.ownOnly ? await asIfHeard(log, request.heard) : request.heard;
  const fromUs = await log.firstUnheard(new Map(Object.entries(heard)));
  if (fromUs === null) return undefined;
  const batches: SegmentBatch[] = [];
  const blobs = new Map<string, Uint8Array>();
  const reaches: Record<string, number> = {};
  let [bytes, isFull] = [0, false];
  for await (const batch of log.batches(fromUs, signal)) {
    const { memory, atUs } = batch.from;
    if ((reaches[memory] ?? heard[memory] ?? -1) >= atUs) continue;
    batches.push(given(batch));
    reaches[memory] = atUs;
    bytes += sizeOf(batches.at(-1)!);
    for (const { ref, isFirst } of batch.blobs) {
      const blob = (isFirst || whole) && !blobs.has(ref) ? await log.blob(ref) : undefined;
      if (blob === undefined) continue;
      blobs.set(ref, blob);
      bytes += blob.length;
    }
    isFull = bytes >= segmentBytes || batches.length >= SEGMENT_BATCHES;
    if (isFull) break;
  }
  // What each memory derives for itself (joins, clocks) alone needs no segment: it is sent with the next change.
  if (!isFull && batches.every(saysNothing)) return undefined;
  const assumes = Object.fromEntries(
    Object.keys(reaches).flatMap((memory) =>
      request.heard[memory] === undefined ? [] : [[memory, request.heard[memory]]],
    ),
  );
  return seal({ sender: log.memory, assumes, reaches, told, batches, blobs });
}

/** All that other memories wrote counts as heard. */
async function asIfHeard(log: MemoryLog, heard: Heard): Promise<Heard> {
  const others = [...(await log.heard()).keys()].filter((memory) => memory !== log.memory);
  return { ...heard, ...Object.fromEntries(others.map((memory) => [memory, Number.MAX_SAFE_INTEGER])) };
}

/** A batch as it is sent, without its memory's own times; of derived batches only what people said. */
function given({ from, derived, records, sightings, frames, imageVectors }: LoggedBatch): SegmentBatch {
  if (!derived) return { from, derived, records: records.map(plain), sightings, frames, imageVectors };
  const said = records.filter(isSaying).map(plain);
  return { from, derived, records: said, sightings: [], frames: [], imageVectors: [] };
}

function saysNothing({ derived, records }: SegmentBatch): boolean {
  return derived && records.length === 0;
}

/**
 * A person's statement or its retraction: a correction, or a name for a place. A join moves statements too, for its own
 * memory.
 */
function isSaying(record: Stored): boolean {
  const isOne =
    record.kind === "event"
      ? record.type === "correction"
      : record.kind === "region" && record.type === "spot";
  return isOne && (record.version === 1 || record.validToUs !== null);
}

function plain({ version: _, recordedAtUs: __, supersededAtUs: ___, ...record }: Stored): LociRecord {
  return record as LociRecord;
}

const RECORD_BYTES = 400;

/** About how long it is as JSON. */
function sizeOf({ records, sightings, frames, imageVectors }: SegmentBatch): number {
  const lines = records.reduce((sum, { text = [] }) => sum + text.reduce((n, line) => n + line.length, 0), 0);
  const vectors = imageVectors.reduce((sum, { vector }) => sum + vector.byteLength, 0);
  return (records.length + sightings.length + frames.length) * RECORD_BYTES + lines + vectors;
}
