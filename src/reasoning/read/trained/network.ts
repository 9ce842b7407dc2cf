import { type Block, type DecoderBlock, decoderBlock, encoderBlock, type Norm, normOf } from "./blocks.ts";
import { KINDS, MOST_WORDS, type SourceWord } from "./source.ts";
import { type PackedMatrix, rowOf, type Tables } from "./tables.ts";
import { Workspace } from "./workspace.ts";

/** The steps that a decoder has written so far, by position. */
export type Said = readonly number[];

/** The most steps, and the most beams at once. */
export const MOST_STEPS = 96;
export const MOST_WAYS = 3;

/** The most rows processed at a time: those of a question, or of the beams. */
const MOST_ROWS = MOST_WORDS;

/**
 * The trained reader's network: the same computation as training/reader/model.py, on one thread. It reads one question
 * at a time: its state is in its workspace.
 */
export class Network {
  readonly tables: Tables;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #meaningOf: (word: string) => Float32Array | null;
  readonly #space = new Workspace();
  readonly #words: PackedMatrix;
  readonly #kinds: readonly Float32Array[];
  readonly #copied: Float32Array;
  readonly #bias: Float32Array;
  readonly #encoders: readonly Block[];
  readonly #decoders: readonly DecoderBlock[];
  readonly #fixed: {
    readonly meaning: number;
    readonly encoded: Norm;
    readonly decoded: Norm;
    readonly token: number;
    readonly pointQ: number;
    readonly pointK: number;
    readonly turns: number;
    /** 0, 1, 2 …: the rows of a question in order. */
    readonly inOrder: number;
  };
  readonly #at: Readonly<Record<Area, number>>;
  /** The number of words of the question. */
  #count = 0;

  constructor(tables: Tables, meaningOf: (word: string) => Float32Array | null) {
    const space = this.#space;
    const matrix = (name: string) => space.keepMatrix(tables.matrix(`${name}.weight`));
    this.tables = tables;
    this.#meaningOf = meaningOf;
    this.#numbers = new Map(tables.words.map((word, n) => [word, n]));
    this.#words = tables.matrix("word.weight");
    const kinds = tables.matrix("kinds.weight");
    this.#kinds = Array.from({ length: kinds.rows }, (_, row) => rowOf(kinds, row));
    this.#copied = tables.numbers("copied");
    this.#bias = tables.numbers("bias");
    const said = MOST_STEPS * MOST_WAYS;
    this.#encoders = Array.from({ length: tables.encoders }, (_, n) =>
      encoderBlock(`encoder.${n}`, tables, space),
    );
    this.#decoders = Array.from({ length: tables.decoders }, (_, n) =>
      decoderBlock(`decoder.${n}`, tables, space, { words: MOST_WORDS, said }),
    );
    this.#fixed = {
      meaning: matrix("meaning"),
      encoded: normOf("encoded", tables, space),
      decoded: normOf("decoded", tables, space),
      token: matrix("token"),
      pointQ: matrix("point_q"),
      pointK: matrix("point_k"),
      turns: keepTurns(space, tables.width / tables.heads),
      inOrder: space.take(4 * said),
    };
    space.integers(this.#fixed.inOrder, said).set(Array.from({ length: said }, (_, n) => n));
    this.#at = areasOf(tables, space);
  }

  /** Encodes a question: later steps refer to it. */
  begin(source: readonly SourceWord[]): void {
    const { kernels } = this.#space;
    const { width } = this.tables;
    const { x, y, q, k, v, own, embedded, memory, points, fits } = this.#at;
    const { turns, inOrder, encoded, pointK } = this.#fixed;
    const n = source.length;
    const size = width / this.tables.heads;
    this.#count = n;
    this.#embed(source);
    this.#floats(x, n).set(this.#floats(embedded, n));
    for (const block of this.#encoders) {
      this.#normalise(x, n, block.n1, y);
      this.#square(y, n, block.self.q, q);
      this.#square(y, n, block.self.k, k);
      this.#square(y, n, block.self.v, v);
      kernels.rotate(q, n, width, size, turns, 1);
      kernels.rotate(k, n, width, size, turns, 1);
      kernels.attend(q, n, k, v, inOrder, n, width, size, fits, own);
      this.#square(own, n, block.self.o, y);
      kernels.add(x, y, n * width);
      this.#forward(x, n, block);
    }
    this.#normalise(x, n, encoded, memory);
    for (const { cross, seen } of this.#decoders) {
      this.#square(memory, n, cross.k, seen.keys);
      this.#square(memory, n, cross.v, seen.values);
    }
    this.#square(memory, n, pointK, points);
  }

  /**
   * Adds one step to several beams of equal length: log-probabilities of the next step, the tokens first, then the
   * words of the question. Together they cost little more than one, since the matrices are read once.
   */
  step(
    ways: readonly { readonly said: Said; readonly last: number }[],
  ): { readonly said: Said; readonly next: Float32Array }[] {
    const { kernels } = this.#space;
    const { width, heads } = this.tables;
    const { x, y, q, own, fits, lists } = this.#at;
    const { turns, inOrder } = this.#fixed;
    const n = ways.length;
    const size = width / heads;
    const steps = ways[0]!.said.length;
    const row = 4 * width;
    const turn = turns + steps * size * 8;
    const first = steps * MOST_WAYS;
    const said = ways.map((way, at) => [...way.said, first + at]);
    for (const [way, list] of said.entries())
      this.#space.integers(lists + way * MOST_STEPS * 4, list.length).set(list);
    for (const [way, { last }] of ways.entries()) this.#floats(x + way * row, 1).set(this.#saidAs(last));
    for (const block of this.#decoders) {
      const [keys, values] = [block.said.keys + first * row, block.said.values + first * row];
      this.#normalise(x, n, block.n1, y);
      this.#square(y, n, block.self.q, q);
      this.#square(y, n, block.self.k, keys);
      this.#square(y, n, block.self.v, values);
      kernels.rotate(q, n, width, size, turn, 0);
      kernels.rotate(keys, n, width, size, turn, 0);
      for (let way = 0; way < n; way++) {
        const list = lists + way * MOST_STEPS * 4;
        const { said: past } = block;
        const [from, to] = [q + way * row, own + way * row];
        kernels.attend(from, 1, past.keys, past.values, list, steps + 1, width, size, fits, to);
      }
      this.#square(own, n, block.self.o, y);
      kernels.add(x, y, n * width);
      this.#normalise(x, n, block.n2, y);
      this.#square(y, n, block.cross.q, q);
      const { keys: seen, values: told } = block.seen;
      kernels.attend(q, n, seen, told, inOrder, this.#count, width, size, fits, own);
      this.#square(own, n, block.cross.o, y);
      kernels.add(x, y, n * width);
      this.#forward(x, n, block);
    }
    return said.map((one, way) => ({ said: one, next: this.#choices(n, way) }));
  }

  /** The choices of one beam; the first call computes them for all. */
  #choices(n: number, way: number): Float32Array {
    const { kernels } = this.#space;
    const { width, tokens } = this.tables;
    const { x, y, q, points, fits, written } = this.#at;
    const { decoded, token, pointQ, inOrder } = this.#fixed;
    if (way === 0) {
      this.#normalise(x, n, decoded, y);
      kernels.times(y, n, token, tokens.length, width, written);
      this.#square(y, n, pointQ, q);
    }
    kernels.dots(q + way * width * 4, points, inOrder, this.#count, width, width * 4, fits);
    const scores = new Float32Array(tokens.length + this.#count);
    scores.set(this.#space.floats(written + way * tokens.length * 4, tokens.length));
    for (let i = 0; i < tokens.length; i++) scores[i]! += this.#bias[i]!;
    const pointed = this.#space.doubles(fits, this.#count);
    for (let i = 0; i < this.#count; i++) scores[tokens.length + i] = pointed[i]! / Math.sqrt(width);
    return logShares(scores);
  }

  /** The embedding of the last step: a token, or a copied word. */
  #saidAs(last: number): Float32Array {
    const { width, tokens } = this.tables;
    if (last < tokens.length) return this.#floats(this.#fixed.token + last * width * 4, 1);
    const place = last - tokens.length;
    const word = this.#floats(this.#at.embedded + place * width * 4, 1);
    return word.map((value, i) => value + this.#copied[i]!);
  }

  #embed(source: readonly SourceWord[]): void {
    const { width, meaning } = this.tables;
    const { embedded, up: meanings, y } = this.#at;
    const meant = this.#space.floats(meanings, source.length * meaning).fill(0);
    const x = this.#floats(embedded, source.length);
    for (const [n, { word, kinds }] of source.entries()) {
      x.set(rowOf(this.#words, this.#numbers.get(word) ?? 0), n * width);
      meant.set(this.#meaningOf(word) ?? [], n * meaning);
      for (let bit = 0; bit < KINDS; bit++)
        if ((kinds >> bit) & 1) for (let i = 0; i < width; i++) x[n * width + i]! += this.#kinds[i]![bit]!;
    }
    this.#space.kernels.times(meanings, source.length, this.#fixed.meaning, width, meaning, y);
    this.#space.kernels.add(embedded, y, source.length * width);
  }

  #forward(x: number, n: number, { n3, up, upBias, down, downBias }: Block): void {
    const { kernels } = this.#space;
    const { width, hidden } = this.tables;
    const { y, up: wide } = this.#at;
    this.#normalise(x, n, n3, y);
    kernels.times(y, n, up, hidden, width, wide);
    kernels.addRow(wide, n, upBias, hidden, 0);
    kernels.times(wide, n, down, width, hidden, y);
    kernels.addRow(y, n, downBias, width, Number.NEGATIVE_INFINITY);
    kernels.add(x, y, n * width);
  }

  #normalise(x: number, n: number, { weight, bias }: Norm, y: number): void {
    this.#space.kernels.normalise(x, n, this.tables.width, weight, bias, y);
  }

  /** Rows times a square matrix. */
  #square(x: number, n: number, w: number, y: number): void {
    const { width } = this.tables;
    this.#space.kernels.times(x, n, w, width, width, y);
  }

  #floats(at: number, rows: number): Float32Array {
    return this.#space.floats(at, rows * this.tables.width);
  }
}

type Area = ReturnType<typeof areasOf> extends Readonly<Record<infer K, number>> ? K : never;

/** Buffers for rows in progress. */
function areasOf({ width, hidden, tokens }: Tables, space: Workspace) {
  const rows = (columns: number) => space.take(MOST_ROWS * columns * 4);
  return {
    x: rows(width),
    y: rows(width),
    q: rows(width),
    k: rows(width),
    v: rows(width),
    own: rows(width),
    /** Between the two matrices of a block; before that, the meaning of each word. */
    up: rows(hidden),
    embedded: rows(width),
    memory: rows(width),
    points: rows(width),
    written: space.take(MOST_WAYS * tokens.length * 4),
    fits: space.take(Math.max(MOST_STEPS, MOST_WORDS) * 8),
    lists: space.take(MOST_WAYS * MOST_STEPS * 4),
  };
}

/** Cosine and sine of every rotation at every position. */
function keepTurns(space: Workspace, size: number): number {
  const half = size / 2;
  const at = space.take(MOST_STEPS * size * 8);
  const turns = space.doubles(at, MOST_STEPS * size);
  for (let place = 0; place < MOST_STEPS; place++)
    for (let i = 0; i < half; i++) {
      const angle = place * 10000 ** (-i / half);
      turns[place * size + 2 * i] = Math.cos(angle);
      turns[place * size + 2 * i + 1] = Math.sin(angle);
    }
  return at;
}

/** Scores as log-probabilities. */
function logShares(scores: Float32Array): Float32Array {
  let most = -Infinity;
  for (let n = 0; n < scores.length; n++) if (scores[n]! > most) most = scores[n]!;
  let sum = 0;
  for (let n = 0; n < scores.length; n++) sum += Math.exp(scores[n]! - most);
  const total = Math.log(sum) + most;
  for (let n = 0; n < scores.length; n++) scores[n]! -= total;
  return scores;
}
