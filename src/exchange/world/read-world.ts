import { Belief } from "../../belief/belief.ts";
import { observedSpan } from "../../belief/span.ts";
import type { Vec3 } from "../../geometry/index.ts";
import { eachHit, type MemoryReader } from "../../memory/index.ts";
import type { RecordOf } from "../../schema/core.ts";
import { kindsOfTracks, lastSeen, thingOf } from "./things.ts";
import {
  floorsOf,
  isMergedAway,
  lowest,
  ringOf,
  roomOf,
  type World,
  type WorldOptions,
  type WorldPlace,
  type WorldThing,
} from "./world.ts";

/** Reads the rooms, things and places of a moment. */
export async function readWorld(reader: MemoryReader, options: WorldOptions = {}): Promise<World> {
  const atUs = options.atUs ?? (await observedSpan(reader))?.toUs ?? 0;
  const graph = await reader.frames();
  const now = atMoment(atUs, options.sceneId);
  const drawn: { record: RecordOf<"region">; ring: Vec3[] }[] = [];
  for await (const { record } of eachHit(reader, "region", withCategory(now, "room"))) {
    const ring = ringOf(record, graph);
    if (ring.length >= 3) drawn.push({ record, ring });
  }
  const drawnIds = new Set(drawn.map(({ record }) => record.id));
  const floorsM = floorsOf(drawn.map(({ ring }) => lowest(ring)));
  const states: RecordOf<"state">[] = [];
  for await (const { record } of eachHit(reader, "state", now))
    if (!isMergedAway(record)) states.push(record);
  const typeOf = await kindsOfTracks(reader, new Set(states.map(({ trackId }) => trackId)));
  const seenOf = await lastSeen(
    reader,
    states.map(({ id }) => id),
  );
  // A thing is in the room that answers tell, though its record may name another.
  const belief = new Belief({ reader, nowUs: atUs, sceneId: options.sceneId });
  const things: WorldThing[] = [];
  for (const state of states) {
    const thing = thingOf(state, graph, typeOf.get(state.trackId) ?? "object", seenOf.get(state.id));
    if (!thing) continue;
    const { roomId: recorded, ...rest } = thing;
    const room = await belief.roomOf({ roomId: recorded, position: thing.worldFromBox.p });
    things.push({ ...rest, ...(room && drawnIds.has(room.id) && { roomId: room.id }) });
  }
  const places: WorldPlace[] = [];
  for await (const { record, position } of eachHit(reader, "place", now))
    if (position) places.push(placeOf(record, position));
  return {
    atUs,
    graph,
    floorsM,
    rooms: drawn.map(({ record, ring }) => roomOf(record, ring, floorsM)),
    things,
    places,
  };
}

/** Conditions of a search for what was so at a moment. */
export function atMoment(atUs: number, sceneId?: string) {
  return {
    time: { overlaps: { fromUs: atUs, toUs: atUs + 1 } },
    ...(sceneId !== undefined && { where: { sceneId: [sceneId] } }),
  };
}

/** The same, of one category only. */
export function withCategory<C extends { readonly where?: { readonly sceneId?: readonly string[] } }>(
  conditions: C,
  category: string,
) {
  return { ...conditions, where: { ...conditions.where, category: [category] } };
}

function placeOf({ id, yawRad, regionId, edges }: RecordOf<"place">, position: Vec3): WorldPlace {
  return {
    id,
    position,
    yawRad,
    ...(regionId !== undefined && { roomId: regionId }),
    edges: edges.map(({ to, costM }) => ({ to, costM })),
  };
}
