import type { Random } from "../geometry/index.ts";
import {
  type AnswerRecord,
  isLociError,
  type PolicyName,
  type RunLine,
  type Switches,
  throwIfAborted,
} from "../schema/index.ts";
import type { Frame, Look } from "../sensors/index.ts";
import type { Decision } from "./decide.ts";
import {
  type Ending,
  exhaustedEnding,
  exploredOf,
  missing,
  onlyInView,
  settledEnding,
  spent,
  sureEnding,
  unfinished,
  unreadEnding,
} from "./ending.ts";
import { ARRIVED_M, apart, type Explorer } from "./explorer.ts";
import type { Guide } from "./guide/guide.ts";
import { Guided } from "./guide/guided.ts";
import type { Moment } from "./guide/recollection.ts";
import { shutDoorsSeen } from "./inquiry/doors.ts";
import { flightsSeen } from "./inquiry/flights.ts";
import { type Belief, Inquiry, SURE } from "./inquiry/inquiry.ts";
import { mapLine, stepLine } from "./lines.ts";
import type { Explored, ExploreOptions } from "./options.ts";
import { Place } from "./place.ts";
import { Planner } from "./planner.ts";
import { policyNamed } from "./policies/index.ts";
import { STALE_US, type Taken } from "./site.ts";
import type { Survey } from "./survey.ts";

/** In a corner, or with noise, the floor is known only after several looks: this many full turns before giving up. */
const FIRST_LOOKS = 3;

type Settings = ExploreOptions & {
  readonly policy: PolicyName;
  readonly switches: Switches;
  readonly task: "answer" | "navigate";
  readonly random: Random;
  readonly guide: Guide;
  readonly tell: (line: RunLine) => void;
};

/**
 * One run: look, ask the memory, stop or choose, continue. One state machine for questions that the memory answers,
 * for those that need exploration, and for goals to drive to; for one agent or several.
 */
export class Exploration {
  readonly #settings: Settings;
  readonly #explorers: readonly Explorer[];
  readonly #asked: Explorer;
  readonly #inquiry: Inquiry;
  readonly #planner: Planner;
  readonly #place: Place;
  readonly #guided: Guided;
  readonly #startUs: number;
  #survey: Survey | undefined;
  #belief: Belief | undefined;
  #inView: readonly string[] = [];
  #lastFrame: Frame | undefined;
  #step = 0;
  #roomsOfStep = -1;
  /** Why the guide stopped the search. */
  #stopped: string | undefined;
  #drawn = "";

  constructor(settings: Settings, explorers: readonly Explorer[]) {
    this.#settings = settings;
    this.#explorers = explorers;
    this.#asked = explorers[0]!;
    this.#startUs = this.#asked.at.timeUs;
    const { question, options, task, policy } = settings;
    this.#inquiry = new Inquiry(task === "navigate" ? `Where is ${question}?` : question, options);
    const { mode = "loci", switches, random, route, judge } = settings;
    this.#planner = new Planner({
      explorers,
      policy: policyNamed(policy),
      task,
      mode,
      switches,
      random,
      route,
      judge,
    });
    this.#place = new Place(settings.site, this.#asked.body.model);
    this.#guided = new Guided(settings.guide, { isPaper: mode === "paper", isGoal: task === "navigate" });
  }

  async run(): Promise<Explored> {
    try {
      const { site, signal } = this.#settings;
      const isRead = await this.#inquiry.read(site.asked(this.#asked.id, this.#asked.at, signal));
      await this.#begin();
      this.#belief = await this.#consider();
      // A model may explore even for a question that our reader does not understand.
      const isGuided = this.#settings.guide.modelId !== undefined;
      if (!isRead && !isGuided) return await this.#ended(unreadEnding(this.#belief));
      for (;;) {
        const end = await this.#round();
        if (end) return end;
      }
    } catch (error) {
      if (isLociError(error, "aborted"))
        return await this.#ended({ end: "cancelled", why: "it was cancelled" });
      if (isLociError(error, "source-unavailable"))
        return await this.#ended({ end: "body-failed", why: error.message });
      throw error;
    }
  }

  /** Every agent looks round from where it stands; if the memory already knows enough, no agent moves at all. */
  async #begin(): Promise<void> {
    const { site, signal } = this.#settings;
    const before = await site.pastLooks();
    for (const explorer of this.#explorers) {
      const looks = await explorer.look("full", signal);
      const taken = await this.#place.take(looks);
      if (explorer === this.#asked) this.#see(looks, taken);
    }
    await this.#findFloor();
    await site.updateRooms();
    await this.#place.recall(before);
    await this.#look();
  }

  /** Looks round again while no floor is known at its position. */
  async #findFloor(): Promise<Survey | undefined> {
    let survey = await this.#look();
    for (let looks = 1; looks < FIRST_LOOKS && survey === undefined; looks++) {
      await this.#place.take(await this.#asked.look("full", this.#settings.signal));
      survey = await this.#look();
    }
    return survey;
  }

  async #round(): Promise<Explored | undefined> {
    throwIfAborted(this.#settings.signal);
    const surveying = process.threadCpuUsage();
    let survey = await this.#findFloor();
    const surveyMs = millisecondsSince(surveying);
    let belief = await this.#consider();
    if (belief.isSettled) {
      await this.#renewRooms();
      survey = await this.#look();
      belief = await this.#consider();
    }
    this.#belief = belief;
    const word = await this.#guided.stops(this.#momentOf(belief, survey));
    const isKnown = this.#mayStop(belief, word?.isEnough);
    const stop = isKnown || word?.isEnough === true;
    const used = { steps: this.#step, pathM: this.#asked.pathM, seconds: this.#seconds };
    const over = spent(this.#settings.budget, used);
    if (over !== undefined && !stop) return await this.#ended({ end: "budget", why: over });
    if (survey === undefined)
      return await this.#ended({ end: "unreachable", why: "no floor is in sight to drive on" });
    const alive = this.#explorers.filter(({ failure }) => failure === undefined);
    if (this.#asked.failure !== undefined)
      return await this.#ended({ end: "body-failed", why: this.#asked.failure });
    const moment = { step: this.#step, survey, belief };
    const { question, signal } = this.#settings;
    await this.#planner.judge(moment, this.#lastFrame, { question, signal });
    if (this.#settings.guide.isDriving && !stop)
      this.#planner.heed(await this.#settings.guide.values(this.#momentOf(belief, survey)));
    const deciding = process.threadCpuUsage();
    const decisions = this.#planner.decisions(alive, moment, stop);
    const spentMs = millisecondsSince(deciding);
    const guided = await this.#guidedDecision(decisions.get(this.#asked.id)!, moment, stop);
    decisions.set(this.#asked.id, guided);
    if (this.#stopped !== undefined)
      return await this.#ended({ end: "answered", why: `nothing left would help: ${this.#stopped}` });
    const askedDecision = guided;
    if (stop && (askedDecision.goal === undefined || over !== undefined))
      return await this.#ended(
        isKnown ? settledEnding(belief) : sureEnding(this.#settings.guide.modelId ?? "the memory", word!.p),
      );
    if (this.#settings.route && askedDecision.goal?.isTold !== true)
      return await this.#ended({ end: "explored", why: "it went to all places that it was told of" });
    if (alive.every(({ id }) => decisions.get(id)?.goal === undefined)) {
      if (await this.#renewRooms()) return undefined;
      return await this.#ended(exhaustedEnding(belief, survey, this.#planner.isGivenUp));
    }
    await this.#move(alive, survey, decisions, belief, surveyMs + spentMs);
    this.#step++;
    return undefined;
  }

  /**
   * Rooms are redrawn only occasionally, and nothing is concluded from outdated ones; false if they are from this
   * step.
   */
  async #renewRooms(): Promise<boolean> {
    if (this.#roomsOfStep === this.#step) return false;
    this.#roomsOfStep = this.#step;
    await this.#settings.site.updateRooms();
    return true;
  }

  /** All agents move concurrently; their observations are ingested one after the other. */
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
          this.#planner.note(explorer, went, isThere);
          const looks = await explorer.look(isThere ? lookRound(decision, survey) : "ahead", signal);
          return { explorer, decision, pose, went, looks };
        } catch (error) {
          if (!isLociError(error, "source-unavailable")) throw error;
          explorer.failure = error.message;
          return { explorer, decision, pose, went: undefined, looks: [] as Look[] };
        }
      }),
    );
    for (const { explorer, decision, pose, went, looks } of moved) {
      const taken = await this.#place.take(looks);
      if (explorer === this.#asked) this.#see(looks, taken);
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
          claims: this.#planner.claims,
          planMs,
          consulted: explorer === this.#asked ? this.#settings.guide.consulted() : [],
        }),
      );
    }
  }

  #see(looks: readonly Look[], { inView }: Taken): void {
    this.#inView = inView;
    this.#lastFrame = looks.at(-1)?.frames.at(-1) ?? this.#lastFrame;
  }

  /** The input of the guide at this step. */
  #momentOf(belief: Belief, survey: Survey | undefined): Moment {
    const { site, signal } = this.#settings;
    return {
      step: this.#step,
      asked: site.asked(this.#asked.id, this.#asked.at, signal),
      belief,
      survey,
      explorer: this.#asked,
      inView: this.#inView,
      frame: this.#lastFrame,
    };
  }

  /**
   * The asked agent's action by the guide's choice: a place that the answer names, else one of the planner's options.
   */
  async #guidedDecision(
    own: Decision,
    { belief, survey, step }: { readonly belief: Belief; readonly survey: Survey; readonly step: number },
    stop: boolean,
  ): Promise<Decision> {
    const { destination, guide } = this.#guided;
    if (destination !== undefined && stop && own.goal === undefined) {
      const { positionInWorld } = destination.stand;
      return apart(positionInWorld, this.#asked.at.positionInWorld) <= ARRIVED_M ||
        this.#planner.isGivenUp(destination.target!)
        ? NOTHING
        : this.#planner.send(this.#asked, destination, step);
    }
    const options = own.goal && policyNamed(this.#settings.policy).recalls ? own.options?.() : undefined;
    if (options === undefined) return own;
    const chosen = await guide.direct(this.#momentOf(belief, survey), {
      options,
      own: options[0]!,
      mayStop: this.#guided.mayStop(belief),
    });
    if (chosen && "stop" in chosen) {
      this.#stopped = chosen.stop;
      return NOTHING;
    }
    return chosen ? this.#planner.redirect(this.#asked, own, chosen, step) : own;
  }

  async #look(): Promise<Survey | undefined> {
    const { at, body, id } = this.#asked;
    const asked = this.#settings.site.asked(id, at);
    const [flights, doors] = [await flightsSeen(asked), await shutDoorsSeen(asked, STALE_US)];
    // A team stays on its storey, because path lengths are measured on one storey.
    const mayClimb = body.climb !== undefined && this.#explorers.length === 1;
    const survey = await this.#place.survey(at, { flights, mayClimb, doors }, this.#planner.isGivenUp);
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
      isLookedAround: (around, need) => this.#survey?.isLookedAround(around, need) ?? false,
    });
  }

  /**
   * Confident enough, or everything was observed; where stopping may not use the memory, only what is in view counts.
   */
  #mayStop(belief: Belief, isEnough: boolean | undefined): boolean {
    // The papers stop by confidence alone, at C+ of their five levels (docs/formulas.md#stopping).
    if (this.#settings.mode === "paper" && isEnough !== undefined) return false;
    if (this.#settings.mode === "paper")
      return belief.answer.status === "answered" && belief.answer.confidence >= SURE;
    if (!belief.isSettled) return false;
    if (this.#settings.switches.stopping) return true;
    const inView = new Set(this.#inView);
    return belief.parts.every(
      ({ state, candidates, need }) =>
        state === "absent" || need.kind === "all-of" || candidates.some(({ stateId }) => inView.has(stateId)),
    );
  }

  async #ended(ending: Ending): Promise<Explored> {
    return exploredOf(ending, {
      answer: await this.#answer(ending),
      explorers: this.#explorers,
      survey: this.#survey,
      steps: this.#step,
      seconds: this.#seconds,
    });
  }

  async #answer({ end }: Ending): Promise<AnswerRecord | null> {
    const belief = this.#belief;
    if (belief === undefined) return null;
    const { site, switches, mode, guide } = this.#settings;
    if (!guide.isAnswering) {
      if (!switches.answering) return onlyInView(belief, new Set(this.#inView));
      if (end === "not-understood" || mode === "paper") return belief.answer;
    }
    if (end === "cancelled") return belief.answer;
    const answer = guide.isAnswering
      ? await this.#guided.answer(this.#momentOf(belief, this.#survey))
      : belief.answer;
    if (mode === "paper" || end === "not-understood" || !switches.answering) return answer;
    const by = { ...belief, answer };
    const isLooked = end === "answered" || end === "absent" || this.#survey === undefined;
    const said = isLooked ? answer : unfinished(by, this.#survey!, end);
    if (this.#settings.options === undefined) return (end === "absent" ? missing(by) : undefined) ?? said;
    return (await this.#inquiry.guess(by, site.asked(this.#asked.id, this.#asked.at))) ?? said;
  }

  get #seconds(): number {
    return (this.#asked.at.timeUs - this.#startUs) / 1e6;
  }
}

const NOTHING: Decision = { goal: undefined, choice: undefined, used: [] };

/** CPU time of this thread: the cost of a plan, unaffected by other load on the machine. */
function millisecondsSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.threadCpuUsage(before);
  return (user + system) / 1000;
}

/** At a frontier it looks towards the unknown; at a thing or place to inspect, all round. */
function lookRound({ goal }: Decision, { terrain }: Survey): "full" | Survey["terrain"] {
  return goal?.kind === "explore" && goal.flight === undefined ? terrain : "full";
}
