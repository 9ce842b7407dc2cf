import { singularOf } from "../../../ontology/index.ts";
import { numberAt } from "../amounts.ts";
import { sentencesOf } from "../tokens.ts";
import type { SourceWord } from "../trained/source.ts";

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

/** Whether a literal is the algebra's own: `attribute(x, name: "colour")` names an attribute, `rooms(name:)` a room. */
export function isClosed(op: string, option: string, value: unknown): boolean {
  return (
    CLOSED.has(option) ||
    (option === "name" && op === "attribute") ||
    ((option === "value" || option === "to") && STATES.has(String(value)))
  );
}

const ROBOT = /^(?:robot|bot|agent|unit)$/;
const NUMBERED = /^(?:robot|bot|agent|unit)[-_ ]?(\d+)$/;
const NTH = ["first", "second", "third", "fourth"];

/** The positions of a robot's name, by its number: "robot-2" is "robot 2", "robot two" and "the second robot" too. */
export function placesOfRobot(value: string, source: readonly SourceWord[]): number[] | undefined {
  const numbered = NUMBERED.exec(value)?.[1];
  if (numbered === undefined) return placesOf(value, source);
  const words = source.map(({ word }) => word);
  for (const [at, word] of words.entries()) {
    const next = words[at + 1] ?? "";
    if (NUMBERED.exec(word)?.[1] === numbered) return [at];
    const isNumber = ROBOT.test(word) && numberAt(words, at + 1)?.value === Number(numbered);
    const isNth = ROBOT.test(next) && word === NTH[Number(numbered) - 1];
    if (isNumber || isNth) return [at, at + 1];
  }
  return undefined;
}

/** The positions of a literal's words in the question, adjacent where possible. */
export function placesOf(value: string, source: readonly SourceWord[]): number[] | undefined {
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

/** A spelling error. Names with digits that differ are different names. */
function isNearly(said: string, word: string): boolean {
  if (/\d/.test(said + word)) return false;
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
