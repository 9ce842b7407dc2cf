/** Intervals per row before `add` needs more room; a row of one thing rarely has more than three. */
const CAPACITY = 32;

/** A set of pixels as disjoint, sorted intervals of each row; `add` says how many pixels were new. */
export class RowUnion {
  #counts = new Int32Array(0);
  #ends = new Int32Array(0);
  #capacity = CAPACITY;

  /** Empties it for an image of this many rows. */
  clear(rows: number): void {
    if (this.#counts.length < rows) {
      this.#counts = new Int32Array(rows);
      this.#ends = new Int32Array(rows * this.#capacity * 2);
    } else this.#counts.fill(0, 0, rows);
  }

  /** Adds [from, to) to a row. */
  add(row: number, from: number, to: number): number {
    const count = this.#counts[row]!;
    if (count === this.#capacity) this.#widen();
    const ends = this.#ends;
    const base = row * this.#capacity * 2;
    let first = 0;
    while (first < count && ends[base + first * 2 + 1]! < from) first++;
    let last = first;
    let low = from;
    let high = to;
    let known = 0;
    while (last < count && ends[base + last * 2]! <= to) {
      const a = ends[base + last * 2]!;
      const b = ends[base + last * 2 + 1]!;
      known += b - a;
      if (a < low) low = a;
      if (b > high) high = b;
      last++;
    }
    // Intervals [first, last) become one.
    const shift = 1 - (last - first);
    if (shift !== 0) ends.copyWithin(base + (last + shift) * 2, base + last * 2, base + count * 2);
    ends[base + first * 2] = low;
    ends[base + first * 2 + 1] = high;
    this.#counts[row] = count + shift;
    return high - low - known;
  }

  #widen(): void {
    const rows = this.#counts.length;
    const wider = new Int32Array(rows * this.#capacity * 4);
    for (let row = 0; row < rows; row++) {
      const from = row * this.#capacity * 2;
      wider.set(this.#ends.subarray(from, from + this.#capacity * 2), from * 2);
    }
    this.#ends = wider;
    this.#capacity *= 2;
  }
}
