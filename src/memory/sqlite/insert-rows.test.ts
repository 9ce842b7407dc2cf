import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { Connection } from "./connection.ts";
import { insertRows, type Table } from "./insert-rows.ts";
import { createTables } from "./tables.ts";

const TEXT: Table = { name: "meaning", columns: ["text", "hash"] };

it("numbers rows one after the other, however many there are", () => {
  const db = new DatabaseSync(":memory:");
  createTables(db);
  const connection = new Connection(db, ":memory:", true);
  let next = 1;
  for (const count of [1, 7, 8, 31, 32, 41, 105]) {
    const rows = Array.from({ length: count }, (_, i) => [`${count} ${i}`, i] as const);
    expect(insertRows(connection, TEXT, rows)).toBe(next);
    const stored = connection.rows("SELECT text, hash, id FROM meaning WHERE id >= ? ORDER BY id", next);
    expect(stored).toEqual(rows.map(([text, hash], i) => [text, hash, next + i]));
    next += count;
  }
  insertRows(connection, TEXT, []);
  expect(connection.row("SELECT count(*) FROM meaning")).toEqual([next - 1]);
  connection.close();
});
