import { answerNames, listed, type Phrase, phrase } from "../questions/phrases.ts";
import type { Look } from "./looks.ts";
import { valueAt } from "./looks.ts";
import type { Asked, WeekDraft } from "./question-draft.ts";

const HOUR_US = 3_600_000_000;
const DAY_US = 24 * HOUR_US;
const WEEKDAYS = ["Sunday", "Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday"] as const;

/** Parts of the day, as hours. */
const PARTS = [
  { name: "morning", fromH: 6, toH: 12 },
  { name: "afternoon", fromH: 12, toH: 17 },
  { name: "evening", fromH: 17, toH: 23 },
] as const;
type Part = (typeof PARTS)[number];

/** Days and share of them that a habit must be supported by before it is asked about. */
const FEWEST_DAYS = 3;
const CLEAR_SHARE = 0.65;
const RARE_SHARE = 0.1;

/** The kinds of question about weeks, a maker each. */
export const MAKERS: readonly {
  readonly subtype: string;
  readonly make: (asked: Asked) => WeekDraft[];
}[] = [
  {
    subtype: "past/where",
    make: (asked) => (asked.subject.group === "thing" ? past(asked, "past/where") : []),
  },
  {
    subtype: "past/person",
    make: (asked) => (asked.subject.group === "person" ? past(asked, "past/person") : []),
  },
  { subtype: "past/unseen", make: unseen },
  { subtype: "present/where", make: present },
  { subtype: "several/which-days", make: (asked) => severalDays(asked, "several/which-days") },
  { subtype: "several/how-many-days", make: (asked) => severalDays(asked, "several/how-many-days") },
  { subtype: "several/state-days", make: stateDays },
  {
    subtype: "usual/where",
    make: (asked) => (asked.subject.group === "thing" ? usually(asked, "usual/where") : []),
  },
  {
    subtype: "usual/person",
    make: (asked) => (asked.subject.group === "person" ? usually(asked, "usual/person") : []),
  },
  { subtype: "usual/when", make: usuallyWhen },
  { subtype: "likely/where", make: likely },
  { subtype: "unusual/is", make: unusual },
  { subtype: "since/how-long", make: since },
];

function past(asked: Asked, subtype: string): WeekDraft[] {
  return daysAndParts(asked).flatMap(({ day, part, looks }) => {
    const value = only(looks);
    const place = value === undefined ? undefined : placeOf(asked, value, looks[0]!.timeUs);
    if (place === undefined) return [];
    return [
      {
        subtype,
        type: "temporal",
        slots: { when: phrase(`on ${weekday(asked, day)} ${part.name}`) },
        answer: { type: "text", text: place.text },
        extra: place.extra,
        evidenceUs: looks.map(({ timeUs }) => timeUs),
      },
    ];
  });
}

/** A day without a sighting of it: saying so is the right answer. */
function unseen(asked: Asked): WeekDraft[] {
  if (asked.subject.group !== "thing") return [];
  return Array.from({ length: asked.days }, (_, day) => day).flatMap((day) => {
    const own = asked.looks.filter(({ timeUs }) => dayOf(asked, timeUs) === day);
    const before = asked.looks.findLast(({ timeUs }) => dayOf(asked, timeUs) < day);
    // If it was already missing the day before, an observer could not assume that it was still there.
    if (before === undefined || before.value !== undefined || own.some(({ value }) => value !== undefined))
      return [];
    return [
      {
        subtype: "past/unseen",
        type: "temporal",
        slots: { when: phrase(`on ${weekday(asked, day)}`) },
        answer: { type: "none", text: `Nobody saw it on ${weekday(asked, day)}.`, status: "not-seen" },
        reason: "never-seen",
        evidenceUs: [],
      },
    ];
  });
}

function present(asked: Asked): WeekDraft[] {
  const last = asked.looks.at(-1)!;
  const isRecent = asked.nowUs - last.timeUs < HOUR_US;
  if (!isRecent || asked.subject.group === "state" || last.value === undefined) return [];
  const place = placeOf(asked, last.value, last.timeUs);
  if (place === undefined) return [];
  return [
    {
      subtype: "present/where",
      type: "localisation",
      slots: {},
      answer: { type: "text", text: place.text },
      extra: place.extra,
      evidenceUs: [last.timeUs],
    },
  ];
}

/** The days on which it was seen at one place, where it was also seen elsewhere. */
function severalDays(asked: Asked, subtype: string): WeekDraft[] {
  if (asked.subject.group !== "thing") return [];
  const places = [...new Set(asked.looks.flatMap(({ value }) => value ?? []))];
  if (places.length < 2) return [];
  return places.flatMap((value): WeekDraft[] => {
    const looks = asked.looks.filter((look) => look.value === value);
    const days = [...new Set(looks.map(({ timeUs }) => dayOf(asked, timeUs)))].sort((a, b) => a - b);
    const place = namedPlace(asked, value, looks[0]!.timeUs);
    if (place === undefined || days.length < 2 || asked.days > 7) return [];
    const names = days.map((day) => weekday(asked, day));
    const common = { subtype, slots: { place }, evidenceUs: looks.map(({ timeUs }) => timeUs) };
    return subtype === "several/which-days"
      ? [{ ...common, type: "temporal", answer: { type: "set", text: listed(names), items: names } }]
      : [
          {
            ...common,
            type: "counting",
            answer: { type: "count", text: String(days.length), count: days.length },
          },
        ];
  });
}

function stateDays(asked: Asked): WeekDraft[] {
  const { subject } = asked;
  if (subject.group !== "state") return [];
  return PARTS.flatMap((part): WeekDraft[] => {
    const looks = asked.looks.filter(({ timeUs }) => partOf(timeUs) === part);
    const value = activeOf(asked);
    const on = looks.filter((look) => look.value === value);
    const days = new Set(on.map(({ timeUs }) => dayOf(asked, timeUs)));
    const observed = new Set(looks.map(({ timeUs }) => dayOf(asked, timeUs)));
    if (value === undefined || days.size === 0 || days.size === observed.size) return [];
    return [
      {
        subtype: "several/state-days",
        type: "counting",
        slots: { state: phrase(value), part: phrase(`in the ${part.name}`) },
        answer: { type: "count", text: String(days.size), count: days.size },
        evidenceUs: on.map(({ timeUs }) => timeUs),
      },
    ];
  });
}

function usually(asked: Asked, subtype: string): WeekDraft[] {
  return PARTS.flatMap((part): WeekDraft[] => {
    const habit = habitIn(asked, part);
    if (habit === undefined || habit.share < CLEAR_SHARE) return [];
    const place = placeOf(asked, habit.value, habit.timesUs[0]!);
    if (place === undefined) return [];
    return [
      {
        subtype,
        type: "temporal",
        slots: { part: phrase(`in the ${part.name}`) },
        answer: { type: "text", text: place.text },
        extra: place.extra,
        evidenceUs: habit.timesUs,
      },
    ];
  });
}

/** The part of the day in which nearly all observations found it so, and hardly any in the others. */
function usuallyWhen(asked: Asked): WeekDraft[] {
  const value = asked.subject.group === "state" ? activeOf(asked) : undefined;
  if (value === undefined) return [];
  const shares = PARTS.map((part) => {
    const looks = asked.looks.filter(({ timeUs }) => partOf(timeUs) === part);
    const on = looks.filter((look) => look.value === value);
    return { part, on, days: new Set(on.map(({ timeUs }) => dayOf(asked, timeUs))).size, all: looks.length };
  }).sort((a, b) => b.on.length - a.on.length);
  const [best, ...rest] = shares as [(typeof shares)[number], ...typeof shares];
  const others = rest.reduce((sum, { on }) => sum + on.length, 0);
  if (best.days < FEWEST_DAYS || others > 0.15 * best.on.length || shares.some(({ all }) => all === 0))
    return [];
  return [
    {
      subtype: "usual/when",
      type: "temporal",
      slots: { state: phrase(value) },
      answer: { type: "text", text: `in the ${best.part.name}` },
      extra: [best.part.name],
      evidenceUs: best.on.map(({ timeUs }) => timeUs),
    },
  ];
}

/** Tomorrow at a full hour, if habit and outcome agree: a guess that can be right. */
function likely(asked: Asked): WeekDraft[] {
  const { weeks, subject, days } = asked;
  if (subject.group === "state") return [];
  return ([8, 13, 21] as const).flatMap((hour): WeekDraft[] => {
    const timeUs = weeks.timeline.startUs + days * DAY_US + hour * HOUR_US;
    const habit = habitIn(asked, PARTS.find(({ fromH, toH }) => fromH <= hour && hour < toH)!);
    if (habit === undefined || habit.share < CLEAR_SHARE) return [];
    if (valueAt(weeks.timeline, subject, timeUs) !== habit.value) return [];
    const place = placeOf(asked, habit.value, habit.timesUs[0]!);
    if (place === undefined) return [];
    const words =
      hour === 8 ? "eight in the morning" : hour === 13 ? "one in the afternoon" : "nine in the evening";
    return [
      {
        subtype: "likely/where",
        type: "predictive",
        slots: { at: phrase(`tomorrow at ${words}`) },
        answer: { type: "text", text: place.text },
        extra: place.extra,
        evidenceUs: habit.timesUs,
      },
    ];
  });
}

/** Whether its place now is where it is at such hours on most days, or hardly ever. */
function unusual(asked: Asked): WeekDraft[] {
  const last = asked.looks.at(-1)!;
  if (asked.subject.group !== "thing" || last.value === undefined || asked.nowUs - last.timeUs > HOUR_US)
    return [];
  const part = partOf(asked.nowUs);
  const today = dayOf(asked, asked.nowUs);
  const before = part && habitIn(asked, part, ({ timeUs }) => dayOf(asked, timeUs) < today);
  const place = namedPlace(asked, last.value, last.timeUs);
  if (before === undefined || place === undefined || before.share < CLEAR_SHARE) return [];
  const own = before.shareOf(last.value);
  if (last.value !== before.value && own > RARE_SHARE) return [];
  const value = last.value !== before.value;
  return [
    {
      subtype: "unusual/is",
      type: "temporal",
      slots: { place },
      answer: { type: "binary", text: value ? "yes" : "no", value },
      evidenceUs: [...before.timesUs, last.timeUs],
    },
  ];
}

/** Since the first observation that found it there, if it really came not long before. */
function since(asked: Asked): WeekDraft[] {
  const last = asked.looks.at(-1)!;
  if (asked.subject.group !== "thing" || last.value === undefined || asked.nowUs - last.timeUs > HOUR_US)
    return [];
  const before = asked.looks.findLast(({ value }) => value !== last.value);
  const first = asked.looks.find(({ timeUs }) => timeUs > (before?.timeUs ?? 0))!;
  const place = namedPlace(asked, last.value, last.timeUs);
  if (before === undefined || place === undefined) return [];
  const durationS = (asked.nowUs - first.timeUs) / 1e6;
  const possibleS = (asked.nowUs - before.timeUs) / 1e6;
  if (durationS < 3600 || possibleS > 1.6 * durationS) return [];
  return [
    {
      subtype: "since/how-long",
      type: "temporal",
      slots: { place },
      answer: { type: "duration", text: `${Math.round(durationS / 3600)} hours`, durationS },
      // Its arrival was not observed: any time from the previous observation to the first one there is correct.
      tolerance: { s: Math.max(1800, possibleS - durationS + 600) },
      evidenceUs: [before.timeUs, first.timeUs],
    },
  ];
}

interface Habit {
  readonly value: string;
  readonly share: number;
  readonly timesUs: readonly number[];
  shareOf(value: string): number;
}

/** Where it was on most days in a part of the day, each day by its last look in it. */
function habitIn(asked: Asked, part: Part, among: (look: Look) => boolean = () => true): Habit | undefined {
  const looks = asked.looks.filter((look) => partOf(look.timeUs) === part && among(look));
  const days = [...Map.groupBy(looks, ({ timeUs }) => dayOf(asked, timeUs)).values()];
  if (days.length < FEWEST_DAYS) return undefined;
  const shareOf = (value: string) =>
    days.reduce((sum, own) => sum + own.filter((look) => look.value === value).length / own.length, 0) /
    days.length;
  const values = [...new Set(looks.flatMap(({ value }) => value ?? []))];
  const best = values.toSorted((a, b) => shareOf(b) - shareOf(a))[0];
  if (best === undefined) return undefined;
  const timesUs = looks.filter(({ value }) => value === best).map(({ timeUs }) => timeUs);
  return { value: best, share: shareOf(best), timesUs, shareOf };
}

function daysAndParts(asked: Asked): { day: number; part: Part; looks: Look[] }[] {
  return Array.from({ length: asked.days }, (_, day) =>
    PARTS.map((part) => ({
      day,
      part,
      looks: asked.looks.filter(({ timeUs }) => dayOf(asked, timeUs) === day && partOf(timeUs) === part),
    })),
  )
    .flat()
    .filter(({ looks }) => looks.length > 0);
}

/** The one value of all observations; undefined if they differ or one was in vain. */
function only(looks: readonly Look[]): string | undefined {
  const values = new Set(looks.map(({ value }) => value));
  return values.size === 1 ? [...values][0] : undefined;
}

/** Words for where it was, with accepted alternatives. */
function placeOf(asked: Asked, value: string, timeUs: number): { text: string; extra: string[] } | undefined {
  const { timeline } = asked.weeks;
  const roomType = (id: string | null | undefined) =>
    timeline.house.rooms.find((room) => room.id === id)?.type;
  if (asked.subject.group === "person") {
    const room = roomType(value);
    return room === undefined ? undefined : { text: `in the ${room}`, extra: [room] };
  }
  const host = timeline.thing(value);
  const placement = timeline.placementAt(asked.subject.id, timeUs);
  const room = roomType(placement?.room);
  if (host.type === "structure" || room === undefined) return undefined;
  const preposition = placement?.insideOf === undefined ? "on" : "in";
  const names = answerNames(host);
  const said = [names.text, ...names.extra].map((name) => `${preposition} the ${name}`);
  return {
    text: `${said[0]} in the ${room}`,
    extra: [...said, ...said.map((words) => `${words} in the ${room}`)],
  };
}

/** A place that a question can name: only one thing that was seen has that name. */
function namedPlace(asked: Asked, value: string, timeUs: number): Phrase | undefined {
  const host = asked.weeks.timeline.thing(value);
  const name = host.type === "structure" ? undefined : asked.nameOf(value);
  const placement = asked.weeks.timeline.placementAt(asked.subject.id, timeUs);
  const preposition = placement?.insideOf === undefined ? "on" : "in";
  return name && phrase(`${preposition} ${name.dev}`, `${preposition} ${name.test}`);
}

/** The value worth asking about: on, open, unmade. */
function activeOf({ subject }: Asked): string | undefined {
  return subject.fluent === "power" ? "on" : subject.fluent === "making" ? "unmade" : undefined;
}

function dayOf({ weeks }: Asked, timeUs: number): number {
  return Math.floor((timeUs - weeks.timeline.startUs) / DAY_US);
}

function weekday({ weeks }: Asked, day: number): string {
  return WEEKDAYS[new Date(weeks.timeline.startUs / 1000 + day * 86_400_000).getUTCDay()]!;
}

function partOf(timeUs: number): Part | undefined {
  const hour = (timeUs % DAY_US) / HOUR_US;
  return PARTS.find(({ fromH, toH }) => fromH <= hour && hour < toH);
}
