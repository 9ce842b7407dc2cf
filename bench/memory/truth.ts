import { bestTruth, type Truth } from "./judge.ts";
import {
  FUSED_CONSTANT,
  FUSED_POOL,
  QUERY_KINDS,
  type QueryArgs,
  type QueryKind,
  type Workload,
} from "./workload.ts";

/** Rounding of float32 engines against exact double precision. */
const COSINE_TOLERANCE = 1e-6;
const METRE_TOLERANCE = 1e-6;
const BM25 = { k1: 1.2, b: 0.75 };

export type Truths = Record<QueryKind, Truth[]>;

/**
 * Answers every question by looking at every row in double precision. It knows nothing of any engine: distance,
 * overlap, cosine, BM25 and fusion are written out here once more.
 */
export function bruteForce(
  workload: Workload,
  queriesPerKind: number,
  onProgress: (said: string) => void,
): Truths {
  const asked = QUERY_KINDS.map((kind) =>
    Array.from({ length: queriesPerKind }, (_, q) => workload.query(kind, q)),
  );
  onProgress("brute force: making rows");
  const table = new Table(workload, new Set(asked.flat().flatMap((args) => args.words ?? [])));
  const truths = {} as Truths;
  QUERY_KINDS.forEach((kind, k) => {
    onProgress(`brute force: ${kind}`);
    truths[kind] = asked[k]!.map((args) => table.answer(args));
  });
  return truths;
}

class Table {
  readonly #n: number;
  readonly #dim: number;
  readonly #vectors: Float32Array;
  readonly #place: Float64Array;
  readonly #from: Float64Array;
  readonly #to: Float64Array;
  readonly #lengths: Uint16Array;
  readonly #meanLength: number;
  readonly #postings = new Map<string, Map<number, number>>();
  readonly #indices: Float64Array;
  readonly #scores: Float64Array;

  constructor(workload: Workload, words: ReadonlySet<string>) {
    const { n, dim } = workload;
    this.#n = n;
    this.#dim = dim;
    this.#vectors = new Float32Array(n * dim);
    this.#place = new Float64Array(n * 3);
    this.#from = new Float64Array(n);
    this.#to = new Float64Array(n);
    this.#lengths = new Uint16Array(n);
    this.#indices = new Float64Array(n);
    this.#scores = new Float64Array(n);
    for (const word of words) this.#postings.set(word, new Map());
    let total = 0;
    for (let i = 0; i < n; i++) {
      const row = workload.row(i);
      this.#vectors.set(row.vector, i * dim);
      this.#place.set([row.x, row.y, row.z], i * 3);
      this.#from[i] = row.fromUs;
      this.#to[i] = row.toUs ?? Number.POSITIVE_INFINITY;
      const line = row.text.split(" ");
      this.#lengths[i] = line.length;
      total += line.length;
      for (const word of line) {
        const posting = this.#postings.get(word);
        posting?.set(i, (posting.get(i) ?? 0) + 1);
      }
    }
    this.#meanLength = total / n;
  }

  answer(args: QueryArgs): Truth {
    if (args.words) return this.#withWords(args);
    if (args.minCosine !== undefined) return this.#association(args);
    let count = 0;
    for (let i = 0; i < this.#n; i++) {
      if (!this.#passes(i, args)) continue;
      const distance = args.point ? this.#distance(i, args.point) : 0;
      if (args.radiusM !== undefined && distance > args.radiusM) continue;
      this.#indices[count] = i;
      this.#scores[count] = args.vector
        ? this.#cosine(i, args.vector)
        : args.point
          ? -distance
          : this.#from[i]!;
      count++;
    }
    const tolerance = args.vector ? COSINE_TOLERANCE : args.point ? METRE_TOLERANCE : 0;
    return bestTruth(this.#indices, this.#scores, count, args.limit, tolerance);
  }

  #association(args: QueryArgs): Truth {
    const sure: number[] = [];
    const may: number[] = [];
    for (let i = 0; i < this.#n; i++) {
      const distance = this.#distance(i, args.point!);
      if (distance > args.radiusM! + METRE_TOLERANCE) continue;
      const cosine = this.#cosine(i, args.vector!);
      if (cosine < args.minCosine! - COSINE_TOLERANCE) continue;
      const edge = distance > args.radiusM! - METRE_TOLERANCE || cosine < args.minCosine! + COSINE_TOLERANCE;
      (edge ? may : sure).push(i);
    }
    return { need: sure.length, sure, may };
  }

  #withWords(args: QueryArgs): Truth {
    const words = this.#bm25(args.words!, args);
    if (!args.vector) {
      return bestTruth(
        [...words.keys()],
        Float64Array.from(words.values()),
        words.size,
        args.limit,
        COSINE_TOLERANCE,
      );
    }
    const meaning = new Map<number, number>();
    for (let i = 0; i < this.#n; i++) if (this.#passes(i, args)) meaning.set(i, this.#cosine(i, args.vector));
    const fused = new Map<number, number>();
    for (const scores of [words, meaning]) {
      const best = [...scores].sort((a, b) => b[1] - a[1] || a[0] - b[0]).slice(0, FUSED_POOL);
      best.forEach(([index], rank) => {
        fused.set(index, (fused.get(index) ?? 0) + 1 / (FUSED_CONSTANT + rank + 1));
      });
    }
    return bestTruth([...fused.keys()], Float64Array.from(fused.values()), fused.size, args.limit, 1e-12);
  }

  /** Statistics over all rows, scores of those that pass the other keys. */
  #bm25(words: readonly string[], args: QueryArgs): Map<number, number> {
    const scores = new Map<number, number>();
    for (const word of words) {
      const posting = this.#postings.get(word)!;
      const idf = Math.log(1 + (this.#n - posting.size + 0.5) / (posting.size + 0.5));
      for (const [i, tf] of posting) {
        if (!this.#passes(i, args)) continue;
        const norm = BM25.k1 * (1 - BM25.b + (BM25.b * this.#lengths[i]!) / this.#meanLength);
        scores.set(i, (scores.get(i) ?? 0) + (idf * tf * (BM25.k1 + 1)) / (tf + norm));
      }
    }
    return scores;
  }

  #passes(i: number, { box, window }: QueryArgs): boolean {
    if (window && !(this.#from[i]! < window.toUs && this.#to[i]! > window.fromUs)) return false;
    if (!box) return true;
    for (let axis = 0; axis < 3; axis++) {
      const value = this.#place[i * 3 + axis]!;
      if (value < box.min[axis]! || value > box.max[axis]!) return false;
    }
    return true;
  }

  #distance(i: number, point: readonly number[]): number {
    const dx = this.#place[i * 3]! - point[0]!;
    const dy = this.#place[i * 3 + 1]! - point[1]!;
    const dz = this.#place[i * 3 + 2]! - point[2]!;
    return Math.sqrt(dx * dx + dy * dy + dz * dz);
  }

  /** Four sums, so that the additions need not wait for each other. */
  #cosine(i: number, query: Float32Array): number {
    const vectors = this.#vectors;
    const start = i * this.#dim;
    const whole = this.#dim & ~3;
    let [a, b, c, d] = [0, 0, 0, 0];
    for (let k = 0; k < whole; k += 4) {
      a += vectors[start + k]! * query[k]!;
      b += vectors[start + k + 1]! * query[k + 1]!;
      c += vectors[start + k + 2]! * query[k + 2]!;
      d += vectors[start + k + 3]! * query[k + 3]!;
    }
    for (let k = whole; k < this.#dim; k++) a += vectors[start + k]! * query[k]!;
    return a + b + c + d;
  }
}
