import type { Vec3 } from "../../geometry/index.ts";

/**
 * A semantic forest as retrieval sees it: nodes by the ids of their records, leaves being places. Implemented by the
 * map's `loadForest`, by tests and by imported graphs.
 */
export interface SearchForest {
  readonly roots: readonly string[];
  /** Empty for a leaf. */
  children(id: string): readonly string[];
  parent(id: string): string | undefined;
  /** Name, then summary; for a leaf its caption. */
  text(id: string): readonly string[];
  /** Mean of its leaves (docs/formulas.md#forest), in the world. */
  centroid(id: string): Vec3 | undefined;
  /** How many leaves are under it; 1 for a leaf, 0 for an id that is not a node. */
  leafCount(id: string): number;
  /** The leaf that a record of another kind belongs to, such as a caption's place. */
  leafOf?(recordId: string): string | undefined;
}

/** From a leaf up to its root, the leaf first. */
export function chainOf(forest: SearchForest, leaf: string): string[] {
  const chain = [leaf];
  const seen = new Set(chain);
  for (let at = forest.parent(leaf); at !== undefined && !seen.has(at); at = forest.parent(at)) {
    seen.add(at);
    chain.push(at);
  }
  return chain;
}
