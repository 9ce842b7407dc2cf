import { apply, type Box, type FrameGraph, type Vec3 } from "../../geometry/index.ts";
import { eachHit, type MemoryReader } from "../../memory/index.ts";
import { type Presence, type RecordOf, WORLD_FRAME } from "../../schema/index.ts";

/** One place of a track, as currently stored. */
export interface RememberedState {
  readonly id: string;
  readonly trackId: string;
  readonly record: RecordOf<"state">;
  /** In the world at the latest map revision. */
  readonly position: Vec3 | undefined;
  readonly box: Box | undefined;
  readonly presence: Presence | undefined;
}

export interface RememberedTrack {
  readonly record: RecordOf<"track">;
  /** In order of time. */
  readonly states: readonly RememberedState[];
}

export interface RememberedRoom {
  readonly record: RecordOf<"region">;
  /** Corners in the world. */
  readonly ring: readonly Vec3[];
}

/** The scored part of a memory, read through the reader's public face only. */
export interface Remembered {
  /** By id, without those merged into others. */
  readonly tracks: ReadonlyMap<string, RememberedTrack>;
  readonly states: ReadonlyMap<string, RememberedState>;
  readonly rooms: readonly RememberedRoom[];
  /** The room of each region: itself, or the first room above it. */
  roomOf(regionId: string | undefined): string | undefined;
}

/** Reads tracks, states with their presence, and rooms. */
export async function readRemembered(reader: MemoryReader): Promise<Remembered> {
  const trackHits = await gathered(eachHit(reader, "track"));
  const stateHits = await gathered(eachHit(reader, "state"));
  const regionHits = await gathered(eachHit(reader, "region"));
  const mergedInto = new Map(trackHits.map(({ record }) => [record.id, record.mergedInto]));
  const presences = await reader.presence(stateHits.map(({ record }) => record.id));
  const presenceOf = new Map(presences.map((presence) => [presence.stateId, presence]));
  const states = stateHits.map(({ record, position, box }) => ({
    id: record.id,
    trackId: last(record.trackId, mergedInto),
    record,
    position,
    box,
    presence: presenceOf.get(record.id),
  }));
  const statesOf = Map.groupBy(states, ({ trackId }) => trackId);
  const graph = await reader.frames();
  const rooms = regionHits
    // Rooms that were redrawn since are no longer believed.
    .filter(({ record }) => record.type === "room" && record.validToUs === null)
    .map(({ record }) => ({ record, ring: ringOf(record, graph) }));
  const regions = new Map(regionHits.map(({ record }) => [record.id, record]));
  return {
    tracks: new Map(
      trackHits
        .filter(({ record }) => record.mergedInto === undefined && record.type !== "agent")
        .map(({ record }) => [record.id, { record, states: inOrder(statesOf.get(record.id) ?? []) }]),
    ),
    states: new Map(states.map((state) => [state.id, state])),
    rooms,
    roomOf: (regionId) => {
      let region = regionId === undefined ? undefined : regions.get(regionId);
      for (let depth = 0; region && depth < 16; depth++) {
        if (region.type === "room") return region.id;
        region = region.parent === undefined ? undefined : regions.get(region.parent);
      }
      return undefined;
    },
  };
}

function inOrder(states: readonly RememberedState[]): RememberedState[] {
  return [...states].sort((a, b) => a.record.validFromUs - b.record.validFromUs || (a.id < b.id ? -1 : 1));
}

/** Follows merges to their end; a cycle, which should not exist, ends where it closes. */
function last(id: string, mergedInto: ReadonlyMap<string, string | undefined>): string {
  const seen = new Set<string>();
  let at = id;
  for (let next = mergedInto.get(at); next !== undefined && !seen.has(next); next = mergedInto.get(at)) {
    seen.add(at);
    at = next;
  }
  return at;
}

/** A hull is given in the frame of its anchor. */
function ringOf({ hull, anchor }: RecordOf<"region">, graph: FrameGraph): Vec3[] {
  const worldFromSubmap = graph.resolve(WORLD_FRAME, anchor?.submap ?? WORLD_FRAME);
  return worldFromSubmap ? (hull ?? []).map((corner) => apply(worldFromSubmap, corner)) : [];
}

async function gathered<T>(all: AsyncIterable<T>): Promise<T[]> {
  const list: T[] = [];
  for await (const one of all) list.push(one);
  return list;
}
