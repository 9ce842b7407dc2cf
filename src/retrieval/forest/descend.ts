import { Random } from "../../geometry/index.ts";
import { throwIfAborted } from "../../schema/core.ts";
import { chainOf, type SearchForest } from "./search-forest.ts";

/** Scores the children of one node for one query; higher is better. Called once for each node that is opened. */
export type ChildScorer = (children: readonly string[], signal?: AbortSignal) => Promise<readonly number[]>;

export interface DescendOptions {
  readonly k: number;
  /** Softmax temperature in units of the scorer; smaller trusts the scorer more. */
  readonly temperature?: number;
  /**
   * `best-first` (docs/formulas.md#forest): one search without replacement. `paper`: a walk from the top for each leaf, each step
   * drawn from the softmax, leaves found before left out.
   */
  readonly mode?: "best-first" | "paper";
  readonly seed?: number | string;
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
  /** What it cost: nodes opened (scorer calls) and nodes scored. */
  readonly opened: number;
  readonly scored: number;
}

/**
 * k distinct leaves of a forest, best path first. All trees hang below one virtual root, so that a tree gets as
 * many leaves as its score earns (docs/formulas.md#forest). A step is measured against its best sibling, not as a probability: else a
 * leaf high up in a small tree would beat every leaf deep in a large one. So the first leaf is that of the paper's
 * greedy walk, and since scores only fall along a path, the first k leaves popped are the k best there are. Cost: O(k · fan-out · depth) scores; the depth is a logarithm only of a
 * balanced forest.
 */
export async function descend(
  forest: SearchForest,
  score: ChildScorer,
  options: DescendOptions,
): Promise<Descent> {
  const expand = new Expansion(forest, score, options.temperature ?? 1, options.signal);
  const leaves =
    options.mode === "paper" ? await walks(forest, expand, options) : await bestFirst(expand, options.k);
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

/** Opens nodes, each at most once. A node with one child costs nothing: there is nothing to choose. */
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

  /** The children of a node (of the virtual root without one) with their log-odds to the best of them. */
  async of(node: string | undefined): Promise<readonly Candidate[]> {
    const key = node ?? "";
    const known = this.#known.get(key);
    if (known) return known;
    throwIfAborted(this.#signal);
    const children = node === undefined ? this.#forest.roots : this.#forest.children(node);
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

/** The paper's way, with the exclusion it needs to be of use: k walks, each leaf once (docs/formulas.md#forest). */
async function walks(forest: SearchForest, expand: Expansion, options: DescendOptions): Promise<Candidate[]> {
  const random = new Random(options.seed ?? 0);
  const taken = new Map<string, number>();
  const used = (id: string) => taken.get(id) ?? 0;
  const found: Candidate[] = [];
  const total = forest.roots.reduce((sum, root) => sum + forest.leafCount(root), 0);
  while (found.length < Math.min(options.k, total)) {
    let at: Candidate | undefined;
    for (let children = await expand.of(undefined); children.length > 0; children = await expand.of(at.id)) {
      const open = children.filter(({ id }) => used(id) < forest.leafCount(id));
      const step = draw(open, random);
      if (step === undefined) return found;
      at = { id: step.id, logScore: (at?.logScore ?? 0) + step.logScore };
    }
    if (at === undefined) return found;
    found.push(at);
    for (const id of chainOf(forest, at.id)) taken.set(id, used(id) + 1);
  }
  return found;
}

function draw(candidates: readonly Candidate[], random: Random): Candidate | undefined {
  const sum = candidates.reduce((total, { logScore }) => total + Math.exp(logScore), 0);
  let left = random.next() * sum;
  for (const candidate of candidates) {
    left -= Math.exp(candidate.logScore);
    if (left <= 0) return candidate;
  }
  return candidates.at(-1);
}

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
