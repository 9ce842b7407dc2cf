import type { Origin } from "../log.ts";
import type { WriteBatch } from "../port.ts";
import type { Cell, Row } from "../rows/codec.ts";
import type { HeardRow } from "../rows/logged-batches.ts";
import type { Connection } from "./connection.ts";
import { sumOf } from "./sums.ts";

const PUT = "INSERT INTO heard (commit_us, memory, at, derived, sum) VALUES (?, ?, ?, ?, ?)";
const COLUMNS = "commit_us, memory, at, derived";

/** By which a memory is known to others. */
export function memoryId(connection: Connection): string {
  return String(connection.meta("databaseId"));
}

/** Whose the commits of a memory are, kept by its writer. */
export class HeardKeeper {
  readonly #connection: Connection;
  /** The latest time that was heard of, of whichever memory. */
  #clockUs: number;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#clockUs = Number(connection.row("SELECT coalesce(max(at), 0) FROM heard")![0]);
  }

  /** Whether a batch is here already. */
  has({ memory, atUs }: Origin): boolean {
    const [last] = this.#connection.row("SELECT max(at) FROM heard WHERE memory = ?", memory)!;
    return last !== null && Number(last) >= atUs;
  }

  /** Notes whose a commit is, inside its transaction; of one's own where its time would be behind what was heard. */
  note(commitUs: number, { from, derived = false }: Pick<WriteBatch, "from" | "derived">): void {
    const atUs = from?.atUs ?? Math.max(commitUs, this.#clockUs + 1);
    if (from === undefined && atUs === commitUs && !derived) return;
    insertHeard(this.#connection, {
      commitUs,
      memory: from?.memory ?? memoryId(this.#connection),
      atUs,
      derived,
    });
    this.#clockUs = Math.max(this.#clockUs, atUs);
  }
}

export function insertHeard(connection: Connection, { commitUs, memory, atUs, derived }: HeardRow): void {
  const cells: Cell[] = [commitUs, memory, atUs, Number(derived)];
  const sum = sumOf(cells);
  connection.run(PUT, ...cells, sum);
  connection.head.added("heard", [sum]);
}

function heardRow([commitUs, memory, atUs, derived]: Row): HeardRow {
  return {
    commitUs: Number(commitUs),
    memory: String(memory),
    atUs: Number(atUs),
    derived: Number(derived) === 1,
  };
}

/** Rows from a commit on, in order. */
export function heardFrom(connection: Connection, commitUs: number, limit: number): HeardRow[] {
  return connection
    .rows(`SELECT ${COLUMNS} FROM heard WHERE commit_us >= ? ORDER BY commit_us LIMIT ${limit}`, commitUs)
    .map(heardRow);
}

/** Every row, oldest first. */
export function heardRows(connection: Connection): HeardRow[] {
  return connection.rows(`SELECT ${COLUMNS} FROM heard ORDER BY commit_us`).map(heardRow);
}
