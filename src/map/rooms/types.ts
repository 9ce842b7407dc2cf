import { lookup, roomKind } from "../../ontology/index.ts";
import { ROOMS } from "../settings.ts";
import { EVIDENCE } from "./room-evidence.data.ts";

export const PLAIN_ROOM = "room";

type Vote = { readonly type: string; readonly weight: number };

const BY_NAME = Map.groupBy(
  Object.entries(EVIDENCE).flatMap(([type, weights]) =>
    Object.entries(weights).map(([name, weight]) => ({ name, type, weight })),
  ),
  ({ name }) => name,
);

function votesOf(category: string): readonly Vote[] {
  return BY_NAME.get(lookup(category)?.name ?? category.toLowerCase()) ?? [];
}

/** "AISLE C", "STAGING 2", "LIBRARY": a type of room, and a letter or number if there are several. */
const SIGN = /^(.*?)(?:\s+([A-Z]|[A-Z]?\d{1,4}))?$/u;

/** The name given by most of a room's signs; signs that name no type of room (EXIT, OAK WALK) are ignored. */
export function signedRoom(signs: readonly string[]): { type: string; name: string } | undefined {
  const votes = new Map<string, { type: string; name: string; count: number }>();
  for (const says of signs) {
    const [, words = "", code] = SIGN.exec(says.trim()) ?? [];
    const kind = roomKind(words.toLowerCase());
    if (kind === undefined || kind.isWhole) continue;
    const name = code === undefined ? words.toLowerCase() : `${words.toLowerCase()} ${code}`;
    votes.set(name, { type: kind.name, name, count: (votes.get(name)?.count ?? 0) + 1 });
  }
  return [...votes.values()].sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1))[0];
}

/** Counts by category in a room, and likely alternatives of its things. */
export interface RoomThings {
  readonly counts: ReadonlyMap<string, number>;
  readonly maybe?: ReadonlyMap<string, number>;
}

/** What is in a room, and its shape. */
export interface RoomContent extends RoomThings {
  readonly lengthM: number;
  readonly widthM: number;
}

/**
 * The type supported by the things in a room; "room" if the evidence is weak. Alternative categories count only if
 * the names are not enough.
 */
export function roomTypeOf({ counts, maybe, lengthM, widthM }: RoomContent): string {
  const votes = new Map<string, number>();
  if (lengthM >= ROOMS.passageAspect * widthM && widthM <= ROOMS.passageWidthM)
    votes.set("hallway", ROOMS.passageWeight);
  addVotes(votes, counts);
  const type = mostVoted(votes);
  if (type !== PLAIN_ROOM || !maybe) return type;
  addVotes(votes, maybe);
  return mostVoted(votes);
}

function addVotes(votes: Map<string, number>, counts: ReadonlyMap<string, number>): void {
  for (const [category, count] of counts) {
    const times = count < 1 ? count : 1 + ROOMS.repeat * (Math.min(count, ROOMS.maxRepeats) - 1);
    for (const { type, weight } of votesOf(category))
      votes.set(type, (votes.get(type) ?? 0) + weight * times);
  }
}

function mostVoted(votes: ReadonlyMap<string, number>): string {
  let [best, most] = [PLAIN_ROOM, ROOMS.enough];
  for (const [type, vote] of votes) if (vote > most) [best, most] = [type, vote];
  return best;
}
