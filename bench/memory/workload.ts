import { Random } from "../../src/geometry/index.ts";
import { wordsOf } from "../../src/memory/lexical.ts";

/** The fourteen questions, in the order of the report. `hybrid-AxB`: A % of space, B % of time. */
export const QUERY_KINDS = [
  "semantic",
  "radius-5",
  "radius-50",
  "nearest",
  "window-1h",
  "hybrid-0.01x1",
  "hybrid-0.01x50",
  "hybrid-1x1",
  "hybrid-1x50",
  "hybrid-30x1",
  "hybrid-30x50",
  "text",
  "hybrid-text",
  "associate",
] as const;
export type QueryKind = (typeof QUERY_KINDS)[number];

export interface BenchRow {
  readonly index: number;
  readonly id: string;
  readonly x: number;
  readonly y: number;
  readonly z: number;
  readonly fromUs: number;
  /** null: still so. */
  readonly toUs: number | null;
  readonly vector: Float32Array;
  readonly text: string;
}

/** One question; which fields are there depends on its kind. `limit` is how many rows may come back. */
export interface QueryArgs {
  readonly vector?: Float32Array;
  readonly words?: readonly string[];
  readonly point?: readonly [number, number, number];
  readonly radiusM?: number;
  readonly minCosine?: number;
  readonly box?: {
    readonly min: readonly [number, number, number];
    readonly max: readonly [number, number, number];
  };
  readonly window?: { readonly fromUs: number; readonly toUs: number };
  readonly limit: number;
}

export interface WorkloadOptions {
  readonly n: number;
  readonly dim: number;
  readonly seed: number;
  /** How many times the ground, the clusters on it and the time are those of the usual world; questions stay as large. */
  readonly spread?: number;
}

export const WORLD_M = { x: 2_000, y: 2_000, z: 20 } as const;
export const START_US = 1_767_225_600_000_000;
export const SPAN_US = 30 * 86_400_000_000;
export const FUSED_POOL = 100;
export const FUSED_CONSTANT = 60;
/** A radius may find thousands; nobody reads more than this, so the nearest of them are asked for. */
export const RADIUS_LIMIT = 1_000;

const HOUR_US = 3_600_000_000;
const CONCEPTS = 2_000;
const CLUSTERS = 400;
const VOCABULARY = 20_000;
const COMMON_WORDS = 200;
const TOPIC_WORDS = 12;
const SIGHTINGS_PER_OBJECT = 5;

/**
 * The whole data set as a function of its seed: any row and any question can be made anywhere, so every child
 * process makes its own and nothing large travels between them. Rows are sightings of objects: an object has
 * a concept, a place and a vector near its concept's; a sighting adds a little noise to both, a line of about
 * twelve words (a third of them its concept's own) and an interval. Rows come in the order of time, as a robot
 * writes them.
 */
export class Workload {
  readonly n: number;
  readonly dim: number;
  readonly #seed: number;
  readonly #objects: number;
  readonly #concepts: Float32Array;
  readonly #clusters: { x: number; y: number; z: number; spreadM: number }[];
  readonly #vocabulary: string[];
  readonly #cumulative: Float64Array;
  readonly #topics: Int32Array;
  readonly #worldM: { readonly x: number; readonly y: number; readonly z: number };
  readonly #spanUs: number;

  constructor({ n, dim, seed, spread = 1 }: WorkloadOptions) {
    const side = Math.sqrt(spread);
    this.#worldM = { x: WORLD_M.x * side, y: WORLD_M.y * side, z: WORLD_M.z };
    this.#spanUs = Math.round(SPAN_US * spread);
    this.n = n;
    this.dim = dim;
    this.#seed = seed;
    this.#objects = Math.max(1, Math.ceil(n / SIGHTINGS_PER_OBJECT));
    const root = new Random(seed);
    this.#concepts = makeConcepts(root.fork("concepts"), dim);
    const place = root.fork("clusters");
    this.#clusters = Array.from({ length: Math.max(1, Math.round(CLUSTERS * spread)) }, () => ({
      x: place.range(0, this.#worldM.x),
      y: place.range(0, this.#worldM.y),
      z: 1 + 4 * place.int(0, 5),
      spreadM: place.range(4, 40),
    }));
    this.#vocabulary = makeVocabulary(root.fork("vocabulary"));
    this.#cumulative = zipf(VOCABULARY);
    const topic = root.fork("topics");
    this.#topics = Int32Array.from({ length: CONCEPTS * TOPIC_WORDS }, () =>
      topic.int(COMMON_WORDS, VOCABULARY),
    );
  }

  /** Any row, also past `n`: those are what is written after the bulk load. */
  row(index: number): BenchRow {
    const object = index % this.#objects;
    const objectRandom = new Random(`${this.#seed}/object/${object}`);
    const concept = objectRandom.int(0, CONCEPTS);
    const at = this.#place(objectRandom);
    const vector = this.#concepts.slice(concept * this.dim, (concept + 1) * this.dim);
    jitter(vector, objectRandom, 0.6);
    const random = new Random(`${this.#seed}/row/${index}`);
    jitter(vector, random, 0.4);
    // Rows past the load go on where it ended, ten a second.
    const passedUs =
      index < this.n ? (index / this.n) * this.#spanUs : this.#spanUs + (index - this.n) * 100_000;
    const fromUs = START_US + Math.floor(passedUs + random.next() * 2 * HOUR_US);
    return {
      index,
      id: idOf(index),
      x: at.x + random.normal(0, 0.15),
      y: at.y + random.normal(0, 0.15),
      z: at.z + random.normal(0, 0.05),
      fromUs,
      toUs: endOf(random, fromUs),
      vector,
      text: this.#line(random, concept),
    };
  }

  rows(from: number, to: number): BenchRow[] {
    return Array.from({ length: to - from }, (_, i) => this.row(from + i));
  }

  /** The q-th question of a kind. Places and meanings are those of rows, seen again with noise. */
  query(kind: QueryKind, q: number): QueryArgs {
    const random = new Random(`${this.#seed}/query/${kind}/${q}`);
    const index = random.int(0, this.n);
    const row = this.row(index);
    const vector = row.vector;
    const near = (m: number): [number, number, number] => [
      row.x + random.normal(0, m),
      row.y + random.normal(0, m),
      row.z + random.normal(0, m / 10),
    ];
    switch (kind) {
      case "semantic":
        jitter(vector, random, 0.5);
        return { vector, limit: 10 };
      case "radius-5":
        return { point: near(1), radiusM: 5, limit: RADIUS_LIMIT };
      case "radius-50":
        return { point: near(10), radiusM: 50, limit: RADIUS_LIMIT };
      case "nearest":
        return { point: near(5), limit: 10 };
      case "window-1h":
        return { window: this.#window(random, HOUR_US), limit: 10 };
      case "text":
        return { words: this.#words(random, index), limit: 10 };
      case "hybrid-text":
        jitter(vector, random, 0.5);
        return {
          vector,
          words: this.#words(random, index),
          box: this.#box(near(20), 0.01),
          window: this.#window(random, SPAN_US * 0.5),
          limit: 10,
        };
      case "associate":
        jitter(vector, random, 0.35);
        return { vector, point: near(0.1), radiusM: 0.5, minCosine: 0.8, limit: RADIUS_LIMIT };
      default: {
        const [space, time] = kind.slice("hybrid-".length).split("x").map(Number);
        jitter(vector, random, 0.5);
        return {
          vector,
          box: this.#box(near(5), space! / 100),
          window: this.#window(random, (SPAN_US * time!) / 100),
          limit: 10,
        };
      }
    }
  }

  #place(random: Random): { x: number; y: number; z: number } {
    const world = this.#worldM;
    if (random.chance(0.15)) {
      return { x: random.range(0, world.x), y: random.range(0, world.y), z: random.range(0, world.z) };
    }
    const { x, y, z, spreadM } = this.#clusters[random.int(0, this.#clusters.length)]!;
    return {
      x: clamp(x + random.normal(0, spreadM), world.x),
      y: clamp(y + random.normal(0, spreadM), world.y),
      z: clamp(z + random.normal(0, 0.7), world.z),
    };
  }

  #window(random: Random, wantedUs: number) {
    const lengthUs = Math.min(wantedUs, this.#spanUs);
    const fromUs = START_US + Math.floor(random.next() * (this.#spanUs - lengthUs));
    return { fromUs, toUs: fromUs + Math.floor(lengthUs) };
  }

  /** A square of this share of the usual ground, moved inside the world, over the full height. */
  #box(centre: readonly number[], share: number): NonNullable<QueryArgs["box"]> {
    const world = this.#worldM;
    const side = {
      x: Math.min(world.x, WORLD_M.x * Math.sqrt(share)),
      y: Math.min(world.y, WORLD_M.y * Math.sqrt(share)),
    };
    const x = Math.min(Math.max(centre[0]! - side.x / 2, 0), world.x - side.x);
    const y = Math.min(Math.max(centre[1]! - side.y / 2, 0), world.y - side.y);
    return { min: [x, y, -10], max: [x + side.x, y + side.y, world.z + 10] };
  }

  #line(random: Random, concept: number): string {
    const words: string[] = [];
    for (let i = random.int(8, 17); i > 0; i--) {
      const topical = i % 3 === 0;
      const word = topical
        ? this.#topics[concept * TOPIC_WORDS + random.int(0, TOPIC_WORDS)]!
        : drawFrom(this.#cumulative, random);
      words.push(this.#vocabulary[word]!);
    }
    return words.join(" ");
  }

  /** Three different words: two of the row's concept, one as common as words are, but never a stop word. */
  #words(random: Random, index: number): string[] {
    const concept = new Random(`${this.#seed}/object/${index % this.#objects}`).int(0, CONCEPTS);
    const found = new Set<number>();
    while (found.size < 2) found.add(this.#topics[concept * TOPIC_WORDS + random.int(0, TOPIC_WORDS)]!);
    while (found.size < 3) found.add(Math.max(COMMON_WORDS, drawFrom(this.#cumulative, random)));
    return Array.from(found, (word) => this.#vocabulary[word]!);
  }
}

export function idOf(index: number): string {
  return `r${String(index).padStart(7, "0")}`;
}

export function indexOf(id: string): number {
  return Number(id.slice(1));
}

/** Unit vectors with a common part, since real encoders never make unrelated texts quite orthogonal. */
function makeConcepts(random: Random, dim: number): Float32Array {
  const common = Float64Array.from({ length: dim }, () => random.normal());
  const concepts = new Float32Array(CONCEPTS * dim);
  for (let c = 0; c < CONCEPTS; c++) {
    const one = concepts.subarray(c * dim, (c + 1) * dim);
    for (let i = 0; i < dim; i++) one[i] = random.normal() + 0.35 * common[i]!;
    normalise(one);
  }
  return concepts;
}

/** Adds noise of about this length to a unit vector and makes it one again; one draw gives two numbers. */
function jitter(vector: Float32Array, random: Random, length: number): void {
  // Uniform noise in (-a, a) has variance a²/3 a number.
  const a = length * Math.sqrt(3 / vector.length);
  for (let i = 0; i < vector.length; i += 2) {
    const drawn = random.next() * 0x4000000;
    const whole = Math.floor(drawn);
    vector[i]! += a * (whole / 0x2000000 - 1);
    if (i + 1 < vector.length) vector[i + 1]! += a * ((drawn - whole) * 2 - 1);
  }
  normalise(vector);
}

function normalise(vector: Float32Array): void {
  let sum = 0;
  for (let i = 0; i < vector.length; i++) sum += vector[i]! * vector[i]!;
  const scale = 1 / Math.sqrt(sum);
  for (let i = 0; i < vector.length; i++) vector[i]! *= scale;
}

/** Invented words that no stemmer touches and no stop list holds, so that every engine sees the same words. */
function makeVocabulary(random: Random): string[] {
  const words = new Set<string>();
  const onsets = [..."bdfgklmnprtvz"];
  const vowels = [..."aou"];
  while (words.size < VOCABULARY) {
    let word = "";
    for (let i = random.int(3, 5); i > 0; i--) word += random.pick(onsets) + random.pick(vowels);
    if (wordsOf(word)[0] === word) words.add(word);
  }
  return [...words];
}

function zipf(size: number): Float64Array {
  const cumulative = new Float64Array(size);
  let sum = 0;
  for (let i = 0; i < size; i++) {
    sum += 1 / (i + 1);
    cumulative[i] = sum;
  }
  return cumulative.map((value) => value / sum);
}

function drawFrom(cumulative: Float64Array, random: Random): number {
  const u = random.next();
  let [low, high] = [0, cumulative.length - 1];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (cumulative[middle]! > u) high = middle;
    else low = middle + 1;
  }
  return low;
}

/** Half of all last seconds, a third minutes, the rest hours and days; one in a hundred is still so. */
function endOf(random: Random, fromUs: number): number | null {
  const u = random.next();
  const between = (a: number, b: number) => fromUs + 1 + Math.floor(random.range(a, b) * 1_000_000);
  if (u < 0.5) return between(0.1, 60);
  if (u < 0.8) return between(60, 1_800);
  if (u < 0.95) return between(1_800, 43_200);
  return u < 0.99 ? between(43_200, 20 * 86_400) : null;
}

function clamp(value: number, max: number): number {
  return Math.min(Math.max(value, 0), max);
}
