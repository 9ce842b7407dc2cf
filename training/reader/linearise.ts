/** Expressions → the tokens that the trained reader writes, the inverse of src/reasoning/read/trained/target.ts. */
import { singularOf } from "../../src/ontology/index.ts";
import { numberAt } from "../../src/reasoning/read/amounts.ts";
import { sentencesOf } from "../../src/reasoning/read/tokens.ts";
import type { SourceWord } from "../../src/reasoning/read/trained/source.ts";
import type { TargetToken } from "../../src/reasoning/read/trained/target.ts";
import type { Expression, Literal } from "../../src/schema/index.ts";

/** Options whose literals are the algebra's own words, never the question's. */
const CLOSED = new Set(
  "relation attribute dimension measure verb which phase reason part days power openness fill occupancy making kinds detail number n walking entering room direction about answer unit".split(
    " ",
  ),
);
/** Values of `value` and `to` that are states. */
const STATES = new Set(
  "on off open closed full empty made unmade occupied free lit running up down true false".split(" "),
);

export function tokensOf(parts: readonly Expression[], source: readonly SourceWord[]): TargetToken[] {
  return parts.flatMap((part, n) => [...(n === 0 ? [] : [";;"]), ...tokens(part, source)]);
}

function tokens({ op, of, with: options }: Expression, source: readonly SourceWord[]): TargetToken[] {
  return [
    `${op}(`,
    ...of.flatMap((one) => tokens(one, source)),
    ...Object.entries(options).flatMap(([name, value]) => [`${name}:`, ...literal(op, name, value, source)]),
    ")",
  ];
}

function literal(op: string, name: string, value: Literal, source: readonly SourceWord[]): TargetToken[] {
  if (Array.isArray(value)) {
    const items = value.map((one) => scalar(op, name, one as string, source));
    return ["[", ...items.flatMap((one, n) => (n === 0 ? one : ["|", ...one])), "]"];
  }
  return scalar(op, name, value as string | number | boolean, source);
}

function scalar(
  op: string,
  name: string,
  value: string | number | boolean,
  source: readonly SourceWord[],
): TargetToken[] {
  // `attribute(x, name: "colour")` names an attribute, `rooms(name:)` a room.
  const isClosed =
    CLOSED.has(name) ||
    (name === "name" && op === "attribute") ||
    ((name === "value" || name === "to") && STATES.has(String(value)));
  if (typeof value === "number") {
    // "One" is seldom a number: "the first one".
    const at = source.findIndex(
      ({ word }) => word === String(value) || (value > 1 && numberAt([word], 0)?.value === value),
    );
    if (at >= 0) return [`@${at}`];
  }
  if (typeof value !== "string" || isClosed) return [`=${JSON.stringify(value)}`];
  return placesOf(value, source)?.map((at) => `@${at}`) ?? [`=${JSON.stringify(value)}`];
}

/** Where the words of a literal stand in the question, one beside the other where they can. */
function placesOf(value: string, source: readonly SourceWord[]): number[] | undefined {
  const words = sentencesOf(value).flatMap(({ tokens: said }) =>
    said.flatMap(({ word }) => word.split(/\s+/)),
  );
  if (words.length === 0) return undefined;
  for (const match of [isWord, isNearly]) {
    for (let at = 0; at + words.length <= source.length; at++)
      if (words.every((word, n) => match(source[at + n]!.word, word))) return words.map((_, n) => at + n);
    const places: number[] = [];
    for (const word of words) {
      const after = source.findIndex((one, n) => n > (places.at(-1) ?? -1) && match(one.word, word));
      if (after < 0) break;
      places.push(after);
    }
    if (places.length === words.length && words.length > 0) return places;
  }
  return undefined;
}

function isWord(said: string, word: string): boolean {
  return (
    said === word ||
    singularOf(said) === word ||
    said === singularOf(word) ||
    singularOf(said) === singularOf(word)
  );
}

/** A slip of the pen. */
function isNearly(said: string, word: string): boolean {
  if (word.length < 4 || Math.abs(said.length - word.length) > 2) return false;
  return distance(said, word) <= (word.length > 6 ? 2 : 1);
}

function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++)
      next.push(Math.min(row[j]! + 1, next[j - 1]! + 1, row[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)));
    row = next;
  }
  return row[b.length]!;
}
