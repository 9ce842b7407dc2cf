import type { Expression } from "../schema/index.ts";
import { node, print } from "./algebra/notation.ts";
import type { UnknownValue, Value } from "./algebra/value.ts";
import { nodesCalled, replaced } from "./rival-values.ts";

/** Operators that describe a thing by its place or its relations. */
const TOLD_BY: ReadonlySet<string> = new Set(["relate", "in"]);
/** Places of racks are defined only by where they are. */
const PLACES: ReadonlySet<string> = new Set(["slot", "level", "bay", "rack"]);
/** How many times likelier than the next a thing must be to be meant by slightly wrong words. */
const FAVOURED = 2;

/**
 * A question without the thing's stated place, and the conditions under which the place was a slip and not a false
 * premise.
 */
interface Loosened {
  readonly expression: Expression;
  /** Truths; one of them is enough: it was there once, or it is near. */
  readonly slips: readonly Expression[];
}

/**
 * A question about one thing that is not in the stated place, without the place: "is the tv on the bookcase on?" where
 * the one tv stands beside it. None where no single thing is favoured, or where the question is about the place.
 */
export function loosened(asked: Expression, value: Value): Loosened | undefined {
  if (value.kind !== "unknown" || !isFavoured(value)) return undefined;
  for (const the of nodesCalled("the", asked)) {
    const [set] = the.of;
    const [inner] = set?.of ?? [];
    const category = inner?.op === "things" ? inner.with["category"] : undefined;
    const isNamed = category !== undefined && !PLACES.has(String(category));
    if (!set || !inner || !isNamed || !TOLD_BY.has(set.op) || the.with["number"] !== undefined) continue;
    const expression = nodesCalled("the", asked)
      .filter((one) => print(one) === print(the))
      .reduce((whole, one) => replaced(whole, one, { ...the, of: [inner] }), asked);
    return { expression, slips: slipsOf(set) };
  }
  return undefined;
}

/** Whether one of the conditions for a slip holds. */
export async function isSlip(
  { slips }: Loosened,
  told: (truth: Expression) => Promise<Value>,
): Promise<boolean> {
  for (const slip of slips) {
    const value = await told(slip);
    if (value.kind === "truth" && value.truth) return true;
  }
  return false;
}

function slipsOf(set: Expression): Expression[] {
  const once = node("at", [node("exists", [set]), node("moment", [], { phase: "all" })]);
  const near = node("exists", [{ ...set, with: { relation: "near" } }]);
  return set.op === "relate" ? [near, once] : [once];
}

/** Whether the odds favour one thing. */
function isFavoured({ reason, choices = [] }: UnknownValue): boolean {
  const isOtherwise = reason === "looked-absent" || reason === "false-premise";
  const [best, next] = choices;
  return isOtherwise && (!best || !next || best.fit >= FAVOURED * next.fit);
}
