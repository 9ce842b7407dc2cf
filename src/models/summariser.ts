import type { EmbedOptions } from "./embedder.ts";

/** What a summary is made from: the parts, as they were summarised before, and what is there. */
export interface SummaryRequest {
  readonly type: "cluster" | "room" | "floor" | "site";
  /** The name that a room or floor has already; a cluster gets one. */
  readonly name?: string;
  /** How many places lie below. */
  readonly leaves: number;
  /** The parts in reading order: name and lines of each, of a place its captions. */
  readonly parts: readonly {
    readonly name?: string;
    readonly lines: readonly string[];
    readonly leaves: number;
  }[];
  /** What stands there, by category, most first. */
  readonly things: readonly { readonly category: string; readonly count: number }[];
  /** In how many of all places a category stands, 0 to 1: what is everywhere says little. */
  readonly commonness?: (category: string) => number;
  /** The words said here more than elsewhere, with how much they tell, most first. */
  readonly words?: readonly { readonly word: string; readonly weight: number }[];
}

/** A name of three to five words, two or three sentences, and what lies how to what. */
export interface Summary {
  readonly name: string;
  readonly summary: string;
  readonly relationships: readonly string[];
}

/**
 * Many into few words, bottom up (Embodied-RAG's abstraction of the direct children). Any number of calls may be
 * under way at once, up to `parallel`. Throws `aborted`, `model-unavailable` or `model-failed`.
 */
export interface Summariser {
  readonly id: string;
  readonly parallel: number;
  summarise(request: SummaryRequest, options?: EmbedOptions): Promise<Summary>;
}
