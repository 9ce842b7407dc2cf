import { distance } from "../../geometry/index.ts";
import {
  evidenceOf,
  evidenceOfRecord,
  type Finding,
  type Rule,
  type RuleContext,
  unknown,
} from "../finding.ts";
import type { Need, Subgoal } from "../need.ts";
import { isRoom } from "../parse/noun-phrase.ts";
import { area, type RoomView } from "../recall/room-names.ts";
import { isLiveAt, type Thing } from "../recall/thing.ts";
import { theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { among } from "./among.ts";
import { sameValue } from "./facts.ts";
import { frameOf } from "./frames.ts";
import { gapM, holds, sizeOf } from "./geometry.ts";
import { positionOf, trust } from "./places.ts";
import { anchorsOf, type Resolved, resolve, roomsOf } from "./resolve.ts";

interface Measured {
  readonly name: string;
  readonly value: number;
  readonly thing?: Thing;
}

/** Which is bigger, closer, more; is this bigger than that. */
export const compare: Rule = async (need, context) => {
  const { compare: how } = need;
  if (isAmong(need)) return among(need, context);
  if (how && need.subgoals.every(({ target, relations }) => isRoom(target) && relations.length === 0))
    return compareRooms(need, context);
  if (!how) return unknown("I do not know what to compare.");
  const measured: Measured[] = [];
  const founds: Resolved[] = [];
  const single = need.subgoals.length === 1;
  for (const goal of need.subgoals) {
    const found = await resolve(goal, need, context);
    founds.push(found);
    if (how.dimension === "count") {
      const present = found.things.filter((thing) => isLiveAt(thing, context.recall.nowUs));
      measured.push({
        name: nameOf(goal),
        value: present.length * (found.times ?? 1),
        ...(present[0] && { thing: present[0] }),
      });
      continue;
    }
    if (found.things.length === 0) return missing(goal, found, need, context);
    for (const thing of single ? found.things.slice(0, 30) : found.things.slice(0, 1)) {
      const value = await measure(thing, need, context);
      if (value !== undefined)
        measured.push({ name: single ? thing.name : goal.target.phrase, value, thing });
    }
  }
  if (how.dimension === "count" && single && need.subgoals[0]!.target.head !== "object")
    return mostByRoom(need, context);
  if (measured.length < (single && need.quantifier !== "superlative" ? 2 : 1))
    return unknown("I know too little of them to compare.");
  const least = how.op === "less" || how.op === "least";
  const sorted = measured.toSorted((a, b) => (least ? a.value - b.value : b.value - a.value));
  const best = sorted[0]!;
  const margin = sorted[1]
    ? Math.abs(best.value - sorted[1].value) / Math.max(1e-6, Math.abs(best.value), Math.abs(sorted[1].value))
    : 1;
  const trusts = await Promise.all(
    measured.flatMap(({ thing }) => (thing ? [trust(thing, { ambiguous: false }, context)] : [])),
  );
  const base = {
    status: "answered" as const,
    evidence: sorted
      .slice(0, 6)
      .flatMap(({ thing, value }) =>
        thing ? [evidenceOf(thing, `${theName(thing)}: ${value.toFixed(2)}`)] : [],
      ),
    confidence: Math.min(0.9, ...trusts) * (0.55 + 0.45 * Math.min(1, margin * 3)),
  };
  if (need.answer === "binary") {
    const yes = measured[0] === best && margin > 0;
    return { ...base, binary: yes !== need.negated, text: yes ? "yes" : "no" };
  }
  return {
    ...base,
    text: best.name,
    ...(best.thing?.position && { position: positionOf(best.thing) }),
    ...(best.thing && { goal: best.thing }),
  };
};

/** Whether each option of the question is one of its things. */
function isAmong(need: Need): boolean {
  return (
    need.options !== undefined &&
    need.quantifier === "superlative" &&
    need.subgoals.length >= need.options.length
  );
}

/** Which room is larger, by its outline. */
async function compareRooms(need: Need, context: RuleContext): Promise<Finding> {
  const rooms: RoomView[] = [];
  const single = need.subgoals.length === 1;
  const asked = need.subgoals[0]!.target;
  if (single && asked.head === "room") rooms.push(...(await context.recall.rooms()));
  else
    for (const goal of need.subgoals) {
      const named = await roomsOf(goal.target, context);
      const [first] = named ?? [];
      if (!first)
        return missing(goal, { things: [], named: [], room: null, ambiguous: false }, need, context);
      rooms.push(first);
    }
  const least = need.compare!.op === "less" || need.compare!.op === "least";
  const sorted = rooms.toSorted((a, b) => (least ? area(a) - area(b) : area(b) - area(a)));
  const best = sorted[0];
  if (!best) return unknown("I know no rooms yet.", "not-seen");
  const margin = sorted[1]
    ? Math.abs(area(best) - area(sorted[1])) / Math.max(area(best), area(sorted[1]))
    : 1;
  const base = {
    status: "answered" as const,
    evidence: sorted
      .slice(0, 6)
      .map((room) =>
        evidenceOfRecord(room.record, `${room.name}: ${area(room).toFixed(1)} m²`, 1, room.centre),
      ),
    confidence: 0.5 + 0.4 * Math.min(1, margin * 2),
  };
  if (need.answer === "binary") {
    const yes = rooms[0] === best;
    return { ...base, binary: yes !== need.negated, text: yes ? "yes" : "no" };
  }
  return {
    ...base,
    text: best.name,
    ...(best.centre && { position: { point: best.centre, region: best.name } }),
  };
}

function nameOf({ target, region }: Subgoal): string {
  return region?.phrase ?? target.phrase;
}

async function measure(thing: Thing, need: Need, context: RuleContext): Promise<number | undefined> {
  const { dimension, to } = need.compare!;
  switch (dimension) {
    case "height":
      return sizeOf(thing, "height");
    case "width":
      return sizeOf(thing, "width");
    case "distance": {
      const anchor = to ? (await anchorsOf(to, need, context))[0] : undefined;
      if (anchor) return gapM(thing, anchor);
      return context.pose && thing.position ? distance(context.pose.position, thing.position) : undefined;
    }
    case "time":
      return context.recall.lastSeenUs(thing);
    default:
      return sizeOf(thing, "size");
  }
}

/** "which room has the most chairs". */
async function mostByRoom(need: Need, context: RuleContext): Promise<Finding> {
  const goal = need.subgoals[0]!;
  const found = await resolve(goal, need, context);
  const counts = new Map<string, Thing[]>();
  for (const thing of found.things.filter((one) => isLiveAt(one, context.recall.nowUs))) {
    const room = await context.recall.roomOf(thing);
    if (room) counts.set(room.name, [...(counts.get(room.name) ?? []), thing]);
  }
  const least = need.compare!.op === "less" || need.compare!.op === "least";
  const [best] = [...counts].sort((a, b) => (least ? a[1].length - b[1].length : b[1].length - a[1].length));
  if (!best) return missing(goal, found, need, context);
  return {
    status: "answered",
    text: best[0],
    evidence: best[1].slice(0, 6).map((thing) => evidenceOf(thing, theName(thing))),
    confidence: 0.65,
  };
}

/** Are they in the same room, of one colour; is this on that. */
export const relate: Rule = async (need, context) => {
  const [first, second] = need.subgoals;
  if (isAmong(need)) return among(need, context);
  if (second) return alike(need, first!, second, context);
  const goal = first!;
  const bare = await resolve({ target: goal.target, relations: [] }, need, context);
  const thing = bare.things[0];
  if (!thing) return missing(goal, bare, need, context);
  const rooms = goal.region ? await roomsOf(goal.region, context) : undefined;
  let yes = true;
  const evidence = [evidenceOf(thing, theName(thing))];
  let sure = await trust(thing, bare, context);
  if (rooms) {
    const room = await context.recall.roomOf(thing);
    yes &&= rooms.some(({ id }) => id === room?.id);
  } else if (rooms === null) return missing(goal, bare, need, context);
  for (const relation of goal.relations) {
    if (!relation.anchor) {
      const frame = await frameOf(relation.frame ?? { kind: "ego" }, need, context);
      yes &&=
        frame !== undefined &&
        (await resolve(goal, need, context)).things.some(({ trackId }) => trackId === thing.trackId);
      continue;
    }
    const anchors = (await anchorsOf(relation.anchor, need, context, rooms)).slice(0, 8);
    if (anchors.length === 0) {
      const other = { target: relation.anchor, relations: [] };
      return missing(other, await resolve(other, need, context), need, context);
    }
    let best = 0;
    for (const anchor of anchors) {
      const frame = await frameOf(relation.frame ?? need.frame, need, context, anchor);
      for (const candidate of bare.things.slice(0, 8))
        best = Math.max(best, holds(relation.predicate, candidate, anchor, frame));
    }
    evidence.push(evidenceOf(anchors[0]!, theName(anchors[0]!)));
    yes &&= best > 0;
    sure *= best > 0 ? 0.6 + 0.4 * best : 0.75;
  }
  return {
    status: "answered",
    binary: yes !== need.negated,
    text: yes ? "yes" : "no",
    evidence,
    confidence: sure,
    goal: thing,
  };
};

function holderOf({ state }: Thing): string | undefined {
  return state.supportedBy ?? state.insideOf;
}

/** Whether one thing carries both, by what tracking found them to stand on or by where they are. */
async function shareSurface(one: Thing, other: Thing, { recall }: RuleContext): Promise<boolean> {
  const ids = [holderOf(one), holderOf(other)].filter((id) => id !== undefined);
  if (ids.length === 2 && ids[0] === ids[1]) return true;
  const holders = await Promise.all(ids.map((id) => recall.thingOfState(id, 1)));
  const [first, second] = holders;
  if (first && second && first.trackId === second.trackId) return true;
  const carries = (holder: Thing, thing: Thing) =>
    holderOf(thing) === holder.state.id ||
    Math.max(holds("on", thing, holder), holds("in", thing, holder)) > 0;
  return holders.some((holder) => holder && carries(holder, one) && carries(holder, other));
}

async function alike(need: Need, first: Subgoal, second: Subgoal, context: RuleContext): Promise<Finding> {
  const [a, b] = [await resolve(first, need, context), await resolve(second, need, context)];
  const [one, other] = [a.things[0], b.things[0]];
  if (!one) return missing(first, a, need, context);
  if (!other) return missing(second, b, need, context);
  const dimension = need.compare?.dimension ?? "place";
  let yes: boolean | undefined;
  if (dimension === "colour" || dimension === "material") yes = sameValue(one, other, dimension);
  else if (dimension === "place") {
    if (/\b(?:surface|table|shelf|counter)\b/.test(need.text)) yes = await shareSurface(one, other, context);
    else {
      const rooms = await Promise.all([one, other].map((thing) => context.recall.roomOf(thing)));
      yes = rooms[0] && rooms[1] ? rooms[0].id === rooms[1].id : undefined;
    }
  } else {
    const [p, q] = [sizeOf(one, dimension), sizeOf(other, dimension)];
    yes = p !== undefined && q !== undefined ? Math.abs(p - q) / Math.max(p, q) < 0.15 : undefined;
  }
  if (yes === undefined) return unknown("I know too little of them to tell.");
  return {
    status: "answered",
    binary: yes !== need.negated,
    text: yes ? "yes" : "no",
    evidence: [one, other].map((thing) => evidenceOf(thing, theName(thing))),
    confidence: Math.min(await trust(one, a, context), await trust(other, b, context)) * 0.95,
  };
}
