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

/** What the memory makes of the question at one moment. */
export interface Belief {
  readonly answer: AnswerRecord;
  readonly parts: readonly Part[];
  /** Whether nothing that could be seen would help any more. */
  readonly isSettled: boolean;
  /** Where alone something could still be seen that changes the answer; undefined: anywhere. */
  readonly around?: Around | undefined;
  readonly expression: Expression | undefined;
}

/** What was looked at: whether every place where a need could be met was, closely enough to have seen it. */
export interface Looking {
  isLookedOver(need: Need): boolean;
  /** Whether a remembered thing was looked at again in this run. */
  isLookedAt(stateId: string): boolean;
  /** Whether a place was looked at from close by. */
  isNear(place: Vec3): boolean;
  /** Whether all around a place was looked at, closely enough to have seen what a need asks for. */
  isLookedAround(around: Around, need: Need): boolean;
}

/** A thing is found when it is likelier than this to be the one that is meant. */
const FOUND_P = 0.4;
/** Sure enough to answer before everything was looked at (docs/formulas.md#stopping). */
export const SURE = 0.5;
/** An answer that rests on what a thing is alone, or on what was not found, is no surer than this. */
const GUESS = 0.3;

type Reading = Awaited<ReturnType<typeof readingsOf>>[number];

const OF_THESE = /\b(?:these|those|following|which one|of them)\b/i;

/** A question that somebody goes to answer: its parts, read once, and what is known of each as the memory grows. */
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

  /** Reads the question; false where it asks for nothing that could be seen anywhere. */
  async read(asked: AskOptions): Promise<boolean> {
    this.#readings = await this.#read(asked);
    const [best] = this.#readings.filter(isUnderstood);
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

  /** Where one option is the name of a room and of a thing, the question is read without it, as of things. */
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

  /** What is believed now, and which parts are still open. */
  async consider(asked: AskOptions, looking: Looking): Promise<Belief> {
    // The words do not change as the memory grows; which of their readings fits best may.
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
   * What is asked to be in the same room as something is looked for in that room alone, once that is known: elsewhere it
   * would not be the one.
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

  /** The answer by those of the named things that were found: "which of these" says that one of them is right. */
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
    // One of them is right: where several fit, nobody knows which.
    return won ? { ...some, choice: won.letter, confidence: some.confidence / won.of } : some;
  }

  /** The letter of the member that it is: by the thing itself, since words of one option may be in another. */
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

  /** Less sure by those of the named things that are not known. */
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

  /** The question, understood as an expression. */
  async #askedAs(expression: Expression, asked: AskOptions): Promise<AnswerRecord> {
    const reading = this.#readings.find(({ parts }) => parts[0] === this.#expression)!;
    const read = async () => [{ ...reading, parts: [expression, ...reading.parts.slice(1)] }];
    return ask(this.question, { ...asked, read });
  }

  /**
   * The best that can be said at the end of a question that comes with its options, one of which is right: by what
   * things are alone, where no thing was of the colour that was asked for; else the one that was never found, where
   * all others were and none fits. A guess, and as unsure as one; undefined where there is none.
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

function named(option: string): string {
  return option.replace(/^(?:the|an?) /i, "");
}

function isUnderstood({ parts }: Reading): boolean {
  return parts.every(({ op }) => op !== "recall" && op !== "refuse");
}

/** A word that names something one could see. */
function isSomething(category: string): boolean {
  return headOf(category) !== undefined;
}

function isRuledOut({ needs, around }: Rivals, looking: Looking): boolean {
  return needs.every((need) => around !== undefined && looking.isLookedAround(around, need));
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
  return { need, state: isFound ? "found" : isClosed ? "absent" : "open", p, candidates, usual: [] };
}

/** Where a thing that is known but was not found usually is: habits, where several days were seen. */
async function usualRoomsOf({ expression, kind }: Need, scope: Scope): Promise<string[]> {
  if (kind !== "thing" || expression === undefined) return [];
  const place: Expression = { op: "place", of: [expression], with: { detail: "room" } };
  const value = await evaluate({ op: "likely", of: [place], with: {} }, scope);
  return value.kind === "words" && value.habit
    ? value.items.flatMap(({ room }) => (room ? [room.type] : []))
    : [];
}
