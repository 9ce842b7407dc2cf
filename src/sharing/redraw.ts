import type { Transform } from "../geometry/index.ts";
import { SceneMap } from "../map/index.ts";
import { eachHit, type MemoryReader, type WriteBatch } from "../memory/index.ts";
import { LIMITS, type RecordInput, type RecordOf, type Stored } from "../schema/core.ts";
import type { Tracker, TrackerOptions } from "../tracking/index.ts";
import { seenFrom } from "./looks.ts";

/** What a map derives from its submaps: recomputed for the map that it is joined to. */
const DERIVED: readonly string[] = ["room", "floor", "cluster", "site"];

export interface JoinOptions extends Pick<TrackerOptions, "background" | "embedder"> {
  readonly sceneId: string;
  /**
   * Opens the memory as it is now, as it was believed at a time, or as readers with some labels see it; called again
   * after each write.
   */
  readonly reader: (view?: JoinView) => Promise<MemoryReader>;
  readonly write: (batch: WriteBatch) => Promise<unknown>;
}

export interface JoinView {
  readonly asOfMemoryUs?: number;
  readonly labels?: readonly string[];
}

/** Rooms, floors and the forest of one map at the current poses of its submaps, and the rooms of its things. */
export async function redrawn(
  where: {
    readonly sceneId: string;
    readonly root: string;
    readonly labels: readonly string[];
    readonly worldFromSubmap: (frame: string) => Transform | undefined;
  },
  reader: MemoryReader,
  tracker: Tracker,
  lastUs: number,
): Promise<{ readonly map: SceneMap; readonly records: RecordInput[]; readonly blobs: Uint8Array[] }> {
  const map = await SceneMap.open(reader, where);
  const objects = [...tracker.things()].filter(({ type }) => type === "object");
  const states = objects.map(({ stateId }) => stateId);
  const from = await seenFrom(reader, states, where.worldFromSubmap);
  const things = objects.map(({ stateId, category, says, boxInWorld }) => ({
    id: stateId,
    category,
    says,
    box: boxInWorld,
    seenFrom: from.get(stateId),
  }));
  const drawn = await map.update(
    things,
    lastUs === -Infinity ? await lastLookUs(reader, where.sceneId) : lastUs,
  );
  const settled = tracker.settle((position, stateId) => map.roomOf(stateId) ?? map.roomAt(position)?.id);
  const finished = map.finish();
  return {
    map,
    records: [...settled.records, ...drawn.records, ...finished.records],
    blobs: [...drawn.blobs, ...finished.blobs],
  };
}

/** When a scene was last looked at: a map in which no thing was found has been drawn all the same. */
async function lastLookUs(reader: MemoryReader, sceneId: string): Promise<number> {
  const { hits } = await reader.search({
    kinds: ["observation"],
    where: { sceneId: [sceneId] },
    rank: "latest",
    limit: 1,
  });
  return hits[0]?.record.validFromUs ?? 0;
}

/** Current records derived for a map, by its root frame. */
export async function derivedOf(
  reader: MemoryReader,
  sceneId: string,
  root: string,
): Promise<Stored<RecordOf<"region">>[]> {
  return (await everDerivedOf(reader, sceneId, root)).filter(({ validToUs }) => validToUs === null);
}

/** The same, including those that ended since. */
export async function everDerivedOf(
  reader: MemoryReader,
  sceneId: string,
  root: string,
): Promise<Stored<RecordOf<"region">>[]> {
  const found: Stored<RecordOf<"region">>[] = [];
  const where = { sceneId: [sceneId], category: [...DERIVED] };
  for await (const { record } of eachHit(reader, "region", { where }))
    if (record.anchor?.submap === root) found.push(record);
  return found;
}

/** A record without the fields that a write assigns. */
export function withoutStamps<R extends Stored>(
  record: R,
): Omit<R, "version" | "recordedAtUs" | "supersededAtUs"> {
  const { version, recordedAtUs, supersededAtUs, ...rest } = record;
  return rest;
}

export function endedAt(record: Stored, atUs: number): RecordInput {
  return { ...withoutStamps(record), validToUs: Math.max(atUs, record.validFromUs + 1) } as RecordInput;
}

/** Of records written twice in one go the later. */
export function latest(records: readonly RecordInput[]): RecordInput[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

export function edgeOf(parent: string, child: string, transform: Transform, revision: number) {
  return { parent, child, transform, kind: "alignment" as const, stampUs: null, revision };
}

/** One write, or where that is too large several, of which the first has all that is no record. */
export async function writeAll(
  { write }: JoinOptions,
  batch: WriteBatch & { readonly records: readonly RecordInput[] },
): Promise<void> {
  const { records } = batch;
  await write({ ...batch, records: records.slice(0, LIMITS.recordsPerBatch) });
  for (let at = LIMITS.recordsPerBatch; at < records.length; at += LIMITS.recordsPerBatch)
    await write({ records: records.slice(at, at + LIMITS.recordsPerBatch) });
}
