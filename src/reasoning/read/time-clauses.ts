import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { at, type Bare, without } from "./bare.ts";
import { Pattern } from "./pattern.ts";
import { meant, type Noun, setOf } from "./phrases.ts";
import type { Sentence } from "./sentence.ts";

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
export function timeClauses(s: Sentence): Bare[] {
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
