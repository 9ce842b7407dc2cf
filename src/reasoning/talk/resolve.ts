import type { Expression } from "../../schema/index.ts";
import { kindOf } from "../algebra/check.ts";
import { evaluate } from "../algebra/evaluate.ts";
import { print } from "../algebra/notation.ts";
import type { Scope } from "../algebra/operator.ts";
import { goesOn } from "../read/placeholders.ts";
import type { Reading } from "../read/reading.ts";
import { againOf } from "./again.ts";
import { previousFor } from "./previous.ts";
import { nodeOf, type Spoken, spokenOf } from "./spoken-of.ts";
import type { Turn } from "./turn.ts";
import { likelyMeant } from "./wanted.ts";

/** So many turns back something may be meant, and each costs so much more than the one after it. */
const MOST_TURNS = 3;
/** So many ways to put in what was spoken of are tried, each so much less likely than the one before. */
const MOST_WAYS = 3;
const LESS_LIKELY = 0.2;

/**
 * The ways to understand a reading that says something of the question before, by what that came to: with things, people, rooms in the
 * place of what stands for them. None where nothing was spoken of that it could mean.
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
      // Of several questions in one sentence, each goes on from the one before it.
      const own = parts.at(-1);
      const before = own && goesOn(part) ? [...turns, await turnOf(text, own, scope)] : turns;
      for (const one of goesOn(part) ? await waysToPut(part, text, before, scope) : [part])
        next.push([...parts, one]);
    }
    ways = next.slice(0, MOST_WAYS);
  }
  return ways.map((parts, n) => ({ ...reading, parts, cost: reading.cost + n * LESS_LIKELY, goesOn: true }));
}

/** A question that was read and is carried out only to go on from it. */
export async function turnOf(question: string, expression: Expression, scope: Scope): Promise<Turn> {
  return { question, parts: [{ expression, value: await evaluate(expression, scope) }] };
}

/** What was spoken of lately, the last turn first. */
export async function spokenIn(
  turns: readonly Turn[],
  scope: Scope,
): Promise<readonly (readonly Spoken[])[]> {
  return Promise.all(
    turns
      .slice(-MOST_TURNS)
      .toReversed()
      .map((turn) => spokenOf(turn, scope)),
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
  const spoken = (await spokenIn(turns, scope)).flat();
  const found = new Map<string, Expression>();
  for (const whole of withSpoken(part, text, spoken))
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

/** With what each `spoken()` may stand for; the likeliest first. */
function withSpoken(part: Expression, text: string, spoken: readonly Spoken[]): readonly Expression[] {
  const put = (one: Expression, parent?: Expression, n = 0): readonly Expression[] => {
    if (one.op === "spoken") return likelyMeant(spoken, text, { parent, n }).slice(0, MOST_WAYS).map(nodeOf);
    return one.of.reduce<readonly Expression[]>(
      (ways, inner, at) =>
        put(inner, one, at).flatMap((each) => ways.map((way) => ({ ...way, of: [...way.of, each] }))),
      [{ ...one, of: [] }],
    );
  };
  return put(part);
}

/** With the same question of something else in the place of `again(x)`. */
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
