/** How far the index has followed the truth; one per index, shared by the threads, changed under its write lock. */
export interface CursorValues {
  /** The last row of `record` that is in. */
  readonly record: number;
  readonly forgotten: number;
  readonly frame: number;
  /** Raised when vectors changed under rows that are in already: then only building anew will do. */
  readonly epoch: number;
}

const FIELDS = ["record", "forgotten", "frame", "epoch"] as const;

/** A cursor in memory that threads share. */
export class Cursor {
  readonly buffer: SharedArrayBuffer;
  readonly #cells: Float64Array;

  constructor(buffer = new SharedArrayBuffer(FIELDS.length * 8)) {
    this.buffer = buffer;
    this.#cells = new Float64Array(buffer);
  }

  read(): CursorValues {
    const [record, forgotten, frame, epoch] = this.#cells;
    return { record: record!, forgotten: forgotten!, frame: frame!, epoch: epoch! };
  }

  set(values: Partial<CursorValues>): void {
    FIELDS.forEach((field, i) => {
      const value = values[field];
      if (value !== undefined) this.#cells[i] = value;
    });
  }
}
