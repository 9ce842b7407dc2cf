import type { Expression } from "../../schema/index.ts";
import { node, print } from "../algebra/notation.ts";
import type { Value } from "../algebra/value.ts";
import { nodesCalled } from "../rival-values.ts";
import { inside, put } from "./parts.ts";
import type { Turn } from "./turn.ts";

/** The two subjects of the last two questions, if these are the same question. */
interface Two {
  readonly one: Expression;
  readonly other: Expression;
}

/** `most(spoken(), again(it()))`: compares the subjects of the last two questions by their answers. */
export function ofEachOfTwo(part: Expression, turns: readonly Turn[]): readonly Expression[] | undefined {
  if (!nodesCalled("again", part).some(({ of: [inner] }) => inner?.op === "it")) return undefined;
  const isMargin = part.op === "difference" && part.of.every(({ op }) => op === "again");
  const asked = turns.at(-1)?.parts.at(-1)?.expression;
  const compared = isMargin && asked ? marginOf(asked) : [];
  if (compared.length > 0) return compared;
  const found = nodesCalled("filter", part).length > 0 ? undefined : lastTwo(turns);
  if (!found) return ofEach(part, asked);
  const { last, one, other } = found;
  const ofIt = put(last, other, node("it"));
  if (isMargin)
    return [node("difference", found.isLess ? [last, put(last, other, one)] : [put(last, other, one), last])];
  const walk = (each: Expression): Expression =>
    each.op === "again"
      ? ofIt
      : each.op === "spoken"
        ? node("or", [one, other])
        : { ...each, of: each.of.map(walk) };
  return [walk(part)];
}

/** "Did she carry anything? Who did, then?": the last question asked of each. */
function ofEach(part: Expression, asked: Expression | undefined): readonly Expression[] {
  const subjects = asked ? ["the", "known"].flatMap((op) => nodesCalled(op, asked)).slice(0, 1) : [];
  const walk = (one: Expression, instead: Expression): Expression =>
    one.op === "again" ? instead : { ...one, of: one.of.map((each) => walk(each, instead)) };
  return subjects.map((old) => walk(part, put(asked!, old, node("it"))));
}

/** The last two questions in order, if they are one question with two subjects. */
function lastTwo(
  turns: readonly Turn[],
): (Two & { readonly last: Expression; readonly isLess: boolean }) | undefined {
  const asked = turns.flatMap(({ parts }) => parts.slice(-1));
  for (let n = asked.length - 1; n > 0; n--) {
    const [before, last] = [asked[n - 1]!, asked[n]!];
    const two = differing(before.expression, last.expression);
    if (two) return { ...two, last: last.expression, isLess: numberOf(before.value) < numberOf(last.value) };
  }
  return undefined;
}

const COMPARING: ReadonlySet<string> = new Set(["greater", "less", "equal", "largest", "smallest"]);

/** By how much: the two numbers compared, or that of the chosen one and of the next. */
function marginOf(asked: Expression): readonly Expression[] {
  const { core, around } = inside(asked);
  const inner = core.op === "not" || core.op === "name" ? core.of[0]! : core;
  if (COMPARING.has(inner.op) && inner.of.length === 2) return [around(node("difference", inner.of))];
  const [set, measure] = inner.of;
  if ((inner.op !== "most" && inner.op !== "least") || !set || !measure) return [];
  const next = node("nth", [set, measure], { n: inner.op === "most" ? -2 : 2 });
  const ofOne = (one: Expression) => put(measure, node("it"), one);
  const [more, less] = inner.op === "most" ? [inner, next] : [next, inner];
  return [around(node("difference", [ofOne(more), ofOne(less)]))];
}

function numberOf(value: Value): number {
  return value.kind === "number" ? value.value : 0;
}

/** The one thing or room in which two questions differ. */
function differing(a: Expression, b: Expression): Two | undefined {
  const isNamed =
    a.op === b.op && (a.op === "rooms" || a.op === "things" || a.op === "known" || a.op === "called");
  if (isNamed) return print(a) === print(b) ? undefined : { one: a, other: b };
  if (a.op !== b.op || a.of.length !== b.of.length) return undefined;
  const inner = a.of.flatMap((one, n) => {
    const other = b.of[n]!;
    return print(one) === print(other) ? [] : [{ one, other }];
  });
  const [only, ...more] = inner;
  if (!only || more.length > 0) return undefined;
  return differing(only.one, only.other) ?? (only.one.op === only.other.op ? undefined : only);
}
