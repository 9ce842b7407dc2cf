import type { WorldOptions } from "../world/world.ts";

/** Every format a memory can be written in. */
export const EXPORT_FORMATS = ["jsonl", "mcap", "glb", "ply", "geojson", "dsg", "rooms", "nav2"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** What every export takes. Whose eyes it is seen through, and as of when, is the reader's. */
export interface ExportOptions extends WorldOptions {
  /** Which storey, 0 the lowest, for what shows one only. */
  readonly floor?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: string) => void;
}

export interface ExportReport {
  readonly bytes: number;
  /** How many of what are in the file. */
  readonly counts: Readonly<Record<string, number>>;
  /** What whoever opens it should know. */
  readonly notes: readonly string[];
  /** Files beside the one that was named. */
  readonly beside?: readonly string[];
}

/** Points of one export at most: 60 MB in memory. */
export const MAX_POINTS = 4_000_000;
