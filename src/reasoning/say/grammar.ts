import {
  headOf,
  isKindOf,
  isPlural as isPluralWord,
  lookup,
  pluralOf,
  singularOf,
} from "../../ontology/index.ts";

/** Enough English to put nouns, numbers and lists into a sentence; the vocabulary says how a noun is counted. */

const SMALL = "no one two three four five six seven eight nine ten eleven twelve".split(" ");

/** "two", "13". */
export function numberWord(n: number): string {
  return SMALL[n] ?? String(n);
}

/** How a noun is counted: one by one, not at all, or in pairs only. */
function numberOf(noun: string): "count" | "mass" | "pair" {
  const said = lookup(noun) ?? headOf(noun);
  // In "tomato juice" the last word decides, in a name made of several nouns its own first one.
  return said === undefined ? "count" : said.said.number;
}

/** Whether a noun is plural already: "spoons", "people", "scissors". */
export function isPlural(noun: string): boolean {
  const head = mainOf(noun);
  return numberOf(head) === "pair" || isPluralWord(head.toLowerCase()) || LEFT_PLURAL.test(head);
}

/** Things that detectors name in the plural though the vocabulary has their singular. */
const LEFT_PLURAL = /(?:^| )(?:clothes|stairs|drapes|people)$/;

/** "chairs", "chests of drawers", "people"; a plural noun is unchanged. */
export function plural(noun: string): string {
  const head = mainOf(noun);
  if (isPlural(noun) || numberOf(head) === "mass") return noun;
  return `${pluralOf(head)}${noun.slice(head.length)}`;
}

/** The head of "box with toys", without its complement. */
function mainOf(noun: string): string {
  return /^(.+?)(?= (?:of|with|for|in|on|that|marked|named|full|from) )/.exec(noun)?.[1] ?? noun;
}

/** "a" or "an", by pronunciation. */
function article(word: string): "a" | "an" {
  if (/^(?:hour|honest|heir|8|11(?!\d)|18(?!\d))/i.test(word)) return "an";
  if (/^[FHLMNRSX][A-Z0-9]/.test(word)) return "an";
  if (/^(?:uni(?!n|m)|use|usu|util|uten|u-|ukulele|eu|ewe|once?\b|one-)/i.test(word) || /^U[A-Z]/.test(word))
    return "a";
  return /^[aeiou]/i.test(word) ? "an" : "a";
}

/** "a mug", "an iron", "shoes", "some milk"; personal names and nouns with an article are unchanged. */
export function withArticle(noun: string): string {
  if (
    isProper(noun) ||
    isCode(noun) ||
    /^(?:the|an?|some|any|no|one|two|my|your|our|his|her|their) /i.test(noun)
  )
    return noun;
  if (/^\S+['’]s? /.test(noun) && /^[A-Z]/.test(noun)) return noun;
  if (noun.startsWith("other ") && !isPlural(noun)) return `an${noun}`;
  if (numberOf(noun) === "mass") return `some ${noun}`;
  return isPlural(noun) ? noun : `${article(noun)} ${noun}`;
}

/** A kind with its number is a name: aisle B, dock 4, B-03-1. */
const NUMBERED = /^(?:[\p{L} ]+ )?(?:[A-Z]|[A-Z]{0,3}\d+[A-Z]?)(?:-[A-Z0-9]+)*(?: \(.+\))?$/u;

/** "the mug"; names and nouns with an article are unchanged. */
export function withThe(noun: string): string {
  if (
    isProper(noun) ||
    NUMBERED.test(noun) ||
    /^(?:the|an?|my|your|our|his|her|their|this|that) /i.test(noun)
  )
    return noun;
  return /^[A-Z]\S*['’]s? /.test(noun) ? noun : `the ${noun}`;
}

/** B-03-1: a name that is only a code is singular and takes no article. */
function isCode(noun: string): boolean {
  return /^[A-Z]{0,3}\d*[A-Z]?(?:-[A-Z0-9]+)+$/.test(noun) && /\d/.test(noun);
}

/** Olga, Mr Brown, robot-2: a name that takes no article. */
function isProper(noun: string): boolean {
  return /^(?:(?:Mrs?|Ms|Dr) )?[A-Z][a-zà-ÿ]+(?:[- ][A-Z][a-zà-ÿ]+)*$|^[a-z]+[-_]\d+$/.test(noun);
}

/** "any mugs", "any milk": for things that do not exist. */
export function anyOf(noun: string): string {
  if (isProper(noun)) return noun;
  return isPlural(noun) || numberOf(noun) === "mass" ? `any ${noun}` : withArticle(noun);
}

/** "a chair", "3 chairs", "2 pairs of shoes". */
export function counted(n: number, noun: string): string {
  if (n === 1) return withArticle(noun);
  if (numberOf(noun) === "pair" || (isPlural(noun) && comesInPairs(noun))) return `${n} pairs of ${noun}`;
  if (isPlural(noun)) return `${n} sets of ${noun}`;
  return `${n} ${plural(noun)}`;
}

function comesInPairs(noun: string): boolean {
  const one = singularOf(noun);
  return isKindOf(one, "footwear") || /^(?:sock|glove|mitten|curtain|earring)$/.test(one);
}

/** The most groups of things that are listed one by one; the rest are counted. */
const MOST_SAID = 14;

/** "a, b and c"; of very many the first, "and 12 more". */
export function list(items: readonly string[], most = MOST_SAID): string {
  const said = items.filter((item) => item !== "");
  // "and 1 more" is no shorter than the item itself.
  const shown = said.length > most + 1 ? [...said.slice(0, most), `${said.length - most} more`] : said;
  if (shown.length < 2) return shown[0] ?? "";
  return `${shown.slice(0, -1).join(", ")} and ${shown.at(-1)}`;
}

/** "2 chairs, a lamp and a rug": the most frequent first, equals in the order given. */
export function countedList(names: readonly string[], most = MOST_SAID): string {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  const groups = [...counts].sort((a, b) => b[1] - a[1]);
  return list(
    groups.map(([name, n]) => (isProper(name) ? name : counted(n, name))),
    most,
  );
}

/** "once", "twice", "3 times"; "never" for none. */
export function timesText(n: number): string {
  return ["never", "once", "twice"][n] ?? `${n} times`;
}
