import { node } from "../../algebra/notation.ts";
import { meant, type Noun } from "../phrases.ts";
import { nameOf, SELF } from "./build.ts";
import { type Frame, frames } from "./frame.ts";

const place = (purpose: string) => nameOf(node("serves", [], { purpose, room: true }));
const thing = (purpose: string) => nameOf(node("serves", [], { purpose }));

const ACTS = new Set(
  "take run blow blew shut turn switch open close shut bring fetch carry clean wash vacuum hoover tidy water feed move push pull lift cook lock unlock fix repair throw bake order buy dim charge fold iron paint remove delete wipe mop sweep empty fill pour hand pass grab deliver hang unplug press send email book call ring play boil heat make put pick drop set take give".split(
    " ",
  ),
);
const LEADS = new Set(
  "please kindly would could can will you it be nice great lovely good wonderful helpful grateful if just go and i want need like love to so kind as for me us now hey robot someone somebody perhaps maybe the a might may".split(
    " ",
  ),
);
/** What a robot can do for somebody who asks: show the way. */
const GUIDES =
  /^(?:take|bring|lead) (?:me|us) |^take the (?:route|way)|^give (?:me|us|the|a|your) |^put |^make a list|^pass |^play |^make |^set |^call |^pick the/;

/** Whether somebody is told to do something with their hands. */
function isOrder(words: readonly string[]): boolean {
  // "go and check the oven": seeing to it is a deed as well.
  if (
    words[0] === "go" &&
    /\band (?:check|look|see|get|fetch|turn|switch|close|open|bring)\b/.test(words.join(" "))
  )
    return true;
  if (words.at(-1) === "please" && /^(?:on|off)$/.test(words.at(-2) ?? "")) return true;
  if (/\b(?:take|bring|lead|guide) (?:me|us) (?:over |back )?to\b/.test(words.join(" "))) return false;
  let at = 0;
  while (at < words.length && LEADS.has(words[at]!)) at++;
  const plain = (words[at] ?? "").replace(/(?:ied)$/, "y").replace(/(?:ed|d)$/, "");
  const verb = ACTS.has(words[at] ?? "") ? words[at]! : at > 2 && ACTS.has(plain) ? plain : undefined;
  if (verb === undefined || at + 1 >= words.length) return false;
  if (at > 0 && /^(?:is|are|did|do|does|was|has|have)$/.test(words[0]!)) return false;
  return at === 0
    ? !GUIDES.test(words.join(" ")) || /^(?:bring|fetch|pass|hand) (?!me to)/.test(words.join(" "))
    : words.slice(0, at).includes("you") ||
        words.slice(0, at).includes("please") ||
        words.slice(0, at).includes("kindly") ||
        words.slice(0, at).includes("grateful");
}

/** Words for what people differ about. */
const TASTE =
  /^(?:better|prett(?:y|ier|iest)|beautiful|nic(?:e|er|est)|ugl(?:y|ier|iest)|comfortable|comfier|comfiest|comfy|cos(?:y|ier|iest)|coz(?:y|ier|iest)|lovel(?:y|ier|iest)|elegant|stylish|attractive|favourite|favorite|tastier|tastiest|coolest|cutest|cuter|boring|charming|tasteful|fanciest|loveliest|fun|funniest|inviting|appealing)$/;

/** Ways, needs, orders and matters of taste. */
export const WISHES: readonly Frame[] = [
  ...frames(
    [
      "(find | show | is there | i need | i want | where is) [me] (a | some | any) $rest",
      "where can i find (a | some) $rest",
    ],
    ({ rest }: { rest: string }) =>
      /\b(?:place|spot|corner|area|somewhere)$/.test(rest) && rest.split(" ").length > 1
        ? place(rest)
        : undefined,
    0.25,
  ),
  ...frames(
    [
      "how (do | can | could | would | should | does) (i | you | we | one | the robot | someone) (get | go | walk | drive | come | travel | reach | move | navigate) [back] [from $a:any] (to | into | towards) $b:any [from $c:any]",
      "how (do | can | could | would | should) (i | you | we | one) reach $b:any [from $a:any]",
      "how (i | you | we | one) (would | can | could | should | get | go | walk) [get | go | walk | come | drive] [from $a:any] to $b:any [from $c:any]",
      "how to (get | go | walk) [from $a:any] to $b:any [from $c:any]",
      "what BE the [shortest | quickest | fastest | best | easiest] (way | route | path) [from $a:any] (to | into) $b:any [from $c:any]",
      "[the] [shortest | quickest | fastest | best] (way | route | path | directions) [from $a:any] to $b:any [from $c:any]",
      "[from] $a:any (to | into) $b:any (which way | which route | route | directions | how | way | what way | best way)",
      "(which | what) rooms (do | would | must | should | will) (i | you | we) (pass | go through | cross | walk through | pass through) [to get | going | on the way | when going | if i go | walking] [from $a:any] to $b:any",
      "(which | what) (way | route) (do | should) (i | you | we) (take | go) [from $a:any] to $b:any",
      "(show | tell | give) me the (way | route | path | directions) [from $a:any] to $b:any",
      "(guide | lead | direct | take) me from $a:any to $b:any",
      "(which | what) (doors | rooms) (do | must) (i | you | we) (pass | go through | use) [to get] from $a:any to $b:any",
      "(going | walking) from $a:any to $b:any (which | what) rooms (do | would) (i | you) (pass | cross | go through)",
      "directions from $a:any to $b:any",
    ],
    ({ a, b, c }: { a?: Noun; b: Noun; c?: Noun }) => {
      const from = a ?? c;
      if (b.kind === "self") return undefined;
      return node("route", from && from.kind !== "self" ? [meant(from), meant(b)] : [meant(b)]);
    },
  ),
  ...frames(
    [
      "how far (do | would | must) (i | you | we) (have to | need to) [walk | go | drive | travel] [from $a:any] to [get to] [reach] $b:any",
      "how (long | far) BE the (way | route | walk | path) [from $a:any] to $b:any",
      "walking distance from $a:any to $b:any",
    ],
    ({ a, b }: { a?: Noun; b: Noun }) => node("distance", [a ? meant(a) : SELF, meant(b)], { walking: true }),
  ),
  ...frames(
    [
      "(what | which thing | is there anything | is there something) (can | could | should | would | might | do) (i | you | we | one) (use | take | need) (to | for | if i want to | when i want to | in order to) $rest",
      "(what | which) $np (can | could | should) (i | you | we) (use | take) (to | for) $rest",
      "(what | is there something | something | anything | do we have anything | is there anything | do you have something | have you seen anything | have you seen something | i need something | i want something | find me something) (helps | would help | i can use | that helps | to use | good for | useful | suitable | that i could use | that i can use | i could use) (to | for | with | when | me) $rest",
      "(is there | do we have | have you got | do you know of | i need | i want | find me | get me | bring me | i am looking for | give me | have you seen | i could use) (something | anything | a thing | some thing) (to | for | i can | that i can | that can | that | which | with which i can | i could) $rest",
      "(something | anything) (to | for) $rest",
      "what (would | could | can) help (me | with | against | if) $rest",
      "what (is | would be) (good | useful | best) (for | to | against) $rest",
      "with what (can | could) (i | we) $rest",
      "what BE there to $rest",
    ],
    ({ rest }: { rest: string }) => thing(rest),
    0.3,
  ),
  ...frames(
    [
      "where (can | could | should | would | may | might | do) (i | you | we | one | people | somebody) [go to] [best] $rest",
      "where (should | can | could | do) (i | we) (go | be | look) (to | if i want to | for | in order to | when i want to) $rest",
      "(find | show | tell | take | bring | lead) (me | us | me to) (a | some | the | somewhere | a good | the best | a nice) [quiet | good | nice] (place | spot | room | somewhere | corner | area) (to | where | for | that | in which | which is) $rest",
      "(is there | do you know | i need | i want | i am looking for | where is | what is) (a | some | somewhere | a good | the best | any | a nice) [quiet | good | nice] (place | spot | room | somewhere | corner | area) (to | where | for | that | in which | which is) $rest",
      "(where | which room) is (best | good | the best place | a good place | suitable) (to | for) $rest",
      "(which | what) room (is | would be | should i use | can i use) [best | good | suitable | right | the right one] (to | for) $rest",
      "(somewhere | some place) (to | where i can | for | that is) $rest",
      "where is (a place | somewhere) that is $rest",
      "(in | ) which room (can | could | should | would) (i | you | we) $rest",
      "which room (should | do) i go to (to | if i want to) $rest",
    ],
    ({ rest }: { rest: string }) => place(rest),
    0.35,
  ),
  ...frames(
    [
      "i (need | want | have | would like | would love | am going | am trying | wish | plan) to $rest",
      "i am (about to | going to | trying to) $rest",
    ],
    ({ rest }: { rest: string }) => thing(rest),
    0.5,
  ),
  ...frames(
    ["(i | we | my | the | it | there | some | someone | somebody | our) $rest"],
    (_: { rest: string }, s) =>
      s.asks || /^(?:is|are|was|do|does|did|where|what|which|who|when|how|can|could)$/.test(s.words[0]!)
        ? undefined
        : thing(s.words.join(" ")),
    0.7,
  ),
  ...frames(
    [
      "(what | which) (is | are) [your] (favourite | favorite | best liked | preferred) $rest",
      "(what | which) $rest (do | would) you (like | prefer | love | recommend | choose | hate | enjoy) [best | most | more]",
      "do you (like | love | enjoy | prefer | hate) $rest",
      "(is | are | does | do | was) $np:any [look] [a] [very | really] (beautiful | pretty | ugly | nice | comfortable | cosy | cozy | boring | stylish | tasteful | modern | lovely | comfy | good | great | bad | better | worth it | fashionable | attractive | cool | interesting | elegant | charming)",
      "should i (buy | paint | sell | replace | keep | get rid of | throw away | redecorate | renovate) $rest",
      "what do you think (of | about) $rest",
      "how do you (feel about | like) $rest",
      "would you rather $rest",
      "which (do | would) you (like | prefer | choose) $rest",
    ],
    () => node("refuse", [], { reason: "taste" }),
    0.05,
  ),
  ...frames(
    ["$rest"],
    (_: object, s) =>
      s.words.some((word) => TASTE.test(word)) &&
      /^(?:which|what|who|is|are|do|does|would)$/.test(s.words[0]!)
        ? node("refuse", [], { reason: "taste" })
        : undefined,
    0.1,
  ),
  ...frames(
    ["$rest"],
    (_: object, s) => (isOrder(s.words) ? node("refuse", [], { reason: "cannot-act" }) : undefined),
    0.06,
  ),
  ...frames(
    [
      "(turn | switch) (on | off) $rest",
      "(turn | switch) $np:any (on | off)",
      "(open | close | shut | clean | wash | vacuum | tidy | tidy up | clear | water | feed | move | push | pull | pick up | put | lift | cook | make | call | ring | play | stop | start | lock | unlock | fix | repair | throw | bake | order | buy | dim | charge | fold | iron | paint | remove | delete | wipe | mop | sweep | empty | fill | pour | set | hoover | carry | deliver | place | hang | drop | arrange | rearrange | unplug | plug in | press | answer | send | email | book | schedule | remind) $rest",
      "(can | could | would | will) you [please] (open | close | shut | turn on | turn off | switch on | switch off | clean | wash | fetch | get | bring | move | pick up | put | cook | make | water | feed | lock | carry | hand | pass | vacuum | tidy | call | play | fill | empty | iron | fold | order) $rest",
      "(fetch | bring | get | grab | hand | pass) (me | us) $rest",
      "go and (get | fetch | open | close | turn | clean | switch) $rest",
    ],
    () => node("refuse", [], { reason: "cannot-act" }),
    0.12,
  ),
  ...frames(
    [
      "how BE (storage | things | everything) (organised | organized | stored | arranged | kept)",
      "where BE (things | everything) (stored | kept) [here | in this house | in the house]",
      "what storage is there",
    ],
    () => node("describe", [node("house")], { about: "storage" }),
  ),
  ...frames(
    [
      "(what will | when will | will it | who will | will there | is it going to | where will | how will) $rest",
    ],
    () => node("refuse", [], { reason: "future" }),
    0.9,
  ),
  ...frames(
    [
      "will $np:any [still] be [there | here | in the same place | where it is | in place] [$rest]",
      "will $np:any [still] be where (it is | they are) [now]",
      "will $np:any (stay | remain) [there | where it is]",
    ],
    ({ np }: { np: Noun }) =>
      np.kind === "things"
        ? node("likely", [node("within", [meant(np), node("room", [meant(np)])])])
        : undefined,
  ),
  ...frames(
    [
      "where (will | would | might | could) $np:any [probably | likely | most likely] be",
      "where BE $np:any (likely | probably | most likely) [to be]",
      "where BE $np:any going to be",
      "where do you expect $np:any [to be]",
    ],
    ({ np }: { np: Noun }) =>
      np.kind === "things" ? node("likely", [node("place", [meant(np)])]) : undefined,
  ),
  ...frames(
    [
      "(BE | was) (anything | something) (unusual | odd | strange | out of place | not where it usually is | out of the ordinary | different from usual | not as usual | wrong)",
      "what BE (unusual | odd | strange | out of place | not where it usually is | out of the ordinary | different from usual | wrong)",
      "(BE there) (anything | something) (unusual | odd | strange | out of place | wrong)",
      "DO (anything | something) (unusual | odd | strange) happen",
      "BE everything (where it usually is | as usual | in its place | in its usual place | normal | where it should be)",
    ],
    (_: object, s) =>
      s.words[0] === "what"
        ? nameOf(node("unusual"))
        : s.words.includes("everything")
          ? node("none", [node("unusual")])
          : node("exists", [node("unusual")]),
  ),
  ...frames(
    [
      "where [else] BE [there] (another | one more | a second) [one] [like this | of these | of this kind]",
      "where BE there (another | one more | a second) (one | of these)",
      "where else [BE | do you see] [there] (one of these | one like this | such a thing)",
      "(find | show me) (another one | one more | another) [like this | of these]",
      "(do you have | is there | have you seen) (another | a second | one more) [one] [like this | of these]",
    ],
    () => node("place", [node("alike", [node("shown")])]),
  ),
];
