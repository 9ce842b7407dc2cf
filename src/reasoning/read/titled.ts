import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node } from "../algebra/notation.ts";
import { goesOn } from "./placeholders.ts";
import type { Reading } from "./reading.ts";

/** Extra cost of taking an unknown name for text on a thing. */
const TITLE = 0.15;

/** "Where is my Dracula?": a reading in which an unknown name is the text on a thing. */
export function titled(
  reading: Reading | undefined,
  people: ReadonlySet<string> | undefined,
): readonly Reading[] {
  if (!reading || !people) return [];
  const parts = reading.parts.map((part) => asTitle(part, people));
  const isOther = parts.some((part, n) => part !== reading.parts[n]);
  return isOther && parts.every(isExpression) ? [{ ...reading, parts, cost: reading.cost + TITLE }] : [];
}

function asTitle(part: Expression, people: ReadonlySet<string>): Expression {
  const [set] = part.of;
  const named = part.op === "the" && set ? set : part;
  const { name, ...more } = named.with;
  const isTitle = named.op === "things" && typeof name === "string" && Object.keys(more).length === 0;
  if (isTitle && !people.has(name.toLowerCase())) return node("called", [], { name });
  const of = part.of.map((one) => asTitle(one, people));
  return of.some((one, n) => one !== part.of[n]) ? { ...part, of } : part;
}

function isExpression(part: Expression): boolean {
  if (goesOn(part)) return true;
  try {
    kindOf(part);
    return true;
  } catch {
    return false;
  }
}
