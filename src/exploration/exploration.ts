import type { Random } from "../geometry/index.ts";
import {
  isLociError,
  type PolicyName,
  type RunLine,
  type Switches,
  throwIfAborted,
} from "../schema/index.ts";
import type { Frame } from "../sensors/index.ts";
import type { Look, Stand, Went } from "./body.ts";
import { type Decision, decide, verification } from "./decide.ts";
import { type Ending, exhaustedEnding, exploredOf, onlyInView, settledEnding, spent } from "./ending.ts";
import type { Explorer } from "./explorer.ts";
import type { Field } from "./ground/terrain.ts";
import { type Belief, Inquiry, SURE } from "./inquiry/inquiry.ts";
import { mapLine, stepLine } from "./lines.ts";
import type { Explored, ExploreOptions } from "./options.ts";
import { Place } from "./place.ts";
import { type Policy, policyNamed } from "./policies/index.ts";
import type { Survey } from "./survey.ts";
import { Claims, shareOut } from "./team.ts";

/** A target that was visited so often without anything new to see is given up: the breaker against endless replanning. */
const MAX_VISITS = 2;
/** A goal that this much driving has not reached is given up. */
const MAX_STEPS_A_GOAL = 14;

type Settings = ExploreOptions & {
  readonly policy: PolicyName;
  readonly switches: Switches;
  readonly task: "answer" | "navigate";
  readonly random: Random;
  readonly tell: (line: RunLine) => void;
};

/**
 * One run: look, ask the memory, stop or choose, go on. One state machine for questions that the memory answers, for
 * those that have to be explored for, and for goals to drive to; for one agent or several.
 */
export class Exploration {
  readonly #settings: Settings;
  readonly #explorers: readonly Explorer[];
  readonly #asked: Explorer;
  readonly #inquiry: Inquiry;
  readonly #policy: Policy;
  readonly #place: Place;
  readonly #claims = new Claims();
  readonly #goalSteps = new Map<string, number>();
  readonly #startUs: number;
  #route: Stand[];
  #survey: Survey | undefined;
  #belief: Belief | undefined;
  #inView: readonly string[] = [];
  #lastFrame: Frame | undefined;
  #judged: ReadonlyMap<string, number> = new Map();
  #step = 0;
  #drawn = "";

  constructor(settings: Settings, explorers: readonly Explorer[]) {
    this.#settings = settings;
    this.#explorers = explorers;
    this.#asked = explorers[0]!;
    this.#startUs = this.#asked.at.timeUs;
    const { question, options, task, policy } = settings;
    this.#inquiry = new Inquiry(task === "navigate" ? `Where is ${question}?` : question, options);
    this.#policy = policyNamed(policy);
    this.#place = new Place(settings.site, this.#asked.body.model);
    this.#route = [...(settings.route ?? [])];
  }

  async run(): Promise<Explored> {
    try {
      const { site, signal } = this.#settings;
      const isRead = await this.#inquiry.read(site.asked(this.#asked.id, this.#asked.at, signal));
      await this.#begin();
      this.#belief = await this.#consider();
      if (!isRead && this.#belief.answer.status !== "answered")
        return this.#ended({ end: "not-understood", why: "the question names nothing that going somewhere could show" });
      for (;;) {
        const end = await this.#round();
        if (end) return end;
      }
    } catch (error) {
      if (isLociError(error, "aborted")) return this.#ended({ end: "cancelled", why: "it was cancelled" });
      if (isLociError(error, "source-unavailable")) return this.#ended({ end: "body-failed", why: error.message });
      throw error;
    }
  }

  /** Everybody looks round from where they stand; the memory may know enough already, then nobody moves at all. */
  async #begin(): Promise<void> {
    const { site, signal } = this.#settings;
    const before = await site.pastLooks();
    for (const explorer of this.#explorers)
      await this.#place.take(await explorer.look("full", signal), explorer.at);
    await site.updateRooms();
    await this.#place.recall(this.#asked.at, before);
    await this.#look();
  }

  async #round(): Promise<Explored | undefined> {
    throwIfAborted(this.#settings.signal);
    const startedMs = performance.now();
    let survey = await this.#look();
    const surveyMs = performance.now() - startedMs;
    let belief = await this.#consider();
    if (belief.isSettled) {
      // Rooms are drawn anew only now and then; nothing is concluded from old ones.
      await this.#settings.site.updateRooms();
      survey = await this.#look();
      belief = await this.#consider();
    }
    this.#belief = belief;
    const stop = this.#mayStop(belief);
    const used = { steps: this.#step, pathM: this.#asked.pathM, seconds: this.#seconds };
    const over = spent(this.#settings.budget, used);
    if (over !== undefined && !stop) return this.#ended({ end: "budget", why: over });
    if (survey === undefined) return this.#ended({ end: "unreachable", why: "no floor is in sight to drive on" });
    const alive = this.#explorers.filter(({ failure }) => failure === undefined);
    if (this.#asked.failure !== undefined) return this.#ended({ end: "body-failed", why: this.#asked.failure });
    await this.#judge(survey, belief);
    const decidingMs = performance.now();
    const decisions = this.#decisions(alive, survey, belief, stop);
    const askedDecision = decisions.get(this.#asked.id)!;
    const spentMs = performance.now() - decidingMs;
    if (stop && (askedDecision.goal === undefined || over !== undefined)) return this.#ended(settledEnding(belief));
    if (this.#settings.route && askedDecision.goal?.isTold !== true)
      return this.#ended({ end: "explored", why: "it went to all places that it was told of" });
    if (alive.every(({ id }) => decisions.get(id)?.goal === undefined))
      return this.#ended(exhaustedEnding(belief, survey, this.#isGivenUp));
    await this.#move(alive, survey, decisions, belief, surveyMs + spentMs);
    this.#step++;
    return undefined;
  }

  /** What everyone does next. The asked one may stop, or look again at what its answer rests on. */
  #decisions(
    alive: readonly Explorer[],
    survey: Survey,
    belief: Belief,
    stop: boolean,
  ): Map<string, Decision> {
    const decisions = new Map<string, Decision>();
    const fields = new Map<string, Field>();
    for (const explorer of alive) fields.set(explorer.id, survey.terrain.field(explorer.at.positionInWorld));
    const free: Explorer[] = [];
    for (const explorer of alive) {
      if (explorer === this.#asked && stop) {
        decisions.set(explorer.id, this.#stopping(explorer, survey, belief, fields.get(explorer.id)!));
        continue;
      }
      if (stop) {
        decisions.set(explorer.id, NOTHING);
        continue;
      }
      if (this.#keepsGoal(explorer, survey, belief)) {
        decisions.set(explorer.id, { goal: explorer.goal, choice: undefined, used: [] });
        continue;
      }
      explorer.goal = undefined;
      this.#claims.release(explorer.id);
      free.push(explorer);
    }
    this.#choose(free, survey, belief, fields, decisions);
    return decisions;
  }

  #choose(
    free: readonly Explorer[],
    survey: Survey,
    belief: Belief,
    fields: ReadonlyMap<string, Field>,
    decisions: Map<string, Decision>,
  ): void {
    const mayRecall = this.#policy.recalls && this.#settings.switches.planner;
    const likely = (frontier: Survey["frontiers"][number]) =>
      mayRecall ? survey.likely(frontier, belief.parts) : 0.5;
    const unclaimed = survey.reachable.filter(
      ({ id }) => this.#claims.holder(id, "", this.#step) === undefined,
    );
    const given =
      free.length > 1
        ? shareOut(
            free,
            free.map(({ id }) => fields.get(id)!),
            unclaimed,
            survey.terrain,
            likely,
          )
        : undefined;
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
          policy: this.#policy,
          // Helpers explore; what is remembered is looked at again by the one that is asked.
          mayRecall: mayRecall && (explorer === this.#asked || free.length === 1 || own !== undefined),
          frontiers: frontiers.filter(({ costM }) => costM < Infinity),
          step: this.#step,
          judged: this.#judged,
          random: this.#settings.random.fork(`${explorer.id}/${this.#step}`),
        });
      explorer.goal = decision.goal;
      if (decision.goal?.target) this.#claims.claim(decision.goal.target, explorer.id, this.#step);
      decisions.set(explorer.id, decision);
    }
  }

  /** What a vision model makes of the frontiers in view; what it said of others still holds. */
  async #judge({ reachable }: Survey, { answer }: Belief): Promise<void> {
    const { judge, question, signal } = this.#settings;
    if (judge === undefined || this.#lastFrame === undefined) return;
    const memories = this.#settings.switches.planner ? answer.text : "";
    const judged = await judge.judge(this.#lastFrame, reachable, { question, memories, signal });
    this.#judged = new Map([...this.#judged, ...judged]);
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
  #keepsGoal(explorer: Explorer, survey: Survey, belief: Belief): boolean {
    const { goal } = explorer;
    if (goal === undefined || explorer.hasArrived()) return false;
    if (goal.target !== undefined && this.#isGivenUp(goal.target)) return false;
    if (!this.#policy.commits && goal.kind === "explore") return false;
    if (goal.kind !== "explore") return true;
    const still = survey.frontiers.find(({ id }) => id === goal.target);
    if (still === undefined || still.costM === Infinity) return false;
    // The border moves as it is approached; the goal moves with it.
    explorer.goal = { ...goal, stand: still.stand };
    return survey.likely(still, belief.parts) > 0.1;
  }

  #stopping(explorer: Explorer, survey: Survey, belief: Belief, field: Field): Decision {
    const { goal } = explorer;
    if (goal?.kind === "verify" && !explorer.hasArrived() && !this.#isGivenUp(goal.target!))
      return { goal, choice: undefined, used: [] };
    const isUnsure = belief.answer.confidence < SURE || this.#settings.task === "navigate";
    if (!isUnsure || !this.#policy.recalls) return NOTHING;
    const decision = verification({
      explorer,
      survey,
      field,
      belief,
      policy: this.#policy,
      mayRecall: true,
      frontiers: [],
      step: this.#step,
      random: this.#settings.random,
      isGoal: this.#settings.task === "navigate",
    });
    explorer.goal = decision?.goal;
    return decision ?? NOTHING;
  }

  /** Everybody moves at once; what they saw is taken in one after the other. */
  async #move(
    alive: readonly Explorer[],
    survey: Survey,
    decisions: ReadonlyMap<string, Decision>,
    belief: Belief,
    planMs: number,
  ): Promise<void> {
    const { signal, budget } = this.#settings;
    const moved = await Promise.all(
      alive.map(async (explorer) => {
        const decision = decisions.get(explorer.id) ?? NOTHING;
        const pose = explorer.at;
        if (decision.goal === undefined)
          return { explorer, decision, pose, went: undefined, looks: [] as Look[] };
        try {
          const field = survey.terrain.field(pose.positionInWorld);
          const left = budget.pathM - explorer.pathM;
          const went = await explorer.step(survey.terrain, field, { pathM: left }, signal);
          const isThere = explorer.hasArrived();
          this.#note(explorer, went, isThere);
          const looks = await explorer.look(isThere ? survey.terrain : "ahead", signal);
          return { explorer, decision, pose, went, looks };
        } catch (error) {
          if (!isLociError(error, "source-unavailable")) throw error;
          explorer.failure = error.message;
          return { explorer, decision, pose, went: undefined, looks: [] as Look[] };
        }
      }),
    );
    for (const { explorer, decision, pose, went, looks } of moved) {
      const taken = await this.#place.take(looks, explorer.at);
      if (explorer === this.#asked) {
        this.#inView = taken.inView;
        this.#lastFrame = looks.at(-1)?.frames.at(-1) ?? this.#lastFrame;
      }
      this.#settings.tell(
        stepLine({
          n: this.#step,
          explorer,
          pose,
          decision,
          went,
          taken,
          survey,
          belief,
          claims: this.#claims,
          planMs,
        }),
      );
    }
  }

  /** Counts tries at a target, so that none is tried for ever. */
  #note({ goal, tried }: Explorer, went: Went, isThere: boolean): void {
    const target = goal?.target;
    if (target === undefined) return;
    const steps = (this.#goalSteps.get(target) ?? 0) + 1;
    this.#goalSteps.set(target, steps);
    const isFailed = went.outcome === "refused" || went.outcome === "stuck";
    if (isThere || isFailed || steps >= MAX_STEPS_A_GOAL) tried.set(target, (tried.get(target) ?? 0) + 1);
  }

  #isGivenUp = (target: string): boolean =>
    (this.#goalSteps.get(target) ?? 0) >= MAX_STEPS_A_GOAL ||
    this.#explorers.some(({ tried }) => (tried.get(target) ?? 0) >= MAX_VISITS);

  async #look(): Promise<Survey | undefined> {
    const survey = await this.#place.survey(this.#asked.at, this.#isGivenUp);
    this.#survey = survey ?? this.#survey;
    if (survey === undefined) return undefined;
    const line = mapLine(this.#step, survey.terrain.raster);
    if (line.runs !== this.#drawn) this.#settings.tell(line);
    this.#drawn = line.runs;
    return survey;
  }

  async #consider(): Promise<Belief> {
    const { site, signal } = this.#settings;
    return this.#inquiry.consider(site.asked(this.#asked.id, this.#asked.at, signal), {
      isLookedOver: (need) => this.#survey?.isLookedOver(need) ?? false,
      isLookedAt: (stateId) => this.#explorers.some(({ tried }) => tried.has(stateId)),
      isNear: (position) => this.#place.isNear(position),
    });
  }

  /** Sure enough, or looked everywhere; without memory in stopping only what is in view counts. */
  #mayStop(belief: Belief): boolean {
    if (!belief.isSettled) return false;
    if (this.#settings.switches.stopping) return true;
    const inView = new Set(this.#inView);
    return belief.parts.every(
      ({ state, candidates, need }) =>
        state === "absent" || need.kind === "all-of" || candidates.some(({ stateId }) => inView.has(stateId)),
    );
  }

  #ended(ending: Ending): Explored {
    const belief = this.#belief;
    const mayRemember = this.#settings.switches.answering;
    return exploredOf(ending, {
      answer: belief === undefined ? null : mayRemember ? belief.answer : onlyInView(belief, new Set(this.#inView)),
      explorers: this.#explorers,
      survey: this.#survey,
      steps: this.#step,
      seconds: this.#seconds,
    });
  }

  get #seconds(): number {
    return (this.#asked.at.timeUs - this.#startUs) / 1e6;
  }
}

const NOTHING: Decision = { goal: undefined, choice: undefined, used: [] };
