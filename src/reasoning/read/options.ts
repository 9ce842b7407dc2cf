import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node } from "../algebra/notation.ts";
import { sentencesOf } from "./tokens.ts";
import { proposed } from "./trained/index.ts";

interface Known {
  readonly nowUs: number;
  readonly people?: ReadonlySet<string> | undefined;
}

/** What options name, for "which of these": things or rooms, each read as a question of its own. Undefined where they name nothing alike. */
export function namedBy(options: readonly string[], known: Known): Expression | undefined {
  const sets = options.map((option) => {
    const [best] = proposed(sentencesOf(option), known);
    return best?.parts.length === 1 ? subjectOf(best.parts[0]!) : undefined;
  });
  const named = sets.filter((one) => one !== undefined);
  if (named.length < 2 || named.length < sets.length) return undefined;
  return new Set(named.map((one) => kindOf(one))).size === 1 ? node("or", named) : undefined;
}

const SETS: ReadonlySet<string> = new Set("things relate in filter".split(" "));

/** The first thing, person or room that an expression speaks of. */
function subjectOf(expression: Expression): Expression | undefined {
  if (expression.op === "the" || expression.op === "rooms") return expression;
  if (SETS.has(expression.op)) return node("the", [expression]);
  for (const one of expression.of) {
    const found = subjectOf(one);
    if (found) return found;
  }
  return undefined;
}
