import type { Expression } from "../schema/index.ts";
import { print } from "./algebra/notation.ts";
import type { UnknownValue, Value } from "./algebra/value.ts";
import { nodesCalled, replaced } from "./rival-values.ts";

/** What a thing is told by beside what it is: where it stands, and to what. */
const TOLD_BY: ReadonlySet<string> = new Set(["relate", "in"]);
/** So many times likelier than the next must the thing be that somebody meant with words that are not quite so. */
const FAVOURED = 2;

/**
 * A question about one thing that is not where it was said to be, without where: "is the tv on the bookcase on?" where the one tv
 * stands beside it. None where nothing favours one thing, or where it is that is asked.
 */
export function loosened(asked: Expression, value: Value): Expression | undefined {
  if (value.kind !== "unknown" || !isFavoured(value)) return undefined;
  for (const the of nodesCalled("the", asked)) {
    const [set] = the.of;
    const [inner] = set?.of ?? [];
    const isNamed = inner?.op === "things" && inner.with["category"] !== undefined;
    if (!set || !isNamed || !TOLD_BY.has(set.op) || the.with["number"] !== undefined) continue;
    return nodesCalled("the", asked)
      .filter((one) => print(one) === print(the))
      .reduce((whole, one) => replaced(whole, one, { ...the, of: [inner] }), asked);
  }
  return undefined;
}

/** Whether the odds favour one thing that was meant nevertheless. */
function isFavoured({ reason, choices = [] }: UnknownValue): boolean {
  const isOtherwise = reason === "looked-absent" || reason === "false-premise";
  const [best, next] = choices;
  return isOtherwise && (!best || !next || best.fit >= FAVOURED * next.fit);
}
