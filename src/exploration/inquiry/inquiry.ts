import type { Box, Vec3 } from "../../geometry/index.ts";
import { headOf, roomKind } from "../../ontology/index.ts";
import { type AskOptions, answer, readingsOf, scopeOf } from "../../reasoning/ask.ts";
import { evaluate, type Value } from "../../reasoning/index.ts";
import type { AnswerRecord, Expression } from "../../schema/index.ts";
import { type Need, needsOf } from "./needs.ts";

/** A remembered thing that may be what a need asks for. */
export interface Candidate {
  readonly stateId: string;
  readonly name: string;
  readonly position: Vec3;
  readonly box: Box;
  readonly roomId: string | undefined;
  /** How likely it is the one meant, and there. */
  readonly p: number;
  readonly lastSeenUs: number;
}

/** How far one part of the question has come. */
export interface Part {
  readonly need: Need;
  /** `found`: known by now. `absent`: everywhere it could be was looked at. */
  readonly state: "open" | "found" | "absent";
  readonly p: number;
  readonly candidates: readonly Candidate[];
}

/** What the memory makes of the question at one moment. */
export interface Belief {
  readonly answer: AnswerRecord;
  readonly parts: readonly Part[];
  /** Whether nothing that could be seen would help any more. */
  readonly isSettled: boolean;
  readonly expression: Expression | undefined;
}

/** What was looked at: whether every place where a need could be met was, closely enough to have seen it. */
export interface Looking {
  isLookedOver(need: Need): boolean;
  /** Whether a remembered thing was looked at again in this run. */
  isLookedAt(stateId: string): boolean;
  /** Whether a place was looked at from close by. */
  isNear(place: Vec3): boolean;
}

/** A thing is found when it is likelier than this to be the one that is meant. */
const FOUND_P = 0.4;
/** Below this a remembered thing is no reason to go anywhere. */
const CANDIDATE_P = 0.15;
/** Sure enough to answer before everything was looked at (docs/formulas.md#stopping). */
export const SURE = 0.5;

const OF_THESE = /\b(?:these|those|following|which one|of them)\b/i;

/** A question that somebody goes to answer: its parts, read once, and what is known of each as the memory grows. */
export class Inquiry {
  readonly question: string;
  readonly options: readonly string[] | undefined;
  #needs: readonly Need[] = [];
  #expression: Expression | undefined;
  #readings: Awaited<ReturnType<typeof readingsOf>> = [];

  constructor(question: string, options?: readonly string[]) {
    this.question = question;
    this.options = options;
  }

  get needs(): readonly Need[] {
    return this.#needs;
  }

  /** Reads the question; false where it asks for nothing that could be seen anywhere. */
  async read(asked: AskOptions): Promise<boolean> {
    this.#readings = await readingsOf(this.question, this.#with(asked));
    const [best] = this.#readings.filter(({ parts }) =>
      parts.every(({ op }) => op !== "recall" && op !== "refuse"),
    );
    this.#expression = best?.parts[0];
    const own = needsOf(best?.parts ?? []);
    const options = await this.#optionNeeds(own, asked);
    const isBare =
      options.length > 0 && own.every(({ categories, kind }) => kind === "all-of" && categories.length === 0);
    this.#needs = this.#scopedByOptions(isBare ? options : [...own, ...options]);
    return (
      this.#needs.some(({ categories, rooms }) => rooms.length > 0 || categories.some(isSomething)) || isBare
    );
  }

  /** What is believed now, and which parts are still open. */
  async consider(asked: AskOptions, looking: Looking): Promise<Belief> {
    // The words do not change as the memory grows; which of their readings fits best may.
    const options = { ...this.#with(asked), read: async () => this.#readings };
    const { answer: said } = await answer(this.question, options);
    const scope = await scopeOf(options);
    const parts: Part[] = [];
    for (const need of this.#needs) {
      const value = need.expression && (await evaluate(need.expression, scope));
      parts.push(partOf(need, value, looking));
    }
    const isSettled = parts.length > 0 && parts.every(({ state }) => state !== "open");
    return { answer: said, parts, isSettled, expression: this.#expression };
  }

  #with(asked: AskOptions): AskOptions {
    return { ...asked, navigate: false, ...(this.options && { options: this.options }) };
  }

  /** "Which of these …": what the options name has to be seen, where the reading does not say so itself. */
  async #optionNeeds(own: readonly Need[], asked: AskOptions): Promise<Need[]> {
    if (!this.options || !OF_THESE.test(this.question)) return [];
    if (own.filter(({ kind }) => kind === "thing" || kind === "room").length >= this.options.length)
      return [];
    const found: Need[] = [];
    for (const option of this.options) {
      if (roomKind(option) !== undefined || headOf(option) === undefined) continue;
      const [reading] = await readingsOf(`Where is ${option}?`, { ...asked, navigate: false });
      found.push(...needsOf(reading?.parts ?? []).filter(({ kind }) => kind === "thing"));
    }
    return found;
  }

  /** Where the options are rooms, only those have to be gone through. */
  #scopedByOptions(needs: readonly Need[]): Need[] {
    const names = this.options ?? [];
    if (names.length === 0 || names.some((name) => roomKind(name) === undefined)) return [...needs];
    return needs.map((need) =>
      need.kind === "all-of" && need.rooms.length === 0 ? { ...need, rooms: [...names] } : need,
    );
  }
}

/** A word that names something one could see. */
function isSomething(category: string): boolean {
  return headOf(category) !== undefined;
}

function partOf(need: Need, value: Value | undefined, looking: Looking): Part {
  const candidates = candidatesIn(value);
  // What fits but for its room may be in the right one after all: rooms are known better once one stands in them.
  const isDoubtful = candidates.some(({ p, stateId }) => p >= FOUND_P && !looking.isLookedAt(stateId));
  const isClosed = looking.isLookedOver(need) && !(need.kind !== "all-of" && isDoubtful);
  const p = value === undefined || value.kind === "unknown" ? 0 : value.p;
  const isThere = value?.kind === "things" && value.things.length > 0;
  const isFound =
    need.kind === "around"
      ? isThere &&
        p >= FOUND_P &&
        candidates
          .slice(0, 1)
          .some(({ stateId, position }) => looking.isNear(position) || looking.isLookedAt(stateId))
      : need.kind === "thing"
        ? isThere && p >= FOUND_P && (value.things[0]!.against?.length ?? 0) === 0
        : need.kind === "one-of"
          ? isThere && p >= FOUND_P
          : isClosed && (need.kind === "room" || isThere || value === undefined || value.kind !== "things");
  return { need, state: isFound ? "found" : isClosed ? "absent" : "open", p, candidates };
}

function candidatesIn(value: Value | undefined): Candidate[] {
  const things =
    value?.kind === "things"
      ? [...value.things, ...(value.elsewhere ?? []), ...(value.rivals ?? [])]
      : value?.kind === "unknown"
        ? [...(value.choices ?? []), ...(value.goal ? [value.goal] : [])]
        : [];
  return things.flatMap(({ state, name, position, box, roomId, fit }): Candidate[] =>
    position === undefined || box === undefined || fit < CANDIDATE_P
      ? []
      : [{ stateId: state.id, name, position, box, roomId, p: fit, lastSeenUs: state.validFromUs }],
  );
}
