import { countedUs, disownedName, MAX_AHEAD_US, type Origin } from "../log.ts";
import type { WriteBatch } from "../port.ts";
import type { Cell, Row } from "../rows/codec.ts";
import type { HeardRow } from "../rows/logged-batches.ts";
import type { Connection } from "./connection.ts";
import { sumOf } from "./sums.ts";

const PUT = "INSERT INTO heard (commit_us, memory, at, derived, sum) VALUES (?, ?, ?, ?, ?)";
/** `clockOf` over all rows. */
const CLOCK =
  "SELECT coalesce(max(CASE WHEN memory = ? OR at <= commit_us + ? THEN at ELSE commit_us END), 0) FROM heard";
const COLUMNS = "commit_us, memory, at, derived";

/** By which a memory is known to others. */
export function memoryId(connection: Connection): string {
  return String(connection.meta("databaseId"));
}

/** The origins of a memory's commits, kept by its writer. */
export class HeardKeeper {
  readonly #connection: Connection;
  /** The latest time heard from any memory. */
  #clockUs: number;

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#clockUs = Number(connection.row(CLOCK, memoryId(connection), MAX_AHEAD_US)![0]);
  }

  /** Whether a batch is here already. */
  has({ memory, atUs }: Origin): boolean {
    const [last] = this.#connection.row("SELECT max(at) FROM heard WHERE memory = ?", memory)!;
    return last !== null && Number(last) >= atUs;
  }

  /**
   * Records the origin of a commit, inside its transaction; for own commits only where their time would be behind what
   * was heard.
   */
  note(commitUs: number, { from, derived = false }: Pick<WriteBatch, "from" | "derived">): void {
    const atUs = from?.atUs ?? Math.max(commitUs, this.#clockUs + 1);
    if (from === undefined && atUs === commitUs && !derived) return;
    const own = memoryId(this.#connection);
    const row = { commitUs, memory: from?.memory ?? own, atUs, derived };
    insertHeard(this.#connection, row);
    this.#clockUs = Math.max(this.#clockUs, clockOf(row, own));
  }
}

/** Disowns the batches of a memory from a commit on; inside a transaction. */
export function disownHeard(connection: Connection, memory: string, fromUs: number): number {
  const rows = connection
    .rows(
      `SELECT ${COLUMNS} FROM heard WHERE memory = ? AND commit_us >= ? ORDER BY commit_us`,
      memory,
      fromUs,
    )
    .map(heardRow);
  if (rows.length === 0) return 0;
  const name = disownedName(memory, rows[0]!.commitUs);
  for (const { commitUs, atUs, derived } of rows) {
    const sum = sumOf([commitUs, name, atUs, Number(derived)]);
    connection.run("UPDATE heard SET memory = ?, sum = ? WHERE commit_us = ?", name, sum, commitUs);
  }
  connection.head.recount();
  return rows.length;
}

/** How far a memory's own stamps have to be after a commit: its own never go back, another's move it no further than counts. */
function clockOf({ commitUs, memory, atUs }: HeardRow, own: string): number {
  return memory === own ? atUs : countedUs(atUs, commitUs);
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
