import type { Random } from "../geometry/index.ts";
import type { Switches } from "../schema/index.ts";
import type { Frame, Stand, Went } from "../sensors/index.ts";
import { type Decision, decide, decisionFor, type Option, verification } from "./decide.ts";
import type { Explorer, Goal } from "./explorer.ts";
import { type Frontier, isOverlooked } from "./ground/frontiers.ts";
import type { Field } from "./ground/terrain.ts";
import type { DirectionJudge } from "./guide/vision.ts";
import { type Belief, SURE } from "./inquiry/inquiry.ts";
import { NO_PROSPECT } from "./inquiry/prospects.ts";
import type { Policy } from "./policies/index.ts";
import type { Survey } from "./survey.ts";
import { Claims, shareOut } from "./team.ts";

/** A target that was visited so often without anything new to see is given up: the breaker against endless replanning. */
const MAX_VISITS = 2;
/** A goal that this much driving has not reached is given up. */
const MAX_STEPS_A_GOAL = 14;
/** Where nothing is expected any more a goal is let go. */
const LEAST_LIKELY = 0.1;

const NOTHING: Decision = { goal: undefined, choice: undefined, used: [] };

export interface PlannerOptions {
  readonly explorers: readonly Explorer[];
  readonly policy: Policy;
  readonly task: "answer" | "navigate";
  readonly mode: "loci" | "paper";
  readonly switches: Switches;
  readonly random: Random;
  readonly route: readonly Stand[] | undefined;
  readonly judge: DirectionJudge | undefined;
}

/** The place and the belief at one step, for whoever decides. */
interface Moment {
  readonly step: number;
  readonly survey: Survey;
  readonly belief: Belief;
}

/**
 * Who does what next: goals are kept while they are worth it, claimed so that no two go for the same, and given up after
 * so many tries. What a frontier is worth is the policy's.
 */
export class Planner {
  readonly claims = new Claims();
  readonly #options: PlannerOptions;
  readonly #asked: Explorer;
  readonly #goalSteps = new Map<string, number>();
  #route: readonly Stand[];
  #judged: ReadonlyMap<string, number> = new Map();

  constructor(options: PlannerOptions) {
    this.#options = options;
    this.#asked = options.explorers[0]!;
    this.#route = options.route ?? [];
  }

  /** What everyone does next. The asked one may stop, or look again at what its answer rests on. */
  decisions(alive: readonly Explorer[], moment: Moment, stop: boolean): Map<string, Decision> {
    const { survey } = moment;
    const decisions = new Map<string, Decision>();
    const fields = new Map<string, Field>();
    for (const explorer of alive) fields.set(explorer.id, survey.terrain.field(explorer.at.positionInWorld));
    const free: Explorer[] = [];
    for (const explorer of alive) {
      if (stop) {
        const isAsked = explorer === this.#asked;
        const field = fields.get(explorer.id)!;
        decisions.set(explorer.id, isAsked ? this.#stopping(explorer, moment, field) : NOTHING);
        continue;
      }
      if (this.#keepsGoal(explorer, moment)) {
        decisions.set(explorer.id, { goal: explorer.goal, choice: undefined, used: [] });
        continue;
      }
      explorer.goal = undefined;
      this.claims.release(explorer.id);
      free.push(explorer);
    }
    this.#choose(free, moment, fields, decisions);
    return decisions;
  }

  /** What a vision model makes of the frontiers in view; what it said of others still holds. */
  async judge(
    { survey, belief }: Moment,
    frame: Frame | undefined,
    asked: { readonly question: string; readonly signal: AbortSignal | undefined },
  ): Promise<void> {
    const { judge, switches } = this.#options;
    if (judge === undefined || frame === undefined) return;
    const memories = switches.planner ? belief.answer.text : "";
    const judged = await judge.judge(frame, survey.reachable, { ...asked, memories });
    this.heed(judged);
  }

  /** What somebody makes of frontiers, 0 to 1 by their ids; it holds until they say otherwise. */
  heed(values: ReadonlyMap<string, number>): void {
    this.#judged = new Map([...this.#judged, ...values]);
  }

  /** Takes another one of a decision's options instead of its own. */
  redirect(explorer: Explorer, { choice }: Decision, option: Option, step: number): Decision {
    this.#send(explorer, option.goal, step);
    return decisionFor(option, choice);
  }

  /** Goes to a place that was told, whatever else is open. */
  send(explorer: Explorer, goal: Goal, step: number): Decision {
    this.#send(explorer, goal, step);
    return { goal, choice: undefined, used: goal.target === undefined ? [] : [goal.target] };
  }

  #send(explorer: Explorer, goal: Goal, step: number): void {
    this.claims.release(explorer.id);
    explorer.goal = goal;
    if (goal.target !== undefined) this.claims.claim(goal.target, explorer.id, step);
  }

  /** Counts tries at a target, so that none is tried for ever. */
  note(explorer: Explorer, { outcome }: Went, isThere: boolean): void {
    const { goal, tried } = explorer;
    const isFailed = outcome === "refused" || outcome === "stuck";
    const target = goal?.target;
    if (target === undefined) {
      // A stop that one was told of and that cannot be reached is left for the next.
      if (isFailed) explorer.goal = undefined;
      return;
    }
    const steps = (this.#goalSteps.get(target) ?? 0) + 1;
    this.#goalSteps.set(target, steps);
    if (isThere || isFailed || steps >= MAX_STEPS_A_GOAL) tried.set(target, (tried.get(target) ?? 0) + 1);
  }

  readonly isGivenUp = (target: string): boolean =>
    (this.#goalSteps.get(target) ?? 0) >= MAX_STEPS_A_GOAL ||
    this.#options.explorers.some(({ tried }) => (tried.get(target) ?? 0) >= MAX_VISITS);

  #choose(
    free: readonly Explorer[],
    { survey, belief, step }: Moment,
    fields: ReadonlyMap<string, Field>,
    decisions: Map<string, Decision>,
  ): void {
    const { policy, switches, mode, random } = this.#options;
    const mayRecall = policy.recalls && switches.planner;
    const likely = (frontier: Frontier) => (mayRecall ? survey.likely(frontier, belief.parts) : NO_PROSPECT);
    const unclaimed = survey.reachable.filter(({ id }) => this.claims.holder(id, "", step) === undefined);
    const ways = free.map(({ id }) => fields.get(id)!);
    const given = free.length > 1 ? shareOut(free, ways, unclaimed, survey.terrain, likely) : undefined;
    for (const explorer of free) {
      const field = fields.get(explorer.id)!;
      const own = given?.get(explorer.id);
      const frontiers = (given ? (own ? [own] : []) : unclaimed).map((frontier) => ({
        ...frontier,
        costM: field.metresTo(survey.terrain.cellAt(frontier.stand.positionInWorld)),
      }));
      const decision =
        this.#routed(explorer) ??
        decide({
          explorer,
          survey,
          field,
          belief,
          policy,
          isPaper: mode === "paper",
          // Helpers explore; what is remembered is looked at again by the one that is asked.
          mayRecall: mayRecall && (explorer === this.#asked || free.length === 1 || own !== undefined),
          frontiers: frontiers.filter(({ costM }) => costM < Infinity),
          step,
          judged: this.#judged,
          random: random.fork(`${explorer.id}/${step}`),
        });
      explorer.goal = decision.goal;
      if (decision.goal?.target) this.claims.claim(decision.goal.target, explorer.id, step);
      decisions.set(explorer.id, decision);
    }
  }

  /** An oracle's next stop. */
  #routed(explorer: Explorer): Decision | undefined {
    const [next] = explorer === this.#asked ? this.#route : [];
    if (next === undefined) return undefined;
    this.#route = this.#route.slice(1);
    return {
      goal: { kind: "recall", stand: next, target: undefined, reason: "told where to look", isTold: true },
      choice: undefined,
      used: [],
    };
  }

  /** Whether a goal is still worth going on for: not reached, reachable, still a frontier, something still open. */
  #keepsGoal(explorer: Explorer, { survey, belief }: Moment): boolean {
    const { goal } = explorer;
    if (goal === undefined || explorer.hasArrived()) return false;
    if (goal.target !== undefined && this.isGivenUp(goal.target)) return false;
    if (!this.#options.policy.commits && goal.kind === "explore") return false;
    if (goal.kind !== "explore") return true;
    const still = survey.frontiers.find(({ id }) => id === goal.target);
    if (still === undefined || still.costM === Infinity) return false;
    // The border moves as it is approached; the goal moves with it once it is not seen from there any more.
    if (!isOverlooked(survey.terrain, still, goal.stand)) explorer.goal = { ...goal, stand: still.stand };
    return survey.likely(still, belief.parts) > LEAST_LIKELY;
  }

  #stopping(explorer: Explorer, { survey, belief, step }: Moment, field: Field): Decision {
    const { goal } = explorer;
    const { policy, task, mode, random } = this.#options;
    if (goal?.kind === "verify" && !explorer.hasArrived() && !this.isGivenUp(goal.target!))
      return { goal, choice: undefined, used: [] };
    const isGoal = task === "navigate";
    if ((belief.answer.confidence >= SURE && !isGoal) || !policy.recalls || mode === "paper") return NOTHING;
    const decision = verification({
      explorer,
      survey,
      field,
      belief,
      policy,
      isPaper: false,
      mayRecall: true,
      frontiers: [],
      step,
      random,
      isGoal,
    });
    explorer.goal = decision?.goal;
    return decision ?? NOTHING;
  }
}
