import { distance } from "../../geometry/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { evidenceOf, evidenceOfRecord, type Finding, type Rule, type RuleContext } from "../finding.ts";
import type { Need } from "../need.ts";
import { inWorld } from "../recall/poses.ts";
import type { StateRecord, Thing } from "../recall/thing.ts";
import { listOf, placeOf, theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { trust } from "./places.ts";
import { resolve, roomsOf, spanOf } from "./resolve.ts";
import { type EventRecord, eventSpan } from "./times.ts";

/** What is different since a time; where something was before it was moved. */
export const change: Rule = async (need, context) => {
  const { recall } = context;
  const goal = need.subgoals[0]!;
  if (need.verb === "state") return stateChanged(need, context);
  if (goal.target.head !== "object") return whereBefore(need, context);
  const span = spanOf(need, recall.nowUs) ??
    (await eventSpan(need, context)) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const types = /new|add|appear/.test(need.verb ?? "")
    ? ["appear"]
    : /missing|gone|remove|disappear|vanish|taken/.test(need.verb ?? "")
      ? ["disappear"]
      : /^move/.test(need.verb ?? "")
        ? ["move"]
        : ["move", "disappear", "appear", "state-change"];
  let events = await movable(
    (await recall.events(types, span)).filter(({ p }) => p >= 0.5),
    context,
  );
  const rooms = goal.region ? await roomsOf(goal.region, context) : undefined;
  if (rooms) events = events.filter(({ regionId }) => rooms.some(({ id }) => id === regionId));
  const moved = new Set(
    events.filter(({ type }) => type === "move").map(({ detail }) => String(detail["trackId"])),
  );
  // What was moved has not disappeared.
  events = events.filter(
    ({ type, detail }) => type === "move" || type === "state-change" || !moved.has(String(detail["trackId"])),
  );
  events = events.filter(
    ({ type, detail }, n) =>
      detail["trackId"] === undefined ||
      events.findLastIndex(
        (other) => other.type === type && other.detail["trackId"] === detail["trackId"],
      ) === n,
  );
  if (events.length === 0)
    return {
      status: "answered",
      text: "nothing that I noticed",
      set: [],
      evidence: [],
      confidence: 0.5,
      ...(need.answer === "binary" && { binary: false }),
    };
  const names = await namesOf(events, context);
  return {
    status: "answered",
    ...(need.answer === "binary" && { binary: true }),
    text: listOf(events.map((event, n) => sayChange(event, names[n]!))),
    set: [...new Set(names)].slice(0, 64),
    evidence: events
      .slice(0, 12)
      .map((event) => evidenceOfRecord(event, event.text[0] ?? event.type, event.p)),
    confidence: 0.65,
  };
};

const FIXED =
  /window|door$|curtain|radiator|ceiling|picture|mirror|sign|poster|rug|carpet|wardrobe|\bbed$|sofa|bathtub|toilet|counter|cupboard|rack$|shelf|bookcase|stove|fridge|basin|sink|plant/;
const PEOPLE = /^(?:person|man|woman|child|boy|girl|dog|cat|robot)$/;
const LEAST_LOOKS = 3;
/** One of a kind this near to where another was is taken for the same one. */
const TWIN_M = 0.6;

/** Comings and goings of things that come and go, seen more than in passing: the rest is mostly second sight. */
async function movable(events: readonly EventRecord[], { recall }: RuleContext): Promise<EventRecord[]> {
  const records = await statesOf(events, recall);
  const presence = await recall.presence(records.flatMap((record) => (record ? [record.id] : [])));
  const kept: EventRecord[] = [];
  for (const [n, event] of events.entries()) {
    const record = records[n];
    if (event.type !== "state-change") {
      if (!record) continue;
      // People walk; nobody says that they were moved.
      if (PEOPLE.test(record.category)) continue;
      const short = record.validToUs !== null && record.validToUs - record.validFromUs < 2_000_000;
      if (event.type !== "move" && FIXED.test(record.category)) continue;
      const seen = presence.get(record.id)?.seenCount ?? 0;
      if (event.type === "appear" && (short || seen < LEAST_LOOKS || (await isTwin(event, record, recall))))
        continue;
    }
    kept.push(event);
  }
  return kept;
}

/** Whether one of the kind stood there before: then it is the same one, taken for another. */
async function isTwin(
  event: EventRecord,
  record: StateRecord,
  recall: RuleContext["recall"],
): Promise<boolean> {
  const at = record.anchor && inWorld(await recall.options.reader.frames(), record.anchor);
  if (!at) return false;
  const near = await recall.around(
    { type: "radius", centre: at, radiusM: TWIN_M },
    { fromUs: -LIMITS.timeUs, toUs: event.validFromUs },
  );
  return near.some(({ category, state }) => category === record.category && state.id !== record.id);
}

function statesOf(events: readonly EventRecord[], { options: { reader } }: RuleContext["recall"]) {
  return reader
    .get(events.map(({ who, id }) => who.at(-1) ?? id))
    .then((records) => records.map((record) => (record?.kind === "state" ? record : undefined)));
}

async function namesOf(events: readonly EventRecord[], { recall }: RuleContext): Promise<string[]> {
  const records = await statesOf(events, recall);
  // The words of an event say what happened as well; what it happened to comes first.
  return records.map(
    (record, n) =>
      record?.name ??
      (events[n]!.text[0] ?? "something")
        .replace(/^the /, "")
        .replace(/ (?:was|is|has|appeared|disappeared)\b.*$/, ""),
  );
}

function sayChange({ type, detail }: EventRecord, name: string): string {
  if (type === "state-change") return `the ${name} is now ${String(detail["to"])}`;
  return type === "move"
    ? `the ${name} was moved`
    : type === "appear"
      ? `the ${name} is new`
      : `the ${name} is gone`;
}

/** Whether somebody switched, opened or filled it in that time. */
async function stateChanged(need: Need, context: RuleContext): Promise<Finding> {
  const goal = need.subgoals[0]!;
  const { recall } = context;
  const found = await resolve(goal, { ...need, times: [] }, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const stays = new Set((await recall.stays(thing.trackId)).map(({ state }) => state.id));
  const span = spanOf(need, recall.nowUs) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const [to] = need.alternatives;
  const events = (await recall.events(["state-change"], span)).filter(
    ({ who, detail, p }) =>
      p >= 0.5 &&
      who.some((id) => stays.has(id)) &&
      (goal.property === undefined || detail["attribute"] === goal.property) &&
      (to === undefined || detail["to"] === to),
  );
  const yes = events.length > 0;
  return {
    status: "answered",
    binary: yes !== need.negated,
    text: yes ? "yes" : "no",
    evidence: yes
      ? events.slice(0, 6).map((event) => evidenceOfRecord(event, event.text[0] ?? event.type, event.p))
      : [evidenceOf(thing, theName(thing))],
    confidence: yes ? 0.7 : 0.65,
    goal: thing,
  };
}

/** So far a thing must have gone to have been moved. */
const MOVED_M = 0.5;

/** Stays without those that only go on where the one before them was. */
export function movedStays(stays: readonly Thing[]): Thing[] {
  const kept: Thing[] = [];
  for (const stay of stays) {
    const before = kept.at(-1);
    const known = before?.position && stay.position ? { a: before.position, b: stay.position } : undefined;
    if (!known || distance(known.a, known.b) > MOVED_M) kept.push(stay);
  }
  return kept;
}

async function whereBefore(need: Need, context: RuleContext): Promise<Finding> {
  const goal = need.subgoals[0]!;
  const { recall } = context;
  const found = await resolve(goal, { ...need, times: [] }, context);
  const moment = need.times.find(({ kind, fromUs }) => kind === "at" && fromUs !== undefined);
  let thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  let stays = movedStays(await recall.stays(thing.trackId));
  let at = stays.length - 1;
  if (moment) {
    // "before it was moved at ten": of things with one name, the one that was moved then.
    for (const one of found.things.slice(0, 8)) {
      const own = movedStays(await recall.stays(one.trackId));
      const moved = own.findIndex(
        ({ state: { validFromUs } }) =>
          validFromUs >= moment.fromUs! && validFromUs < (moment.toUs ?? moment.fromUs! + 1),
      );
      if (moved < 0) continue;
      [thing, stays, at] = [one, own, moved];
      break;
    }
  }
  const was = need.verb === "before" ? stays[at - 1] : stays[at];
  if (need.answer === "binary") {
    const span = spanOf(need, recall.nowUs);
    const yes =
      stays.some(({ state }, n) => n > 0 && (!span || state.validFromUs >= span.fromUs)) ||
      stays.every(({ state }) => state.validToUs !== null && state.validToUs <= recall.nowUs);
    return {
      status: "answered",
      binary: yes,
      text: yes ? "yes" : "no",
      evidence: [evidenceOf(thing, theName(thing))],
      confidence: 0.65,
      goal: thing,
    };
  }
  if (!was)
    return {
      status: "false-premise",
      text: "it has not been moved, as far as I saw",
      evidence: [evidenceOf(thing, theName(thing))],
      confidence: 0.6,
    };
  const room = await recall.roomOf(was);
  return {
    status: "answered",
    text: await placeOf(was, recall),
    ...(was.position && {
      position: { point: was.position, trackId: thing.trackId, ...(room && { region: room.name }) },
    }),
    evidence: stays.slice(-3).map((stay) => evidenceOf(stay, theName(stay))),
    confidence: 0.7 * (await trust(thing, found, context)),
    goal: was,
  };
}
