import { DatabaseSync } from "node:sqlite";
import { expect, it } from "vitest";
import { Connection } from "./connection.ts";
import { insertRows, type Table } from "./insert-rows.ts";
import { createTables } from "./tables.ts";

const TEXT: Table = { name: "meaning", columns: ["text", "hash"] };

it("leaves out columns that no row of a batch uses, and only those", () => {
  const db = new DatabaseSync(":memory:");
  createTables(db);
  const connection = new Connection(db, ":memory:", true);
  const table: Table = { name: "meaning", columns: ["text", "hash", "image"], sparse: [[0, 1], [2]] };
  const blob = new Uint8Array([1]);
  const rows = [
    ["a", 1, null],
    ["b", null, null],
    [null, null, blob],
  ] as const;
  for (const batch of [rows.slice(0, 2), rows.slice(2), rows.slice(0, 1)]) {
    const first = insertRows(connection, table, batch);
    expect(connection.rows("SELECT text, hash, image FROM meaning WHERE id >= ? ORDER BY id", first)).toEqual(
      batch,
    );
  }
  insertRows(connection, table, [[null, 7, new Uint8Array([2])]]);
  expect(connection.row("SELECT text, hash FROM meaning WHERE id = 5")).toEqual([null, 7]);
  connection.close();
});

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
