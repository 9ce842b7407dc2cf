import { type FrameGraph, IDENTITY, NOWHERE } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import { LociError, type RecordInput, type Stored } from "../schema/core.ts";
import { Tracker } from "../tracking/index.ts";
import { bentAgain } from "./bent.ts";
import { layersOver } from "./layers.ts";
import { mapsIn } from "./maps.ts";
import { ownRecords } from "./own-layer.ts";
import { endedAt, everDerivedOf, type JoinOptions, latest, redrawn, withoutStamps } from "./redraw.ts";

/** A map that was taken off another. */
export interface MapParted {
  readonly root: string;
  readonly from: string;
  /** Records restored to their content before the join. */
  readonly restored: number;
}

/**
 * Reverts a join: the map has no parent again, in a revision of its own, and records written by the join alone are
 * restored. Later writes stay with the map they were made for. The map is joined again only on request.
 */
export async function partMap(options: JoinOptions, child: string): Promise<MapParted> {
  const { sceneId } = options;
  const reader = await options.reader();
  const graph = await reader.frames();
  const from = graph.topOf(child);
  const derived = await everDerivedOf(reader, sceneId, child);
  if (from === child || derived.length === 0)
    throw new LociError("unknown-id", `"${child}" is no map that was joined to another`);
  const joinedUs = Math.max(...derived.map(({ recordedAtUs }) => recordedAtUs));
  const before = await options.reader({ asOfMemoryUs: joinedUs - 1 });
  const records = await asBefore(reader, before, joinedUs);
  const edge = {
    parent: NOWHERE,
    child,
    transform: IDENTITY,
    kind: "alignment" as const,
    stampUs: null,
    revision: graph.revision + 1,
  };
  const bent = bentAgain(graph, await before.frames(), child, edge.revision);
  await options.write({ frames: [edge, ...bent], records });
  // Observations since the join may have changed both: each is redrawn from its own submaps.
  for (const root of [from, child]) await redraw(options, root);
  return { root: child, from, restored: records.length };
}

/** The records of the join's write as they were before it, except those written since. */
async function asBefore(
  reader: MemoryReader,
  before: MemoryReader,
  joinedUs: number,
): Promise<RecordInput[]> {
  let written: readonly Stored[] = [];
  for await (const change of reader.changes({ afterUs: joinedUs - 1, live: false })) {
    if (change.commitUs === joinedUs) written = change.put;
    if (change.commitUs >= joinedUs) break;
  }
  const ids = written.map(({ id }) => id);
  const [was, is] = [await before.get(ids), await reader.get(ids)];
  return ids.flatMap((_, n): RecordInput[] => {
    const [then, now] = [was[n], is[n]];
    if (now === undefined || now.recordedAtUs !== joinedUs) return [];
    if (then !== undefined) return [withoutStamps(then) as RecordInput];
    return now.validToUs === null ? [endedAt(now, now.validFromUs + 1)] : [];
  });
}

async function redraw(options: JoinOptions, root: string): Promise<void> {
  const all = await options.reader();
  const map = (await mapsIn(all, options.sceneId)).find((each) => each.root === root);
  if (map === undefined) return;
  const graph = await all.frames();
  for (const labels of await layersOver(all, options.sceneId, [map])) {
    const { records, blobs } = await redrawnFor(options, root, labels, graph);
    await options.write({ records: await ownRecords(latest(records), labels, all), blobs });
  }
}

async function redrawnFor(
  { sceneId, background, embedder, ...options }: JoinOptions,
  root: string,
  labels: readonly string[],
  graph: FrameGraph,
): Promise<{ readonly records: readonly RecordInput[]; readonly blobs: readonly Uint8Array[] }> {
  const reader = await options.reader({ labels });
  const worldFromSubmap = (frame: string) => (frame === root ? IDENTITY : graph.resolve(root, frame));
  const tracker = await Tracker.open(reader, { sceneId, background, embedder, worldFromSubmap });
  if (tracker.lastUs === -Infinity) return { records: [], blobs: [] };
  return redrawn({ sceneId, root, labels, worldFromSubmap }, reader, tracker, tracker.lastUs);
}
