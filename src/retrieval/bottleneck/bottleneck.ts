import { LociError } from "../../schema/core.ts";
import { informationOf, jsDivergenceAt, type RelevanceOptions, relevanceOf } from "./distributions.ts";
import { EdgeHeap } from "./edge-heap.ts";

/**
 * Below this, the cues do not distinguish the things and a ratio to it would be noise (docs/formulas.md#bottleneck).
 */
const NO_INFORMATION = 1e-9;
export const BOTTLENECK_LIMITS = { things: 20_000, edges: 400_000, cues: 64 } as const;

export interface BottleneckInput {
  /** Cosine of each thing with each cue: all cues of the first thing, then of the second … */
  readonly scores: Float64Array;
  readonly cues: number;
  /** Pairs of neighbours by index, one after the other: a₀ b₀ a₁ b₁ … Only neighbours may merge. */
  readonly edges: Int32Array;
}

export interface BottleneckOptions extends RelevanceOptions {
  /**
   * The scale-free threshold (docs/formulas.md#bottleneck): merging continues while n·d/I₀ is at most this. Default .10
   * soft, .02 clio.
   */
  readonly deltaN?: number;
  /** The paper's raw threshold on d/I₀ instead; its granularity depends on n. */
  readonly delta?: number;
}

export interface BottleneckCluster {
  /** Indices, ascending; the first one names the cluster. */
  readonly members: readonly number[];
  /** Mass-weighted mean of p(y|x), the null first. */
  readonly relevance: Float64Array;
  /** Best cosine of any member with any cue. */
  readonly score: number;
  /** The null is the likeliest row: the cluster is irrelevant to the question (docs/formulas.md#bottleneck). */
  readonly isNull: boolean;
}

export interface BottleneckResult {
  readonly clusters: readonly BottleneckCluster[];
  /** I(X;Y) before any merge, in bits. */
  readonly information: number;
  /** Each merge in order with its cost d/I₀ (raw delta). */
  readonly merges: readonly { readonly a: number; readonly b: number; readonly delta: number }[];
  /** The merge that was too dear, where merging stopped. */
  readonly refused: { readonly a: number; readonly b: number; readonly delta: number } | undefined;
}

/**
 * Agglomerative information bottleneck (docs/formulas.md#bottleneck): it starts with single things and merges the two
 * neighbours that lose least information about the cues, until the next merge would cost too much. The loss of a merge
 * is exactly the edge's weight, so nothing is ever recomputed: O(E log E) with a heap. With no information at all the
 * connected components are the clusters.
 */
export function bottleneck(input: BottleneckInput, options: BottleneckOptions): BottleneckResult {
  check(input);
  const { scores, cues, edges } = input;
  const width = cues + 1;
  const n = scores.length / cues;
  const relevance = relevanceOf(scores, cues, options);
  const information = n === 0 ? 0 : informationOf(relevance, width);
  const blind = information < NO_INFORMATION;
  const limit = blind
    ? Number.POSITIVE_INFINITY
    : options.delta !== undefined
      ? options.delta * information
      : ((options.deltaN ?? (options.nullMode === "soft" ? 0.1 : 0.02)) * information) / n;

  const graph = new MergingGraph(relevance, width, n, edges);
  const merges: { a: number; b: number; delta: number }[] = [];
  let refused: BottleneckResult["refused"];
  for (let edge = graph.cheapest(); edge !== undefined; edge = graph.cheapest()) {
    const { a, b, weight } = edge;
    const step = { a, b, delta: blind ? 0 : weight / information };
    if (weight > limit) {
      refused = step;
      break;
    }
    graph.merge(a, b);
    merges.push(step);
  }
  return { clusters: clustersOf(graph, scores, cues), information, merges, refused };
}

function clustersOf(graph: MergingGraph, scores: Float64Array, cues: number): BottleneckCluster[] {
  return graph.groups().map(({ members, relevance }) => {
    let score = Number.NEGATIVE_INFINITY;
    for (const i of members) for (let j = 0; j < cues; j++) score = Math.max(score, scores[i * cues + j]!);
    return { members, relevance, score, isNull: relevance.every((p) => relevance[0]! >= p) };
  });
}

/** The neighbour graph while it is being merged: the lower index survives a merge. */
class MergingGraph {
  readonly #relevance: Float64Array;
  readonly #width: number;
  readonly #mass: Float64Array;
  /** Grows with every change of a node; an edge in the heap is stale unless it carries both ends' sum. */
  readonly #version: Int32Array;
  readonly #into: Int32Array;
  readonly #neighbours: Set<number>[];
  readonly #heap: EdgeHeap;

  constructor(relevance: Float64Array, width: number, n: number, edges: Int32Array) {
    this.#relevance = relevance.slice();
    this.#width = width;
    this.#mass = new Float64Array(n).fill(1 / Math.max(1, n));
    this.#version = new Int32Array(n);
    this.#into = Int32Array.from({ length: n }, (_, i) => i);
    this.#neighbours = Array.from({ length: n }, () => new Set<number>());
    this.#heap = new EdgeHeap(edges.length / 2);
    for (let e = 0; e < edges.length; e += 2) {
      const [a, b] = [edges[e]!, edges[e + 1]!];
      if (a === b || this.#neighbours[a]!.has(b)) continue;
      this.#neighbours[a]!.add(b);
      this.#neighbours[b]!.add(a);
      this.#push(a, b);
    }
  }

  cheapest(): { a: number; b: number; weight: number } | undefined {
    for (let top = this.#heap.pop(); top !== undefined; top = this.#heap.pop()) {
      const { a, b, weight, stamp } = top;
      if (this.#into[a] === a && this.#into[b] === b && stamp === this.#version[a]! + this.#version[b]!)
        return { a, b, weight };
    }
    return undefined;
  }

  merge(a: number, b: number): void {
    const width = this.#width;
    const mass = this.#mass[a]! + this.#mass[b]!;
    for (let j = 0; j < width; j++) {
      const [pa, pb] = [this.#relevance[a * width + j]!, this.#relevance[b * width + j]!];
      this.#relevance[a * width + j] = (this.#mass[a]! * pa + this.#mass[b]! * pb) / mass;
    }
    this.#mass[a] = mass;
    this.#into[b] = a;
    this.#version[a]!++;
    const neighbours = this.#neighbours[a]!;
    neighbours.delete(b);
    for (const other of this.#neighbours[b]!) {
      if (other === a) continue;
      const theirs = this.#neighbours[other]!;
      theirs.delete(b);
      theirs.add(a);
      neighbours.add(other);
    }
    this.#neighbours[b] = new Set();
    for (const other of neighbours) this.#push(a, other);
  }

  groups(): { members: number[]; relevance: Float64Array }[] {
    const groups = new Map<number, number[]>();
    for (let i = 0; i < this.#into.length; i++) {
      let root = i;
      while (this.#into[root] !== root) root = this.#into[root]!;
      const members = groups.get(root);
      if (members) members.push(i);
      else groups.set(root, [i]);
    }
    const width = this.#width;
    return [...groups].map(([root, members]) => ({
      members,
      relevance: this.#relevance.slice(root * width, (root + 1) * width),
    }));
  }

  #push(x: number, y: number): void {
    const [a, b] = x < y ? [x, y] : [y, x];
    const width = this.#width;
    const mass = this.#mass[a]! + this.#mass[b]!;
    const share = this.#mass[a]! / mass;
    const bits = jsDivergenceAt(this.#relevance, a * width, this.#relevance, b * width, width, share);
    this.#heap.push(mass * bits, a, b, this.#version[a]! + this.#version[b]!);
  }
}

function check({ scores, cues, edges }: BottleneckInput): void {
  const n = scores.length / cues;
  if (!Number.isInteger(cues) || cues < 1 || cues > BOTTLENECK_LIMITS.cues)
    throw new LociError("invalid-input", `bottleneck: 1 to ${BOTTLENECK_LIMITS.cues} cues, got ${cues}`);
  if (!Number.isInteger(n))
    throw new LociError("invalid-input", `bottleneck: ${scores.length} scores do not divide by ${cues} cues`);
  if (n > BOTTLENECK_LIMITS.things || edges.length / 2 > BOTTLENECK_LIMITS.edges) {
    throw new LociError(
      "limit-exceeded",
      `bottleneck: at most ${BOTTLENECK_LIMITS.things} things and ${BOTTLENECK_LIMITS.edges} edges, got ${n} and ${edges.length / 2}`,
    );
  }
  if (!scores.every(Number.isFinite))
    throw new LociError("invalid-input", "bottleneck: scores are finite numbers");
  if (edges.length % 2 !== 0 || !edges.every((i) => i >= 0 && i < n))
    throw new LociError("invalid-input", "bottleneck: an edge is two indices of things");
}
