import { roomFit, roomKind, usualRooms } from "../../ontology/index.ts";
import type { Need } from "./needs.ts";
import type { Part } from "./part.ts";

/** What is known about the room around a frontier before going there. */
export interface Surroundings {
  /** The room's type, if it has a known room with a name. */
  readonly roomType: string | undefined;
  readonly roomId?: string | undefined;
  /** It leads to another room, about which nothing is known. */
  readonly isOpening: boolean;
}

/** Probability that a need is met in a room: in the very room asked for, in a typical room for it, in any other. */
export const IN_NAMED_ROOM = 0.9;
const IN_OTHER_ROOM = 0.06;
const BY_HABIT = 0.8;
const IN_USUAL_ROOM = 0.7;
const IN_UNUSUAL_ROOM = 0.15;
const ANYWHERE = 0.4;
/** An unobserved room may be of any type. */
const IN_NEW_ROOM = 0.45;
/** How well a room's type must match a name. */
const SAME_ROOM = 0.7;

/** Without knowledge about the question, all frontiers are equal. */
export const NO_PROSPECT = 0.5;

/** Probability that an open part would be seen there; the likeliest part counts. */
export function prospectOf(parts: readonly Pick<Part, "need" | "usual">[], there: Surroundings): number {
  const { roomType, isOpening } = there;
  return Math.max(
    0,
    ...parts.map(({ need, usual }) =>
      // Habits of this very thing say more than those of its category.
      !isOpening && roomType !== undefined && usual.some((name) => isSameRoom(name, roomType))
        ? BY_HABIT
        : likelihood(need, there),
    ),
  );
}

function likelihood(need: Need, { roomType, roomId, isOpening }: Surroundings): number {
  // A set over the whole place must be searched everywhere.
  if (need.kind === "all-of" && need.rooms.length === 0) return NO_PROSPECT;
  if (need.isInKnownRoom)
    return !isOpening && roomId !== undefined && need.rooms.includes(roomId) ? IN_NAMED_ROOM : IN_OTHER_ROOM;
  if (isOpening) return IN_NEW_ROOM;
  if (roomType === undefined || roomKind(roomType) === undefined) return ANYWHERE;
  if (need.rooms.length > 0)
    return need.rooms.some((name) => isSameRoom(name, roomType)) ? IN_NAMED_ROOM : IN_OTHER_ROOM;
  const usual = need.categories.flatMap((category) => usualRooms(category));
  if (usual.length === 0) return ANYWHERE;
  return usual.some((name) => isSameRoom(name, roomType)) ? IN_USUAL_ROOM : IN_UNUSUAL_ROOM;
}

/** Whether a room of a type may have a name: "Anna's bedroom", "upstairs hallway". */
export function isSameRoom(name: string, type: string): boolean {
  return roomFit(plainRoom(name), type) >= SAME_ROOM;
}

/** The room type within a name: "Anna's bedroom", "upstairs hallway". */
function plainRoom(name: string): string {
  const words = name.split(" ");
  for (let from = 0; from < words.length; from++) {
    const rest = words.slice(from).join(" ");
    if (roomKind(rest) !== undefined) return rest;
  }
  return name;
}
