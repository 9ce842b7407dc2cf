import { FURNITURE } from "../../world/house/models.ts";
import { SMALL } from "../../world/house/small/things.ts";
import { basicColour, meaningWords } from "../judge/normalise.ts";
import type { Form, Marked } from "./expectation.ts";
import { countsIn, findPhrase, roomsIn, roomWord, saysAny, saysNone } from "./read-text.ts";

type Things = Form<"things">;
type Item = Things["things"][number];

/** A colour belongs to a noun at most this many words away: "red ceramic mug", "mug, which is red". */
const COLOUR_WORDS = 3;
/** A noun after one of these gives a place: "the mug on the desk" does not list a desk. */
const PLACE_WORDS = new Set(
  "on in under near above behind between in_front_of of from at to beside".split(" "),
);
const PLACE_REACH = 4;

/** Every category in a simulated house, normalised like the judge's words. */
const NOUNS = [...FURNITURE, ...SMALL].map(({ category }) => category);

/** Every thing must be in the text and in the set, if there is one; with `exactly`, nothing else may be. */
export function markThings({ things, exactly, may = [] }: Things, answer: Marked): string | undefined {
  const { text, set } = answer;
  if (things.length === 0) {
    if (set !== undefined && set.length > 0) return `the field names ${set.join(", ")}`;
    return set !== undefined || saysNone(text) ? undefined : "does not say that there is none";
  }
  const unsaid = things.find((item) => timesIn(text, item) === 0);
  if (unsaid !== undefined) return `the text lacks ${nameOf(unsaid)}`;
  const missing = set && things.find((item) => !set.some((entry) => timesIn(entry, item) > 0));
  if (missing !== undefined) return `the field lacks ${nameOf(missing)}`;
  const few = things.find((item) => item.count !== undefined && !isCounted(item, item.count, answer));
  if (few !== undefined) return `does not count ${nameOf(few)}`;
  if (!exactly) return undefined;
  const extra =
    set === undefined ? extraIn(answer, things, may) : set.find((entry) => !isMeant(entry, things, may));
  return extra === undefined ? undefined : `names ${extra} too`;
}

export function explainThings({ things, exactly, may }: Things): string {
  if (things.length === 0) return "says that there is none";
  const also = may === undefined ? "" : `; ${may.join(", ")} may be named`;
  return `names ${things.map(nameOf).join(" and ")}${exactly ? ", all of them and nothing else" : ", perhaps more"}${also}`;
}

function nameOf({ any, colour, count }: Item): string {
  return [
    ...(count === undefined ? [] : [`${count} ×`]),
    ...(colour ? [colour.join("/")] : []),
    any.join("/"),
  ].join(" ");
}

/** That many entries of the set, mentions in the text, or the number itself. */
function isCounted(item: Item, count: number, { text, set = [] }: Marked): boolean {
  const entries = set.filter((entry) => timesIn(entry, item) > 0).length;
  if (entries > count) return false;
  const isBoth = count === 2 && /\bboth\b/i.test(text);
  return entries === count || countsIn(text).includes(count) || isBoth || timesIn(text, item) === count;
}

function isMeant(entry: string, things: readonly Item[], may: readonly string[]): boolean {
  return things.some((item) => timesIn(entry, item) > 0) || saysAny(entry, may);
}

/** A listed but unexpected thing in the text; without a set this is the only check. */
function extraIn(
  { question, text }: Marked,
  things: readonly Item[],
  may: readonly string[],
): string | undefined {
  const wanted = things.flatMap(({ any }) => any);
  const isAboutRooms = wanted.every((word) => roomsIn(word).length > 0);
  if (isAboutRooms) return roomsIn(text).find((room) => !wanted.map(roomWord).includes(room));
  const words = meaningWords(text);
  return NOUNS.find((noun) => {
    if (
      saysAny(noun, [...wanted, ...may]) ||
      wanted.some((word) => saysAny(word, [noun])) ||
      saysAny(question, [noun])
    )
      return false;
    return findPhrase(words, noun).some(
      ({ at }) => !words.slice(Math.max(0, at - PLACE_REACH), at).some((word) => PLACE_WORDS.has(word)),
    );
  });
}

function timesIn(text: string, { any, colour }: Item): number {
  const words = meaningWords(text);
  const wanted = colour?.flatMap((one) => meaningWords(one));
  const starts = any.flatMap((phrase) =>
    findPhrase(words, phrase).flatMap(({ at, length }) => {
      if (wanted === undefined) return at;
      const own = colourNear(words, at, length);
      return own !== undefined && wanted.includes(own) ? at : [];
    }),
  );
  return new Set(starts).size;
}

function colourNear(words: readonly string[], at: number, length: number): string | undefined {
  const isColour = (word: string) => basicColour(word) !== undefined;
  const own =
    words.slice(Math.max(0, at - COLOUR_WORDS), at).findLast(isColour) ??
    words.slice(at + length, at + length + COLOUR_WORDS).find(isColour);
  return own === undefined ? undefined : basicColour(own);
}
