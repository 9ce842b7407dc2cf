import { distance } from "../../geometry/index.ts";
import { LIMITS } from "../../schema/core.ts";
import { evidenceOfRecord, type Finding, type RuleContext, unknown } from "../finding.ts";
import type { Need } from "../need.ts";
import { looksDuring } from "../recall/poses.ts";
import type { RoomView } from "../recall/room-names.ts";
import { metresText } from "../words/phrases.ts";
import { roomsOf, spanOf } from "./resolve.ts";

/** Turning slower than this is walking on. */
const TURNING_RAD_S = 0.12;
const BESIDE_US = 1_000_000;

/** Which way the agent turned at a moment, by the poses around it. */
export async function turningAt(timeUs: number, { recall, agentId }: RuleContext): Promise<Finding> {
  const [before, after] = [
    await recall.poseAt(timeUs - BESIDE_US, agentId),
    await recall.poseAt(timeUs + BESIDE_US, agentId),
  ];
  if (!before || !after || after.timeUs <= before.timeUs)
    return unknown("I do not remember that moment.", "not-seen");
  const turned = after.yawRad - before.yawRad;
  const rate = Math.atan2(Math.sin(turned), Math.cos(turned)) / ((after.timeUs - before.timeUs) / 1e6);
  const turning = Math.abs(rate) > TURNING_RAD_S;
  const left = rate > 0;
  return {
    status: "answered",
    text: turning
      ? left
        ? "counter-clockwise, to the left"
        : "clockwise, to the right"
      : "I was not turning",
    motion: {
      moving: turning,
      frame: "ego",
      turn: turning ? (left ? "counter-clockwise" : "clockwise") : "none",
      ...(turning && { direction: left ? "left" : "right" }),
    },
    evidence: [],
    confidence: Math.min(0.95, 0.5 + Math.abs(Math.abs(rate) - TURNING_RAD_S)),
  };
}

/** Between two looks a robot that stands still seems to move by less than this. */
const JITTER_M = 0.04;

/** How far the agent went in a span of time, by where it looked from. */
export async function travelled(need: Need, { recall, agentId }: RuleContext): Promise<Finding> {
  const span = spanOf(need, recall.nowUs) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const looks = await looksDuring(recall, span, agentId);
  const [first, last] = [looks[0], looks.at(-1)];
  if (!first || !last || first === last) return unknown("I remember no way of mine then.", "not-seen");
  let m = 0;
  let at = first.position;
  for (const { position } of looks) {
    const step = distance(at, position);
    if (step < JITTER_M) continue;
    m += step;
    at = position;
  }
  return {
    status: "answered",
    text: metresText(m),
    quantity: { value: m, unit: "m" },
    evidence: [],
    confidence: 0.8,
  };
}

/** In which room the agent was at a moment. */
export async function roomAtTime(timeUs: number, { recall, agentId }: RuleContext): Promise<Finding> {
  const pose = await recall.poseAt(timeUs, agentId);
  const room = pose && (await recall.roomAt(pose.position));
  if (!pose || !room) return unknown("I do not remember where I was then.", "not-seen");
  return {
    status: "answered",
    text: room.name,
    position: { point: pose.position, region: room.name },
    evidence: [],
    confidence: 0.85,
  };
}

/** Where the agent went after, or came from before, it was in a room. */
export async function nextRoom(need: Need, context: RuleContext): Promise<Finding> {
  const { recall, agentId } = context;
  const time = need.times.find(({ event }) => event?.target !== undefined);
  if (!time?.event?.target) {
    const past = spanOf(need, recall.nowUs)?.fromUs;
    return past === undefined ? unknown("I do not know when you mean.") : roomAtTime(past, context);
  }
  const named = await roomsOf(time.event.target, context);
  if (!named || named.length === 0) return unknown("I was not in such a room.", "not-seen");
  const visits = await visitsOf(context);
  const inside = visits.map(({ room }) => named.some(({ id }) => id === room.id));
  const at = time.n === 1 || time.kind === "before" ? inside.indexOf(true) : inside.lastIndexOf(true);
  if (at < 0) return unknown(`I was not in the ${named[0]!.name}.`, "not-seen");
  const next =
    time.kind === "before" ? visits[at - 1] : visits.slice(at + 1).find((_, n) => !inside[at + 1 + n]);
  if (!next) return unknown("I was in no other room then.", "not-seen");
  return {
    status: "answered",
    text: next.room.name,
    ...(next.room.centre && { position: { point: next.room.centre, region: next.room.name } }),
    evidence: [evidenceOfRecord(next.room.record, next.room.name, 1, next.room.centre)],
    confidence: agentId === undefined ? 0.6 : 0.7,
  };
}

interface Visit {
  readonly room: RoomView;
  readonly fromUs: number;
}

/** Shorter stays are steps over a threshold. */
const LEAST_VISIT_US = 2_000_000;

/** The rooms the agent was in, in order, by where it looked from. */
async function visitsOf({ recall, agentId }: RuleContext): Promise<Visit[]> {
  const everUs = { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const runs: { room: RoomView; fromUs: number; toUs: number }[] = [];
  for (const { timeUs, position } of await looksDuring(recall, everUs, agentId)) {
    const room = await recall.roomAt(position);
    if (!room) continue;
    const last = runs.at(-1);
    if (last?.room.id === room.id) last.toUs = timeUs;
    else runs.push({ room, fromUs: timeUs, toUs: timeUs });
  }
  const long = runs.filter(({ fromUs, toUs }) => toUs - fromUs >= LEAST_VISIT_US);
  return long.filter((run, n) => long[n - 1]?.room.id !== run.room.id);
}
