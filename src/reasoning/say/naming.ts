import { pathOf } from "../../belief/labels.ts";
import { isGuessed } from "../../belief/names.ts";
import type { RoomView } from "../../belief/room-names.ts";
import { attributeOf, type KnownThing } from "../../belief/thing.ts";
import { attributesOf } from "../../ontology/index.ts";
import type { Value } from "../algebra/value.ts";
import { list, plural, withArticle, withThe } from "./grammar.ts";

type Named = Pick<KnownThing, "name" | "category" | "state"> & Partial<Pick<KnownThing, "spot" | "agentId">>;

const PEOPLE =
  /(?:^| )(?:person|man|woman|child|boy|girl|baby|kid|lady|gentleman|human|people|adult|toddler)$/;

export function isPerson({ category }: Pick<KnownThing, "category">): boolean {
  return PEOPLE.test(category);
}

/** The personal name without attributes: detectors may give "blue fabric Olga". */
function properName({
  name,
  category,
  agentId,
}: Pick<KnownThing, "name" | "category" | "agentId">): string | undefined {
  if (agentId !== undefined) return name;
  const isLiving = PEOPLE.test(category) || /(?:^| )(?:dog|cat|robot)$/.test(category);
  return isLiving ? /(?:^|\s)([A-Z][\p{L}'-]+)$/u.exec(name)?.[1] : undefined;
}

/** A place of a rack is named by its code. */
function codeOf({ name, spot }: Pick<Named, "name" | "spot">): string | undefined {
  return spot && pathOf(name) ? name : undefined;
}

/** Whether a person or a pet has a personal name. */
export function isNamed(thing: Pick<KnownThing, "name" | "category" | "agentId">): boolean {
  return properName(thing) !== undefined;
}

/** The wording for a person whose identity is uncertain. */
export function perhaps(name: string): string {
  return `person (perhaps ${name})`;
}

export function isPerhaps({ evidence }: Pick<Value, "evidence">): boolean {
  return evidence[0] !== undefined && perhapsWho(evidence[0].why) !== undefined;
}

export function perhapsWho(why: string): string | undefined {
  return /^person \(perhaps (.+?)\)/.exec(why)?.[1];
}

/**
 * The everyday noun for a thing: "tumble dryer", not "grey steel tumble dryer". Colour and material are left out unless
 * they are part of the category's name, as in "cardboard box"; so is the text on it.
 */
export function nounOf(thing: Named): string {
  const own = properName(thing) ?? codeOf(thing);
  if (own !== undefined) return own;
  const bare = thing.name.replace(/ (?:that (?:says?|reads?)|marked|labelled|labeled) [“"].*$/, "").trim();
  // An unlabelled thing is described by its look.
  if (thing.category === "thing" && bare !== "") return bare;
  const kind = plain(thing.category);
  // A model describes in full.
  const isTold = thing.state.namedBy !== undefined && thing.state.namedBy !== "eyes";
  const words = ((isTold ? endingIn(kind, bare) : bare) || thing.category || "thing").split(/\s+/);
  const known = new Set(
    Object.values(thing.state.attributes).flatMap(({ value }) => plain(String(value)).split(" ")),
  );
  const isLook = (word: string) =>
    known.has(plain(word)) || (isTold && (word === "and" || attributesOf(word).length > 0));
  while (words.length > 1 && isLook(words[0]!) && plain(words.join(" ")) !== kind) words.shift();
  return words.join(" ");
}

/** A description up to its kind: "blue office chair" of "blue office chair with armrests". */
function endingIn(kind: string, phrase: string): string {
  const [before = ""] = phrase.split(/\s+with\s+/);
  return kind !== "" && plain(before).endsWith(kind) ? before : phrase;
}

function plain(text: string): string {
  return text
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N} ]/gu, "")
    .trim();
}

/** "the tumble dryer", "Olga"; "what may be a printer" where its name is not sure. */
export function theThing(thing: Named): string {
  const own = properName(thing);
  if (own !== undefined) return own;
  const noun = nounOf(thing);
  return isGuessed(thing) ? `what may be ${withArticle(noun)}` : withThe(noun);
}

/** "a tumble dryer", "Olga"; "perhaps a printer" where its name is not sure. */
export function aThing(thing: Named): string {
  const own = properName(thing);
  if (own !== undefined) return own;
  const a = withArticle(nounOf(thing));
  return isGuessed(thing) ? `perhaps ${a}` : a;
}

/** The pronoun for a subject that was named: "she", "they", "it"; people by their names. */
export function subjectOf(thing: Named): string {
  const own = properName(thing);
  if (own !== undefined) return own;
  if (!isPerson(thing)) return "it";
  const sex = attributeOf(thing as KnownThing, "gender")?.value ?? thing.category;
  if (/(?:^| )(?:man|boy|gentleman|male)$/.test(sex)) return "he";
  return /(?:^| )(?:woman|girl|lady|female)$/.test(sex) ? "she" : "they";
}

/** A sentence about "it" reworded for a person: "Olga is in the kitchen", never "it is". */
export function aboutWhom(sentence: string, thing: Named | undefined): string {
  const subject = thing && subjectOf(thing);
  if (subject === undefined || subject === "it") return sentence;
  const verbs: Readonly<Record<string, string>> = { is: "are", was: "were", has: "have" };
  return sentence.replace(/^(it)( is| was| has)?\b/i, (_, _it: string, verb: string = "") => {
    const own = verb.trim();
    return subject === "they" && own !== "" ? `they ${verbs[own]}` : `${subject}${verb}`;
  });
}

/** Known facts about a thing's place, to distinguish it from others. */
export interface Surroundings {
  roomOf(thing: KnownThing): Promise<RoomView | undefined>;
  /** "on the desk", "in the drawer". */
  holderOf(thing: KnownThing): Promise<string | undefined>;
  /** The two rooms that a door joins. */
  joinedBy?(thing: KnownThing): Promise<readonly [RoomView, RoomView] | undefined>;
}

/** "in the kitchen"; of a door "between the hallway and the kitchen". */
export async function roomText(
  thing: KnownThing,
  surroundings: Surroundings | undefined,
): Promise<string | undefined> {
  const joined = await surroundings?.joinedBy?.(thing);
  if (joined) return `between ${joined.map(({ name }) => withThe(name)).join(" and ")}`;
  const room = await surroundings?.roomOf(thing);
  const where = room && `in ${withThe(room.name)}`;
  // The place of a thing in a slot is the slot's code.
  const { slot, name } = thing;
  return slot && slot.code !== name ? [`in ${slot.code}`, where].filter(Boolean).join(" ") : where;
}

/** Distinguishing features, each as a phrase for "the one"; empty where nothing is known. */
type Traits = Readonly<Record<"colour" | "text" | "holder" | "room", string>>;

/** Fewest words first: one difference is enough. */
const WAYS: readonly (readonly (keyof Traits)[])[] = [
  ["colour"],
  ["text"],
  ["room"],
  ["holder"],
  ["colour", "room"],
  ["colour", "holder"],
  ["holder", "room"],
  ["colour", "holder", "room"],
  ["colour", "text", "holder", "room"],
];

/**
 * Distinguishes things of one name: "the red one", "the one on the desk". Without a known difference they are numbered.
 */
export async function toldApart(
  things: readonly KnownThing[],
  surroundings: Surroundings | undefined,
): Promise<string[]> {
  const names = things.map(nounOf);
  if (new Set(names).size === things.length) return things.map(theThing);
  if (things.every(isNamed)) return names;
  const traits = await Promise.all(things.map((thing) => traitsOf(thing, surroundings)));
  for (const way of WAYS) {
    const labels = traits.map((one) => labelOf(one, way));
    if (new Set(labels).size === things.length && labels.filter((label) => label === "the one").length <= 1)
      return labels.map((label) => (label === "the one" ? "the other" : label));
  }
  return things.map((_, n) => `number ${n + 1}`);
}

async function traitsOf(thing: KnownThing, surroundings: Surroundings | undefined): Promise<Traits> {
  const text = textOn(thing);
  return {
    colour: attributeOf(thing, "colour")?.value ?? "",
    text: text ? `marked ${quoted(text)}` : "",
    holder: (await surroundings?.holderOf(thing)) ?? "",
    room: (await roomText(thing, surroundings)) ?? "",
  };
}

function labelOf(traits: Traits, used: readonly (keyof Traits)[]): string {
  const [first, ...more] = used.map((trait) => traits[trait]);
  const one = used[0] !== "colour" ? ["the one", first] : [first ? `the ${first} one` : "the one"];
  return [...one, ...more].filter(Boolean).join(" ");
}

/** The text on a thing, where its name contains it. */
export function textOn(thing: KnownThing): string | undefined {
  return attributeOf(thing, "text")?.value ?? /[“"]([^”"]+)[”"]/.exec(thing.name)?.[1];
}

/** Text on a thing, in quotes. */
export function quoted(text: string): string {
  const bare = text.replaceAll(/^[“”"']+|[“”"']+$/g, "").trim();
  return `“${bare.length > 120 ? `${bare.slice(0, 119)}…` : bare}”`;
}

/** "kitchen", "2 bedrooms and kitchen": rooms by name, equal names counted; in order where one comes again. */
export function roomNames(rooms: readonly Pick<RoomView, "name" | "id">[]): string {
  if (new Set(rooms.map(({ id }) => id)).size < rooms.length)
    return list(rooms.map(({ name }) => withThe(name)));
  const counts = new Map<string, number>();
  for (const { name } of rooms) counts.set(name, (counts.get(name) ?? 0) + 1);
  return list(
    Array.from(counts, ([name, n]) =>
      n > 1 ? `${n} ${plural(name)}` : rooms.length > 1 ? withThe(name) : name,
    ),
  );
}

/** Longest phrase that is still taken for a noun. */
const MOST_WORDS = 6;

/**
 * A phrase of the question as part of an answer: unchanged where every word is known, in quotes otherwise, so that
 * "spoons thx" never becomes a thing.
 */
export function phraseOr(phrase: string, knows: ((word: string) => boolean) | undefined): string {
  const words = phrase
    .trim()
    .split(/\s+/)
    .filter((word) => word !== "");
  const isNoun =
    words.length > 0 &&
    words.length <= MOST_WORDS &&
    words.every(
      (word) => /^[\p{L}][\p{L}'’-]*$/u.test(word) && (knows === undefined || knows(word.toLowerCase())),
    );
  if (isNoun) return words.join(" ");
  return words.length === 0 ? "such a thing" : quoted(words.join(" ").slice(0, 60));
}
