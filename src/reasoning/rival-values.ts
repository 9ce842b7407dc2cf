import { isKindCalled, wasTakenFor } from "../belief/matching.ts";
import type { KnownThing } from "../belief/thing.ts";
import type { Expression } from "../schema/index.ts";
import { evaluate } from "./algebra/evaluate.ts";
import { node } from "./algebra/notation.ts";
import type { Scope } from "./algebra/operator.ts";
import type { Value } from "./algebra/value.ts";
import type { Rival } from "./say/said.ts";

/** The most candidates examined; with more, not each is reported. */
const MOST_RIVALS = 8;

/**
 * The value of the question for each possible referent, the likeliest first: the expression is evaluated again with
 * each in the place of the ambiguous reference. Undefined where the reference is unique.
 */
export async function rivalValues(
  expression: Expression,
  value: Value,
  scope: Scope,
): Promise<readonly Rival[] | undefined> {
  const rivals = "rivals" in value ? (value.rivals ?? []) : [];
  if (rivals.length === 0) return undefined;
  const { memory } = scope;
  const at = await nodeOf(expression, rivals, scope);
  if (!at) return undefined;
  const around = replaced(expression, at.place, node("shown"));
  const found: Rival[] = [{ thing: at.best, value: { ...value, rivals: undefined } as Value }];
  const before = memory.pointed;
  try {
    for (const thing of rivals.slice(0, MOST_RIVALS - 1)) {
      memory.point(thing);
      found.push({ thing, value: await evaluate(around, scope) });
    }
  } finally {
    memory.point(before);
  }
  return found;
}

/** The `the` with the rivals, and the thing that it selected. */
async function nodeOf(
  expression: Expression,
  rivals: readonly KnownThing[],
  scope: Scope,
): Promise<{ readonly place: Expression; readonly best: KnownThing } | undefined> {
  const tracks = new Set(rivals.map(({ trackId }) => trackId));
  for (const place of nodesCalled("the", expression)) {
    if (nodesCalled("it", place).length > 0) continue;
    const value = await evaluate(place, scope);
    if (value.kind !== "things") continue;
    const own = "rivals" in value ? (value.rivals ?? []) : [];
    const [best] = value.things;
    if (best && own.some(({ trackId }) => tracks.has(trackId))) return { place, best };
  }
  return undefined;
}

export function nodesCalled(op: string, expression: Expression): Expression[] {
  const inner = expression.of.flatMap((one) => nodesCalled(op, one));
  return expression.op === op ? [expression, ...inner] : inner;
}

/** An expression with one of its nodes replaced. */
export function replaced(expression: Expression, place: Expression, by: Expression): Expression {
  if (expression === place) return by;
  return { ...expression, of: expression.of.map((one) => replaced(one, place, by)) };
}

/** The name in an expression, and the actual kind of a thing that some observations mistook for it. */
export function takenFor(
  expression: Expression,
  { state, category }: KnownThing,
): { readonly kind: string; readonly category: string } | undefined {
  const named = nodesCalled("things", expression).flatMap(({ with: { category: kind } }) =>
    typeof kind === "string" ? [kind] : [],
  );
  const kind = named.find((one) => wasTakenFor(one, state));
  return kind === undefined || named.some((one) => isKindCalled(one, category))
    ? undefined
    : { kind, category };
}
