import type { Random } from "../geometry/index.ts";
import {
  isLociError,
  type PolicyName,
  type RunEnd,
  type RunLine,
  type Switches,
  throwIfAborted,
} from "../schema/index.ts";
import type { Look, Stand, Went } from "./body.ts";
import { type Decision, decide, verification } from "./decide.ts";
import type { Explorer } from "./explorer.ts";
import { Attention, lookingRangeM } from "./ground/attention.ts";
import { FrontierBook } from "./ground/frontiers.ts";
import { type Field, Terrain } from "./ground/terrain.ts";
import { type Belief, Inquiry, SURE } from "./inquiry/inquiry.ts";
import { mapLine, stepLine } from "./lines.ts";
import type { Explored, ExploreOptions } from "./options.ts";
import { type Policy, policyNamed } from "./policies/index.ts";
import { standOf, type Taken } from "./site.ts";
import { Survey } from "./survey.ts";
import { Claims, shareOut } from "./team.ts";

/** A target that was visited so often without anything new to see is given up: the breaker against endless replanning. */
const MAX_VISITS = 2;
/** What is on or around a thing is seen from here. */
const CLOSE_M = 1.7;
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
  readonly #attention = new Attention();
  readonly #book = new FrontierBook();
  readonly #claims = new Claims();
  readonly #goalSteps = new Map<string, number>();
  readonly #startUs: number;
  #route: Stand[];
  #ground: Terrain | undefined;
  #survey: Survey | undefined;
  #belief: Belief | undefined;
  #inView: readonly string[] = [];
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
    this.#route = [...(settings.route ?? [])];
  }

  async run(): Promise<Explored> {
    try {
      const { site, signal } = this.#settings;
      const isRead = await this.#inquiry.read(site.asked(this.#asked.id, this.#asked.at, signal));
      await this.#begin();
      this.#belief = await this.#consider();
      if (!isRead && this.#belief.answer.status !== "answered")
        return this.#ended("not-understood", "the question names nothing that going somewhere could show");
      for (;;) {
        const end = await this.#round();
        if (end) return end;
      }
    } catch (error) {
      if (isLociError(error, "aborted")) return this.#ended("cancelled", "it was cancelled");
      if (isLociError(error, "source-unavailable")) return this.#ended("body-failed", error.message);
      throw error;
    }
  }

  /** Everybody looks round from where they stand; the memory may know enough already, then nobody moves at all. */
  async #begin(): Promise<void> {
    const before = await this.#settings.site.pastLooks();
    for (const explorer of this.#explorers) {
      const looks = await explorer.look("full", this.#settings.signal);
      await this.#take(looks);
    }
    await this.#settings.site.updateRooms();
    const terrain = await this.#terrain();
    if (terrain) for (const stand of before) this.#attention.look(terrain, stand, this.#asked.body.model);
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
    const isOver = this.#overBudget();
    if (isOver !== undefined) return this.#ended("budget", isOver);
    if (survey === undefined) return this.#ended("unreachable", "no floor is in sight to drive on");
    const alive = this.#explorers.filter(({ failure }) => failure === undefined);
    if (this.#asked.failure !== undefined) return this.#ended("body-failed", this.#asked.failure);
    const decidingMs = performance.now();
    const decisions = this.#decisions(alive, survey, belief, stop);
    const askedDecision = decisions.get(this.#asked.id)!;
    const spentMs = performance.now() - decidingMs;
    if (stop && askedDecision.goal === undefined) return this.#finished(belief);
    if (this.#settings.route && askedDecision.goal?.isTold !== true)
      return this.#ended("explored", "it went to all places that it was told of");
    if (alive.every(({ id }) => decisions.get(id)?.goal === undefined))
      return this.#exhausted(belief, survey);
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
          random: this.#settings.random.fork(`${explorer.id}/${this.#step}`),
        });
      explorer.goal = decision.goal;
      if (decision.goal?.target) this.#claims.claim(decision.goal.target, explorer.id, this.#step);
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
      const taken = await this.#take(looks);
      if (explorer === this.#asked) this.#inView = taken.inView;
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

  async #take(looks: readonly Look[]): Promise<Taken> {
    const made: string[] = [];
    const inView: string[] = [];
    for (const look of looks) {
      const taken = await this.#settings.site.take(look);
      made.push(...taken.made);
      inView.push(...taken.inView);
    }
    const survey = await this.#terrain();
    if (survey)
      for (const { frames } of looks)
        for (const { worldFromCamera } of frames) {
          if (worldFromCamera) this.#attention.look(survey, standOf(worldFromCamera), this.#asked.body.model);
        }
    return { made, inView };
  }

  async #terrain(): Promise<Terrain | undefined> {
    const map = await this.#settings.site.map();
    const { z } = this.#asked.at.positionInWorld;
    const raster = map
      ?.floors()
      .toSorted((a, b) => Math.abs(a.floorZ - z) - Math.abs(b.floorZ - z))
      .find(({ width, height }) => width * height > 0);
    if (raster === undefined) return undefined;
    // The map gives the same raster until it has changed.
    if (this.#ground?.raster !== raster) this.#ground = new Terrain(raster, this.#asked.body.model.radiusM);
    return this.#ground;
  }

  async #look(): Promise<Survey | undefined> {
    const map = await this.#settings.site.map();
    const terrain = await this.#terrain();
    if (map === undefined || terrain === undefined) return undefined;
    const field = terrain.field(this.#asked.at.positionInWorld);
    const { model } = this.#asked.body;
    const { book, attention, isGivenUp } = {
      book: this.#book,
      attention: this.#attention,
      isGivenUp: this.#isGivenUp,
    };
    this.#survey = new Survey({ map, terrain, field, book, attention, model, isGivenUp });
    const line = mapLine(this.#step, terrain.raster);
    if (line.runs !== this.#drawn) this.#settings.tell(line);
    this.#drawn = line.runs;
    return this.#survey;
  }

  async #consider(): Promise<Belief> {
    const { site, signal } = this.#settings;
    return this.#inquiry.consider(site.asked(this.#asked.id, this.#asked.at, signal), {
      isLookedOver: (need) => this.#survey?.isLookedOver(need) ?? false,
      isLookedAt: (stateId) => this.#explorers.some(({ tried }) => tried.has(stateId)),
      isNear: (place) => this.#attention.nearestM(place) <= CLOSE_M,
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

  #overBudget(): string | undefined {
    const { steps, pathM, seconds } = this.#settings.budget;
    const { at } = this.#asked;
    if (this.#step >= steps) return `its ${steps} steps are used up`;
    if (this.#asked.pathM >= pathM) return `its ${pathM} m are used up`;
    if ((at.timeUs - this.#startUs) / 1e6 >= seconds) return `its ${seconds} s are used up`;
    return undefined;
  }

  #finished(belief: Belief): Explored {
    const absent = belief.parts.filter(({ state }) => state === "absent");
    if (absent.length === 0) return this.#ended("answered", "everything that was asked for is known");
    const names = absent.map(({ need }) => need.categories[0] ?? need.key);
    return this.#ended(
      "absent",
      `no ${[...new Set(names)].join(", no ")} where it could be; all of that was looked at`,
    );
  }

  #exhausted(belief: Belief, survey: Survey): Explored {
    if (belief.answer.status === "answered" && belief.answer.confidence >= SURE)
      return this.#ended("answered", "nothing is left to look at, and the answer is sure enough");
    const isShut = survey.frontiers.some(({ costM, id }) => costM === Infinity || this.#isGivenUp(id));
    return isShut
      ? this.#ended("unreachable", "what was not looked at cannot be reached")
      : this.#ended("explored", "everything that can be reached was looked at");
  }

  #ended(end: RunEnd, why: string): Explored {
    const survey = this.#survey;
    const range = lookingRangeM(undefined, this.#asked.body.model);
    const answer = this.#belief?.answer ?? null;
    const { steps, pathM } = { steps: this.#step, pathM: this.#asked.pathM };
    return {
      end,
      why,
      answer: answer && { ...answer, trace: { ...answer.trace, pathM, steps } },
      steps,
      pathM: Object.fromEntries(this.#explorers.map((one) => [one.id, one.pathM])),
      seconds: (this.#asked.at.timeUs - this.#startUs) / 1e6,
      looked: (survey?.rooms ?? []).map((room) => ({
        room: room.name,
        share: Math.min(1, Math.round(survey!.share(room, range) * 100) / 100),
      })),
    };
  }
}

const NOTHING: Decision = { goal: undefined, choice: undefined, used: [] };
