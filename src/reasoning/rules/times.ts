import { distance, type Interval, mergeIntervals } from "../../geometry/index.ts";
import { LIMITS, type RecordOf, type Stored } from "../../schema/core.ts";
import {
  evidenceOf,
  evidenceOfRecord,
  type Finding,
  type Rule,
  type RuleContext,
  unknown,
} from "../finding.ts";
import type { Need, TimeNeed } from "../need.ts";
import { inWorld } from "../recall/poses.ts";
import type { RoomView } from "../recall/room-names.ts";
import { agoText, clockText, listOf, spanText, theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { nextRoom, roomAtTime, turningAt } from "./diary.ts";
import { trust } from "./places.ts";
import { resolve, roomsOf, spanOf } from "./resolve.ts";
import { firstSeenUs, gapBetweenSights, seenBefore } from "./sights.ts";

export type EventRecord = Stored<RecordOf<"event">>;

/** Looks closer together than this are one visit. */
const VISIT_GAP_US = 30_000_000;
const PASS_M = 2.5;

/** When: the last time it was seen unless the question says first, or the agent's own doing. */
export const when: Rule = async (need, context) => {
  if (need.verb !== undefined && need.verb !== "see") return whenDid(need, context);
  const goal = need.subgoals[0]!;
  const found = await resolve(
    goal,
    { ...need, times: need.times.filter(({ kind }) => kind !== "last" && kind !== "first") },
    context,
  );
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const { recall } = context;
  const first = need.times.some(({ kind }) => kind === "first");
  const stays = await recall.stays(thing.trackId);
  const presence = await recall.presence(stays.map(({ state }) => state.id));
  const lastUs = stays.map(({ state }) =>
    Math.min(presence.get(state.id)?.lastSeenUs ?? state.validFromUs, recall.nowUs),
  );
  const atUs = first ? await firstSeenUs(thing, context) : Math.max(thing.state.validFromUs, ...lastUs);
  return {
    ...momentOf(atUs, recall.nowUs),
    evidence: [evidenceOf(thing, theName(thing), atUs)],
    confidence: await trust(thing, found, context),
    goal: thing,
  };
};

function momentOf(atUs: number, nowUs: number): Pick<Finding, "status" | "text" | "time"> {
  return {
    status: "answered",
    text: `${agoText(nowUs - atUs)}, at ${clockText(atUs)}`,
    time: { atUs, agoS: (nowUs - atUs) / 1e6 },
  };
}

async function whenDid(need: Need, context: RuleContext): Promise<Finding> {
  const events = await doings(need, context);
  const first = need.times.some(({ kind }) => kind === "first");
  const event = first ? events[0] : events.at(-1);
  if (!event) return { ...unknown("I did not do that, as far as I remember.", "not-seen"), confidence: 0.6 };
  return {
    ...momentOf(event.validFromUs, context.recall.nowUs),
    evidence: [evidenceOfRecord(event, event.text[0] ?? event.type, 1)],
    confidence: 0.75,
  };
}

const EVENT_OF: Readonly<Record<string, readonly string[]>> = {
  stop: ["stop"],
  turn: ["turn"],
  enter: ["enter"],
  stay: ["enter"],
  exit: ["exit"],
  pass: ["pass"],
};

/** The agent's own doings that a question speaks of, earliest first: kind, what or where, before or after what. */
async function doings(need: Need, context: RuleContext): Promise<EventRecord[]> {
  const { recall, agentId } = context;
  const span = (await eventSpan(need, context)) ??
    spanOf(need, recall.nowUs) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const types = EVENT_OF[need.verb ?? ""] ?? ["stop", "turn", "enter", "exit", "pass"];
  let events = await recall.events(types, span, agentId);
  const side = need.alternatives.find((word) => word === "left" || word === "right");
  if (side) events = events.filter(({ detail }) => detail["direction"] === side);
  const target = need.subgoals[0];
  if (!target || target.target.head === "object") return events;
  const rooms = await roomsOf(target.region ?? target.target, context);
  if (rooms && rooms.length > 0) {
    const ids = new Set(rooms.map(({ id }) => id));
    return events.filter(({ regionId }) => regionId !== undefined && ids.has(regionId));
  }
  const found = await resolve(target, { ...need, times: [] }, context);
  const tracks = new Set(found.things.map(({ trackId }) => trackId));
  const near = await positionsOf(events, context);
  return events.filter(
    (event, n) =>
      tracks.has(String(event.detail["trackId"])) ||
      event.who.some((id) => found.things.some(({ state }) => state.id === id)) ||
      (near[n] !== undefined &&
        found.things.some(({ position }) => position && distance(position, near[n]!) < PASS_M)),
  );
}

async function positionsOf(events: readonly EventRecord[], { recall }: RuleContext) {
  const frames = await recall.options.reader.frames();
  return events.map(({ anchor }) => anchor && inWorld(frames, anchor));
}

/** "after you passed the sofa": the span that an event in the question opens. */
export async function eventSpan(need: Need, context: RuleContext): Promise<Interval | undefined> {
  const time: TimeNeed | undefined = need.times.find(({ event }) => event !== undefined);
  if (!time?.event) return undefined;
  const { verb, target } = time.event;
  const inner: Need = {
    ...need,
    times: [],
    verb,
    alternatives: [],
    subgoals: target ? [{ target, relations: [] }] : [],
  };
  let atUs: number | undefined;
  if (verb === "see" && target) {
    const [thing] = await context.recall.things(target);
    atUs = thing && (await context.recall.lastSeenUs(thing));
  } else atUs = (await doings(inner, context)).at(-1)?.validFromUs;
  if (atUs === undefined) return undefined;
  const nowUs = context.recall.nowUs + 1;
  if (time.kind === "before") return { fromUs: -LIMITS.timeUs, toUs: atUs };
  if (time.kind === "at") return { fromUs: atUs - 5_000_000, toUs: atUs + 5_000_000 };
  return { fromUs: atUs + 1, toUs: nowUs };
}

/** Did you stop, which way did you turn, what did you pass. */
export const ego: Rule = async (need, context) => {
  const moment = need.times.find(({ kind }) => kind === "ago" || kind === "at")?.fromUs;
  if (need.verb === "next") return nextRoom(need, context);
  if (moment !== undefined && need.verb === "turn") return turningAt(moment, context);
  if (moment !== undefined && need.verb === "stay" && need.answer !== "binary")
    return roomAtTime(moment, context);
  const visit = need.times.find(({ event }) => event?.verb === "enter");
  if (visit && need.verb === "enter" && need.answer !== "binary") return nextRoom(need, context);
  const events = await doings(need, context);
  const before = need.times.some(({ kind, event }) => kind === "before" && event);
  const event = before ? events.at(-1) : need.times.some(({ event }) => event) ? events[0] : events.at(-1);
  if (need.answer === "binary") {
    return {
      status: "answered",
      binary: (event !== undefined) !== need.negated,
      text: event ? `yes, ${agoText(context.recall.nowUs - event.validFromUs)}` : "no",
      evidence: event ? [evidenceOfRecord(event, event.text[0] ?? event.type, 1)] : [],
      confidence: event ? 0.8 : 0.65,
    };
  }
  if (!event) return unknown("I do not remember doing that.", "not-seen");
  const rooms = await context.recall.rooms();
  const name = rooms.find(({ id }) => id === event.regionId)?.name;
  const [position] = await positionsOf([event], context);
  const [passed] = event.who.length > 0 ? await context.recall.options.reader.get([event.who[0]!]) : [];
  const text =
    need.verb === "turn"
      ? String(event.detail["direction"] ?? "around")
      : need.answer === "position"
        ? (name ?? event.text[0] ?? event.type)
        : need.verb === "pass" && passed?.kind === "state"
          ? passed.name
          : need.verb === "enter" || need.verb === "exit"
            ? (name ?? "a room")
            : (event.text[0] ?? event.type);
  return {
    status: "answered",
    text,
    ...(position && { position: { point: position, ...(name !== undefined && { region: name }) } }),
    evidence: [evidenceOfRecord(event, event.text[0] ?? event.type, 1, position)],
    confidence: 0.7,
  };
};

/** How long: in a room by the looks taken there, of a thing from first to last seen. */
export const duration: Rule = async (need, context) => {
  if (need.verb === "gap") return gapBetweenSights(need, context);
  const goal = need.subgoals[0]!;
  const rooms = await roomsOf(goal.region ?? goal.target, context);
  if (rooms && rooms.length > 0) {
    const stays = await roomStays(rooms, need, context);
    const last = need.times.some(({ kind }) => kind === "last") ? stays.slice(-1) : stays;
    const s = last.reduce((sum, { fromUs, toUs }) => sum + (toUs! - fromUs) / 1e6, 0);
    if (s === 0) return unknown(`I was not in the ${rooms[0]!.name}.`, "not-seen");
    return { status: "answered", text: spanText(s), durationS: s, evidence: [], confidence: 0.7 };
  }
  if (need.verb === "stop") {
    const events = await doings(need, context);
    const event = events.at(-1);
    if (!event) return unknown("I did not stop.", "not-seen");
    const s = ((event.validToUs ?? event.validFromUs) - event.validFromUs) / 1e6;
    return {
      status: "answered",
      text: spanText(s),
      durationS: s,
      evidence: [evidenceOfRecord(event, "stop", 1)],
      confidence: 0.7,
    };
  }
  const found = await resolve(goal, need, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const presence = (await context.recall.presence([thing.state.id])).get(thing.state.id);
  const s =
    ((presence?.lastSeenUs ?? thing.state.validFromUs) - (presence?.firstSeenUs ?? thing.state.validFromUs)) /
    1e6;
  return {
    status: "answered",
    text: spanText(s),
    durationS: s,
    evidence: [evidenceOf(thing, theName(thing))],
    confidence: 0.5,
  };
};

/** When the agent was in these rooms, by where it looked from. */
async function roomStays(rooms: readonly RoomView[], need: Need, context: RuleContext): Promise<Interval[]> {
  const { recall, agentId } = context;
  const span = spanOf(need, recall.nowUs) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const spans: Interval[] = [];
  for (const { record } of rooms) {
    if (!record.hull || record.hull.length < 3) continue;
    const floorZ = Math.min(...record.hull.map(({ z }) => z));
    const hits = await recall.search({
      kinds: ["observation"],
      space: {
        type: "region",
        points: record.hull.map(({ x, y }) => ({ x, y })),
        minZ: floorZ - 0.5,
        maxZ: floorZ + 3,
      },
      time: { overlaps: span },
      where: agentId === undefined ? {} : { author: [agentId] },
      rank: "earliest",
      limit: 10_000,
    });
    // A look stands for the time until the next one, a second at most.
    for (const { record: look } of hits)
      spans.push({ fromUs: look.validFromUs, toUs: look.validFromUs + 1_000_000 });
  }
  return mergeIntervals(spans, 2_500_000);
}

/** How often: visits of a room, or separate times a thing was in view. */
export const frequency: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const rooms = await roomsOf(goal.region ?? goal.target, context);
  let n: number;
  let evidence: Finding["evidence"] = [];
  if (rooms && rooms.length > 0)
    n = mergeIntervals(await roomStays(rooms, need, context), 5_000_000).filter(
      ({ fromUs, toUs }) => toUs! - fromUs > 1_500_000,
    ).length;
  else if (need.verb !== undefined && EVENT_OF[need.verb]) n = (await doings(need, context)).length;
  else if (/\bmoved?\b/.test(need.text)) {
    const moves = await movesOf(need, context);
    if (moves === undefined) return missing(goal, await resolve(goal, need, context), need, context);
    n = moves.length;
    evidence = moves
      .slice(0, 12)
      .map((event) => evidenceOfRecord(event, event.text[0] ?? event.type, event.p));
  } else {
    const found = await resolve(goal, need, context);
    const thing = found.things[0];
    if (!thing) return { ...(await missing(goal, found, need, context)), count: 0 };
    const stays = await context.recall.stays(thing.trackId);
    const looks = await context.recall.options.reader.sightings({
      stateIds: stays.map(({ state }) => state.id),
      outcomes: ["seen"],
      during: { fromUs: -LIMITS.timeUs, toUs: context.recall.nowUs + 1 },
      order: "earliest",
    });
    n = mergeIntervals(
      looks.map(({ timeUs }) => ({ fromUs: timeUs, toUs: timeUs + 1 })),
      VISIT_GAP_US,
    ).length;
    evidence = [evidenceOf(thing, theName(thing))];
  }
  return {
    status: "answered",
    count: n,
    text: n === 1 ? "once" : n === 2 ? "twice" : `${n} times`,
    evidence,
    confidence: 0.65,
  };
};

/** The times a thing was moved, by what tracking told; undefined when no such thing is known. */
async function movesOf(need: Need, context: RuleContext): Promise<EventRecord[] | undefined> {
  const { recall } = context;
  const { things } = await resolve(need.subgoals[0]!, { ...need, times: [] }, context);
  if (things.length === 0) return undefined;
  const span = spanOf(need, recall.nowUs) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const events = await recall.events(["move"], span);
  // Of things with one name, the one that was moved in that time.
  const own = things
    .slice(0, 8)
    .map(({ trackId }) => events.filter(({ detail }) => detail["trackId"] === trackId));
  return own.find((moves) => moves.length > 0) ?? [];
}

/** What was seen first, before or after something. */
export const order: Rule = async (need, context) => {
  if (need.subgoals.length === 2) return seenBefore(need, context);
  const span = (await eventSpan(need, context)) ?? spanOf(need, context.recall.nowUs);
  const { recall } = context;
  if (!span) return unknown("I do not know when you mean.");
  const room = need.subgoals[0]?.region ? await roomsOf(need.subgoals[0].region, context) : undefined;
  const looks = await recall.options.reader.sightings({
    during: span,
    outcomes: ["seen"],
    order: "earliest",
    limit: 400,
  });
  const ids = [...new Set(looks.map(({ stateId }) => stateId))].slice(0, 60);
  const records = (await recall.options.reader.get(ids)).flatMap((record) =>
    record?.kind === "state" ? [record] : [],
  );
  const seen = room ? records.filter(({ regionId }) => room.some(({ id }) => id === regionId)) : records;
  if (seen.length === 0) return unknown("I saw nothing that I remember.", "not-seen");
  const names = [...new Set(seen.map(({ name }) => name))];
  return {
    status: "answered",
    text: listOf(names, 5),
    set: names.slice(0, 32),
    evidence: seen.slice(0, 6).map((record) => evidenceOfRecord(record, record.name, 0.8)),
    confidence: 0.5,
  };
};
