import { Belief } from "../../belief/belief.ts";
import { observedSpan } from "../../belief/span.ts";
import type { Vec3 } from "../../geometry/index.ts";
import { eachHit, type MemoryReader } from "../../memory/index.ts";
import type { RecordOf } from "../../schema/core.ts";
import { ringedRooms, worldRooms } from "./rooms.ts";
import { believedThing, kindsOfTracks } from "./things.ts";
import type { World, WorldOptions, WorldPlace } from "./world.ts";

/** Reads the rooms, things and places of a moment. */
export async function readWorld(reader: MemoryReader, options: WorldOptions = {}): Promise<World> {
  const atUs = options.atUs ?? (await observedSpan(reader))?.toUs ?? 0;
  const graph = await reader.frames();
  const belief = new Belief({ reader, nowUs: atUs, sceneId: options.sceneId });
  const { floorsM, rooms } = worldRooms(await ringedRooms(belief, graph));
  const drawn = new Set(rooms.map(({ id }) => id));
  const known = await belief.inventory();
  const typeOf = await kindsOfTracks(reader, new Set(known.map(({ trackId }) => trackId)));
  const presence = await belief.presence(known.map(({ state }) => state.id));
  const things = known.flatMap((thing) => {
    const { trackId, state, roomId } = thing;
    const own = roomId !== undefined && drawn.has(roomId) ? thing : { ...thing, roomId: undefined };
    const seenUs = presence.get(state.id)?.lastSeenUs ?? null;
    return believedThing(own, graph, typeOf.get(trackId) ?? "object", seenUs) ?? [];
  });
  const places: WorldPlace[] = [];
  for await (const { record, position } of eachHit(reader, "place", atMoment(atUs, options.sceneId)))
    if (position) places.push(placeOf(record, position));
  return {
    atUs,
    graph,
    floorsM,
    rooms,
    things,
    places,
  };
}

/** Search conditions for what held at a moment. */
export function atMoment(atUs: number, sceneId?: string) {
  return {
    time: { overlaps: { fromUs: atUs, toUs: atUs + 1 } },
    ...(sceneId !== undefined && { where: { sceneId: [sceneId] } }),
  };
}

/** The same, restricted to one category. */
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
