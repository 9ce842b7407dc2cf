import type { Expression } from "../../../schema/index.ts";
import { node } from "../../algebra/notation.ts";
import { fillingsAt, type Sentence } from "./slots.ts";

/** A place at the end of a question. */
interface PlaceAtEnd {
  readonly at: number;
  readonly where: Expression;
}

/** The most words in a place, with "in the" before it. */
const MOST_WORDS = 5;

/** "… in the kitchen", "… upstairs"; undefined for other endings. */
export function placeAtEnd(said: Sentence): PlaceAtEnd | undefined {
  const { length } = said.words;
  for (let at = Math.max(1, length - MOST_WORDS); at < length; at++) {
    const isIn = /^(?:in|inside)$/.test(said.words[at]!.word);
    const isThe = isIn && /^(?:the|my|our)$/.test(said.words[at + 1]?.word ?? "");
    const start = at + (isIn ? 1 : 0) + (isThe ? 1 : 0);
    const found = (isIn ? fillingsAt("rooms", said, start) : fillingsAt("floors", said, at)).find(
      ({ end }) => end === length,
    );
    if (found) return { at, where: found.value as Expression };
  }
  return undefined;
}

/** An expression with its one set of things narrowed to a place; undefined where it has several, or a place already. */
export function narrowed(part: Expression, where: Expression): Expression | undefined {
  const sets = new Set<string>();
  let hasPlace = false;
  const look = (one: Expression): void => {
    if (one.op === "things" && !isOutline(one)) sets.add(JSON.stringify(one));
    if (one.op === "rooms" || one.op === "floors" || one.op === "self") hasPlace = true;
    one.of.forEach(look);
  };
  look(part);
  if (hasPlace || sets.size !== 1) return undefined;
  const [set] = sets;
  const put = (one: Expression): Expression =>
    JSON.stringify(one) === set ? node("in", [one, where]) : { ...one, of: one.of.map(put) };
  return put(part);
}

/** Floors and walls belong to the room of the things on them. */
function isOutline({ with: { category } }: Expression): boolean {
  return /^(?:floor|ground|wall|corner)$/.test(String(category ?? ""));
}
