import { add, addRow, attended, normalised, positive, rotate } from "./matrix.ts";
import { Multiplier } from "./multiplier.ts";
import { KINDS, type SourceWord } from "./source.ts";
import type { Tables } from "./tables.ts";

/** A question, read by the network: what a decoder looks at. */
export interface Encoded {
  readonly words: number;
  readonly embedded: Float32Array;
  /** Keys and values of the question for each layer of the decoder. */
  readonly keys: readonly Float32Array[];
  readonly values: readonly Float32Array[];
  /** What pointing at each word is measured against. */
  readonly points: Float32Array;
}

/** What a decoder has said so far: keys and values of every step, layer by layer. */
export interface Said {
  readonly steps: number;
  readonly keys: readonly Float32Array[];
  readonly values: readonly Float32Array[];
}

/** No more is ever written. */
export const MOST_STEPS = 96;

/** The trained reader's network: the same numbers as training/reader/model.py, carried out on one thread. */
export class Network {
  readonly tables: Tables;
  readonly #numbers: ReadonlyMap<string, number>;
  readonly #meaningOf: (word: string) => Float32Array | null;
  readonly #multiplier = new Multiplier();

  constructor(tables: Tables, meaningOf: (word: string) => Float32Array | null) {
    this.tables = tables;
    this.#meaningOf = meaningOf;
    this.#numbers = new Map(tables.words.map((word, n) => [word, n]));
  }

  encode(source: readonly SourceWord[]): Encoded {
    const { width, heads, encoders, decoders } = this.tables;
    const embedded = this.#embed(source);
    const count = source.length;
    let x: Float32Array = embedded.slice();
    for (let n = 0; n < encoders; n++) {
      const layer = `encoder.${n}`;
      const y = this.#norm(x, `${layer}.n1`);
      const q = rotate(this.#times(y, `${layer}.self.q`), width, heads, (row) => row);
      const k = rotate(this.#times(y, `${layer}.self.k`), width, heads, (row) => row);
      const v = this.#times(y, `${layer}.self.v`);
      x = add(x, this.#times(attended(q, k, v, { width, heads, count }), `${layer}.self.o`));
      x = this.#forward(x, layer);
    }
    const memory = this.#norm(x, "encoded");
    const layers = Array.from({ length: decoders }, (_, n) => `decoder.${n}.cross`);
    return {
      words: count,
      embedded,
      keys: layers.map((layer) => this.#times(memory, `${layer}.k`)),
      values: layers.map((layer) => this.#times(memory, `${layer}.v`)),
      points: this.#times(memory, "point_k"),
    };
  }

  /** Nothing said yet. */
  begin(): Said {
    const none = () => Array.from({ length: this.tables.decoders }, () => new Float32Array(0));
    return { steps: 0, keys: none(), values: none() };
  }

  /**
   * Says one more on each of several ways, all of them as long: log-probabilities of what may follow, the tokens first,
   * then the words of the question. Together they cost little more than one, since the matrices are gone through once.
   */
  step(
    question: Encoded,
    ways: readonly { readonly said: Said; readonly last: number }[],
  ): { readonly said: Said; readonly next: Float32Array }[] {
    const { width, heads, decoders } = this.tables;
    const steps = ways[0]!.said.steps;
    const now = ways.map(({ said }) => ({
      steps: steps + 1,
      keys: said.keys.map((one) => longer(one, width)),
      values: said.values.map((one) => longer(one, width)),
    }));
    let x: Float32Array = new Float32Array(ways.length * width);
    for (const [n, { last }] of ways.entries()) x.set(this.#saidAs(question, last), n * width);
    for (let n = 0; n < decoders; n++) {
      const layer = `decoder.${n}`;
      const y = this.#norm(x, `${layer}.n1`);
      const q = rotate(this.#times(y, `${layer}.self.q`), width, heads, () => steps);
      const k = rotate(this.#times(y, `${layer}.self.k`), width, heads, () => steps);
      const v = this.#times(y, `${layer}.self.v`);
      const own = new Float32Array(x.length);
      for (const [way, { keys, values }] of now.entries()) {
        const [from, to] = [way * width, (way + 1) * width];
        keys[n]!.set(k.subarray(from, to), steps * width);
        values[n]!.set(v.subarray(from, to), steps * width);
        own.set(
          attended(q.subarray(from, to), keys[n]!, values[n]!, { width, heads, count: steps + 1 }),
          from,
        );
      }
      x = add(x, this.#times(own, `${layer}.self.o`));
      const asked = this.#times(this.#norm(x, `${layer}.n2`), `${layer}.cross.q`);
      const seen = attended(asked, question.keys[n]!, question.values[n]!, {
        width,
        heads,
        count: question.words,
      });
      x = add(x, this.#times(seen, `${layer}.cross.o`));
      x = this.#forward(x, layer);
    }
    const next = this.#choices(question, this.#norm(x, "decoded"));
    return now.map((said, way) => ({ said, next: next[way]! }));
  }

  #choices(question: Encoded, x: Float32Array): Float32Array[] {
    const { width } = this.tables;
    const write = addRow(this.#times(x, "token"), this.tables.table("bias"));
    const query = this.#times(x, "point_q");
    const ways = x.length / width;
    const tokens = write.length / ways;
    return Array.from({ length: ways }, (_, way) => {
      const scores = new Float32Array(tokens + question.words);
      scores.set(write.subarray(way * tokens, (way + 1) * tokens));
      for (let n = 0; n < question.words; n++) {
        let sum = 0;
        for (let i = 0; i < width; i++) sum += query[way * width + i]! * question.points[n * width + i]!;
        scores[tokens + n] = sum / Math.sqrt(width);
      }
      return logShares(scores);
    });
  }

  /** What the last step looks like to the next: a token, or a word that was copied. */
  #saidAs({ embedded }: Encoded, last: number): Float32Array {
    const { width, tokens } = this.tables;
    if (last < tokens.length)
      return this.tables.table("token.weight").slice(last * width, (last + 1) * width);
    const place = last - tokens.length;
    return add(embedded.slice(place * width, (place + 1) * width), this.tables.table("copied"));
  }

  #embed(source: readonly SourceWord[]): Float32Array {
    const { width, meaning, kinds } = this.tables;
    const words = this.tables.table("word.weight");
    const table = this.tables.table("kinds.weight");
    const meanings = new Float32Array(source.length * meaning);
    const x = new Float32Array(source.length * width);
    for (const [n, { word, kinds: sum }] of source.entries()) {
      const row = this.#numbers.get(word) ?? 0;
      x.set(words.subarray(row * width, (row + 1) * width), n * width);
      meanings.set(this.#meaningOf(word) ?? [], n * meaning);
      for (let bit = 0; bit < KINDS; bit++)
        if ((sum >> bit) & 1) for (let i = 0; i < width; i++) x[n * width + i]! += table[i * kinds + bit]!;
    }
    return add(x, this.#times(meanings, "meaning"));
  }

  #forward(x: Float32Array, layer: string): Float32Array {
    const up = addRow(
      this.#times(this.#norm(x, `${layer}.n3`), `${layer}.up`),
      this.tables.table(`${layer}.up.bias`),
    );
    const down = addRow(this.#times(positive(up), `${layer}.down`), this.tables.table(`${layer}.down.bias`));
    return add(x, down);
  }

  #norm(x: Float32Array, name: string): Float32Array {
    return normalised(x, this.tables.table(`${name}.weight`), this.tables.table(`${name}.bias`));
  }

  #times(x: Float32Array, name: string): Float32Array {
    const { hidden, meaning, width } = this.tables;
    const from = name.endsWith(".down") ? hidden : name === "meaning" ? meaning : width;
    return this.#multiplier.times(x, name, () => this.tables.table(`${name}.weight`), from);
  }
}

/** Scores as the logarithms of chances. */
function logShares(scores: Float32Array): Float32Array {
  let most = -Infinity;
  for (let n = 0; n < scores.length; n++) if (scores[n]! > most) most = scores[n]!;
  let sum = 0;
  for (let n = 0; n < scores.length; n++) sum += Math.exp(scores[n]! - most);
  const total = Math.log(sum) + most;
  for (let n = 0; n < scores.length; n++) scores[n]! -= total;
  return scores;
}

function longer(row: Float32Array, by: number): Float32Array {
  const all = new Float32Array(row.length + by);
  all.set(row);
  return all;
}
