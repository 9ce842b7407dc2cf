import { LIMITS } from "../schema/core.ts";

/** The attributes of a thing from a detector or its track. */
export type Attributes = Readonly<Record<string, string | number | boolean>>;

/** Adjectives in the order in which English puts them. */
const ADJECTIVES = ["size", "shape", "colour", "color", "pattern", "material"];
/** Inscriptions follow the noun. */
const INSCRIPTIONS = ["text", "inscription", "sign"];
/** Changing states: lines of their own, in words that a question would use. */
const FLUENT_WORDS: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  power: { on: "switched on", off: "switched off" },
};
const MAX_WORDS = 8;

/** The detector's own phrase, else its attributes and label: "red ceramic mug". Never empty. */
export function phraseOf(
  text: string | undefined,
  label: string | undefined,
  attributes: Attributes = {},
): string {
  const said = oneLine(text ?? "");
  if (said !== "") return said;
  const name = oneLine(label ?? "") || "thing";
  const words = ADJECTIVES.flatMap((key) => wordOf(attributes[key])).filter((word) => !name.includes(word));
  const sign = INSCRIPTIONS.flatMap((key) => wordOf(attributes[key]))[0];
  const phrase = [...words.slice(0, MAX_WORDS), name].join(" ");
  return oneLine(sign === undefined ? phrase : `${phrase} that says “${sign}”`);
}

/** The changing facts about a thing, a sentence each: "the door is open". */
export function factLines(name: string, attributes: Attributes = {}): string[] {
  const fixed = new Set([...ADJECTIVES, ...INSCRIPTIONS]);
  return Object.keys(attributes)
    .filter((key) => !fixed.has(key))
    .sort()
    .flatMap((key) => wordOf(attributes[key]).map((word) => FLUENT_WORDS[key]?.[word] ?? word))
    .map((word) => oneLine(`the ${name} is ${word}`));
}

/** "a red mug", "an open door". */
export function withArticle(phrase: string): string {
  return /^(?:the|an?|some|his|her|its|their|\d+) /i.test(phrase)
    ? phrase
    : `${/^[aeiou]/i.test(phrase) ? "an" : "a"} ${phrase}`;
}

/** Without line breaks or doubled spaces, and within the length of a name. */
export function oneLine(text: string): string {
  return text.replace(/\s+/g, " ").trim().slice(0, LIMITS.nameChars).toWellFormed();
}

/** Numbers and flags are not adjectives; a text of one or a few words is. */
function wordOf(value: string | number | boolean | undefined): string[] {
  if (typeof value !== "string") return [];
  const word = oneLine(value);
  return word === "" ? [] : [word];
}
