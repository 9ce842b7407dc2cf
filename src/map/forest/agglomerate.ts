/** Pairs of things that may be joined: `a[i] < b[i]`, and how far apart they are. */
export interface Pairs {
  readonly count: number;
  readonly a: Int32Array;
  readonly b: Int32Array;
  readonly distance: Float64Array;
}

/**
 * Complete linkage over the sufficiently near pairs: the closest two clusters are joined repeatedly, and the distance
 * to a third is the larger of the two it had. An unlisted pair is too far, so a join drops every neighbour that not
 * both had. The result equals that of the full matrix cut at the threshold (Defays 1977), in O(pairs · log pairs).
 * Ties go by the order of the pairs. Returns, for each of `size` items, the representative of its cluster.
 */
export function agglomerate(size: number, pairs: Pairs): Int32Array {
  const { a, b } = pairs;
  const distance = pairs.distance.slice(0, pairs.count);
  const alive = new Uint8Array(pairs.count).fill(1);
  const touching: number[][] = Array.from({ length: size }, () => []);
  for (let e = 0; e < pairs.count; e++) {
    touching[a[e]!]!.push(e);
    touching[b[e]!]!.push(e);
  }
  const owner = Int32Array.from({ length: size }, (_, i) => i);
  const heap = new EdgeHeap(distance);
  const edgeTo = new Int32Array(size).fill(-1);
  for (let e = heap.pop(); e >= 0; e = heap.pop()) {
    if (!alive[e]) continue;
    alive[e] = 0;
    // The smaller neighbourhood moves into the larger one.
    let [keep, gone] = [a[e]!, b[e]!];
    if (touching[keep]!.length < touching[gone]!.length) [keep, gone] = [gone, keep];
    owner[gone] = keep;
    const kept: number[] = [];
    for (const f of touching[gone]!) if (alive[f]) edgeTo[a[f] === gone ? b[f]! : a[f]!] = f;
    for (const f of touching[keep]!) {
      if (!alive[f]) continue;
      const other = a[f] === keep ? b[f]! : a[f]!;
      const twin = edgeTo[other]!;
      if (twin < 0) {
        alive[f] = 0;
        continue;
      }
      kept.push(f);
      if (distance[twin]! > distance[f]!) {
        distance[f] = distance[twin]!;
        heap.sink(f);
      }
    }
    for (const f of touching[gone]!) {
      if (!alive[f]) continue;
      edgeTo[a[f] === gone ? b[f]! : a[f]!] = -1;
      alive[f] = 0;
    }
    touching[keep] = kept;
    touching[gone] = [];
  }
  for (let i = 0; i < size; i++) {
    let top = i;
    while (owner[top] !== top) top = owner[top]!;
    owner[i] = top;
  }
  return owner;
}

/** Edges by distance, then number; distances may grow while an edge waits. */
class EdgeHeap {
  readonly #distance: Float64Array;
  readonly #heap: Int32Array;
  readonly #place: Int32Array;
  #size: number;

  constructor(distance: Float64Array) {
    this.#distance = distance;
    this.#size = distance.length;
    this.#heap = Int32Array.from({ length: this.#size }, (_, i) => i);
    this.#place = this.#heap.slice();
    for (let i = (this.#size >> 1) - 1; i >= 0; i--) this.#down(i);
  }

  pop(): number {
    if (this.#size === 0) return -1;
    const top = this.#heap[0]!;
    this.#place[top] = -1;
    const last = this.#heap[--this.#size]!;
    if (this.#size > 0) {
      this.#heap[0] = last;
      this.#place[last] = 0;
      this.#down(0);
    }
    return top;
  }

  sink(edge: number): void {
    if (this.#place[edge]! >= 0) this.#down(this.#place[edge]!);
  }

  #less(e: number, f: number): boolean {
    const d = this.#distance[e]!;
    const g = this.#distance[f]!;
    return d < g || (d === g && e < f);
  }

  #down(from: number): void {
    const edge = this.#heap[from]!;
    let at = from;
    for (;;) {
      let child = 2 * at + 1;
      if (child >= this.#size) break;
      if (child + 1 < this.#size && this.#less(this.#heap[child + 1]!, this.#heap[child]!)) child++;
      if (!this.#less(this.#heap[child]!, edge)) break;
      this.#heap[at] = this.#heap[child]!;
      this.#place[this.#heap[at]!] = at;
      at = child;
    }
    this.#heap[at] = edge;
    this.#place[edge] = at;
  }
}
