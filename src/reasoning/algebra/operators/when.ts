import { z } from "zod";
import { sightingsOf } from "../../../belief/looks.ts";
import { placeSince } from "../../../belief/stays.ts";
import type { KnownThing } from "../../../belief/thing.ts";
import { evidenceFor, evidenceOf } from "../../../belief/trust.ts";
import type { Interval } from "../../../geometry/index.ts";
import type { Call, Operator, Scope } from "../operator.ts";
import { sightOf, timesInView } from "../time/sights.ts";
import { isChange, passed, since } from "../time/so.ts";
import { spanOf, timesValue } from "../time/spans.ts";
import { staysIn } from "../time/whereabouts.ts";
import {
  type EventsValue,
  type KnownValue,
  numberValue,
  type RoomsValue,
  type ThingsValue,
  type TimesValue,
  together,
  type UnknownValue,
  unknownValue,
  type Value,
} from "../value.ts";

const WHICH = ["first", "last", "each", "since"] as const;
const whichOptions = z.strictObject({ which: z.enum(WHICH).optional() });
type Which = (typeof WHICH)[number];
/** The most things of one name that are examined. */
const MOST_THINGS = 12;

function whichOf({ options }: Call): Which {
  return (options as z.infer<typeof whichOptions>).which ?? "last";
}

/** For rooms: the stays of the robot in them. */
async function happened(value: EventsValue | RoomsValue, scope: Scope): Promise<EventsValue> {
  return value.kind === "events" ? value : staysIn(value, undefined, scope);
}

const UNSEEN = unknownValue("never-seen", "I did not see that.");

/** When things were seen, or since when they are where they are. */
async function whenSeen(set: ThingsValue, which: Which, call: Call): Promise<TimesValue | UnknownValue> {
  const { scope } = call;
  const found: { readonly thing: KnownThing; readonly spans: readonly Interval[] }[] = [];
  for (const thing of set.things.slice(0, MOST_THINGS)) {
    if (which === "each") found.push({ thing, spans: await timesInView(thing, scope) });
    else if (which === "since") {
      const atUs = spanOf(scope).toUs - 1;
      const here = await placeSince(thing, atUs, scope.memory);
      if (here) found.push({ thing, spans: [{ fromUs: here.place.state.validFromUs, toUs: null }] });
    } else {
      const atUs = await sightOf(thing, which, scope);
      if (atUs !== undefined) found.push({ thing, spans: [{ fromUs: atUs, toUs: atUs + 1 }] });
    }
  }
  const spans = found.flatMap((one) => one.spans).toSorted((a, b) => a.fromUs - b.fromUs);
  if (spans.length === 0) return { ...UNSEEN, evidence: set.evidence };
  const one = which === "each" ? spans : [which === "first" ? spans[0]! : spans.at(-1)!];
  return timesValue(one, {
    p: set.p,
    complete: set.complete,
    evidence: found.map(({ thing, spans: own }) => evidenceOf(thing, thing.name, own.at(-1)?.fromUs)),
    rivals: set.rivals,
  });
}

/** The events that did not happen, in words. */
function notSo({ phrase }: EventsValue): string {
  return phrase === "moved"
    ? "it has not been moved, as far as I saw"
    : "that did not happen, as far as I noticed";
}

function whenHappened(set: EventsValue, which: Which): TimesValue | UnknownValue {
  const { events } = set;
  if (events.length === 0)
    return unknownValue("false-premise", notSo(set), { complete: set.complete, evidence: set.evidence });
  const chosen = which === "each" ? events : which === "first" ? events.slice(0, 1) : events.slice(-1);
  const { p, complete, evidence, rivals } = set;
  return timesValue(
    chosen.map(({ validFromUs, validToUs }) => ({ fromUs: validFromUs, toUs: validToUs })),
    { p, complete, evidence, rivals, isBetween: chosen.every(({ type }) => isChange(type)) },
  );
}

/** The most looks after a change that are searched for those of one robot. */
const MOST_LOOKS = 2_000;

/**
 * What happened as a compared robot noticed it: not before its own first look at the thing afterwards. A change that it never
 * saw is not in it.
 */
async function noticed(set: EventsValue, { witness, memory }: Scope): Promise<EventsValue> {
  if (witness === undefined || !set.events.every(({ type }) => isChange(type))) return set;
  const events: EventsValue["events"][number][] = [];
  const things: EventsValue["things"][number][] = [];
  for (const [n, event] of set.events.entries()) {
    const thing = set.things[n];
    // A change begins with the last look at the state before it.
    const during = { fromUs: event.validFromUs + 1, toUs: memory.nowUs };
    const looks = thing
      ? await sightingsOf(thing, memory, { during, order: "earliest", limit: MOST_LOOKS })
      : [];
    const look = looks.find(({ agentId }) => agentId === witness);
    if (!look) continue;
    events.push({ ...event, validFromUs: look.timeUs, validToUs: look.timeUs + 1 });
    things.push(thing);
  }
  return { ...set, events, things };
}

async function runWhen(call: Call): Promise<Value> {
  const value = (await call.arg(0)) as KnownValue;
  switch (value.kind) {
    case "things":
      return value.things.length === 0 ? UNSEEN : whenSeen(value, whichOf(call), call);
    case "events":
    case "rooms":
      return whenHappened(await noticed(await happened(value, call.scope), call.scope), whichOf(call));
    case "truth": {
      const which = whichOf(call) === "first" ? "first" : "last";
      const before = value.truth ? undefined : await passed(value, which, call);
      if (before) return timesValue([before], { p: before.p, evidence: value.evidence });
      const begun = await since(value, call);
      return begun.kind === "unknown"
        ? begun
        : timesValue([{ fromUs: begun.fromUs, toUs: null }], {
            p: begun.p,
            evidence: value.evidence,
            begunByUs: begun.byUs,
          });
    }
    default:
      return UNSEEN;
  }
}

async function runSeen(call: Call): Promise<Value> {
  const times = await runWhen(call);
  if (times.kind !== "times") return times;
  return numberValue(times.spans[0]!.fromUs / 1e6, "epoch", times);
}

async function runDuration(call: Call): Promise<Value> {
  const value = (await call.arg(0)) as KnownValue;
  const span = spanOf(call.scope);
  const until = (toUs: number | null) => Math.min(toUs ?? Infinity, span.toUs - 1);
  const s = (fromUs: number, toUs: number | null) =>
    Math.max(0, until(toUs) - Math.max(fromUs, span.fromUs)) / 1e6;
  if (call.size === 2) {
    const other = (await call.arg(1)) as TimesValue;
    const [a, b] = [(value as TimesValue).spans[0], other.spans[0]];
    if (!a || !b) return UNSEEN;
    const { p, evidence } = together([value, other]);
    return numberValue(Math.abs(b.fromUs - a.fromUs) / 1e6, "s", { p, evidence });
  }
  switch (value.kind) {
    case "times": {
      const [first] = value.spans;
      if (!first) return UNSEEN;
      const sum = value.spans.reduce((all, { fromUs, toUs }) => all + s(fromUs, toUs), 0);
      // For a moment, "how long" means how long ago.
      return numberValue(sum < 1 ? (call.scope.memory.nowUs - first.fromUs) / 1e6 : sum, "s", value);
    }
    case "events":
    case "rooms": {
      const stays = await happened(value, call.scope);
      if (stays.events.length === 0) return whenHappened(stays, "last");
      const all = stays.events.map(({ validFromUs, validToUs }) => s(validFromUs, validToUs));
      return numberValue(
        all.reduce((sum, one) => sum + one, 0),
        "s",
        stays,
      );
    }
    case "things": {
      const [thing] = value.things;
      const here = thing && (await placeSince(thing, span.toUs - 1, call.scope.memory));
      if (!here) return UNSEEN;
      const { validFromUs, validToUs } = here.place.state;
      return numberValue(s(validFromUs, validToUs), "s", value, { of: [thing] });
    }
    case "truth": {
      const begun = await since(value, call);
      return begun.kind === "unknown"
        ? begun
        : numberValue(s(begun.fromUs, null), "s", { ...value, p: begun.p });
    }
    default:
      return UNSEEN;
  }
}

async function runOften(call: Call): Promise<Value> {
  const value = (await call.arg(0)) as KnownValue;
  switch (value.kind) {
    case "events":
    case "rooms": {
      const stays = await happened(value, call.scope);
      return numberValue(stays.events.length, "times", stays);
    }
    case "things": {
      const [thing] = value.things;
      if (!thing) return numberValue(0, "times", value);
      const { length } = await timesInView(thing, call.scope);
      return numberValue(length, "times", { ...value, evidence: evidenceFor([thing]) }, { of: [thing] });
    }
    default:
      return UNSEEN;
  }
}

const ANY: Operator["takes"][number]["kinds"] = ["things", "rooms", "events", "truth"];

/** When, how long, how often. */
export const when: readonly Operator[] = [
  {
    name: "when",
    says: "when things were seen (which: first, last, each, or since: since when they are where they are), when events happened (first, last, each), when the asked one was in rooms, since when a truth is so",
    takes: [{ name: "of", kinds: ANY }],
    options: whichOptions,
    gives: "times",
    reads: ["state", "event", "observation"],
    run: runWhen,
  },
  {
    name: "seen",
    says: "the same as a number, for ordering and comparing",
    takes: [{ name: "of", kinds: ANY }],
    options: whichOptions,
    gives: "number",
    reads: ["state", "event", "observation"],
    run: runSeen,
  },
  {
    name: "duration",
    says: "how long: things are where they are, events took together, the asked one was in rooms, a truth is so; how long a span is, how long ago a moment was, how long it was from one time to another",
    takes: [
      { name: "of", kinds: [...ANY, "times"] },
      { name: "until", kinds: ["times"], optional: true },
    ],
    gives: "number",
    reads: ["state", "event", "observation"],
    run: runDuration,
  },
  {
    name: "often",
    says: "how many times: things came into view, events happened, the asked one was in rooms",
    takes: [{ name: "of", kinds: ["things", "rooms", "events"] }],
    gives: "number",
    reads: ["state", "event", "observation"],
    run: runOften,
  },
];
