import type { Cell } from "../rows/codec.ts";
import type { Connection } from "./connection.ts";

/** Rows a statement, largest first: most of the cost of a row is that of its statement. */
const SIZES = [32, 8, 1] as const;

/** Inserts rows in order; `into` is a table with its columns. Returns the row number of the first. */
export function insertRows(connection: Connection, into: Table, rows: readonly (readonly Cell[])[]): number {
  const used = usedColumns(into, rows);
  const statements = statementsFor(into, used);
  let first = 0;
  let at = 0;
  for (const size of SIZES) {
    for (; rows.length - at >= size; at += size) {
      const cells: Cell[] = [];
      for (let i = at; i < at + size; i++) {
        const row = rows[i]!;
        for (let k = 0; k < used.length; k++) cells.push(row[used[k]!]!);
      }
      const last = Number(connection.sql(statements.get(size)!).run(...cells).lastInsertRowid);
      if (at === 0) first = last - size + 1;
    }
  }
  return first;
}

/** The target of inserted rows. A column left out is null. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
  /** Columns that are often null for all rows of a batch: then they are left out, since each value handed over costs. */
  readonly sparse?: readonly (readonly number[])[];
}

/** Groups of sparse columns come and go together, so that there are few different statements. */
function usedColumns({ columns, sparse = [] }: Table, rows: readonly (readonly Cell[])[]): number[] {
  const unused = new Set(
    sparse.filter((group) => rows.every((row) => group.every((k) => row[k] === null))).flat(),
  );
  return columns.map((_, k) => k).filter((k) => !unused.has(k));
}

const known = new WeakMap<Table, Map<string, Map<number, string>>>();

/** One statement for each of SIZES, made once for every choice of columns. */
function statementsFor(table: Table, used: readonly number[]): ReadonlyMap<number, string> {
  let ofTable = known.get(table);
  if (ofTable === undefined) {
    ofTable = new Map();
    known.set(table, ofTable);
  }
  const key = used.join();
  let statements = ofTable.get(key);
  if (statements === undefined) {
    const row = `(${used.map(() => "?").join(", ")})`;
    const columns = used.map((k) => table.columns[k]).join(", ");
    const into = `INSERT INTO ${table.name} (${columns}) VALUES`;
    statements = new Map(SIZES.map((size) => [size, `${into} ${Array(size).fill(row).join(", ")}`]));
    ofTable.set(key, statements);
  }
  return statements;
}
