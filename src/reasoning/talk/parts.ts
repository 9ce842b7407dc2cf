import type { Expression } from "../../schema/index.ts";
import { node, print } from "../algebra/notation.ts";

/** Operators that set the time, the robot and the viewpoint of a question. */
const AROUND: ReadonlySet<string> = new Set(["at", "from", "by"]);
/** Operators that give `it()` its meaning. */
const BINDS: ReadonlySet<string> = new Set("filter most least nth each all total mean".split(" "));
/** Operators that narrow a set. */
const NARROWS: ReadonlySet<string> = new Set(["in", "relate", "filter"]);

export function isAround({ op }: Expression): boolean {
  return AROUND.has(op);
}

/** Splits a question into its core and the time, robot and viewpoint around it. */
export function inside(asked: Expression): {
  readonly core: Expression;
  readonly around: (other: Expression) => Expression;
} {
  const [first, ...rest] = asked.of;
  if (!first || !isAround(asked)) return { core: asked, around: (other) => other };
  const inner = inside(first);
  return { core: inner.core, around: (other) => ({ ...asked, of: [inner.around(other), ...rest] }) };
}

/** Whether an expression depends on an element of a set outside it: it has no kind and no value by itself. */
export function holdsIt({ op, of }: Expression): boolean {
  return op === "it" || (!BINDS.has(op) && of.some(holdsIt));
}

/** Replaces every occurrence of a part, since a question may contain it twice. */
export function put(whole: Expression, old: Expression, instead: Expression): Expression {
  const key = print(old);
  const walk = (one: Expression): Expression =>
    print(one) === key ? instead : { ...one, of: one.of.map(walk) };
  return walk(whole);
}

export function distinctly(nodes: readonly Expression[]): Expression[] {
  return [...new Map(nodes.map((one) => [print(one), one])).values()];
}

/** The set that is narrowed by a place or a predicate. */
export function headSet(set: Expression): Expression {
  const [first] = set.of;
  return first && NARROWS.has(set.op) ? headSet(first) : set;
}

/** Replaces the set that is narrowed. */
export function withHead(set: Expression, change: (head: Expression) => Expression): Expression {
  const [first, ...rest] = set.of;
  return first && NARROWS.has(set.op) ? { ...set, of: [withHead(first, change), ...rest] } : change(set);
}

/** "Was it on before?": at any time before, not all the time. */
export function everBefore(part: Expression): Expression {
  const [state, time] = part.of;
  const isEarlier = time?.op === "before" || time?.with["phase"] === "earlier";
  if (part.op !== "at" || state?.op !== "is" || !isEarlier) return part;
  return { ...part, of: [node("ever", [state]), time!] };
}
