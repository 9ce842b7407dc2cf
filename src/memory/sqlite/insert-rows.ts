import type { Cell } from "./codec.ts";
import type { Connection } from "./connection.ts";

/** Rows a statement, largest first: most of the cost of a row is that of its statement. */
const SIZES = [32, 8, 1] as const;

/** Inserts rows in order; `into` is a table with its columns. Returns the row number of the first. */
export function insertRows(connection: Connection, into: Table, rows: readonly (readonly Cell[])[]): number {
  let first = 0;
  let at = 0;
  for (const size of SIZES) {
    for (; rows.length - at >= size; at += size) {
      const cells: Cell[] = [];
      for (let i = at; i < at + size; i++) for (const cell of rows[i]!) cells.push(cell);
      const last = Number(connection.sql(statement(into, size)).run(...cells).lastInsertRowid);
      if (at === 0) first = last - size + 1;
    }
  }
  return first;
}

/** What rows are inserted into. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

const statements = new WeakMap<Table, Map<number, string>>();

function statement(table: Table, size: number): string {
  let known = statements.get(table);
  if (known === undefined) {
    known = new Map();
    statements.set(table, known);
  }
  let sql = known.get(size);
  if (sql === undefined) {
    const row = `(${table.columns.map(() => "?").join(", ")})`;
    sql = `INSERT INTO ${table.name} (${table.columns.join(", ")}) VALUES ${Array(size).fill(row).join(", ")}`;
    known.set(size, sql);
  }
  return sql;
}
