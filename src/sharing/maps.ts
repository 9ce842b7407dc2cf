import { apply, IDENTITY, type Transform } from "../geometry/index.ts";
import { SceneMap } from "../map/index.ts";
import { eachHit, type MemoryReader } from "../memory/index.ts";
import { mobilityOf } from "../ontology/index.ts";
import { LIMITS, WORLD_FRAME } from "../schema/core.ts";
import type { MapSketch, SketchThing } from "./align/sketch.ts";

/** One map of a scene: pieces that hang together, and nothing that says how they lie to any other. */
export interface KnownMap {
  /** The topmost frame, which is the map's name and identity: it stays what it is after a join, as a frame of the other. */
  readonly root: string;
  readonly pieces: number;
  /** Every access label that a piece of it has, sorted. */
  readonly labels: readonly string[];
  /** Robots that drew it, sorted. */
  readonly agents: readonly string[];
  /** Somebody took it off what it was joined to: it is joined again only when asked for. */
  readonly isTakenOff: boolean;
}

/** The maps of a scene, the one that others are joined to first: the world, else the largest. */
export async function mapsIn(reader: MemoryReader, sceneId: string): Promise<KnownMap[]> {
  const graph = await reader.frames();
  const found = new Map<string, { pieces: number; labels: Set<string>; agents: Set<string> }>();
  const where = { sceneId: [sceneId], category: ["map"] };
  for await (const { record } of eachHit(reader, "region", { where })) {
    if (record.validToUs !== null || record.anchor === undefined) continue;
    const root = graph.topOf(record.anchor.submap);
    const map = found.get(root) ?? { pieces: 0, labels: new Set(), agents: new Set() };
    map.pieces++;
    map.agents.add(record.author);
    for (const label of record.labels) map.labels.add(label);
    found.set(root, map);
  }
  const maps = [...found].map(([root, { pieces, labels, agents }]) => ({
    root,
    pieces,
    labels: [...labels].sort(),
    agents: [...agents].sort(),
    isTakenOff: graph.isTakenOff(root),
  }));
  const rank = ({ root, pieces }: KnownMap) => (root === WORLD_FRAME ? Infinity : pieces);
  return maps.sort((a, b) => rank(b) - rank(a) || (a.root < b.root ? -1 : 1));
}

/** Where a frame lies in a map; undefined for frames of other maps. */
async function placesIn(
  reader: MemoryReader,
  root: string,
): Promise<(frame: string) => Transform | undefined> {
  const graph = await reader.frames();
  return (frame) => (frame === root ? IDENTITY : graph.resolve(root, frame));
}

/** What of a map can be recognised in another: things that are there now, walls, and where one can stand. */
export async function sketchOf(reader: MemoryReader, sceneId: string, root: string): Promise<MapSketch> {
  const map = await SceneMap.open(reader, { sceneId, root });
  return { things: await thingsOf(reader, sceneId, root), floors: map.floors() };
}

async function thingsOf(reader: MemoryReader, sceneId: string, root: string): Promise<SketchThing[]> {
  const placeOf = await placesIn(reader, root);
  const things: SketchThing[] = [];
  // Only what has not ended holds at the end of time.
  const time = { overlaps: { fromUs: LIMITS.timeUs - 2, toUs: LIMITS.timeUs - 1 } };
  for await (const { record } of eachHit(reader, "state", { where: { sceneId: [sceneId] }, time })) {
    const { id, anchor, extent, perceived } = record;
    const place = anchor && placeOf(anchor.submap);
    if (!anchor || !place || !extent) continue;
    const category = perceived?.category ?? record.category;
    const mobility = mobilityOf(category);
    if (mobility === "agent") continue;
    things.push({
      id,
      category,
      centre: apply(place, anchor.p),
      sizeM: extent,
      steady: mobility === "fixed" || mobility === "furniture",
    });
  }
  return things;
}
