import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { print } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { goesOn } from "../read/placeholders.ts";
import type { Reading } from "../read/reading.ts";
import { nodesCalled } from "../rival-values.ts";
import { againOf, isOtherOne } from "./again.ts";
import { agentOf, ofRobot, otherRobot } from "./by-robot.ts";
import { inTurn } from "./in-turn.ts";
import { ofEachOfTwo } from "./of-two.ts";
import { previousFor } from "./previous.ts";
import { nodeOf, type Spoken, spokenOf } from "./spoken-of.ts";
import { thenOf } from "./then.ts";
import type { Turn } from "./turn.ts";
import { likelyMeant, placesSpoken } from "./wanted.ts";

/** The number of past turns with possible referents, and the extra cost for each turn back. */
const MOST_TURNS = 3;
/** The most substitutions that are tried, and the extra cost of each further one. */
const MOST_WAYS = 3;
const LESS_LIKELY = 0.2;

/**
 * The readings with all references to the previous question replaced by their referents: things, people, rooms. None
 * where nothing was mentioned that fits.
 */
export async function resolved(
  reading: Reading,
  text: string,
  turns: readonly Turn[],
  scope: Scope,
): Promise<readonly Reading[]> {
  if (!reading.parts.some(goesOn)) return [reading];
  let ways: readonly (readonly Expression[])[] = [[]];
  for (const part of reading.parts) {
    const next: (readonly Expression[])[] = [];
    for (const parts of ways) {
      // Of several questions in one sentence, each continues the one before it.
      const own = parts.at(-1);
      const before = own && goesOn(part) ? [...turns, await turnOf(text, own, scope)] : turns;
      for (const one of goesOn(part) ? await waysToPut(part, text, before, scope) : [part])
        next.push([...parts, one]);
    }
    ways = next.slice(0, MOST_WAYS);
  }
  return ways.map((parts, n) => ({ ...reading, parts, cost: reading.cost + n * LESS_LIKELY, goesOn: true }));
}

/** A question that is evaluated only so that others can continue it. */
export async function turnOf(question: string, expression: Expression, scope: Scope): Promise<Turn> {
  return { question, parts: [{ expression, value: await evaluate(expression, scope) }] };
}

/** What was mentioned lately, the last turn first. */
export async function spokenIn(
  turns: readonly Turn[],
  scope: Scope,
): Promise<readonly (readonly Spoken[])[]> {
  return Promise.all(
    turns
      .slice(-MOST_TURNS)
      .toReversed()
      .map(async (turn, ago) => (await spokenOf(turn, scope)).map((one) => ({ ...one, ago }))),
  );
}

async function waysToPut(
  part: Expression,
  text: string,
  turns: readonly Turn[],
  scope: Scope,
): Promise<readonly Expression[]> {
  const last = turns.at(-1);
  if (!last) return [];
  const asked = last.parts.at(-1)?.expression;
  // "Robot 2, where are you? And the other one?"
  if (asked && agentOf(asked) !== undefined && part.op === "again" && isOtherOne(part.of[0]!)) {
    const other = await otherRobot(turns, scope);
    if (other !== undefined) return [ofRobot(asked, other)];
  }
  const spoken = (await spokenIn(turns, scope)).flat();
  const isTimed = nodesCalled("then", part).length > 0;
  const timed = isTimed ? withThen(part, await thenOf(last, scope)) : part;
  const found = new Map<string, Expression>();
  for (const whole of ofEachOfTwo(timed, turns) ?? withSpoken(timed, text, spoken))
    for (const one of withAgain(whole, turns, spoken)) {
      const way = previousFor(one, last).find(isExpression);
      if (way) found.set(print(way), way);
    }
  return [...found.values()].slice(0, MOST_WAYS);
}

function isExpression(one: Expression): boolean {
  if (goesOn(one)) return false;
  try {
    kindOf(one);
    return true;
  } catch {
    return false;
  }
}

/** With the time for `then()`; at any time where there is none. */
function withThen(part: Expression, then: Expression | undefined): Expression {
  if (part.op === "then") return then ?? part;
  const of = part.of.map((one) => withThen(one, then));
  return part.op === "at" && of[1]?.op === "then" ? of[0]! : { ...part, of };
}

/** "That last one", "the second of them": of several that were told of. */
const NTH =
  /\b(?:the|that|this) (first|second|third|fourth|last|former|latter)(?: (?:one|thing)\b| of (?:them|those|these|the)\b|(?=\s*[?.!]*$))/i;

function nthSpoken(spoken: readonly Spoken[], text: string): readonly Spoken[] {
  const [, which] = NTH.exec(text) ?? [];
  return which === undefined ? [] : inTurn(spoken, which.toLowerCase());
}

/** With each referent for `spoken()` and `there()`; the likeliest first. */
function withSpoken(part: Expression, text: string, spoken: readonly Spoken[]): readonly Expression[] {
  const put = (one: Expression, parent?: Expression, n = 0): readonly Expression[] => {
    if (one.op === "there") return placesSpoken(spoken, parent).slice(0, MOST_WAYS);
    if (one.op === "spoken") {
      const nth = nthSpoken(spoken, text);
      const meant = nth.length > 0 ? nth : likelyMeant(spoken, text, { parent, n });
      return meant.slice(0, MOST_WAYS).map(nodeOf);
    }
    return one.of.reduce<readonly Expression[]>(
      (ways, inner, at) =>
        put(inner, one, at).flatMap((each) => ways.map((way) => ({ ...way, of: [...way.of, each] }))),
      [{ ...one, of: [] }],
    );
  };
  return put(part);
}

/** With the same question about another subject in the place of `again(x)`. */
function withAgain(
  part: Expression,
  turns: readonly Turn[],
  spoken: readonly Spoken[],
): readonly Expression[] {
  if (part.op === "again") return againOf(part.of[0]!, turns, spoken);
  const [at, inner] = [part.of.findIndex(goesOn), part.of.find(goesOn)];
  if (!inner) return [part];
  return withAgain(inner, turns, spoken).map((one) => ({
    ...part,
    of: part.of.map((each, n) => (n === at ? one : each)),
  }));
}
