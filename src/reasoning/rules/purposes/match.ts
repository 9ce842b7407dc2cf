import { cosineOf } from "../../../memory/vectors.ts";
import type { TextEmbedder } from "../../../models/index.ts";
import { stemsOf } from "./stems.ts";
import { THINGS } from "./things.ts";

interface Cue {
  readonly text: string;
  readonly stems: readonly string[];
}

interface Line {
  readonly names: readonly string[];
  readonly cues: readonly Cue[];
}

const lines: readonly Line[] = THINGS.trim()
  .split("\n")
  .map((line) => {
    const colon = line.indexOf(": ");
    const cues = line.slice(colon + 2).split("; ");
    const names = line.slice(0, colon).split(", ");
    return {
      names,
      cues: cues.map((text) => ({ text, stems: stemsOf(text) })).filter(({ stems }) => stems.length > 0),
    };
  });

const linesWith = new Map<string, number>();
for (const { cues } of lines)
  for (const stem of new Set(cues.flatMap(({ stems }) => stems)))
    linesWith.set(stem, (linesWith.get(stem) ?? 0) + 1);
const rarityOf = (stem: string) =>
  Math.log(lines.length / (linesWith.get(stem) ?? 1)) / Math.log(lines.length);

/** What further cues of one line add to its best one, and what is left of a cue that is only said in part. */
const FURTHER = [1, 0.45, 0.25, 0.15];
const PARTLY = 0.45;
/** Meaning beside words, and how near a cue has to be before its meaning says anything. */
const MEANING = 6;
const NEAR = 0.2;
/** Below this nothing is known to serve; without an encoder less is needed. */
const LEAST = { both: 1.2, words: 0.5 };
/** Lines of less than this share of the best one's score are for something else. */
const AS_GOOD = 0.72;
const MOST_KINDS = 8;

const thingWords = new Set(lines.flatMap(({ names }) => names.map((name) => name.split(" ").at(-1)!)));

/** Whether a name ends in a word for some thing of a house, seen or not. */
export function isThingWord(name: string): boolean {
  return thingWords.has(name.split(" ").at(-1)!);
}

export interface Serving {
  /** Kinds of things by their names, the likeliest first. */
  readonly kinds: readonly (readonly string[])[];
  /** How firmly the best of them serves what was said. */
  readonly score: number;
}

/** Things that serve a need, the likeliest first; none when no line is like it. */
export async function thingsFor(need: string, embedder: TextEmbedder | undefined): Promise<Serving> {
  const said = new Set(stemsOf(need));
  const likeness = embedder ? await likenessOf(need, embedder) : undefined;
  const ranked = lines
    .map(({ names, cues }, n) => ({
      names,
      score: byWords(cues, said) + (likeness ? MEANING * Math.max(0, likeness[n]! - NEAR) : 0),
    }))
    .sort((a, b) => b.score - a.score);
  const best = ranked[0]!.score;
  const fitting = ranked.filter(({ score }) => score >= best * AS_GOOD);
  const known = best >= (likeness ? LEAST.both : LEAST.words);
  return { kinds: known ? fitting.map(({ names }) => names).slice(0, MOST_KINDS) : [], score: best };
}

function byWords(cues: readonly Cue[], said: ReadonlySet<string>): number {
  const marks = cues
    .map(({ stems }) => {
      const met = stems.filter((stem) => said.has(stem));
      if (met.length === 0) return 0;
      const weight = met.reduce((sum, stem) => sum + rarityOf(stem) ** 2, 0);
      return met.length === stems.length ? weight : weight * PARTLY * (met.length / stems.length);
    })
    .filter((mark) => mark > 0)
    .sort((a, b) => b - a);
  return FURTHER.reduce((sum, share, n) => sum + share * (marks[n] ?? 0), 0);
}

/** The cues as vectors, made once for an encoder. */
const encoded = new WeakMap<TextEmbedder, Promise<(Float32Array | null)[][]>>();

async function likenessOf(need: string, embedder: TextEmbedder): Promise<number[] | undefined> {
  let known = encoded.get(embedder);
  if (known === undefined) {
    known = encodeLines(embedder);
    encoded.set(embedder, known);
    // An encoder that fails once is asked again the next time.
    known.catch(() => encoded.delete(embedder));
  }
  const [asked] = await embedder.embed([need]);
  if (!asked) return undefined;
  return (await known).map((cues) => {
    const near = cues.map((cue) => (cue ? cosineOf(cue, asked) : 0)).sort((a, b) => b - a);
    return (near[0] ?? 0) * 0.7 + (near[1] ?? 0) * 0.3;
  });
}

async function encodeLines(embedder: TextEmbedder): Promise<(Float32Array | null)[][]> {
  const texts = lines.flatMap(({ names, cues }) => [names[0]!, ...cues.map(({ text }) => text)]);
  const vectors = (await embedder.embed(texts)).values();
  return lines.map(({ cues }) => [null, ...cues].map(() => vectors.next().value ?? null));
}
