import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { node } from "../algebra/notation.ts";
import { namedAt } from "./named.ts";
import { sentencesOf } from "./tokens.ts";
import { proposed } from "./trained/index.ts";

interface Known {
  readonly nowUs: number;
  readonly people?: ReadonlySet<string> | undefined;
}

/**
 * The things that options name, for "which of these": each read as a question of its own, or by its words. Undefined
 * for fewer than two. Reading one takes some ten milliseconds, so other work runs between two.
 */
export async function namedBy(
  options: readonly string[],
  known: Known,
  othersFirst: () => Promise<void> | undefined,
): Promise<Expression | undefined> {
  if (options.length < 2) return undefined;
  const named: (Expression | undefined)[] = [];
  for (const option of options) {
    const [best] = proposed(sentencesOf(option), known);
    named.push(best && subjectOf(best.parts[0]!));
    await othersFirst();
  }
  const isRooms = named.every((one) => one !== undefined && kindOf(one) === "rooms");
  const sets = named.map((one, n) =>
    one && (isRooms || kindOf(one) === "things") ? one : plainly(options[n]!),
  );
  return node("or", sets);
}

/** A thing by its name. */
function plainly(option: string): Expression {
  const words = sentencesOf(option).flatMap(({ tokens }) => tokens.map(({ word }) => word));
  const thing = namedAt(words, 0)?.thing ?? node("things", [], { category: words.join(" ") || option });
  return thing.op === "the" ? thing : node("the", [thing]);
}

const SETS: ReadonlySet<string> = new Set("things relate in filter".split(" "));

/** The first thing, person or room in an expression. */
function subjectOf(expression: Expression): Expression | undefined {
  if (expression.op === "the" || expression.op === "rooms") return expression;
  if (SETS.has(expression.op)) return node("the", [expression]);
  for (const one of expression.of) {
    const found = subjectOf(one);
    if (found) return found;
  }
  return undefined;
}
