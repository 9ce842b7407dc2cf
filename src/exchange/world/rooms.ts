import { Belief } from "../../belief/belief.ts";
import { observedSpan } from "../../belief/span.ts";
import type { FrameGraph, Vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { RecordOf } from "../../schema/core.ts";
import { floorsOf, lowest, ringOf, roomOf, type WorldOptions, type WorldRoom } from "./world.ts";

/** A room as believed: its record under the name that answers use, with its corners in the world. */
export interface RingedRoom {
  readonly record: RecordOf<"region">;
  readonly ring: readonly Vec3[];
}

/** The rooms known at the belief's moment that have an outline. */
export async function ringedRooms(belief: Belief, graph: FrameGraph): Promise<RingedRoom[]> {
  return (await belief.rooms()).flatMap(({ id, name, record }) => {
    const ring = ringOf(record, graph);
    return ring.length >= 3 ? [{ record: { ...record, id, name }, ring }] : [];
  });
}

/** The names that answers use for the rooms of a moment, by id. */
export async function roomNames(
  reader: MemoryReader,
  { atUs, sceneId }: WorldOptions = {},
): Promise<ReadonlyMap<string, string>> {
  const nowUs = atUs ?? (await observedSpan(reader))?.toUs ?? 0;
  const rooms = await new Belief({ reader, nowUs, sceneId }).rooms();
  return new Map(rooms.map(({ id, name }) => [id, name]));
}

/** Rooms as exports show them, with the heights of their storeys. */
export function worldRooms(drawn: readonly RingedRoom[]): { floorsM: readonly number[]; rooms: WorldRoom[] } {
  const floorsM = floorsOf(drawn.map(({ ring }) => lowest(ring)));
  return { floorsM, rooms: drawn.map(({ record, ring }) => roomOf(record, ring, floorsM)) };
}
