import { loadForest } from "../../map/index.ts";
import { type BudgetedModel, budgeted } from "../../models/index.ts";
import { confidenceLetter, exploreDirection, STOP } from "../../models/prompts/memory-eqa.ts";
import { SURE_BY_LETTER } from "../../models/roles/adapters.ts";
import { answerBy, type SystemName, type SystemOptions } from "../../reasoning/systems/index.ts";
import { readEvidence } from "../../reasoning/systems/reader/read-evidence.ts";
import type { AnswerRecord, Consultation } from "../../schema/index.ts";
import type { Option } from "../decide.ts";
import type { Frontier } from "../ground/frontiers.ts";
import { Asking } from "./asking.ts";
import type { GuideOptions } from "./guidance.ts";
import { answerFromView } from "./in-view.ts";
import { leftText } from "./left.ts";
import { Note } from "./notes.ts";
import { picturesOf } from "./pictures.ts";
import { placesOf } from "./places.ts";
import { type Moment, memoriesText, Recollection } from "./recollection.ts";
import { GUIDE } from "./settings.ts";

/** Where an explorer could go, and what its own rules would choose. */
interface Choosing {
  readonly options: readonly Option[];
  readonly own: Option;
  /** Whether stopping is one of the choices. */
  readonly mayStop: boolean;
}

/**
 * MemoryEQA's agent during an exploration. At every step it retrieves what the memory holds for the planner, for
 * stopping, and finally for answering, each by its own query (q_p, q_s, q_a); a module that may not read the memory
 * gets what is in view. A model writes the queries, chooses the place and answers; where its reply is missing or
 * invalid, the rules decide, and the run's record says so.
 */
export class Guide {
  readonly system: SystemName;
  readonly #options: GuideOptions;
  readonly #model: BudgetedModel | undefined;
  readonly #asking: Asking | undefined;
  readonly #recollection: Recollection;
  #consulted: Consultation[] = [];
  #sure: { readonly step: number; readonly p: number | undefined } | undefined;

  constructor(options: GuideOptions) {
    const { model, budget, prices, isPaper, system } = options;
    const { calls, tokens, timeMs } = GUIDE;
    this.#options = options;
    this.#model = model && budgeted(model, { calls, tokens, timeMs, ...budget }, prices);
    this.#asking = this.#model && new Asking(this.#model);
    this.system = system ?? (model === undefined ? "rules" : isPaper ? "memory-eqa" : "r4");
    this.#recollection = new Recollection(options, this.#asking);
  }

  /** Whether it takes part in planning and stopping; otherwise it only answers. */
  get isDriving(): boolean {
    return this.#model !== undefined || (this.#options.isPaper && this.system !== "rules");
  }

  /** Whether a system other than our rules gives the final answer. */
  get isAnswering(): boolean {
    return this.system !== "rules";
  }

  get modelId(): string | undefined {
    return this.#model?.id;
  }

  /** The consultations since the last call. */
  consulted(): Consultation[] {
    const taken = this.#consulted;
    this.#consulted = [];
    return taken;
  }

  /** The confidence that an answer would have now, 0 to 1; undefined if unknown, and the rules decide. */
  async sure(moment: Moment): Promise<number | undefined> {
    if (this.#sure?.step === moment.step) return this.#sure.p;
    const note = new Note("stopping");
    const p = await this.#sureness(note, moment);
    this.#sure = { step: moment.step, p };
    this.#note(note, { ...(p !== undefined && { sure: p }) });
    return p;
  }

  async #sureness(note: Note, moment: Moment): Promise<number | undefined> {
    const { switches, confidence, question } = this.#options;
    const found = await this.#recollection.forModule(note, "stopping", moment, switches.stopping);
    if (this.#asking === undefined) {
      const { status, confidence: p } = await readEvidence("memory-eqa", question, found, this.#with(moment));
      note.say({ choice: status });
      return status === "answered" ? p : 0;
    }
    const memories = memoriesText(found, moment.asked.nowUs);
    const images = await picturesOf(this.#model!, moment.frame);
    const left = this.#options.isPaper ? {} : { left: leftText(moment) };
    const asked = { question, memories, ...left };
    if (confidence !== undefined) {
      note.asked(confidenceLetter);
      const p = await confidence.rate({ ...asked, images }, moment.asked.signal);
      if (p === undefined) note.say({ fallback: `${confidence.id} gave no letter` });
      return p;
    }
    const letter = await this.#asking.ask(note, confidenceLetter, asked, moment, images);
    if (letter === undefined) return undefined;
    note.say({ choice: letter });
    return SURE_BY_LETTER[letter];
  }

  /**
   * Where to go among the planner's options, or that nothing left would help; undefined if the planner's own choice
   * stands. The reason is the model's.
   */
  async direct(
    moment: Moment,
    { options, own, mayStop }: Choosing,
  ): Promise<Option | { readonly stop: string } | undefined> {
    const { question, switches, isPaper } = this.#options;
    const { survey, explorer } = moment;
    if (this.#asking === undefined || survey === undefined || options.length < 2) return undefined;
    const note = new Note("planner");
    const most = isPaper ? GUIDE.paperPlaces : GUIDE.places;
    const places = placesOf(options.slice(0, most), survey, explorer);
    const found = await this.#recollection.forModule(note, "planner", moment, switches.planner);
    const { images, shown } = await this.#asking.lettered(moment.frame, survey.terrain, explorer.at, places);
    const said = await this.#asking.ask(
      note,
      exploreDirection,
      {
        question,
        letters: places.map(({ letter }) => letter),
        places: places.map(({ letter, what }) => `${letter}: ${what}`).join("\n"),
        pictures: shown,
        memories: switches.planner ? memoriesText(found, moment.asked.nowUs) : "",
        mayStop,
      },
      moment,
      images,
    );
    const ownLetter = places.find(({ option }) => option === own)?.letter;
    const isStop = mayStop && said?.letter === STOP;
    const chosen = places.find(({ letter }) => letter === said?.letter);
    note.say({
      offered: places.map(({ letter, what, option: { goal } }) => ({
        letter,
        what,
        ...(goal.target !== undefined && { target: goal.target }),
      })),
      ...(ownLetter !== undefined && { own: ownLetter }),
      ...(said && { choice: said.letter, reason: said.reason }),
      ...(said &&
        !chosen &&
        !isStop && { fallback: `there is no place ${said.letter}; the planner's own was taken` }),
    });
    this.#note(note);
    if (isStop) return { stop: said!.reason };
    return (
      chosen && { ...chosen.option, goal: { ...chosen.option.goal, reason: said!.reason.slice(0, 400) } }
    );
  }

  /**
   * Without a model: the share of the results of the planner's query that lies around each frontier (MemoryEQA's
   * agreement of a direction with the memory).
   */
  async values(moment: Moment): Promise<ReadonlyMap<string, number>> {
    const { survey, belief } = moment;
    if (this.#asking !== undefined || survey === undefined || !this.#options.switches.planner)
      return new Map();
    const note = new Note("planner");
    const { items } = await this.#recollection.forModule(note, "planner", moment, true);
    const places = items.flatMap(({ position }) => position ?? []);
    const near = ({ middle }: Frontier): number =>
      places.filter(({ x, y }) => Math.hypot(x - middle.x, y - middle.y) <= GUIDE.nearM).length;
    this.#note(note);
    return new Map(
      survey.reachable.map((frontier) => {
        const share = items.length === 0 ? 0 : near(frontier) / items.length;
        const likely = survey.likelyHere(frontier, belief.parts);
        return [frontier.id, 1 - (1 - likely) * (1 - share)];
      }),
    );
  }

  /** The system's answer from the memory that the run has built. */
  async answer(moment: Moment): Promise<AnswerRecord> {
    const { switches, question } = this.#options;
    const note = new Note("answering");
    const answer = switches.answering
      ? await this.#recalled(note, moment)
      : await this.#fromView(note, moment);
    const { shown, rounds, tokens = 0, models } = answer.trace;
    const cue = rounds.flatMap(({ cues }) => cues)[0];
    if (switches.answering)
      note.searched(
        cue ?? question,
        cue !== undefined && models["reasoner"] !== "rules" ? "model" : "rules",
        {
          items: shown.map(({ ref }) => ({ id: ref })),
        },
      );
    note.used({ inputTokens: tokens, outputTokens: 0 });
    const failed = models["failed"];
    this.#note(note, {
      choice: answer.status,
      reason: `${this.system}, ${Math.round(answer.confidence * 100)} % sure`,
      ...(failed !== undefined && { fallback: `${failed} failed; its own rules answered` }),
    });
    return answer;
  }

  /** The system's answer; without a model MemoryEQA reads what q_a finds and what is in view. */
  async #recalled(note: Note, moment: Moment): Promise<AnswerRecord> {
    const { question } = this.#options;
    if (this.system !== "memory-eqa" || this.#asking !== undefined)
      return answerBy(this.system, question, { ...this.#with(moment), ...(await this.#now(moment)) });
    const found = await this.#recollection.forModule(note, "answering", moment, true);
    return readEvidence(this.system, question, found, this.#with(moment));
  }

  async #fromView(note: Note, moment: Moment): Promise<AnswerRecord> {
    const found = await this.#recollection.forModule(note, "answering", moment, false);
    if (this.#asking) {
      const said = await answerFromView(note, this.#asking, found, moment, this.#options);
      if (said) return said;
    }
    return readEvidence(this.system, this.#options.question, found, this.#with(moment));
  }

  #with({ asked }: Moment): SystemOptions {
    const { model, prices, confidence, selector, options, settings, task, isPaper } = this.#options;
    return {
      ...asked,
      mode: isPaper ? "paper" : "ours",
      ...settings,
      navigate: task === "navigate",
      forest: () => loadForest(asked.reader, asked.sceneId === undefined ? {} : { sceneId: asked.sceneId }),
      onFailure: "rules",
      ...(options && { options }),
      ...(model && { model, prices }),
      ...(confidence && { confidence }),
      ...(selector && { selector }),
    };
  }

  /**
   * MemoryEQA answers from o_i and the memory's content (eq. 2), with the exploration's steps as its steps. Other
   * systems need no view.
   */
  async #now(moment: Moment): Promise<Pick<SystemOptions, "live" | "rounds">> {
    if (this.system !== "memory-eqa" || this.#model === undefined) return {};
    const text = await this.#recollection.observation(moment);
    return { rounds: 1, live: { text, images: await picturesOf(this.#model, moment.frame) } };
  }

  #note(note: Note, more: Partial<Consultation> = {}): void {
    note.say(more);
    this.#consulted.push(note.line());
  }
}
