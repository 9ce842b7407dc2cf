import type { Expression } from "../../../schema/index.ts";
import { node } from "../../algebra/notation.ts";
import type { Grade } from "../lexicon.ts";
import { measureOf } from "../measures.ts";
import type { Predicate } from "../phrases.ts";
import { meant, type Noun, setOf } from "../phrases.ts";
import { IT, SELF, those, truthOf } from "./build.ts";
import { type Frame, frames } from "./frame.ts";

/** Whether there is such a thing. */
const exists = ({ np, pred }: { np: Noun; pred?: Predicate }): Expression | undefined => {
  if (np.kind === "self") return undefined;
  if (np.items && np.items.length > 1) {
    const each = np.items.map((one) => exists({ np: one, ...(pred && { pred }) }));
    return each.some((one) => !one)
      ? undefined
      : node(np.joined === "or" ? "or" : "and", each as Expression[]);
  }
  const set = those({ ...np, definite: false }, pred);
  if (!set) return undefined;
  if (np.number !== undefined && np.number > 1)
    return node(np.definite ? "equal" : "equal", [node("count", [set]), node("value", [], { n: np.number })]);
  return node(np.quantity === "none" ? "none" : "exists", [set]);
};

/** Whether something has something: a room things in it, a thing parts or things on it. */
const has = (
  { np, other }: { np: Noun; other: Noun },
  s: { words: readonly string[] },
): Expression | undefined => {
  if (other.kind !== "things") return undefined;
  const no =
    other.quantity === "none" ||
    (s.words.includes("not") && !/^(?:do|does|did|has|have)$/.test(s.words[0] ?? ""));
  if (np.kind === "self") return node(no ? "none" : "exists", [setOf(other)]);
  const with_ = (of: Expression) => node("within", [of, setOf(other)], { relation: "with" });
  const test = (of: Expression) => {
    if (np.kind !== "things") return node(no ? "none" : "exists", [node("in", [setOf(other), of])]);
    return no ? node("not", [with_(of)]) : with_(of);
  };
  if (np.quantity === "all" || (np.plural && np.definite)) return node("all", [setOf(np), test(IT)]);
  if (np.quantity === "any" || np.plural) return node("exists", [node("filter", [setOf(np), test(IT)])]);
  return test(meant(np));
};

const NEG = "[not]";

/** Questions that yes or no answers, and those between alternatives. */
export const YES_NO: readonly Frame[] = [
  ...frames(
    [
      `BE there ${NEG} [still | also | actually] $np:any [$pred] [or not]`,
      "(do | did | does) there (seem to be | exist | happen to be) $np:any [$pred]",
      "(i | we | you) (do | did | have) (have | got | see) $np:any [$pred]",
      "(do | does) (i | we | you | they | the house) (have | own | got) [got] $np:any [$pred]",
      "(have | has) (i | we | you) [still | any] got $np:any [$pred]",
      "(any | got any | is any | got) $np:any [$pred] [left | around | here | there | anywhere]",
      "there (is | are) $np:any [$pred]",
      "(can | could) (i | you | we) (find | see | get) $np:any [$pred]",
      "(does | do) $np:any exist [$pred]",
      "(are | is) $np:any to be found [$pred]",
    ],
    exists,
  ),
  ...frames(
    [
      "(do | did | can | could) YOU [ever | also | happen to | actually | already] (see | notice | find | spot | observe | come across | meet | detect | know of | remember | remember seeing | recall seeing | encounter) $np:any [$pred]",
      "HAVE YOU [ever | also | already] (seen | noticed | found | spotted | observed | come across | met | detected | encountered) $np:any [$pred]",
      "(was | were | is | are) $np:any (ever | also) (seen | visible | found | noticed | there | present)",
      "HAVE $np:any [ever | also] been (seen | there) [$pred]",
    ],
    ({ np, pred }: { np: Noun; pred?: Predicate }) => {
      const so = exists({
        np: { ...np, quantity: np.quantity === "none" ? "none" : np.quantity },
        ...(pred && { pred }),
      });
      return so && node("ever", [so]);
    },
  ),
  ...frames(
    [
      `BE $np:any [both | all | each | still | currently | also] $pred`,
      "BE $np:any not $not:pred",
      "BE not $np:any $pred",
      "(do | does | did) $np:any (seem | look | appear | happen to be | remain | stay) [to be] $pred",
      "(has | have | had) $np:any [been | got | gotten] $pred",
      "$np:any (has | have) been $pred",
      "(would | could | might | should | can) $np:any (be | still be) $pred",
      "(do | does | did) $np:any (have | share | own | share a | have a) $pred",
      "(do | does | did) $np:any (stand | lie | sit | hang | rest | lean) $pred",
      "BE it (true | correct | right | the case) that $np:any BE $pred",
      "(is | are | was) $np:any the one $pred",
    ],
    ({ np, pred, not }: { np: Noun; pred?: Predicate; not?: Predicate }, s) => {
      const isNegative = pred === undefined;
      const said = (pred ?? not)!;
      // "Has it been opened or closed" asks whether something happened.
      if (
        /^(?:has|have|had)$/.test(s.words[0] ?? "") &&
        s.words.includes("or") &&
        /\b(?:opened|switched|turned|filled)\b/.test(s.words.join(" "))
      )
        return undefined;
      const truth = truthOf(np, said);
      if (!truth) return undefined;
      // "Isn't the door open?" asks whether it is open.
      const flipped = isNegative && !/^(?:is|are|was|were)$/.test(s.words[0] ?? "");
      if (isNegative && !flipped && s.words[1] !== "not")
        return truth.op === "all"
          ? node("all", [truth.of[0]!, node("not", [truth.of[1]!])])
          : node("not", [truth]);
      return flipped ? node("not", [truth]) : truth;
    },
  ),
  ...frames(
    ["$np:any [still] $pred"],
    ({ np, pred }: { np: Noun; pred: Predicate }) =>
      np.grade ? undefined : truthOf({ ...np, definite: np.definite || (!np.quantity && !np.plural) }, pred),
    0.12,
  ),
  ...frames(
    ["$np:any (is | are | was | were) [still] $pred"],
    ({ np, pred }: { np: Noun; pred: Predicate }) => truthOf({ ...np, definite: true }, pred),
    0.5,
  ),
  ...frames(
    [
      "(do | does | did | has | have | had) $np:any (have | got | contain | hold | carry | include | come with) [got] $other:any",
      "(is | are) $np:any (equipped with | provided with | furnished with | fitted with) $other:any",
      "(do | does) not $np:any have $other:any",
      "$np:any (has | have | contains) $other:any",
      "(do | does) $np:any (have | contain) (anything | something) [on it | in it]",
    ],
    (given: { np: Noun; other?: Noun }, s) =>
      given.other
        ? has({ np: given.np, other: given.other }, s)
        : node("exists", [node("contents", [meant(given.np)])]),
  ),
  ...frames(
    [
      "BE there (more | fewer | less) $np:any $a:pred than $b:pred",
      "BE there (more | fewer | less) $np:any (in | on) $a:any than [in | on] [the] $b:any",
      "(do | does | has | have) $a:any (have | contain | hold) (more | fewer | less) $np:any than $b:any",
      "BE there (as many) $np:any (in | on) $a:any as [in | on] $b:any",
      "BE there as many $np:any $a:pred as $b:pred",
    ],
    (given: { np: Noun; a: Noun | Predicate; b: Noun | Predicate }, s) => {
      const less = s.words.includes("fewer") || s.words.includes("less");
      const op = s.words.includes("many") ? "equal" : less ? "less" : "greater";
      const set = (where: Noun | Predicate) =>
        "test" in where
          ? those(given.np, where)
          : where.kind === "things"
            ? node("relate", [setOf(given.np), meant(where)], { relation: "on" })
            : node("in", [setOf(given.np), setOf(where)]);
      const [a, b] = [set(given.a), set(given.b)];
      return a && b && node(op, [node("count", [a]), node("count", [b])]);
    },
  ),
  ...frames(
    [
      "BE there (more | fewer | less | as many) $np:any (than | as) $other:any [$pred]",
      "(do | does) $where:any have (more | fewer) $np:any than $other:any",
    ],
    ({ np, other, pred, where }: { np: Noun; other: Noun; pred?: Predicate; where?: Noun }, s) => {
      if (np.kind !== other.kind) return undefined;
      const op = s.words.includes("many") ? "equal" : s.words.includes("more") ? "greater" : "less";
      const put = (noun: Noun) => (where ? node("in", [setOf(noun), setOf(where)]) : those(noun, pred));
      const [a, b] = [put(np), put(other)];
      return a && b && node(op, [node("count", [a]), node("count", [b])]);
    },
  ),
  ...frames(
    [
      "(do | does | is) [the] (number | count) of $np:any $a:pred (exceed | exceeds | greater than | larger than | higher than | more than | bigger than) (that | the one | those | the number) $b:pred",
      "(is | are) $np:any count $a:region (greater than | more than | larger than) $other:any count $b:region",
    ],
    ({ np, a, b }: { np: Noun; a: Predicate | Noun; b: Predicate | Noun }) => {
      const set = (where: Noun | Predicate) =>
        "test" in where ? those(np, where) : node("in", [setOf(np), setOf(where)]);
      const [one, other] = [set(a), set(b)];
      return one && other && node("greater", [node("count", [one]), node("count", [other])]);
    },
  ),
  ...frames(
    [
      "(do | did) YOU $doing $np:any first",
      "$np:any first",
      "(do | did) YOU (visit | enter | see | go into | go to) $np:any first",
    ],
    ({ np }: { np: Noun }) => {
      if (!np.items || np.items.length < 2 || np.joined !== "or") return undefined;
      const first =
        np.kind === "rooms"
          ? node("seen", [node("stay", [IT])], { which: "first" })
          : node("seen", [IT], { which: "first" });
      return node("name", [
        node("least", [
          node(
            "or",
            np.items.map((one) => meant({ ...one, definite: true })),
          ),
          first,
        ]),
      ]);
    },
    -0.02,
  ),
  ...frames(
    [
      "(do | does | must) (i | you | we) have to (go up | go down | climb | use | take) [the | any] stairs [in this house | here]",
      "(do | does | has | have) (this house | the house | this place | it) [have] [a | an] (stairs | second floor | upper floor | another floor | upstairs | cellar or second floor | second floor or cellar | basement | cellar | first floor)",
      "BE there (stairs | a staircase | an upstairs | a second floor | an upper floor | another floor | more than one floor) [here | in this house]",
      "how many (floors | storeys | levels) (does | do | has | have | are there in) [this house | the house | it] [have]",
    ],
    (_: object, s) =>
      s.words[0] === "how"
        ? node("count", [node("floors")])
        : node("greater", [node("count", [node("floors")]), node("value", [], { n: 1 })]),
    -0.05,
  ),
  ...frames(
    [
      "(more | fewer | less) $np:any than $other:any [$pred]",
      "BE there (more | fewer) $np:any than $other:any [$pred]",
    ],
    ({ np, other, pred }: { np: Noun; other: Noun; pred?: Predicate }, s) => {
      const [a, b] = [those(np, pred), those(other, pred)];
      return np.kind === other.kind && a && b
        ? node(s.words.includes("more") ? "greater" : "less", [node("count", [a]), node("count", [b])])
        : undefined;
    },
    0.05,
  ),
  ...frames(
    [
      "(has | have | does | do) $a:any (more | fewer) [of] $np:any (than | as) $b:any",
      "(has | have) $a:any got (more | fewer) $np:any than $b:any",
    ],
    ({ np, a, b }: { np: Noun; a: Noun; b: Noun }, s) =>
      a.kind === "rooms" && b.kind === "rooms"
        ? node(
            s.words.includes("more") ? "greater" : "less",
            [a, b].map((where) => node("count", [node("in", [setOf(np), setOf(where)])])),
          )
        : undefined,
  ),
  ...frames(
    [
      "(HAVE | DO) (somebody | someone | anybody | anyone | i | we | they | you) (left | leave | forgotten | forget) $np:any $pred",
      "(i | we | somebody | someone) (left | have left | forgot) $np:any $pred",
    ],
    ({ np, pred }: { np: Noun; pred: Predicate }) => truthOf(np, pred),
    0.05,
  ),
  ...frames(
    [
      "BE there [any | some | still] (water | tea | coffee | juice | milk | liquid | soup | food | fuel | something | anything) [left] in $np:any",
      "(is | does) $np:any (have | contain) [any | some] (water | tea | coffee | juice | liquid)",
    ],
    ({ np }: { np: Noun }) =>
      np.kind === "things" ? node("is", [meant(np)], { attribute: "fill", value: "full" }) : undefined,
    0.2,
  ),
  ...frames(
    [
      "BE there (enough | sufficient | any | still | still some) (room | space) [left | free] (on | in | under | at | inside) $host:any (for | to put | to place | to fit) $np:any",
      "BE there (room | space) [left | free] (on | in | under | at | inside) $host:any (for | to put | to place | to fit) $np:any",
      "(can | could | would | will | does | do) $np:any [still | also] (fit | go | stand | be put | be placed) (on | in | into | onto | under | inside) $host:any",
      "BE $host:any (big | large | wide | long | roomy | spacious) enough for $np:any",
      "(can | could) (i | you | we) (put | place | fit | get) $np:any (on | in | into | onto | under) $host:any",
      "(do | does) $host:any have (room | space) for $np:any",
      "BE there (free | enough | any | still) (room | space) (on | in) $host:any",
      "BE there (room | space) [left] (on | in) $host:any",
    ],
    ({ host, np }: { host: Noun; np?: Noun }) =>
      host.kind === "things"
        ? node("fits", np ? [meant(host), meant({ ...np, definite: true })] : [meant(host)])
        : undefined,
    -0.05,
  ),
  ...frames(
    [
      "how many [more] $np:any (can | could | would) [still] (fit | go | be put | stand) (on | in | into | onto) $host:any",
      "how many [more] $np:any fit (on | in | into) $host:any",
      "how many more $np:any (can | could) (i | you | we) (put | place | fit) (on | in) $host:any",
    ],
    ({ host, np }: { host: Noun; np: Noun }) => node("capacity", [meant(host), setOf(np)]),
  ),
  ...frames(
    [
      "how many (people | persons | guests | of us) (can | could) (sit | sit down | take a seat | be seated) [$region:region]",
      "how many (people | persons | guests) (can | could) (sit | sit down) [in | at | on | around] [$region:any]",
      "how many [free | empty | available | unoccupied] (seats | places to sit | seating places | spots to sit) BE [there] [left | free] [in | at] [$region:any]",
    ],
    ({ region }: { region?: Noun }) =>
      node("capacity", [region ? meant(region) : node("house")], { verb: "sit" }),
  ),
  ...frames(
    [
      "how many (people | persons | guests) (can | could) (sleep | spend the night | stay the night | stay overnight) [in | at | here] [$region:any]",
    ],
    ({ region }: { region?: Noun }) =>
      node("capacity", [region ? meant(region) : node("house")], { verb: "sleep" }),
  ),
  ...frames(
    [
      "(can | could) (i | you | we | one) (see | reach | get to | go to | enter | access) $np:any from $other:any",
      "BE $np:any (visible | reachable | accessible) from $other:any",
      "(can | could) (i | you | we) (reach | get to | go to | access) $np:any",
      "BE $np:any (reachable | accessible)",
    ],
    ({ np, other }: { np: Noun; other?: Noun }) =>
      node("reachable", other ? [meant(np), meant(other)] : [meant(np)]),
    0.1,
  ),
  ...frames(
    ["BE $np:any $more than $other:any or [is] [it] (the other way round | vice versa)"],
    ({ np, other, more }: { np: Noun; other: Noun; more: Grade }) =>
      node(more.way === "most" ? "greater" : "less", [
        measureOf(more.measure, meant(np), np.kind),
        measureOf(more.measure, meant(other), other.kind),
      ]),
  ),
  ...frames(
    ["(are | am | is | were | was) (you | i | we) $pred", "(do | did) (you | i) (stand | sit) $pred"],
    ({ pred }: { pred: Predicate }) => pred.test(SELF, "self"),
    0.02,
  ),
  ...frames(
    [
      "BE (anyone | anybody | someone | somebody) (home | at home | here | there | around)",
      "(anyone | anybody) (home | here | around)",
    ],
    () => node("exists", [node("things", [], { category: "person" })]),
  ),
];
