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

/** A target visited this often without anything new to see is given up, which breaks endless replanning. */
const MAX_VISITS = 2;
/** A goal not reached after this many steps is given up. */
const MAX_STEPS_A_GOAL = 14;
/** A goal with a lower expected value is dropped. */
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

/** The place and the belief at one step, as input for decisions. */
interface Moment {
  readonly step: number;
  readonly survey: Survey;
  readonly belief: Belief;
}

/**
 * Assigns the next action of each agent: goals are kept while they are worth it, claimed so that no two agents have
 * the same one, and given up after too many attempts. The policy determines a frontier's value.
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

  /** The next action of every agent. The asked one may stop, or observe the evidence of its answer again. */
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

  /** A vision model's scores of the frontiers in view; earlier scores of others stay valid. */
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

  /** Sets scores of frontiers, 0 to 1 by id; they stay valid until replaced. */
  heed(values: ReadonlyMap<string, number>): void {
    this.#judged = new Map([...this.#judged, ...values]);
  }

  /** Takes another of a decision's options instead of its own. */
  redirect(explorer: Explorer, { choice }: Decision, option: Option, step: number): Decision {
    this.#send(explorer, option.goal, step);
    return decisionFor(option, choice);
  }

  /** Sends an explorer to a given place, regardless of open parts. */
  send(explorer: Explorer, goal: Goal, step: number): Decision {
    this.#send(explorer, goal, step);
    return { goal, choice: undefined, used: goal.target === undefined ? [] : [goal.target] };
  }

  #send(explorer: Explorer, goal: Goal, step: number): void {
    this.claims.release(explorer.id);
    explorer.goal = goal;
    if (goal.target !== undefined) this.claims.claim(goal.target, explorer.id, step);
  }

  /** Counts attempts at a target, so that none is tried forever. */
  note(explorer: Explorer, { outcome }: Went, isThere: boolean): void {
    const { goal, tried } = explorer;
    const isFailed = outcome === "refused" || outcome === "stuck";
    const target = goal?.target;
    if (target === undefined) {
      // An oracle's stop that cannot be reached is skipped.
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
          // Helpers explore; the asked agent observes remembered things again.
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

  /** Whether a goal is still worth pursuing: not reached, reachable, still a frontier, something still open. */
  #keepsGoal(explorer: Explorer, { survey, belief }: Moment): boolean {
    const { goal } = explorer;
    if (goal === undefined || explorer.hasArrived()) return false;
    if (goal.target !== undefined && this.isGivenUp(goal.target)) return false;
    if (!this.#options.policy.commits && goal.kind === "explore") return false;
    if (goal.kind !== "explore") return true;
    const still = survey.frontiers.find(({ id }) => id === goal.target);
    if (still === undefined || still.costM === Infinity) return false;
    // The border moves as the agent approaches; the goal moves with it once the border is no longer visible from
    // there.
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
