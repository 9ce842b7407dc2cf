import type { Matching } from "./identity.ts";
import { clearLooks } from "./line-of-sight.ts";
import { currentState } from "./places.ts";
import type { Ratio } from "./ratio.ts";
import type { Remembered } from "./remembered.ts";
import { trueRooms } from "./rooms.ts";
import type { Truth } from "./truth.ts";

/** Clear views of the empty place after which a memory should know that a thing is gone. */
export const MIN_CLEAR_LOOKS = 3;

export interface TwinScore {
  /** Rooms with at least one category of several things: all those categories counted right. */
  readonly rooms: Ratio;
  /** Each category of a room, including those with one thing. */
  readonly categories: Ratio;
  readonly examples: readonly string[];
}

/**
 * Counts per room and category: present tracks of that name whose room in the memory (if it names none: by their
 * position) is that one, against the things last observed there. A picture's position is in a wall, and a centimetre
 * decides which of two rooms that is; the memory knows from where it was seen. Left out on both sides: doors, windows
 * and people, things held by a person at the last observation, things with fewer than three observations, and things
 * observed to be gone.
 */
export function scoreTwins(truth: Truth, remembered: Remembered, matching: Matching): TwinScore {
  const expected = new Map<string, number>();
  const skipped = new Set<string>();
  for (const thing of truth.things) {
    const last = truth.looksAt(thing.id).at(-1);
    const where = last && truth.placementAt(thing.id, last.trueUs);
    const isCounted = thing.type === "furniture" || thing.type === "small";
    if (!isCounted || !truth.isCountable(thing.id) || !where?.isResting || where.placement.room === null) {
      skipped.add(thing.id);
    } else if (!isSeenGone(truth, thing.id, last!.trueUs)) {
      add(expected, keyOf(where.placement.room, thing.category), 1);
    }
  }
  const found = new Map<string, number>();
  const trueRoomOf = trueRooms(truth, remembered);
  for (const [id, track] of remembered.tracks) {
    const thing = matching.thingOf.get(id);
    const state = currentState(track);
    if (track.record.type !== "object" || (thing !== undefined && skipped.has(thing))) continue;
    if (state?.position === undefined || state.record.validToUs !== null) continue;
    const room = trueRoomOf(state.record.regionId) ?? truth.roomAt(state.position);
    if (room !== undefined) add(found, keyOf(room, track.record.category), 1);
  }
  return compare(expected, found);
}

function compare(expected: ReadonlyMap<string, number>, found: ReadonlyMap<string, number>): TwinScore {
  const roomIsExact = new Map<string, boolean>();
  const examples: string[] = [];
  let right = 0;
  for (const [key, count] of expected) {
    const remembered = found.get(key) ?? 0;
    const [room, category] = key.split("/") as [string, string];
    const isRight = remembered === count;
    if (isRight) right++;
    else examples.push(`${room}: ${remembered} × ${category} remembered, ${count} seen`);
    if (count >= 2) roomIsExact.set(room, (roomIsExact.get(room) ?? true) && isRight);
  }
  return {
    rooms: { hits: [...roomIsExact.values()].filter(Boolean).length, total: roomIsExact.size },
    categories: { hits: right, total: expected.size },
    examples,
  };
}

/** It left after its last observation, and its empty place was clearly visible. */
function isSeenGone(truth: Truth, thing: string, lastUs: number): boolean {
  const leftUs = truth.leavesUs(thing, lastUs);
  const was = truth.placementAt(thing, lastUs);
  if (leftUs === undefined || was === undefined) return false;
  const looks = clearLooks(truth, thing, was.placement, { fromUs: leftUs, toUs: truth.endUs });
  return looks.length >= MIN_CLEAR_LOOKS;
}

function keyOf(room: string, category: string): string {
  return `${room}/${category}`;
}

function add(counts: Map<string, number>, key: string, n: number): void {
  counts.set(key, (counts.get(key) ?? 0) + n);
}
