import { LIMITS } from "../../schema/core.ts";
import {
  evidenceOf,
  evidenceOfRecord,
  type Finding,
  type Rule,
  type RuleContext,
  unknown,
} from "../finding.ts";
import type { Need } from "../need.ts";
import { inWorld } from "../recall/poses.ts";
import type { Thing } from "../recall/thing.ts";
import { theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { frameOf } from "./frames.ts";
import { resolve, spanOf } from "./resolve.ts";

const STILL_M = 0.3;
/** Who goes at this speed walks, though it was seen for a moment only. */
const SLOW_MPS = 0.3;
/** Looks this far from a moment still tell of it. */
const BESIDE_US = 4_000_000;
/** A walk is followed for so long. */
const WALK_US = 8_000_000;
const MOVERS = /person|man|woman|child|boy|girl|dog|cat|robot|vehicle/;

/** Which way and how fast something moved, by where it was seen. */
export const motion: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const { recall } = context;
  // People come and go: who is meant is known by name, whenever it was.
  const found = await resolve(goal, { ...need, times: [] }, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const asked = need.times.find(({ kind }) => kind === "at" || kind === "ago")?.fromUs;
  const span =
    asked === undefined
      ? (spanOf(need, recall.nowUs) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 })
      : { fromUs: asked - BESIDE_US, toUs: asked + (need.verb === "towards" ? WALK_US : BESIDE_US) + 1 };
  const stays = await recall.stays(thing.trackId);
  const frames = await recall.options.reader.frames();
  const looks = (
    await recall.options.reader.sightings({
      stateIds: [...new Set([thing.state.id, ...stays.map(({ state }) => state.id)])],
      during: span,
      outcomes: ["seen"],
      order: "latest",
      limit: 40,
    })
  )
    .flatMap(({ anchor, timeUs }) => {
      const at = anchor && inWorld(frames, anchor);
      return at ? [{ timeUs, x: at.x, y: at.y }] : [];
    })
    .toSorted((a, b) => a.timeUs - b.timeUs);
  const recent = around(looks, asked);
  const [first, last] = [recent[0], recent.at(-1)];
  if (!first || !last || first === last) {
    // A thing that stays where it is was not moving, seen or not.
    if (!MOVERS.test(thing.category) && stays.length <= 1) return still(thing, need);
    return {
      ...unknown(`I saw ${theName(thing)} only for a moment.`),
      evidence: [evidenceOf(thing, theName(thing))],
    };
  }
  if (need.verb === "towards")
    return towards(need, thing, asked === undefined ? recent : walkFrom(looks, asked), context);
  const [dx, dy] = [last.x - first.x, last.y - first.y];
  const speedMps = Math.hypot(dx, dy) / ((last.timeUs - first.timeUs) / 1e6);
  const moving = Math.hypot(dx, dy) > STILL_M || (speedMps > SLOW_MPS && Math.hypot(dx, dy) > STILL_M / 2);
  if (!moving && need.answer !== "binary" && !MOVERS.test(thing.category)) return still(thing, need);
  const frame = await frameOf({ kind: "ego", atUs: last.timeUs }, need, context);
  const angle = frame ? Math.atan2(dy, dx) - frame.yawRad : Math.atan2(dy, dx);
  const wrapped = Math.atan2(Math.sin(angle), Math.cos(angle));
  const words =
    Math.abs(wrapped) <= Math.PI / 4
      ? "away"
      : Math.abs(wrapped) >= (3 * Math.PI) / 4
        ? "towards"
        : wrapped > 0
          ? "left"
          : "right";
  return {
    status: "answered",
    ...(need.answer === "binary" && { binary: moving !== need.negated }),
    text:
      need.answer === "binary"
        ? moving !== need.negated
          ? "yes"
          : "no"
        : need.verb === "speed"
          ? `${speedMps.toFixed(1)} m/s`
          : moving
            ? words
            : "it stood still",
    motion: { moving, ...(moving && { direction: words, speedMps }), frame: "ego" },
    ...(need.verb === "speed" && { quantity: { value: speedMps, unit: "m/s" as const } }),
    evidence: [evidenceOf(thing, theName(thing), last.timeUs)],
    confidence: 0.6,
    goal: thing,
  };
};

interface Look {
  readonly timeUs: number;
  readonly x: number;
  readonly y: number;
}

/** The looks by which to tell: around the moment asked about, or the last few seconds. */
function around(looks: readonly Look[], asked: number | undefined): Look[] {
  if (asked === undefined)
    return looks.filter(({ timeUs }) => timeUs >= (looks.at(-1)?.timeUs ?? 0) - 6_000_000);
  const after = looks.filter(({ timeUs }) => timeUs >= asked - 600_000);
  const near = after.length >= 2 ? after : looks;
  return near.slice(
    0,
    Math.max(
      2,
      near.findIndex(({ timeUs }) => timeUs > near[0]!.timeUs + 3_000_000),
    ),
  );
}

/** Looks this far apart are of one walk. */
const STEP_US = 2_000_000;

/** The rest of the walk that somebody was on at a moment: where it led is where they were going. */
function walkFrom(looks: readonly Look[], asked: number): Look[] {
  const rest = looks.filter(({ timeUs }) => timeUs >= asked - 600_000);
  const walk = rest.length >= 2 ? rest : [...looks];
  const end = walk.findIndex((look, n) => n > 1 && isPause(walk[n - 1]!, look));
  return end < 0 ? walk : walk.slice(0, end);
}

function isPause(a: Look, b: Look): boolean {
  return b.timeUs - a.timeUs > STEP_US || Math.hypot(b.x - a.x, b.y - a.y) < STILL_M / 3;
}

function still(thing: Thing, need: Need): Finding {
  const evidence = [evidenceOf(thing, theName(thing))];
  if (need.answer === "binary")
    return {
      status: "answered",
      binary: need.negated,
      text: need.negated ? "yes" : "no",
      evidence,
      confidence: 0.8,
    };
  return { status: "false-premise", text: "it was not moving", evidence, confidence: 0.75 };
}

/** Whether the way went towards a thing: within 45° of it, and nearer in the end. */
async function towards(
  need: Need,
  thing: Thing,
  walk: readonly Look[],
  context: RuleContext,
): Promise<Finding> {
  const [first, last] = [walk[0]!, walk.at(-1)!];
  const goal = need.subgoals[1]!;
  const found = await resolve(goal, { ...need, times: [] }, context);
  const to = found.things[0]?.position;
  if (!to) return missing(goal, found, need, context);
  const [way, aim] = [
    { x: last.x - first.x, y: last.y - first.y },
    { x: to.x - first.x, y: to.y - first.y },
  ];
  const lengths = Math.hypot(way.x, way.y) * Math.hypot(aim.x, aim.y);
  const cos = lengths < 1e-6 ? 0 : (way.x * aim.x + way.y * aim.y) / lengths;
  const yes = Math.hypot(way.x, way.y) > STILL_M && cos > Math.SQRT1_2;
  return {
    status: "answered",
    binary: yes !== need.negated,
    text: yes ? "yes" : "no",
    evidence: [evidenceOf(thing, theName(thing), last.timeUs)],
    confidence: 0.55 + 0.35 * Math.min(1, Math.abs(cos - Math.SQRT1_2)),
  };
}

/** What somebody carried: what tracking saw move with them. */
export const carry: Rule = async (need, context) => {
  const { recall } = context;
  const goal = need.subgoals[0]!;
  const found = await resolve(goal, need, context);
  const events = await recall.events(
    ["interaction", "move"],
    spanOf(need, recall.nowUs) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 },
  );
  const tracks = new Set(found.things.map(({ trackId }) => trackId));
  const carried = events.filter(
    ({ detail, who }) =>
      tracks.has(String(detail["by"] ?? detail["cause"] ?? "")) ||
      who.some((id) => found.things.some(({ state }) => state.id === id)),
  );
  const event = carried.at(-1);
  if (!event)
    return found.things.length === 0
      ? missing(goal, found, need, context)
      : {
          ...unknown("I did not notice it carrying anything."),
          evidence: found.things.slice(0, 1).map((thing) => evidenceOf(thing, theName(thing))),
        };
  const records = await recall.options.reader.get(event.who);
  const thing = records.find((record) => record?.kind === "state" && record.category !== "person");
  return {
    status: "answered",
    text: thing?.kind === "state" ? thing.name : (event.text[0] ?? "something"),
    evidence: [evidenceOfRecord(event, event.text[0] ?? event.type, event.p)],
    confidence: 0.55,
  };
};
