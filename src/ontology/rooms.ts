import { keyOf, lazily, linesOf } from "./read-data.ts";
import { stemsOf } from "./stems.ts";

/** A type of room or other place. */
export interface RoomKind {
  readonly name: string;
  readonly names: readonly string[];
  readonly kinds: readonly string[];
  readonly like: readonly string[];
  readonly moods: readonly string[];
  /** "house", "place", "floor", "room": not a room type of its own. */
  readonly isWhole: boolean;
}

interface Line extends RoomKind {
  readonly doings: readonly (readonly string[])[];
}

const rooms = lazily((): ReadonlyMap<string, Line> => {
  const found = new Map<string, Line>();
  for (const line of linesOf("rooms"))
    for (const room of roomsIn(line))
      for (const name of room.names) if (!found.has(keyOf(name))) found.set(keyOf(name), room);
  return found;
});

function roomsIn(line: string): Line[] {
  const [names = "", kinds = "", ...segments] = line.replace(" <", ";").split(";");
  const said = { moods: [] as string[], like: [] as string[], doings: [] as string[][], isWhole: false };
  for (const segment of segments) {
    const text = segment.trim();
    if (text === "whole") said.isWhole = true;
    else if (text.startsWith("like ")) said.like = text.slice(5).split(", ");
    else if (text.startsWith("for ")) said.doings = text.slice(4).split(", ").map(stemsOf);
    else said.moods = text.split(" ");
  }
  const all = names.split(", ");
  const own = all.filter((name) => !name.startsWith("+"));
  const above = kinds.trim() === "" ? [] : kinds.trim().split(", ");
  const first: Line = { name: own[0]!, names: own, kinds: above, ...said };
  const below = all.filter((name) => name.startsWith("+")).map((name) => name.slice(1));
  return [
    first,
    ...below.map((name) => ({ ...first, name, names: [name], kinds: [first.name], moods: [], doings: [] })),
  ];
}

/** The room type that words mean: "loo" is a toilet, "lounge" a living room; undefined if it is not a room. */
export function roomKind(words: string): RoomKind | undefined {
  const key = keyOf(words);
  const found = rooms();
  return found.get(key) ?? found.get(key.replace(/s$/, "")) ?? found.get(key.replace(/ies$/, "y"));
}

/** How well a room's type fits the requested one: 1 the same or a synonym, .8 a subtype, .7 a confusion. */
export function roomFit(asked: string, type: string): number {
  const [wanted, own] = [roomKind(asked), roomKind(type)];
  if (wanted === undefined || own === undefined) return keyOf(asked) === keyOf(type) ? 1 : 0;
  if (wanted === own) return 1;
  if (isUnder(own, wanted) || isUnder(wanted, own)) return 0.8;
  return wanted.like.includes(own.name) || own.like.includes(wanted.name) ? 0.7 : 0;
}

function isUnder(room: RoomKind, kind: RoomKind): boolean {
  if (kind.isWhole) return false;
  return room.kinds.some((name) => {
    const above = roomKind(name);
    return above !== undefined && (above === kind || isUnder(above, kind));
  });
}

/** A cue of two words says more than one of one. */
const SECOND_WORD = 0.5;

/** Room types for an activity, likeliest first; empty if it belongs to no room. */
export function roomFor(activity: string): readonly string[] {
  const said = new Set(stemsOf(activity));
  return ranked(({ doings }) =>
    doings.reduce(
      (best, stems) =>
        stems.length > 0 && stems.every((stem) => said.has(stem))
          ? Math.max(best, 1 + SECOND_WORD * (stems.length - 1))
          : best,
      0,
    ),
  );
}

/** The words for each mood of a place. */
const MOODS: Readonly<Record<string, string>> = {
  quiet:
    "quiet silent silence peaceful peace calm hushed tranquil tranquility serene still noiseless undisturbed restful soundless muted soothing",
  private:
    "private privacy secluded intimate personal alone hidden seclusion discreet sheltered confidential withdrawn",
  dim: "dim dark gloomy shady shadowy subdued dusky darkened unlit lightless murky low-lit",
  bright:
    "bright sunny light sunlit luminous airy well-lit brightly daylight radiant lit sun-filled illuminated",
  cosy: "cosy cozy snug homely comfy comfortable inviting warm welcoming homey cuddly",
  social:
    "social sociable company guests friends together gather gathering convivial communal lively-talk socialising meet mingle",
  noisy: "noisy loud boisterous rowdy racket din clamorous lively bustling",
  colourful:
    "colourful colorful vivid vibrant colours colors multicoloured cheerful playful gaudy rainbow childlike fun",
  work: "work working productive study studious focused focus concentrate professional businesslike desk",
  humid: "humid steamy damp wet moist tiled hygienic",
  fragrant: "fragrant smell smells aroma appetising busy",
  dusty: "dusty oily rough draughty chilly messy industrial cluttered",
  passage: "passage corridor narrow in-between transit walk-through entrance",
};
const moods = lazily(() =>
  Object.entries(MOODS).map(([mood, words]) => ({ mood, stems: new Set(stemsOf(words)) })),
);
/** The first mood of a room is the one it is known for. */
const LATER_MOOD = 0.01;

/** Room types with a requested mood: best match first. */
export function roomsLike(wish: string): readonly string[] {
  const said = stemsOf(wish);
  const wanted = moods()
    .filter(({ stems }) => said.some((stem) => stems.has(stem)))
    .map(({ mood }) => mood);
  return ranked((room) =>
    room.moods.reduce((sum, mood, n) => sum + (wanted.includes(mood) ? 1 - n * LATER_MOOD : 0), 0),
  );
}

function ranked(score: (room: Line) => number): string[] {
  return [...new Set(rooms().values())]
    .map((room) => ({ name: room.name, score: score(room) }))
    .filter((room) => room.score > 0)
    .sort((a, b) => b.score - a.score)
    .map(({ name }) => name);
}

/** Every name of a room, for readers. */
export function roomNames(): readonly string[] {
  return [...rooms().keys()];
}
