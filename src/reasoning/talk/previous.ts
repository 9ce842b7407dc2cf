import type { KnownThing } from "../../belief/thing.ts";
import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { nodesCalled } from "../rival-values.ts";
import { isPerson } from "../say/naming.ts";
import { ofRobot } from "./by-robot.ts";
import { inside, isAround } from "./parts.ts";
import { nodeOf, ofThings } from "./spoken.ts";
import type { Turn } from "./turn.ts";

/** Operators that ask about the fact and not about the question. */
const OF_WHAT_IS_SO: ReadonlySet<string> = new Set(["when", "seen", "duration", "cause"]);
/** Operators that take a set, not its one referent. */
const OF_SETS: ReadonlySet<string> = new Set(["in", "exists", "none", "count", "minus", "filter"]);
const MOST_DEPTH = 6;

/** The candidates for `previous()`: the previous question itself, its result, or its subject. */
export function previousFor(part: Expression, turn: Turn): readonly Expression[] {
  if (nodesCalled("previous", part).length === 0) return [part];
  const [last] = turn.parts.slice(-1);
  if (!last) return [];
  const { expression: asked } = last;
  // "Why was it moved? How come?", "who did that?": the same reason is asked for again.
  if (part.op === "cause" && part.of[0]?.op === "previous" && inside(asked).core.op === "cause")
    return [asked];
  // The reason why something is unknown is in the evidence for the answer.
  if (part.op === "cause" && part.of[0]?.op === "previous" && last.value.kind === "unknown")
    return [node("grounds", [asked])];
  const noticed = part.op === "witnesses" ? noticedBy(part, last) : [];
  const forms: Expression[] = [];
  for (let one: Expression | undefined = asked; one && forms.length < MOST_DEPTH; one = one.of[0])
    forms.push(one);
  const put = (one: Expression, form: Expression, around?: Expression): Expression => {
    if (one.op !== "previous") {
      const { agent } = one.with;
      if (one.op === "by" && one.of[0]?.op === "previous" && typeof agent === "string" && form === asked)
        return ofRobot(asked, agent);
      const isWhole = isAround(one);
      return { ...one, of: one.of.map((inner, n) => put(inner, isWhole && n === 0 ? asked : form, one)) };
    }
    const parent = around?.op ?? "";
    if (form === asked && OF_WHAT_IS_SO.has(parent)) return asTold(last);
    if (form === asked && around && isAround(around)) return within(around, last);
    // "Is there one in the bedroom too?" does not mean one in both rooms.
    if (parent === "in" && form.op === "in") return form.of[0]!;
    return form.op === "the" && OF_SETS.has(parent) ? form.of[0]! : form;
  };
  return [...noticed, ...forms.map((form) => put(part, form))];
}

/** "Is the fridge open? Which of you noticed it first?": the robot that was first to see it become so. */
function noticedBy(part: Expression, last: Turn["parts"][number]): readonly Expression[] {
  const { core } = inside(asTold(last));
  const { attribute, value } = core.with;
  if (part.with["which"] !== "first" || core.op !== "is" || attribute === undefined || value === undefined)
    return [];
  const became = node("changes", core.of.slice(0, 1), { attribute, to: value });
  const seen = node("by", [node("seen", [became], { which: "first" }), node("it")]);
  return [node("name", [node("least", [node("robots"), seen])])];
}

/** The previous question with another time, robot or viewpoint instead of its own. */
function within(around: Expression, { expression, value }: Turn["parts"][number]): Expression {
  const own = without(around.op, expression);
  if (around.op !== "at") return own;
  const side = around.of[1]?.op;
  // "Is it open? Was it so at the start?" is a yes-or-no question like the one before.
  if (side !== "after" && side !== "before") return own;
  // "Where did you see the first of them? And after that?": where that one was.
  const [told] = value.kind === "words" ? value.items.flatMap(({ thing }) => thing ?? []) : [];
  const isOfOne = value.kind === "words" && value.items.length === 1 && told && isPerson(told);
  return besideOf(isOfOne ? ofPerson(own, told) : own, side) ?? opened(own);
}

function without(op: string, asked: Expression): Expression {
  const [first, ...more] = asked.of;
  if (!first || !isAround(asked)) return asked;
  const inner = without(op, first);
  return asked.op === op ? inner : { ...asked, of: [inner, ...more] };
}

/** The place of the robot just before, or where it or a person went next: the last room in it, or the first. */
function besideOf(asked: Expression, side: "before" | "after"): Expression | undefined {
  const [first, ...more] = asked.of;
  if (!first) return undefined;
  if (isAround(asked)) {
    const inner = besideOf(first, side);
    return inner && { ...asked, of: [inner, ...more] };
  }
  const whose = ["place", "room", "name"].includes(asked.op) ? doer(first) : undefined;
  if (!whose || (side === "before" && whose.op !== "self")) return undefined;
  const stays = node("stay", whose.op === "self" ? [node("rooms")] : [node("rooms"), whose]);
  return node("name", [
    node("room", [
      node("nth", [stays, node("seen", [node("it")], { which: "first" })], { n: side === "before" ? -1 : 1 }),
    ]),
  ]);
}

/** The place of a person whose record says more than a name. */
function ofPerson(asked: Expression, person: KnownThing): Expression {
  const [first, ...more] = asked.of;
  if (!first) return asked;
  if (isAround(asked)) return { ...asked, of: [ofPerson(first, person), ...more] };
  return asked.op === "place" ? { ...asked, of: [nodeOf(ofThings([person])), ...more] } : asked;
}

/** The robot asked, or a person by name. */
function doer(part: Expression): Expression | undefined {
  const [inner] = part.of;
  if (part.op === "room" && inner) return doer(inner);
  const named = part.op === "the" && inner ? inner : part;
  return part.op === "self" || named.with["name"] !== undefined ? part : undefined;
}

/** The fact as reported: negated where the answer was no. */
export function asTold({ expression, value }: Turn["parts"][number]): Expression {
  const [first, ...more] = expression.of;
  if (first && isAround(expression))
    return { ...expression, of: [asTold({ expression: first, value }), ...more] };
  if (value.kind === "truth") return value.truth ? expression : node("not", [expression]);
  const [words] = value.kind === "words" ? value.items : [];
  const { name: attribute } = expression.with;
  return expression.op === "attribute" && words && first
    ? node("is", [first], { attribute: attribute!, value: words.words })
    : expression;
}

/** Turns a yes/no question into an open one. */
function opened(asked: Expression): Expression {
  const [first, ...more] = asked.of;
  if (!first) return asked;
  if (isAround(asked)) return { ...asked, of: [opened(first), ...more] };
  if (asked.op === "within") return node("place", [first]);
  return asked.op === "is" ? node("attribute", [first], { name: asked.with["attribute"]! }) : asked;
}
