import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { at, type Bare, without } from "./bare.ts";
import { type Habit, readHabit } from "./habit.ts";
import { setOf } from "./phrases.ts";
import { BUT } from "./post-modifiers.ts";
import { Sentence } from "./sentence.ts";
import { timeClauses } from "./time-clauses.ts";
import { readTimes } from "./times.ts";
import type { Token } from "./tokens.ts";
import { views } from "./views.ts";

/** All ways to take adjuncts out of a sentence: none, the times, the clauses of time, the point of view. */
export function withoutAdjuncts(s: Sentence): Bare[] {
  const plain: Bare = { tokens: s.tokens, wrap: (one) => one, cost: 0, hasTime: false };
  const clause = timeClauses(s);
  const found = [plain, ...clause];
  const timed = found.flatMap((one) => [one, ...times(one, s)]);
  const viewed = timed.flatMap((one) => [one, ...views(one, s)]);
  const scoped = viewed.flatMap((one) => [one, ...scopes(one, s)]);
  const always = scoped.flatMap((one) => [one, ...throughout(one)]);
  const usual = always.flatMap((one) => [one, ...habits(one)]);
  return usual.flatMap((one) => [one, ...exceptions(one, s)]);
}

const ALWAYS =
  /\b(?:ever since (?:you|i|we) (?:first )?(?:saw|noticed) (?:it|them)|always|all the time|the whole time|all along|at all times|constantly|throughout)\b/;

const TRUTHS = new Set(["is", "within", "all", "exists", "same", "greater", "less", "equal", "not"]);

/** "Has it been on all the time": so at every moment. */
function throughout(bare: Bare): Bare[] {
  const text = bare.tokens.map(({ word }) => word).join(" ");
  const match = ALWAYS.exec(text);
  if (!match) return [];
  const from = text.slice(0, match.index).split(" ").filter(Boolean).length;
  const tokens = without(bare.tokens, from, match[0].split(" ").length);
  return [{ ...bare, tokens, wrap: (one) => bare.wrap(TRUTHS.has(one.op) ? node("always", [one]) : one) }];
}

/** "In the living room, what colour …": said first, and meant of everything that follows. */
function scopes(bare: Bare, s: Sentence): Bare[] {
  const own = new Sentence(bare.tokens, s.context);
  if (!/^(?:in|on|inside|upstairs|downstairs|at|for|of)$/.test(own.words[0] ?? "")) return [];
  const from = /stairs$/.test(own.words[0]!) ? 0 : 1;
  for (const { end, value, cost } of own.nouns(from)) {
    if (
      (value.kind !== "rooms" && value.kind !== "floors") ||
      (!own.tokens[end]?.parted && from === 1) ||
      end >= own.words.length - 1
    )
      continue;
    return [
      {
        ...bare,
        tokens: bare.tokens.slice(end),
        cost: bare.cost + cost,
        wrap: (one) => bare.wrap(narrowed(one, setOf(value)) ?? one),
      },
    ];
  }
  return [];
}

/** An expression whose first set is only of what is there. */
function narrowed(expression: Expression, there: Expression): Expression | undefined {
  if (expression.op === "things") return node("in", [expression, there]);
  if (expression.op === "rooms") return there.op === "floors" ? node("in", [expression, there]) : expression;
  for (const [n, argument] of expression.of.entries()) {
    const inner = narrowed(argument, there);
    if (inner) return { ...expression, of: expression.of.with(n, inner) };
  }
  return undefined;
}

/** "… besides the lamp", at the end: left out of the set that is asked about. */
function exceptions(bare: Bare, s: Sentence): Bare[] {
  const own = new Sentence(bare.tokens, s.context);
  for (let from = 0; from < own.words.length; from++) {
    const end = own.phraseAt(from, BUT);
    if (end === undefined) continue;
    for (const other of own.nouns(end)) {
      const isStart = from === 0 && own.tokens[other.end]?.parted === true;
      if ((other.end !== own.words.length && !isStart) || other.value.kind === "self") continue;
      const tokens = without(bare.tokens, from, other.end - from);
      if (tokens.length < 2) continue;
      return [
        {
          ...bare,
          tokens,
          cost: bare.cost + other.cost,
          wrap: (one) => bare.wrap(lessen(one, setOf(other.value))),
        },
      ];
    }
  }
  return [];
}

const OVER_SETS = new Set(["name", "count", "exists", "none", "all", "place", "attribute", "most", "least"]);

/** An expression over a set, without some of it. */
function lessen(expression: Expression, less: Expression): Expression {
  const [set, ...rest] = expression.of;
  if (!set || !OVER_SETS.has(expression.op)) return expression;
  const inner = OVER_SETS.has(set.op) ? lessen(set, less) : node("minus", [set, less]);
  return { ...expression, of: [inner, ...rest] };
}

/** "yesterday", "five minutes ago", "at 10:05": up to two of them. */
function times(bare: Bare, s: Sentence): Bare[] {
  const words = bare.tokens.map(({ word }) => word);
  for (let from = 0; from < words.length; from++) {
    const [best] = readTimes(words, from, s.context.nowUs);
    if (!best || (best.length === words.length && words.length < 3)) continue;
    if (bare.tokens.slice(from, from + best.length).some(({ quoted }) => quoted)) continue;
    // "… in 40 seconds ago": the longer reading begins a word later.
    const [next] = readTimes(words, from + 1, s.context.nowUs);
    if (next && from + 1 + next.length > from + best.length) continue;
    const one: Bare = {
      tokens: without(bare.tokens, from, best.length),
      wrap: (expression) => bare.wrap(at(best.times)(expression)),
      cost: bare.cost + best.cost * 0.3,
      hasTime: true,
    };
    return [one, ...times(one, s)];
  }
  return [];
}

/** "usually", "in the mornings". */
function habits(bare: Bare): Bare[] {
  const words = bare.tokens.map(({ word }) => word);
  let found: { from: number; length: number; habit: Habit }[] = [];
  for (let from = 0; from < words.length; from++) {
    const best = readHabit(words, from).find(({ cost }) => cost < 0.5 || found.length > 0);
    if (!best) continue;
    found = [...found, { from, length: best.length, habit: best.habit }];
    from += best.length - 1;
  }
  if (found.length === 0) return [];
  const habit = Object.assign({}, ...found.map((one) => one.habit)) as Habit;
  const tokens = found
    .toReversed()
    .reduce<readonly Token[]>((rest, { from, length }) => without(rest, from, length), bare.tokens);
  return [
    { ...bare, tokens, wrap: (one) => bare.wrap(node("usual", [one], { ...habit })), cost: bare.cost - 0.2 },
  ];
}
