import { distance } from "../../geometry/index.ts";
import { evidenceOf, type Finding, type RuleContext, unknown } from "../finding.ts";
import type { Need, Subgoal } from "../need.ts";
import { area } from "../recall/room-names.ts";
import type { Thing } from "../recall/thing.ts";
import { theName } from "../words/phrases.ts";
import { missing } from "./absence.ts";
import { sameValue } from "./facts.ts";
import { gapM, sizeOf } from "./geometry.ts";
import { anchorsOf, resolve, roomsOf } from "./resolve.ts";

interface Judged {
  readonly option: string;
  readonly thing: Thing | undefined;
  /** The larger, the better it answers. */
  readonly score: number;
}

/** Which of the options is the largest, the nearest, the one that shares a room or a colour with something. */
export async function among(need: Need, context: RuleContext): Promise<Finding> {
  const options = need.options ?? [];
  const same = need.compare?.op === "same";
  const goals = need.subgoals.slice(-options.length);
  const [anchorGoal] = need.subgoals;
  const to = same && need.subgoals.length > goals.length ? anchorGoal!.target : need.compare?.to;
  const rooms = same && anchorGoal?.region ? await roomsOf(anchorGoal.region, context) : undefined;
  const anchors = to ? await anchorsOf(to, need, context, rooms) : [];
  if (to && anchors.length === 0) {
    const goal = same ? anchorGoal! : { target: to, relations: [] };
    return missing(goal, await resolve(goal, need, context), need, context);
  }
  const judged: Judged[] = [];
  for (const [n, goal] of goals.entries()) {
    const found = goal.property === "room" ? undefined : await resolve(goal, need, context);
    const thing = found?.things[0];
    const score = await scoreOf(goal, thing, anchors[0], need, context);
    judged.push({ option: options[n]!, thing, score: score ?? -Infinity });
  }
  const sorted = judged.toSorted((a, b) => b.score - a.score);
  const best = sorted[0]!;
  if (best.score === -Infinity) return unknown("I know none of these well enough.", "not-seen");
  const unclear = judged.filter(({ score }) => score === -Infinity).length;
  const tie = sorted[1] !== undefined && sorted[1].score >= best.score - Math.abs(best.score) * 0.05;
  return {
    status: "answered",
    text: best.option,
    evidence: sorted
      .flatMap(({ thing }) => (thing ? [evidenceOf(thing, theName(thing))] : []))
      .concat(anchors.slice(0, 1).map((thing) => evidenceOf(thing, theName(thing))))
      .slice(0, 6),
    confidence: (tie ? 0.45 : 0.8) * (1 - 0.15 * unclear),
    ...(best.thing && { goal: best.thing }),
  };
}

async function scoreOf(
  goal: Subgoal,
  thing: Thing | undefined,
  anchor: Thing | undefined,
  need: Need,
  context: RuleContext,
): Promise<number | undefined> {
  const { recall } = context;
  const sign = need.compare?.op === "least" || need.compare?.op === "less" ? -1 : 1;
  if (goal.property === "room") {
    const [room] = (await roomsOf(goal.target, context)) ?? [];
    if (!room) return undefined;
    if (need.compare?.dimension !== "distance") return sign * area(room);
    return anchor?.position && room.centre ? sign * distance(anchor.position, room.centre) : undefined;
  }
  if (!need.compare) return thing ? 1 + thing.fit : undefined;
  if (!thing) return undefined;
  const { dimension } = need.compare;
  if (need.compare.op === "same") {
    if (!anchor) return undefined;
    if (dimension === "colour" || dimension === "material") {
      const alike = sameValue(thing, anchor, dimension);
      return alike === undefined ? 0.3 : alike ? 1 : 0;
    }
    if (dimension === "size") return -Math.abs((sizeOf(thing, "size") ?? 0) - (sizeOf(anchor, "size") ?? 0));
    const [own, other] = await Promise.all([recall.roomOf(thing), recall.roomOf(anchor)]);
    const near = thing.position && anchor.position ? distance(thing.position, anchor.position) : 20;
    return (own && other && own.id === other.id ? 1 : 0) - near / 100;
  }
  switch (dimension) {
    case "distance": {
      const from = context.pose?.position;
      const m = anchor
        ? gapM(thing, anchor)
        : from && thing.position
          ? distance(from, thing.position)
          : undefined;
      return m === undefined ? undefined : sign * m;
    }
    case "time":
      return sign * (await recall.lastSeenUs(thing));
    default: {
      const value = sizeOf(thing, dimension);
      return value === undefined ? undefined : sign * value;
    }
  }
}
