import { attributesOf, longestName, roomKind, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { type Relation, relationsAt } from "./relations.ts";
import type { Token, Written } from "./tokens.ts";

/** A thing or a room that a text names, from one word up to another. */
interface Mention {
  /** Its canonical name. */
  readonly name: string;
  /** Its name in the text: a memory may have exactly that name. */
  readonly said: string;
  readonly isRoom: boolean;
  readonly at: number;
  readonly end: number;
}

const SEEKS =
  /^(?:please )?(?:find|locate|look for|search for|go to|take me to|bring me to|navigate to|where is|where's|it is|this is)(?: the| a| an| this| my)? (?!(?:\w+ ){0,2}(?:place|spot|somewhere) (?:to|for)\b)/;
/** The number of other things that turn one sentence into a description. */
const MENTIONS = 2;
/** Words of people describing a picture of the place, and things that are everywhere. */
const NOT_MENTIONED: ReadonlySet<string> = new Set(
  "frame image view photo side area level can object thing room wall floor ceiling corner top bottom middle center centre part space surface reference relative location bounding box".split(
    " ",
  ),
);

/** The inverse of each relation: a thing "with a mirror above it" is below the mirror. */
const INVERSE: Readonly<Partial<Record<Relation, Relation>>> = {
  above: "below",
  below: "above",
  under: "above",
  on: "with",
  in: "with",
  left: "right",
  right: "left",
  front: "behind",
  behind: "front",
};
/** The most words between a relation and its object: an article and a few attributes. */
const MOST_BETWEEN = 3;
const LONGEST_RELATION = 7;

/**
 * The thing that a long text describes: its kind and look, and all other things mentioned with their relations.
 * Undefined for a text with another purpose.
 */
export function readDescription(sentences: readonly Written[]): Expression | undefined {
  const tokens = sentences.flatMap((one) =>
    one.tokens.map((token, n) => (n === 0 ? { ...token, parted: true } : token)),
  );
  const words = tokens.map(({ word }) => word);
  const seeks = SEEKS.exec(`${words.join(" ")} `)?.[0];
  if (seeks === undefined || sentences.slice(1).some(asks)) return undefined;
  const from = seeks.trim().split(" ").length;
  const mentions = mentionsIn(tokens, from);
  // "Find the bathroom where …": the first thing in it is meant.
  const head = mentions.find(({ isRoom }) => !isRoom);
  if (!head) return undefined;
  const others = mentions.filter(({ name }) => name !== head.name);
  if (!isLong(sentences, words) && others.length < MENTIONS) return undefined;
  const relations = relationsOf(words, others, head);
  const things = [
    node("things", [], { category: head.said, ...lookOf(words.slice(from, head.at)) }),
    ...others.map(({ said, isRoom }) =>
      isRoom ? node("rooms", [], { name: said }) : node("things", [], { category: said }),
    ),
  ];
  return node("place", [node("the", [node("described", things, { relations })])]);
}

/** Whether a text only describes a thing: several sentences, or words that only give a place. */
export function isLong(
  sentences: readonly Written[],
  words = sentences.flatMap(({ tokens }) => tokens.map(({ word }) => word)),
): boolean {
  return sentences.length > 1 || words.some((word) => /^(?:located|positioned|situated|mounted)$/.test(word));
}

/** A sentence with another question or command. */
function asks({ tokens, end }: Written): boolean {
  return end === "?" || ASKING.test(tokens[0]?.word ?? "");
}
const ASKING =
  /^(?:what|which|who|whose|when|where|how|why|is|are|was|were|do|does|did|have|has|can|could|will|would|should|list|name|count|describe|tell|bring)$/;

/** Names of things and rooms in order of mention, each once. */
function mentionsIn(tokens: readonly Token[], from: number): Mention[] {
  const words = tokens.map(({ word }) => word);
  const all: Mention[] = [];
  for (let at = from; at < words.length; ) {
    // "the children's book" is not a child.
    const named = words[at + 1] === "'s" ? undefined : longestName(words, at);
    const room = roomAt(words, at);
    const isRoom = room !== undefined && (named === undefined || IN.test(words.slice(0, at).join(" ")));
    const name = isRoom ? room : named?.entry.name;
    const end = at + (isRoom ? room.split(" ").length : (named?.length ?? 1));
    const said = singularOf(words.slice(at, end).join(" "));
    if (name !== undefined && !NOT_MENTIONED.has(name) && !NOT_MENTIONED.has(said)) {
      const before = all.at(-1);
      // "a frosted glass window" names one thing, by its last word.
      if (before && before.end === at && !tokens[at]!.parted && !before.isRoom && !isRoom) all.pop();
      all.push({ name, said: isRoom ? name : said, isRoom, at, end });
    }
    at = end;
  }
  return all.filter((one, n) => all.findIndex(({ name }) => name === one.name) === n).slice(0, MOST_MENTIONS);
}

/** "Toilet" is a room after "in the", otherwise the fixture. */
const IN = /\bin(?: the| an?| my)?$/;

/** The room name that begins here; a two-word name goes before one. */
function roomAt(words: readonly string[], at: number): string | undefined {
  return [2, 1]
    .map((length) => words.slice(at, at + length).join(" "))
    .find((name) => roomKind(name)?.isWhole === false);
}

/** Texts with more mentions are narratives. */
const MOST_MENTIONS = 12;

/** The relation of the described thing to each one mentioned; near where none is given. */
function relationsOf(words: readonly string[], mentions: readonly Mention[], head: Mention): Relation[] {
  const relations: Relation[] = [];
  for (const [n, { at, end }] of mentions.entries()) {
    const after = relationAfter(words, end, head);
    const before = relationBefore(words, at);
    const last = mentions[n - 1];
    const isListed = last !== undefined && words.slice(last.end, at).every((word) => LISTING.test(word));
    relations.push((after && (INVERSE[after] ?? after)) ?? before ?? (isListed ? relations[n - 1]! : "near"));
  }
  return relations;
}
const LISTING = /^(?:and|or|the|an?|some)$/;
const BARE = /^(?!and$|or$|is$|are$|that$|which$|it$|of$).+$/;

/** The relation before a name: "to the left of the large". */
function relationBefore(words: readonly string[], at: number): Relation | undefined {
  for (let end = at; end >= Math.max(1, at - MOST_BETWEEN); end--) {
    if (!words.slice(end, at).every((word) => BARE.test(word))) return undefined;
    for (let from = Math.max(0, end - LONGEST_RELATION); from < end; from++) {
      const found = relationsAt(words, from).find((one) => one.end === end);
      if (found) return found.relation;
    }
  }
  return undefined;
}

/** The relation after a name of the described thing: "with a mirror on it", "a guitar next to the picture". */
function relationAfter(words: readonly string[], end: number, head: Mention): Relation | undefined {
  const from = /^(?:located|positioned|mounted|hanging|placed|standing)$/.test(words[end] ?? "")
    ? end + 1
    : end;
  for (const { relation, end: to } of relationsAt(words, from)) {
    if (words[to] === "it") return relation;
    if (words[to] !== "the") continue;
    if (longestName(words, to + 1)?.entry.name === head.name) return relation;
  }
  return undefined;
}

/** Colour and material before the name. */
function lookOf(words: readonly string[]): Readonly<Record<string, string>> {
  const look: Record<string, string> = {};
  for (const word of words)
    for (const { attribute, value } of attributesOf(word).slice(0, 1))
      if (attribute === "colour" || attribute === "material") look[attribute] = value;
  return look;
}
