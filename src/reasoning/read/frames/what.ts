import type { Expression } from "../../../schema/index.ts";
import { node } from "../../algebra/notation.ts";
import type { Grade, Relation } from "../lexicon.ts";
import { measureOf } from "../measures.ts";
import type { Predicate } from "../phrases.ts";
import { meant, type Noun, setOf } from "../phrases.ts";
import { placedAt } from "../places.ts";
import { ANYTHING, IT, nameOf, SELF, those } from "./build.ts";
import { type Frame, frames } from "./frame.ts";

const WHAT = "(what | which | which one | what all)";
const SEE =
  "(can | do | could | did | would | will | might) (i | you | we | one) (see | find | spot | notice | have | discover | detect | observe | expect | saw)";

const MANY = /\b(?:things|objects|items|everything|all|whatever|stuff|list)\b/;

/** "What was on your left": one thing is meant, the nearest. */
function nearestOf(set: Expression): Expression {
  return node("least", [set, node("distance", [IT])]);
}

function isBesideSelf({ op, of }: Expression): boolean {
  return op === "relate" && of[1]?.op === "self";
}

/** What, which and who: names of sets. */
export const WHAT_FRAMES: readonly Frame[] = [
  ...frames(
    [
      "(what | which) (of | among) $np:any (shares | share) (a | the) (room | floor | colour) with $other:any",
    ],
    ({ np, other }: { np: Noun; other: Noun }, s) => {
      const measure = s.words.find((word) => /^(?:room|floor|colour)$/.test(word))!;
      return nameOf(node("filter", [setOf(np), node("same", [IT, meant(other)], { measure })]));
    },
    -0.1,
  ),
  ...frames(
    [
      "(which | what) (of these | one) BE [the] ($more | $most) (to | from | away from) $anchor:any $list",
      "(which | what) (of these | one) BE [the] ($more | $most) $list",
    ],
    ({ more, most, anchor, list }: { more?: Grade; most?: Grade; anchor?: Noun; list: readonly Noun[] }) => {
      const grade = (more ?? most)!;
      const set = node(
        "or",
        list.map((one) => meant({ ...one, definite: true, plural: false })),
      );
      return nameOf(
        node(grade.way, [set, measureOf(grade.measure, IT, list[0]!.kind, anchor && meant(anchor))]),
      );
    },
    -0.05,
  ),
  ...frames(
    [
      `${WHAT} [else] (BE | HAVE been | lies | stands | sits | hangs | remains | BE there | rests | goes | can be found | can be seen | BE found) $pred`,
      `${WHAT} [else] ${SEE} $pred`,
      `${WHAT} (things | objects | items | stuff | kind of things | sort of things | other things | else) (BE | BE there | ${"are found"} | lie | stand | sit | HAVE been) $pred`,
      `(list | name | enumerate | tell me | show me | give me | give me a list of | make a list of | tell me about) (everything | all things | all objects | all items | all the things | all the objects | all the items | the things | the objects | whatever | what | anything) [that] [there] [BE] $pred`,
      "(everything | whatever | all | all things | all the things | the things | things) [that | which] [BE] $pred",
      "anything $pred",
    ],
    ({ pred }: { pred: Predicate }, s) => {
      const set = pred.filter(ANYTHING.set, "things");
      return set && nameOf(isBesideSelf(set) && !MANY.test(s.words.join(" ")) ? nearestOf(set) : set);
    },
  ),
  ...frames(
    [
      `(what | which) $np:any [BE | HAVE been | BE there | HAVE] $pred`,
      `(what | which) $np:any (do | does | did) [i | you | we] [see | have | find | know of] $pred`,
      `(list | name | enumerate | show me | give me | tell me | show) [me] [all] $np:any [that | which] [BE] $pred`,
      `(what | which) (of | among) $np:any (BE | has | have | shares | share | lies | stands) $pred`,
      "which (one | ones) of $np:any BE $pred",
    ],
    ({ np, pred }: { np: Noun; pred: Predicate }) => {
      if (np.kind === "self" || (np.generic === false && np.definite && !np.plural && !np.items))
        return undefined;
      const set = those(np, pred);
      return set && nameOf(np.generic && !np.plural && isBesideSelf(set) ? nearestOf(set) : set);
    },
  ),
  ...frames(
    [
      `(what | which) $np:any BE (there | here | present | available | around)`,
      `(what | which) $np:any ${SEE}`,
      `(what | which) $np:any DO YOU (see | find | notice | know | come across | observe | remember)`,
      `(what | which) $np:any HAVE YOU (seen | found | noticed | come across | got)`,
      `(list | name | enumerate | show me | tell me) [me] [all] $np:any`,
      "(what | which) $np:any (exist | do we have | have we got | do you know | can be found | is it | are they)",
      "(what | which) $np:any",
      "what (kind | kinds | types | sorts | type | sort) of $np:any BE (there | here | that | this | it) [$pred]",
      "what (kind | type | sort) of $np:any [BE] $pred",
      "what (kind | type | sort) of $np:any (do | have) (i | we | you) [got | have] $pred",
    ],
    ({ np, pred }: { np: Noun; pred?: Predicate }) => {
      if (np.kind === "self" || np.generic) return undefined;
      const set = those(np, pred);
      return set && nameOf(set);
    },
    0.08,
  ),
  ...frames(
    [
      `${WHAT} BE $np $rel`,
      `${WHAT} BE $np (standing | lying | sitting | hanging | placed | resting | leaning | located) $rel`,
      `${WHAT} (do | does | did) $np (stand | lie | sit | hang | rest | lean | live) $rel`,
    ],
    ({ np, rel }: { np: Noun; rel: Relation }) => {
      // "What is the mug on" asks for what carries it.
      const inverse: Partial<Record<Relation, Relation>> = {
        on: "under",
        in: "with",
        under: "above",
        above: "under",
        below: "above",
        left: "right",
        right: "left",
        front: "behind",
        behind: "front",
      };
      if (rel === "on" || rel === "in") return node("place", [meant(np)], { detail: "support" });
      const set = placedAt(node("things"), "things", inverse[rel] ?? rel, { ...np, definite: true });
      return set && nameOf(set);
    },
    0.1,
  ),
  ...frames(
    [
      "what BE $np:any",
      "what (exactly | kind of thing | type of thing | sort of thing) BE $np:any",
      "(identify | recognise | recognize) $np:any",
      "who BE $np",
      "what (do | would) you call $np",
      "what BE (this | that)",
      "what (kind | type | sort) of (thing | object) BE $np",
    ],
    ({ np }: { np: Noun }) =>
      np && np.kind !== "self" ? nameOf(meant(np)) : np ? undefined : nameOf(node("shown")),
    0.25,
  ),
  ...frames(
    [
      "$pred what (stands | is | lies | hangs | do you see | can be found) [there]",
      "$pred what BE there",
      "[directly | right] $pred",
    ],
    ({ pred }: { pred: Predicate }) => {
      const set = pred.filter(ANYTHING.set, "things");
      return set && set.op === "relate" ? nameOf(set) : undefined;
    },
    0.15,
  ),
  ...frames(
    [
      "what (do | does | did) $np:any (contain | have | hold | carry inside | store) [in it | inside | on it]",
      "what BE $np:any (full of | filled with)",
      "[the] (contents | content) of $np:any",
      "what BE the (contents | content) of $np:any",
    ],
    ({ np }: { np: Noun }) => {
      if (np.kind === "self") return undefined;
      return nameOf(
        np.kind === "things" ? node("contents", [meant(np)]) : node("in", [node("things"), setOf(np)]),
      );
    },
  ),
  ...frames(
    [
      "(what | which) [other] rooms BE (next to | adjacent to | connected to | reachable from | beside | near | by | attached to) $rooms",
      "(what | which) [other] rooms (does | do | can) $rooms (connect to | lead to | open to | open onto | border | reach)",
      "(what | which) room BE (next to | adjacent to | connected to | beside | behind) $rooms",
      "where (do | does) the (door | doors) (of | in) $rooms lead [to]",
      "(what | which) rooms can (i | you | one) (reach | get to | enter) from $rooms",
      "what BE (next to | adjacent to | connected to) $rooms",
      "what (rooms | room) (connect | connects | lead | leads | open | opens) (to | onto | into) $rooms",
    ],
    ({ rooms }: { rooms: Noun }) => nameOf(node("neighbours", [setOf(rooms)])),
  ),
  ...frames(
    [
      "who [else] BE $pred",
      `who [else] ${SEE} [$pred]`,
      "who [else] DO YOU (see | meet | find | encounter | notice | spot | come across | run into | bump into) [$pred] [on your round | on your way | on your tour]",
      "who [else] HAVE YOU (seen | met) [$pred]",
      "who [else] BE (there | here | around | home | at home | present) [$pred]",
      "who [else] HAVE been $pred",
      "(which | what) people DO YOU (see | meet) [$pred]",
      "who (lives | sits | stands | works | sleeps) $pred",
      "who lives here",
    ],
    ({ pred }: { pred?: Predicate }) => {
      const set = pred
        ? pred.filter(node("things", [], { category: "person" }), "things")
        : node("things", [], { category: "person" });
      return set && nameOf(set);
    },
  ),
  ...frames(
    [
      "who (moved | carried | took | brought | removed | picked up | displaced | grabbed) $np",
      "who (has | have) (moved | carried | taken | brought | removed) $np",
      "by whom BE $np (moved | carried | taken)",
      "who (was | is) carrying $np",
      "who (was | is) (holding | moving) $np",
    ],
    ({ np }: { np: Noun }) =>
      nameOf(
        node("filter", [
          node("things", [], { category: "person" }),
          node("exists", [node("and", [node("carried", [IT]), setOf(np)])]),
        ]),
      ),
  ),
  ...frames(
    [
      "$np wearing (what | which) [colour | clothes]",
      "(what | which) (colour | colours) (BE | are) $np (dressed in | clothed in)",
      "$np colour of clothes",
      "colour of clothes of $np",
      "what BE $np wearing",
      "what (colour | kind of clothes | clothes) BE $np wearing",
      "what DO $np wear",
      "what DO $np have on",
    ],
    ({ np }: { np: Noun }) => node("attribute", [meant(np)], { name: "colour" }),
  ),
  ...frames(
    [
      "what (was | is | were) $np [$order] (carrying | holding | bringing | taking)",
      "what DO $np [$order] (carry | hold | bring | take | pick up | move)",
      "what HAVE $np (carried | taken | moved)",
      "(which | what) (thing | object | item) (was | did | is) $np (carry | carrying | holding | take | hold)",
    ],
    ({ np }: { np: Noun }) => nameOf(node("carried", [meant(np)])),
  ),
  ...frames(
    [
      "(what | which) [one] (is | was | are | were) [the] $more $np:any",
      "(what | which) (is | was | are | were) [the] $most $np:any",
      "(which | what) (of | one of | among) $np:any BE [the] ($most | $more)",
      "$np:any (which | what) [one] (is | are) [the] ($more | $most)",
      "(is | are | was) $np:any $more",
      "(which | what) BE [the] $more of $np:any",
      "which of (the | these) two BE $more $np:any",
      "$np:any $more",
    ],
    ({ np, more, most }: { np: Noun; more?: Grade; most?: Grade }) => {
      const grade = more ?? most;
      if (
        !grade ||
        (more && !most && !(np.items && np.items.length > 1) && np.number === undefined && !np.plural)
      )
        return undefined;
      return nameOf(node(grade.way, [setWithEach(np), measureOf(grade.measure, IT, np.kind)]));
    },
  ),
  ...frames(
    [
      "(what | which) [one] (BE | lies | stands | sits) [the] ($more | $most) (to | from | away from) $anchor:any [$np:any]",
      "(which | what) of $np:any BE [the] ($more | $most) (to | from | away from) $anchor:any",
    ],
    ({ np, more, most, anchor }: { np?: Noun; more?: Grade; most?: Grade; anchor: Noun }) => {
      const grade = (more ?? most)!;
      if (grade.measure.op !== "distance") return undefined;
      return nameOf(
        node(grade.way, [
          np ? setWithEach(np) : node("things"),
          measureOf(grade.measure, IT, np?.kind ?? "things", meant(anchor)),
        ]),
      );
    },
  ),
  ...frames(
    [
      "(which | what) $np:any (has | have | had | contains | contain | holds) $amount $things:any [$pred]",
      "(in | on) (which | what) $np:any (BE | hang | hangs | stand | stands | lie | lies | sit | do you see | can you find) [there] $amount [of] $things:any",
      "where BE [there] $amount $things:any",
      "(which | what) (of | one of) $np:any (has | have | contains) $amount $things:any",
      "which (has | contains) $amount $things:any $np:any",
      "(who | which one) has $amount $things:any $np:any",
      "$np:any with $amount $things:any",
    ],
    ({
      np,
      amount,
      things,
      pred,
    }: {
      np?: Noun;
      amount: "most" | "least";
      things: Noun;
      pred?: Predicate;
    }) => {
      const kind = np?.kind ?? "rooms";
      if (kind === "self" || things.kind !== "things") return undefined;
      const set = np ? setWithEach(np) : node("rooms");
      const what = those(things, pred);
      if (!what) return undefined;
      const inside =
        kind === "things" ? node("relate", [what, IT], { relation: "on" }) : node("in", [what, IT]);
      return nameOf(node(amount, [set, node("count", [inside])]));
    },
  ),
  ...frames(
    [
      "(which | what) $np:any (has | have | had | contains | contain | holds) [got] $other:any",
      "(which | what) of $np:any (has | have) not [got] $other:any",
      "(which | what) of $np:any (has | have) $other:any",
      "(which | what) $np:any (do | does) not have $other:any",
      "(list | name) [all] $np:any (with | that have) $other:any",
      "(which | what) $np:any (lack | lacks | is without | are without) $other:any",
    ],
    ({ np, other }: { np: Noun; other: Noun }, s) => {
      if (np.kind === "self" || other.kind !== "things") return undefined;
      const no =
        other.quantity === "none" ||
        s.words.includes("not") ||
        s.words.some((word) => /^lacks?$|^without$/.test(word));
      if (np.kind === "things") {
        const those = node("relate", [setOf(np), setOf(other)], { relation: "with" });
        return nameOf(no ? node("minus", [setOf(np), those]) : those);
      }
      return nameOf(
        node("filter", [setOf(np), node(no ? "none" : "exists", [node("in", [setOf(other), IT])])]),
      );
    },
    0.05,
  ),
  ...frames(
    [
      "(what | which | who) [$np:any] DO YOU (see | notice | find | observe | spot | encounter | come across | meet) $order [$list:any]",
      "(what | which) [of] [$list:any] DO YOU (see | notice | find) $order",
      "(what | which) BE the $order (thing | object | item) [that] YOU (saw | noticed | found)",
      "(which | what) (came | come) $order [$list:any]",
      "(what | which) BE $order [$list:any]",
    ],
    ({ np, order, list }: { np?: Noun; order: string; list?: Noun }) => {
      const noun = list ?? np ?? ANYTHING;
      if (noun.kind === "self") return undefined;
      const way = order === "last" ? "most" : "least";
      return nameOf(
        node(way, [setWithEach(noun), node("seen", [IT], { which: order === "last" ? "last" : "first" })]),
      );
    },
    0.02,
  ),
  ...frames(
    [
      "(which | which one | what | which room) DO YOU $doing $order $np:any",
      "(which | which one) of $np:any DO YOU $doing $order",
      "(which | what) room DO YOU $doing $order $np:any",
    ],
    ({ np, order }: { np: Noun; order: string }) =>
      np.kind === "rooms" && np.items
        ? nameOf(
            node(order === "last" ? "most" : "least", [
              setWithEach(np),
              node("seen", [node("stay", [IT])], { which: order === "last" ? "last" : "first" }),
            ]),
          )
        : undefined,
  ),
  ...frames(
    [
      "what (says | reads | has | carries | bears | shows) [the] [text | words | word | label | sign | title | inscription] $text [written on it | on it | printed on it]",
      "(what | which) (thing | object | item) (says | reads | has | carries | bears) [the] [text | words | word | label] $text [written on it | on it | printed on it]",
      "(what | which) BE (labelled | labeled | marked) $text",
      "on (what | which) [object | thing] (BE | can you read | do you see) [the] [text | word | words | label] $text [written | printed]",
      "(what | which) $np (says | reads | has written) $text [on it]",
    ],
    ({ text, np }: { text: string; np?: Noun }) =>
      nameOf(node("things", [], { ...(np && np.set.op === "things" ? np.set.with : {}), text })),
    0.05,
  ),
];

/** Options that are named one by one are each one that both know of. */
function setWithEach(noun: Noun): Expression {
  return noun.items
    ? node(
        "or",
        noun.items.map((one) => meant({ ...one, definite: true })),
      )
    : noun.kind === "self"
      ? SELF
      : setOf(noun);
}
