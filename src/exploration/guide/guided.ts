import type { AnswerRecord } from "../../schema/index.ts";
import type { Goal } from "../explorer.ts";
import type { Belief } from "../inquiry/inquiry.ts";
import { standKey } from "../survey.ts";
import type { Guide } from "./guide.ts";
import type { Moment } from "./recollection.ts";
import { STOP_LEVELS } from "./settings.ts";

/**
 * How far a guide's decisions count. In mode paper it stops at C regardless of open parts. In ours, a set that has to
 * be searched completely is not complete just because a model is confident; and if the system then has no answer, the
 * required confidence rises.
 */
export class Guided {
  readonly guide: Guide;
  readonly #isPaper: boolean;
  readonly #isGoal: boolean;
  #failed = 0;
  #answered: { readonly step: number; readonly answer: AnswerRecord } | undefined;
  /** The goal's position according to the answer, once it is confident enough. */
  destination: Goal | undefined;

  constructor(guide: Guide, { isPaper, isGoal }: { readonly isPaper: boolean; readonly isGoal: boolean }) {
    this.guide = guide;
    this.#isPaper = isPaper;
    this.#isGoal = isGoal;
  }

  /** Its confidence, if that is enough to stop; undefined if it gives none. */
  async stops(moment: Moment): Promise<{ readonly isEnough: boolean; readonly p: number } | undefined> {
    if (!this.guide.isDriving) return undefined;
    const p = await this.guide.sure(moment);
    if (p === undefined) return undefined;
    if (this.#isPaper && !this.#isGoal) return { isEnough: p >= STOP_LEVELS[0], p };
    return { isEnough: await this.#isEnough(p, moment), p };
  }

  /** The current answer, computed once per step. */
  async answer(moment: Moment): Promise<AnswerRecord> {
    if (this.#answered?.step !== moment.step)
      this.#answered = { step: moment.step, answer: await this.guide.answer(moment) };
    return this.#answered.answer;
  }

  /** Whether a model may choose to stop: not in mode paper, nor while a set is not fully searched. */
  mayStop(belief: Belief): boolean {
    return !this.#isPaper && !this.#isGoal && !isSetOpen(belief);
  }

  async #isEnough(p: number, moment: Moment): Promise<boolean> {
    if (this.destination) return true;
    const level = STOP_LEVELS[this.#failed] ?? Number.POSITIVE_INFINITY;
    if (p < level || isSetOpen(moment.belief)) return false;
    const answer = this.guide.isAnswering ? await this.answer(moment) : moment.belief.answer;
    if (answer.status !== "answered") {
      this.#failed++;
      return false;
    }
    if (this.#isGoal) this.destination = goalOf(answer);
    return true;
  }
}

/** Whether a set that has to be searched completely is not yet. */
function isSetOpen({ parts }: Belief): boolean {
  return parts.some(({ state, need }) => state === "open" && need.kind === "all-of");
}

/** Where to stand to see what the answer found. */
function goalOf({ navGoal, evidence }: AnswerRecord): Goal | undefined {
  if (navGoal === undefined) return undefined;
  const stand = { positionInWorld: navGoal.position, yawRad: navGoal.yawRad };
  const target = evidence[0]?.ref ?? standKey(stand);
  return { kind: "verify", stand, target, reason: "it is there, by the answer from the memory" };
}
