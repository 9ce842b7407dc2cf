import type { Expression } from "../../../schema/index.ts";
import { node } from "../../algebra/notation.ts";
import type { Predicate } from "../phrases.ts";
import { meant, type Noun, setOf } from "../phrases.ts";
import { nameOf, SELF, those, truthOf } from "./build.ts";
import { type Frame, frames } from "./frame.ts";

const first = (order: string | undefined) => (order === "first" ? "first" : "last");

/** What happened to something, by the word for it; with a state it became so. */
export function changesOf(
  kind: string,
  of?: Expression | undefined,
  s?: { words: readonly string[] },
): Expression {
  const state = s && /^(?:switched|opened|closed)$/.test(kind) ? switched(s.words, kind) : undefined;
  const kinds = kind === "changed" ? undefined : state ? ["switched"] : [kind];
  return node("changes", of ? [of] : [], { kinds, ...(state ?? {}) });
}

function switched(words: readonly string[], kind: string): { attribute: string; to?: string } {
  const text = words.join(" ");
  const either = /\b(?:on or off|opened or closed|open or close|opened or shut|filled or emptied)\b/.test(
    text,
  );
  if (kind === "opened" || kind === "closed")
    return either
      ? { attribute: "openness" }
      : { attribute: "openness", to: kind === "opened" ? "open" : "closed" };
  const to = /\bon\b/.test(text) ? "on" : /\boff\b/.test(text) ? "off" : undefined;
  return either || to === undefined ? { attribute: "power" } : { attribute: "power", to };
}

/** An agent's own doing, with what or where. */
function doing(verb: string, of: Noun | undefined): Expression | undefined {
  if (of?.kind === "self") return undefined;
  return node("doings", of ? [of.kind === "things" ? meant(of) : setOf(of)] : [], { verb });
}

/** When, how long, how often, what happened, what one did. */
export const TIMES: readonly Frame[] = [
  ...frames(
    [
      "[the] (time | timestamp | clock time | moment) of [the | your] [$order] (arrival | entry | visit | entrance) (on | in | at | to | into) $np:region",
      "[the] (time | timestamp | clock time | moment) of [the | your] [$order] (sighting | detection | observation) of $np:thing",
    ],
    ({ np, order }: { np: Noun; order?: string }) =>
      node("when", [np.kind === "things" ? meant(np) : node("doings", [setOf(np)], { verb: "enter" })], {
        which: first(order),
      }),
  ),
  ...frames(
    ["[have you] been (in | to | inside) $np:region", "(was | were) you (in | inside) $np:region"],
    ({ np }: { np: Noun }) => node("exists", [node("doings", [setOf(np)], { verb: "enter" })]),
    0.02,
  ),
  ...frames(["(did | do | have) you (drive | move | go | driven | moved) [anywhere] [at all]"], () =>
    node("greater", [node("travelled"), node("value", [], { n: 0.5, unit: "m" })]),
  ),
  ...frames(
    [
      "[at] what time DO YOU [$order] (see | set eyes on | lay eyes on | meet) $np:any",
      "when DO YOU [$order] (see | notice | spot | observe | find | come across | encounter | look at | meet) $np:any [$order]",
      "when (BE | HAVE) $np:any [been] $order (seen | noticed | spotted | observed | there | visible)",
      "when BE the $order time [that] YOU (saw | noticed | spotted | observed | encountered | came across | looked at | met) $np:any",
      "when BE $np:any [been] (seen | spotted | noticed | observed)",
      "when HAVE YOU [$order] seen $np:any",
      "how long ago (did | have) YOU [$order] (see | saw | seen | notice) $np:any",
      "how long ago BE $np:any [$order] (seen | spotted | noticed)",
      "how long BE it since YOU [$order] (saw | have seen) $np:any",
      "how long HAVE it been since YOU [$order] saw $np:any",
      "since when HAVE YOU not seen $np:any",
      "(at | around) (what | which) time DO YOU [$order] (see | notice) $np:any",
      "$np:any (last seen | first seen | last seen when | when last seen)",
      "when DO $np:any $order (appear | show up)",
      "(last | first) (time | sighting) (of | you saw) $np:any",
    ],
    ({ np, order }: { np: Noun; order?: string }, s) =>
      np.kind === "self"
        ? undefined
        : node("when", [np.kind === "things" ? meant(np) : doing("enter", np)!], {
            which: first(order ?? (s.words.includes("first") ? "first" : "last")),
          }),
  ),
  ...frames(
    [
      "when (BE | DO | HAVE) $np:any [$order] [been | get | got] $happening",
      "(at | around) (what | which) time (BE | DO) $np:any [been | get] $happening",
      "how long ago (BE | DO | HAVE) $np:any [been | get] $happening",
      "since when (BE | HAVE) $np:any [been] $happening",
      "when DO (somebody | someone | anyone | they | you) (move | open | close | shut | take | remove | switch on | switch off | turn on | turn off) $np:any",
    ],
    ({ np, happening, order }: { np: Noun; happening?: string; order?: string }, s) => {
      const kind = happening ?? verbKind(s.words);
      return np.kind === "things"
        ? node("when", [changesOf(kind, meant(np), s)], { which: first(order) })
        : undefined;
    },
  ),
  ...frames(
    [
      "when DO YOU [$order] $doing [$np:any] [$order]",
      "(at | around) (what | which) time DO YOU [$order] $doing [$np:any]",
      "when (BE | HAVE) YOU [$order] (in | inside | at | been in | been to) $np:any",
      "when BE the $order time [that] YOU $doing $np:any",
      "how long ago (DO | HAVE | BE) YOU [$order] $doing [$np:any]",
      "how long ago (BE | HAVE) YOU [been] (in | inside | at) $np:any",
      "when BE $np:any [$order] (visited | entered | left)",
      "when BE your $order visit to $np:any",
    ],
    ({ doing: verb, np, order }: { doing?: string; np?: Noun; order?: string }) => {
      const event = doing(verb ?? "enter", np);
      return (
        event &&
        (verb === "see" && np
          ? node("when", [meant(np)], { which: first(order) })
          : node("when", [event], { which: first(order) }))
      );
    },
    0.03,
  ),
  ...frames(
    [
      "how long (BE | HAVE) YOU [been] (in | inside | at) $np:any",
      "how long (BE | HAVE | DO) YOU [been | stay | spend | remain] $np:region",
      "how long DO YOU (stay | spend | remain | stop | linger | wait | be) (in | inside | at | on) $np:any",
      "how much time DO YOU (spend | stay) (in | inside | at) $np:any",
      "for how long (BE | DO) YOU [stay | remain] (in | inside | at) $np:any",
      "how long BE your (stay | visit) (in | to) $np:any",
      "[total | dwell | your | the | overall] (time | dwell time | duration | stay) (in | inside | spent in) $np:any [both visits | all visits | seconds | in seconds]",
      "how many (seconds | minutes | hours) (DO | BE | HAVE) YOU [spend | stay | be | been | stayed] [in | inside | at] $np:any",
      "how many (seconds | minutes) YOU (spent | stayed | were) [in | inside | at] $np:any",
    ],
    ({ np }: { np: Noun }) =>
      np.kind !== "self"
        ? node("duration", [node("stay", [np.kind === "things" ? meant(np) : setOf(np)])])
        : undefined,
  ),
  ...frames(
    [
      "how long (HAVE | BE) $np:any [been | already been] $pred",
      "(for how long | since when) (HAVE | BE) $np:any [been] $pred",
      "how long (HAVE | BE) $np:any [been | stood | lain | sat] (there | here | lying there | standing there | in place | in its place | where it is)",
      "how long DO $np:any (stay | remain | stand | lie) [there | here | where it was | in place] [$pred]",
    ],
    ({ np, pred }: { np: Noun; pred?: Predicate }) => {
      if (np.kind === "self") return pred ? node("duration", [pred.test(SELF, "self")]) : undefined;
      const truth = pred && truthOf({ ...np, definite: true }, pred);
      return node("duration", [truth ?? meant(np)]);
    },
    0.02,
  ),
  ...frames(
    [
      "how (much time | long) [passed | was it | went by | elapsed | did it take] (between | from) [first] (seeing | when you saw | when you first saw | the first sight of | spotting) $a:any (and | to | until | and when you) [first] [seeing | saw | first saw | spotting] $b:any",
      "how long after (YOU [first] saw | seeing | first seeing) $a:any DO YOU [first] see $b:any",
    ],
    ({ a, b }: { a: Noun; b: Noun }) =>
      node("duration", [
        node("when", [meant(a)], { which: "first" }),
        node("when", [meant(b)], { which: "first" }),
      ]),
  ),
  ...frames(
    [
      "how (often | many times | frequently | many separate times | many different times) DO YOU [$order] $doing [$np:any]",
      "how (often | many times) (BE | HAVE) YOU [been] (in | inside | at | to) $np:any",
      "how many (times | visits) (HAVE | DO) YOU (been to | visited | visit | entered | enter | seen | make to) $np:any",
      "how (often | many times) HAVE YOU $doing [$np:any]",
      "how many (visits to | trips to | entries into) $np:any",
    ],
    ({ doing: verb, np }: { doing?: string; np?: Noun }) => {
      if (verb === "see" && np) return node("often", [meant(np)]);
      const event = doing(verb ?? "enter", np);
      return event && node("count", [event]);
    },
  ),
  ...frames(
    [
      "how (often | many times) (BE | HAVE | DO) $np:any [been | get] $happening",
      "how (often | many times) (BE | HAVE) $np:any [been] (seen | visible | observed)",
    ],
    ({ np, happening }: { np: Noun; happening?: string }, s) =>
      np.kind === "self"
        ? undefined
        : happening
          ? node("count", [changesOf(happening, meant(np), s)])
          : node("often", [meant(np)]),
  ),
  ...frames(
    [
      "(what | which things | which objects | which items | what things | what objects | anything | which thing | what all | something) [BE | HAVE | got] [been | got] $happening [$pred]",
      "(list | tell me | show me) (everything | what | all things | anything | all) [that] [BE | HAVE] [been] $happening [$pred]",
      "what (changes | change) [HAVE there been | BE there | DO YOU notice | happened] [$pred]",
      "what (BE | HAVE) different [$pred]",
      "DO (anything | something) $happening [$pred]",
      "(BE | HAVE) (anything | something) [been | got] $happening [$pred]",
      "(any | were there any | are there any | is there any) changes [$pred]",
    ],
    ({ happening, pred }: { happening?: string; pred?: Predicate }, s) => {
      const kind = happening ?? "changed";
      const set = pred ? pred.filter(node("things"), "things") : undefined;
      if (pred && (!set || (set.op !== "in" && set.op !== "relate"))) return undefined;
      const all = changesOf(kind, set, s);
      const isYesNo =
        /^(?:is|has|have|was|were|are|did|does|do|any)$/.test(s.words[0] ?? "") ||
        /^(?:anything|something)$/.test(s.words[0] ?? "");
      return isYesNo
        ? node("exists", [all])
        : kind === "changed"
          ? nameOf(all)
          : nameOf(node("affected", [all]));
    },
  ),
  ...frames(
    [
      "(which | what) $np:any [BE | HAVE | DO] [been | got | get] $happening [$pred]",
      "(list | name) [all] $np:any [that] [BE | HAVE] [been] $happening",
      "(which | what) of $np:any [BE | HAVE | DO] [been] $happening",
    ],
    ({ np, happening, pred }: { np: Noun; happening: string; pred?: Predicate }, s) => {
      if (np.kind !== "things") return undefined;
      const set = those(np, pred);
      return set && nameOf(node("affected", [changesOf(happening, set, s)]));
    },
    0.03,
  ),
  ...frames(
    [
      "(HAVE | BE | DO) $np:any [ever | also | been | got | get | at all] [been | get] $happening",
      "(HAVE | DO | BE) (somebody | someone | anybody | anyone | you) (moved | move | opened | open | closed | close | shut | taken | take | removed | remove | touched | touch | switched on | switched off | switch on | switch off | turned on | turned off | used) $np:any",
      "BE there any change (to | in) $np:any",
      "$np:any (moved | gone | missing | changed)",
      "DO YOU notice whether $np:any HAVE been $happening",
    ],
    ({ np, happening }: { np: Noun; happening?: string }, s) => {
      if (np.kind !== "things") return undefined;
      const set = np.quantity === "any" || np.plural ? setOf(np) : meant(np);
      return node(np.quantity === "none" ? "none" : "exists", [
        changesOf(happening ?? verbKind(s.words), set, s),
      ]);
    },
    0.04,
  ),
  ...frames(
    [
      "HAVE $np:any been (opened or closed | switched on or off | turned on or off | filled or emptied | opened or shut | switched)",
      "$np:any HAVE been (opened or closed | switched on or off | turned on or off | filled or emptied)",
      "BE $np:any (opened or closed | switched on or off | turned on or off | filled or emptied)",
    ],
    ({ np }: { np: Noun }, s) => {
      if (np.kind !== "things") return undefined;
      const attribute = s.words.includes("opened")
        ? "openness"
        : s.words.includes("filled")
          ? "fill"
          : "power";
      return node("exists", [node("changes", [meant(np)], { kinds: ["switched"], attribute })]);
    },
    -0.05,
  ),
  ...frames(
    ["$np:any HAVE [been | got] $happening", "$np:any BE $happening"],
    ({ np, happening }: { np: Noun; happening: string }, s) =>
      np.kind === "things" ? node("exists", [changesOf(happening, meant(np), s)]) : undefined,
    0.3,
  ),
  ...frames(
    [
      "what [HAVE] happened to $np:any",
      "what (became | has become) of $np:any",
      "(tell me | what is | give me) the (history | life | story) of $np:any",
      "what do you know about the history of $np:any",
      "(history | life) of $np:any",
      "how DO $np:any (change | move)",
      "where (has | have) $np:any (been | all been)",
    ],
    ({ np }: { np: Noun }) => (np.kind === "things" ? node("history", [meant(np)]) : undefined),
  ),
  ...frames(
    ["what happened", "what (was | is) going on", "what (did | do) you (do | get up to | notice)"],
    () => node("changes"),
  ),
  ...frames(
    [
      "(DO | HAVE) YOU [ever | also | already] $doing [$np:any]",
      "HAVE YOU [ever | also | already] been (in | to | inside | at) $np:region",
      "(was | were) YOU [ever] (in | inside | at) $np:any",
      "BE $np:any [ever] (visited | entered) [by you]",
    ],
    ({ doing: verb, np }: { doing?: string; np?: Noun }) => {
      if (verb === "see") return undefined;
      const event = doing(verb ?? "enter", np);
      return event && node("exists", [event]);
    },
    0.02,
  ),
  ...frames(
    [
      "DO YOU (see | notice | spot | pass | find | meet) $a:any (before | earlier than | prior to) [YOU] [saw | seeing | passed | noticed] $b:any",
      "(did | do) YOU [first] see $a:any before [YOU] [saw | first saw] $b:any",
      "BE $a:any seen before $b:any",
      "(did | do) YOU (see) $a:any (after | later than) [YOU] [saw] $b:any",
      "which (did | do) YOU see (first | earlier) $a:any or $b:any",
    ],
    ({ a, b }: { a: Noun; b: Noun }, s) => {
      if (a.kind !== "things" || b.kind !== "things") return undefined;
      const seen = (noun: Noun) => node("seen", [meant({ ...noun, definite: true })], { which: "first" });
      return node(s.words.includes("after") || s.words.includes("later") ? "greater" : "less", [
        seen(a),
        seen(b),
      ]);
    },
    -0.1,
  ),
];

function verbKind(words: readonly string[]): string {
  const text = words.join(" ");
  if (/\b(?:switch|turn|switched|turned)\b/.test(text)) return "switched";
  if (/\bopen(?:ed)?\b/.test(text)) return "opened";
  if (/\b(?:close|closed|shut)\b/.test(text)) return "closed";
  if (/\b(?:remove|removed|take|taken)\b/.test(text)) return "gone";
  return /\b(?:touch|touched|used)\b/.test(text) ? "changed" : "moved";
}
