import type { Belief } from "../../../belief/belief.ts";
import { inWorld } from "../../../belief/poses.ts";
import type { RoomView } from "../../../belief/room-names.ts";
import type { KnownThing, StateRecord } from "../../../belief/thing.ts";
import { evidenceOfRecord } from "../../../belief/trust.ts";
import { boxFromCentre } from "../../../geometry/index.ts";
import { type DayChoice, habitsOf, type When } from "../../habits/index.ts";
import type { Habits } from "../../habits/load.ts";
import { DAY_PARTS, type DayPart, WEEKDAYS } from "../time/day-parts.ts";
import { placeOf } from "./place.ts";

export const HABIT_DAYS = [...WEEKDAYS, "weekday", "weekend"] as const;

export interface WhenOptions {
  readonly part?: DayPart | undefined;
  readonly days?: (typeof HABIT_DAYS)[number] | undefined;
  readonly hour?: number | undefined;
}

/** The hours and days that an expression means. */
export function whenOf({ part, days, hour }: WhenOptions): When {
  const weekday: DayChoice | undefined =
    days === undefined || days === "weekday" || days === "weekend" ? days : WEEKDAYS.indexOf(days);
  return {
    ...(hour !== undefined && { hour }),
    ...(part && { span: { fromHour: DAY_PARTS[part][0], toHour: DAY_PARTS[part][1] } }),
    ...(weekday !== undefined && { weekday }),
  };
}

/** The habit of a thing: its places in words or as ids, its rooms, or the values of an attribute. */
export type HabitBy = "words" | "place" | "room" | { readonly attribute: string };

/** A thing's habits, with the latest stay at each of its places. */
export interface ThingHabits extends Habits {
  readonly latest: ReadonlyMap<string, KnownThing>;
}

export async function thingHabits(thing: KnownThing, by: HabitBy, memory: Belief): Promise<ThingHabits> {
  const { reader, signal } = memory.options;
  const frames = await reader.frames();
  const merged = (await memory.stays(thing.trackId)).map(({ state }) => state.trackId);
  const latest = new Map<string, KnownThing>();
  const keyOf = async (state: StateRecord): Promise<string | undefined> => {
    const stay = stayOf(
      state,
      thing,
      inWorld(frames, state.anchor ?? { submap: "", p: { x: 0, y: 0, z: 0 } }),
    );
    const room = await memory.roomOf(stay);
    const words = by === "words" ? await placeOf(stay, memory) : undefined;
    const key = by === "room" ? room?.id : words?.startsWith("somewhere") ? undefined : words;
    if (key !== undefined) latest.set(key, { ...stay, roomId: room?.id ?? stay.roomId });
    return key;
  };
  const habits = await habitsOf(reader, [...new Set([thing.trackId, ...merged])].slice(0, 64), {
    nowUs: memory.nowUs,
    by: by === "words" ? "place" : by,
    ...((by === "words" || by === "room") && { placeOf: keyOf }),
    ...(signal && { signal }),
  });
  return { ...habits, latest };
}

function stayOf(state: StateRecord, thing: KnownThing, position: KnownThing["position"]): KnownThing {
  const { name, category, extent, regionId } = state;
  return {
    ...thing,
    state,
    name,
    category,
    position: state.anchor && position,
    box: position && extent && boxFromCentre(position, extent),
    roomId: regionId,
  };
}

/** The latest stays that a habit rests on. */
export async function habitEvidence({ stateIds }: Habits, { options: { reader } }: Belief) {
  const records = await reader.get(stateIds.slice(-8));
  return records.flatMap((record) =>
    record ? [evidenceOfRecord(record, record.text[0] ?? record.kind, 1)] : [],
  );
}

/** The rooms of keys that are ids of rooms, in that order. */
export async function roomsOfKeys(keys: readonly string[], memory: Belief): Promise<RoomView[]> {
  const rooms = new Map((await memory.rooms()).map((room) => [room.id, room]));
  return keys.flatMap((key) => rooms.get(key) ?? []);
}
