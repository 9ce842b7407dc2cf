import { z } from "zod";
import type { Expression } from "../../../schema/index.ts";
import { likelyAt, usual, type When } from "../../habits/index.ts";
import type { Call, Operator } from "../operator.ts";
import { HABIT_DAYS, habitEvidence, roomsOfKeys, whenOf } from "../things/habit.ts";
import { DAY_PARTS, type DayPart } from "../time/day-parts.ts";
import {
  type Habit,
  KINDS,
  type TimesValue,
  theseRooms,
  truthValue,
  unknownValue,
  type Value,
  wordsValue,
} from "../value.ts";
import { type Asked, askedOf, held, type Learnt, lastSeen, learnt } from "./habit-asked.ts";
import { usualLength, usualTimes } from "./habit-times.ts";
import { outOfTheOrdinary } from "./out-of-the-ordinary.ts";
import { sampled } from "./sampled.ts";

const usualOptions = z.strictObject({
  part: z.enum(Object.keys(DAY_PARTS) as DayPart[]).optional(),
  days: z.enum(HABIT_DAYS).optional(),
  hour: z.number().min(0).max(24).optional(),
});

/** Usual, probable and unusual facts, learnt from observations over days. */
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
    gives: "first",
    reads: ["state", "event"],
    copes: true,
    async run(call) {
      const times = call.size > 1 ? await call.arg(1) : undefined;
      if (times?.kind === "unknown") return times;
      const [span] = (times as TimesValue | undefined)?.spans ?? [];
      const { nowUs } = call.scope.memory;
      return probably(call, call.node.of[0]!, span ? (span.fromUs + (span.toUs ?? nowUs)) / 2 : nowUs);
    },
  },
  {
    name: "unusual",
    says: "those of the things, or of all that ever moved or changed, that are not where or as they usually are",
    takes: [{ name: "among", kinds: ["things"], optional: true }],
    gives: "things",
    reads: ["state", "event"],
    run: outOfTheOrdinary,
  },
];

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
  const places = found.places.map(({ share: p, ...place }) => ({ ...place, p }));
  return told(known, asked, { places, observedDays: found.observedDays, isGuess: false }, call);
}

async function probably(call: Call, inner: Expression, atUs: number): Promise<Value> {
  const asked = (await askedOf(inner, call)) ?? stillThere(inner);
  if (!asked) return unknownValue("future", "nobody knows what is to come");
  if ("kind" in asked) return asked;
  const known = await learnt(call, asked);
  if ("kind" in known) return known;
  if (inner.op === "exists") {
    const now = lastSeen(known.habits, call.scope.memory.nowUs);
    const guess = likelyAt(known.habits.model, atUs, now);
    return told(known, { ...asked, keys: now ? [now.placeKey] : [] }, { ...guess, isGuess: true }, call);
  }
  const guess = likelyAt(known.habits.model, atUs, lastSeen(known.habits, atUs));
  return told(known, asked, { ...guess, isGuess: true }, call);
}

/** "Will it still be there?": the place of its last sighting. */
function stillThere({ op, of: [subject] }: Expression): Asked | undefined {
  return op === "exists" && subject ? { subject, by: "words", as: "truth", about: "place" } : undefined;
}

interface Ranked {
  readonly places: readonly { readonly placeKey: string; readonly p: number; readonly days?: number }[];
  readonly observedDays: number;
  readonly isGuess: boolean;
}

/** Places with a smaller share are not mentioned. */
const LEAST_SHARE = 0.1;
/** The habit as the kind of value that the expression gives. */
async function told(known: Learnt, asked: Asked, found: Ranked, call: Call): Promise<Value> {
  const { memory } = call.scope;
  const { places, observedDays, isGuess } = found;
  const [best] = places;
  if (!best) return unknownValue("never-seen", "I have not seen it often enough", { goal: known.thing });
  const habit: Habit = { observedDays, days: best.days, isGuess };
  const { rivals } = known;
  const evidence = await habitEvidence(known.habits, memory);
  const sure = (p: number) => (isGuess ? p : held(p, observedDays));
  const p = sure(best.p);
  if (asked.as === "truth") {
    const there = places.filter(({ placeKey }) => asked.keys!.includes(placeKey));
    const share = there.reduce((sum, place) => sum + place.p, 0);
    const days = Math.max(0, ...there.map((place) => place.days ?? 0));
    const truth = share >= 0.5;
    const instead = truth ? undefined : `usually ${await wordsOf(best.placeKey, known, asked, memory)}`;
    const p = sure(Math.max(share, 1 - share));
    return truthValue(truth, { p, evidence }, { rivals, instead, habit: { observedDays, days, isGuess } });
  }
  const shown = places.filter((place, n) => n === 0 || place.p >= LEAST_SHARE).slice(0, 5);
  if (asked.as === "rooms") {
    const keys = shown.map(({ placeKey }) => placeKey);
    return theseRooms(await roomsOfKeys(keys, memory), "room", { p, evidence }, { rivals, habit });
  }
  const items = await Promise.all(
    shown.map(async ({ placeKey, p: share }) => {
      const stay = known.habits.latest.get(placeKey);
      const room = stay && (await memory.roomOf(stay));
      const words = await wordsOf(placeKey, known, asked, memory);
      return { words, p: share, thing: stay, room, point: stay?.position };
    }),
  );
  return wordsValue(asked.about, items, { p, evidence }, { rivals, habit });
}

/** A key in words: places are their own, rooms have names, furniture a kind. */
async function wordsOf(
  key: string,
  { habits }: Learnt,
  { by }: Asked,
  memory: Call["scope"]["memory"],
): Promise<string> {
  if (by === "words" || typeof by === "object") return key;
  const [room] = await roomsOfKeys([key], memory);
  if (room) return by === "room" ? room.name : `in the ${room.name}`;
  return `on the ${habits.places.get(key) ?? "floor"}`;
}
