import { answerQuery, plannerQuery, stopQuery } from "../../models/prompts/memory-eqa.ts";
import type { AskOptions } from "../../reasoning/ask.ts";
import { findIn } from "../../reasoning/systems/memory-eqa/retrieval.ts";
import type { Found, SystemSettings } from "../../reasoning/systems/system.ts";
import { serialise } from "../../retrieval/index.ts";
import { LIMITS, type Module, type Stored } from "../../schema/index.ts";
import type { Frame } from "../../sensors/index.ts";
import type { Explorer } from "../explorer.ts";
import type { Belief } from "../inquiry/inquiry.ts";
import type { Survey } from "../survey.ts";
import type { Asking } from "./asking.ts";
import type { Note } from "./notes.ts";
import { GUIDE } from "./settings.ts";
import { type Known, observationOf, QUERIES, visibleThings } from "./words.ts";

/** What the one that is asked knows at one step. */
export interface Moment {
  readonly step: number;
  readonly asked: AskOptions;
  readonly belief: Belief;
  readonly survey: Survey | undefined;
  readonly explorer: Explorer;
  /** States that its last look showed. */
  readonly inView: readonly string[];
  readonly frame: Frame | undefined;
}

const ROLES = { planner: "planner", stopping: "stop", answering: "answer" } as const;

/** What the memory holds for one module of a walk, found by MemoryEQA's plan (docs/formulas.md#ambiguity). */
export class Recollection {
  readonly #question: string;
  readonly #settings: SystemSettings;
  readonly #asking: Asking | undefined;

  constructor(
    {
      question,
      settings,
      isPaper,
    }: {
      readonly question: string;
      readonly settings?: SystemSettings | undefined;
      readonly isPaper: boolean;
    },
    asking: Asking | undefined,
  ) {
    this.#question = question;
    this.#settings = { mode: isPaper ? "paper" : "ours", ...settings };
    this.#asking = asking;
  }

  /** By the module's query; a module that may not look into the memory has what is in view. */
  async forModule(note: Note, module: Module, moment: Moment, mayRecall: boolean): Promise<Found> {
    const records = await inViewOf(moment);
    if (!mayRecall) return asFound(records);
    const { asked } = moment;
    const known = this.#known(moment, records);
    const written = await this.#written(note, module, moment, observationOf(known), known.visible);
    const text = written ?? QUERIES[module](known);
    const found = await findIn(text, { ...asked, ...this.#settings }, ROLES[module]);
    note.searched(text, written === undefined ? "rules" : "model", found);
    return found;
  }

  /** What is in view, in words. */
  async observation(moment: Moment): Promise<string> {
    return observationOf(this.#known(moment, await inViewOf(moment)));
  }

  #known({ belief, survey, explorer }: Moment, records: readonly Stored[]): Known & { visible: string[] } {
    const room = survey?.map.roomAt(explorer.at.positionInWorld)?.name;
    return { question: this.#question, parts: belief.parts, room, visible: visibleThings(records) };
  }

  /** The query as the model writes it (MemoryEQA P1–P3). */
  async #written(
    note: Note,
    module: Module,
    moment: Moment,
    observation: string,
    visible: string[],
  ): Promise<string | undefined> {
    const asking = this.#asking;
    if (asking === undefined) return undefined;
    const question = this.#question;
    if (module !== "planner") {
      const prompt = module === "stopping" ? stopQuery : answerQuery;
      return asking.ask(note, prompt, { question, observation }, moment);
    }
    const pose = moment.explorer.at.positionInWorld;
    return asking.ask(note, plannerQuery, { pose, visible, goal: question.slice(0, 300) }, moment);
  }
}

/** What was found, as a prompt has it. */
export function memoriesText({ items }: Found, nowUs: number): string {
  return serialise(items, { nowUs, tokens: GUIDE.memoryTokens }).text;
}

async function inViewOf({ asked: { reader }, inView }: Moment): Promise<Stored[]> {
  const ids = [...new Set(inView)].slice(0, LIMITS.hitsPerSearch);
  return ids.length === 0 ? [] : (await reader.get(ids)).flatMap((record) => record ?? []);
}

/** Records in view as if they had been found. */
function asFound(records: readonly Stored[]): Found {
  const items = records.map((record) => ({
    id: record.id,
    kind: record.kind,
    record,
    score: 1,
    scores: {},
    why: ["in view"],
  }));
  return { items, searches: [] };
}
