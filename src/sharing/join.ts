import { IDENTITY, type Transform } from "../geometry/index.ts";
import { SceneMap } from "../map/index.ts";
import type { MemoryReader, WriteBatch } from "../memory/index.ts";
import { eachHit } from "../memory/index.ts";
import { LIMITS, type RecordInput, type RecordOf, type Stored } from "../schema/core.ts";
import { Tracker, type TrackerOptions } from "../tracking/index.ts";
import { type Alignment, align } from "./align/align.ts";
import { sameThings } from "./align/judge.ts";
import { transformOf } from "./align/level.ts";
import { type KnownMap, mapsIn, sketchOf } from "./maps.ts";

/** What a map derives from its pieces: made anew for the map that it is joined to. */
const DERIVED: readonly string[] = ["room", "floor", "cluster", "site"];

export interface JoinOptions extends Pick<TrackerOptions, "background" | "embedder"> {
  readonly sceneId: string;
  /** The memory as it is now: asked again after each write. */
  readonly reader: () => Promise<MemoryReader>;
  readonly write: (batch: WriteBatch) => Promise<unknown>;
}

/** What came of one map beside the first. */
export interface MapJoin {
  readonly root: string;
  readonly into: string;
  /** How it lies in the other; absent where that could not be told. */
  readonly pose?: Transform;
  /** Why they are still two. */
  readonly refused?: NonNullable<Alignment["refused"]> | "other-labels";
  /** Things that both had, and are one now. */
  readonly things: number;
  readonly sigmaM?: number;
  readonly sigmaRad?: number;
}

/**
 * Joins the maps of a scene as far as they can be recognised in one another: an edge of the frame graph says how one
 * lies in the other, things that both have become one, rooms and ways are drawn anew over both. What cannot be told
 * stays apart and is tried again when more is known.
 */
export async function joinMaps(options: JoinOptions): Promise<MapJoin[]> {
  const joins: MapJoin[] = [];
  for (;;) {
    const tried = new Set(joins.map(({ root }) => root));
    const [base, ...others] = await mapsIn(await options.reader(), options.sceneId);
    const next = others.find(({ root }) => !tried.has(root));
    if (base === undefined || next === undefined) return joins;
    joins.push(await tryJoin(options, base, next));
  }
}

async function tryJoin(options: JoinOptions, base: KnownMap, other: KnownMap): Promise<MapJoin> {
  const named = { root: other.root, into: base.root, things: 0 };
  // What one reader may not see must not be told to them by where it lies.
  if (base.labels.join("\n") !== other.labels.join("\n")) return { ...named, refused: "other-labels" };
  const reader = await options.reader();
  const [first, second] = [
    await sketchOf(reader, options.sceneId, base.root),
    await sketchOf(reader, options.sceneId, other.root),
  ];
  const { pose, covariance, refused } = align(first, second);
  if (pose === undefined) return { ...named, ...(refused && { refused }) };
  const pairs = sameThings(first.things, second.things, pose);
  const things = await joinAt(options, base, other, transformOf(pose), pairs);
  const [yaw, x, y] = [covariance![0]!, covariance![4]!, covariance![8]!];
  return {
    ...named,
    pose: transformOf(pose),
    things,
    sigmaM: Math.sqrt(x + y),
    sigmaRad: Math.sqrt(yaw),
  };
}

/**
 * Joins two maps where it is known how they lie to each other, in one write: who reads in between sees two maps or one.
 * Returns how many things became one.
 */
async function joinAt(
  { sceneId, background, embedder, reader: readerNow, write }: JoinOptions,
  { root, labels }: KnownMap,
  { root: child }: KnownMap,
  transform: Transform,
  pairs: readonly (readonly [string, string])[],
): Promise<number> {
  const reader = await readerNow();
  const before = await reader.frames();
  const revision = before.revision + 1;
  const edge = { parent: root, child, transform, kind: "alignment" as const, stampUs: null, revision };
  const graph = before.withEdges([edge]);
  const worldFromSubmap = (frame: string) => (frame === root ? IDENTITY : graph.resolve(root, frame));
  const tracker = await Tracker.open(reader, { sceneId, background, embedder, worldFromSubmap });
  const map = await SceneMap.open(reader, { sceneId, root, labels, worldFromSubmap });
  const united = tracker.unite(pairs);
  const things = [...tracker.things()]
    .filter(({ type }) => type === "object")
    .map(({ stateId, category, boxInWorld }) => ({ id: stateId, category, box: boxInWorld }));
  const drawn = await map.update(things, united.lastUs);
  const settled = tracker.settle((position, stateId) => map.roomOf(stateId) ?? map.roomAt(position)?.id);
  const finished = map.finish();
  const ended = (await derivedOf(reader, sceneId, child)).map((region) => endedAt(region, united.lastUs));
  const records = latest([
    ...united.records,
    ...settled.records,
    ...drawn.records,
    ...finished.records,
    ...ended,
  ]);
  const { sightings } = united;
  const blobs = [...drawn.blobs, ...finished.blobs];
  await write({ frames: [edge], blobs, records: records.slice(0, LIMITS.recordsPerBatch), sightings });
  for (let at = LIMITS.recordsPerBatch; at < records.length; at += LIMITS.recordsPerBatch)
    await write({ records: records.slice(at, at + LIMITS.recordsPerBatch) });
  return united.counts.merged;
}

function endedAt(region: Stored<RecordOf<"region">>, atUs: number): RecordInput {
  const { version, recordedAtUs, supersededAtUs, ...record } = region;
  return { ...record, validToUs: Math.max(atUs, record.validFromUs + 1) };
}

/** Of records written twice in one go the later. */
function latest(records: readonly RecordInput[]): RecordInput[] {
  return [...new Map(records.map((record) => [record.id, record])).values()];
}

async function derivedOf(
  reader: MemoryReader,
  sceneId: string,
  root: string,
): Promise<Stored<RecordOf<"region">>[]> {
  const found: Stored<RecordOf<"region">>[] = [];
  for await (const { record } of eachHit(reader, "region", {
    where: { sceneId: [sceneId], category: [...DERIVED] },
  }))
    if (record.validToUs === null && record.anchor?.submap === root) found.push(record);
  return found;
}
