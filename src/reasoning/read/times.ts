import type { Expression } from "../../schema/index.ts";
import { node } from "../algebra/notation.ts";
import { dayStartUs, HOUR_US } from "../algebra/time/day-parts.ts";
import { type Found, follows, lengthAt, phraseAt, phrases, unitS } from "./amounts.ts";
import { daysAt, partNameAt } from "./calendar.ts";
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

type Time = Found<Expression>;

/**
 * The longest time expression that begins at a word of a lower-case question; of one length the likeliest. Times
 * without a zone are in UTC. Clauses are not read.
 */
export function timeAt(words: readonly string[], at: number, nowUs: number): Time | undefined {
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
    ...pointsAt(words, at, nowUs, false).map(({ length, value }) => ({ length, value: spanNode(value) })),
  ];
  return found.sort((a, b) => b.length - a.length)[0];
}

/** Vague times without exact bounds; "" is now. */
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

function phasesAt(words: readonly string[], at: number): Time[] {
  const found = phraseAt(words, at, PHASES);
  const phase = found?.value === "" ? undefined : found?.value;
  return found ? [{ length: found.length, value: node("moment", [], { phase }) }] : [];
}

const LAST_HEAD =
  /^(?:(?:in|over|during|within|for|throughout|across|inside|of) )?(?:(?:the|these|this|your|my) )?(?:very |whole )?(last|past|previous|preceding|latest|most recent|first|next|coming)\b/;

/** "in the last five minutes", "over the past hour", "in the first minute". */
function lastsAt(words: readonly string[], at: number, nowUs: number): Time[] {
  const head = LAST_HEAD.exec(words.slice(at, at + 6).join(" "));
  if (!head) return [];
  const start = at + head[0].split(" ").length;
  const unit = unitS(words[start]);
  const length: Found<{ readonly s: number }> | undefined =
    unit === undefined ? lengthAt(words, start) : { length: 1, value: { s: unit } };
  // "last week" is of the calendar; "the last week" is seven days.
  if (!length || (unit !== undefined && unit >= 86_400 && start - at === 1)) return [];
  const end = start + length.length;
  const orSo = follows(words, end, "or so") ? 2 : 0;
  const { s } = length.value;
  const which = head[1]!;
  const isAhead = which === "next" || which === "coming";
  const span = isAhead
    ? { fromUs: nowUs, toUs: nowUs + s * 1e6 }
    : { [which === "first" ? "firstS" : "lastS"]: s };
  return [{ length: end + orSo - at, value: node("moment", [], span) }];
}

/** "earlier today", "earlier this week", "later today": the past or future part of a span. */
function earlierAt(words: readonly string[], at: number, nowUs: number): Time[] {
  const isEarlier = words[at] === "earlier";
  if (!isEarlier && words[at] !== "later") return [];
  return saidAt(words, at + 1, nowUs, false).map(({ length, value }) => {
    const { fromUs, toUs } = spansOf(value, nowUs)[0]!;
    const over = isEarlier
      ? { fromUs, toUs: Math.min(toUs, nowUs) }
      : { fromUs: Math.max(fromUs, nowUs), toUs };
    return { length: 1 + length, value: node("moment", [], over) };
  });
}

const RANGE_HEADS: ReadonlyMap<string, RegExp> = new Map([
  ["between", /^and$/],
  ["from", /^(?:to|until|till|through|up)$/],
  ["from between", /^and$/],
]);

/** "9:00 to 9:30". */
const HEADLESS = { length: 0, value: /^(?:to|until|till|through|thru)$/ };

/** "between 9 and 10", "from nine until half past ten", on the day given before or after it. */
function rangesAt(words: readonly string[], at: number, nowUs: number, before: Said): Time[] {
  const head = phraseAt(words, at, RANGE_HEADS) ?? HEADLESS;
  if (before.clock) return [];
  const start = at + head.length;
  const found: Time[] = [];
  for (const first of endsAt(words, start, nowUs)) {
    if (head === HEADLESS && !first.value.clock) continue;
    let joint = start + first.length;
    if (!head.value.test(words[joint] ?? "")) continue;
    if (words[joint] === "up") joint++;
    for (const second of endsAt(words, joint + 1, nowUs)) {
      const made = rangeOf({ ...before, ...first.value }, { ...before, ...second.value }, nowUs);
      if (made) found.push({ length: joint + 1 + second.length - at, value: made });
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
    ...(now?.value === "" ? [{ length: now.length, value: { counted: { agoS: 0 } } }] : []),
  ];
}

function rangeOf(first: End, second: End, nowUs: number): Expression | undefined {
  if (first.counted || second.counted) {
    const node1 = first.counted ? startNode(first.counted) : startNode(spansOf(first, nowUs)[0]!);
    const node2 = second.counted ? startNode(second.counted) : endNode(spansOf(second, nowUs)[0]!);
    return node("between", [node1, node2]);
  }
  // "between 9 and 10 yesterday": the day, and the half of it, are given once.
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
function sidesAt(words: readonly string[], at: number, nowUs: number): Time[] {
  const side = phraseAt(words, at, SIDES);
  if (!side) return [];
  const start = at + side.length;
  const found: Time[] = [];
  for (const { length, value } of pointsAt(words, start, nowUs, true)) {
    const made = sideOf(side.value, value);
    if (!made) continue;
    const isOpen = side.value === "from" || side.value === "since";
    const on = isOpen && ON.test(words[start + length] ?? "") ? 1 : 0;
    if (side.value === "from" && on === 0) continue;
    found.push({ length: side.length + length + on, value: made });
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
function afterLength(words: readonly string[], at: number, start: number, nowUs: number): Time[] {
  const [first] = lastsAt(words, start, nowUs);
  const firstS = first?.value.with["firstS"];
  const length = words[at] === "after" ? lengthAt(words, start) : undefined;
  const found =
    typeof firstS === "number"
      ? { length: first!.length, s: firstS }
      : length && { length: length.length, s: length.value.s };
  if (!found) return [];
  const value = node("after", [node("moment", [], { sinceStartS: found.s })]);
  return [{ length: start - at + found.length, value }];
}

const WHOLE = /^(?:all of|all|the whole of|the whole|the entire|throughout the|during the)\b/;
const PRESENT: Readonly<Record<string, readonly string[]>> = { day: ["today"], week: ["this", "week"] };

/** "all day", "the whole morning", "all of yesterday". */
function wholesAt(words: readonly string[], at: number, nowUs: number): Time[] {
  const head = WHOLE.exec(words.slice(at, at + 3).join(" "));
  if (!head) return [];
  const start = at + head[0].split(" ").length;
  const name = partNameAt(words, start);
  const present = PRESENT[words[start] ?? ""];
  const days = daysAt(present ?? words, present ? 0 : start, nowUs);
  const [span] = name
    ? spansOf({ part: { part: name.value, day: undefined } }, nowUs)
    : days
      ? [days.value]
      : [];
  if (!span) return [];
  const length = name?.length ?? (present ? 1 : days!.length);
  return [
    { length: start + length - at, value: node("moment", [], { fromUs: span.fromUs, toUs: span.toUs }) },
  ];
}
