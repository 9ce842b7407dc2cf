/** The few operations that a small transformer takes, over rows in one flat array. */

export function add(x: Float32Array, y: Float32Array): Float32Array {
  for (let i = 0; i < x.length; i++) x[i]! += y[i]!;
  return x;
}

/** Adds the same row to each. */
export function addRow(x: Float32Array, row: Float32Array): Float32Array {
  for (let at = 0; at < x.length; at += row.length)
    for (let i = 0; i < row.length; i++) x[at + i]! += row[i]!;
  return x;
}

const EPSILON = 1e-5;

/** Each row with mean 0 and variance 1, then stretched and shifted. */
export function normalised(x: Float32Array, weight: Float32Array, bias: Float32Array): Float32Array {
  const width = weight.length;
  const y = new Float32Array(x.length);
  for (let at = 0; at < x.length; at += width) {
    let [sum, squares] = [0, 0];
    for (let i = 0; i < width; i++) sum += x[at + i]!;
    const mean = sum / width;
    for (let i = 0; i < width; i++) squares += (x[at + i]! - mean) ** 2;
    const scale = 1 / Math.sqrt(squares / width + EPSILON);
    for (let i = 0; i < width; i++) y[at + i] = (x[at + i]! - mean) * scale * weight[i]! + bias[i]!;
  }
  return y;
}

export function positive(x: Float32Array): Float32Array {
  for (let i = 0; i < x.length; i++) if (x[i]! < 0) x[i] = 0;
  return x;
}

/** Turns every head of the rows by their places: what is alike then depends on how far apart two stand. */
export function rotate(
  x: Float32Array,
  width: number,
  heads: number,
  placeOf: (row: number) => number,
): Float32Array {
  const half = width / heads / 2;
  for (let row = 0; row * width < x.length; row++) {
    const turns = turnsAt(placeOf(row), half);
    for (let first = row * width; first < (row + 1) * width; first += half * 2) {
      for (let i = 0; i < half; i++) {
        const [cos, sin] = [turns[2 * i]!, turns[2 * i + 1]!];
        const [a, b] = [x[first + i]!, x[first + half + i]!];
        x[first + i] = a * cos - b * sin;
        x[first + half + i] = a * sin + b * cos;
      }
    }
  }
  return x;
}

const TURNS = new Map<number, Float64Array>();

/** Cosine and sine of every turn at a place; places are few, and so are sizes of heads. */
function turnsAt(place: number, half: number): Float64Array {
  const key = place * 1024 + half;
  let turns = TURNS.get(key);
  if (turns === undefined) {
    turns = new Float64Array(2 * half);
    for (let i = 0; i < half; i++) {
      const angle = place * 10000 ** (-i / half);
      turns[2 * i] = Math.cos(angle);
      turns[2 * i + 1] = Math.sin(angle);
    }
    TURNS.set(key, turns);
  }
  return turns;
}

/** What each row of q takes from the rows of v, by how well it fits those of k; the first `count` of them. */
export function attended(
  q: Float32Array,
  k: Float32Array,
  v: Float32Array,
  { width, heads, count }: { readonly width: number; readonly heads: number; readonly count: number },
): Float32Array {
  const size = width / heads;
  const scale = 1 / Math.sqrt(size);
  const y = new Float32Array(q.length);
  const fits = new Float32Array(count);
  for (let from = 0; from < q.length; from += size) {
    const head = from % width;
    let most = -Infinity;
    for (let n = 0, at = head; n < count; n++, at += width) {
      let sum = 0;
      for (let i = 0; i < size; i++) sum += q[from + i]! * k[at + i]!;
      fits[n] = sum * scale;
      if (fits[n]! > most) most = fits[n]!;
    }
    let total = 0;
    for (let n = 0; n < count; n++) {
      fits[n] = Math.exp(fits[n]! - most);
      total += fits[n]!;
    }
    for (let n = 0, at = head; n < count; n++, at += width) {
      const share = fits[n]! / total;
      for (let i = 0; i < size; i++) y[from + i]! += share * v[at + i]!;
    }
  }
  return y;
}
