import { LIMITS, type LiftedDetection, type Maybe, NAMELESS, type PartName } from "../../schema/core.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON, NEARLY_ALL } from "../settings/common.ts";
import { OBSERVE } from "../settings/observe.ts";
import { lately } from "./lately.ts";
import { marksOf, WRITING } from "./marks.ts";
import { Votes } from "./votes.ts";

/** The cosine of unrelated texts by the embedder in use (docs/formulas.md#background). */
export interface Background {
  readonly mean: number;
  readonly sd: number;
}

/** Attributes that never distinguish two things: the share of a second colour depends on the visible side. */
const ASIDE: ReadonlySet<string> = new Set(["accent"]);

export function isAside(attribute: string): boolean {
  return ASIDE.has(attribute);
}

interface Phrase {
  readonly text: string;
  readonly category: string;
  readonly vector: Float32Array | null;
  weight: number;
}

/** What a model says of a thing of which it saw the best views together. */
export interface Telling {
  /** Absent where the views do not show what it is: then the names that others guessed are worth nothing either. */
  readonly category?: string | undefined;
  readonly phrase: string;
  readonly namedBy: string;
  /** A guess leaves the name as it is and is kept as what the thing may be. */
  readonly isSure: boolean;
  readonly attributes: Readonly<Record<string, string>>;
  readonly text?: string | undefined;
}

/**
 * The words about one thing. Detectors confuse labels, more so from afar, so no single observation decides: categories,
 * phrases and attributes are votes, weighted by the distance and the score of the observation.
 */
export class Words {
  categories = new Votes();
  readonly attributes = new Map<string, Votes<string | number | boolean>>();
  /** Those of them that identify nothing. */
  readonly asides = new Map<string, Votes<string | number | boolean>>();
  /** The text on it, and its name within its kind (`marksOf`). */
  readonly marks = new Map<string, Votes<string | number | boolean>>();
  /** Possible other labels: the probabilities of all observations. */
  #maybe = new Votes();
  /** For each category the sources that gave it. */
  readonly #namers = new Map<string, Votes<string | number | boolean>>();
  readonly #phrases: Phrase[] = [];
  readonly #categoryVectors = new Map<string, Float32Array>();
  appearance: Float32Array | undefined;

  add(detection: LiftedDetection, weight: number): void {
    const category = categoryOf(detection);
    this.categories.add(category, weight);
    if (detection.namedBy !== undefined) this.addNamer(category, detection.namedBy, weight);
    for (const { category: other, p } of detection.maybe ?? []) this.addMaybe(other, weight * p);
    this.addPhrase(detection.phrase, category, detection.vector, weight);
    if (detection.categoryVector) this.#categoryVectors.set(category, detection.categoryVector);
    for (const [name, value] of Object.entries(detection.attributes)) this.votesOn(name).add(value, weight);
    for (const [question, value] of marksOf(detection, category))
      votesIn(this.marks, question).add(value, weight);
    if (detection.appearance) this.#look(detection.appearance);
  }

  addPhrase(text: string, category: string, vector: Float32Array | null, weight: number): void {
    const known = this.#phrases.find((phrase) => phrase.text === text);
    if (known) known.weight += weight;
    else if (this.#phrases.length < OBSERVE.maxPhrases)
      this.#phrases.push({ text, category, vector, weight });
    else {
      // A new phrase replaces the weakest, whose weight decays while it stays: a correct phrase enters within a few
      // observations.
      const weakest = this.#phrases.reduce((a, b) => (b.weight < a.weight ? b : a));
      if (weight > weakest.weight / 2)
        this.#phrases[this.#phrases.indexOf(weakest)] = { text, category, vector, weight };
      else weakest.weight *= 1 - COMMON.fading;
    }
  }

  /** Adds text on it, also to its name, so that it is found by it. */
  addWriting(text: string, weight: number): void {
    const { name, category } = this;
    votesIn(this.marks, WRITING).add(text, weight);
    this.addPhrase(`${name} that says “${text}”`, category, null, weight);
  }

  setCategoryVector(category: string, vector: Float32Array): void {
    this.#categoryVectors.set(category, vector);
  }

  addNamer(category: string, namedBy: string, weight: number): void {
    votesIn(this.#namers, category).add(namedBy, weight);
  }

  addMaybe(category: string, weight: number): void {
    this.#maybe.add(category, weight);
  }

  /** Replaces the votes for its category. */
  nameBy(votes: Iterable<readonly [category: string, weight: number]>): void {
    this.categories = new Votes();
    for (const [category, weight] of votes) this.categories.add(category, weight);
  }

  /**
   * Adds a label by a model that saw all views together: it counts for more than each observation, and not at all where
   * another source has named the thing.
   */
  nameByAll({ category, by, phrase, maybe, attributes = {} }: PartName): void {
    if (this.namedBy !== undefined && this.namedBy !== by) return;
    const weight = this.categories.total + 1;
    this.categories.add(category, weight);
    if (category !== NAMELESS) this.addNamer(category, by, weight);
    for (const { category: other, p } of maybe) this.addMaybe(other, weight * p);
    this.addPhrase(phrase, category, null, weight);
    for (const [name, value] of Object.entries(attributes)) {
      const votes = this.votesOn(name);
      votes.add(value, votes.total + 1);
    }
  }

  /** Adds what a model said of all views together: it counts for more than all observations, and for all their doubts. */
  tell({ category = NAMELESS, phrase, namedBy, isSure, attributes, text }: Telling): void {
    const weight = this.categories.total + 1;
    if (isSure || category === NAMELESS) {
      this.#maybe = new Votes();
      this.categories.add(category, weight);
      this.addNamer(category, namedBy, weight);
      this.addPhrase(phrase, category, null, weight);
    } else this.addMaybe(category, weight * COMMON.majorityShare);
    for (const [name, value] of Object.entries(attributes)) {
      const votes = this.votesOn(name);
      votes.add(value, votes.total + 1);
    }
    if (text !== undefined) votesIn(this.marks, WRITING).add(text, weight);
  }

  votesOn(attribute: string): Votes<string | number | boolean> {
    return votesIn(isAside(attribute) ? this.asides : this.attributes, attribute);
  }

  absorb(other: Words): void {
    this.categories.absorb(other.categories);
    this.#maybe.absorb(other.#maybe);
    for (const { text, category, vector, weight } of other.#phrases)
      this.addPhrase(text, category, vector, weight);
    for (const [category, vector] of other.#categoryVectors) this.#categoryVectors.set(category, vector);
    for (const [category, votes] of other.#namers) votesIn(this.#namers, category).absorb(votes);
    for (const [name, votes] of [...other.attributes, ...other.asides]) this.votesOn(name).absorb(votes);
    for (const [question, votes] of other.marks) votesIn(this.marks, question).absorb(votes);
  }

  /** A copy of the words so far; later words change only one of the two. */
  copy(): Words {
    const words = new Words();
    words.absorb(this);
    words.appearance = this.appearance && Float32Array.from(this.appearance);
    return words;
  }

  get category(): string {
    return this.categories.best() ?? NAMELESS;
  }

  /** The source of the believed category; undefined where it came with the recording. */
  get namedBy(): string | undefined {
    return this.#namers.get(this.category)?.best()?.toString();
  }

  /** Possible other labels, likeliest first; includes labels given by some observations. */
  get maybe(): Maybe[] {
    const { category, categories } = this;
    return this.#maybe
      .ranked()
      .map(([other, weight]) => ({
        category: other,
        p: Math.min(1, weight / Math.max(1e-9, categories.total)),
      }))
      .filter((one) => one.category !== category && one.p >= COMMON.hardlyShare)
      .slice(0, LIMITS.maybes);
  }

  /** The text on it, by majority of the observations. */
  get inscription(): string | undefined {
    const text = this.marks.get(WRITING)?.best();
    return text === undefined ? undefined : String(text);
  }

  /** The most frequent phrase of the believed category. */
  get name(): string {
    const { category } = this;
    let best: Phrase | undefined;
    for (const phrase of this.#phrases) {
      if (phrase.category === category && phrase.weight > (best?.weight ?? 0)) best = phrase;
    }
    return best?.text ?? category;
  }

  /** Phrases with a good part of the votes, strongest first: the lines that make the thing searchable. */
  phrases(leastShare: number): string[] {
    const total = this.#phrases.reduce((sum, { weight }) => sum + weight, 0);
    return this.#phrases
      .filter(({ weight }) => weight >= leastShare * total)
      .sort((a, b) => b.weight - a.weight)
      .map(({ text }) => text);
  }

  /**
   * The similarity of the phrase closest in meaning, in deviations above the background; undefined when neither has a
   * vector.
   */
  meaningZ(detection: LiftedDetection, background: Background): number | undefined {
    const { vector } = detection;
    let best: number | undefined;
    for (const phrase of this.#phrases) {
      if (phrase.text === detection.phrase) return zOf(1, background);
      if (!vector || !phrase.vector) continue;
      const cosine = dot(vector, phrase.vector);
      if (best === undefined || cosine > best) best = cosine;
    }
    return best === undefined ? undefined : zOf(best, background);
  }

  /** The same between two things: their strongest phrases against each other. */
  meaningZBetween(other: Words, background: Background): number | undefined {
    let best: number | undefined;
    for (const a of this.#phrases) {
      for (const b of other.#phrases) {
        const cosine = a.text === b.text ? 1 : a.vector && b.vector ? dot(a.vector, b.vector) : undefined;
        if (cosine !== undefined && (best === undefined || cosine > best)) best = cosine;
      }
    }
    return best === undefined ? undefined : zOf(best, background);
  }

  /**
   * Whether a detection's category can be this thing's: 1 when most votes say the same, in between for an earlier
   * label, a possible one or one close in meaning, 0 for a kind that is never confused with it.
   */
  kindAgreement(detection: LiftedDetection, background: Background): number {
    const category = categoryOf(detection);
    if (category === this.category) return 1;
    const share = this.categories.shareOf(category);
    if (share >= COMMON.slightShare) return NEARLY_ALL;
    const own = this.#categoryVectors.get(this.category);
    const z = own && detection.categoryVector ? zOf(dot(own, detection.categoryVector), background) : 0;
    const mayBe =
      this.#maybe.shareOf(category) > 0 || detection.maybe?.some((one) => one.category === this.category);
    if (share > 0 || z >= 2 * ASSOCIATE.minZ || mayBe) return COMMON.majorityShare;
    return z >= ASSOCIATE.minZ ? COMMON.partShare : 0;
  }

  /** Whether one of the two is unlabelled and may well have the other's label. */
  maybeAs(other: Words): boolean {
    const mayBe = (a: Words, b: Words) =>
      a.category === NAMELESS &&
      a.maybe.some(({ category, p }) => category === b.category && p >= COMMON.slightShare);
    return mayBe(this, other) || mayBe(other, this);
  }

  /** Whether a detector could take one of the two for the other. */
  isLike(other: Words, background: Background): boolean {
    const [a, b] = [this.category, other.category];
    if (a === b || this.categories.shareOf(b) > 0 || other.categories.shareOf(a) > 0) return true;
    if (this.maybeAs(other)) return true;
    const [va, vb] = [this.#categoryVectors.get(a), other.#categoryVectors.get(b)];
    return va !== undefined && vb !== undefined && zOf(dot(va, vb), background) >= 2 * ASSOCIATE.minZ;
  }

  /**
   * Attributes and text that both things have: on how many they agree, and on how many both are sure and differ.
   * Detectors confuse kinds and keep colour and material; boxes of a store are alike but for their labels.
   */
  attributeBalance(
    other: Words,
    isFluent: (name: string, value: string | number | boolean) => boolean,
  ): { agree: number; conflict: number } {
    let [agree, conflict] = [0, 0];
    for (const [name, votes] of this.attributes) {
      const value = votes.best();
      if (value === undefined || isFluent(name, value)) continue;
      const said = agreement(votes, other.attributes.get(name));
      if (said > 0) agree++;
      else if (said < 0) conflict++;
    }
    const written = this.writingAgreement(other);
    if (written > 0) agree++;
    else if (written < 0) conflict++;
    return { agree, conflict };
  }

  /** The text on both: 1 the same, −1 different, 0 where it was not read on one of them. */
  writingAgreement(other: Words): -1 | 0 | 1 {
    return agreement(this.marks.get(WRITING), other.marks.get(WRITING));
  }

  looksLike(appearance: Float32Array | undefined): number | undefined {
    if (!appearance || !this.appearance || appearance.length !== this.appearance.length) return undefined;
    return dot(appearance, this.appearance);
  }

  /** A running mean that follows the light of the day. */
  #look(appearance: Float32Array): void {
    if (!this.appearance || this.appearance.length !== appearance.length) {
      this.appearance = Float32Array.from(appearance);
      return;
    }
    let square = 0;
    for (let i = 0; i < appearance.length; i++) {
      const mixed = lately(this.appearance[i]!, appearance[i]!);
      this.appearance[i] = mixed;
      square += mixed * mixed;
    }
    const scale = square > 0 ? 1 / Math.sqrt(square) : 0;
    for (let i = 0; i < appearance.length; i++) this.appearance[i]! *= scale;
  }
}

/** Whether two things agree on an answer: one given by a good part of the other's observations does not differ. */
function agreement(
  one: Votes<string | number | boolean> | undefined,
  other: Votes<string | number | boolean> | undefined,
): -1 | 0 | 1 {
  const [a, b] = [one?.best(), other?.best()];
  if (!one || !other || a === undefined || b === undefined) return 0;
  return a === b || one.shareOf(b) > COMMON.minorityShare || other.shareOf(a) > COMMON.minorityShare ? 1 : -1;
}

function votesIn(
  answers: Map<string, Votes<string | number | boolean>>,
  question: string,
): Votes<string | number | boolean> {
  const known = answers.get(question);
  if (known) return known;
  const votes = new Votes<string | number | boolean>();
  answers.set(question, votes);
  return votes;
}

/** Where a detector gives no category, the phrase is used. */
export function categoryOf(detection: LiftedDetection): string {
  return detection.category ?? (detection.phrase.slice(0, LIMITS.nameChars) || "thing");
}

export function dot(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function zOf(cosine: number, { mean, sd }: Background): number {
  return (cosine - mean) / Math.max(sd, 1e-3);
}
