import { observedSpan } from "../../belief/span.ts";
import { apply, type FrameGraph, type Vec3 } from "../../geometry/index.ts";
import { eachHit, type HitOf, type MemoryReader, type MemoryStats } from "../../memory/index.ts";
import { WORLD_FRAME } from "../../schema/core.ts";
import { roomNames } from "../world/rooms.ts";
import { FEED_FORMAT } from "./decode.ts";
import type { MapChunk } from "./map-chunks.ts";
import { placeIn } from "./pieces.ts";
import { revisionText } from "./revision.ts";

/** A room, or a floor as its convex outline: corners in its map, in order around it. */
export interface FeedRegion {
  readonly id: string;
  readonly type: "room" | "floor";
  readonly name: string;
  readonly map: string;
  /** For rooms: the floor it lies on. */
  readonly parent?: string;
  readonly z: number;
  readonly outline: readonly { readonly x: number; readonly y: number }[];
  readonly fromUs: number;
  /** When it was replaced by a new outline, or null. */
  readonly toUs: number | null;
  /** Share of it that was ever observed. */
  readonly coverage: number;
}

/** A viewer's first request: the contents, the time span, and which chunks of the map are new. */
export interface FeedScene {
  readonly format: typeof FEED_FORMAT;
  /** To be sent when asking what changed since. */
  readonly revision: string;
  /** World time span of what is known, or null for an empty memory. */
  readonly span: { readonly fromUs: number; readonly toUs: number } | null;
  readonly counts: { readonly states: number; readonly tracks: number; readonly events: number };
  /** The first is the world; others are maps that are not joined to it yet. */
  readonly maps: readonly string[];
  readonly regions: readonly FeedRegion[];
  readonly chunks: readonly MapChunk[];
}

/** Most rooms and floors of one scene; the rest are left out. */
const MAX_REGIONS = 10_000;

/** Rooms, floors, span and revision, with the chunks of the map listed for the same reader. */
export async function sceneOf(
  reader: MemoryReader,
  chunks: readonly MapChunk[],
  sceneId?: string,
  stats: () => Promise<MemoryStats> = () => reader.stats(),
): Promise<FeedScene> {
  const { lastCommitUs, mapRevision, records } = await stats();
  const span = await observedSpan(reader);
  const regions = await regionsOf(reader, sceneId, span?.toUs ?? 0);
  const maps = new Set([
    WORLD_FRAME,
    ...chunks.map(({ map }) => map).sort(),
    ...regions.map(({ map }) => map),
  ]);
  return {
    format: FEED_FORMAT,
    revision: revisionText({ commitUs: lastCommitUs ?? 0, map: mapRevision }),
    span,
    counts: { states: records.state, tracks: records.track, events: records.event },
    maps: [...maps],
    regions,
    chunks,
  };
}

/** Rooms and floors, including replaced ones; a current room has the name that answers use. */
async function regionsOf(
  reader: MemoryReader,
  sceneId: string | undefined,
  nowUs: number,
): Promise<FeedRegion[]> {
  const frames = await reader.frames();
  const names = await roomNames(reader, { atUs: nowUs, ...(sceneId !== undefined && { sceneId }) });
  const regions: FeedRegion[] = [];
  const where = { category: ["room", "floor"], ...(sceneId !== undefined && { sceneId: [sceneId] }) };
  for await (const hit of eachHit(reader, "region", { where })) {
    const region = regionOf(hit, frames);
    if (region && regions.push({ ...region, name: names.get(region.id) ?? region.name }) >= MAX_REGIONS)
      break;
  }
  return regions.sort((a, b) => (a.id < b.id ? -1 : 1));
}

function regionOf({ record }: HitOf<"region">, frames: FrameGraph): FeedRegion | undefined {
  const { id, type, name, parent, hull = [], anchor, validFromUs, validToUs, coverage } = record;
  const place = placeIn(frames, anchor ?? { submap: WORLD_FRAME });
  if ((type !== "room" && type !== "floor") || hull.length < 3 || place === undefined) return undefined;
  const corners = hull.map((corner): Vec3 => apply(place.mapFromSubmap, corner));
  return {
    id,
    type,
    name,
    map: place.map,
    ...(type === "room" && parent !== undefined && { parent }),
    z: corners.reduce((least, { z }) => Math.min(least, z), Infinity),
    outline: corners.map(({ x, y }) => ({ x, y })),
    fromUs: validFromUs,
    toUs: validToUs,
    coverage,
  };
}
