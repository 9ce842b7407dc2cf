import { readFileSync } from "node:fs";
import { join } from "node:path";
import { LociEncoder } from "../../../models/loci-encoder/encoder.ts";
import { type Expression, isLociError, LociError } from "../../../schema/index.ts";
import { scan } from "../../algebra/notation.ts";
import { sentencesOf } from "../tokens.ts";
import { MARKS, type SourceWord, sourceOf } from "../trained/source.ts";
import { aligned } from "./align.ts";
import { checkPair } from "./check-pair.ts";
import { narrowed, placeAtEnd } from "./place.ts";
import { type Filling, fillingsAt, type Sentence, type SlotKind } from "./slots.ts";
import { filled, isPunctuation, type Template, templateOf } from "./template.ts";

/** A reading of a question by a pair. */
export interface Matched {
  readonly parts: readonly Expression[];
  /** The distance of its words from the pair's, 0 for the same. */
  readonly cost: number;
  readonly pair: string;
}

/** The most forms that are aligned with a question. */
const MOST_TRIED = 64;
/** A form at a larger distance is another question. */
const MOST_COST = 1.2;
/** Cost of a place at the end that the form does not have. */
const IN_PLACE = 0.04;
/** The most readings returned. */
const MOST_GIVEN = 3;
/** Questions that stand by themselves and follow-ups; and follow-ups alone. */
const SHIPPED: readonly string[] = ["pairs.tsv", "follow-ups.tsv"];
/** The most lines in a file of pairs. */
const MOST_PAIRS = 100_000;

/**
 * Forms of questions with their meanings, from files of pairs (`question<TAB>expression`): a question of one of these
 * forms is read without the network. Parts of the expression that come from the question's words may be anything of
 * their kind.
 */
export class Pairs {
  readonly #templates: Template[] = [];
  /** The forms that contain a word. */
  readonly #byWord = new Map<string, number[]>();
  readonly #wordless: number[] = [];

  /** The pairs that are shipped. */
  static shipped(): Pairs {
    shipped ??= SHIPPED.reduce(
      (all, file) => all.add(readFileSync(join(import.meta.dirname, "..", "data", file), "utf8")),
      new Pairs(),
    );
    return shipped;
  }

  get size(): number {
    return this.#templates.length;
  }

  get templates(): readonly Template[] {
    return this.#templates;
  }

  /** A copy with more pairs: added ones are preferred at equal distance. */
  with(text: string): Pairs {
    const all = new Pairs();
    for (const one of this.#templates) all.#keep(one);
    return all.add(text);
  }

  /** Adds lines of pairs; reports an invalid one. Lines that begin with # are comments. */
  add(text: string): this {
    const lines = text.split("\n");
    if (lines.length > MOST_PAIRS)
      throw new LociError("limit-exceeded", `at most ${MOST_PAIRS} pairs; got ${lines.length}`);
    for (const [n, line] of lines.entries()) {
      if (line.trim() === "" || line.startsWith("#")) continue;
      try {
        this.#keep(readPair(line));
      } catch (error) {
        if (!isLociError(error)) throw error;
        throw new LociError("invalid-input", `line ${n + 1} is no pair: ${error.message}`, { cause: error });
      }
    }
    return this;
  }

  #keep(template: Template): void {
    const n = this.#templates.push(template) - 1;
    const words = new Set(template.form.filter((one) => typeof one === "string"));
    // A form without words is a code alone; others would match every question.
    if (words.size === 0 && template.slots.every(({ kind }) => kind === "name")) this.#wordless.push(n);
    for (const word of words) {
      const known = this.#byWord.get(word);
      if (known) known.push(n);
      else this.#byWord.set(word, [n]);
    }
  }

  /** Readings of a question by the nearest pairs, the nearest first; none where none is near. */
  matching(words: readonly SourceWord[], context: Omit<Sentence, "words">): Matched[] {
    const said: Sentence = { ...context, words: words.filter(({ word }) => !isPunctuation(word)) };
    if (said.words.length === 0) return [];
    const whole = this.#nearest(said);
    if ((whole[0]?.cost ?? Infinity) <= IN_PLACE) return whole;
    return distinct([...whole, ...this.#inPlace(said)].sort((a, b) => a.cost - b.cost)).slice(0, MOST_GIVEN);
  }

  /** The same for a question with a place at the end that the pair's does not have: the place narrows its one set. */
  #inPlace(said: Sentence): Matched[] {
    const place = placeAtEnd(said);
    if (!place) return [];
    return this.#nearest({ ...said, words: said.words.slice(0, place.at) }).flatMap((one) => {
      const parts = one.parts.map((part) => narrowed(part, place.where));
      return parts.every((part) => part !== undefined) ? [{ ...one, parts, cost: one.cost + IN_PLACE }] : [];
    });
  }

  #nearest(said: Sentence): Matched[] {
    const filling = remembered(said);
    const found: (Matched & { readonly n: number })[] = [];
    let most = MOST_COST;
    for (const n of this.#likely(said)) {
      const template = this.#templates[n]!;
      const alignment = aligned(template, said, wordsApart, most, filling);
      if (!alignment || alignment.values.length !== template.slots.length) continue;
      const parts = filled(template.parts, alignment.values);
      found.push({ parts, cost: alignment.cost, pair: template.pair, n });
      found.sort((a, b) => a.cost - b.cost || b.n - a.n);
      if (found.length > MOST_GIVEN) most = found[MOST_GIVEN - 1]!.cost;
    }
    return distinct(found).slice(0, MOST_GIVEN);
  }

  /** The forms that share the most informative words with it. */
  #likely({ words }: Sentence): number[] {
    // Half of all forms share "the" or "is": sums by number, not by key.
    const shared = new Float64Array(this.#templates.length);
    const some: number[] = [];
    const said = new Set(words.flatMap(({ word: own }) => [own, ...nearWords(own)]));
    for (const word of said) {
      const forms = this.#byWord.get(word) ?? [];
      const weight = Math.log(1 + this.#templates.length / (1 + forms.length));
      for (const n of forms) {
        if (shared[n] === 0) some.push(n);
        shared[n]! += weight;
      }
    }
    // Words that only the form has count against it as much as shared words count for it.
    for (const n of some) {
      const { form } = this.#templates[n]!;
      let lacking = 0;
      for (const one of form) if (typeof one === "string" && !said.has(one)) lacking++;
      shared[n]! /= Math.sqrt(1 + form.length + lacking);
    }
    return [...largest(some, shared, MOST_TRIED), ...this.#wordless];
  }
}

/** The numbers of the highest scores, those added later first where they are equal. */
function largest(all: readonly number[], scores: Float64Array, most: number): number[] {
  const of = (n: number) => scores[n]!;
  // Only what reaches the least of the highest scores is put in order.
  const least = Float64Array.from(all, of).sort().at(-Math.min(most, all.length)) ?? 0;
  const best = all.filter((n) => of(n) >= least);
  return best.sort((a, b) => of(b) - of(a) || b - a).slice(0, most);
}

let shipped: Pairs | undefined;

/** Synonyms in forms share their forms. */
function nearWords(word: string): readonly string[] {
  return word === "is" ? ["are"] : word === "are" ? ["is"] : [];
}

function distinct(found: readonly Matched[]): Matched[] {
  const seen = new Set<string>();
  return found.filter(({ parts }) => {
    const key = JSON.stringify(parts);
    return !seen.has(key) && seen.add(key);
  });
}

/** Fillings by kind and position, computed once for all forms. */
function remembered(said: Sentence) {
  const known = new Map<string, readonly Filling[]>();
  return (kind: SlotKind, at: number, attribute?: string) => {
    const key = `${kind} ${at} ${attribute ?? ""}`;
    const all = known.get(key) ?? fillingsAt(kind, said, at, attribute);
    known.set(key, all);
    return all;
  };
}

function readPair(line: string): Template {
  const [question, notation, ...more] = line.split("\t");
  if (!question || !notation || more.length > 0)
    throw new LociError("invalid-input", "a pair is a question, one tab and an expression");
  for (const part of notation.split(" ;; ")) checkPair(scan(part));
  const own = question.split(MARKS.before).at(-1)!;
  const template = templateOf(line, sourceOf(sentencesOf(own)));
  return template;
}

const vectors = new Map<string, Float32Array | null>();
let encoder: LociEncoder | undefined;
const MOST_VECTORS = 4_096;

function vectorOf(word: string): Float32Array | null {
  const known = vectors.get(word);
  if (known !== undefined) return known;
  encoder ??= LociEncoder.open();
  if (vectors.size >= MOST_VECTORS) vectors.clear();
  const vector = encoder.encode(word);
  vectors.set(word, vector);
  return vector;
}

/** The distance in meaning between two words, by our own encoder. */
function wordsApart(a: string, b: string): number {
  const [x, y] = [vectorOf(a), vectorOf(b)];
  if (!x || !y) return 1;
  let dot = 0;
  for (let i = 0; i < x.length; i++) dot += x[i]! * y[i]!;
  return Math.min(1, Math.max(0, 1 - dot));
}
