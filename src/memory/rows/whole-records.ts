import { GOES_WITH, referencesOf, type Stored } from "../../schema/core.ts";
import { withoutIds } from "./without-forgotten.ts";

/** Finds the records that a restricted reader may be told of: their current version and all it needs are visible. */
export class WholeRecords {
  readonly #untilUs: number;
  readonly #current = new Set<string>();
  readonly #needs = new Map<string, Set<string>>();

  constructor(untilUs: number) {
    this.#untilUs = untilUs;
  }

  /** One version that the reader may see. */
  add(record: Stored): void {
    const { supersededAtUs } = record;
    if (supersededAtUs === null || supersededAtUs > this.#untilUs) this.#current.add(record.id);
    const needed = this.#needs.get(record.id) ?? new Set();
    for (const { field, id } of referencesOf(record))
      if (GOES_WITH[record.kind].includes(field)) needed.add(id);
    this.#needs.set(record.id, needed);
  }

  ids(): ReadonlySet<string> {
    const current = this.#current;
    for (let before = -1; before !== current.size; ) {
      before = current.size;
      for (const id of current)
        for (const other of this.#needs.get(id)!) if (!current.has(other)) current.delete(id);
    }
    return current;
  }
}

/** A version as this reader may see it. */
export function asSeen(record: Stored, there: ReadonlySet<string> | undefined, untilUs: number): Stored {
  if (there === undefined) return record;
  const hidden = new Set(referencesOf(record).flatMap(({ id }) => (there.has(id) ? [] : [id])));
  const ended = record.supersededAtUs !== null && record.supersededAtUs > untilUs;
  return { ...withoutIds(record, hidden), ...(ended && { supersededAtUs: null }) } as Stored;
}
