import type { Expression } from "../schema/index.ts";
import { node, print } from "./algebra/notation.ts";
import type { UnknownValue, Value } from "./algebra/value.ts";
import { nodesCalled, replaced } from "./rival-values.ts";

/** What a thing is told by beside what it is: where it stands, and to what. */
const TOLD_BY: ReadonlySet<string> = new Set(["relate", "in"]);
/** So many times likelier than the next must the thing be that somebody meant with words that are not quite so. */
const FAVOURED = 2;

/** A question without where a thing was said to be, and what makes that a slip of memory rather than a false premise. */
interface Loosened {
  readonly expression: Expression;
  /** Truths; one of them is enough: it was there once, or it is near. */
  readonly slips: readonly Expression[];
}

/**
 * A question about one thing that is not where it was said to be, without where: "is the tv on the bookcase on?" where the one tv
 * stands beside it. None where nothing favours one thing, or where it is that is asked.
 */
export function loosened(asked: Expression, value: Value): Loosened | undefined {
  if (value.kind !== "unknown" || !isFavoured(value)) return undefined;
  for (const the of nodesCalled("the", asked)) {
    const [set] = the.of;
    const [inner] = set?.of ?? [];
    const isNamed = inner?.op === "things" && inner.with["category"] !== undefined;
    if (!set || !isNamed || !TOLD_BY.has(set.op) || the.with["number"] !== undefined) continue;
    const expression = nodesCalled("the", asked)
      .filter((one) => print(one) === print(the))
      .reduce((whole, one) => replaced(whole, one, { ...the, of: [inner] }), asked);
    return { expression, slips: slipsOf(set) };
  }
  return undefined;
}

/** Whether one of what makes it a slip is so. */
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

/** Whether the odds favour one thing that was meant nevertheless. */
function isFavoured({ reason, choices = [] }: UnknownValue): boolean {
  const isOtherwise = reason === "looked-absent" || reason === "false-premise";
  const [best, next] = choices;
  return isOtherwise && (!best || !next || best.fit >= FAVOURED * next.fit);
}
