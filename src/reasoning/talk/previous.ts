import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { nodesCalled } from "../rival-values.ts";
import type { Turn } from "./turn.ts";

/** Asks of what is so, not of the question. */
const OF_WHAT_IS_SO: ReadonlySet<string> = new Set(["when", "seen", "duration", "cause"]);
/** Asks of a set, not of the one of it that is meant. */
const OF_SETS: ReadonlySet<string> = new Set(["in", "exists", "none", "count", "minus", "filter"]);
/** Say from when, by whom and from where something is asked. */
const AROUND: ReadonlySet<string> = new Set(["at", "from", "by"]);
const MOST_DEPTH = 6;

/** The ways to put the question before in the place of `previous()`: as it was asked, as what it came to, or what it was asked of. */
export function previousFor(part: Expression, turn: Turn): readonly Expression[] {
  if (nodesCalled("previous", part).length === 0) return [part];
  const [last] = turn.parts.slice(-1);
  if (!last) return [];
  const { expression: asked } = last;
  const forms: Expression[] = [];
  for (let one: Expression | undefined = asked; one && forms.length < MOST_DEPTH; one = one.of[0])
    forms.push(one);
  const put = (one: Expression, form: Expression, parent = ""): Expression =>
    one.op === "previous"
      ? form === asked && OF_WHAT_IS_SO.has(parent)
        ? asTold(last)
        : form === asked && parent === "at"
          ? opened(asked)
          : form.op === "the" && OF_SETS.has(parent)
            ? form.of[0]!
            : form
      : {
          ...one,
          of: one.of.map((inner, n) => put(inner, one.op === "at" && n === 0 ? asked : form, one.op)),
        };
  return forms.map((form) => put(part, form));
}

/** What is so, as it was told: that it is not, where the answer was no. */
function asTold({ expression, value }: Turn["parts"][number]): Expression {
  const [first, ...more] = expression.of;
  if (first && AROUND.has(expression.op))
    return { ...expression, of: [asTold({ expression: first, value }), ...more] };
  if (value.kind === "truth") return value.truth ? expression : node("not", [expression]);
  const [words] = value.kind === "words" ? value.items : [];
  const { name: attribute } = expression.with;
  return expression.op === "attribute" && words && first
    ? node("is", [first], { attribute: attribute!, value: words.words })
    : expression;
}

/** The question whether it is so as the one how it is. */
function opened(asked: Expression): Expression {
  const [first, ...more] = asked.of;
  if (!first) return asked;
  if (AROUND.has(asked.op)) return { ...asked, of: [opened(first), ...more] };
  if (asked.op === "within") return node("place", [first]);
  return asked.op === "is" ? node("attribute", [first], { name: asked.with["attribute"]! }) : asked;
}
