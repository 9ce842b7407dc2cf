import type { EmbedOptions } from "./embedder.ts";

/** The input of a summary: the parts with their own summaries, and the things there. */
export interface SummaryRequest {
  readonly type: "cluster" | "room" | "floor" | "site";
  /** The existing name of a room or floor; a cluster gets one. */
  readonly name?: string;
  /** Number of places below. */
  readonly leaves: number;
  /** The parts in reading order: name and lines of each; for a place its captions. */
  readonly parts: readonly {
    readonly name?: string;
    readonly lines: readonly string[];
    readonly leaves: number;
  }[];
  /** The things there, by category, most frequent first. */
  readonly things: readonly { readonly category: string; readonly count: number }[];
  /** The share of all places with a category, 0 to 1: what is everywhere says little. */
  readonly commonness?: (category: string) => number;
  /** Words more frequent here than elsewhere, with weights, highest first. */
  readonly words?: readonly { readonly word: string; readonly weight: number }[];
}

/** A name of three to five words, two or three sentences, and spatial relationships. */
export interface Summary {
  readonly name: string;
  readonly summary: string;
  readonly relationships: readonly string[];
}

/**
 * Condenses texts bottom up (Embodied-RAG's abstraction of the direct children). Concurrent calls are allowed up to
 * `parallel`. Throws `aborted`, `model-unavailable` or `model-failed`.
 */
export interface Summariser {
  readonly id: string;
  readonly parallel: number;
  summarise(request: SummaryRequest, options?: EmbedOptions): Promise<Summary>;
}
