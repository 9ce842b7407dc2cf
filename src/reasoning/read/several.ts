import type { Expression } from "../../schema/index.ts";
import { print } from "../algebra/notation.ts";
import { type Token, textOf, type Written } from "./tokens.ts";

/** Words that begin a question of their own, and those that do so only before its subject. */
const ASKS: ReadonlySet<string> = new Set("where what which who whom whose when how why".split(" "));
const ASKS_OF: ReadonlySet<string> = new Set("is are was were do does did has have had can could".split(" "));
const ABOUT: ReadonlySet<string> = new Set(
  "the my our your his her their this that these those a an any some there it they he she you i we anybody anyone somebody someone anything something".split(
    " ",
  ),
);

/**
 * The questions in one sentence, each in words of its own: "where are my keys and is the door shut". One where it is a
 * single question.
 */
export function questionsOf(sentences: readonly Written[]): readonly string[] {
  const all: Token[][] = [];
  for (const { tokens, end } of sentences) {
    if (end === ".") continue;
    let clause: Token[] = [];
    for (const [n, token] of tokens.entries()) {
      if (clause.length > 0 && beginsAt(tokens, n)) {
        all.push(withoutAnd(clause));
        clause = [];
      }
      clause.push(token);
    }
    if (clause.length > 0) all.push(withoutAnd(clause));
  }
  const asked = all.filter(([first, second]) => first && asks(first, second));
  return asked.length === all.length ? asked.map((tokens) => textOf([{ tokens, end: "?" }])) : [];
}

/** Whether a question begins here, after an "and" or a comma. */
function beginsAt(tokens: readonly Token[], n: number): boolean {
  const token = tokens[n]!;
  const isAfter = token.parted || tokens[n - 1]?.word === "and";
  return isAfter && asks(token, tokens[n + 1]);
}

function asks({ word }: Token, next: Token | undefined): boolean {
  return (
    ASKS.has(word) ||
    (ASKS_OF.has(word) && next !== undefined && (ABOUT.has(next.word) || /^\p{Lu}/u.test(next.raw)))
  );
}

function withoutAnd(tokens: readonly Token[]): Token[] {
  const first = tokens[0]?.word === "and" ? 1 : 0;
  const end = tokens.at(-1)?.word === "and" ? tokens.length - 1 : tokens.length;
  return tokens.slice(first, end).map((one, n) => (n === 0 ? { ...one, parted: false } : one));
}

/** The parts without repetitions: "and which one?" after "is one free?" may be read as the same question again. */
export function distinct(parts: readonly Expression[]): Expression[] {
  return [...new Map(parts.map((part) => [print(part), part])).values()];
}
