import type { WorldOptions } from "../world/world.ts";

/** Every format a memory can be written in. */
export const EXPORT_FORMATS = ["jsonl", "mcap", "glb", "ply", "geojson", "dsg", "rooms", "nav2"] as const;
export type ExportFormat = (typeof EXPORT_FORMATS)[number];

/** Options of every export. The principal and time are the reader's. */
export interface ExportOptions extends WorldOptions {
  /** The storey for formats that show only one, 0 the lowest. */
  readonly floor?: number;
  /** Metres a pixel, for formats that are a grid; default: Nav2's usual 0.05. */
  readonly resolutionM?: number;
  readonly signal?: AbortSignal;
  readonly onProgress?: (done: string) => void;
}

export interface ExportReport {
  readonly bytes: number;
  /** Number of items in the file, by kind. */
  readonly counts: Readonly<Record<string, number>>;
  /** Notes for the people who open it. */
  readonly notes: readonly string[];
  /** Files written beside the main one. */
  readonly beside?: readonly string[];
}

/** Most points of one export: 60 MB in memory. */
export const MAX_POINTS = 4_000_000;
