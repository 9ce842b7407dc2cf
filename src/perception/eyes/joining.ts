import { settings } from "../../schema/settings.ts";
import type { Links } from "./links.ts";
import { type Region, unite } from "./pieces.ts";

/** Value, unit, minimum, maximum, source. */
const JOINING = settings("eyes.joining", {
  /** Most pieces compared with each other. */
  pieces: [20_000, "count", 10_000, 40_000, "limit"],
  /**
   * A pair is evaluated again after growing by this factor: a wall of slivers beside a table should not cause it each
   * time.
   */
  grown: [1.1, "ratio", 0.55, 2.2, "experiment"],
});

/** The contact of two pieces: links between them, and the evidence for an edge along them. */
export interface Meeting {
  links: number;
  cut: number;
  crease: number;
  /** Number of evaluations, and the number of members at the last: older queue entries are void. */
  weighed: number;
  members: number;
}

/** Log-odds that two adjacent pieces are one. */
type Oneness = (a: Region, b: Region, meeting: Meeting) => number;

interface Joined {
  readonly regions: Region[];
  readonly regionOf: Int32Array;
  readonly nearlyOne: Float32Array;
}

/** Joins pieces, likeliest pair first, until every remaining pair is more likely two than one. */
export class Joining {
  readonly #regions: (Region | undefined)[];
  /** For each piece, its adjacent pieces. */
  readonly #meetings: Map<number, Meeting>[];
  readonly #regionOf: Int32Array;
  readonly #oneness: Oneness;
  readonly #queue: Pair[] = [];

  constructor(
    regions: readonly Region[],
    { count, a, b, cut, crease }: Links,
    regionOf: Int32Array,
    oneness: Oneness,
  ) {
    this.#regions = [...regions];
    this.#regionOf = regionOf;
    this.#oneness = oneness;
    this.#meetings = regions.map(() => new Map());
    if (regions.length > JOINING.pieces) return;
    for (let n = 0; n < count; n++) {
      const [x, y] = [regionOf[a[n]!]!, regionOf[b[n]!]!];
      if (x === y) continue;
      const meeting = this.#meetings[x]!.get(y) ?? { links: 0, cut: 0, crease: 0, weighed: 0, members: 0 };
      meeting.links++;
      meeting.cut += cut[n]! / 255;
      meeting.crease += crease[n]! / 255;
      this.#meetings[x]!.set(y, meeting);
      this.#meetings[y]!.set(x, meeting);
    }
  }

  join(): Joined {
    for (let x = 0; x < this.#regions.length; x++)
      for (const y of this.#meetings[x]!.keys()) if (x < y) this.#consider(x, y);
    for (let pair = pop(this.#queue); pair; pair = pop(this.#queue)) {
      const { x, y, weighed } = pair;
      if (!this.#regions[x] || !this.#regions[y]) continue;
      if (this.#meetings[x]!.get(y)!.weighed === weighed) this.#unite(x, y);
    }
    return this.#numbered();
  }

  #scoreOf(x: number, y: number): number {
    return this.#oneness(this.#regions[x]!, this.#regions[y]!, this.#meetings[x]!.get(y)!);
  }

  #consider(x: number, y: number): void {
    const meeting = this.#meetings[x]!.get(y)!;
    meeting.weighed++;
    meeting.members = this.#membersOf(x, y);
    const score = this.#scoreOf(x, y);
    if (score > 0) push(this.#queue, { score, x, y, weighed: meeting.weighed });
  }

  #membersOf(x: number, y: number): number {
    return this.#regions[x]!.members.length + this.#regions[y]!.members.length;
  }

  /** Merges the second into the first, and evaluates the changed pairs again. */
  #unite(x: number, y: number): void {
    unite(this.#regions[x]!, this.#regions[y]!);
    this.#regions[y] = undefined;
    const [mine, theirs] = [this.#meetings[x]!, this.#meetings[y]!];
    mine.delete(y);
    for (const [z, meeting] of theirs) {
      if (z === x) continue;
      this.#meetings[z]!.delete(y);
      const known = mine.get(z);
      // No valid count: contacts of both pieces have changed.
      meeting.members = 0;
      if (known) {
        known.links += meeting.links;
        known.cut += meeting.cut;
        known.crease += meeting.crease;
        known.members = 0;
      } else {
        mine.set(z, meeting);
        this.#meetings[z]!.set(x, meeting);
      }
    }
    theirs.clear();
    for (const [z, { members }] of mine)
      if (this.#membersOf(x, z) > JOINING.grown * members) this.#consider(x, z);
  }

  #numbered(): Joined {
    const regions: Region[] = [];
    const scores: number[] = [];
    this.#regions.forEach((region, x) => {
      if (region === undefined) return;
      for (const member of region.members) this.#regionOf[member] = regions.length;
      regions.push(region);
      let most = Number.NEGATIVE_INFINITY;
      for (const y of this.#meetings[x]!.keys()) most = Math.max(most, this.#scoreOf(x, y));
      scores.push(most);
    });
    return { regions, regionOf: this.#regionOf, nearlyOne: Float32Array.from(scores) };
  }
}

interface Pair {
  readonly score: number;
  readonly x: number;
  readonly y: number;
  readonly weighed: number;
}

/** Among equals the first found wins, so that the result is deterministic. */
function isBefore(a: Pair, b: Pair): boolean {
  return a.score > b.score || (a.score === b.score && (a.x < b.x || (a.x === b.x && a.y < b.y)));
}

function push(heap: Pair[], pair: Pair): void {
  let at = heap.length;
  heap.push(pair);
  while (at > 0) {
    const above = (at - 1) >> 1;
    if (!isBefore(pair, heap[above]!)) break;
    heap[at] = heap[above]!;
    at = above;
  }
  heap[at] = pair;
}

function pop(heap: Pair[]): Pair | undefined {
  const first = heap[0];
  const last = heap.pop();
  if (!first || !last || heap.length === 0) return first;
  let at = 0;
  for (;;) {
    let next = 2 * at + 1;
    if (next >= heap.length) break;
    if (next + 1 < heap.length && isBefore(heap[next + 1]!, heap[next]!)) next++;
    if (!isBefore(heap[next]!, last)) break;
    heap[at] = heap[next]!;
    at = next;
  }
  heap[at] = last;
  return first;
}
