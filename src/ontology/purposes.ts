import type { Entry } from "./entry.ts";
import { headOf } from "./names.ts";
import { lazily, linesOf } from "./read-data.ts";
import { stemsOf } from "./stems.ts";

interface Line {
  readonly entries: readonly Entry[];
  readonly cues: readonly string[];
  readonly stems: readonly (readonly string[])[];
}

/** A thing that serves a purpose, with a score in units of one matched rare word. */
export interface Serving {
  readonly entry: Entry;
  readonly weight: number;
}

/** Weights of further matching cues of a line after its best, and the weight of a partial match. */
const FURTHER = [1, 0.45, 0.25, 0.15];
const PARTLY = 0.45;
/** Least score: lower for a single word ("drink from"), which cannot match more; higher with semantic similarity. */
const LEAST = { terse: 0.2, words: 0.5, meaning: 1.2 };
const TERSE = 1;
/** Weight of semantic similarity against words, and the least similarity that counts. */
const MEANING = 6;
const NEAR = 0.2;
/** Lines with less than this share of the best score serve another purpose. */
const AS_GOOD = 0.72;
const MOST = 12;

const lines = lazily((): readonly Line[] =>
  [...linesOf("purposes-rooms"), ...linesOf("purposes-other")].map((line) => {
    const colon = line.indexOf(": ");
    const cues = line.slice(colon + 2).split("; ");
    return {
      entries: entriesOf(line.slice(0, colon)),
      cues,
      stems: cues.map((cue) => stemsOf(cue)).filter((stems) => stems.length > 0),
    };
  }),
);

const rarities = lazily((): ReadonlyMap<string, number> => {
  const counts = new Map<string, number>();
  for (const { stems } of lines())
    for (const stem of new Set(stems.flat())) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const most = Math.log(lines().length);
  return new Map(Array.from(counts, ([stem, n]) => [stem, (most - Math.log(n)) / most]));
});

/**
 * Things that serve what a person wants or complains of, likeliest first; none if nothing is known. A complaint ("my
 * hands are freezing") is looked up among complaints, a wish ("dry my hands") among purposes. `meaning`, for callers
 * with an encoder, is the similarity of each line of `purposeTexts` to the text, from 0 to 1.
 */
export function servesPurpose(text: string, meaning?: readonly number[]): readonly Serving[] {
  const said = new Set(stemsOf(text));
  const against = helpsAgainst(complaintIn(text) ?? text);
  if (against.length > 0 && (complaintIn(text) !== undefined || against[0]!.weight >= said.size))
    return against;
  const ranked = lines()
    .map(({ entries, stems }, n) => ({
      entries,
      weight: byWords(stems, said) + (meaning ? MEANING * Math.max(0, (meaning[n] ?? 0) - NEAR) : 0),
    }))
    .sort((a, b) => b.weight - a.weight);
  const best = ranked[0]?.weight ?? 0;
  const isTerse = said.size > 0 && said.size <= TERSE;
  if (best < (meaning ? LEAST.meaning : isTerse ? LEAST.terse : LEAST.words)) return [];
  return distinct(
    ranked
      .filter(({ weight }) => weight >= best * AS_GOOD)
      .flatMap(({ entries, weight }) => entries.map((entry) => ({ entry, weight }))),
  );
}

/** The texts of the lines, for encoding once: the names of a line, then its cues. */
export function purposeTexts(): readonly { readonly name: string; readonly cues: readonly string[] }[] {
  return lines().map(({ entries, cues }) => ({ name: entries[0]!.name, cues }));
}

/** The uses of a thing, as its line lists them. */
export function purposesOf(name: string): readonly string[] {
  const entry = headOf(name);
  return lines().flatMap(({ entries, cues }) => (entry && entries.includes(entry) ? cues : []));
}

/** A statement about the speaker or the room, rather than a wish; or a single such word: "cold". */
const COMPLAINT =
  /\b(?:i(?:'?m| am| feel| have| ha(?:ve|d) got|'ve| can ?no?t| can'?t| spilled| spilt| cut)|we(?:'re| are)|it(?:'s| is)|my|our|there(?:'s| is| are)|too|so|getting|someone|somebody|feeling|the [a-z]+ (?:is|are|has|have))\b/;
const WISH = /\b(?:to|want|would like|can i|could i|something|somewhere|anything|where|what|which|how)\b/;

function complaintIn(text: string): string | undefined {
  const sentences = text
    .toLowerCase()
    .replace(/’/g, "'")
    .split(/[.!?;]+/);
  return sentences.find((sentence) => COMPLAINT.test(sentence) && !WISH.test(sentence));
}

interface Complaint {
  readonly stems: readonly (readonly string[])[];
  readonly entries: readonly Entry[];
}

const complaints = lazily((): readonly Complaint[] =>
  linesOf("complaints").map((line) => {
    const [cues = "", things = ""] = line.split(" > ");
    return { stems: cues.split("; ").map((cue) => stemsOf(cue)), entries: entriesOf(things) };
  }),
);
/** Each further helpful thing is slightly less likely to be meant. */
const NEXT = 0.9;

/** Remedies for a complaint: the line with the best word match in one cue. */
export function helpsAgainst(complaint: string): readonly Serving[] {
  const said = new Set(stemsOf(complaint));
  let [best, most] = [undefined as Complaint | undefined, 0];
  for (const line of complaints())
    for (const stems of line.stems)
      if (stems.length > most && stems.every((stem) => said.has(stem))) [best, most] = [line, stems.length];
  return best?.entries.map((entry, n) => ({ entry, weight: most * NEXT ** n })) ?? [];
}

function byWords(cues: readonly (readonly string[])[], said: ReadonlySet<string>): number {
  const rarity = rarities();
  const marks = cues
    .map((stems) => {
      const met = stems.filter((stem) => said.has(stem));
      if (met.length === 0) return 0;
      const weight = met.reduce((sum, stem) => sum + (rarity.get(stem) ?? 0) ** 2, 0);
      return met.length === stems.length ? weight : weight * PARTLY * (met.length / stems.length);
    })
    .filter((mark) => mark > 0)
    .sort((a, b) => b - a);
  return FURTHER.reduce((sum, share, n) => sum + share * (marks[n] ?? 0), 0);
}

function entriesOf(names: string): Entry[] {
  const found = names.split(", ").map((name) => headOf(name));
  return [...new Set(found.filter((entry) => entry !== undefined))];
}

function distinct(servings: readonly Serving[]): Serving[] {
  const seen = new Set<Entry>();
  return servings.filter(({ entry }) => !seen.has(entry) && seen.add(entry)).slice(0, MOST);
}
