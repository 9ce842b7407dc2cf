import { attributesOf, longestName, roomKind, singularOf } from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import type { Written } from "./tokens.ts";

/** A thing or a room that a text names. */
interface Mention {
  readonly name: string;
  readonly isRoom: boolean;
  /** Where it begins. */
  readonly at: number;
}

const SEEKS =
  /^(?:please )?(?:find|locate|look for|search for|go to|take me to|bring me to|navigate to|where is|where's|it is|this is)(?: the| a| an| this| my)? /;
/** So many things beside the one that is sought make a description out of one sentence. */
const MENTIONS = 2;
/** Words of those who describe a picture of the place, and what is everywhere. */
const NOT_MENTIONED: ReadonlySet<string> = new Set(
  "frame image view photo side area level can object thing room wall floor ceiling corner top bottom middle center centre part space surface reference location bounding box".split(
    " ",
  ),
);

/** What stands before a name, and the relation that it says; nearness where nothing does. */
const BEFORE: readonly (readonly [RegExp, string])[] = [
  [/\bleft(?: side)? of(?: the| an?)?$/, "left"],
  [/\bright(?: side)? of(?: the| an?)?$/, "right"],
  [/\b(?:above|over)(?: the| an?)?$/, "above"],
  [/\b(?:below|beneath)(?: the| an?)?$/, "below"],
  [/\b(?:under|underneath)(?: the| an?)?$/, "under"],
  [/\b(?:next to|beside|adjacent to|alongside)(?: the| an?)?$/, "beside"],
  [/\b(?:on|on top of|atop|onto)(?: the| an?)?$/, "on"],
  [/\b(?:inside|within)(?: the| an?)?$/, "in"],
  [/\bin front of(?: the| an?)?$/, "front"],
  [/\bbehind(?: the| an?)?$/, "behind"],
  [/\bwith(?: the| an?)?$/, "with"],
];
const WORDS_BEFORE = 4;

/**
 * The thing that is described in a long text: its kind and look, and everything else that is mentioned with the
 * relation that it is said to stand in. Undefined for a text that asks for nothing of the kind.
 */
export function readDescription(sentences: readonly Written[]): Expression | undefined {
  const words = sentences.flatMap(({ tokens }) => tokens.map(({ word }) => word));
  const seeks = SEEKS.exec(`${words.join(" ")} `)?.[0];
  if (seeks === undefined || sentences.slice(1).some(asks)) return undefined;
  const from = seeks.trim().split(" ").length;
  const mentions = mentionsIn(words, from);
  // "Find the bathroom where …": what is sought is the first thing in it.
  const head = mentions.find(({ isRoom }) => !isRoom);
  const others = mentions.filter((one) => one !== head);
  if (!head || (!isLong(sentences, words) && others.length < MENTIONS)) return undefined;
  let set = node("things", [], { category: head.name, ...lookOf(words.slice(from, head.at)) });
  for (const { name, at, isRoom } of others) {
    const before = words.slice(Math.max(0, at - WORDS_BEFORE), at).join(" ");
    if (isRoom) set = node("in", [set, node("rooms", [], { name })]);
    else {
      const relation = BEFORE.find(([form]) => form.test(before))?.[1] ?? "near";
      set = node("relate", [set, node("things", [], { category: name })], { relation });
    }
  }
  return node("place", [node("the", [set])]);
}

/** Whether a text does nothing but tell what a thing is like: several sentences, or words that only tell where. */
export function isLong(
  sentences: readonly Written[],
  words = sentences.flatMap(({ tokens }) => tokens.map(({ word }) => word)),
): boolean {
  return sentences.length > 1 || words.some((word) => /^(?:located|positioned|situated|mounted)$/.test(word));
}

/** A sentence that asks or tells somebody to do something else. */
function asks({ tokens, end }: Written): boolean {
  return end === "?" || ASKING.test(tokens[0]?.word ?? "");
}
const ASKING =
  /^(?:what|which|who|whose|when|where|how|why|is|are|was|were|do|does|did|have|has|can|could|will|would|should|list|name|count|describe|tell|bring)$/;

/** Names of things and rooms in the order in which they are mentioned, each once. */
function mentionsIn(words: readonly string[], from: number): Mention[] {
  const found = new Map<string, Mention>();
  for (let at = from; at < words.length; ) {
    const named = longestName(words, at);
    const room = roomAt(words, at);
    const isRoom = room !== undefined && (named === undefined || IN.test(words.slice(0, at).join(" ")));
    const name = isRoom ? room : named?.entry.name;
    const length = isRoom ? room.split(" ").length : (named?.length ?? 1);
    // "the glass … shards of glass" names one thing, whatever else the word may mean.
    const said = singularOf(words.slice(at, at + length).join(" "));
    if (name !== undefined && !NOT_MENTIONED.has(name) && !NOT_MENTIONED.has(said) && !found.has(said))
      found.set(said, { name, isRoom, at });
    at += length;
  }
  const names = [...found.values()];
  return names
    .filter((one, n) => names.findIndex(({ name }) => name === one.name) === n)
    .slice(0, MOST_MENTIONS);
}

/** "Toilet" is a room after "in the", else what stands in it. */
const IN = /\bin(?: the| an?| my)?$/;

/** The name of a room that begins here, two words before one. */
function roomAt(words: readonly string[], at: number): string | undefined {
  return [2, 1]
    .map((length) => words.slice(at, at + length).join(" "))
    .find((name) => roomKind(name)?.isWhole === false);
}

/** Beyond these a text tells a story. */
const MOST_MENTIONS = 12;

/** Colour and material that stand before the name. */
function lookOf(words: readonly string[]): Readonly<Record<string, string>> {
  const look: Record<string, string> = {};
  for (const word of words)
    for (const { attribute, value } of attributesOf(word).slice(0, 1))
      if (attribute === "colour" || attribute === "material") look[attribute] = value;
  return look;
}
