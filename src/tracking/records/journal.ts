import type { RecordInput, SightingInput } from "../../schema/core.ts";

export type RecordInputOf<K extends RecordInput["kind"]> = Extract<RecordInput, { kind: K }>;

/** How often each thing happened in a step, for progress and summaries. */
export interface TrackerCounts {
  detections: number;
  matched: number;
  adjudicated: number;
  created: number;
  confirmed: number;
  dropped: number;
  merged: number;
  ended: number;
  moved: number;
  changed: number;
}

/** The output of one step; of a record written twice only the last version is kept. */
export class Journal {
  readonly #records = new Map<string, RecordInput>();
  readonly sightings: SightingInput[] = [];
  /** States begun, ended, moved or changed. */
  readonly changed = new Set<string>();
  readonly counts: TrackerCounts = {
    detections: 0,
    matched: 0,
    adjudicated: 0,
    created: 0,
    confirmed: 0,
    dropped: 0,
    merged: 0,
    ended: 0,
    moved: 0,
    changed: 0,
  };

  put(record: RecordInput): void {
    this.#records.set(record.id, record);
  }

  get records(): RecordInput[] {
    return [...this.#records.values()];
  }
}
