import type { Box, Vec3 } from "../../geometry/index.ts";
import type { Forest } from "./forest.ts";

/** A forest as retrieval reads it: nodes by their record ids. Unknown ids have no children and no text. */
export interface ForestView {
  /** The trees: children of the virtual root. */
  readonly roots: readonly string[];
  /** The site's record, which represents the virtual root. */
  readonly site: string;
  readonly leaves: number;
  /** Empty for a leaf. */
  children(id: string): readonly string[];
  /** Undefined for a root. */
  parent(id: string): string | undefined;
  /** Name, then summary; for a leaf its captions. */
  text(id: string): readonly string[];
  /** Mean of its leaves (docs/formulas.md#forest), in the frame of the map. */
  centroid(id: string): Vec3 | undefined;
  bounds(id: string): Box | undefined;
  /** Number of leaves below; 1 for a leaf. */
  leafCount(id: string): number;
  /** All leaves below, in no order. */
  leavesOf(id: string): readonly string[];
  /** 0 for a leaf; the distance doubles with each level. */
  level(id: string): number;
  /** More than a fifth of its content changed since its text was written. */
  isDirty(id: string): boolean;
  /** The leaf that another kind of record belongs to, such as a caption's place. */
  leafOf(recordId: string): string | undefined;
}

/** A live view of a forest by ids. */
export function viewOf(forest: Forest, leafOf: ReadonlyMap<string, string> = new Map()): ForestView {
  const ids = (nodes: readonly number[]): string[] => nodes.map((node) => forest.idOf(node));
  const ask = <T>(id: string, answer: (node: number) => T): T | undefined => {
    const node = forest.nodeOf(id);
    return node === undefined ? undefined : answer(node);
  };
  return {
    get roots() {
      return ids(forest.childrenOf(forest.root));
    },
    site: forest.idOf(forest.root),
    get leaves() {
      return forest.leafCount;
    },
    children: (id) => ask(id, (node) => ids(forest.childrenOf(node))) ?? [],
    parent: (id) =>
      ask(id, (node) => {
        const parent = forest.parentOf(node);
        return parent === undefined || parent === forest.root ? undefined : forest.idOf(parent);
      }),
    text: (id) => ask(id, (node) => forest.linesOf(node)) ?? [],
    centroid: (id) => ask(id, (node) => (forest.leavesUnder(node) > 0 ? forest.centroidOf(node) : undefined)),
    bounds: (id) => ask(id, (node) => (forest.leavesUnder(node) > 0 ? forest.boundsOf(node) : undefined)),
    leafCount: (id) => ask(id, (node) => forest.leavesUnder(node)) ?? 0,
    leavesOf: (id) => ask(id, (node) => ids(forest.leavesOf(node))) ?? [],
    level: (id) => ask(id, (node) => forest.levelOf(node)) ?? 0,
    isDirty: (id) => ask(id, (node) => forest.isDirty(node)) ?? false,
    leafOf: (recordId) => leafOf.get(recordId),
  };
}
