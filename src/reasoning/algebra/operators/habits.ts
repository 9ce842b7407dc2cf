import { z } from "zod";
import type { Expression } from "../../../schema/index.ts";
import {
  type Guess,
  howLongUsually,
  type LastSeen,
  likelyAt,
  normallyWhen,
  type Occasion,
  observedDays,
  occasionsAt,
  type Usual,
  unusual,
  usual,
  usualHours,
  type When,
} from "../../habits/index.ts";
import type { Thing } from "../../recall/thing.ts";
import type { Call, Operator } from "../operator.ts";
import {
  HABIT_DAYS,
  type HabitBy,
  habitEvidence,
  roomsOfKeys,
  type ThingHabits,
  thingHabits,
  whenOf,
} from "../things/habit.ts";
import { evidenceOf } from "../things/trust.ts";
import { DAY_PARTS, DAY_US, type DayPart, HOUR_US } from "../time/day-parts.ts";
import {
  type Habit,
  KINDS,
  type KnownValue,
  type TimesValue,
  type UnknownValue,
  unknownValue,
  type Value,
  WHOLE,
} from "../value.ts";
import { sampled } from "./sampled.ts";

const whenOptions = {
  part: z.enum(Object.keys(DAY_PARTS) as DayPart[]).optional(),
  days: z.enum(HABIT_DAYS).optional(),
  hour: z.number().min(0).max(24).optional(),
};
const usualOptions = z.strictObject(whenOptions);

/** What is usual, probable and out of the ordinary, learnt from what was seen over days. */
export const habits: readonly Operator[] = [
  {
    name: "usual",
    says: "the expression as it usually is: place, room, attribute, is, within, when, duration, or any other over the last days",
    takes: [{ name: "of", kinds: KINDS }],
    options: usualOptions,
    gives: "first",
    reads: ["state", "event", "observation"],
    copes: true,
    run: (call) => usually(call, call.node.of[0]!, whenOf(usualOptions.parse(call.options))),
  },
  {
    name: "likely",
    says: "a guess at the expression for a time that nobody saw or that is to come (default: now)",
    takes: [
      { name: "of", kinds: KINDS },
      { name: "times", kinds: ["times"], optional: true },
    ],
    options: z.strictObject({}),
    gives: "first",
    reads: ["state", "event"],
    copes: true,
    async run(call) {
      const times = call.size > 1 ? await call.arg(1) : undefined;
      if (times?.kind === "unknown") return times;
      const [span] = (times as TimesValue | undefined)?.spans ?? [];
      const { nowUs } = call.scope.recall;
      return probably(call, call.node.of[0]!, span ? (span.fromUs + (span.toUs ?? nowUs)) / 2 : nowUs);
    },
  },
  {
    name: "unusual",
    says: "those of the things, or of all that ever moved or changed, that are not where or as they usually are",
    takes: [{ name: "among", kinds: ["things"], optional: true }],
    options: z.strictObject({}),
    gives: "things",
    reads: ["state", "event"],
    run: outOfTheOrdinary,
  },
];

/** A way to ask for what is learnt of one thing: which keys are asked for, and as what kind of value they are said. */
interface Asked {
  readonly subject: Expression;
  readonly by: HabitBy;
  readonly as: "words" | "rooms" | "truth";
  readonly about: string;
  /** For truth: the places or values that it is asked for. */
  readonly keys?: readonly string[];
}

/** How an expression asks for a habit of one thing; undefined where it does not. */
async function askedOf(inner: Expression, call: Call): Promise<Asked | UnknownValue | undefined> {
  const { op, of, with: options } = inner;
  const [subject, place] = of;
  if (!subject) return undefined;
  const attribute = String(options["attribute"] ?? options["name"] ?? "");
  switch (op) {
    case "place":
      return { subject, by: options["detail"] === "room" ? "room" : "words", as: "words", about: "place" };
    case "room":
      return { subject, by: "room", as: "rooms", about: "room" };
    case "name":
      return subject.op === "room" && subject.of[0]
        ? { subject: subject.of[0], by: "room", as: "words", about: "room" }
        : undefined;
    case "attribute":
      return { subject, by: { attribute }, as: "words", about: attribute };
    case "is":
      return {
        subject,
        by: { attribute },
        as: "truth",
        about: attribute,
        keys: [String(options["value"])],
      };
    case "within": {
      if (!place) return undefined;
      const value = await call.value(place);
      if (value.kind === "unknown") return value;
      const by = value.kind === "rooms" ? "room" : "place";
      return { subject, by, as: "truth", about: "place", keys: keysOf(value) };
    }
    default:
      return undefined;
  }
}

/** The keys that a place has among those of a thing: rooms by their ids, furniture by its tracks. */
function keysOf(value: KnownValue): readonly string[] {
  if (value.kind === "rooms") return value.rooms.map(({ id }) => id);
  return value.kind === "things" ? value.things.map(({ trackId }) => trackId) : [];
}

async function usually(call: Call, inner: Expression, when: When): Promise<Value> {
  if (inner.op === "when" && inner.of[0]) return usualTimes(call, inner.of[0], when);
  if (inner.op === "duration" && inner.of[0]) return usualLength(call, inner.of[0]);
  const asked = await askedOf(inner, call);
  if (!asked) return sampled(call, inner, when);
  if ("kind" in asked) return asked;
  const known = await learnt(call, asked);
  if ("kind" in known) return known;
  const found = usual(known.habits.model, when);
  if (found.observedDays === 0)
    return unknownValue("never-seen", "nobody ever looked at such a time", { goal: known.thing });
  return told(known, asked, { ...ranked(found), isGuess: false }, call);
}

async function probably(call: Call, inner: Expression, atUs: number): Promise<Value> {
  const asked = await askedOf(inner, call);
  if (!asked) return unknownValue("future", "nobody knows what is to come");
  if ("kind" in asked) return asked;
  const known = await learnt(call, asked);
  if ("kind" in known) return known;
  const guess: Guess = likelyAt(known.habits.model, atUs, lastSeen(known.habits, atUs));
  return told(known, asked, { places: guess.places, observedDays: guess.observedDays, isGuess: true }, call);
}

interface Learnt {
  readonly thing: Thing;
  readonly rivals?: readonly Thing[] | undefined;
  readonly habits: ThingHabits;
}

/** What is known of the thing that an expression is about. */
async function learnt(call: Call, { subject, by }: Asked): Promise<Learnt | Value> {
  const value = await call.value(subject);
  if (value.kind === "unknown") return value;
  const [thing] = value.kind === "things" ? value.things : [];
  if (!thing || value.kind !== "things")
    return unknownValue("not-understood", "only things and people have habits");
  const habits = await thingHabits(thing, by, call.scope.recall);
  if (habits.input.stays.length === 0)
    return unknownValue("never-seen", "I have not seen it often enough", { goal: thing });
  return { thing, habits, ...(value.rivals && { rivals: value.rivals }) };
}

interface Ranked {
  readonly places: readonly { readonly placeKey: string; readonly p: number; readonly days?: number }[];
  readonly observedDays: number;
  readonly isGuess: boolean;
}

function ranked({ places, observedDays }: Usual): Omit<Ranked, "isGuess"> {
  return { places: places.map(({ placeKey, share, days }) => ({ placeKey, p: share, days })), observedDays };
}

/** Below this a place is not worth a word. */
const LEAST_SHARE = 0.1;
/** What is seen of one day is no habit yet. */
const held = (p: number, days: number) => (p * days + 0.5) / (days + 1);

/** What was learnt as the kind of value that the expression gives. */
async function told(known: Learnt, asked: Asked, found: Ranked, call: Call): Promise<Value> {
  const { recall } = call.scope;
  const { places, observedDays, isGuess } = found;
  const [best] = places;
  if (!best) return unknownValue("never-seen", "I have not seen it often enough", { goal: known.thing });
  const habit: Habit = { observedDays, days: best.days, isGuess };
  const base = { complete: WHOLE, evidence: await habitEvidence(known.habits, recall), rivals: known.rivals };
  const p = isGuess ? best.p : held(best.p, observedDays);
  if (asked.as === "truth") {
    const there = places.filter(({ placeKey }) => asked.keys!.includes(placeKey));
    const share = there.reduce((sum, place) => sum + place.p, 0);
    const days = Math.max(0, ...there.map((place) => place.days ?? 0));
    const truth = share >= 0.5;
    const instead = truth ? undefined : `usually ${await wordsOf(best.placeKey, known, asked, recall)}`;
    return {
      ...base,
      kind: "truth",
      truth,
      p: isGuess ? Math.max(share, 1 - share) : held(Math.max(share, 1 - share), observedDays),
      habit: { observedDays, days, isGuess },
      ...(instead !== undefined && { instead }),
    };
  }
  const shown = places.filter((place, n) => n === 0 || place.p >= LEAST_SHARE).slice(0, 5);
  if (asked.as === "rooms") {
    const rooms = await roomsOfKeys(
      shown.map(({ placeKey }) => placeKey),
      recall,
    );
    return { ...base, kind: "rooms", rooms, phrase: "room", p, habit };
  }
  const items = await Promise.all(
    shown.map(async ({ placeKey, p: share }) => {
      const stay = known.habits.latest.get(placeKey);
      const room = stay && (await recall.roomOf(stay));
      return {
        words: await wordsOf(placeKey, known, asked, recall),
        p: share,
        thing: stay,
        ...(room && { room }),
        ...(stay?.position && { point: stay.position }),
      };
    }),
  );
  return { ...base, kind: "words", about: asked.about, items, p, habit };
}

/** A key in words: places are their own, rooms have names, furniture a kind. */
async function wordsOf(
  key: string,
  { habits }: Learnt,
  { by }: Asked,
  recall: Call["scope"]["recall"],
): Promise<string> {
  if (by === "words" || typeof by === "object") return key;
  const [room] = await roomsOfKeys([key], recall);
  if (room) return by === "room" ? room.name : `in the ${room.name}`;
  return `on the ${habits.places.get(key)?.name ?? "floor"}`;
}

function lastSeen({ input: { stays } }: ThingHabits, atUs: number): LastSeen | undefined {
  const seen = stays
    .filter(({ fromUs }) => fromUs <= atUs)
    .toSorted((a, b) => a.fromUs - b.fromUs)
    .at(-1);
  return seen && { placeKey: seen.placeKey, seenUs: Math.min(seen.lastSeenUs, atUs) };
}

/** When something is usually so, or usually happens. */
async function usualTimes(call: Call, of: Expression, { weekday }: When): Promise<Value> {
  const days = weekday === undefined ? {} : { weekday };
  const asked = await askedOf(of, call);
  if (asked && "kind" in asked) return asked;
  if (asked?.as === "truth") {
    const known = await learnt(call, asked);
    if ("kind" in known) return known;
    const daily = asked.keys!.flatMap((key) => usualHours(known.habits.model, key, days));
    return timesValue(
      daily,
      await habitEvidence(known.habits, call.scope.recall),
      known.habits.model.days.length,
    );
  }
  const value = await call.value(of);
  if (value.kind === "unknown") return value;
  if (value.kind !== "events") return unknownValue("not-understood", "only what happens has usual times");
  const occasions = value.events.map(({ validFromUs, validToUs }) => ({
    fromUs: validFromUs,
    toUs: validToUs,
  }));
  const seen = [...new Set(occasions.map(({ fromUs }) => Math.floor(fromUs / DAY_US)))];
  const [thing] = value.things;
  const model = thing && (await thingHabits(thing, "room", call.scope.recall)).model;
  const { times, observedDays: n } = normallyWhen(occasions, {
    ...days,
    observedDays: model ? [...new Set([...observedDays(model), ...seen])] : seen,
  });
  const daily = times.map(({ fromMin, toMin, days }) => ({ fromMin, toMin, days, observedDays: n }));
  return timesValue(daily, value.evidence, n);
}

function timesValue(
  daily: NonNullable<TimesValue["daily"]>,
  evidence: TimesValue["evidence"],
  days: number,
): TimesValue | UnknownValue {
  const [best] = daily;
  if (!best) return unknownValue("never-seen", "there is no usual time for that");
  const p = held(best.days / Math.max(1, best.observedDays), best.observedDays);
  const habit = { observedDays: days, days: best.days, isGuess: false };
  return { kind: "times", spans: [], daily, p, complete: WHOLE, evidence, habit };
}

/** A beginning that lies in a longer gap than this was not seen. */
const UNSEEN_US = 6 * HOUR_US;

/** How long a thing usually stays where it is put, or stays and other happenings usually last. */
async function usualLength(call: Call, of: Expression): Promise<Value> {
  const value = await call.value(of);
  if (value.kind === "unknown") return value;
  const { recall } = call.scope;
  const [thing] = value.kind === "things" ? value.things : [];
  const habits = thing && (await thingHabits(thing, "words", recall));
  const keys = new Set(habits?.input.stays.map(({ placeKey }) => placeKey));
  const occasions: readonly Occasion[] =
    value.kind === "events"
      ? value.events.map(({ validFromUs, validToUs }) => ({ fromUs: validFromUs, toUs: validToUs }))
      : [...keys].flatMap((key) => occasionsAt(habits!.input.stays, key));
  const length = howLongUsually(
    occasions.filter(({ fromUs, notBeforeUs = fromUs }) => fromUs - notBeforeUs < UNSEEN_US),
  );
  if (!length) return unknownValue("never-seen", "I have not seen one from its beginning to its end");
  const days = new Set(occasions.map(({ fromUs }) => Math.floor(fromUs / DAY_US))).size;
  return {
    kind: "number",
    value: length.medianUs / 1e6,
    unit: "s",
    range: [length.lowUs / 1e6, length.highUs / 1e6],
    p: held(0.8, length.count),
    complete: WHOLE,
    evidence: value.evidence,
    habit: { observedDays: days, days, isGuess: false },
    ...(value.kind === "things" && { of: value.things }),
  };
}

/** So many things are looked at, those that changed last first. */
const MOST_LOOKED_AT = 40;
const FLUENTS = ["power", "openness"] as const;

async function outOfTheOrdinary(call: Call): Promise<Value> {
  const { recall } = call.scope;
  const among = call.size > 0 ? await call.arg(0) : undefined;
  const things = among?.kind === "things" ? among.things : await changing(call);
  const found: { readonly thing: Thing; readonly note: string; readonly bits: number }[] = [];
  for (const thing of things.slice(0, MOST_LOOKED_AT)) {
    for (const by of ["words", ...FLUENTS.map((attribute) => ({ attribute }))] as HabitBy[]) {
      if (typeof by === "object" && !thing.state.attributes[by.attribute]) continue;
      const habits = await thingHabits(thing, by, recall);
      const now = lastSeen(habits, recall.nowUs);
      if (!now || habits.input.stays.length < 2) continue;
      const {
        isUnusual,
        surpriseBits,
        usual: guess,
      } = unusual(habits.model, {
        placeKey: now.placeKey,
        timeUs: recall.nowUs,
      });
      if (isUnusual) found.push({ thing, note: `usually ${guess.places[0]!.placeKey}`, bits: surpriseBits });
    }
  }
  found.sort((a, b) => b.bits - a.bits);
  return {
    kind: "things",
    things: found.map(({ thing }) => thing),
    notes: found.map(({ note }) => note),
    phrase: "unusual thing",
    p: 0.6,
    complete: WHOLE,
    evidence: found.slice(0, 12).map(({ thing, note }) => evidenceOf(thing, `${thing.name}, ${note}`)),
    habit: { observedDays: 0, isGuess: false },
  };
}

/** Things that moved or changed, the latest first: the others are as they always were. */
async function changing({ scope: { recall } }: Call): Promise<Thing[]> {
  const events = await recall.events(["move", "state-change"], { fromUs: 0, toUs: recall.nowUs + 1 });
  const ids = [...new Set(events.toReversed().flatMap(({ who }) => who))];
  const things = new Map<string, Thing>();
  for (const id of ids.slice(0, 4 * MOST_LOOKED_AT)) {
    const thing = await recall.thingOfState(id, 1);
    if (thing) things.set(thing.trackId, thing);
    if (things.size >= MOST_LOOKED_AT) break;
  }
  return [...things.values()];
}
