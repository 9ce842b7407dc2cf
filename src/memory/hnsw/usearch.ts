import { createRequire } from "node:module";
import { isLociError, LociError } from "../../schema/core.ts";

const NAME = "usearch";
const VERSION = "2.26.2";

/**
 * Links of a node, candidates kept while adding and while searching. A search keeps at least as many as it must return,
 * so the last is only a floor. Vectors are of unit length, so the inner product is the cosine and builds a quarter
 * faster; so does bfloat16, and the exact vectors decide in the end.
 */
const SHAPE = {
  metric: "ip",
  quantization: "bf16",
  connectivity: 16,
  expansion_add: 64,
  expansion_search: 64,
  multi: false,
} as const;

/** The part of a usearch index that is used here. */
export interface Graph {
  add(keys: BigUint64Array, vectors: Float32Array, threads: number): void;
  /** The nearest keys, nearest first; fewer than `count` only if the graph has no more. */
  search(
    vector: Float32Array,
    count: number,
    threads: number,
  ): { readonly keys: BigUint64Array; readonly distances: Float32Array };
  size(): number;
  save(path: string): void;
  load(path: string): void;
  /** Maps a file instead of reading it; the graph cannot be added to. */
  view(path: string): void;
}

interface Usearch {
  readonly Index: new (shape: typeof SHAPE & { readonly dimensions: number }) => Graph;
}

/** An empty graph for vectors of this length; `not-supported`, with the way out, where the package is not installed. */
export function newGraph(dim: number): Graph {
  let usearch: Usearch;
  try {
    usearch = createRequire(import.meta.url)(NAME) as Usearch;
  } catch (error) {
    throw new LociError(
      "not-supported",
      `approximate search needs the package ${NAME}, which cannot be loaded; run: npm install ${NAME}@${VERSION}`,
      { cause: error },
    );
  }
  return new usearch.Index({ ...SHAPE, dimensions: dim });
}

/** Whether the optional package is there and its native part loads. */
export function hasUsearch(): boolean {
  try {
    newGraph(1);
    return true;
  } catch (error) {
    if (isLociError(error, "not-supported")) return false;
    throw error;
  }
}
