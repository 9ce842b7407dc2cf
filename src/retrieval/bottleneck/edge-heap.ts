/**
 * A binary heap of weighted edges, smallest first; ties go by the two ends (docs/formulas.md#bottleneck). Edges are
 * never changed in place: after a change to a node, its edges are pushed again and `stamp` identifies the old ones.
 */
export class EdgeHeap {
  #weight: Float64Array;
  #a: Int32Array;
  #b: Int32Array;
  #stamp: Float64Array;
  #size = 0;

  constructor(capacity: number) {
    const room = Math.max(16, capacity);
    this.#weight = new Float64Array(room);
    this.#a = new Int32Array(room);
    this.#b = new Int32Array(room);
    this.#stamp = new Float64Array(room);
  }

  get size(): number {
    return this.#size;
  }

  push(weight: number, a: number, b: number, stamp: number): void {
    if (this.#size === this.#weight.length) this.#grow();
    let at = this.#size++;
    while (at > 0) {
      const parent = (at - 1) >> 1;
      if (!this.#before(weight, a, b, parent)) break;
      this.#copy(parent, at);
      at = parent;
    }
    this.#set(at, weight, a, b, stamp);
  }

  pop(): { weight: number; a: number; b: number; stamp: number } | undefined {
    if (this.#size === 0) return undefined;
    const top = { weight: this.#weight[0]!, a: this.#a[0]!, b: this.#b[0]!, stamp: this.#stamp[0]! };
    const last = --this.#size;
    const [weight, a, b, stamp] = [this.#weight[last]!, this.#a[last]!, this.#b[last]!, this.#stamp[last]!];
    let at = 0;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= last) break;
      const right = child + 1;
      if (right < last && this.#before(this.#weight[right]!, this.#a[right]!, this.#b[right]!, child))
        child = right;
      if (!this.#before(this.#weight[child]!, this.#a[child]!, this.#b[child]!, -1, weight, a, b)) break;
      this.#copy(child, at);
      at = child;
    }
    if (last > 0) this.#set(at, weight, a, b, stamp);
    return top;
  }

  /** Does (weight, a, b) come before the entry at `at`, or before the values given instead? */
  #before(
    weight: number,
    a: number,
    b: number,
    at: number,
    otherWeight = this.#weight[at]!,
    otherA = this.#a[at]!,
    otherB = this.#b[at]!,
  ): boolean {
    if (weight !== otherWeight) return weight < otherWeight;
    if (a !== otherA) return a < otherA;
    return b < otherB;
  }

  #set(at: number, weight: number, a: number, b: number, stamp: number): void {
    this.#weight[at] = weight;
    this.#a[at] = a;
    this.#b[at] = b;
    this.#stamp[at] = stamp;
  }

  #copy(from: number, to: number): void {
    this.#set(to, this.#weight[from]!, this.#a[from]!, this.#b[from]!, this.#stamp[from]!);
  }

  #grow(): void {
    const room = this.#weight.length * 2;
    const wider = <T extends Float64Array | Int32Array>(old: T, made: T): T => {
      made.set(old);
      return made;
    };
    this.#weight = wider(this.#weight, new Float64Array(room));
    this.#a = wider(this.#a, new Int32Array(room));
    this.#b = wider(this.#b, new Int32Array(room));
    this.#stamp = wider(this.#stamp, new Float64Array(room));
  }
}
