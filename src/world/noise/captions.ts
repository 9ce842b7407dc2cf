import type { Random } from "../../geometry/index.ts";
import { COLOUR_NEIGHBOURS, FAMILIES, SYNONYMS } from "./confusions.ts";
import { strength } from "./levels.ts";

const OMIT = 0.25;
const WRONG_ATTRIBUTE = 0.06;
const INVENT = 0.02;
const SYNONYM = 0.3;
/** A caption names this many things at most. */
const MAX_THINGS = 12;

/** A thing as a caption would name it, most prominent first. */
export interface Mention {
  readonly name: string;
  readonly colour?: string | undefined;
  readonly state?: string | undefined;
  readonly text?: string | undefined;
  /** "on the desk", "in the cupboard" */
  readonly place?: string | undefined;
}

/**
 * A scene in a few templated sentences, like a captioning model's: at level 0 complete and in order, else with
 * omissions, other words, wrong colours, invented things, and in any order. Verbosity is 0 (a list) to 2 (a sentence
 * each).
 */
export function captionOf(
  random: Random,
  level: number,
  scene: { readonly room: string; readonly mentions: readonly Mention[]; readonly verbosity?: 0 | 1 | 2 },
): string {
  const s = strength(level);
  const say = (word: string) =>
    s > 0 && random.chance(SYNONYM * s) ? random.pick(SYNONYMS[word] ?? [word]) : word;
  let mentions = scene.mentions.slice(0, MAX_THINGS).filter(() => !(s > 0 && random.chance(OMIT * s)));
  if (s > 0) {
    if (random.chance(INVENT * s * Math.max(1, mentions.length))) {
      mentions = [
        ...mentions,
        { name: random.pick(random.pick(FAMILIES)), colour: random.pick(Object.keys(COLOUR_NEIGHBOURS)) },
      ];
    }
    mentions = random.shuffle(mentions);
  }
  const phrases = mentions.map((mention) => phrase(random, s, mention, say));
  const room = say(scene.room);
  if (phrases.length === 0) return `${capital(article(room))}.`;
  const verbosity = scene.verbosity ?? (s > 0 ? random.int(0, 3) : 1);
  if (verbosity === 0) return `${capital(room)}: ${phrases.join(", ")}.`;
  if (verbosity === 1) return `${capital(article(room))} with ${list(phrases)}.`;
  return `This is ${article(room)}. ${phrases.map((one) => `There is ${one}.`).join(" ")}`;
}

function phrase(
  random: Random,
  s: number,
  { name, colour, state, text, place }: Mention,
  say: (word: string) => string,
): string {
  const wrong = colour !== undefined && s > 0 && random.chance(WRONG_ATTRIBUTE * s);
  const shade = wrong ? random.pick(COLOUR_NEIGHBOURS[colour] ?? [colour]) : colour;
  const words = [state, shade, say(name)].filter((word) => word !== undefined).join(" ");
  const written = text === undefined ? "" : ` that says “${text}”`;
  return `${article(words)}${written}${place === undefined ? "" : ` ${place}`}`;
}

function list(phrases: readonly string[]): string {
  if (phrases.length < 2) return phrases.join("");
  return `${phrases.slice(0, -1).join(", ")} and ${phrases.at(-1)}`;
}

/** Words that come in pairs or heaps take no article. */
const PLURAL =
  /(curtains|scissors|glasses|sunglasses|headphones|shoes|slippers|keys|clothes|books|towels|toys|flowers)$/i;

function article(words: string): string {
  if (/^(a|an|the|some\w*) /i.test(words) || words === "somebody" || PLURAL.test(words)) return words;
  return `${/^[aeiou]/i.test(words) ? "an" : "a"} ${words}`;
}

function capital(text: string): string {
  return text.slice(0, 1).toUpperCase() + text.slice(1);
}
