import type { VectorSpace } from "../port.ts";
import type { GraphFacts } from "./graph-file.ts";

/** What the thread that builds is told. The one word of `stop` turns 1 when it shall end. */
export interface BuildStart {
  readonly folder: string;
  readonly space: VectorSpace;
  readonly stop: SharedArrayBuffer;
}

/** What it says until it ends. */
export type FromBuilder =
  | { readonly type: "graph"; readonly facts: GraphFacts }
  | { readonly type: "progress"; readonly done: number; readonly total: number }
  | { readonly type: "failed"; readonly reason: string };

/** How many rows a graph may lag behind before it is worth writing it anew. */
export function tailWorthAdding(vectors: number): number {
  return Math.max(2_048, Math.floor(vectors / 64));
}
