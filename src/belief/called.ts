import { gapBetween } from "../geometry/index.ts";
import type { Presence } from "../schema/core.ts";
import { type Description, nameAlone } from "./description.ts";
import { codeOf, labelOf, pathOf } from "./labels.ts";
import { norm, printedOn } from "./matching.ts";
import type { RoomView } from "./room-names.ts";
import { MATCHING } from "./settings/matching.ts";
import { isSpot } from "./spots.ts";
import type { KnownThing } from "./thing.ts";

/** The part of a belief that a name lookup needs. */
interface Lookup {
  written(description: Description): Promise<KnownThing[]>;
  roomsNamed(description: Description): Promise<RoomView[]>;
}

/** The things and places that bear a name or code. */
export interface Called {
  /** Things with this text on them; those with no other text first. */
  readonly things: readonly KnownThing[];
  /** Rooms, areas, docks, bays and slots of that name. */
  readonly places: readonly RoomView[];
}

/** Every thing and place with this name: "T7", "LK-88", "B-03-1", "dock 4". Text on a thing is trusted. */
export async function called(name: string, memory: Lookup): Promise<Called> {
  const [things, places] = await Promise.all([
    bearing(name, memory),
    memory.roomsNamed(nameAlone(name.trim().toLowerCase())),
  ]);
  const own = places.filter((place) => isOf(place, name));
  // The sign that says "AISLE C" only identifies aisle C; the name means the aisle.
  const isRoom = own.some((place) => !isSpot(place));
  return { things: isRoom ? [] : things, places: own };
}

/** Things with exactly this text on them, or with this number: "dock 4" for a door that says "DOCK 4". */
export async function bearing(name: string, memory: Lookup): Promise<KnownThing[]> {
  const wanted = keyOf(name);
  const found = await memory.written({ ...nameAlone("object"), attributes: { text: name }, phrase: name });
  return found.filter(({ state }) => printedOn(state).some((text) => keyOf(text) === wanted));
}

/**
 * Things that bear the text, without pieces of them that a few views put in another category: the mast of forklift F1
 * is no shelf F1.
 */
export async function withoutPieces(
  things: readonly KnownThing[],
  memory: { presence(stateIds: readonly string[]): Promise<ReadonlyMap<string, Presence>> },
): Promise<KnownThing[]> {
  const presence = await memory.presence(things.map(({ state }) => state.id));
  const looks = ({ state }: KnownThing) => presence.get(state.id)?.seenCount ?? 0;
  const isPiece = (one: KnownThing, whole: KnownThing) =>
    whole.category !== one.category &&
    printedOn(whole.state).some((text) => printedOn(one.state).some((own) => keyOf(own) === keyOf(text))) &&
    one.box !== undefined &&
    whole.box !== undefined &&
    gapBetween(one.box, whole.box) < MATCHING.besideM &&
    looks(whole) >= MATCHING.often * Math.max(1, looks(one));
  return things.filter((one) => !things.some((whole) => isPiece(one, whole)));
}

/**
 * The things that bear the code that a description consists of: "DW-301", "dock 4"; none where it consists of words.
 */
export async function bearersOf(description: Description, memory: Lookup): Promise<KnownThing[]> {
  const { head, mods, attributes, owner } = description;
  const words = [...mods, head].join(" ");
  const isCode = pathOf(words) !== undefined || (labelOf(words)?.path.length ?? 0) > 0;
  if (!isCode || owner !== undefined || Object.keys(attributes).length > 0) return [];
  return bearing(words, memory);
}

/** Codes are compared without hyphens and leading zeros, words without case. */
function keyOf(text: string): string {
  const path = pathOf(text);
  return path ? codeOf({ path }) : norm(text);
}

/** A code means a place only where it is the place's own code: "LK-88" is not aisle 88. */
function isOf({ name, names = [] }: RoomView, asked: string): boolean {
  const [label, path] = [labelOf(asked), pathOf(asked)];
  return [name, ...names.map((one) => one.name)].some((own) => {
    if (norm(own) === norm(asked)) return true;
    const known = labelOf(own);
    const code = label ?? (path && { path });
    return (
      known !== undefined && code !== undefined && code.path.length > 0 && codeOf(known) === codeOf(code)
    );
  });
}
