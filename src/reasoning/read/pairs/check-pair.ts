import { type Expression, isLociError } from "../../../schema/index.ts";
import { kindOf } from "../../algebra/check.ts";
import { node } from "../../algebra/notation.ts";
import { goesOn } from "../placeholders.ts";

/** What may stand for what is only known when it is asked: each is tried. */
const STANDS_FOR: readonly { readonly spoken: Expression; readonly previous: Expression }[] = [
  { spoken: node("things"), previous: node("exists", [node("things")]) },
  { spoken: node("rooms"), previous: node("name", [node("things")]) },
  { spoken: node("rooms"), previous: node("exists", [node("rooms")]) },
  { spoken: node("things"), previous: node("things") },
];

/** Throws one line where a pair's expression is none of the algebra. Times in words stand for any, "these" and what was spoken of for things or rooms. */
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

/** Whether it is an expression of the algebra, up to what is only known when it is asked. */
export function isReadable(expression: Expression): boolean {
  try {
    checkPair(expression);
    return true;
  } catch (error) {
    if (isLociError(error) && error.code === "invalid-input") return false;
    throw error;
  }
}

/** Whether it holds something that is only known when it is asked. */
function isOpen(expression: Expression): boolean {
  return expression.op === "these" || goesOn(expression) || expression.of.some(isOpen);
}

/** Operators that come to the table with the next fit, as what they are alike to. */
const TO_COME: Readonly<Record<string, (one: Expression) => Expression>> = {
  robots: () => node("things"),
  holder: ({ of }) => node("minus", [of[0] ?? node("holder"), of[0] ?? node("holder")]),
  by: ({ of: [what, who], with: options }) =>
    who ? node("by", what && [what], { agent: "all", ...options }) : node("by", what && [what], options),
};

function plain(
  expression: Expression,
  stands: { readonly spoken: Expression; readonly previous: Expression },
): Expression {
  switch (expression.op) {
    case "said":
      return node("moment", [], { phase: "all" });
    case "these":
    case "spoken":
      return stands.spoken;
    case "again":
      for (const other of expression.of) kindOf(plain(other, stands));
      return stands.previous;
    case "previous":
      return stands.previous;
    case "recall":
      return node("recall", [], { text: "?" });
    default: {
      const one = { ...expression, of: expression.of.map((inner) => plain(inner, stands)) };
      return TO_COME[one.op]?.(one) ?? one;
    }
  }
}
