import type { DatabaseSync, StatementSync } from "node:sqlite";
import { assert, LociError } from "../../schema/core.ts";

/**
 * Strings that repeat (scenes, agents, categories, frames, label sets) as small integers. A number always means the
 * same string; a forgotten string returns under another number (see Connection.refreshNames).
 */
export class Dictionary {
  readonly #byText = new Map<string, number>();
  readonly #byId = new Map<number, string>();
  readonly #insert: StatementSync | undefined;
  readonly #selectId: StatementSync;
  readonly #selectText: StatementSync;

  constructor(db: DatabaseSync, table: "name" | "label_set", writable: boolean) {
    const column = table === "name" ? "text" : "labels";
    this.#selectId = db.prepare(`SELECT id FROM ${table} WHERE ${column} = ?`);
    this.#selectText = db.prepare(`SELECT ${column} AS text FROM ${table} WHERE id = ?`);
    if (writable) this.#insert = db.prepare(`INSERT INTO ${table} (${column}) VALUES (?)`);
  }

  /** The number of a string that was stored before, if it was. */
  find(text: string): number | undefined {
    const known = this.#byText.get(text);
    if (known !== undefined) return known;
    const row = this.#selectId.get(text);
    if (row === undefined) return undefined;
    return this.#remember(Number(row["id"]), text);
  }

  /** The number of a string, stored now if it is new; only inside a write transaction. */
  intern(text: string): number {
    const known = this.find(text);
    if (known !== undefined) return known;
    assert(this.#insert, "interning needs the writing connection");
    return this.#remember(Number(this.#insert.run(text).lastInsertRowid), text);
  }

  textOf(id: number): string {
    const known = this.#byId.get(id);
    if (known !== undefined) return known;
    const row = this.#selectText.get(id);
    if (row === undefined) throw new LociError("memory-corrupt", `name ${id} is missing; run verify`);
    this.#remember(id, String(row["text"]));
    return String(row["text"]);
  }

  /** After a rollback: names interned by the transaction are gone. */
  forgetCached(): void {
    this.#byText.clear();
    this.#byId.clear();
  }

  #remember(id: number, text: string): number {
    this.#byText.set(text, id);
    this.#byId.set(id, text);
    return id;
  }
}
