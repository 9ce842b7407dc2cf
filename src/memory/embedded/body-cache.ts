import { type BodyFacts, bodyFacts } from "../rows/scan.ts";
import type { Connection } from "../sqlite/connection.ts";
import type { CursorValues } from "./cursor.ts";

/** How many rows are cached: a few hundred bytes each. */
const MOST_BODIES = 32_768;

/**
 * What conditions ask of the bodies of rows, read once: a row never changes, and its number is never used again. What was
 * forgotten is forgotten here too.
 */
export class BodyCache {
  readonly #connection: Connection;
  readonly #known = new Map<number, BodyFacts>();
  #forgotten = "";

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  at({ epoch, forgotten }: CursorValues): void {
    const until = `${epoch}/${forgotten}`;
    if (until !== this.#forgotten) this.#known.clear();
    this.#forgotten = until;
  }

  /** Undefined for a deleted row. */
  of(row: number): BodyFacts | undefined {
    const known = this.#known.get(row);
    if (known !== undefined) return known;
    const cells = this.#connection.row("SELECT body FROM record WHERE row = ?", row);
    if (cells === undefined) return undefined;
    const facts = bodyFacts(String(cells[0]));
    if (this.#known.size >= MOST_BODIES) this.#known.clear();
    this.#known.set(row, facts);
    return facts;
  }
}
