import { attributesOf, singularOf } from "../../../ontology/index.ts";
import { type Expression, type Literal, LociError } from "../../../schema/index.ts";
import { node } from "../../algebra/notation.ts";
import { numberAt } from "../amounts.ts";
import { timeAt } from "../times.ts";
import { written } from "../tokens.ts";
import type { SourceWord } from "./source.ts";

/**
 * One token of the trained reader's output: `the(` opens an operator and `)` closes it, `category:` names an option,
 * `@3` is the word of the question at that position, `="on"` a literal that is not in the question, `[ | ]` a list,
 * `;;` the next question of several.
 */
export type TargetToken = string;

/** Values for operators without literals. */
export interface SaidWith {
  readonly nowUs: number;
  /** The question itself: `recall()` searches for its words. */
  readonly question: string;
  /** The things that the options name: `these()`. */
  readonly these?: Expression | undefined;
}

/** The expressions that tokens encode, with the question's own words; throws where they are invalid. */
export function expressionsOf(
  tokens: readonly TargetToken[],
  source: readonly SourceWord[],
  said: SaidWith,
): Expression[] {
  const parser = new Parser(tokens, source, said);
  const parts = [parser.expression(1)];
  while (parser.next() === ";;") {
    parser.take();
    parts.push(parser.expression(1));
  }
  if (parser.next() !== undefined) throw malformed(parser.next());
  return parts;
}

const MOST_DEPTH = 16;
const MOST_RECALLED = 1_000;

class Parser {
  readonly #tokens: readonly TargetToken[];
  readonly #source: readonly SourceWord[];
  readonly #said: SaidWith;
  #at = 0;

  constructor(tokens: readonly TargetToken[], source: readonly SourceWord[], said: SaidWith) {
    this.#tokens = tokens;
    this.#source = source;
    this.#said = said;
  }

  next(): TargetToken | undefined {
    return this.#tokens[this.#at];
  }

  take(): TargetToken | undefined {
    return this.#tokens[this.#at++];
  }

  expression(depth: number): Expression {
    const open = this.take();
    if (open?.endsWith("(") !== true || depth > MOST_DEPTH) throw malformed(open);
    const op = open.slice(0, -1);
    const of: Expression[] = [];
    const options: Record<string, Literal> = {};
    while (this.next() !== ")") {
      const next = this.next();
      if (next?.endsWith(":")) {
        this.take();
        const name = next.slice(0, -1);
        options[name] = this.#literal(name, op);
      } else of.push(this.expression(depth + 1));
    }
    this.take();
    if (op === "said") return timesIn(String(options["words"] ?? ""), this.#said.nowUs);
    if (op === "recall") return node(op, [], { text: this.#said.question.slice(0, MOST_RECALLED) });
    if (op === "these") return this.#said.these ?? fail("these()");
    return node(op, of, canonical(options));
  }

  #literal(option: string, op: string): Literal {
    const next = this.next();
    if (next === "[") {
      this.take();
      const items: string[] = [];
      while (this.next() !== "]") {
        items.push(String(this.#scalar(option, op)));
        if (this.next() === "|") this.take();
      }
      this.take();
      return items;
    }
    return this.#scalar(option, op);
  }

  #scalar(option: string, op: string): string | number | boolean {
    const next = this.next();
    if (next?.startsWith("=")) {
      this.take();
      return JSON.parse(next.slice(1)) as string | number | boolean;
    }
    const words: string[] = [];
    while (this.next()?.startsWith("@")) {
      const place = Number(this.take()!.slice(1));
      const said = this.#source[place];
      if (!said) throw malformed(`@${place}`);
      // A word is not copied twice in a row.
      if (said.word !== words.at(-1)) words.push(said.word);
    }
    if (words.length === 0) throw malformed(next);
    const said = written(words);
    if (NUMBERS.has(option)) return numberAt(words, 0)?.value ?? Number(said);
    return option === "category" || (op === "rooms" && option === "name") ? singularOf(said) : said;
  }
}

const NUMBERS = new Set(["n", "number", "by", "hour", "withinM", "agoS", "lastS"]);
const ATTRIBUTES = new Set(["colour", "material", "pattern", "shape", "size"]);

/** Values in canonical form: "golden" is the colour gold. */
function canonical(options: Readonly<Record<string, Literal>>): Record<string, Literal> {
  const named = (attribute: string, value: Literal): Literal =>
    (typeof value === "string" && attributesOf(value).find((one) => one.attribute === attribute)?.value) ||
    value;
  return Object.fromEntries(
    Object.entries(options).map(([name, value]) => {
      if (ATTRIBUTES.has(name)) return [name, named(name, value)];
      return [name, name === "value" ? named(String(options.attribute), value) : value];
    }),
  );
}

/** A time in words, by the reader of times; unknown words around it are left out. */
function timesIn(said: string, nowUs: number): Expression {
  const words = said.split(" ");
  for (let at = 0; at < words.length; at++) {
    const found = timeAt(words, at, nowUs);
    if (found) return found.value;
  }
  throw malformed(said);
}

function fail(what: string): never {
  throw malformed(what);
}

function malformed(what: string | undefined): LociError {
  return new LociError("invalid-input", `no expression: “${what ?? "the end"}”`);
}
