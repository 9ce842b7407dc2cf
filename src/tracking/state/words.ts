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

/** Attributes by which no two things are told apart: how much of a thing has its second colour changes with the side that shows. */
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

/**
 * What has been said about one thing. Detectors confuse labels, more so from afar, so nothing said once is the
 * truth: categories, phrases and attributes are votes, weighted by how near and how sure the look was.
 */
export class Words {
  categories = new Votes();
  readonly attributes = new Map<string, Votes<string | number | boolean>>();
  /** Those of them that identify nothing. */
  readonly asides = new Map<string, Votes<string | number | boolean>>();
  /** What is written on it, and what it is called among its kind (`marksOf`). */
  readonly marks = new Map<string, Votes<string | number | boolean>>();
  /** What else it may be: the probabilities of all looks. */
  readonly #maybe = new Votes();
  /** Of each category who gave it. */
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
      // The weakest makes room, and ages while it stays: a sound phrase comes in within a few looks.
      const weakest = this.#phrases.reduce((a, b) => (b.weight < a.weight ? b : a));
      if (weight > weakest.weight / 2)
        this.#phrases[this.#phrases.indexOf(weakest)] = { text, category, vector, weight };
      else weakest.weight *= 1 - COMMON.fading;
    }
  }

  /** What is written on it, in its name too: by that it is found. */
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

  /** What it is called, said anew. */
  nameBy(votes: Iterable<readonly [category: string, weight: number]>): void {
    this.categories = new Votes();
    for (const [category, weight] of votes) this.categories.add(category, weight);
  }

  /** What one says who has all looks together: that counts for more than each of them, and for nothing where another has named it. */
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

  /** What has been said so far; what is said later changes only one of the two. */
  copy(): Words {
    const words = new Words();
    words.absorb(this);
    words.appearance = this.appearance && Float32Array.from(this.appearance);
    return words;
  }

  get category(): string {
    return this.categories.best() ?? NAMELESS;
  }

  /** Who gave it the category that is believed in; undefined where its recording did. */
  get namedBy(): string | undefined {
    return this.#namers.get(this.category)?.best()?.toString();
  }

  /** What else it may be, likeliest first; what it was called by some looks is among it. */
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

  /** What is written on it, as most looks read it. */
  get inscription(): string | undefined {
    const text = this.marks.get(WRITING)?.best();
    return text === undefined ? undefined : String(text);
  }

  /** The most frequent phrase that goes with the category believed in. */
  get name(): string {
    const { category } = this;
    let best: Phrase | undefined;
    for (const phrase of this.#phrases) {
      if (phrase.category === category && phrase.weight > (best?.weight ?? 0)) best = phrase;
    }
    return best?.text ?? category;
  }

  /** Phrases with a good part of the votes, strongest first: the lines by which the thing is found. */
  phrases(leastShare: number): string[] {
    const total = this.#phrases.reduce((sum, { weight }) => sum + weight, 0);
    return this.#phrases
      .filter(({ weight }) => weight >= leastShare * total)
      .sort((a, b) => b.weight - a.weight)
      .map(({ text }) => text);
  }

  /** Of the phrase closest in meaning, in deviations above the background; undefined when neither has a vector. */
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
   * Whether a detection's category can be this thing's: 1 when most votes say the same, between for a name it was
   * given before, one that it may be or one close in meaning, 0 for a kind that nobody would confuse with it.
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

  /** Whether one of the two has no name and may well be what the other is called. */
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
   * Attributes that two things were both said to have, and what is written on both: on how many they agree, and on how
   * many both are sure and differ. Detectors confuse the kind of a thing and keep its colour and material; boxes of a
   * store are alike but for their labels.
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

  /** What is written on both: 1 the same, −1 something else, 0 where it was not read on one of them. */
  writingAgreement(other: Words): -1 | 0 | 1 {
    return agreement(this.marks.get(WRITING), other.marks.get(WRITING));
  }

  looksLike(appearance: Float32Array | undefined): number | undefined {
    if (!appearance || !this.appearance || appearance.length !== this.appearance.length) return undefined;
    return dot(appearance, this.appearance);
  }

  /** A running mean that keeps up with the light of the day. */
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

/** Whether two were said to be alike in something: an answer that a good part of the other's looks gave is no other. */
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

/** A detector that names no category still says something: the phrase stands in. */
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
