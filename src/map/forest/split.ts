import type { NodeStore } from "./node-store.ts";

/**
 * Splits a list of nodes into `parts` of nearly equal size, repeatedly across the longer side of what is left. Not
 * k-means: an even split is deterministic, keeps the limit by construction and needs no iteration.
 */
export function splitEvenly(store: NodeStore, nodes: readonly number[], parts: number): number[][] {
  if (parts <= 1 || nodes.length <= 1) return [[...nodes]];
  let [minX, minY, maxX, maxY] = [Infinity, Infinity, -Infinity, -Infinity];
  for (const node of nodes) {
    minX = Math.min(minX, store.x(node));
    maxX = Math.max(maxX, store.x(node));
    minY = Math.min(minY, store.y(node));
    maxY = Math.max(maxY, store.y(node));
  }
  const across = maxX - minX >= maxY - minY;
  const sorted = [...nodes].sort((a, b) =>
    across ? store.x(a) - store.x(b) || a - b : store.y(a) - store.y(b) || a - b,
  );
  const left = parts >> 1;
  const cut = Math.round((sorted.length * left) / parts);
  return [
    ...splitEvenly(store, sorted.slice(0, cut), left),
    ...splitEvenly(store, sorted.slice(cut), parts - left),
  ];
}
