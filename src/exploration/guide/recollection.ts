import { answerQuery, plannerQuery, stopQuery } from "../../models/prompts/memory-eqa.ts";
import type { AskOptions } from "../../reasoning/ask.ts";
import { findIn } from "../../reasoning/systems/memory-eqa/retrieval.ts";
import { once } from "../../reasoning/systems/model/said.ts";
import { facingText } from "../../reasoning/systems/model/stand.ts";
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

/** What the asked agent knows at one step. */
export interface Moment {
  readonly step: number;
  readonly asked: AskOptions;
  readonly belief: Belief;
  readonly survey: Survey | undefined;
  readonly explorer: Explorer;
  /** States visible in its last look. */
  readonly inView: readonly string[];
  readonly frame: Frame | undefined;
}

const ROLES = { planner: "planner", stopping: "stop", answering: "answer" } as const;

/**
 * The memory's content for one module of an exploration, retrieved by MemoryEQA's plan (docs/formulas.md#ambiguity).
 */
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

  /**
   * Retrieves by the module's query; a module that may not read the memory gets only what is in view. Both include
   * the view (o_i of eq. 2): a model sees it, rules get its records beside what was found.
   */
  async forModule(note: Note, module: Module, moment: Moment, mayRecall: boolean): Promise<Found> {
    const records = await inViewOf(moment);
    if (!mayRecall) return asFound(records);
    const { asked } = moment;
    const known = this.#known(moment, records);
    const written = await this.#written(note, module, moment, observationOf(known), known.visible);
    const text = written ?? QUERIES[module](known);
    const found = await findIn(text, { ...asked, ...this.#settings }, ROLES[module]);
    note.searched(text, written === undefined ? "rules" : "model", found);
    if (this.#asking !== undefined || module === "planner") return found;
    return { ...found, items: once([...asFound(records).items, ...found.items]) };
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
    const { positionInWorld: pose, yawRad } = moment.explorer.at;
    const facing = this.#settings.mode === "paper" ? {} : { facing: facingText({ yawRad }) };
    return asking.ask(note, plannerQuery, { pose, ...facing, visible, goal: question.slice(0, 300) }, moment);
  }
}

/** Results as text for a prompt. */
export function memoriesText({ items }: Found, nowUs: number): string {
  return serialise(items, { nowUs, tokens: GUIDE.memoryTokens }).text;
}

async function inViewOf({ asked: { reader }, inView }: Moment): Promise<Stored[]> {
  const ids = [...new Set(inView)].slice(0, LIMITS.hitsPerSearch);
  return ids.length === 0 ? [] : (await reader.get(ids)).flatMap((record) => record ?? []);
}

/** Records in view, in the form of search results. */
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
