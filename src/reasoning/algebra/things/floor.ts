import { holderOf } from "../../../belief/holder.ts";
import { isFixed, isMover } from "../../../belief/mobility.ts";
import { floorOf, type RoomView } from "../../../belief/room-names.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { LIMITS } from "../../../schema/core.ts";
import type { Scope } from "../operator.ts";

/** A thing that begins higher above the floor than this (m) stands on a board that was not recognised. */
const ON_FLOOR_M = 0.2;

/** Portable things and vehicles on the floor itself; people and vehicles count where they were seen last. */
export async function onFloorOf(
  rooms: readonly RoomView[],
  { memory, during }: Scope,
): Promise<KnownThing[]> {
  const found: KnownThing[] = [];
  const ever = during ?? { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 };
  for (const room of rooms) {
    const { id: roomId } = room;
    const floorM = floorOf(room);
    for (const thing of await memory.everything({ roomId, during, all: true })) {
      const isDown = thing.box === undefined || !(thing.box.min.z - floorM > ON_FLOOR_M);
      const isLoose = isDown && !isFixed(thing.category) && !isMover(thing.category) && !thing.slot;
      if (isLoose && !(await holderOf(thing, memory, during))) found.push(thing);
    }
    found.push(...(await memory.everything({ roomId, during: ever })).filter((one) => isMover(one.category)));
  }
  return found;
}
