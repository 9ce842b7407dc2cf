import type { FloorRaster } from "../map/index.ts";
import type { Consultation, FrontierLine, RunMap, RunStep } from "../schema/index.ts";
import type { Went, Whereabouts } from "../sensors/index.ts";
import type { Decision } from "./decide.ts";
import type { Explorer } from "./explorer.ts";
import type { Belief } from "./inquiry/inquiry.ts";
import { wordsOf } from "./inquiry/needs.ts";
import type { Taken } from "./site.ts";
import type { Survey } from "./survey.ts";
import type { Claims } from "./team.ts";

const STATES = ["u", "f", "o"] as const;
const MAX_TEXT = 400;

/** The known floor, for drawing. */
export function mapLine(
  n: number,
  { floorZ, originX, originY, cellM, width, height, state }: FloorRaster,
): RunMap {
  const runs: string[] = [];
  for (let from = 0; from < state.length; ) {
    let to = from + 1;
    while (to < state.length && state[to] === state[from]) to++;
    runs.push(`${to - from}${STATES[state[from]!]}`);
    from = to;
  }
  return { kind: "map", n, floorZ, originX, originY, cellM, width, height, runs: runs.join("") };
}

/** One step as it is recorded. */
export function stepLine(step: {
  readonly n: number;
  readonly explorer: Explorer;
  readonly pose: Whereabouts;
  readonly decision: Decision;
  readonly went: Went | undefined;
  readonly taken: Taken;
  readonly survey: Survey;
  readonly belief: Belief;
  readonly claims: Claims;
  readonly planMs: number;
  readonly consulted: readonly Consultation[];
}): RunStep {
  const { n, explorer, pose, decision, went, taken, survey, belief, claims } = step;
  const { goal } = decision;
  const { answer, parts } = belief;
  return {
    kind: "step",
    n,
    agentId: explorer.id,
    timeUs: Math.round(pose.timeUs),
    pose: { position: pose.positionInWorld, yawRad: pose.yawRad },
    sdM: pose.sdM,
    frontiers: survey.frontiers.map((frontier) =>
      frontierLine(frontier, step.decision, explorer.id, claims, n),
    ),
    checklist: parts.map(({ need, state, p }) => ({
      what: wordsOf(need).slice(0, MAX_TEXT),
      known: state !== "open",
      p: clamp(p),
    })),
    belief: { text: answer.text.slice(0, MAX_TEXT), status: answer.status, confidence: answer.confidence },
    decision: {
      kind: goal?.kind ?? "stay",
      reason: goal?.reason ?? "nothing is left for it to do",
      ...(goal && { goal: { position: goal.stand.positionInWorld, yawRad: goal.stand.yawRad } }),
      ...(goal?.target !== undefined && { target: goal.target }),
    },
    used: [...decision.used].slice(0, 64),
    made: taken.made.slice(0, 256),
    ...(step.consulted.length > 0 && { consulted: step.consulted.slice(0, 8) }),
    ...(went && {
      went: {
        outcome: went.outcome,
        pathM: went.pathM,
        turnRad: went.turnRad,
        ...(went.why && { why: went.why }),
      },
    }),
    pathM: explorer.pathM,
    planMs: step.planMs,
  };
}

function frontierLine(
  { id, stand, middle, lengthM, gainM2, costM, isClosedDoor }: Survey["frontiers"][number],
  { choice, goal }: Decision,
  agentId: string,
  claims: Claims,
  n: number,
): FrontierLine {
  const verdict = choice?.verdicts.get(id);
  const holder = claims.holder(id, agentId, n);
  const fate =
    goal?.target === id
      ? "chosen"
      : holder
        ? "claimed"
        : (verdict?.fate ?? (costM === Infinity ? "discarded" : "kept"));
  const noWay = isClosedDoor ? "the door is closed" : "no way leads there";
  const why = holder ? `${holder} goes there` : costM === Infinity ? noWay : verdict?.why;
  return {
    id,
    stand: { position: stand.positionInWorld, yawRad: stand.yawRad },
    middle,
    lengthM,
    gainM2,
    costM: costM === Infinity ? null : costM,
    scores: verdict?.scores ?? {},
    fate: fate === "chosen" && goal?.target !== id ? "kept" : fate,
    ...(why !== undefined && { why }),
  };
}

function clamp(p: number): number {
  return Math.min(1, Math.max(0, p));
}
