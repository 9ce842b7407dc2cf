import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { type Habit, readHabit } from "./habit.ts";
import { meant, type Noun, setOf } from "./noun-phrase.ts";
import { Pattern } from "./pattern.ts";
import { BUT } from "./post-modifiers.ts";
import { Sentence } from "./sentence.ts";
import { readTimes } from "./times.ts";
import type { Token } from "./tokens.ts";

/** A sentence without what says when, how usually and from where, and what that was. */
export interface Bare {
  readonly tokens: readonly Token[];
  readonly wrap: (expression: Expression) => Expression;
  readonly cost: number;
  readonly hasTime: boolean;
  /** What a clause that was taken out speaks of: "when you last saw the lamp, was it on?" */
  readonly antecedent?: Expression | undefined;
}

const NOW = new Set(["moment"]);

/** All ways to take adjuncts out of a sentence: none, the times, the clauses of time, the point of view. */
export function withoutAdjuncts(s: Sentence): Bare[] {
  const plain: Bare = { tokens: s.tokens, wrap: (one) => one, cost: 0, hasTime: false };
  const clause = timeClauses(s);
  const found = [plain, ...clause];
  const timed = found.flatMap((one) => [one, ...times(one, s)]);
  const viewed = timed.flatMap((one) => [one, ...views(one, s)]);
  const scoped = viewed.flatMap((one) => [one, ...scopes(one, s)]);
  const always = scoped.flatMap((one) => [one, ...throughout(one)]);
  const usual = always.flatMap((one) => [one, ...habits(one, s)]);
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

function at(times: Expression): (expression: Expression) => Expression {
  // "Now" says nothing that is not so anyway.
  if (NOW.has(times.op) && Object.keys(times.with).length === 0) return (one) => one;
  return (one) =>
    one.op === "likely" ? node("likely", [one.of[0]!, times]) : node("at", [nextRoom(one, times), times]);
}

/** "Where did you go after the kitchen" asks for the next room, not for all that followed. */
function nextRoom(expression: Expression, { op }: Expression): Expression {
  const [room] = expression.of;
  const [doings] = room?.of ?? [];
  if (
    expression.op !== "name" ||
    room?.op !== "room" ||
    doings?.op !== "doings" ||
    !/^(?:after|before)$/.test(op)
  )
    return expression;
  const visits = { ...doings, with: { ...doings.with, verb: "visit" } };
  const order = node("seen", [node("it")], { which: "first" });
  return node("name", [node("room", [node("nth", [visits, order], { n: op === "after" ? 1 : -1 })])]);
}

function without(tokens: readonly Token[], from: number, length: number): Token[] {
  const rest = [...tokens.slice(0, from), ...tokens.slice(from + length)];
  const next = rest[from];
  if (next && tokens[from]?.parted) rest[from] = { ...next, parted: true };
  return rest;
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
function habits(bare: Bare, s: Sentence): Bare[] {
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
  void s;
  return [
    { ...bare, tokens, wrap: (one) => bare.wrap(node("usual", [one], { ...habit })), cost: bare.cost - 0.2 },
  ];
}

const HEADS =
  "(right before | just before | shortly before | before | prior to | right after | just after | shortly after | immediately after | after | since | when | while | until | once | following | the moment | the last time | the first time)";
const WHO = "(i | you | we | the robot | you had | i had | you have | you first | you last | you were)";

/** Clauses that say when by what happened: what was done or seen then. */
const CLAUSES: readonly {
  pattern: Pattern;
  build(given: Record<string, unknown>): Expression | undefined;
}[] = [
  {
    pattern: new Pattern(
      `${HEADS} [that] ${WHO} [had | have | $order | were | was | just | first | last] $doing [$np:any] [$order]`,
    ),
    build: ({ doing, np, order }) =>
      event(doing as string, np as Noun | undefined, order as string | undefined),
  },
  {
    pattern: new Pattern(
      `${HEADS} (entering | leaving | visiting | exiting | seeing | passing | going into | going to | coming to) $np:any`,
    ),
    build: ({ np }) => event("", np as Noun),
  },
  {
    pattern: new Pattern(
      `${HEADS} [that] ${WHO} [$order] [were | was | had been | been] (in | inside | at) $np:any`,
    ),
    build: ({ np, order }) => event("enter", np as Noun, order as string | undefined),
  },
  {
    pattern: new Pattern(
      `${HEADS} (your | my | the | our) [$order] (visit to | stay in | stop in | time in | visit in) $np:any`,
    ),
    build: ({ np, order }) => event("enter", np as Noun, order as string | undefined),
  },
  {
    pattern: new Pattern(
      "(right after | just after | straight after | directly after | immediately after | after | right before | just before | directly before | before | straight before) $np:rooms",
    ),
    build: ({ np }) => event("enter", np as Noun),
  },
  {
    pattern: new Pattern(`${HEADS} [that] $np:any (BE | HAVE been | got | BE being) [$order] $happening`),
    build: ({ np, happening, order }) =>
      (np as Noun).kind === "things"
        ? node("when", [node("changes", [meant(np as Noun)], { kinds: [happening as string] })], {
            which: order === "first" ? "first" : "last",
          })
        : undefined,
  },
  {
    pattern: new Pattern(`${HEADS} [that] $np:any $happening`),
    build: ({ np, happening }) =>
      (np as Noun).kind === "things"
        ? node("when", [node("changes", [meant(np as Noun)], { kinds: [happening as string] })], {
            which: "last",
          })
        : undefined,
  },
  {
    pattern: new Pattern(`${HEADS} [that] $np:any BE [$order] seen`),
    build: ({ np, order }) =>
      (np as Noun).kind === "things"
        ? node("when", [meant(np as Noun)], { which: order === "first" ? "first" : "last" })
        : undefined,
  },
  {
    pattern: new Pattern(
      "(the last time | when | the last time that) YOU [last] (saw | looked at | passed | were near) (it | them | that | him | her)",
    ),
    build: () => LAST_LOOK,
  },
  {
    pattern: new Pattern(
      "(the first time | when) YOU (first) (saw | looked at | noticed) (it | them | that)",
    ),
    build: () => node("moment", [], { phase: "start" }),
  },
];
const LAST_LOOK = node("moment");

function event(verb: string, np: Noun | undefined, order?: string): Expression | undefined {
  if (np?.kind === "self" || np?.pronoun) return undefined;
  const which = order === "first" ? "first" : "last";
  if (np?.kind === "things" && verb === "see" && order === "last") return LAST_LOOK;
  if (np?.kind === "things" && (verb === "see" || verb === ""))
    return node("when", [meant(np)], { which: order === "last" ? "last" : "first" });
  return node(
    "when",
    [
      node("doings", np ? [np.kind === "things" ? meant(np) : setOf(np)] : [], {
        verb: verb === "" ? "enter" : verb,
      }),
    ],
    { which },
  );
}

/** The span that a head opens from a moment. */
function spanOf(head: string, times: Expression): Expression {
  if (times === LAST_LOOK) return times;
  if (/before|prior|until/.test(head)) return node("before", [times]);
  if (/after|since|following|once/.test(head)) return node("after", [times]);
  return times;
}

/** "before you entered the kitchen", at the beginning or at the end of a sentence. */
function timeClauses(s: Sentence): Bare[] {
  const found: Bare[] = [];
  for (let from = 0; from < s.words.length; from++) {
    if (
      !/^(?:right|just|straight|directly|shortly|before|prior|immediately|after|since|when|while|until|once|following|the)$/.test(
        s.words[from]!,
      )
    )
      continue;
    // "When did …" asks, and does not say, when.
    if (
      from === 0 &&
      s.words[0] === "when" &&
      /^(?:did|was|were|is|are|do|does|have|has|will)$/.test(s.words[1] ?? "")
    )
      continue;
    if (s.words[from] === "the" && !/^(?:last|first|moment)$/.test(s.words[from + 1] ?? "")) continue;
    for (const { pattern, build } of CLAUSES)
      for (const match of pattern.match(s, from)) {
        const isEnd = match.end === s.words.length;
        if (
          !isEnd &&
          !(
            from === 0 &&
            (s.tokens[match.end]?.parted ||
              /^(?:where|what|which|who|how|is|are|was|were|did|do|does|has|have|can)$/.test(
                s.words[match.end] ?? "",
              ))
          )
        )
          continue;
        const moment = build(match.value as Record<string, unknown>);
        if (!moment) continue;
        const head = s.words.slice(from, from + 3).join(" ");
        const first = /\bfirst\b/.test(s.words.slice(from, match.end).join(" "));
        const times = spanOf(
          head,
          first && moment.op === "when" ? { ...moment, with: { ...moment.with, which: "first" } } : moment,
        );
        const rest = without(s.tokens, from, match.end - from);
        if (rest.length < 2) continue;
        const np = (match.value as { np?: Noun }).np;
        const antecedent = np?.kind === "things" && !np.pronoun ? { antecedent: meant(np) } : {};
        found.push({ tokens: rest, wrap: at(times), cost: match.cost, hasTime: true, ...antecedent });
      }
  }
  return found.sort((a, b) => a.tokens.length - b.tokens.length || a.cost - b.cost).slice(0, 3);
}

const STAND =
  "(stand | am standing | stood | am | sit | am sitting | were standing | were | standing | sitting | lie | am lying | was | lying)";
const FACE =
  "(face | facing | look at | looking at | looking towards | look towards | am facing | turn to | looking toward | looking out | with my face to | facing towards | look toward | turned to)";
const BY =
  "(at | by | in | on | next to | in front of | near | beside | inside | before | behind | with my back to)";
const VIEWS: readonly {
  pattern: Pattern;
  build(given: Record<string, unknown>): ((one: Expression) => Expression) | undefined;
}[] = [
  {
    pattern: new Pattern(
      `[if | when | suppose | imagine | assuming | say | while | i] [i | you | we] ${STAND} ${BY} $a:any [and | while | with] [i | you] ${FACE} [the direction of] $b:any`,
    ),
    build:
      ({ a, b }) =>
      (one) =>
        node("from", [one, meant(a as Noun), meant(b as Noun)]),
  },
  {
    pattern: new Pattern(
      `[if | when | suppose | imagine | assuming | while | i] [i | you | we] ${FACE} $b:any`,
    ),
    build:
      ({ b }) =>
      (one) =>
        node("from", [one, SELF_VIEW, meant(b as Noun)]),
  },
  {
    pattern: new Pattern(
      "[if | when | as | after | upon | on] [i | you | we] (enter | entering | come into | coming into | walk into | walking into | step into | stepping into | go into | going into | came into | entered) $a:any (from | through | coming from | out of | via) $b:any",
    ),
    build:
      ({ a, b }) =>
      (one) =>
        node("from", [one, setOf(a as Noun), setOf(b as Noun)], { entering: true }),
  },
  {
    pattern: new Pattern("[and] [if | when] [i | you] (look | looking) $side"),
    build:
      ({ side }) =>
      (one) =>
        lookTo(one, side as string),
  },
  {
    pattern: new Pattern(
      "[if | when | as | after | upon | on] [i | you | we] (enter | entering | come into | walk into | step into | go into) $a:any (from | through | coming from) $b:any [and] (look | looking) $side",
    ),
    build:
      ({ a, b, side }) =>
      (one) =>
        node("from", [lookTo(one, side as string), setOf(a as Noun), setOf(b as Noun)], { entering: true }),
  },
  {
    pattern: new Pattern("[as | when] (seen | viewed | looking | observed) from $a:any [towards $b:any]"),
    build:
      ({ a, b }) =>
      (one) =>
        node("from", b ? [one, meant(a as Noun), meant(b as Noun)] : [one, meant(a as Noun)]),
  },
  {
    pattern: new Pattern(
      "from (the perspective of | the viewpoint of | the point of view of | where) $a:any",
    ),
    build:
      ({ a }) =>
      (one) =>
        node("from", [one, meant(a as Noun)]),
  },
  {
    pattern: new Pattern(`[if | when | while] [i | you | we] ${STAND} ${BY} $a:any`),
    build: ({ a }) =>
      (a as Noun).kind === "self" ? undefined : (one) => node("from", [one, meant(a as Noun)]),
  },
];
const SELF_VIEW = node("self");

/** "If I look to my left, what do I see": what is on that side. */
function lookTo(one: Expression, side: string): Expression {
  const [set] = one.of;
  if (one.op === "describe" || set === undefined)
    return node("name", [node("relate", [node("things"), SELF_VIEW], { relation: side })]);
  return { ...one, of: [node("relate", [set, SELF_VIEW], { relation: side }), ...one.of.slice(1)] };
}

/** Whose left and right is meant: "if I stand at the sink and face the window", "entering from the hall". */
function views(bare: Bare, s: Sentence): Bare[] {
  const own = new Sentence(bare.tokens, s.context);
  for (let from = 0; from < own.words.length; from++) {
    if (
      from > 0 &&
      !own.tokens[from]!.parted &&
      !/^(?:if|when|as|seen|from|entering|standing|facing|looking|while|upon)$/.test(own.words[from]!)
    )
      continue;
    for (const { pattern, build } of VIEWS)
      for (const match of pattern.match(own, from).toSorted((a, b) => b.end - a.end)) {
        const isEnd = match.end === own.words.length;
        const next = own.words[match.end] ?? "";
        const isStart =
          from === 0 &&
          (own.tokens[match.end]?.parted ||
            /^(?:and|what|which|where|is|are|who|how|then|do|does|can)$/.test(next));
        if (!isEnd && !isStart) continue;
        const view = build(match.value as Record<string, unknown>);
        let rest = without(own.tokens, from, match.end - from);
        if (isStart && /^(?:and|then)$/.test(rest[0]?.word ?? "")) rest = rest.slice(1);
        if (!view || rest.length < 2 || (isEnd && from === 0)) continue;
        return [
          {
            tokens: rest,
            wrap: (one) => bare.wrap(view(one)),
            cost: bare.cost + match.cost,
            hasTime: bare.hasTime,
          },
        ];
      }
  }
  return [];
}
