import type { Transform } from "../geometry/index.ts";
import { compose, type FrameGraph, IDENTITY, invert, yawOf } from "../geometry/index.ts";
import type { MemoryReader, WriteBatch } from "../memory/index.ts";
import { LociError, type RecordInput, WORLD_FRAME } from "../schema/core.ts";
import { Tracker } from "../tracking/index.ts";
import { align } from "./align/align.ts";
import { type LevelPose, transformOf } from "./align/level.ts";
import type { MapSketch } from "./align/sketch.ts";
import { directionOf, wallPointsOf } from "./align/walls.ts";
import { addEdges, straightened } from "./bent.ts";
import { aheadOf, clocksIn } from "./clocks.ts";
import { layersOver, sharedLabels } from "./layers.ts";
import { framesOf, looksAt } from "./looks.ts";
import { type KnownMap, type MapJoin, mapsIn, piecesOf, sketchOf } from "./maps.ts";
import { mend, mendStale } from "./mend.ts";
import { ownRecords, sameLabels } from "./own-layer.ts";
import {
  derivedOf,
  edgeOf,
  endedAt,
  everDerivedOf,
  type JoinOptions,
  latest,
  redrawn,
  withoutStamps,
  writeAll,
} from "./redraw.ts";
import { movedSayings, rehoused, sinceFirstKnown } from "./rehouse.ts";
import { hearsayIn } from "./trust.ts";

/** The most maps of one scene that are compared; the largest ones. */
const MAX_MAPS = 8;
/** Maps are level: a transform that is given may tilt by no more than this, in radians. */
const MAX_TILT_RAD = 0.02;

/** Walls agree on a direction from here on; boxes turned by less are hardly wider. */
const AGREED = 0.5;
const LITTLE_RAD = 0.09;

/**
 * Joins the maps of a scene as far as they can be recognised in one another: an edge of the frame graph gives their
 * relative pose, things that both show are merged, and rooms and routes are redrawn over both. Maps without a clear
 * match stay apart and are tried again when more is known; maps that a person separated stay separate.
 */
export async function joinMaps(options: JoinOptions): Promise<MapJoin[]> {
  const joined: MapJoin[] = [];
  const tried = new Map<string, MapJoin>();
  const sketches = new Map<string, Promise<MapSketch>>();
  for (;;) {
    const maps = await mapsIn(await options.reader(), options.sceneId);
    const pair = pairsOf(maps.slice(0, MAX_MAPS)).find((each) => !tried.has(keyOf(each)));
    if (pair === undefined) {
      for (const map of maps) await mendStale(options, map);
      return [...joined, ...apart(maps, tried)];
    }
    const join = await tryJoin(options, pair, sketches);
    tried.set(keyOf(pair), join);
    if (join.refused === undefined) joined.push(join);
  }
}

/**
 * Joins two maps named by the caller, or realigns them where they are joined already; by a known pose, or by what they
 * show.
 */
export async function alignMaps(
  options: JoinOptions,
  into: string,
  root: string,
  intoFromRoot?: Transform,
): Promise<MapJoin> {
  // The world has no parent: the other map is placed in it.
  if (root === WORLD_FRAME) return alignMaps(options, root, into, intoFromRoot && invert(intoFromRoot));
  const reader = await options.reader();
  const maps = await mapsIn(reader, options.sceneId);
  const graph = await reader.frames();
  const [base, other] = [mapNamed(maps, graph.topOf(into), into), maps.find((map) => map.root === root)];
  const pose = intoFromRoot && levelOf(intoFromRoot);
  const baseFromInto = into === base.root ? IDENTITY : graph.resolve(base.root, into)!;
  if (other === undefined) {
    if (graph.topOf(root) !== base.root || root === into) mapNamed(maps, root, root);
    if (pose === undefined)
      throw new LociError(
        "invalid-input",
        `"${root}" is joined to "${base.root}" already; give --transform to lay it anew, or --undo to take it off`,
      );
    return mend(options, base, root, compose(baseFromInto, transformOf(pose)));
  }
  if (other.root === base.root) throw new LociError("invalid-input", `"${into}" and "${root}" are one map`);
  const labels = labelsOfJoin(base, other);
  if (labels === undefined)
    throw new LociError(
      "access-denied",
      `"${root}" and "${into}" have other access labels: what one reader may not see would be told by where it lies`,
    );
  if (pose === undefined) return tryJoin(options, [base, other], new Map());
  const transform = compose(baseFromInto, transformOf(pose));
  const shown = await options.reader({ labels });
  const sketches = [base.root, root].map((each) => sketchOf(shown, options.sceneId, each));
  const done = await joinAt(options, base, other, transform, await Promise.all(sketches));
  return { root, into: base.root, pose: transform, ...done };
}

function mapNamed(maps: readonly KnownMap[], root: string, name: string): KnownMap {
  const map = maps.find((each) => each.root === root);
  if (map) return map;
  const known = maps.map((each) => `"${each.root}"`).join(", ");
  throw new LociError("unknown-id", `there is no map "${name}"; known: ${known || "none"}`);
}

function levelOf({ p, q }: Transform): LevelPose {
  if (2 * Math.hypot(q.x, q.y) > MAX_TILT_RAD)
    throw new LociError("invalid-input", "maps are level: a transform turns about the vertical only");
  return { ...p, yawRad: yawOf(q) };
}

type Pair = readonly [KnownMap, KnownMap];

/** Each map with each larger one, the largest first. */
function pairsOf(maps: readonly KnownMap[]): Pair[] {
  const free = maps.filter(({ isTakenOff }) => !isTakenOff);
  return free.flatMap((one, n) => free.slice(n + 1).map((other) => [one, other] as const));
}

function keyOf([one, other]: Pair): string {
  return JSON.stringify([one.root, one.pieces, other.root, other.pieces]);
}

/** Maps that are still apart from the first map, and why. */
function apart([base, ...others]: readonly KnownMap[], tried: ReadonlyMap<string, MapJoin>): MapJoin[] {
  if (base === undefined) return [];
  return others.map((other) => {
    const named = { root: other.root, into: base.root, things: 0 };
    if (other.isTakenOff || base.isTakenOff) return { ...named, refused: "taken-off" as const };
    return tried.get(keyOf([base, other])) ?? { ...named, refused: "not-sure" as const };
  });
}

async function tryJoin(
  options: JoinOptions,
  [base, other]: Pair,
  sketches: Map<string, Promise<MapSketch>>,
): Promise<MapJoin> {
  const named = { root: other.root, into: base.root, things: 0 };
  const labels = labelsOfJoin(base, other);
  if (labels === undefined) return { ...named, refused: "other-labels" };
  const reader = await options.reader({ labels });
  const sketchOnce = ({ root, pieces }: KnownMap) => {
    const key = `${root} ${pieces}`;
    const made = sketches.get(key) ?? sketchOf(reader, options.sceneId, root);
    sketches.set(key, made);
    return made;
  };
  const [first, second] = [await sketchOnce(base), await sketchOnce(other)];
  const { pose, covariance, refused } = align(first, second);
  if (pose === undefined) return { ...named, ...(refused && { refused }) };
  const done = await joinAt(options, base, other, transformOf(pose), [first, second]);
  const [yaw, x, y] = [covariance![0]!, covariance![4]!, covariance![8]!];
  return {
    ...named,
    pose: transformOf(pose),
    ...done,
    sigmaM: Math.sqrt(x + y),
    sigmaRad: Math.sqrt(yaw),
  };
}

/**
 * The labels that readers of both maps have in common: only what these show may join the maps. Positions must not
 * reveal what a reader may not see, so maps with different labels stay apart.
 */
function labelsOfJoin(base: KnownMap, other: KnownMap): readonly string[] | undefined {
  return sameLabels(base.labels, other.labels) ? sharedLabels(base, other) : undefined;
}

/**
 * Joins two maps with a known relative pose, in one write: a concurrent reader sees two maps or one. Returns how many
 * things were merged, and which robots were doubted.
 */
async function joinAt(
  options: JoinOptions,
  base: KnownMap,
  other: KnownMap,
  transform: Transform,
  sketches: readonly MapSketch[],
): Promise<Pick<MapJoin, "things" | "doubted">> {
  const { sceneId } = options;
  const reader = await options.reader();
  const before = await reader.frames();
  const edge = edgeOf(base.root, other.root, transform, before.revision + 1);
  const edges = [edge];
  const shown = labelsOfJoin(base, other)!;
  const layers: Layer[] = [{ labels: shown, sketches }];
  for (const labels of await layersOver(reader, sceneId, [base, other])) {
    if (sameLabels(labels, shown)) continue;
    const view = await options.reader({ labels });
    const roots = [base.root, other.root].map((root) => sketchOf(view, sceneId, root));
    layers.push({ labels, sketches: await Promise.all(roots) });
  }
  for (const { labels, sketches } of layers) {
    const view = await options.reader({ labels });
    const pieces = await piecesOf(view, sceneId, other.root, sketches[1]!.things);
    addEdges(edges, straightened(before, sketches[0]!, pieces, edge));
  }
  const joint: Joint = { base, other, transform, graph: before.withEdges(edges), shape: shapesOf(sketches) };
  const drawn: Drawn[] = [];
  for (const layer of layers) drawn.push(await drawnFor(options, joint, layer, reader));
  const ended = await everDerivedOf(reader, sceneId, other.root);
  const moved = await movedSayings(reader, { sceneId, root: base.root, child: other.root, transform });
  // The first write holds exactly what only the join wrote, so that the join can be reverted (part.ts).
  await writeAll(options, {
    frames: edges,
    blobs: drawn.flatMap(({ blobs }) => blobs),
    sightings: drawn.flatMap(({ sightings }) => sightings),
    records: latest([
      // In the instant they began: asked about any moment there is one map now, and a reading as of before shows both.
      ...ended.map((region) => endedAt(region, region.validFromUs)),
      ...moved,
      ...drawn.flatMap(({ records }) => records),
    ]),
  });
  return {
    things: drawn.reduce((sum, { merged }) => sum + merged, 0),
    ...drawn.find(({ doubted }) => doubted !== undefined)?.doubted,
  };
}

/** Two maps as readers with some labels see them. */
interface Layer {
  readonly labels: readonly string[];
  readonly sketches: readonly MapSketch[];
}

/** Two maps, and how they become one. */
interface Joint {
  readonly base: KnownMap;
  readonly other: KnownMap;
  readonly transform: Transform;
  readonly graph: FrameGraph;
  readonly shape: "first" | "second" | "both";
}

/** The records of a join under one set of access labels. */
interface Drawn {
  readonly records: readonly RecordInput[];
  readonly sightings: NonNullable<WriteBatch["sightings"]>;
  readonly blobs: readonly Uint8Array[];
  readonly merged: number;
  readonly doubted: Pick<MapJoin, "doubted"> | undefined;
}

/** Merged things, and rooms over both maps, for readers with some labels: computed from what all of them see. */
async function drawnFor(
  options: JoinOptions,
  { base, other, transform, graph, shape }: Joint,
  { labels, sketches }: Layer,
  all: MemoryReader,
): Promise<Drawn> {
  const { sceneId, background, embedder } = options;
  const { root } = base;
  const reader = await options.reader({ labels });
  const worldFromSubmap = (frame: string) => (frame === root ? IDENTITY : graph.resolve(root, frame));
  const tracker = await Tracker.open(reader, { sceneId, background, embedder, worldFromSubmap });
  const [first, second] = sketches as [MapSketch, MapSketch];
  const looks = await looksAt(
    reader,
    [...first.things, ...second.things].map(({ id }) => id),
  );
  const doubted = await hearsayIn(reader, sceneId, base.agents, other.agents, looks);
  const united = tracker.unite({
    ofSecond: new Set([...second.things.map(({ id }) => id), ...(second.movers ?? [])]),
    shapes: shape,
    doubted,
    framesOf: framesOf(looks),
    secondAheadUs: aheadOf(await clocksIn(reader, sceneId), other.agents, base.agents),
  });
  const where = { sceneId, root, labels, worldFromSubmap };
  const { map, records, blobs } = await redrawn(where, reader, tracker, tracker.lastUs);
  const ended = await everDerivedOf(reader, sceneId, other.root);
  const own = (await derivedOf(reader, sceneId, root)).map((region) => withoutStamps(region) as RecordInput);
  const regions = latest([...own, ...records]).filter(({ validToUs }) => validToUs === null);
  const made = latest([
    ...united.records,
    ...(await rehoused(reader, sceneId, ended, transform, map)),
    ...records,
    ...sinceFirstKnown(regions, ended, transform, map),
  ]);
  return {
    records: await ownRecords(made, labels, all),
    sightings: united.sightings.filter((look) => sameLabels(look.labels ?? [], labels)),
    blobs,
    merged: united.counts.merged,
    doubted: doubted && { doubted: doubted.map === "first" ? base.agents : other.agents },
  };
}

/** Boxes are aligned with the axes of their map: those of the map aligned with the house's walls are tighter. */
function shapesOf(sketches: readonly MapSketch[]): "first" | "second" | "both" {
  const [first, second] = sketches.map(({ floors }) => directionOf(floors.map(wallPointsOf)));
  if (Math.min(first!.agreed, second!.agreed) < AGREED) return "both";
  const [a, b] = [Math.abs(first!.yawRad), Math.abs(second!.yawRad)];
  if (Math.abs(a - b) < LITTLE_RAD) return "both";
  return a < b ? "first" : "second";
}
