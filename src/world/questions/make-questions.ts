import { Random } from "../../geometry/index.ts";
import {
  contentId,
  LociError,
  parseOrThrow,
  type QuestionInput,
  type QuestionRecord,
  questionSchema,
} from "../../schema/index.ts";
import { blindAnswerable } from "./blind.ts";
import type { Draft, Subtype } from "./draft.ts";
import { ViewAtlas } from "./min-path.ts";
import { type Chosen, LetterDeck, withOptions } from "./options.ts";
import { Scope } from "./scope.ts";
import { type Category, type Suite, type SuiteName, subtypesOf, suiteOf } from "./suites.ts";
import { UNANSWERABLE } from "./types/index.ts";
import { worded } from "./wording/index.ts";
import type { QuestionWorld } from "./world.ts";

export interface QuestionOptions {
  readonly suite: SuiteName;
  readonly count: number;
  readonly seed: number | string;
  /** From which set `text` is drawn; default test. */
  readonly wording?: "dev" | "test";
  /** Active questions have a shortest walk; default episodic. */
  readonly scope?: "episodic" | "active";
  /** Leave out the shortest walks, which take most of the time; default false. */
  readonly withoutPaths?: boolean;
  /** Share of questions that have no answer; default an eighth. */
  readonly unanswerable?: number;
}

/** Between the 10 and 15 percent that docs/formulas.md#questions asks for. */
const UNANSWERABLE_SHARE = 0.125;
const TRIES_PER_QUESTION = 60;
const MAX_QUESTIONS = 100_000;
/** How often the same question about the same thing may be asked, at different moments. */
const MAX_OF_ONE = 2;
const S = 1_000_000;

/**
 * Makes the questions of a suite about a world. Same world and options, same questions. Fewer than requested are
 * returned if the world does not hold enough facts: a change suite needs changes, a long one a long recording.
 */
export function makeQuestions(world: QuestionWorld, options: QuestionOptions): QuestionRecord[] {
  const { count, suite: name } = options;
  if (!Number.isInteger(count) || count < 1 || count > MAX_QUESTIONS)
    throw new LociError("invalid-input", `expected 1 to ${MAX_QUESTIONS} questions, got ${count}`);
  const suite = suiteOf(name);
  if (suite.isCollaborative && world.agents.length < 2)
    throw new LociError(
      "invalid-input",
      `expected at least 2 agents for suite ${name}, got ${world.agents.length}`,
    );
  const maker = new Maker(world, options);
  const shares = allot(suite.categories, count);
  let left = 0;
  // Categories without unanswerable kinds come first: the others make up for them.
  const order = [...suite.categories.keys()].sort(
    (a, b) => Number(hasUnanswerable(suite.categories[a]!)) - Number(hasUnanswerable(suite.categories[b]!)),
  );
  for (const i of order) left += maker.fill(suite.categories[i]!, shares[i]!);
  // What one category could not supply, the others take over in turns.
  for (let stuck = 0, i = 0; left > 0 && stuck < suite.categories.length; i++) {
    const category = suite.categories[i % suite.categories.length]!;
    const part = Math.ceil(left / suite.categories.length);
    const missing = maker.fill(category, part);
    stuck = missing === part ? stuck + 1 : 0;
    left -= part - missing;
  }
  return maker.questions;
}

function hasUnanswerable(category: Category): boolean {
  return subtypesOf(category).unanswerable.length > 0;
}

/** What is computed once per world and serves every suite: scopes by moment, and views all round. */
class Prepared {
  readonly scopes = new Map<string, Scope>();
  readonly atlases = new Map<number, ViewAtlas>();
}

const prepared = new WeakMap<QuestionWorld, Prepared>();

function preparedFor(world: QuestionWorld): Prepared {
  const known = prepared.get(world) ?? new Prepared();
  prepared.set(world, known);
  return known;
}

class Maker {
  readonly questions: QuestionRecord[] = [];
  readonly #world: QuestionWorld;
  readonly #options: QuestionOptions;
  readonly #random: Random;
  readonly #moments: readonly number[];
  readonly #letters: LetterDeck;
  readonly #prepared: Prepared;
  readonly #said = new Set<string>();
  readonly #subjects = new Map<string, number>();
  /** Yes and no given so far, by subtype. */
  readonly #given = new Map<string, { yes: number; no: number }>();
  readonly #unanswerable: number;
  #owed = 0;
  #tries = 0;

  constructor(world: QuestionWorld, options: QuestionOptions) {
    this.#world = world;
    this.#prepared = preparedFor(world);
    this.#options = options;
    this.#unanswerable = options.unanswerable ?? UNANSWERABLE_SHARE;
    this.#random = new Random(`questions/${options.suite}/${options.seed}`);
    const moments = momentsOf(world, options.suite);
    // An active question starts at the end of the recording.
    this.#moments = options.scope === "active" ? moments.slice(-1) : moments;
    this.#letters = new LetterDeck(this.#random.fork("letters"));
  }

  /** Adds questions of a share; returns how many it could not make. */
  fill(category: Category, count: number): number {
    const { answerable, unanswerable } = subtypesOf(category);
    let missing = 0;
    for (let i = 0; i < count; i++) {
      // Categories without unanswerable kinds pass theirs on to the next that has some.
      this.#owed += this.#unanswerable;
      const isOwed = this.#owed >= 0.5 && unanswerable.length > 0;
      const made = (isOwed && this.#one(unanswerable)) || this.#one(answerable);
      if (made === undefined) {
        this.#owed -= this.#unanswerable;
        missing++;
        continue;
      }
      if (!made.answerable) this.#owed -= 1;
      this.questions.push(made);
    }
    return missing;
  }

  #one(kinds: readonly Subtype[]): QuestionRecord | undefined {
    if (kinds.length === 0 || this.#moments.length === 0) return undefined;
    for (let attempt = 0; attempt < TRIES_PER_QUESTION; attempt++) {
      const random = this.#random.fork(`question/${this.#tries++}`);
      const kind = random.pick(kinds);
      const scope = this.#scope(kind, random);
      const want = this.#wanted(kind, random);
      const draft = scope && kind.make(scope, random, want);
      const question = draft && this.#finish(kind, draft, scope, random);
      if (question === undefined) continue;
      if (question.answer.type === "binary") this.#count(kind, question.answer.value);
      return question;
    }
    return undefined;
  }

  #finish(kind: Subtype, draft: Draft, scope: Scope, random: Random): QuestionRecord | undefined {
    const { suite: suiteName, wording = "test" } = this.#options;
    const suite = suiteOf(suiteName);
    if (suite.isCollaborative && !isNewsTo(this.#world, scope, draft)) return undefined;
    const paraphrases = worded(draft.wording ?? kind.subtype, draft.slots);
    const key = `${scope.askedAtUs}/${paraphrases.dev[0]}`;
    if (this.#said.has(key) && !kind.isChoice) return undefined;
    const subject = `${kind.subtype}/${[...draft.targets].sort().join()}`;
    if (draft.targets.length > 0 && (this.#subjects.get(subject) ?? 0) >= MAX_OF_ONE) return undefined;
    const isChoice = (kind.isChoice ?? false) || (suite.isChoice ?? false);
    const chosen: Chosen | undefined =
      isChoice && draft.unanswerable === undefined ? withOptions(draft, this.#letters, random) : draft;
    if (chosen === undefined) return undefined;
    const choiceKey = `${key}/${chosen.options?.join("|") ?? ""}`;
    if (this.#said.has(choiceKey)) return undefined;
    const minPath = this.#minPath(draft, scope);
    if (this.#options.scope === "active" && minPath === undefined) return undefined;
    const { house } = this.#world.timeline;
    const input: QuestionInput = {
      id: contentId(
        "q",
        suiteName,
        String(this.#options.seed),
        house.seed,
        kind.subtype,
        scope.askedOf,
        choiceKey,
      ),
      family: suite.family ?? "house",
      suite: suiteName,
      type: suite.isCollaborative ? "collaborative" : kind.type,
      subtype: kind.subtype,
      text: random.pick(paraphrases[wording]),
      paraphrases,
      answer: chosen.answer,
      extra: [...(draft.extra ?? [])].filter((text) => text !== draft.answer.text).slice(0, 64),
      ...(chosen.options !== undefined && { options: [...chosen.options] }),
      targets: [...draft.targets],
      regions: [...(draft.regions ?? regionsOf(scope, draft.targets))],
      evidenceTimesUs: [...draft.evidenceTimesUs].slice(0, 256),
      tolerance: toleranceOf(draft, suite),
      scope: this.#options.scope ?? "episodic",
      askedAtUs: scope.askedAtUs,
      askedOf: scope.askedOf,
      start: scope.pose(),
      ...(minPath !== undefined && { minPath }),
      ...(draft.image !== undefined && { image: draft.image }),
      ...(draft.frame !== undefined && { frame: draft.frame }),
      difficulty: difficultyOf(kind, draft),
      answerable: draft.unanswerable === undefined,
      ...(draft.unanswerable !== undefined && { unanswerableReason: draft.unanswerable }),
      about: { ...draft.about, referents: referentsOf(draft) },
    };
    const question = parseOrThrow(questionSchema, input, `question ${kind.subtype}`);
    this.#said.add(key).add(choiceKey);
    this.#subjects.set(subject, (this.#subjects.get(subject) ?? 0) + 1);
    return { ...question, blindAnswerable: blindAnswerable(question) };
  }

  #scope(kind: Subtype, random: Random): Scope | undefined {
    const { agents } = this.#world;
    // An unanswerable fact was seen by no agent, including the asked one.
    const isOfOthers = suiteOf(this.#options.suite).isCollaborative && !UNANSWERABLE.includes(kind);
    // "This" and "here" change from frame to frame; other questions share a few moments.
    const isMomentary = kind.type === "multimodal" || kind.subtype === "knowledge/here";
    const moments = isMomentary ? glances(this.#world, this.#moments) : this.#moments;
    if (moments.length === 0) return undefined;
    // Half of the questions come at the end, when most is known.
    const isLast = !isMomentary && random.chance(0.5);
    const askedAtUs = isLast ? moments.at(-1)! : random.pick(moments);
    const askedOf = random.pick(agents).id;
    const key = `${askedAtUs}/${askedOf}/${isOfOthers ? "others" : "all"}`;
    let scope = this.#prepared.scopes.get(key);
    if (scope === undefined) {
      const others = new Set(agents.map(({ id }) => id).filter((id) => id !== askedOf));
      scope = new Scope(this.#world, askedAtUs, askedOf, isOfOthers ? others : undefined);
      this.#prepared.scopes.set(key, scope);
    }
    return scope;
  }

  #wanted(kind: Subtype, random: Random): boolean {
    const given = this.#given.get(kind.subtype);
    if (given === undefined || given.yes === given.no) return random.chance(0.5);
    return given.yes < given.no;
  }

  #count(kind: Subtype, value: boolean): void {
    const { yes, no } = this.#given.get(kind.subtype) ?? { yes: 0, no: 0 };
    this.#given.set(kind.subtype, value ? { yes: yes + 1, no } : { yes, no: no + 1 });
  }

  /**
   * Only in houses, where there is a grid to walk on, and for the last moment: looking all round takes seconds, and
   * there are many other moments.
   */
  #minPath(draft: Draft, scope: Scope): QuestionInput["minPath"] {
    const isAsked = scope.askedAtUs === this.#moments.at(-1);
    const isHouse = suiteOf(this.#options.suite).family === undefined;
    if (!isHouse || this.#options.withoutPaths || draft.look === "none" || !isAsked) return undefined;
    let atlas = this.#prepared.atlases.get(scope.askedAtUs);
    if (atlas === undefined) {
      atlas = new ViewAtlas(this.#world, scope.askedAtUs);
      this.#prepared.atlases.set(scope.askedAtUs, atlas);
    }
    const { position } = scope.pose();
    if (draft.look === "targets") return atlas.toTargets(position, draft.targets);
    return atlas.overRooms(position, draft.regions ?? regionsOf(scope, draft.targets));
  }
}

/** Moments at which questions are asked, all of them at a frame: the last is the end of the suite's time. */
function momentsOf(world: QuestionWorld, suite: SuiteName): number[] {
  const { startUs } = world.timeline;
  const lastUs = world.frames.at(-1)?.timeUs;
  if (lastUs === undefined) return [];
  const [from, to] = suiteOf(suite).minutes ?? [0, Infinity];
  const fromUs = startUs + from * 60 * S;
  const toUs = Math.min(lastUs, startUs + to * 60 * S);
  if (toUs <= fromUs) return [];
  const wanted = from > 0 ? [0.3, 0.65, 1] : [0.4, 0.7, 1];
  const times = wanted.map((share) => fromUs + share * (toUs - fromUs));
  const moments = times.map((t) => world.frames.findLast(({ timeUs }) => timeUs <= t)?.timeUs ?? startUs);
  return [...new Set(moments)].filter((t) => t > fromUs);
}

const GLANCES = 24;

function glances(world: QuestionWorld, moments: readonly number[]): number[] {
  const until = moments.at(-1) ?? 0;
  const times = [...new Set(world.frames.flatMap(({ timeUs }) => (timeUs <= until ? [timeUs] : [])))];
  const late = times.slice(Math.floor(times.length / 4));
  if (late.length === 0) return [];
  const step = Math.max(1, Math.floor(late.length / GLANCES));
  return late.filter((_, i) => i % step === 0);
}

/** Largest remainders: shares that add up to the whole. */
function allot(categories: readonly Category[], count: number): number[] {
  const total = categories.reduce((sum, { weight }) => sum + weight, 0);
  const exact = categories.map(({ weight }) => (weight / total) * count);
  const shares = exact.map(Math.floor);
  const order = exact
    .map((value, i) => ({ i, rest: value - Math.floor(value) }))
    .sort((a, b) => b.rest - a.rest || a.i - b.i);
  const missing = count - shares.reduce((sum, share) => sum + share, 0);
  for (const { i } of order.slice(0, missing)) shares[i]!++;
  return shares;
}

/** Whether the asked agent saw nothing of it: the answer must come from another agent. */
function isNewsTo(world: QuestionWorld, scope: Scope, draft: Draft): boolean {
  if (draft.unanswerable !== undefined) return true;
  if (draft.targets.length === 0) return false;
  return world.frames.every(
    (frame) =>
      frame.agentId !== scope.askedOf ||
      frame.timeUs > scope.askedAtUs ||
      !frame.visible.some(({ id }) => id === draft.targets[0]),
  );
}

function regionsOf(scope: Scope, targets: readonly string[]): string[] {
  return [...new Set(targets.flatMap((id) => scope.placement(id)?.room ?? []))];
}

/** The suite's own, where it has one: a metre is far in a house and nothing on a campus. */
function toleranceOf({ answer, tolerance = {} }: Draft, { timeToleranceS: s, placeToleranceM: m }: Suite) {
  return {
    ...tolerance,
    ...(answer.type === "time" && s !== undefined && { s }),
    ...(tolerance.m !== undefined && m !== undefined && { m }),
  };
}

/** By the number of things to be combined, and whether the past or another agent's observations are needed. */
function difficultyOf(kind: Subtype, draft: Draft): "easy" | "medium" | "hard" {
  const things = new Set(draft.targets).size;
  const isTimed = ["temporal", "change", "motion", "carried", "predictive"].includes(kind.type);
  const hops = things + (isTimed ? 1 : 0) + (draft.frame === undefined ? 0 : 1);
  return hops <= 1 ? "easy" : hops <= 3 ? "medium" : "hard";
}

/** What the words of the question claim about things, for the checker. */
function referentsOf(draft: Draft) {
  return Object.values(draft.slots).flatMap((slot) => {
    if (typeof slot === "string" || !("claims" in slot)) return [];
    const { nouns, colour, room, says } = slot.claims;
    return [
      {
        id: slot.id,
        dev: slot.dev,
        test: slot.test,
        nouns: [...nouns],
        ...(colour !== undefined && { colour }),
        ...(room !== undefined && { room }),
        ...(says !== undefined && { says }),
      },
    ];
  });
}
