import { LIMITS } from "../../schema/core.ts";
import { evidenceOf, evidenceOfRecord, type Rule, unknown } from "../finding.ts";
import { theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { frameOf, resolve, spanOf } from "./resolve.ts";

const STILL_M = 0.3;

/** Which way and how fast something moved, by where it was seen. */
export const motion: Rule = async (need, context) => {
  const goal = need.subgoals[0]!;
  const { recall } = context;
  const found = await resolve(goal, need, context);
  const thing = found.things[0];
  if (!thing) return missing(goal, found, need, context);
  const span = spanOf(need, recall.nowUs) ?? { fromUs: -LIMITS.timeUs, toUs: recall.nowUs + 1 };
  const frames = await recall.options.reader.frames();
  const looks = (
    await recall.options.reader.sightings({
      stateIds: [thing.state.id],
      during: span,
      outcomes: ["seen"],
      order: "latest",
      limit: 40,
    })
  )
    .flatMap(({ anchor, timeUs }) => {
      const world =
        anchor &&
        (anchor.submap === "world"
          ? { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } }
          : frames.resolve("world", anchor.submap));
      if (!anchor || !world) return [];
      const yaw = Math.atan2(
        2 * (world.q.w * world.q.z + world.q.x * world.q.y),
        1 - 2 * (world.q.y ** 2 + world.q.z ** 2),
      );
      const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
      return [
        {
          timeUs,
          x: world.p.x + c * anchor.p.x - s * anchor.p.y,
          y: world.p.y + s * anchor.p.x + c * anchor.p.y,
        },
      ];
    })
    .toSorted((a, b) => a.timeUs - b.timeUs);
  const recent = looks.filter(({ timeUs }) => timeUs >= (looks.at(-1)?.timeUs ?? 0) - 6_000_000);
  const [first, last] = [recent[0], recent.at(-1)];
  if (!first || !last || first === last)
    return {
      ...unknown(`I saw ${theName(thing)} only for a moment.`),
      evidence: [evidenceOf(thing, theName(thing))],
    };
  const [dx, dy] = [last.x - first.x, last.y - first.y];
  const speedMps = Math.hypot(dx, dy) / ((last.timeUs - first.timeUs) / 1e6);
  const moving = Math.hypot(dx, dy) > STILL_M;
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
    ...(need.answer === "binary" && { binary: moving }),
    text:
      need.answer === "binary"
        ? moving
          ? "yes"
          : "no"
        : need.verb === "speed"
          ? `${speedMps.toFixed(1)} m/s`
          : moving
            ? words
            : "it stood still",
    motion: { moving, ...(moving && { direction: words, speedMps }), frame: "ego" },
    evidence: [evidenceOf(thing, theName(thing), last.timeUs)],
    confidence: 0.6,
    goal: thing,
  };
};

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
