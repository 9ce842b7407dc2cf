import type { Transform } from "../geometry/index.ts";
import { SceneMap } from "../map/index.ts";
import type { MemoryReader, WriteBatch } from "../memory/index.ts";
import { eachHit } from "../memory/index.ts";
import type { FrameEdgeInput, RecordInput, RecordOf, Stored } from "../schema/index.ts";
import { Tracker, type TrackerOptions } from "../tracking/index.ts";
import { type Alignment, align } from "./align/align.ts";
import { sameThings } from "./align/judge.ts";
import { levelOf, transformOf } from "./align/level.ts";
import { type KnownMap, mapsIn, placesIn, sketchOf } from "./maps.ts";

/** Records of one write. */
const PER_WRITE = 5_000;
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
  const things = await joinAt(options, base, other, transformOf(pose));
  const [yaw, x, y] = [covariance![0]!, covariance![4]!, covariance![8]!];
  return {
    ...named,
    pose: transformOf(pose),
    things,
    sigmaM: Math.sqrt(x + y),
    sigmaRad: Math.sqrt(yaw),
  };
}

/** Joins two maps where it is known how they lie to each other; returns how many things became one. */
export async function joinAt(
  options: JoinOptions,
  base: KnownMap,
  other: KnownMap,
  baseFromOther: Transform,
): Promise<number> {
  const before = await options.reader();
  const derived = await derivedOf(before, options.sceneId, other.root);
  const [first, second] = [
    await sketchOf(before, options.sceneId, base.root),
    await sketchOf(before, options.sceneId, other.root),
  ];
  const pairs = sameThings(first.things, second.things, levelOf(baseFromOther));
  const edge: FrameEdgeInput = {
    parent: base.root,
    child: other.root,
    transform: baseFromOther,
    kind: "alignment",
    revision: (await before.frames()).revision + 1,
  };
  await options.write({ frames: [edge] });
  await writeJoined(options, base, derived, pairs);
  return pairs.length;
}

async function writeJoined(
  { sceneId, background, embedder, reader: readerNow, write }: JoinOptions,
  { root, labels }: KnownMap,
  derived: readonly Stored<RecordOf<"region">>[],
  pairs: readonly (readonly [string, string])[],
): Promise<void> {
  const reader = await readerNow();
  const worldFromSubmap = await placesIn(reader, root);
  const tracker = await Tracker.open(reader, { sceneId, background, embedder, worldFromSubmap });
  const map = await SceneMap.open(reader, { sceneId, root, labels, worldFromSubmap });
  const { records, sightings, lastUs } = await tracker.unite(pairs);
  const things = [...tracker.things()]
    .filter(({ type }) => type === "object")
    .map(({ stateId, category, boxInWorld }) => ({ id: stateId, category, box: boxInWorld }));
  const drawn = await map.update(things, lastUs);
  const settled = tracker.settle((position, stateId) => map.roomOf(stateId) ?? map.roomAt(position)?.id);
  const finished = map.finish();
  const ended = derived.map((region): RecordInput => endedAt(region, lastUs));
  const all = latest([...records, ...settled.records, ...drawn.records, ...finished.records, ...ended]);
  await write({ blobs: [...drawn.blobs, ...finished.blobs], records: all.slice(0, PER_WRITE), sightings });
  for (let at = PER_WRITE; at < all.length; at += PER_WRITE)
    await write({ records: all.slice(at, at + PER_WRITE) });
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
