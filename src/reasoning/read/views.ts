import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { type Bare, without } from "./bare.ts";
import { Pattern } from "./pattern.ts";
import { meant, type Noun, setOf } from "./phrases.ts";
import { Sentence } from "./sentence.ts";

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
    return node("name", [
      node("least", [
        node("relate", [node("things"), SELF_VIEW], { relation: side }),
        node("distance", [node("it")]),
      ]),
    ]);
  return { ...one, of: [node("relate", [set, SELF_VIEW], { relation: side }), ...one.of.slice(1)] };
}

/** The point of view that a whole sentence gives; undefined where it says something else. */
export function viewOf(s: Sentence): ((one: Expression) => Expression) | undefined {
  for (const { pattern, build } of VIEWS)
    for (const match of pattern.match(s, 0)) {
      const view = match.end === s.words.length ? build(match.value as Record<string, unknown>) : undefined;
      if (view) return view;
    }
  return undefined;
}

/** Whose left and right is meant, taken out of a sentence. */
export function views(bare: Bare, s: Sentence): Bare[] {
  const own = new Sentence(bare.tokens, s.context);
  for (let from = 0; from < own.words.length; from++) {
    if (
      from > 0 &&
      !own.tokens[from]!.parted &&
      !/^(?:if|when|as|seen|from|entering|standing|facing|looking|while|upon)$/.test(own.words[from]!)
    )
      continue;
    // The longest says most: "enter from the hall and look to my left".
    const matches = VIEWS.flatMap(({ pattern, build }) =>
      pattern.match(own, from).map((match) => ({ ...match, build })),
    ).toSorted((a, b) => b.end - a.end || a.cost - b.cost);
    for (const { build, ...match } of matches) {
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
