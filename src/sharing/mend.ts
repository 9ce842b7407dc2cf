import { type FrameEdge, type FrameGraph, IDENTITY, type Transform, yawOf } from "../geometry/index.ts";
import { eachHit } from "../memory/index.ts";
import { Tracker } from "../tracking/index.ts";
import { judge } from "./align/judge.ts";
import { transformOf } from "./align/level.ts";
import { refine } from "./align/refine.ts";
import { sideOf } from "./align/side.ts";
import type { MapSketch } from "./align/sketch.ts";
import { addEdges, straightened } from "./bent.ts";
import { layersOver, ownLabels } from "./layers.ts";
import { type KnownMap, type MapJoin, piecesOf, sketchOf } from "./maps.ts";
import { ownRecords, sameLabels } from "./own-layer.ts";
import { edgeOf, type JoinOptions, latest, redrawn, writeAll } from "./redraw.ts";

/** A joined map is realigned once this share of its submaps was added, or moved by its robot, since. */
const STALE = 0.1;

/** Realigns maps that are joined to this one and of which more is known than at the join, by everything they show. */
export async function mendStale(options: JoinOptions, base: KnownMap): Promise<void> {
  // Only what every reader of the map sees may move it, since it moves for all of them.
  const reader = await options.reader({ labels: ownLabels(base) });
  const graph = await reader.frames();
  const pieces: string[] = [];
  const where = { sceneId: [options.sceneId], category: ["map"] };
  for await (const { record } of eachHit(reader, "region", { where }))
    if (record.validToUs === null && record.anchor) pieces.push(record.anchor.submap);
  for (const child of joinedTo(graph, base.root, pieces)) {
    const own = pieces.filter((frame) => frame !== child && isUnder(graph, frame, child));
    const stale = own.filter((frame) => graph.edgeOf(frame)?.kind !== "alignment").length;
    if (stale === 0 || stale < STALE * own.length) continue;
    const sketches = await sketchesOf(options, base, child);
    const [a, b] = [sideOf(sketches.first), sideOf(sketches.second)];
    const { transform } = graph.edgeOf(child)!;
    const was = { ...transform.p, yawRad: yawOf(transform.q) };
    const { pose } = refine(a, b, was);
    const isBetter = judge(a, b, pose).total > judge(a, b, was).total;
    await mend(options, base, child, isBetter ? transformOf(pose) : transform, sketches);
  }
}

/** Realigns a joined map: it and its submaps get new poses, and things that then coincide are merged. */
export async function mend(
  options: JoinOptions,
  base: KnownMap,
  child: string,
  transform: Transform,
  sketches?: Sketches,
): Promise<MapJoin> {
  const { sceneId } = options;
  const { root } = base;
  const all = await options.reader();
  const before = await all.frames();
  const edge = edgeOf(root, child, transform, before.revision + 1);
  const layers = await layersOver(all, sceneId, [base]);
  const edges = [edge];
  for (const labels of [ownLabels(base), ...layers]) {
    const { first, second } = await (sameLabels(labels, ownLabels(base)) && sketches
      ? sketches
      : sketchesOf(options, base, child, labels));
    const pieces = await piecesOf(await options.reader({ labels }), sceneId, child, second.things);
    addEdges(edges, straightened(before, first, pieces, edge));
  }
  const drawn: Awaited<ReturnType<typeof mendedFor>>[] = [];
  for (const labels of layers) drawn.push(await mendedFor(options, root, labels, { before, edges }));
  await writeAll(options, {
    frames: edges,
    blobs: drawn.flatMap(({ blobs }) => blobs),
    sightings: drawn.flatMap(({ sightings }) => sightings),
    records: drawn.flatMap(({ records }) => records),
  });
  const things = drawn.reduce((sum, { merged }) => sum + merged, 0);
  return { root: child, into: root, pose: transform, things };
}

/** Things and rooms of a map at the new poses of its submaps, for readers with some labels. */
async function mendedFor(
  options: JoinOptions,
  root: string,
  labels: readonly string[],
  { before, edges }: { readonly before: FrameGraph; readonly edges: readonly FrameEdge[] },
) {
  const { sceneId, background, embedder } = options;
  const placesBy = (graph: FrameGraph) => (frame: string) =>
    frame === root ? IDENTITY : graph.resolve(root, frame);
  const reader = await options.reader({ labels });
  const worldFromSubmap = placesBy(before.withEdges(edges));
  const known = placesBy(before);
  const tracker = await Tracker.open(reader, { sceneId, background, embedder, worldFromSubmap: known });
  const { lastUs } = tracker;
  if (lastUs === -Infinity) return { records: [], sightings: [], blobs: [], merged: 0 };
  const corrected = await tracker.correct(worldFromSubmap, lastUs);
  const where = { sceneId, root, labels, worldFromSubmap };
  const { records, blobs } = await redrawn(where, reader, tracker, lastUs);
  const made = latest([...corrected.records, ...records]);
  return {
    records: await ownRecords(made, labels, await options.reader()),
    sightings: corrected.sightings.filter((look) => sameLabels(look.labels ?? [], labels)),
    blobs,
    merged: corrected.counts.merged,
  };
}

/** The features of a joined map, and of its parent without it. */
interface Sketches {
  readonly first: MapSketch;
  readonly second: MapSketch;
}

async function sketchesOf(
  options: JoinOptions,
  base: KnownMap,
  child: string,
  labels = ownLabels(base),
): Promise<Sketches> {
  const { root } = base;
  const reader = await options.reader({ labels });
  const graph = await reader.frames();
  const isOther = (frame: string) => isUnder(graph, frame, child);
  return {
    first: await sketchOf(reader, options.sceneId, root, (frame) => !isOther(frame)),
    second: await sketchOf(reader, options.sceneId, child, isOther),
  };
}

/** Former maps that are joined below another, nearest first; submaps are left out. */
function joinedTo(graph: FrameGraph, root: string, pieces: readonly string[]): string[] {
  const known = new Set(pieces);
  return graph.frames().filter((frame) => {
    const edge = graph.edgeOf(frame);
    return edge?.kind === "alignment" && edge.parent === root && !known.has(frame);
  });
}

function isUnder(graph: FrameGraph, frame: string, above: string): boolean {
  for (let at: string | undefined = frame; at !== undefined; at = graph.edgeOf(at)?.parent)
    if (at === above) return true;
  return false;
}
