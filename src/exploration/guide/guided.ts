import type { AnswerRecord } from "../../schema/index.ts";
import type { Goal } from "../explorer.ts";
import { standKey } from "../survey.ts";
import type { Guide } from "./guide.ts";
import type { Moment } from "./recollection.ts";
import { STOP_LEVELS } from "./settings.ts";

/**
 * What a guide's word counts for on a walk. In mode paper it stops at C whatever is open. Ours: a set that has to be gone
 * through is not complete because a model is sure; and where the system then has no answer, it has to be surer next time.
 */
export class Guided {
  readonly guide: Guide;
  readonly #isPaper: boolean;
  readonly #isGoal: boolean;
  #failed = 0;
  #answered: { readonly step: number; readonly answer: AnswerRecord } | undefined;
  /** Where the answer says that the goal is, once it is sure enough. */
  destination: Goal | undefined;

  constructor(guide: Guide, { isPaper, isGoal }: { readonly isPaper: boolean; readonly isGoal: boolean }) {
    this.guide = guide;
    this.#isPaper = isPaper;
    this.#isGoal = isGoal;
  }

  /** How sure it is, where that is enough to stop; undefined where it says nothing. */
  async stops(moment: Moment): Promise<{ readonly isEnough: boolean; readonly p: number } | undefined> {
    if (!this.guide.isDriving) return undefined;
    const p = await this.guide.sure(moment);
    if (p === undefined) return undefined;
    if (this.#isPaper && !this.#isGoal) return { isEnough: p >= STOP_LEVELS[0], p };
    return { isEnough: await this.#isEnough(p, moment), p };
  }

  /** The answer as it is now, made once for one step. */
  async answer(moment: Moment): Promise<AnswerRecord> {
    if (this.#answered?.step !== moment.step)
      this.#answered = { step: moment.step, answer: await this.guide.answer(moment) };
    return this.#answered.answer;
  }

  async #isEnough(p: number, moment: Moment): Promise<boolean> {
    if (this.destination) return true;
    const isSetOpen = moment.belief.parts.some(
      ({ state, need }) => state === "open" && need.kind === "all-of",
    );
    if (p < (STOP_LEVELS[this.#failed] ?? Number.POSITIVE_INFINITY) || isSetOpen) return false;
    const answer = this.guide.isAnswering ? await this.answer(moment) : moment.belief.answer;
    if (answer.status !== "answered") {
      this.#failed++;
      return false;
    }
    if (this.#isGoal) this.destination = goalOf(answer);
    return true;
  }
}

/** Where to stand for what the answer found. */
function goalOf({ navGoal, evidence }: AnswerRecord): Goal | undefined {
  if (navGoal === undefined) return undefined;
  const stand = { positionInWorld: navGoal.position, yawRad: navGoal.yawRad };
  const target = evidence[0]?.ref ?? standKey(stand);
  return { kind: "verify", stand, target, reason: "it is there, by the answer from the memory" };
}
