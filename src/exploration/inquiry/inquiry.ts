import type { Vec3 } from "../../geometry/index.ts";
import { headOf, roomKind } from "../../ontology/index.ts";
import type { Scope } from "../../reasoning/algebra/operator.ts";
import { type AskOptions, ask, readingsOf, scopeOf } from "../../reasoning/ask.ts";
import { evaluate, print, type Value } from "../../reasoning/index.ts";
import type { AnswerRecord, Expression } from "../../schema/index.ts";
import {
  type Alternatives,
  type Around,
  alternativesOf,
  among,
  choosing,
  type Rivals,
  rivalsOf,
  undescribed,
  withMember,
} from "./alternatives.ts";
import { isEveryRoom, type Need, needsOf } from "./needs.ts";
import { candidatesIn, type Part } from "./part.ts";

/** What the memory knows about the question at one moment. */
export interface Belief {
  readonly answer: AnswerRecord;
  readonly parts: readonly Part[];
  /** Whether no further observation would help. */
  readonly isSettled: boolean;
  /** The region where an observation could still change the answer; undefined: anywhere. */
  readonly around?: Around | undefined;
  readonly expression: Expression | undefined;
}

/** Whether every place that could satisfy a need was observed, closely enough to detect it. */
export interface Looking {
  isLookedOver(need: Need): boolean;
  /** Whether a remembered thing was observed again in this run. */
  isLookedAt(stateId: string): boolean;
  /** Whether a place was observed from close by. */
  isNear(place: Vec3): boolean;
  /** Whether the surroundings of a place were observed, closely enough to detect what a need asks for. */
  isLookedAround(around: Around, need: Need): boolean;
}

/** A thing counts as found when it is the intended one with more than this probability. */
const FOUND_P = 0.4;
/** Confident enough to answer before everything was observed (docs/formulas.md#stopping). */
export const SURE = 0.5;
/**
 * A reading this much costlier than the likeliest is not the intended one, even if it could be explored for; in
 * reading cost.
 */
const MOST_WORSE = 1;
/** Upper bound of confidence for an answer by category alone, or by what was not found. */
const GUESS = 0.3;

type Reading = Awaited<ReturnType<typeof readingsOf>>[number];

const OF_THESE = /\b(?:these|those|following|which one|of them)\b/i;

/** A question that an agent explores for: its parts, read once, and what is known of each as the memory grows. */
export class Inquiry {
  readonly question: string;
  readonly options: readonly string[] | undefined;
  #needs: readonly Need[] = [];
  #expression: Expression | undefined;
  #alternatives: Alternatives | undefined;
  #readings: readonly Reading[] = [];

  constructor(question: string, options?: readonly string[]) {
    this.question = question;
    this.options = options;
  }

  get needs(): readonly Need[] {
    return this.#needs;
  }

  /** Reads the question; false if it asks for nothing that could be seen. */
  async read(asked: AskOptions): Promise<boolean> {
    this.#readings = await this.#read(asked);
    const least = this.#readings[0]?.cost ?? 0;
    const [best] = this.#readings.filter((one) => isUnderstood(one) && one.cost - least < MOST_WORSE);
    this.#expression = best?.parts[0];
    this.#alternatives = alternativesOf(this.#expression);
    const own = needsOf(best?.parts ?? []);
    const options = await this.#optionNeeds(own, asked);
    const isBare =
      options.length > 0 && own.every(({ categories, kind }) => kind === "all-of" && categories.length === 0);
    this.#needs = this.#scopedByOptions(isBare ? options : [...own, ...options]);
    const isVisible = (need: Need): boolean =>
      need.rooms.length > 0 || isEveryRoom(need) || need.categories.some(isSomething);
    return isBare || this.#needs.some(isVisible);
  }

  /** If an option names both a room and a thing, the question is read without it, as about things. */
  async #read(asked: AskOptions): Promise<readonly Reading[]> {
    const readings = await readingsOf(this.question, this.#with(asked));
    const { options = [] } = this;
    const at = options.findIndex(
      (option) => roomKind(named(option)) !== undefined && headOf(option) !== undefined,
    );
    if (at < 0 || options.length < 3 || readings.some(isUnderstood)) return readings;
    const others = await readingsOf(this.question, {
      ...this.#with(asked),
      options: options.toSpliced(at, 1),
    });
    const category = named(options[at]!);
    return others.map((one) => ({ ...one, parts: one.parts.map((part) => withMember(part, at, category)) }));
  }

  /** The current belief, and which parts are still open. */
  async consider(asked: AskOptions, looking: Looking): Promise<Belief> {
    // The words are read once; which reading fits best may change as the memory grows.
    const options = { ...this.#with(asked), read: async () => this.#readings };
    const said = await ask(this.question, options);
    const scope = await scopeOf(options);
    const values = new Map<Need, Value | undefined>();
    for (const need of this.#needs)
      values.set(need, need.expression && (await evaluate(need.expression, scope)));
    const parts: Part[] = [];
    for (const need of this.#confined(values, looking)) {
      const part = partOf(need.within, values.get(need.of), looking);
      const usual =
        part.state === "open" && part.candidates.length > 0 ? await usualRoomsOf(need.of, scope) : [];
      parts.push({ ...part, usual });
    }
    const isComplete = parts.length > 0 && parts.every(({ state }) => state !== "open");
    const chosen = await this.#chosen(said, parts, options, scope);
    const isSure = chosen !== undefined && chosen.confidence >= SURE;
    const rivals = isSure ? rivalsOf(this.#alternatives!, parts) : undefined;
    const isDecided = rivals !== undefined && isRuledOut(rivals, looking);
    const shown = isDecided || isComplete ? chosen : chosen && this.#unsure(chosen, parts);
    const mayWin = ({ key }: Need): boolean =>
      rivals === undefined || rivals.needs.some((one) => one.key === key);
    return {
      answer: shown ?? said,
      parts: parts.map((part) =>
        part.state === "open" && !mayWin(part.need) ? { ...part, state: "needless" } : part,
      ),
      isSettled: isComplete || isDecided,
      around: rivals?.around,
      expression: this.#expression,
    };
  }

  /**
   * Something asked to be in the same room as a reference thing is searched for in that room only, once the room is
   * known: elsewhere it would not be the intended one.
   */
  #confined(
    values: ReadonlyMap<Need, Value | undefined>,
    looking: Looking,
  ): { readonly of: Need; readonly within: Need }[] {
    const alternatives = this.options && this.#alternatives?.isOfRoom ? this.#alternatives : undefined;
    const others = this.#needs.filter(({ key }) => !alternatives?.keys.has(key));
    const to = alternatives && others.map((need) => partOf(need, values.get(need), looking));
    const rooms =
      to?.length === 1 && to[0]!.state === "found"
        ? to[0]!.candidates.slice(0, 1).flatMap((one) => one.roomId ?? [])
        : [];
    return this.#needs.map((of) => ({
      of,
      within:
        rooms.length > 0 && of.rooms.length === 0 && alternatives!.keys.has(of.key)
          ? { ...of, rooms, isInKnownRoom: true }
          : of,
    }));
  }

  /** The answer from the named things that were found: "which of these" says that one of them is right. */
  async #chosen(
    said: AnswerRecord,
    parts: readonly Part[],
    asked: AskOptions,
    scope: Scope,
  ): Promise<AnswerRecord | undefined> {
    if (!this.options || this.#alternatives === undefined || this.#expression === undefined) return undefined;
    const kept = new Set(this.#found(parts).map(({ need }) => need.key));
    if (kept.size === 0) return undefined;
    const isAll = kept.size === this.#alternatives.members.length;
    const some = isAll || said.status === "answered" ? said : await this.#askedOf(kept, asked);
    if (some.status !== "answered" || some.choice === undefined) return undefined;
    const won = await this.#winner(kept, parts, scope);
    // One option is right; if several fit, it is unknown which.
    return won ? { ...some, choice: won.letter, confidence: some.confidence / won.of } : some;
  }

  /** The option letter of the winning member, by the thing itself, since options may share words. */
  async #winner(
    kept: ReadonlySet<string>,
    parts: readonly Part[],
    scope: Scope,
  ): Promise<{ readonly letter: string; readonly of: number } | undefined> {
    const { members } = this.#alternatives!;
    const node = choosing(among(this.#expression!, (key) => kept.has(key)));
    if (node === undefined || members.length !== this.options!.length) return undefined;
    const value = await evaluate(node, scope);
    const things = value.kind === "things" ? value.things : [];
    const id = things[0]?.state.id;
    const at = members.findIndex((member) =>
      parts.some(({ need, candidates }) => need.key === print(member) && candidates[0]?.stateId === id),
    );
    const of = this.#alternatives!.by === "fits" ? things.length : 1;
    return id === undefined || at < 0 ? undefined : { letter: String.fromCharCode(65 + at), of };
  }

  #found(parts: readonly Part[]): Part[] {
    return parts.filter(({ state, need }) => state === "found" && this.#alternatives?.keys.has(need.key));
  }

  /** Lowers the confidence by the named things that are still unknown. */
  #unsure(chosen: AnswerRecord, parts: readonly Part[]): AnswerRecord {
    const share = this.#found(parts).length / this.#alternatives!.members.length;
    return { ...chosen, confidence: chosen.confidence * share };
  }

  async #askedOf(kept: ReadonlySet<string>, asked: AskOptions): Promise<AnswerRecord> {
    return this.#askedAs(
      among(this.#expression!, (key) => kept.has(key)),
      asked,
    );
  }

  /** The answer to the question read as this expression. */
  async #askedAs(expression: Expression, asked: AskOptions): Promise<AnswerRecord> {
    const reading = this.#readings.find(({ parts }) => parts[0] === this.#expression)!;
    const read = async () => [{ ...reading, parts: [expression, ...reading.parts.slice(1)] }];
    return ask(this.question, { ...asked, read });
  }

  /**
   * The best guess at the end for a multiple-choice question, where one option is right. By category alone, if no
   * thing has the requested colour; else the one option that was never found, if all others were found and none fits.
   * Its confidence is that of a guess; undefined if there is no guess.
   */
  async guess({ answer: said, parts }: Belief, asked: AskOptions): Promise<AnswerRecord | undefined> {
    if (!this.options || this.#expression === undefined || said.status === "answered") return undefined;
    const unsure = (one: AnswerRecord): AnswerRecord => ({
      ...one,
      confidence: Math.min(one.confidence, GUESS),
    });
    const plain = await this.#askedAs(undescribed(this.#expression), this.#with(asked));
    if (plain.status === "answered" && plain.choice !== undefined) return unsure(plain);
    const alternatives = this.#alternatives;
    if (alternatives?.by !== "fits" || alternatives.members.length !== this.options.length) return undefined;
    const missing = alternatives.members.flatMap((member, n) =>
      parts.some(({ need, state }) => need.key === print(member) && state === "found") ? [] : [n],
    );
    const isOne = missing.length === 1 && parts.some(({ state }) => state === "found");
    if (!isOne) return undefined;
    const [n] = missing;
    const choice = String.fromCharCode(65 + n!);
    return unsure({ ...said, type: "choice", status: "answered", text: this.options[n!]!, choice });
  }

  #with(asked: AskOptions): AskOptions {
    return { ...asked, navigate: false, ...(this.options && { options: this.options }) };
  }

  /** "Which of these …": the named options must be seen, if the reading does not require it already. */
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

  /** If the options are rooms, only those rooms must be searched. */
  #scopedByOptions(needs: readonly Need[]): Need[] {
    const names = this.options ?? [];
    if (names.length === 0 || names.some((name) => roomKind(name) === undefined)) return [...needs];
    return needs.map((need) =>
      need.kind === "all-of" && need.rooms.length === 0 ? { ...need, rooms: [...names] } : need,
    );
  }
}

function named(option: string): string {
  return option.replace(/^(?:the|an?) /i, "");
}

function isUnderstood({ parts }: Reading): boolean {
  return parts.every(({ op }) => op !== "recall" && op !== "refuse");
}

/** Whether a word names something visible. */
function isSomething(category: string): boolean {
  return headOf(category) !== undefined;
}

function isRuledOut({ needs, around }: Rivals, looking: Looking): boolean {
  return needs.every((need) => around !== undefined && looking.isLookedAround(around, need));
}

function partOf(need: Need, value: Value | undefined, looking: Looking): Part {
  const candidates = candidatesIn(value);
  // A thing that fits except for its room may still be in the right one: rooms become more certain up close.
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
  return { need, state: isFound ? "found" : isClosed ? "absent" : "open", p, candidates, usual: [] };
}

/** Where a known thing that was not found usually is: habits, if several days were observed. */
async function usualRoomsOf({ expression, kind }: Need, scope: Scope): Promise<string[]> {
  if (kind !== "thing" || expression === undefined) return [];
  const place: Expression = { op: "place", of: [expression], with: { detail: "room" } };
  const value = await evaluate({ op: "likely", of: [place], with: {} }, scope);
  return value.kind === "words" && value.habit
    ? value.items.flatMap(({ room }) => (room ? [room.type] : []))
    : [];
}
