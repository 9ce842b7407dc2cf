import { throwIfAborted } from "../../schema/core.ts";
import { chainOf, type SearchForest } from "./search-forest.ts";

/** Scores the children of one node for one query; higher is better. Called once for each node that is opened. */
export type ChildScorer = (children: readonly string[], signal?: AbortSignal) => Promise<readonly number[]>;

export interface DescendOptions {
  readonly k: number;
  /** Softmax temperature in units of the scorer; smaller trusts the scorer more. */
  readonly temperature?: number;
  /**
   * `best-first` (docs/formulas.md#forest): one search without replacement. `paper`: k/N walks down each of the N trees, each
   * step to the best child, leaves found before left out.
   */
  readonly mode?: "best-first" | "paper";
  readonly signal?: AbortSignal;
}

export interface Descent {
  readonly leaves: readonly {
    readonly id: string;
    /** How much worse than the greedy path this one is: the sum of log p(child)/p(best sibling), at most 0. */
    readonly logScore: number;
    /** The leaf first, its root last. */
    readonly chain: readonly string[];
  }[];
  /** Its cost: nodes opened (scorer calls) and nodes scored. */
  readonly opened: number;
  readonly scored: number;
}

/**
 * k distinct leaves of a forest, best path first. All trees hang below one virtual root, so that a tree gets as many
 * leaves as its score earns (docs/formulas.md#forest). A step is measured against its best sibling, not as a
 * probability: else a leaf high up in a small tree would beat every leaf deep in a large one. So the first leaf is that
 * of the paper's greedy walk, and since scores only fall along a path, the first k leaves popped are the k best. Cost:
 * O(k · fan-out · depth) scores; the depth is a logarithm only of a balanced forest.
 */
export async function descend(
  forest: SearchForest,
  score: ChildScorer,
  options: DescendOptions,
): Promise<Descent> {
  const expand = new Expansion(forest, score, options.temperature ?? 1, options.signal);
  const leaves =
    options.mode === "paper" ? await walks(forest, expand, options.k) : await bestFirst(expand, options.k);
  return {
    leaves: leaves.map(({ id, logScore }) => ({ id, logScore, chain: chainOf(forest, id) })),
    opened: expand.opened,
    scored: expand.scored,
  };
}

interface Candidate {
  readonly id: string;
  readonly logScore: number;
}

/** Opens nodes, each at most once. A node with one child costs nothing, since no choice is needed. */
class Expansion {
  readonly #forest: SearchForest;
  readonly #score: ChildScorer;
  readonly #temperature: number;
  readonly #signal: AbortSignal | undefined;
  readonly #known = new Map<string, readonly Candidate[]>();
  opened = 0;
  scored = 0;

  constructor(
    forest: SearchForest,
    score: ChildScorer,
    temperature: number,
    signal: AbortSignal | undefined,
  ) {
    this.#forest = forest;
    this.#score = score;
    this.#temperature = temperature;
    this.#signal = signal;
  }

  /** The children of a node (of the virtual root without one), or some of them, with their log-odds to the best of them. */
  async of(
    node: string | undefined,
    isOpen: (id: string) => boolean = () => true,
  ): Promise<readonly Candidate[]> {
    const all = node === undefined ? this.#forest.roots : this.#forest.children(node);
    const children = all.filter(isOpen);
    const key = `${node ?? ""} ${children.length === all.length ? "" : children.join(" ")}`;
    const known = this.#known.get(key);
    if (known) return known;
    throwIfAborted(this.#signal);
    let candidates: readonly Candidate[] = children.map((id) => ({ id, logScore: 0 }));
    if (children.length > 1) {
      this.opened++;
      this.scored += children.length;
      const scores = await this.#score(children, this.#signal);
      const logits = children.map(
        (_, i) => (Number.isFinite(scores[i]) ? scores[i]! : -1e6) / this.#temperature,
      );
      const most = Math.max(...logits);
      candidates = children.map((id, i) => ({ id, logScore: logits[i]! - most }));
    }
    this.#known.set(key, candidates);
    return candidates;
  }
}

async function bestFirst(expand: Expansion, k: number): Promise<Candidate[]> {
  const queue: Candidate[] = [...(await expand.of(undefined))].sort(byScore);
  const found: Candidate[] = [];
  const seen = new Set<string>();
  while (queue.length > 0 && found.length < k) {
    const top = queue.shift()!;
    if (seen.has(top.id)) continue;
    seen.add(top.id);
    const children = await expand.of(top.id);
    if (children.length === 0) found.push(top);
    for (const child of children) insert(queue, { id: child.id, logScore: top.logScore + child.logScore });
  }
  return found;
}

/**
 * The paper's way: k/N walks down each of N trees, always to the best child. A child whose leaves were all found is no
 * longer offered: else every walk would end at the same leaf. With more trees than k, which the paper does not cover,
 * the best k trees have one walk each.
 */
async function walks(forest: SearchForest, expand: Expansion, k: number): Promise<Candidate[]> {
  const isMany = forest.roots.length > k;
  const trees = isMany ? [...(await expand.of(undefined))].sort(byScore) : forest.roots.map(atRoot);
  const taken = new Map<string, number>();
  const isOpen = (id: string) => (taken.get(id) ?? 0) < forest.leafCount(id);
  const found: Candidate[] = [];
  // A tree that has no leaf left hands its walks on to the others.
  for (let open = trees; open.length > 0 && found.length < k; open = open.filter(({ id }) => isOpen(id)))
    for (const tree of open.slice(0, k - found.length)) {
      const leaf = await walkDown(tree, expand, isOpen);
      found.push(leaf);
      for (const id of new Set([tree.id, ...chainOf(forest, leaf.id)]))
        taken.set(id, (taken.get(id) ?? 0) + 1);
    }
  return found;
}

async function walkDown(
  tree: Candidate,
  expand: Expansion,
  isOpen: (id: string) => boolean,
): Promise<Candidate> {
  let at = tree;
  for (let steps = 0; steps < DEEPEST; steps++) {
    const [best] = [...(await expand.of(at.id, isOpen))].sort(byScore);
    if (best === undefined) break;
    at = { id: best.id, logScore: at.logScore + best.logScore };
  }
  return at;
}

/** Deeper than any forest of ours. */
const DEEPEST = 64;

const atRoot = (id: string): Candidate => ({ id, logScore: 0 });

function byScore(a: Candidate, b: Candidate): number {
  return b.logScore - a.logScore || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}

function insert(queue: Candidate[], candidate: Candidate): void {
  let [low, high] = [0, queue.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if (byScore(queue[middle]!, candidate) <= 0) low = middle + 1;
    else high = middle;
  }
  queue.splice(low, 0, candidate);
}
