import { centreOf, distance, type Random } from "../geometry/index.ts";
import type { Explorer, Goal } from "./explorer.ts";
import { type Frontier, shareOfRoom } from "./ground/frontiers.ts";
import type { Field } from "./ground/terrain.ts";
import type { Belief } from "./inquiry/inquiry.ts";
import type { Candidate, Part } from "./inquiry/part.ts";
import { IN_NAMED_ROOM, NO_PROSPECT } from "./inquiry/prospects.ts";
import type { Choice, Policy } from "./policies/index.ts";
import { type Survey, standKey } from "./survey.ts";

/** How often a remembered thing is observed again in one run, at most. */
const MAX_LOOKS_AT = 1;
/** Viewpoints considered for a thing; the eye height comes from the body. */
const VIEWPOINTS = 4;
/** Least value of information per metre for observing again while an answer is at hand. */
const LEAST_VALUE = 0.03;

/** A possible next action of an agent, with its value and path. */
export interface Option {
  readonly goal: Goal;
  /** Probability that it shows something needed. */
  readonly value: number;
  readonly costM: number;
}

export interface Decision {
  readonly goal: Goal | undefined;
  readonly choice: Choice | undefined;
  readonly used: readonly string[];
  /** The other options by value, the goal's own first; absent where a goal is only kept. */
  readonly options?: (() => readonly Option[]) | undefined;
}

export interface Deciding {
  readonly explorer: Explorer;
  readonly survey: Survey;
  readonly field: Field;
  readonly belief: Belief;
  readonly policy: Policy;
  /** Frontiers only, as in the papers: nothing is observed again or from nearer. */
  readonly isPaper: boolean;
  /** Whether the planner may read the memory. */
  readonly mayRecall: boolean;
  readonly frontiers: readonly Frontier[];
  readonly step: number;
  readonly random: Random;
  /** A vision model's scores of the frontiers in view, by frontier id. */
  readonly judged?: ReadonlyMap<string, number> | undefined;
}

/**
 * Recall, verify or explore, whichever promises most per metre. A remembered thing that may be the answer is observed
 * again; a room that could hold it is inspected from nearer; else the policy chooses a frontier.
 */
export function decide(deciding: Deciding): Decision {
  const { survey, belief, policy, mayRecall, explorer, field, step, random } = deciding;
  const parts = mayRecall ? belief.parts : [];
  const frontiers = relevant(deciding);
  const choice = policy.choose({
    at: explorer.at,
    step,
    terrain: survey.terrain,
    field,
    frontiers,
    likely: (frontier) => (mayRecall ? survey.likely(frontier, parts) : NO_PROSPECT),
    near: (frontier) => deciding.judged?.get(frontier.id) ?? survey.likelyHere(frontier, belief.parts),
    random,
  });
  const options: Option[] = [];
  if (mayRecall && !deciding.isPaper) options.push(...recalls(deciding));
  const closer = deciding.isPaper ? undefined : inspection(deciding, parts, frontiers.length === 0);
  if (closer) options.push(closer);
  if (choice.frontier) options.push(exploring(choice, survey, parts));
  const sorted = options.toSorted((a, b) => worth(b) - worth(a));
  return {
    ...decisionFor(sorted[0], choice),
    options: () => [...sorted, ...others(choice, frontiers, survey, parts)],
  };
}

/** The decision for one of the options. */
export function decisionFor(option: Option | undefined, choice: Choice | undefined): Decision {
  const goal = option?.goal;
  return { goal, choice, used: goal?.target && goal.kind !== "explore" ? [goal.target] : [] };
}

/** The frontiers that the policy did not choose: those it kept, by value, then those it discarded. */
function others(
  choice: Choice,
  frontiers: readonly Frontier[],
  survey: Survey,
  parts: readonly Part[],
): Option[] {
  const isDiscarded = ({ id }: Frontier): boolean => choice.verdicts.get(id)?.fate === "discarded";
  const of = (list: readonly Frontier[]): Option[] =>
    list
      .map((frontier) => exploring({ ...choice, frontier }, survey, parts))
      .sort((a, b) => worth(b) - worth(a));
  const rest = frontiers.filter((one) => one !== choice.frontier);
  return [...of(rest.filter((one) => !isDiscarded(one))), ...of(rest.filter(isDiscarded))];
}

/** Where only the surroundings of a place could change the answer, only the frontiers there. */
function relevant({
  frontiers,
  mayRecall,
  isPaper,
  belief: { around },
  survey,
}: Deciding): readonly Frontier[] {
  if (around === undefined || !mayRecall || isPaper) return frontiers;
  return frontiers.filter((frontier) => survey.isWithin(frontier, around));
}

/** Another observation of the evidence, where the answer is uncertain and the observation is worth the drive. */
export function verification(deciding: Deciding & { readonly isGoal: boolean }): Decision | undefined {
  const { belief, isGoal } = deciding;
  // A robot sent to a thing drives there, however certain its position is.
  const unsure = isGoal ? 1 : 1 - belief.answer.confidence;
  const best = recalls(deciding, "verify")
    .map((option) => ({ ...option, value: option.value * unsure }))
    .toSorted((a, b) => worth(b) - worth(a))[0];
  if (best === undefined || (!isGoal && worth(best) < LEAST_VALUE)) return undefined;
  return { goal: best.goal, choice: undefined, used: [best.goal.target!] };
}

function worth({ value, costM }: Option): number {
  return value / (1 + costM);
}

function exploring({ frontier, reason }: Choice, survey: Survey, parts: readonly Part[]): Option {
  const { id, stand, costM, flight, gainM2, isOpening } = frontier!;
  return {
    goal: { kind: "explore", stand, target: id, reason, flight: flight?.box },
    value: survey.likely(frontier!, parts) * shareOfRoom(gainM2, isOpening),
    costM,
  };
}

/** Remembered things that may satisfy an open part, each from its best viewpoint. */
function recalls({ belief, survey, explorer }: Deciding, kind: "recall" | "verify" = "recall"): Option[] {
  const wanted = belief.parts.filter(({ state, need }) =>
    kind === "verify"
      ? state === "found" && need.kind === "thing"
      : state === "open" && need.kind !== "all-of",
  );
  return wanted.flatMap(({ candidates }) =>
    candidates.slice(0, VIEWPOINTS).flatMap((candidate) => {
      if ((explorer.tried.get(candidate.stateId) ?? 0) >= MAX_LOOKS_AT) return [];
      const isHere = survey.isHere(centreOf(candidate.box).z);
      const option = isHere ? lookAt(candidate, kind, survey, explorer) : overStairs(candidate, kind, survey);
      return option ? [option] : [];
    }),
  );
}

/** The first part of the path to something on another storey: the stairs. */
function overStairs(
  { box, name, p }: Candidate,
  kind: "recall" | "verify",
  survey: Survey,
): Option | undefined {
  const stairs = survey.flightTo(centreOf(box).z);
  if (stairs === undefined) return undefined;
  const { id, stand, flight, costM } = stairs;
  const reason = `over the stairs to the ${name} that is remembered (${p.toFixed(2)})`;
  const restM = distance(stand.positionInWorld, centreOf(box));
  return { goal: { kind, stand, target: id, reason, flight: flight?.box }, value: p, costM: costM + restM };
}

function lookAt(
  { box, stateId, name, p, roomId }: Candidate,
  kind: "recall" | "verify",
  survey: Survey,
  { at, body }: Explorer,
): Option | undefined {
  const [view] = survey.map.viewpoints(box, {
    from: at.positionInWorld,
    eyeHeightM: body.model.eyeHeightM,
    roomId,
    limit: 1,
  });
  if (view === undefined) return undefined;
  const { positionInWorld, yawRad, pathM } = view;
  const reason =
    kind === "recall"
      ? `the ${name} that is remembered may be it (${p.toFixed(2)})`
      : `to be surer of the ${name}`;
  return {
    goal: { kind, stand: { positionInWorld, yawRad }, target: stateId, reason },
    value: p,
    costM: pathM,
  };
}

/** A nearer look at known rooms that could hold what is missing; at all rooms once no frontier is left. */
function inspection(
  { survey, field, belief }: Deciding,
  parts: readonly Part[],
  isLast: boolean,
): Option | undefined {
  const open = belief.parts.filter(({ state }) => state === "open").map(({ need }) => need);
  const around = parts.length === 0 ? undefined : belief.around;
  const named = parts.length === 0 || isLast ? [] : open.filter(({ rooms }) => rooms.length > 0);
  const found = survey.inspection(isLast || around ? open : named, field, around);
  if (found === undefined) return undefined;
  const { stand, costM, gainM2 } = found;
  return {
    goal: { kind: "inspect", stand, target: standKey(stand), reason: "it was not looked at closely enough" },
    value: (isLast ? NO_PROSPECT : IN_NAMED_ROOM) * shareOfRoom(gainM2),
    costM,
  };
}
