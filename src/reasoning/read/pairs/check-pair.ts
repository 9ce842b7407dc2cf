import { type Expression, isLociError } from "../../../schema/index.ts";
import { kindOf } from "../../algebra/check.ts";
import { node } from "../../algebra/notation.ts";
import { goesOn } from "../placeholders.ts";

interface Standing {
  readonly spoken: Expression;
  readonly previous: Expression;
  /** The previous question of each; default: a number. */
  readonly each?: Expression;
}

/** Sample expressions for references known only when the question is asked: each is tried. */
const STANDS_FOR: readonly Standing[] = [
  { spoken: node("things"), previous: node("exists", [node("things")]) },
  { spoken: node("rooms"), previous: node("name", [node("things")]) },
  { spoken: node("rooms"), previous: node("exists", [node("rooms")]) },
  { spoken: node("things"), previous: node("things") },
  // "Who did, then?": whether it is so of each of them.
  { spoken: node("things"), previous: node("things"), each: node("exists", [node("things")]) },
];

/**
 * Throws a one-line message where a pair's expression is not in the algebra. Times in words stand for any; "these" and
 * references to earlier turns stand for things or rooms.
 */
export function checkPair(expression: Expression): void {
  let wrong: unknown;
  for (const one of STANDS_FOR) {
    try {
      kindOf(plain(expression, one));
      return;
    } catch (error) {
      if (!isLociError(error)) throw error;
      wrong ??= error;
    }
    if (!isOpen(expression)) break;
  }
  throw wrong;
}

/** Whether it is an expression of the algebra, apart from open references. */
export function isReadable(expression: Expression): boolean {
  try {
    checkPair(expression);
    return true;
  } catch (error) {
    if (isLociError(error) && error.code === "invalid-input") return false;
    throw error;
  }
}

/** Whether it contains a reference known only when the question is asked. */
function isOpen(expression: Expression): boolean {
  return expression.op === "these" || goesOn(expression) || expression.of.some(isOpen);
}

function plain(expression: Expression, stands: Standing): Expression {
  switch (expression.op) {
    case "said":
    case "then":
      return node("moment", [], { phase: "all" });
    case "these":
    case "spoken":
    case "there":
      return stands.spoken;
    case "again":
      // For each of the last two, a number to compare them by.
      if (expression.of[0]?.op === "it") return stands.each ?? node("value", [], { n: 1 });
      for (const other of expression.of) kindOf(plain(other, stands));
      return stands.previous;
    case "previous":
      return stands.previous;
    case "recall":
      return node("recall", [], { text: "?" });
    default:
      return { ...expression, of: expression.of.map((inner) => plain(inner, stands)) };
  }
}
