import { ANTONYMS, COLOUR_NEIGHBOURS, COLOURS, KINDS, SYNONYMS } from "./lexicon.ts";

const UNITS = [
  ..."zero one two three four five six seven eight nine ten eleven twelve".split(" "),
  ..."thirteen fourteen fifteen sixteen seventeen eighteen nineteen".split(" "),
];
const TENS = "twenty thirty forty fifty sixty seventy eighty ninety".split(" ");
const NUMBERS = new Map<string, string>([
  ...UNITS.map((word, i) => [word, String(i)] as const),
  ...TENS.map((word, i) => [word, String(20 + 10 * i)] as const),
  ["hundred", "100"],
  ["dozen", "12"],
  ["couple", "2"],
  ["single", "1"],
  ["once", "1"],
  ["twice", "2"],
]);

/** Stop words. Prepositions of place are kept: they are answers. */
const EMPTY = new Set(
  (
    "a an the is are was were be been being am it its there here this that these those of to at for with and as " +
    "has have had do does did i me my we our you your they their he his she her some very really just also then " +
    "look looks looking like seem seems appear appears see seen saw can could would will be located situated " +
    "placed positioned sitting standing lying which who what where when color colour colored coloured one's"
  ).split(" "),
);

const IRREGULAR = new Map<string, string>(
  (
    "people:person men:man women:woman children:child knives:knife shelves:shelf leaves:leaf loaves:loaf " +
    "wolves:wolf halves:half feet:foot teeth:tooth mice:mouse geese:goose dice:die wives:wife scarves:scarf " +
    "bookshelves:bookshelf cacti:cactus clothes:clothing"
  )
    .split(" ")
    .map((pair) => pair.split(":") as [string, string]),
);
/** Words that end in s and are not plurals. */
const SINGULAR =
  /(ss|us|is|[^aeiou]ics|news|lens|always|stairs|trousers|scissors|headphones|eyeglasses|towards)$/;

/** A word without its plural. */
export function singular(word: string): string {
  const known = IRREGULAR.get(word);
  if (known !== undefined) return known;
  if (word.length < 4 || !word.endsWith("s") || SINGULAR.test(word)) return word;
  if (word.endsWith("ies")) return `${word.slice(0, -3)}y`;
  if (/(ses|xes|zes|ches|shes|oes)$/.test(word)) return word.replace(/(?<=s|x|z|ch|sh|o)es$/, "");
  return word.slice(0, -1);
}

/** Normalises case, accents, punctuation, number words and plurals; every word is kept. */
export function plainWords(text: string): string[] {
  const plain = text
    .normalize("NFKD")
    .replaceAll(/\p{M}/gu, "")
    .toLowerCase()
    .replaceAll(/[’']s\b/g, "s")
    .replaceAll(/n[’']t\b/g, " not")
    .replaceAll(/(?<=\d),(?=\d{3})/g, "");
  const words = plain.match(/\d+(?:\.\d+)?|[\p{L}\p{N}]+/gu) ?? [];
  return joinTens(words.map((word) => NUMBERS.get(word) ?? word)).map(singular);
}

/** "twenty one" is 21, not 20 and 1. */
function joinTens(words: readonly string[]): string[] {
  const out: string[] = [];
  for (const word of words) {
    const last = out.at(-1);
    if (last !== undefined && /^[2-9]0$/.test(last) && /^[1-9]$/.test(word)) {
      out[out.length - 1] = String(Number(last) + Number(word));
    } else out.push(word);
  }
  return out;
}

interface Phrase {
  readonly words: readonly string[];
  readonly stands: string;
}

/** Phrases by their first word, longest first, each with its representative word. */
const PHRASES = phraseTable();
/** Categories of words, by their representatives. */
const PARENTS = new Map<string, string>(
  KINDS.flatMap(({ head, members }) => members.map((member) => [standing(member), standing(head)] as const)),
);
const SHADES = new Map<string, string>(
  COLOURS.flatMap(({ head, members }) =>
    [head, ...members].map((shade) => [standing(shade), standing(head)] as const),
  ),
);

function phraseTable(): Map<string, Phrase[]> {
  const table = new Map<string, Phrase[]>();
  const add = (text: string, stands: string) => {
    const words = plainWords(text);
    const first = words[0]!;
    const known = table.get(first) ?? [];
    if (known.some((phrase) => phrase.words.join(" ") === words.join(" "))) return;
    table.set(
      first,
      [...known, { words, stands }].sort((a, b) => b.words.length - a.words.length),
    );
  };
  const name = (text: string) => plainWords(text).join("_");
  for (const group of SYNONYMS) for (const word of group) add(word, name(group[0]!));
  for (const { head, members } of [...KINDS, ...COLOURS])
    for (const word of [head, ...members]) add(word, name(word));
  return table;
}

function standing(text: string): string {
  return canonical(plainWords(text)).join("_");
}

/** Replaces every known phrase by its representative, the longest phrase first. */
function canonical(words: readonly string[]): string[] {
  const out: string[] = [];
  for (let i = 0; i < words.length; ) {
    const phrase = PHRASES.get(words[i]!)?.find(({ words: parts }) =>
      parts.every((part, j) => words[i + j] === part),
    );
    out.push(phrase?.stands ?? words[i]!);
    i += phrase?.words.length ?? 1;
  }
  return out;
}

/** The words of a text in order, with synonyms replaced by their representative. */
export function meaningWords(text: string): string[] {
  return canonical(plainWords(text));
}

/** A text as two sets of words: as written, and with synonyms replaced by their representative. */
export interface Normalised {
  readonly exact: ReadonlySet<string>;
  readonly meaning: ReadonlySet<string>;
}

export function normalise(text: string): Normalised {
  const words = plainWords(text);
  return {
    exact: new Set(words.filter((word) => !EMPTY.has(word))),
    meaning: new Set(canonical(words).filter((word) => !EMPTY.has(word))),
  };
}

/** The first number in a text, in digits or words; null if there is none. */
export function numberIn(text: string): number | null {
  const word = plainWords(text).find((one) => /^\d/.test(one));
  return word === undefined ? null : Number.parseFloat(word);
}

/** The relation between two different words, by their representatives. */
export type Kinship = "shade" | "kind" | "family" | "opposite" | "none";

/**
 * `shade`: a colour and a shade of it. `kind`: one is a kind of the other. `family`: two kinds of the same, or two
 * colours that are easily confused. `opposite`: they exclude each other.
 */
export function kinship(a: string, b: string): Kinship {
  if (ANTONYMS.some((pair) => pair.includes(a) && pair.includes(b))) return "opposite";
  const [baseA, baseB] = [SHADES.get(a), SHADES.get(b)];
  if (baseA !== undefined && baseB !== undefined) {
    if (baseA === baseB) return a === baseA || b === baseB ? "shade" : "kind";
    return COLOUR_NEIGHBOURS.some((near) => near.includes(baseA) && near.includes(baseB)) ? "family" : "none";
  }
  const [above, over] = [ancestorsOf(a), ancestorsOf(b)];
  if (above.includes(b) || over.includes(a)) return "kind";
  return above[0] !== undefined && above[0] === over[0] ? "family" : "none";
}

function ancestorsOf(word: string): string[] {
  const out: string[] = [];
  for (let next = PARENTS.get(word); next !== undefined && !out.includes(next); next = PARENTS.get(next)) {
    out.push(next);
  }
  return out;
}

/** Whether a word is a colour, and the basic colour it is a shade of. */
export function basicColour(word: string): string | undefined {
  return SHADES.get(word);
}
