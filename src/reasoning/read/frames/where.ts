import { node } from "../../algebra/notation.ts";
import type { Predicate } from "../phrases.ts";
import { meant, type Noun, setOf } from "../phrases.ts";
import { IT, nameOf, SELF, those } from "./build.ts";
import { type Frame, frames } from "./frame.ts";

const place = ({ np, pred, who }: { np: Noun; pred?: Predicate; who?: Noun }) => {
  if (who && who.kind !== "self" && who.set.with["category"] !== "person") return undefined;
  if (np.kind === "self") return nameOf(node("room", [SELF]));
  if (np.quantity === "none") return undefined;
  if (!pred) return node("place", [meant(np)]);
  const set = those(np, pred);
  return set && node("place", [np.definite && !np.plural && np.kind === "things" ? node("the", [set]) : set]);
};

const WHICH_WAY =
  "[in | to] (which | what | how) [way | direction | side] (should | do | would | must | can | will | shall) (i | we) [have to | need to] (go | turn | walk | head | move | look | face | run) [in | towards | to]";
const TO = "(to | in order to | if (i | we) (want | need | wish | like) to | when (i | we) (want | need) to)";
const REACH =
  "(see | use | reach | get to | go to | find | approach | face | walk to | look at | open | sit on | sit in | lie on | throw something in | be facing | touch | grab | get)";
/** One leaves a room by its nearest door. */
const EXIT =
  "(exit | leave | get out | get out of | go out of | go out | walk out | walk out of | escape | escape from | go outside) [the room | this room | here | the house | the building | the apartment | of the room]";

/** Where something is, was, may be found, belongs. */
export const WHERE: readonly Frame[] = [
  ...frames(
    [
      "where [else] (BE | lies | sits | stands) [there] $np:any [PLACED] [at | now]",
      "where [else] (BE | lies) [there] $np:any $pred",
      "(where | what place | which place) [else] CAN I [best | possibly | quickly] (find | see | get | look for | spot | locate | search for | pick up | grab | get hold of | buy) $np:any",
      "where [else] DO YOU [$order] (see | spot | find | notice | observe | encounter | detect) $np:any",
      "where HAVE YOU [$order] (seen | spotted | found | noticed | put | left | observed) $np:any",
      "where HAVE I (left | put | placed | misplaced | lost) $np:any",
      "where DO (I | we | you | somebody | someone | they | people | mum | dad) [$order] (leave | put | place | lay | set | lose | drop | store | keep | hide | stash) [down] $np:any [down]",
      "where DO $who:np (put | take | leave | place | bring | carry | move) $np:any [to | down]",
      "where BE $np:any (kept | stored | located | placed | situated | found | hiding | standing | sitting | lying | put | left | positioned | hidden | seen | parked | mounted) [at]",
      "where BE $np:any $order (seen | spotted | observed | noticed | located)",
      "where HAVE $np:any been (kept | stored | placed | put | left | seen | moved) [to]",
      "where DO $np:any (go | end up | get to | move to | disappear to | wander off to | stand | sit | lie | hang | live)",
      "where HAVE $np:any (gone | got to | gotten to | ended up | moved | disappeared) [to]",
      "where BE $np:any (moved | taken | carried | brought | relocated | put) [to]",
      "where (would | could | might | can | may) $np:any be [found | located | hiding | right now]",
      "(somebody | someone) (has | have | must have) (put | moved | taken | hidden | left | placed) $np:any [somewhere | away]",
      "(find | locate | search for | look for | show me | point me to | point to | point out | give me) [me] [where] $np:any [is | are]",
      "(find | locate | show me) [me] the (location | position | place | whereabouts | coordinates) of $np:any",
      "what BE the (location | position | place | whereabouts | spot | coordinates) of $np:any",
      "(location | position | whereabouts | place) (of | for) $np:any",
      "$np:any (location | position | whereabouts | where | place)",
      "(in | at | on) (what | which) (place | spot | location | position) BE $np:any [PLACED]",
      "(i | we) (am | are | was) (looking | searching | hunting) for $np:any",
      "(i | we) (can not | could not | can no longer | do not) (find | see | locate) $np:any [anywhere]",
      "(i | we) (have) (lost | misplaced) $np:any",
      "(i | we) (lost | misplaced) $np:any",
      "(HAVE | has) (anyone | anybody | somebody | someone) seen $np:any",
      "where (i | you | we | somebody | someone) [$order] (left | put | saw | found | placed | have seen | have left | have put | kept | keep | stored | can find | could find | lost | last saw) $np:any",
      "where $np:any (went | ended up | HAVE ended up | HAVE got to | got to | lives | goes | stands | sits | lies)",
      "where $np:any (BE | might be | could be | HAVE gone | HAVE been put | BE kept | BE now)",
      "$np:any where BE (it | they | he | she | that)",
      "where $np:any [BE]",
      "(can | could | would | will) you [please | kindly] (take | bring | lead | guide | show) (me | us) [the way] to $np:any",
      "(take | bring | lead | guide | drive | walk | direct | escort | navigate | accompany) (me | us) [over | back | straight] (to | towards) $np:any",
      "(go | navigate | drive | head | move | travel | walk | proceed | come | get) [over | back | straight] (to | towards | near) $np:any",
      "(i | we) (want | need | would like | have) to (go | get) to $np:any",
      "what do i have to go to for $np:any",
      "where can i go for $np:any",
      "(i | we) (need | want | would like | require | am after) $np:any",
    ],
    place,
  ),
  ...frames(
    [
      "(which | what) room BE $np:any [PLACED] in",
      "(in | into) (which | what) room [of $house:rooms] (BE | does | do | did | can | could) [YOU] [i] [see | find] $np:any [stand | sit | lie | hang | located | kept | stored | found | placed | standing | sitting | put | be found | hanging | left | in | live | go | seen]",
      "(which | what) room (has | have | had | contains | contain | holds | houses) $np:any [in it]",
      "[in] (which | what) room [did | do] YOU [$order] (see | find | saw | found | spot | notice | meet | met | come across | encounter) $np:any [in]",
      "(which | what) room DO $np:any (belong to | stand in | sit in | lie in)",
      "(which | what) room BE $np:any (located | kept | stored | found | placed | in | seen | standing) [in]",
      "(which | what) room for $np:any",
      "what (kind | type | sort) of room BE $np:any in",
      "what (kind | type | sort) of room (has | holds | contains) $np:any",
      "$np:any (is | are) in (which | what) room",
      "what BE the room (with | of | for | containing | that has) $np:any",
      "(which | what) room $np:any BE in",
      "(name | tell me) the room (with | of | that has | containing) $np:any [in it]",
    ],
    ({ np }: { np: Noun }) => {
      if (np.kind === "self") return nameOf(node("room", [SELF]));
      if (np.kind !== "things") return undefined;
      // "Which room has a piano" is about rooms, "which room is the piano in" about the piano.
      if (np.quantity === "none")
        return nameOf(node("filter", [node("rooms"), node("none", [node("in", [setOf(np), IT])])]));
      return nameOf(node("room", [meant(np)]));
    },
  ),
  ...frames(
    [
      "(in | on) (which | what) (rooms | room | floor | floors) (BE | HAVE | DO) [there] $np:any [still] $pred",
      "(in | on) (which | what) (rooms | room) (BE | HAVE) [there] $np:any not [still] $not:pred",
      "(which | what) rooms (have | has | contain) $np:any that (is | are) $pred",
    ],
    ({ np, pred, not }: { np: Noun; pred?: Predicate; not?: Predicate }, s) => {
      if (np.kind !== "things") return undefined;
      const loose = { ...np, definite: false };
      const so = those(loose, (pred ?? not)!);
      const set = so && (not ? node("minus", [setOf(np), so]) : so);
      return set && nameOf(node(s.words.some((word) => /^floors?$/.test(word)) ? "floor" : "room", [set]));
    },
  ),
  ...frames(
    [
      "(which | what) (floor | storey | story | level) BE $np:any [PLACED] on",
      "on (which | what) (floor | storey | story | level) BE $np:any [located | found | kept]",
      "(which | what) (floor | storey | level) (has | contains) $np:any",
      "(BE) $np:any on (which | what) floor",
    ],
    ({ np }: { np: Noun }) => nameOf(node("floor", [np.kind === "self" ? SELF : meant(np)])),
  ),
  ...frames(
    [
      "where BE $np:any $sides",
      "(BE) $np:any $sides",
      "on which side BE $np:any [$sides]",
      "on which side of (you | me) BE $np:any",
      "$np:any $sides",
      "(which | what) side of (you | me) BE $np:any [on]",
      "(which | what) side BE $np:any on [$sides]",
      "in (which | what) direction BE $np:any [$sides]",
      "(which | what) direction BE $np:any [in] [$sides]",
      "which way BE $np:any",
      `${WHICH_WAY} ${TO} ${REACH} $np:any`,
      `if (i | we) (want | need | wish | like) to ${REACH} $np:any ${WHICH_WAY}`,
      `where DO (i | we) [have to | need to] (turn | look | face) ${TO} ${REACH} $np:any`,
    ],
    ({ np, sides }: { np: Noun; sides?: readonly string[] }) =>
      np.kind === "things" || np.kind === "rooms"
        ? node("direction", [meant(np)], sides ? { among: [...sides] } : {})
        : undefined,
    -0.02,
  ),
  ...frames(
    [
      `${WHICH_WAY} [${TO}] ${EXIT}`,
      `if (i | we) (want | need | wish | like) to ${EXIT} ${WHICH_WAY}`,
      `(which | what) (way | direction) (should | do | can) (i | we) ${EXIT} [from]`,
      "(which | what) (way | direction) BE (the exit | the way out)",
    ],
    () =>
      node("direction", [node("least", [node("things", [], { category: "door" }), node("distance", [IT])])]),
    -0.05,
  ),
  ...frames(
    [
      "where DO $np (belong | usually go | normally go)",
      "where should $np (go | be | be put | be kept | live)",
      "where (should | do | would) i put $np [away | back]",
      "where (does | do) $np go",
      "where BE the (right | proper | usual) place for $np",
    ],
    ({ np }: { np: Noun }) => node("place", [node("belongs", [meant(np)])]),
    0.05,
  ),
  ...frames(
    [
      "where BE $np:any before [it | they | he | she | that] [BE | got] [moved | relocated | shifted | that | now]",
      "where BE $np:any (originally | previously | earlier | initially | at first | formerly | used to be)",
      "where DO $np:any (used to | use to) (be | stand | lie | live | sit)",
      "where BE the (previous | old | former | original | earlier) (place | position | location | spot) of $np:any",
      "what BE the (previous | old | former | original | earlier) (place | position | location | spot) of $np:any",
      "where DO $np:any (come from | stand before | come from before)",
      "from where BE $np:any (moved | taken)",
      "where BE $np:any (moved | taken) from",
    ],
    ({ np }: { np: Noun }) =>
      node("at", [
        node("place", [meant(np)]),
        node("before", [
          node("when", [node("changes", [meant(np)], { kinds: ["moved"] })], { which: "last" }),
        ]),
      ]),
  ),
  ...frames(
    [
      "where (am | are | is | was | were) (i | you | we) [now | standing | located | exactly | at]",
      "(which | what) room (are | am | is | was | were) (you | i | we | this) [in | standing in | at | now]",
      "(what | which) room is this",
      "in (which | what) room are (you | we)",
      "where is the robot",
      "(your | current | robot) [current] (location | position)",
    ],
    () => nameOf(node("room", [SELF])),
  ),
  ...frames(["(which | what) (floor | storey | level) (are | am | is) (you | i | we | this) [on]"], () =>
    nameOf(node("floor", [SELF])),
  ),
];
