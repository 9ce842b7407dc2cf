import { type Box, distance, isFiniteVec3, type Vec3 } from "../../geometry/index.ts";
import { LociError } from "../../schema/core.ts";
import { FOREST } from "../settings.ts";
import { NO_NODE, NodeStore } from "./node-store.ts";

/** A leaf of the forest: a place, a caption or another item. */
export interface ForestLeaf {
  readonly id: string;
  readonly position: Vec3;
  /** Unit length; needed only if meaning contributes to the distance. */
  readonly vector?: Float32Array | undefined;
  /** Its group, such as its room; without one it is a child of the root. */
  readonly group?: string | undefined;
}

/** A node given from outside: a room in its floor, a floor in the site. Parents come before children. */
export interface ForestGroup {
  readonly id: string;
  readonly parent?: string | undefined;
}

export interface ForestOptions {
  /** Diameter of the clusters of the first level; each level doubles it. Default: twice the median spacing. */
  readonly firstM?: number;
  /** Wider levels are not built: the remaining nodes are the trees of the forest. Default: until one is left. */
  readonly lastM?: number;
  /** Most children of a node. Groups in a group, and the trees under the root, are unlimited. */
  readonly fanOut?: number;
  /**
   * A cluster with fewer children passes them to its parent, as far as the fan-out allows. The default 2 keeps every
   * level; more makes a flatter forest with fewer summaries to write.
   */
  readonly leastChildren?: number;
  /**
   * Weight of distance, against meaning, in nearness (docs/formulas.md#forest): 1 is distance alone, 0.4 the mixture.
   */
  readonly distanceShare?: number;
}

export const FAN_OUT = FOREST.fanOut;

/**
 * The region forest (docs/formulas.md#forest): leaves under clusters whose diameter doubles from level to level,
 * under given groups, under one virtual root. Any two leaves below a cluster of level ℓ are at most `firstM`·2^(ℓ−1)
 * apart; no node has more than `fanOut` children, not counting the groups in a group and the trees under the root; no
 * cluster has a single child. Inserting and deleting keep all three.
 */
export class Forest {
  /** The virtual root above all trees. A node is a number that is stable while the node exists. */
  readonly root: number;
  readonly firstM: number;
  readonly lastM: number;
  readonly fanOut: number;
  readonly store = new NodeStore();
  readonly #ids: (string | undefined)[] = [];
  readonly #nodes = new Map<string, number>();
  readonly #groups = new Set<number>();
  readonly #lines = new Map<number, readonly string[]>();
  readonly #fresh = new Set<number>();
  readonly #weights = new Map<number, number>();
  readonly #newId: () => string;
  #leaves = 0;

  constructor(options: {
    firstM: number;
    lastM?: number;
    fanOut?: number;
    rootId?: string;
    newId?: () => string;
  }) {
    const { firstM, lastM = Infinity, fanOut = FAN_OUT } = options;
    if (!(firstM > 0 && firstM < Infinity) || !(lastM > 0) || !Number.isInteger(fanOut) || fanOut < 2) {
      throw new LociError(
        "invalid-input",
        `expected a positive first distance and at least 2 children a node, got ${firstM} m and ${fanOut}`,
      );
    }
    this.firstM = firstM;
    this.lastM = lastM;
    this.fanOut = fanOut;
    let made = 0;
    this.#newId = options.newId ?? (() => `cluster-${made++}`);
    this.root = this.store.make(FOREST.maxLevels);
    this.#name(this.root, options.rootId ?? "site");
    this.#groups.add(this.root);
    this.#fresh.add(this.root);
  }

  get leafCount(): number {
    return this.#leaves;
  }

  isLeaf(node: number): boolean {
    return this.store.level[node] === 0;
  }

  isGroup(node: number): boolean {
    return this.#groups.has(node);
  }

  idOf(node: number): string {
    return this.#ids[node]!;
  }

  nodeOf(id: string): number | undefined {
    return this.#nodes.get(id);
  }

  parentOf(node: number): number | undefined {
    const parent = this.store.parent[node]!;
    return parent === NO_NODE ? undefined : parent;
  }

  childrenOf(node: number): number[] {
    return this.store.childrenOf(node);
  }

  leavesOf(node: number): number[] {
    const out: number[] = [];
    const stack = [node];
    while (stack.length > 0) {
      const at = stack.pop()!;
      if (this.isLeaf(at)) out.push(at);
      else stack.push(...this.store.childrenOf(at));
    }
    return out;
  }

  levelOf(node: number): number {
    return this.store.level[node]!;
  }

  leavesUnder(node: number): number {
    return this.store.leaves[node]!;
  }

  centroidOf(node: number): Vec3 {
    return this.store.centroid(node);
  }

  boundsOf(node: number): Box {
    return this.store.bounds(node);
  }

  linesOf(node: number): readonly string[] {
    return this.#lines.get(node) ?? [];
  }

  isDirty(node: number): boolean {
    return this.#fresh.has(node) || this.store.changed[node]! > FOREST.staleShare * this.store.leaves[node]!;
  }

  /**
   * Sets a node's summary; its ancestors are not affected. `weight` is the amount of content, so that growth is
   * noticed even while the leaves stay the same.
   */
  describe(node: number, lines: readonly string[], weight = 0): void {
    this.#lines.set(node, lines);
    this.#weights.set(node, weight);
    this.store.changed[node] = 0;
    this.#fresh.delete(node);
  }

  /** Number of leaves below that were added or removed since the node was described; 0 only if it is up to date. */
  changesUnder(node: number): number {
    return this.#fresh.has(node) ? this.store.leaves[node]! : this.store.changed[node]!;
  }

  /** The weight with which a node was last described. */
  weightOf(node: number): number {
    return this.#weights.get(node) ?? 0;
  }

  /** Marks its summary as stale, whatever its leaves did. */
  touch(node: number): void {
    this.#fresh.add(node);
  }

  /** The greatest width of a cluster of a level. */
  widthOf(level: number): number {
    return this.firstM * 2 ** (level - 1);
  }

  /** The lowest level, at least `above` + 1, at which a cluster may have this width; undefined past the last. */
  levelFor(widthM: number, above: number): number | undefined {
    let level = above + 1;
    while (this.widthOf(level) < widthM && level < FOREST.maxLevels) level++;
    return level >= FOREST.maxLevels || this.widthOf(level) > this.lastM ? undefined : level;
  }

  /** A new leaf without a parent yet. Throws on a known id and on an invalid position. */
  makeLeaf({ id, position }: ForestLeaf): number {
    if (!isFiniteVec3(position)) throw new LociError("invalid-input", `leaf "${id}" has no finite position`);
    if (this.#nodes.has(id)) throw new LociError("invalid-input", `"${id}" is in the forest already`);
    const node = this.store.makeLeaf(position);
    this.#name(node, id);
    this.#leaves++;
    return node;
  }

  /** A cluster over these nodes, which must have no parent. */
  makeCluster(level: number, children: readonly number[], id = this.#newId()): number {
    const node = this.store.make(level);
    this.#name(node, id);
    for (let i = children.length - 1; i >= 0; i--) this.store.link(node, children[i]!);
    this.store.refresh(node);
    this.#fresh.add(node);
    return node;
  }

  /** Adds a group under its parent, or under the root; a known one is moved there. */
  putGroup({ id, parent }: ForestGroup): number {
    const above = parent === undefined ? this.root : this.#nodes.get(parent);
    if (above === undefined || !this.#groups.has(above))
      throw new LociError("unknown-id", `group "${id}" is under "${parent}", which is no group`);
    const known = this.#nodes.get(id);
    if (known !== undefined) {
      if (this.store.parent[known] !== above) {
        const before = this.store.parent[known]!;
        this.store.unlink(known);
        this.changedBelow(before);
        this.store.link(above, known);
        this.changedBelow(above);
      }
      return known;
    }
    const node = this.store.make(FOREST.maxLevels);
    this.#name(node, id);
    this.#groups.add(node);
    this.#fresh.add(node);
    this.store.link(above, node);
    return node;
  }

  /** Removes a node that has neither parent nor children. */
  drop(node: number): void {
    if (this.isLeaf(node)) this.#leaves--;
    this.#nodes.delete(this.#ids[node]!);
    this.#ids[node] = undefined;
    this.#groups.delete(node);
    this.#lines.delete(node);
    this.#fresh.delete(node);
    this.#weights.delete(node);
    this.store.free(node);
  }

  /** Counts a change in all ancestors and updates their sums and reaches. */
  changedBelow(node: number, leaves = 1): void {
    for (let at = node; at !== NO_NODE; at = this.store.parent[at]!) {
      this.store.refresh(at);
      this.store.changed[at]! += leaves;
    }
  }

  /** Every node but the root, parents before children. */
  *nodes(): Generator<number> {
    const stack = this.childrenOf(this.root);
    while (stack.length > 0) {
      const at = stack.pop()!;
      yield at;
      stack.push(...this.childrenOf(at));
    }
  }

  /** How far apart two nodes' centroids are. */
  between(a: number, b: number): number {
    return distance(this.centroidOf(a), this.centroidOf(b));
  }

  #name(node: number, id: string): void {
    this.#ids[node] = id;
    this.#nodes.set(id, node);
  }
}
