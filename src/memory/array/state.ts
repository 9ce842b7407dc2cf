import type { FrameEdge, TimeUs } from "../../geometry/index.ts";
import type { EmbedderInfo, RecordKind, Sighting, Stored } from "../../schema/index.ts";
import type { Calibration, VectorSpace, Work } from "../port.ts";

/** The content of an array memory: plain lists in the order of writing, scanned in full every time. */
export interface ArrayState {
  /** Every version of every record. */
  rows: Stored[];
  sightings: { readonly recordedAtUs: TimeUs; readonly sighting: Sighting }[];
  edges: { readonly recordedAtUs: TimeUs; readonly edge: FrameEdge }[];
  /** Every line ever given, with its vector where one is known. */
  texts: Map<string, Float32Array | null>;
  imageVectors: Map<string, Float32Array>;
  blobs: Map<string, Uint8Array>;
  forgotten: { readonly id: string; readonly atUs: TimeUs; readonly reason: string }[];
  embedders: Record<VectorSpace, EmbedderInfo | null>;
  calibrations: Map<VectorSpace, Calibration>;
  lastCommitUs: TimeUs;
  works: Map<string, Omit<Work, "isAlone"> & { lastUs: TimeUs }>;
}

export function emptyState(): ArrayState {
  return {
    rows: [],
    sightings: [],
    edges: [],
    texts: new Map(),
    imageVectors: new Map(),
    blobs: new Map(),
    forgotten: [],
    embedders: { text: null, image: null },
    calibrations: new Map(),
    lastCommitUs: Number.NEGATIVE_INFINITY,
    works: new Map(),
  };
}

/** The version that is believed now. */
export function headOf(state: ArrayState, id: string): Stored | undefined {
  return state.rows.find((row) => row.id === id && row.supersededAtUs === null);
}

export function kindOf(state: ArrayState, id: string): RecordKind | undefined {
  return state.rows.find((row) => row.id === id)?.kind;
}

/** JSON with sorted keys: two records are equal iff this is (−0 is 0, an undefined field is an absent one). */
export function canonical(value: unknown): string {
  return JSON.stringify(ordered(value));
}

/** Written by hand: a replacer called for every field took a quarter of the contract's time. */
function ordered(value: unknown): unknown {
  if (typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map(ordered);
  const row = value as Readonly<Record<string, unknown>>;
  return Object.fromEntries(
    Object.keys(row)
      .sort()
      .map((key) => [key, ordered(row[key])]),
  );
}
