import type { Stored } from "../../schema/core.ts";
import { COLUMN, decodeRecord, type Row, unpackIds } from "../rows/codec.ts";
import type { Connection } from "../sqlite/connection.ts";
import type { CursorValues } from "./cursor.ts";

/** A row of the truth that was checked against its sum, with its lines. */
export interface KeptRow {
  readonly cells: Row;
  readonly texts: readonly string[];
}

/** Each half of the cache holds no more rows and no more characters of text than this: some 64 MB. */
const HALF = { rows: 32_768, chars: 32 * 1024 * 1024 };

/**
 * Rows of believed records that searches found lately, for all readers of an engine: the index has already checked
 * access. A row that the index holds never changes, and its number is never reused; forgotten rows are dropped here
 * too. Kept in two halves: when the younger is full it replaces the elder, whose unused rows are dropped.
 */
export class RowCache {
  readonly #half: typeof HALF;
  #young = new Map<number, KeptRow>();
  #old = new Map<number, KeptRow>();
  #chars = 0;
  #epoch = -1;
  #forgotten = -1;

  constructor(half = HALF) {
    this.#half = half;
  }

  /** As of a state of the index. */
  at({ epoch, forgotten }: CursorValues): void {
    if (epoch === this.#epoch && forgotten === this.#forgotten) return;
    this.#epoch = epoch;
    this.#forgotten = forgotten;
    this.#young.clear();
    this.#old.clear();
    this.#chars = 0;
  }

  of(row: number): KeptRow | undefined {
    const young = this.#young.get(row);
    if (young !== undefined) return young;
    const old = this.#old.get(row);
    if (old !== undefined) this.#put(row, old);
    return old;
  }

  /** Keeps a row as it was read; a damaged one is refused. */
  add(connection: Connection, row: number, cells: Row): KeptRow {
    connection.check(cells);
    const texts = unpackIds(cells[COLUMN.lines]).map(connection.textOf);
    // The index found it as believed; the truth may have changed since.
    const kept = { cells: cells.with(COLUMN.supersededAt, null), texts };
    this.#put(row, kept);
    return kept;
  }

  #put(row: number, kept: KeptRow): void {
    const chars = charsOf(kept);
    if (this.#young.size >= this.#half.rows || this.#chars + chars > this.#half.chars) {
      this.#old = this.#young;
      this.#young = new Map();
      this.#chars = 0;
    }
    this.#young.set(row, kept);
    this.#chars += chars;
  }
}

/** The record of a row, a fresh copy that the caller may change. */
export function recordOf({ names, labelSets }: Connection, { cells, texts }: KeptRow): Stored {
  let line = 0;
  return decodeRecord(cells, { names, labelSets, textOf: () => texts[line++]! });
}

function charsOf({ cells, texts }: KeptRow): number {
  return texts.reduce((sum, text) => sum + text.length, String(cells[COLUMN.body]).length);
}
