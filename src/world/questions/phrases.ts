import type { House, HouseThing, Room } from "../house/types.ts";

/** Names that people use too; the test wordings draw on them. */
const SYNONYMS: Readonly<Record<string, readonly string[]>> = {
  sofa: ["couch", "settee"],
  television: ["TV", "telly"],
  fridge: ["refrigerator"],
  wardrobe: ["closet"],
  nightstand: ["bedside table"],
  "rubbish bin": ["trash can", "waste basket"],
  bookcase: ["bookshelf"],
  picture: ["painting"],
  phone: ["smartphone", "cell phone"],
  backpack: ["rucksack"],
  stove: ["cooker"],
  cushion: ["throw pillow"],
  mug: ["cup"],
  "desk lamp": ["table lamp"],
  "floor lamp": ["standing lamp"],
  rug: ["carpet"],
  dresser: ["chest of drawers"],
  laptop: ["notebook computer"],
  jumper: ["sweater"],
  handbag: ["purse"],
  washbasin: ["bathroom sink"],
  pan: ["frying pan"],
  pot: ["saucepan"],
  "teddy bear": ["stuffed bear"],
  "coffee table": ["low table"],
  armchair: ["easy chair"],
  "washing machine": ["washer"],
  bathtub: ["bath"],
  plant: ["house plant"],
  "shelf rack": ["storage shelf"],
  suitcase: ["travel case"],
  bicycle: ["bike"],
};

const ROOM_SYNONYMS: Readonly<Record<string, string>> = {
  "living room": "lounge",
  hallway: "corridor",
  office: "study",
  laundry: "laundry room",
  "children's room": "kids' room",
  gym: "fitness room",
};

/** Plurals and words that read badly after "the": another name of the thing is used, or the thing is left out. */
const AWKWARD = new Set([
  "curtains",
  "jeans",
  "folded trousers",
  "trousers",
  "headphones",
  "toy blocks",
  "building blocks",
  "reading glasses",
  "spectacles",
  "shelved book",
  "corner-less couch",
  "shoes",
  "socks",
  "slippers",
  "keys",
  "liquid soap",
  "washing powder",
  "washing-up liquid",
  "medicine",
  "detergent",
  "dish soap",
  "toilet paper",
  "bread",
  "shampoo",
]);

/** What a thing can be called without attributes, the plainest first. */
export function nounsOf(thing: HouseThing): string[] {
  if (thing.type === "person") return [thing.name];
  const nouns = [...new Set([thing.category, thing.name])].filter((noun) => !AWKWARD.has(noun));
  return nouns;
}

export function synonymsOf(thing: Pick<HouseThing, "category">): readonly string[] {
  return SYNONYMS[thing.category] ?? [];
}

/** Whether the noun could refer to the thing: an office chair is a chair, a chair no office chair. */
export function couldBe(thing: HouseThing, noun: string): boolean {
  return [thing.category, thing.name, ...synonymsOf(thing)].some(
    (word) => word === noun || word.endsWith(` ${noun}`),
  );
}

/** How an answer names a thing, and the accepted alternatives. */
export function answerNames(thing: HouseThing): { text: string; extra: string[] } {
  if (thing.type === "person") return { text: thing.name, extra: ["person"] };
  const names = [thing.name, thing.category, ...synonymsOf(thing)];
  const coloured = thing.colour === undefined ? [] : names.map((name) => `${thing.colour} ${name}`);
  const [text, ...extra] = [...new Set([...names, ...coloured])];
  return { text: text!, extra };
}

/** "mugs", "loaves of bread": regular but for the few irregular ones of the house. */
export function plural(noun: string): string {
  const of = / of | with /.exec(noun);
  if (of !== null) return plural(noun.slice(0, of.index)) + noun.slice(of.index);
  if (/(shelf|loaf|knife)$/.test(noun)) return noun.replace(/fe?$/, "ves");
  if (/(s|x|ch|sh)$/.test(noun)) return `${noun}es`;
  if (/[^aeiou]y$/.test(noun)) return noun.replace(/y$/, "ies");
  if (/person$/.test(noun)) return noun.replace(/person$/, "people");
  return `${noun}s`;
}

export function withArticle(noun: string): string {
  return `${/^[aeiou]/i.test(noun) ? "an" : "a"} ${noun}`;
}

/** A phrase that may differ between the two sets of wordings. */
export interface Phrase {
  readonly dev: string;
  readonly test: string;
}

export function phrase(dev: string, test: string = dev): Phrase {
  return { dev, test };
}

/**
 * A name for a room that identifies it: its type, with the floor if that tells two apart. A recording does not show
 * whose bedroom it is, so owners do not help; a sign identifies an aisle.
 */
export function roomPhrase(house: House, room: Room): Phrase | undefined {
  if (room.isSigned) return phrase(room.name);
  const alike = house.rooms.filter(({ type }) => type === room.type);
  const level = house.floors > 1 ? (room.floor === 0 ? "downstairs " : "upstairs ") : "";
  const other = ROOM_SYNONYMS[room.type] ?? room.type;
  if (alike.length === 1) return phrase(`the ${room.type}`, `the ${other}`);
  if (house.floors > 1 && alike.filter(({ floor }) => floor === room.floor).length === 1)
    return phrase(`the ${level}${room.type}`, `the ${level}${other}`);
  return undefined;
}

/** Numbers as people write them in a sentence. */
const NUMBER_WORDS = [
  "zero",
  "one",
  "two",
  "three",
  "four",
  "five",
  "six",
  "seven",
  "eight",
  "nine",
  "ten",
  "eleven",
  "twelve",
];

export function numberWord(n: number): string {
  return NUMBER_WORDS[n] ?? String(n);
}

/** "a and b", "a, b and c". */
export function listed(items: readonly string[], joint = "and"): string {
  if (items.length <= 1) return items[0] ?? "";
  return `${items.slice(0, -1).join(", ")} ${joint} ${items.at(-1)}`;
}

/** "40 seconds", "3 minutes", "2 minutes and 20 seconds": whole seconds. */
export function spanWords(seconds: number): string {
  const s = Math.round(seconds);
  const unit = (n: number, word: string): string => `${n} ${word}${n === 1 ? "" : "s"}`;
  const hours = Math.floor(s / 3600);
  const minutes = Math.floor((s % 3600) / 60);
  const rest = s % 60;
  const parts = [
    ...(hours > 0 ? [unit(hours, "hour")] : []),
    ...(minutes > 0 ? [unit(minutes, "minute")] : []),
    ...(rest > 0 || s === 0 ? [unit(rest, "second")] : []),
  ];
  return listed(parts);
}

/** 09:03:20, by the clock of the recording (UTC). */
export function clockWords(timeUs: number): string {
  return new Date(Math.floor(timeUs / 1000)).toISOString().slice(11, 19);
}
