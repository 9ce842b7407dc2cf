import { LociError } from "../../schema/core.ts";
import type { Forest, ForestLeaf } from "./forest.ts";
import { NO_NODE } from "./node-store.ts";
import { splitEvenly } from "./split.ts";

/**
 * Adds a leaf (docs/formulas.md#forest): descends from its group, always into the nearest cluster that stays narrow
 * enough with it. If there is none, it forms a new cluster with its nearest sibling, or stays alone. O(depth ·
 * fan-out).
 */
export function insertLeaf(forest: Forest, leaf: ForestLeaf): number {
  const group = leaf.group === undefined ? forest.root : forest.nodeOf(leaf.group);
  if (group === undefined || !forest.isGroup(group))
    throw new LociError("unknown-id", `leaf "${leaf.id}" is in "${leaf.group}", which is no group`);
  const node = forest.makeLeaf(leaf);
  const { store } = forest;
  let above = group;
  for (;;) {
    let [best, nearest, middle] = [NO_NODE, Infinity, Infinity];
    for (let child = store.first[above]!; child !== NO_NODE; child = store.next[child]!) {
      if (forest.isLeaf(child) || forest.isGroup(child)) continue;
      const away = store.away(child, node);
      if (away > nearest || store.linkage(child, node) > forest.widthOf(store.level[child]!)) continue;
      const between = forest.between(child, node);
      if (away < nearest || between < middle) [best, nearest, middle] = [child, away, between];
    }
    if (best === NO_NODE) break;
    above = best;
  }
  attach(forest, above, node);
  return node;
}

/** Removes a leaf; a cluster left with one child is replaced by it, an empty one is removed. */
export function deleteLeaf(forest: Forest, id: string): boolean {
  const node = forest.nodeOf(id);
  if (node === undefined || !forest.isLeaf(node)) return false;
  const { store } = forest;
  let above = store.parent[node]!;
  store.unlink(node);
  forest.drop(node);
  while (!forest.isGroup(above) && store.children[above]! < 2) {
    const parent = store.parent[above]!;
    const [only] = store.childrenOf(above);
    store.unlink(above);
    if (only !== undefined) {
      store.unlink(only);
      store.link(parent, only);
    }
    forest.drop(above);
    above = parent;
  }
  forest.changedBelow(above);
  return true;
}

/** Removes a group, which must be empty. */
export function deleteGroup(forest: Forest, id: string): void {
  const node = forest.nodeOf(id);
  if (node === undefined || !forest.isGroup(node) || node === forest.root) return;
  if (forest.store.children[node]! > 0)
    throw new LociError("invalid-input", `group "${id}" is not empty; move what it holds first`);
  const above = forest.store.parent[node]!;
  forest.store.unlink(node);
  forest.drop(node);
  forest.changedBelow(above);
}

function attach(forest: Forest, above: number, node: number): void {
  const { store } = forest;
  let [partner, nearest, level] = [NO_NODE, Infinity, 0];
  for (let child = store.first[above]!; child !== NO_NODE; child = store.next[child]!) {
    if (forest.isGroup(child)) continue;
    const linkage = store.linkage(child, node);
    const fits = forest.levelFor(linkage, store.level[child]!);
    if (linkage >= nearest || fits === undefined || fits >= store.level[above]!) continue;
    [partner, nearest, level] = [child, linkage, fits];
  }
  // Under a group with room left, only close neighbours are joined; others stay alone.
  const crowded = above === forest.root || store.children[above]! >= forest.fanOut;
  if (partner !== NO_NODE && (crowded || level === 1 || !forest.isGroup(above))) {
    store.unlink(partner);
    store.link(above, forest.makeCluster(level, [partner, node]));
  } else {
    store.link(above, node);
  }
  forest.changedBelow(above);
  relieve(forest, above);
}

/** Splits a node with too many children, then its parent if that now has too many, up to the group. */
function relieve(forest: Forest, from: number): void {
  const { store } = forest;
  for (let node = from; node !== forest.root && store.children[node]! > forest.fanOut; ) {
    const children = store.childrenOf(node).filter((child) => !forest.isGroup(child));
    if (children.length <= forest.fanOut) return;
    const halves = splitEvenly(store, children, 2);
    for (const child of children) store.unlink(child);
    if (forest.isGroup(node)) {
      for (const half of halves) store.link(node, forest.makeCluster(levelOver(forest, half), half));
      forest.changedBelow(node, 0);
      return;
    }
    const parent = store.parent[node]!;
    for (const child of halves[0]!) store.link(node, child);
    store.refresh(node);
    store.link(parent, forest.makeCluster(store.level[node]!, halves[1]!));
    forest.changedBelow(parent, 0);
    node = parent;
  }
}

/** The level of a cluster over these nodes, wide enough for every pair and above them all. */
function levelOver(forest: Forest, nodes: readonly number[]): number {
  const { store } = forest;
  let [widthM, above] = [0, 0];
  for (const [i, a] of nodes.entries()) {
    above = Math.max(above, store.level[a]!);
    for (const b of nodes.slice(i)) widthM = Math.max(widthM, store.linkage(a, b));
  }
  return forest.levelFor(widthM, above) ?? store.level[forest.root]! - 1;
}
