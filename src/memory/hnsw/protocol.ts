import type { VectorSpace } from "../port.ts";
import type { GraphFacts } from "./graph-file.ts";

/** The input of the building thread. The one word of `stop` turns 1 when it shall end. */
export interface BuildStart {
  readonly folder: string;
  readonly space: VectorSpace;
  readonly stop: SharedArrayBuffer;
}

/** The messages of the building thread. */
export type FromBuilder =
  | { readonly type: "graph"; readonly facts: GraphFacts }
  | { readonly type: "progress"; readonly done: number; readonly total: number }
  | { readonly type: "failed"; readonly reason: string };

/** How many rows a graph may lag behind before it is rewritten. */
export function tailWorthAdding(vectors: number): number {
  return Math.max(2_048, Math.floor(vectors / 64));
}
