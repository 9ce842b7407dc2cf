import { apply, type FrameGraph, IDENTITY, NOWHERE, type Transform, yawOf } from "../geometry/index.ts";
import { decodeGrid } from "../map/codec.ts";
import { SceneMap } from "../map/index.ts";
import { rasterOf } from "../map/raster.ts";
import { eachHit, type MemoryReader } from "../memory/index.ts";
import { mobilityOf } from "../ontology/index.ts";
import { LIMITS, WORLD_FRAME } from "../schema/core.ts";
import type { Alignment } from "./align/align.ts";
import { applyLevel, invertLevel } from "./align/level.ts";
import type { MapSketch, SketchPiece, SketchThing } from "./align/sketch.ts";

/** One map of a scene: submaps connected to each other, without a known pose relative to any other map. */
export interface KnownMap {
  /** The topmost frame, which names the map; after a join it remains as a frame of the other map. */
  readonly root: string;
  readonly pieces: number;
  /** Every access label of its submaps, sorted. */
  readonly labels: readonly string[];
  /** The sets of access labels of its submaps, each sorted. */
  readonly layers: readonly (readonly string[])[];
  /** Robots that drew it, sorted. */
  readonly agents: readonly string[];
  /** Others were joined to it. */
  readonly isJoined: boolean;
  /** A person separated it from the map it was joined to: it is joined again only on request. */
  readonly isTakenOff: boolean;
}

/** The result of joining one map to another. */
export interface MapJoin {
  readonly root: string;
  readonly into: string;
  /** Its pose in the other map; absent where it could not be determined. */
  readonly pose?: Transform;
  /** Why they are still two. */
  readonly refused?: NonNullable<Alignment["refused"]> | "other-labels" | "taken-off";
  /** How many things of both maps were merged. */
  readonly things: number;
  /** Robots whose labels are so unreliable beside the other map's that their detections are weighted by reliability. */
  readonly doubted?: readonly string[];
  readonly sigmaM?: number;
  readonly sigmaRad?: number;
}

/** The maps of a scene, the one that others are joined to first: the world, else the largest. */
export async function mapsIn(reader: MemoryReader, sceneId: string): Promise<KnownMap[]> {
  const graph = await reader.frames();
  const found = new Map<
    string,
    { pieces: number; layers: Map<string, readonly string[]>; agents: Set<string>; isJoined: boolean }
  >();
  const where = { sceneId: [sceneId], category: ["map"] };
  for await (const { record } of eachHit(reader, "region", { where })) {
    if (record.validToUs !== null || record.anchor === undefined) continue;
    const root = graph.topOf(record.anchor.submap);
    const map = found.get(root) ?? { pieces: 0, layers: new Map(), agents: new Set(), isJoined: false };
    map.pieces++;
    map.isJoined ||= hangsByJoin(graph, record.anchor.submap);
    map.agents.add(record.author);
    const labels = [...record.labels].sort();
    map.layers.set(JSON.stringify(labels), labels);
    found.set(root, map);
  }
  const maps = [...found].map(([root, { pieces, layers, agents, isJoined }]) => ({
    root,
    pieces,
    isJoined,
    labels: [...new Set([...layers.values()].flat())].sort(),
    layers: [...layers.values()],
    agents: [...agents].sort(),
    isTakenOff: graph.isTakenOff(root),
  }));
  const rank = ({ root, pieces }: KnownMap) => (root === WORLD_FRAME ? Infinity : pieces);
  return maps.sort((a, b) => rank(b) - rank(a) || (a.root < b.root ? -1 : 1));
}

/** Whether a frame belongs to its map by a join. */
function hangsByJoin(graph: FrameGraph, frame: string): boolean {
  for (let edge = graph.edgeOf(frame); edge !== undefined; edge = graph.edgeOf(edge.parent))
    if (edge.kind === "alignment") return edge.parent !== NOWHERE;
  return false;
}

/** The pose of a frame in a map; undefined for frames of other maps, and of parts that are not requested. */
async function placesIn(
  reader: MemoryReader,
  root: string,
  isMeant: (frame: string) => boolean = () => true,
): Promise<(frame: string) => Transform | undefined> {
  const graph = await reader.frames();
  return (frame) => (isMeant(frame) ? (frame === root ? IDENTITY : graph.resolve(root, frame)) : undefined);
}

/**
 * The features of a map, or of a part of it, that can be recognised in another: current things, walls, and free ground.
 */
export async function sketchOf(
  reader: MemoryReader,
  sceneId: string,
  root: string,
  isMeant?: (frame: string) => boolean,
): Promise<MapSketch> {
  const worldFromSubmap = await placesIn(reader, root, isMeant);
  const map = await SceneMap.open(reader, { sceneId, root, worldFromSubmap });
  return { ...(await thingsOf(reader, sceneId, worldFromSubmap)), floors: map.floors() };
}

/** The submaps of a map in the order in which each robot drew them, with the things anchored to each. */
export async function piecesOf(
  reader: MemoryReader,
  sceneId: string,
  root: string,
  things: readonly SketchThing[],
): Promise<SketchPiece[]> {
  const placeOf = await placesIn(reader, root);
  const on = Map.groupBy(things, ({ frame }) => frame);
  const found: (SketchPiece & { readonly sinceUs: number })[] = [];
  const where = { sceneId: [sceneId], category: ["map"] };
  for await (const { record } of eachHit(reader, "region", { where })) {
    const frame = record.anchor?.submap;
    const place = frame === undefined || frame === root ? undefined : placeOf(frame);
    if (record.validToUs !== null || !frame || !place || record.grid === undefined) continue;
    const grid = await reader.blob(record.grid);
    if (grid === undefined) continue;
    const pose = { ...place.p, yawRad: yawOf(place.q) };
    const own = invertLevel(pose);
    found.push({
      frame,
      author: record.author,
      sinceUs: record.validFromUs,
      pose,
      things: (on.get(frame) ?? []).map((thing) => ({ ...thing, centre: applyLevel(own, thing.centre) })),
      floors: decodeGrid(grid).map(({ floorZ, grid }, index) =>
        rasterOf({ index, floorZ, grid, version: 0 }),
      ),
    });
  }
  return found.sort((a, b) => (a.author < b.author ? -1 : a.author > b.author ? 1 : a.sinceUs - b.sinceUs));
}

async function thingsOf(
  reader: MemoryReader,
  sceneId: string,
  placeOf: (frame: string) => Transform | undefined,
): Promise<{ readonly things: SketchThing[]; readonly movers: string[] }> {
  const things: SketchThing[] = [];
  const movers: string[] = [];
  // Only what has not ended is valid at the end of time.
  const time = { overlaps: { fromUs: LIMITS.timeUs - 2, toUs: LIMITS.timeUs - 1 } };
  for await (const { record } of eachHit(reader, "state", { where: { sceneId: [sceneId] }, time })) {
    const { id, anchor, extent, perceived } = record;
    const place = anchor && placeOf(anchor.submap);
    if (!anchor || !place || !extent) continue;
    const category = perceived?.category ?? record.category;
    const mobility = mobilityOf(category);
    if (mobility === "agent") {
      movers.push(id);
      continue;
    }
    things.push({
      id,
      category,
      centre: apply(place, anchor.p),
      sizeM: extent,
      steady: mobility === "fixed" || mobility === "furniture",
      frame: anchor.submap,
    });
  }
  return { things, movers };
}
