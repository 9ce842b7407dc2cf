import { z } from "zod";
import { extentOf, type Span } from "../../../belief/span.ts";
import { distinctTracks } from "../../../belief/thing.ts";
import { type Interval, instant, intersectIntervals } from "../../../geometry/index.ts";
import { LIMITS, LociError, timeUsSchema } from "../../../schema/index.ts";
import type { Call, Operator } from "../operator.ts";
import { eventsValue, happeningsOf } from "../time/happenings.ts";
import { clockOf, timesValue } from "../time/spans.ts";
import {
  type KnownValue,
  type TimesValue,
  together,
  type UnknownValue,
  unknownValue,
  type Value,
} from "../value.ts";

const secondsSchema = z
  .number()
  .min(-LIMITS.timeUs / 1e6)
  .max(LIMITS.timeUs / 1e6);

/** Vague times, as shares of all the time that is remembered. */
const PHASES: Readonly<Record<string, (whole: Span) => Span>> = {
  all: (whole) => whole,
  start: (whole) => share(whole, 0, 0.1),
  middle: (whole) => share(whole, 0.4, 0.6),
  end: (whole) => share(whole, 0.9, 1),
  earlier: (whole) => share(whole, 0, 0.9),
  recent: (whole) => share(whole, 0.8, 1),
  "just-now": ({ fromUs, toUs }) => ({ fromUs: Math.max(fromUs, toUs - 60_000_000), toUs }),
};

function share({ fromUs, toUs }: Span, from: number, to: number): Span {
  const at = (part: number) => Math.round(fromUs + part * (toUs - fromUs));
  return { fromUs: at(from), toUs: Math.max(at(from) + 1, at(to)) };
}

const momentOptions = z.strictObject({
  atUs: timeUsSchema.optional(),
  fromUs: timeUsSchema.optional(),
  toUs: timeUsSchema.optional(),
  agoS: secondsSchema.optional(),
  lastS: secondsSchema.min(0).optional(),
  sinceStartS: secondsSchema.min(0).optional(),
  firstS: secondsSchema.min(0).optional(),
  phase: z.enum(["all", "start", "middle", "end", "earlier", "recent", "just-now"]).optional(),
});

async function momentSpan({ scope: { memory }, options }: Call): Promise<Interval> {
  const { atUs, fromUs, toUs, agoS, lastS, sinceStartS, firstS, phase } = options as z.infer<
    typeof momentOptions
  >;
  const us = (s: number) => Math.round(s * 1e6);
  if (phase !== undefined) return PHASES[phase]!(await extentOf(memory));
  if (atUs !== undefined) return instant(atUs);
  if (agoS !== undefined) return instant(memory.nowUs - us(agoS));
  if (lastS !== undefined) return { fromUs: memory.nowUs - us(lastS), toUs: memory.nowUs + 1 };
  if (sinceStartS !== undefined) return instant((await extentOf(memory)).fromUs + us(sinceStartS));
  if (firstS !== undefined) {
    const start = (await extentOf(memory)).fromUs;
    return { fromUs: start, toUs: start + Math.max(1, us(firstS)) };
  }
  if (fromUs === undefined && toUs === undefined) return instant(memory.nowUs);
  const from = fromUs ?? -LIMITS.timeUs;
  if (toUs !== undefined && toUs <= from)
    throw new LociError("invalid-input", "a span of time ends after it starts: toUs > fromUs");
  return { fromUs: from, toUs: toUs ?? null };
}

/** The spans before or after some times: before the first of them begins, after the last of them ends. */
function beside({ spans, ...known }: TimesValue, side: "before" | "after"): TimesValue | UnknownValue {
  if (spans.length === 0) return unknownValue("never-seen", "I do not know when that was.");
  if (side === "before")
    return {
      ...known,
      spans: [{ fromUs: -LIMITS.timeUs, toUs: Math.min(...spans.map((one) => one.fromUs)) }],
    };
  const ends = spans.map(({ toUs }) => toUs ?? LIMITS.timeUs);
  return { ...known, spans: [{ fromUs: Math.max(...ends), toUs: null }] };
}

/** The most spans of "while you were in the kitchen" that are examined, the latest of them. */
const MOST_SPANS = 12;

/** The combined value over several spans: sets are joined, truths are true if one is, otherwise the latest counts. */
function joined(values: readonly Value[]): Value {
  const known = values.filter((one): one is KnownValue => one.kind !== "unknown");
  const last = known.at(-1);
  if (!last) return values.at(-1)!;
  if (last.kind === "truth") return known.findLast((one) => one.kind === "truth" && one.truth) ?? last;
  const evidence = known.flatMap((one) => one.evidence);
  if (last.kind === "things") {
    const things = known.flatMap((one) => (one.kind === "things" ? one.things : []));
    return { ...last, evidence, things: distinctTracks(things) };
  }
  if (last.kind !== "events") return last;
  const all = known.flatMap((one) => (one.kind === "events" ? happeningsOf(one) : []));
  const each = new Map(all.map((one) => [one.event.id, one]));
  const { phrase, p, complete, rivals } = last;
  return eventsValue([...each.values()], phrase, { p, complete, rivals, evidence });
}

/** Literal times, spans beside them, and expressions as of another time. */
export const times: readonly Operator[] = [
  {
    name: "moment",
    says: "a time: atUs; fromUs to toUs, open at either end; agoS; lastS; sinceStartS or firstS of the memory; a phase; nothing is now",
    takes: [],
    options: momentOptions,
    gives: "times",
    reads: ["observation"],
    async run(call) {
      return timesValue([await momentSpan(call)]);
    },
  },
  ...(["before", "after"] as const).map(
    (name): Operator => ({
      name,
      says: name === "before" ? "all the time until those times" : "all the time since those times were over",
      takes: [{ name: "times", kinds: ["times"] }],
      gives: "times",
      async run(call) {
        return beside((await call.arg(0)) as TimesValue, name);
      },
    }),
  ),
  {
    name: "between",
    says: "from one time to another, whichever came first",
    takes: [
      { name: "one", kinds: ["times"] },
      { name: "other", kinds: ["times"] },
    ],
    gives: "times",
    async run(call) {
      const [one, other] = [(await call.arg(0)) as TimesValue, (await call.arg(1)) as TimesValue];
      const spans = [...one.spans, ...other.spans].toSorted((a, b) => a.fromUs - b.fromUs);
      const [first, last] = [spans[0], spans.at(-1)];
      if (!first || !last) return unknownValue("never-seen", "I do not know when that was.");
      const span = { fromUs: first.fromUs, toUs: Math.max(last.fromUs, first.fromUs + 1) };
      return timesValue([span], together([one, other]));
    },
  },
  {
    name: "at",
    says: "the expression as of that moment, or over that span",
    takes: [
      {
        name: "what",
        kinds: ["things", "rooms", "floors", "events", "times", "number", "words", "truth", "route", "self"],
      },
      { name: "times", kinds: ["times"] },
    ],
    gives: "first",
    copes: true,
    run: runAt,
  },
];

async function runAt(call: Call): Promise<Value> {
  const times = await call.arg(1);
  if (times.kind === "unknown") return times;
  const { memory, during: outer } = call.scope;
  const spans = (times as TimesValue).spans.flatMap((span) => {
    const meant = outer ? intersectIntervals(outer, span) : span;
    return meant ? [meant] : [];
  });
  const [first] = spans;
  if (!first) return unknownValue("false-premise", "Those times do not meet.");
  const ahead = spans.filter(({ fromUs }) => fromUs > memory.nowUs);
  if (ahead.length === spans.length) return unknownValue("future", "That is still to come.");
  const extent = await extentOf(memory);
  const known = spans.filter(
    ({ fromUs, toUs }) => fromUs <= memory.nowUs && (toUs ?? Infinity) > extent.fromUs,
  );
  if (known.length === 0)
    return unknownValue(
      "never-seen",
      `My memory begins at ${clockOf(extent.fromUs, memory.nowUs)}; I know nothing of the time before.`,
    );
  const values: Value[] = [];
  for (const during of known.slice(-MOST_SPANS)) values.push(await call.arg(0, { during }));
  return withEvidence(values.length === 1 ? values[0]! : joined(values), times.evidence);
}

/** The records that fix the time are evidence as well. */
function withEvidence(value: Value, evidence: Value["evidence"]): Value {
  return evidence.length === 0 ? value : { ...value, evidence: [...value.evidence, ...evidence] };
}
