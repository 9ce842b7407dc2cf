import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { dayStartUs, HOUR_US } from "../algebra/time/day-parts.ts";
import { type Found, lengthAt, phraseAt, phrases, unitS } from "./amounts.ts";
import { daysAt, partAt, partNameAt } from "./calendar.ts";
import {
  endNode,
  onDay,
  type Point,
  pointsAt,
  type Said,
  saidAt,
  spanNode,
  spansOf,
  startNode,
} from "./points.ts";

/** A time that a question names: how many words it takes, what it means, and how far-fetched that is (0 not at all). */
export interface TimePhrase {
  readonly length: number;
  readonly times: Expression;
  readonly cost: number;
}

/**
 * All time expressions that begin at a word of a lower-case question, the longest first; of one length the likeliest
 * first. Times without a zone are in UTC. Nothing is read from clauses.
 */
export function readTimes(words: readonly string[], at: number, nowUs: number): readonly TimePhrase[] {
  const found = [
    ...phasesAt(words, at),
    ...lastsAt(words, at, nowUs),
    ...earlierAt(words, at, nowUs),
    ...rangesAt(words, at, nowUs, {}),
    ...sidesAt(words, at, nowUs),
    ...wholesAt(words, at, nowUs),
    ...saidAt(words, at, nowUs, false).flatMap(({ length, value }) =>
      rangesAt(words, at + length, nowUs, value).map((one) => ({ ...one, length: length + one.length })),
    ),
    ...pointsAt(words, at, nowUs, false).map(({ length, value }) =>
      phrase(length, spanNode(value), value.cost),
    ),
  ];
  return found.sort((a, b) => b.length - a.length || a.cost - b.cost);
}

function phrase(length: number, times: Expression, cost = 0): TimePhrase {
  return { length, times, cost };
}

/** Times that are no more exact than this; "" is now. */
const PHASES: ReadonlyMap<string, string> = phrases([
  [
    "",
    "now,right now,just this moment,currently,at the moment,at this moment,at present,presently,at this point,at this time,at the present time,at the current time,this moment,this minute,this very moment,as of now,as we speak,these very minutes",
  ],
  [
    "all",
    "so far,until now,till now,up to now,up until now,to date,thus far,as yet,all this time,the whole time,the entire time,all the time,all along,throughout,overall,in total,in all,in your whole memory,since the start,since the beginning,from the start,from the beginning,since you started,in the past,at any time,at any point",
  ],
  [
    "start",
    "at the beginning,in the beginning,at the start,at the very beginning,at the very start,at the outset,at first,initially,originally,to begin with,to start with,in the first place,from the outset,at the beginning of the recording,at the start of the recording,at the start of the tour,at the beginning of the tour",
  ],
  ["middle", "in the middle,halfway,halfway through,midway,half way through"],
  [
    "end",
    "at the end,at the very end,in the end,towards the end,at the end of the tour,at the end of the recording,finally",
  ],
  [
    "earlier",
    "earlier,earlier on,a while ago,some time ago,a while back,some while ago,a long time ago,long ago,ages ago,a little while ago,before now,in the past,previously,formerly,once upon a time,a bit earlier,sometime earlier",
  ],
  [
    "recent",
    "recently,lately,of late,not long ago,not so long ago,in recent times,these days,nowadays,the past while,just recently,most recently",
  ],
  [
    "just-now",
    "just now,a moment ago,a second ago,moments ago,seconds ago,just a moment ago,a minute or so ago,just a minute ago",
  ],
]);

function phasesAt(words: readonly string[], at: number): TimePhrase[] {
  const found = phraseAt(words, at, PHASES);
  return found
    ? [phrase(found.length, node("moment", [], found.value === "" ? {} : { phase: found.value }))]
    : [];
}

const LAST_HEAD =
  /^(?:(?:in|over|during|within|for|throughout|across|inside|of) )?(?:(?:the|these|this|your|my) )?(?:very |whole )?(last|past|previous|preceding|latest|most recent|first|next|coming)\b/;

/** "in the last five minutes", "over the past hour", "in the first minute". */
function lastsAt(words: readonly string[], at: number, nowUs: number): TimePhrase[] {
  const head = LAST_HEAD.exec(words.slice(at, at + 6).join(" "));
  if (!head) return [];
  const start = at + head[0].split(" ").length;
  const filler = /^(?:span|stretch|period) of$/.test(words.slice(start, start + 2).join(" ")) ? 2 : 0;
  const unit = unitS(words[start]);
  const length: Found<{ readonly s: number }> | undefined =
    unit === undefined ? lengthAt(words, start + filler) : { length: 1, value: { s: unit } };
  if (!length) return [];
  // "last week" is of the calendar; "the last week" is seven days.
  if (unit !== undefined && unit >= 86_400 && start - at === 1) return [];
  let end = start + filler + length.length;
  if (words[end] === "or" && words[end + 1] === "so") end += 2;
  const { s } = length.value;
  const which = head[1]!;
  const times =
    which === "first"
      ? node("moment", [], { firstS: s })
      : which === "next" || which === "coming"
        ? node("moment", [], { fromUs: nowUs, toUs: nowUs + s * 1e6 })
        : node("moment", [], { lastS: s });
  return [phrase(end - at, times, 0)];
}

/** "earlier today", "earlier this week", "later today": of a span only what is over, or to come. */
function earlierAt(words: readonly string[], at: number, nowUs: number): TimePhrase[] {
  const earlier = words[at] === "earlier";
  if (!earlier && words[at] !== "later") return [];
  const joint = /^(?:on|in)$/.test(words[at + 1] ?? "") ? 1 : 0;
  const days = daysAt(words, at + 1 + joint, nowUs);
  const part = partAt(words, at + 1 + joint);
  const found = days
    ? { length: days.length, span: days.value }
    : part && { length: part.length, span: spansOf({ part: part.value }, nowUs)[0]! };
  if (!found) return [];
  const { fromUs, toUs } = found.span;
  return [
    phrase(
      1 + joint + found.length,
      node("moment", [], {
        fromUs: earlier ? fromUs : Math.max(fromUs, nowUs),
        toUs: earlier ? Math.min(toUs, nowUs) : toUs,
      }),
      0,
    ),
  ];
}

const RANGE_HEADS: ReadonlyMap<string, RegExp> = new Map([
  ["between", /^and$/],
  ["from", /^(?:to|until|till|through|up)$/],
  ["from between", /^and$/],
]);

/** "9:00 to 9:30". */
const HEADLESS = { length: 0, value: /^(?:to|until|till|through|thru)$/ };

/** "between 9 and 10", "from nine until half past ten", on the day that was said before or after it. */
function rangesAt(words: readonly string[], at: number, nowUs: number, before: Said): TimePhrase[] {
  const head = phraseAt(words, at, RANGE_HEADS) ?? HEADLESS;
  if (before.clock) return [];
  const start = at + head.length;
  const found: TimePhrase[] = [];
  for (const first of endsAt(words, start, nowUs)) {
    if (head === HEADLESS && !first.value.clock) continue;
    let joint = start + first.length;
    if (!head.value.test(words[joint] ?? "")) continue;
    if (words[joint] === "up") joint++;
    for (const second of endsAt(words, joint + 1, nowUs)) {
      const made = rangeOf({ ...before, ...first.value }, { ...before, ...second.value }, nowUs);
      if (made) found.push(phrase(joint + 1 + second.length - at, made, 0));
    }
  }
  return found;
}

/** One end of a range: by the calendar, or counted. */
interface End extends Said {
  readonly counted?: Point;
}

function endsAt(words: readonly string[], at: number, nowUs: number): Found<End>[] {
  const said: Found<End>[] = saidAt(words, at, nowUs, true);
  const counted = pointsAt(words, at, nowUs, false).filter(({ value }) => !("fromUs" in value));
  const now = phraseAt(words, at, PHASES);
  return [
    ...said,
    ...counted.map(({ length, value }) => ({ length, value: { counted: value } })),
    ...(now?.value === "" ? [{ length: now.length, value: { counted: { agoS: 0, cost: 0 } } }] : []),
  ];
}

function rangeOf(first: End, second: End, nowUs: number): Expression | undefined {
  if (first.counted || second.counted) {
    const node1 = first.counted ? startNode(first.counted) : startNode(spansOf(first, nowUs)[0]!);
    const node2 = second.counted ? startNode(second.counted) : endNode(spansOf(second, nowUs)[0]!);
    return node("between", [node1, node2]);
  }
  // "between 9 and 10 yesterday": the day, and the half of it, are said once.
  const shared = { ...(second.days && { days: second.days }), ...(second.part && { part: second.part }) };
  const from = spansOf({ ...shared, ...first }, nowUs)[0]!;
  const { days, part } = second;
  const own = days ?? (part?.day === undefined ? undefined : part);
  const ends = own
    ? spansOf(second, nowUs)
    : onDay(dayStartUs(from.fromUs), { ...(first.part && { part: first.part }), ...second });
  const to = ends.find(({ fromUs }) => fromUs > from.fromUs);
  const back = ends.findLast(({ fromUs }) => fromUs < from.fromUs && from.fromUs - fromUs <= HOUR_US);
  // "From 9:02 to 9:01" in the morning does not end at nine in the evening: the ends were swapped.
  if (back?.isClock && (!to || to.fromUs > nowUs))
    return node("moment", [], { fromUs: back.fromUs, toUs: from.fromUs });
  if (!to) return undefined;
  return node("moment", [], { fromUs: from.fromUs, toUs: to.isClock ? to.fromUs : to.toUs });
}

type Side = "before" | "until" | "after" | "since" | "from" | "just-before" | "just-after" | "more" | "less";
const SIDES: ReadonlyMap<string, Side> = phrases<Side>([
  ["before", "before,prior to,earlier than,no later than,by,ahead of"],
  ["until", "until,till,up to,up until,til"],
  ["after", "after,later than,following"],
  ["since", "since,ever since,as from,starting,starting at,starting from,beginning at"],
  ["from", "from"],
  ["just-before", "just before,shortly before,right before,immediately before,a little before,a bit before"],
  ["just-after", "just after,shortly after,right after,immediately after,a little after,a bit after"],
  ["more", "more than,over,at least,longer than"],
  ["less", "less than,under,at most,within,no more than"],
]);
const JUST_US = 10 * 60_000_000;
const ON = /^(?:on|onwards?|forwards?|upwards)$/;

/** "before noon", "since nine", "until ten", "from ten onwards", "more than an hour ago", "after the first minute". */
function sidesAt(words: readonly string[], at: number, nowUs: number): TimePhrase[] {
  const side = phraseAt(words, at, SIDES);
  if (!side) return [];
  const start = at + side.length;
  const found: TimePhrase[] = [];
  for (const { length, value } of pointsAt(words, start, nowUs, true)) {
    const made = sideOf(side.value, value);
    if (!made) continue;
    const on =
      side.value === "from" || side.value === "since" ? (ON.test(words[start + length] ?? "") ? 1 : 0) : 0;
    if (side.value === "from" && on === 0) continue;
    found.push(phrase(side.length + length + on, made, value.cost));
  }
  if (side.value === "after" || side.value === "since") found.push(...afterLength(words, at, start, nowUs));
  return found;
}

function sideOf(side: Side, point: Point): Expression | undefined {
  const isAgo = "agoS" in point;
  switch (side) {
    case "before":
    case "until":
      return node("before", [startNode(point)]);
    case "after":
      return node("after", [endNode(point)]);
    case "since":
    case "from":
      return node("after", [startNode(point)]);
    case "just-before":
      if (!("fromUs" in point)) return undefined;
      return node("moment", [], { fromUs: point.fromUs - JUST_US, toUs: point.fromUs });
    case "just-after":
      if (!("fromUs" in point)) return undefined;
      return node("moment", [], {
        fromUs: point.isClock ? point.fromUs : point.toUs,
        toUs: (point.isClock ? point.fromUs : point.toUs) + JUST_US,
      });
    case "more":
      return isAgo ? node("before", [startNode(point)]) : undefined;
    case "less":
      return isAgo ? node("after", [startNode(point)]) : undefined;
  }
}

/** "after two minutes", "after the first minute": counted from the start of the memory. */
function afterLength(words: readonly string[], at: number, start: number, nowUs: number): TimePhrase[] {
  const [first] = lastsAt(words, start, nowUs);
  const firstS = first?.times.with["firstS"];
  if (first && typeof firstS === "number")
    return [
      phrase(start - at + first.length, node("after", [node("moment", [], { sinceStartS: firstS })]), 0),
    ];
  const length = lengthAt(words, start);
  if (!length || words[at] !== "after") return [];
  return [
    phrase(
      start - at + length.length,
      node("after", [node("moment", [], { sinceStartS: length.value.s })]),
      0.3,
    ),
  ];
}

/** "all day", "the whole morning", "all of yesterday". */
function wholesAt(words: readonly string[], at: number, nowUs: number): TimePhrase[] {
  const head = /^(?:all of|all|the whole of|the whole|the entire|throughout the|during the)\b/.exec(
    words.slice(at, at + 3).join(" "),
  );
  if (!head) return [];
  const start = at + head[0].split(" ").length;
  const name = partNameAt(words, start);
  if (name) {
    const [span] = spansOf({ part: { part: name.value, day: undefined } }, nowUs);
    return [phrase(start + name.length - at, spanNode(span!), 0)];
  }
  const days =
    words[start] === "day"
      ? daysAt(["today"], 0, nowUs)
      : words[start] === "week"
        ? daysAt(["this", "week"], 0, nowUs)
        : daysAt(words, start, nowUs);
  if (!days) return [];
  const length = words[start] === "day" || words[start] === "week" ? 1 : days.length;
  return [
    phrase(start + length - at, node("moment", [], { fromUs: days.value.fromUs, toUs: days.value.toUs }), 0),
  ];
}
