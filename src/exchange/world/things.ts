import type { KnownThing } from "../../belief/thing.ts";
import { apply, type FrameGraph } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { type RecordOf, WORLD_FRAME } from "../../schema/core.ts";
import type { WorldThing } from "./world.ts";

/** Drawn size of a thing without extent. */
const POINT_M = 0.1;
const IDS_PER_READ = 1_000;

/** A thing as believed: with its identity, its room, and what supports it. */
export function believedThing(
  { state, trackId, roomId, heldBy }: KnownThing,
  graph: FrameGraph,
  type: WorldThing["type"],
  lastSeenUs: number | null,
): WorldThing | undefined {
  const { regionId: _, supportedBy: __, insideOf: ___, ...own } = state;
  const holder = heldBy && { [heldBy.relation === "in" ? "insideOf" : "supportedBy"]: heldBy.stateId };
  const record = { ...own, trackId, ...holder, ...(roomId !== undefined && { regionId: roomId }) };
  return thingOf(record, graph, type, lastSeenUs);
}

/** A state as a box in the world; undefined if it has no position in this map. */
export function thingOf(
  record: RecordOf<"state">,
  graph: FrameGraph,
  type: WorldThing["type"],
  lastSeenUs: number | null = null,
): WorldThing | undefined {
  const { anchor, extent } = record;
  const worldFromSubmap = anchor && graph.resolve(WORLD_FRAME, anchor.submap);
  if (anchor === undefined || worldFromSubmap === undefined) return undefined;
  const size = (metres: number | undefined) => Math.max(POINT_M, metres ?? 0);
  return {
    id: record.id,
    trackId: record.trackId,
    type,
    name: record.name,
    category: record.category,
    worldFromBox: { p: apply(worldFromSubmap, anchor.p), q: worldFromSubmap.q },
    sizeM: { x: size(extent?.x), y: size(extent?.y), z: extent?.z || POINT_M },
    validFromUs: record.validFromUs,
    validToUs: record.validToUs,
    lastSeenUs,
    attributes: Object.fromEntries(
      Object.entries(record.attributes).map(([name, { value }]) => [name, value]),
    ),
    ...(record.regionId !== undefined && { roomId: record.regionId }),
    ...(record.placeId !== undefined && { placeId: record.placeId }),
    ...(record.supportedBy !== undefined && { supportedBy: record.supportedBy }),
    ...(record.insideOf !== undefined && { insideOf: record.insideOf }),
  };
}

/** The types of things' tracks: objects, people and so on. */
export async function kindsOfTracks(
  reader: MemoryReader,
  trackIds: ReadonlySet<string>,
): Promise<Map<string, WorldThing["type"]>> {
  const types = new Map<string, WorldThing["type"]>();
  for (const ids of inParts([...trackIds]))
    for (const record of await reader.get(ids))
      if (record?.kind === "track") types.set(record.id, record.type);
  return types;
}

/** Whether something moves by itself: it is drawn where it was seen, not where its record says. */
export function isMover(type: WorldThing["type"]): boolean {
  return type === "person" || type === "mover";
}

function* inParts<T>(all: readonly T[], size = IDS_PER_READ): Generator<T[]> {
  for (let from = 0; from < all.length; from += size) yield all.slice(from, from + size);
}
