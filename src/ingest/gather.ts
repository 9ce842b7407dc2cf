import type { WriteBatch } from "../memory/index.ts";
import type { FrameEdgeInput, RecordInput, SightingInput } from "../schema/core.ts";

/** What a stage adds to a frame's write. */
export interface Addition {
  readonly records?: readonly RecordInput[];
  readonly sightings?: readonly SightingInput[];
  readonly blobs?: readonly Uint8Array[];
}

/** The one write of a frame: the additions of every stage, with the latest version of each record. */
export class Gather {
  readonly #records = new Map<string, RecordInput>();
  readonly #sightings: SightingInput[] = [];
  readonly #blobs: Uint8Array[] = [];
  readonly #frames: FrameEdgeInput[] = [];

  add({ records = [], sightings = [], blobs = [] }: Addition): void {
    for (const record of records) this.#records.set(record.id, record);
    this.#sightings.push(...sightings);
    this.#blobs.push(...blobs);
  }

  frames(edges: readonly FrameEdgeInput[]): void {
    this.#frames.push(...edges);
  }

  get records(): readonly RecordInput[] {
    return [...this.#records.values()];
  }

  get sightings(): readonly SightingInput[] {
    return this.#sightings;
  }

  get isEmpty(): boolean {
    return this.#records.size + this.#sightings.length + this.#frames.length === 0;
  }

  batch(): WriteBatch {
    return {
      records: this.records,
      sightings: this.#sightings,
      frames: this.#frames,
      blobs: this.#blobs,
    };
  }
}
