import type { Expression } from "../../../schema/index.ts";
import { kindOf } from "../../algebra/check.ts";
import { node, print } from "../../algebra/notation.ts";
import { goesOn, withEarlier } from "./earlier.ts";

/** A question before, for checking what goes on from one. */
const BEFORE = node("exists", [
  node("in", [node("things", [], { category: "lamp" }), node("rooms", [], { name: "hall" })]),
]);

/** Throws one line where a pair's expression is none of the algebra. Times in words stand for any, "these" for things or rooms. */
export function checkPair(expression: Expression): void {
  const whole = goesOn(expression) ? withEarlier(expression, BEFORE) : expression;
  try {
    kindOf(plain(whole, "things"));
  } catch (error) {
    if (!print(expression).includes("these()")) throw error;
    kindOf(plain(whole, "rooms"));
  }
}

function plain(expression: Expression, these: string): Expression {
  if (expression.op === "said") return node("moment", [], { phase: "all" });
  if (expression.op === "these") return node(these);
  if (expression.op === "recall") return node("recall", [], { text: "?" });
  return { ...expression, of: expression.of.map((one) => plain(one, these)) };
}
