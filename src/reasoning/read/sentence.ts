import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { isFunctionWord } from "./function-words.ts";
import { NUMBERS } from "./lexicon.ts";
import type { Parse, Source } from "./pattern.ts";
import type { Noun, Predicate } from "./phrases.ts";
import type { Token } from "./tokens.ts";

/** What was spoken of before: in this question, or in the ones before it. */
export interface Antecedents {
  /** The thing or set that "it" and "they" mean. */
  readonly antecedent?: Expression | undefined;
  /** The room or storey that "there" means. */
  readonly place?: Expression | undefined;
  /** The question before, as it was understood. */
  readonly last?: Expression | undefined;
}

/** What a reader knows beside the words. */
export interface ReadContext {
  readonly nowUs: number;
  /** Names of people and pets that this memory holds, in small letters. */
  readonly people?: ReadonlySet<string> | undefined;
  /** Names of several words that this memory holds. */
  readonly names?: ReadonlySet<string> | undefined;
  /** Whether a picture was shown: what "this" is. */
  readonly shown?: boolean | undefined;
  /** What "these" are, where a question comes with options. */
  readonly options?: Expression | undefined;
  readonly antecedents?: Antecedents | undefined;
}

/** Who reads the larger phrases; given where the grammar is put together. */
interface Grammar {
  nouns(s: Sentence, at: number): readonly Parse<Noun>[];
  predicates(s: Sentence, at: number, withVerb: boolean): readonly Parse<Predicate>[];
}

const grammar: Grammar = { nouns: () => [], predicates: () => [] };

/** Makes the readers of phrases known. */
export function registerGrammar(readers: Grammar): void {
  Object.assign(grammar, readers);
}

/** The words of one sentence with everything that was read off them so far; pieces are read once. */
export class Sentence implements Source {
  readonly tokens: readonly Token[];
  readonly words: readonly string[];
  readonly context: ReadContext;
  /** It ended with a question mark. */
  readonly asks: boolean;
  readonly #memo = new Map<string, unknown>();

  constructor(tokens: readonly Token[], context: ReadContext, asks = false) {
    this.tokens = tokens;
    this.words = tokens.map(({ word }) => word);
    this.context = context;
    this.asks = asks;
  }

  memo<T>(kind: string, at: number, make: () => T): T {
    const key = `${kind} ${at}`;
    if (!this.#memo.has(key)) {
      // A phrase that begins where it is being read is none.
      this.#memo.set(key, []);
      this.#memo.set(key, make());
    }
    return this.#memo.get(key) as T;
  }

  nouns(at: number): readonly Parse<Noun>[] {
    return at >= this.words.length ? [] : this.memo("nouns", at, () => grammar.nouns(this, at));
  }

  predicates(at: number, withVerb = false): readonly Parse<Predicate>[] {
    if (at >= this.words.length) return [];
    return this.memo(withVerb ? "clause" : "predicate", at, () => grammar.predicates(this, at, withVerb));
  }

  piece(kind: string, at: number): readonly Parse<unknown>[] {
    switch (kind) {
      case "np":
        return this.nouns(at).filter(({ value }) => value.kind === "things" || value.kind === "self");
      case "any":
        return this.nouns(at);
      case "thing":
        return this.nouns(at).filter(({ value }) => value.kind === "things");
      case "rooms":
        return this.nouns(at).filter(({ value }) => value.kind === "rooms");
      case "floors":
        return this.nouns(at).filter(({ value }) => value.kind === "floors");
      case "region":
        return this.nouns(at).filter(({ value }) => value.kind === "rooms" || value.kind === "floors");
      case "pred":
        return this.predicates(at);
      case "rest":
        return at < this.words.length
          ? [{ end: this.words.length, cost: this.#restCost(at), value: this.words.slice(at).join(" ") }]
          : [];
      case "text": {
        const text = this.textAt(at, true);
        return text ? [{ end: text.end, cost: text.sure ? 0 : 0.4, value: text.text }] : [];
      }
      case "number": {
        const number = this.numberAt(at);
        return number ? [{ end: number.end, cost: 0, value: number.value }] : [];
      }
      case "end":
        return at === this.words.length ? [{ end: at, cost: 0, value: true }] : [];
      default: {
        const word = this.words[at];
        const read = PIECES.get(kind);
        if (!read || word === undefined) return [];
        return read(this, at);
      }
    }
  }

  /** Anything is a wish; a long one, or one that asks something after a comma, hardly. */
  #restCost(at: number): number {
    const asks = this.tokens
      .slice(at)
      .some(
        ({ word, parted }, n) =>
          n > 0 && parted && /^(?:where|what|which|who|when|how|is|are|did|do|does|can|have|has)$/.test(word),
      );
    return Math.max(0, this.words.length - at - 6) * 0.04 + (asks ? 0.8 : 0);
  }

  /** Where the longest of these phrases ends that stands here. */
  phraseAt(at: number, phrases: readonly string[]): number | undefined {
    return this.phrasesAt(at, phrases)[0];
  }

  phrasesAt(at: number, phrases: readonly string[]): number[] {
    const ends = phrases.flatMap((phrase) => {
      const words = phrase.split(" ");
      return words.every((word, n) => this.words[at + n] === word) ? [at + words.length] : [];
    });
    return [...new Set(ends)].sort((a, b) => b - a);
  }

  numberAt(at: number): { value: number; end: number } | undefined {
    const word = this.words[at] ?? "";
    if (/^\d+(?:\.\d+)?$/.test(word)) return { value: Number(word), end: at + 1 };
    if (word === "half" && this.words[at + 1] === "a") return { value: 0.5, end: at + 2 };
    if (word === "a" || word === "an") return { value: 1, end: at + 1 };
    const value = NUMBERS.get(word);
    return value === undefined ? undefined : { value, end: at + 1 };
  }

  /** Words that are written on something: quoted, in capitals, or what is left of the phrase. */
  textAt(at: number, loose: boolean): { text: string; end: number; sure: boolean } | undefined {
    let end = at;
    const said: string[] = [];
    while (this.tokens[end]?.quoted) said.push(this.tokens[end++]!.raw);
    if (said.length > 0) return { text: said.join(" "), end, sure: true };
    if (!loose) return undefined;
    while (
      end < this.words.length &&
      end - at < 4 &&
      !isFunctionWord(this.words[end]!) &&
      !(end > at && this.tokens[end]!.parted)
    )
      said.push(this.tokens[end++]!.raw);
    return said.length > 0 ? { text: said.join(" "), end, sure: false } : undefined;
  }

  /** What a pronoun stands for. */
  antecedent(word: string): Expression | undefined {
    if (this.context.options && /^(?:these|those|them)$/.test(word)) return this.context.options;
    if (this.context.shown && /^(?:it|this|that|these|those)$/.test(word)) return node("shown");
    return this.context.antecedents?.antecedent;
  }

  /** The category that "one" stands for: that of what was spoken of last. */
  sameKind(): string | undefined {
    const { antecedent } = this.context.antecedents ?? {};
    return antecedent && categoryIn(antecedent);
  }

  isPersonName(word: string): boolean {
    return this.context.people?.has(word) === true;
  }

  /** The room that "in here" and "in there" mean. */
  here(there: boolean): Expression {
    const { antecedent, place } = this.context.antecedents ?? {};
    if (there && place) return place;
    return there && antecedent ? node("room", [antecedent]) : node("room", [node("self")]);
  }
}

/** Pieces that other modules read: times, grades and the like. */
const PIECES = new Map<string, (s: Sentence, at: number) => readonly Parse<unknown>[]>();

export function registerPiece(
  kind: string,
  read: (s: Sentence, at: number) => readonly Parse<unknown>[],
): void {
  PIECES.set(kind, (s, at) => s.memo(`piece-${kind}`, at, () => read(s, at)));
}

/** The first category that an expression speaks of. */
export function categoryIn({ op, of, with: options }: Expression): string | undefined {
  if (op === "things" && typeof options["category"] === "string") return options["category"];
  for (const one of of) {
    const found = categoryIn(one);
    if (found !== undefined) return found;
  }
  return undefined;
}
