import type { Interval } from "../../geometry/index.ts";
import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { node } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import type { Value } from "../algebra/value.ts";
import { isPerson } from "../say/naming.ts";
import { holdsIt, inside } from "./parts.ts";
import { asTold } from "./previous.ts";
import type { Turn } from "./turn.ts";

/** Operators that give a place. */
const WHERE: ReadonlySet<string> = new Set(["place", "room", "within", "floor"]);

/** The time of a turn's answer as a literal time: its stay, the time it gave, or since when something has been true. */
export async function thenOf(turn: Turn, scope: Scope): Promise<Expression | undefined> {
  const part = turn.parts.at(-1);
  if (!part) return undefined;
  const own = spanOf(part.value);
  if (own) return moment(own, scope);
  const { around } = inside(part.expression);
  for (const way of await tellingWhen(part.expression, part.value, scope)) {
    const told = await evaluate(around(way), scope);
    // "Were you in the kitchen?" refers to no single visit where there were several.
    const isOpen = part.value.kind === "truth" || part.value.kind === "number";
    if (isOpen && told.kind === "events" && told.events.length > 1) continue;
    const span = isAtStart(part.expression) ? firstSpan(told) : spanOf(told);
    if (span) return moment(way.op === "stay" ? await wholeOf(span, way, scope) : span, scope);
  }
  return undefined;
}

/** The stay of which the question's own time leaves a part. */
async function wholeOf(span: Interval, stay: Expression, scope: Scope): Promise<Interval> {
  const all = await evaluate(stay, scope);
  const own = all.kind === "events" ? all.events : [];
  const whole = own.findLast(
    ({ validFromUs, validToUs }) =>
      validFromUs < (span.toUs ?? Infinity) && (validToUs ?? Infinity) > span.fromUs,
  );
  return whole ? { fromUs: whole.validFromUs, toUs: whole.validToUs } : span;
}

/** Expressions that may give the time of the answer, the likeliest first. */
async function tellingWhen(part: Expression, value: Value, scope: Scope): Promise<readonly Expression[]> {
  const { core, around } = inside(part);
  const events = firstOfKind(core, "events");
  if (events) return [events];
  const whose = doerIn(core);
  const isTold = core.op === "attribute" || kindOf(core) === "truth";
  const told = asTold({ expression: core, value });
  const so = kindOf(told) === "truth" ? [node("when", [told], { which: "since" })] : [];
  if (!whose) return so;
  if (whose.op === "self") return [node("stay", [node("rooms")]), ...so];
  const who = await evaluate(around(whose), scope);
  const [first] = who.kind === "things" ? who.things : [];
  if (!first) return so;
  const isGoing = isPerson(first) && !isTold;
  const stay = node("stay", [node("rooms"), whose]);
  // "Where was she when you last saw her? And before that?": before that sighting, where no stay is known.
  const time = timeIn(part);
  if (time) return [stay, time];
  const since = node("when", [whose], { which: "since" });
  return isGoing ? [stay, since] : [...so, since];
}

/** The time in the question. */
function timeIn({ op, of: [first, time] }: Expression): Expression | undefined {
  if (op === "at") return time;
  return first && (op === "by" || op === "from") ? timeIn(first) : undefined;
}

/** Whose place or state was asked for: things, people or the robot. */
function doerIn(core: Expression): Expression | undefined {
  let one: Expression | undefined = core;
  while (one && (WHERE.has(one.op) || one.op === "name" || one.op === "attribute" || one.op === "is"))
    one = one.of[0];
  return one && (one.op === "self" || kindOf(one) === "things") ? one : undefined;
}

function firstOfKind(part: Expression, kind: string): Expression | undefined {
  if (part.op === "it" || holdsIt(part)) return part.of.map((one) => firstOfKind(one, kind)).find(Boolean);
  if (kindOf(part) === kind) return part;
  return part.of.map((one) => firstOfKind(one, kind)).find(Boolean);
}

/** The time that a value gives or happened at, the last of several. */
function spanOf(value: Value): Interval | undefined {
  if (value.kind === "times") return value.spans.at(-1);
  const event = value.kind === "events" ? value.events.at(-1) : undefined;
  return event && { fromUs: event.validFromUs, toUs: event.validToUs };
}

/** The place "at the start" is the first of the stays there, not the last. */
function firstSpan(value: Value): Interval | undefined {
  const event = value.kind === "events" ? value.events[0] : undefined;
  return event ? { fromUs: event.validFromUs, toUs: event.validToUs } : spanOf(value);
}

function isAtStart({ op, of, with: { phase, firstS } }: Expression): boolean {
  return (op === "moment" && (phase === "start" || firstS !== undefined)) || of.some(isAtStart);
}

/** A stay that goes on ends now. */
function moment({ fromUs, toUs }: Interval, { memory: { nowUs } }: Scope): Expression {
  return node("moment", [], { fromUs, toUs: Math.max(fromUs + 1, toUs ?? nowUs) });
}
