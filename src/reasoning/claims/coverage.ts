import {
  attributesOf,
  colourOf,
  FIT,
  isKindOf,
  longestName,
  lookup,
  materialOf,
  nameFit,
  roomFit,
  roomKind,
  sameColour,
  sameMaterial,
  singularOf,
} from "../../ontology/index.ts";
import type { Expression } from "../../schema/index.ts";
import { print } from "../algebra/notation.ts";
import { numberAt } from "../read/amounts.ts";
import { isFunctionWord } from "../read/function-words.ts";
import { clockIn } from "./clocks.ts";

/** Sources that cover the words of a claim: the reading that was evaluated, and other known facts. */
export interface Account {
  readonly parts: readonly Expression[];
  /** Names, categories and rooms of the cited records: these words in a claim refer to them. */
  readonly named: readonly string[];
  /** Attributes that every cited thing has: where the things differ, the reading itself must say which is meant. */
  readonly looks: readonly string[];
  /** Numbers that were compared with measured ones. */
  readonly numbers?: readonly number[] | undefined;
  /** Moments that were compared, in microseconds. */
  readonly timesUs?: readonly number[] | undefined;
  readonly nowUs: number;
  /** A supported claim must use a thing's actual names; a denied one may use any. */
  readonly isBorneOut?: boolean | undefined;
}

/** Names fit each other from this value on, as in `agrees`. */
const FITS = 0.5;
/** A stated clock time agrees with that of a reading within this, in microseconds. */
const CLOCK_US = 60_000_000;

/** Function words that restrict or reverse a claim: a reading must represent them. */
const TURNING = new Set(
  `all both each every either neither no none only most more less least many much few several other another same such last first
   before after since until while ago next then again back from to into onto out off up down over under above below near beside between
   behind inside within through against around except besides apart than instead together whole today yesterday tomorrow never ever not on in
   by like of anywhere everywhere nowhere find found left put went gone come came take took one it they them he she him her this
   that these those`.split(/\s+/),
);
/** Function words, and words about certainty or precision. */
const EMPTY = new Set(
  `about roughly approximately around nearly almost some circa exactly utc now currently right still already just yes well approx
   house home flat place moment thing things robot total altogether currently located situated standing stands sits lies is`.split(
    /\s+/,
  ),
);

/** Words that correspond to an operator or an option of it. */
const SAID_BY: readonly (readonly [words: RegExp, reading: RegExp])[] = [
  [/^(?:in|inside|within|room|rooms)$/, /\b(?:in|within|room|rooms|place)\(/],
  [/^within$/, /withinM: /],
  [/^on$/, /relation: "on"|value: "on"|power: "on"|-on"|\bplace\(/],
  [/^off$/, /value: "off"|power: "off"|-off"/],
  [/^(?:under|below|beneath|underneath)$/, /relation: "(?:under|below)"/],
  [/^(?:above|over)$/, /relation: "above"/],
  [/^(?:near|beside|next|by|close|to|alongside|adjacent)$/, /relation: "(?:near|beside)"|\bdistance\(/],
  [/^(?:from|apart|away|far|distance|metres?|meters?)$/, /\bdistance\(/],
  [/^of$/, /./],
  [/^(?:made|material|out)$/, /"material"/],
  [/^(?:colou?r|colou?red|shade)$/, /"colour"/],
  [/^(?:say|says|said|read|reads|written|writing|text|label)$/, /"text"/],
  [/^(?:turned|switched|switch|powered|running|power)$/, /"power"|"switched/],
  [/^(?:tall|high|height|taller|higher|tallest|highest)$/, /dimension: "height"/],
  [/^(?:wide|width|wider|broad|widest|across)$/, /dimension: "width"/],
  [/^(?:long|length|longer|longest)$/, /dimension: "length"/],
  [
    /^(?:area|floor|large|larger|largest|big|bigger|biggest|small|smaller|smallest)$/,
    /dimension: "(?:area|volume)"/,
  ],
  [/^(?:than|more|less|most|least)$/, /\b(?:greater|less|most|least|largest|smallest)\(/],
  [/^(?:move|moves|moved|relocated)$/, /"moved"/],
  [/^(?:enter|entered|enters|came|come|into)$/, /verb: "enter"/],
  [/^(?:see|seen|saw|spotted|noticed)$/, /\b(?:seen|when)\(|verb: "see"/],
  [/^first$/, /which: "first"|\bnth\(|\b(?:less|least)\((?:.*)\bseen\(/],
  [/^last$/, /which: "last"/],
  [/^(?:before|earlier|sooner)$/, /\bbefore\(|\b(?:less|least|smallest)\((?:.*)\bseen\(/],
  [/^(?:after|later)$/, /\bafter\(|\b(?:greater|most|largest)\((?:.*)\bseen\(/],
  [/^(?:when|time|ago)$/, /\b(?:when|seen|duration)\(|\bmoment\(/],
  [/^(?:both|all)$/, /\ball\(|number: \d/],
  [/^(?:no|none|not|never|nothing|nobody)$/, /\b(?:none|not)\(|\bexists\(/],
  [/^(?:many|number|count)$/, /\bcount\(/],
  [/^(?:people|persons?|somebody|someone|anybody|anyone|who)$/, /"person"|name: "/],
  [/^(?:today)$/, /\bmoment\(/],
];

/** Attributes too vague to cover a word. */
const VAGUE = /attribute: "(?:state|condition|temperature)"|\brecall\(|\brefuse\(|\bserves\(|\bdescribe\(/;

/**
 * The words of a text that neither the reading nor the names of cited records cover. If there is one, the reading
 * covers less than the text says, and its outcome decides nothing by itself.
 */
export function unaccounted(text: string, account: Account): string[] {
  return placed(text, account)
    .filter(({ isMet }) => !isMet)
    .map(({ word }) => word);
}

/** The same for the content of a question: its things, attributes, numbers and moments alone. */
export function unanswered(question: string, account: Account): string[] {
  return placed(question, account, true)
    .filter(({ isMet, isAskedFor }) => !isMet && isAskedFor)
    .map(({ word }) => word);
}

interface Placed {
  readonly word: string;
  readonly isMet: boolean;
  /** A thing, an attribute, a number or a moment. */
  readonly isAskedFor: boolean;
}

const MOMENT =
  /^(?:first|last|before|after|earlier|later|then|ago|again|previously|originally|initially|yesterday|today|formerly|once)$/;

/** For single words; a question may describe a thing in more or fewer words than the answer. */
function placed(text: string, account: Account, isAsked = false): Placed[] {
  const reading = account.parts.map(print).join("; ");
  const isVague = VAGUE.test(reading);
  const literals = account.parts.flatMap(literalsOf).map((one) => one.toLowerCase());
  const { rest, isMet: isClockMet } = withoutClock(text, account);
  const words =
    rest
      .toLowerCase()
      .replace(OF_THEM, "")
      .match(/\d+(?:\.\d+)?|[\p{L}\p{N}²'-]+/gu) ?? [];
  const found: Placed[] = isClockMet ? [] : [{ word: "clock", isMet: false, isAskedFor: true }];
  for (let at = 0; at < words.length; ) {
    const word = words[at]!;
    const number = numberAt(words, at);
    if (number && !(word === "one" && words[at + 1] !== undefined && !UNIT.test(words[at + 1]!))) {
      const isUnit = UNIT.test(words[at + number.length] ?? "");
      const isMet = numbersOf(account).some((one) => Math.abs(one - number.value) < 1e-9);
      found.push({ word, isMet, isAskedFor: true });
      at += number.length + (isUnit ? (/^square$/.test(words[at + number.length]!) ? 2 : 1) : 0);
      continue;
    }
    const length = lengthAt(words, at);
    const phrase = words.slice(at, at + length).join(" ");
    const isSaid = !isVague && SAID_BY.some(([said, by]) => said.test(phrase) && by.test(reading));
    const isMet =
      isSaid ||
      (!isVague &&
        !(account.isBorneOut && isThing(phrase)) &&
        literals.some((literal) => isSameThing(phrase, literal))) ||
      account.looks.includes(phrase) ||
      account.named.some((one) => isOfName(phrase, one) || (isAsked && nameFit(phrase, one) >= FITS)) ||
      EMPTY.has(phrase) ||
      (isFunctionWord(phrase) && !TURNING.has(phrase));
    const isAskedFor = MOMENT.test(phrase) || (isMeaning(phrase) && !isFunctionWord(phrase));
    found.push({ word: phrase, isMet, isAskedFor });
    at += length;
  }
  return found;
}

/** "Two of them" are two. */
const OF_THEM = /\bof (?:them|these|those|us|the two)\b/g;
const UNIT =
  /^(?:m|cm|mm|km|m²|m2|metres?|meters?|centimetres?|centimeters?|millimetres?|kilometres?|square|seconds?|secs?|s|minutes?|mins?|min|hours?|h)$/;

/** The person in "who did it" is no thing asked for. */
const ANYONE = /^(?:somebody|someone|anybody|anyone|nobody|everybody|everyone)$/;

function isLook(word: string): boolean {
  return colourOf(word) !== undefined || materialOf(word) !== undefined;
}

/** Names of things and rooms, and attributes. */
function isMeaning(phrase: string): boolean {
  return (
    !ANYONE.test(phrase) && (isLook(phrase) || roomKind(phrase) !== undefined || lookup(phrase) !== undefined)
  );
}

/** Words of a room's name, or of a thing's name without attributes. */
function lengthAt(words: readonly string[], at: number): number {
  if (isFunctionWord(words[at]!)) return 1;
  for (let length = 3; length > 1; length--)
    if (at + length <= words.length && roomKind(words.slice(at, at + length).join(" "))) return length;
  return Math.max(1, longestName(words, at)?.length ?? 1);
}

/** All texts and numbers in a reading. */
function literalsOf({ of, with: options }: Expression): string[] {
  const own = Object.values(options).flatMap((value) => (Array.isArray(value) ? value : [value]));
  return [...own.flatMap((value) => (typeof value === "string" ? [value] : [])), ...of.flatMap(literalsOf)];
}

function numbersOf({ parts, numbers = [] }: Account): number[] {
  const inside = ({ op, of, with: options }: Expression): number[] => [
    ...(op === "moment" ? [] : Object.values(options).filter((value) => typeof value === "number")),
    ...of.flatMap(inside),
  ];
  return [...numbers, ...parts.flatMap(inside)];
}

/** The text without clock times that agree; and whether all of them do. */
function withoutClock(text: string, { parts, timesUs = [], nowUs }: Account) {
  const form = /(?:\b\d{4}-\d\d-\d\d[ T])?\b\d\d?:\d\d(?::\d\d)?(?:\s*(?:am|pm|utc))?/gi;
  const rest = text.replace(form, " ");
  if (rest === text) return { rest, isMet: true };
  const saidUs = clockIn(text, nowUs);
  const inside = ({ op, of, with: { fromUs, atUs } }: Expression): number[] => [
    ...(op === "moment" ? [fromUs, atUs].filter((value) => typeof value === "number") : []),
    ...of.flatMap(inside),
  ];
  const known = [...timesUs, ...parts.flatMap(inside)];
  return { rest, isMet: known.some((one) => saidUs !== undefined && Math.abs(one - saidUs) <= CLOCK_US) };
}

/** Whether a word of a claim means the same as the literal of a reading. */
function isSameThing(phrase: string, literal: string): boolean {
  if (colourOf(phrase) !== undefined && colourOf(literal) !== undefined) return sameColour(phrase, literal);
  if (materialOf(phrase) !== undefined && materialOf(literal) !== undefined)
    return sameMaterial(phrase, literal);
  if (attributesOf(phrase).some(({ value }) => value === literal)) return true;
  if (literal === phrase || singularOf(phrase) === literal) return true;
  if (roomFit(phrase, literal) >= FITS && roomKind(phrase) !== undefined) return true;
  // A longer name is covered by its head only where the rest is known too: "white fridge" is no category.
  return lookup(phrase) !== undefined && nameFit(phrase, literal) >= FITS;
}

/** Whether words are the name of a record, part of it, a synonym, or a kind that it certainly is. */
function isOfName(phrase: string, name: string): boolean {
  if (isLook(phrase)) return false;
  const own = name.toLowerCase();
  if (` ${own.replaceAll(/[^\p{L}\p{N}'-]+/gu, " ")} `.includes(` ${phrase} `)) return true;
  if (roomKind(phrase) !== undefined && roomFit(phrase, name) >= FITS) return true;
  return lookup(phrase) !== undefined && isCalled(phrase, name);
}

/** Whether a name is a synonym or a kind that the thing certainly is, and no more specific than its own. */
export function isCalled(name: string, category: string): boolean {
  return nameFit(name, category) >= FIT.kind || isKindOf(category, name);
}

/** A name of things: neither an attribute nor a room. */
function isThing(phrase: string): boolean {
  return lookup(phrase) !== undefined && !isLook(phrase) && roomKind(phrase) === undefined;
}
