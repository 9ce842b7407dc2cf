import { closeSync, constants, openSync, readSync, writeSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Cell, Row } from "../rows/codec.ts";
import { addSums, SUM_RANGE, sumOf } from "./sums.ts";

/** Tables with a checksum in each row. */
export const SUMMED = ["record", "sighting", "frame_edge", "forgotten", "vector", "heard"] as const;
export type Summed = (typeof SUMMED)[number];

/** How many rows a table has and what their sums add up to. */
type Total = readonly [rows: number, sum: number];

/** The state of the memory as totals: each write transaction derives a new one from the last. */
export interface Head {
  /** Write transactions so far. */
  readonly commit: number;
  /** The head before and what all tables hold, in a number: two memories with the same went the same way. */
  readonly chain: number;
  readonly totals: Readonly<Record<Summed | "meta", Total>>;
}

/** The part of the connection used here. */
interface Statements {
  readonly path: string;
  row(text: string, ...values: Cell[]): Row | undefined;
  meta(key: string): unknown;
  setMeta(key: string, value: unknown): void;
}

const KEY = "head";

/**
 * Keeps the head of the chain of commits: in the database with every transaction, and beside it in a small file that is
 * written after each commit and never synced. A log that lost its end opens as an older memory, and looks whole; the
 * file then names commits that are missing. It can be behind, after a power cut, but never ahead.
 */
export class HeadKeeper {
  readonly #connection: Statements;
  readonly #added = new Map<Summed, { rows: number; sum: number }>();
  #isRecountDue = false;
  #head: Head | undefined;
  #file: number | undefined;
  #id: string | undefined;

  constructor(connection: Statements) {
    this.#connection = connection;
  }

  /** Rows that this transaction added, by their sums; `rows` 0 where a row changed by that much. */
  added(table: Summed, sums: readonly number[], rows = sums.length): void {
    const known = this.#added.get(table) ?? { rows: 0, sum: 0 };
    known.rows += rows;
    for (const sum of sums) known.sum = addSums(known.sum, sum);
    this.#added.set(table, known);
  }

  /** Rows were deleted or rewritten: the totals are counted anew at the end of the transaction. */
  recount(): void {
    this.#isRecountDue = true;
  }

  /** Computes the next head; last inside the transaction. */
  advance(): void {
    const before = this.#head ?? (this.#connection.meta(KEY) as Head | undefined);
    const totals = this.#totals(before);
    const commit = (before?.commit ?? 0) + 1;
    const chain = sumOf([before?.chain ?? 0, commit, JSON.stringify(totals)]);
    this.#head = { commit, chain, totals };
    this.#connection.setMeta(KEY, this.#head);
    this.#added.clear();
    this.#isRecountDue = false;
  }

  /** Notes the head in its file; after the commit. */
  note(): void {
    if (this.#head === undefined) return;
    try {
      this.#file ??= openNote(this.#connection.path);
      this.#id ??= String(this.#connection.meta("databaseId"));
      writeSync(this.#file, noteText(this.#id, this.#head), 0, "latin1");
    } catch {
      // A convenience of verify: no room or no permission is no reason to fail a write that is durable.
    }
  }

  /** After a rollback. */
  reset(): void {
    this.#head = undefined;
    this.#added.clear();
    this.#isRecountDue = false;
  }

  close(): void {
    if (this.#file !== undefined) closeSync(this.#file);
    this.#file = undefined;
  }

  #totals(before: Head | undefined): Head["totals"] {
    const totals =
      before === undefined || this.#isRecountDue ? countedTotals(this.#connection) : before.totals;
    if (totals !== before?.totals) return totals;
    const next = { ...totals, meta: metaTotal(this.#connection) };
    for (const [table, { rows, sum }] of this.#added)
      next[table] = [totals[table][0] + rows, addSums(totals[table][1], sum)];
    return next;
  }
}

/** The totals of the tables, counted row by row. */
export function countedTotals(connection: Pick<Statements, "row">): Head["totals"] {
  const total = (table: Summed): Total => {
    const [rows, sum] = connection.row(
      `SELECT count(*), coalesce(sum(sum), 0) % ${SUM_RANGE} FROM ${table}`,
    )!;
    return [Number(rows), Number(sum)];
  };
  const totals = Object.fromEntries(SUMMED.map((table) => [table, total(table)])) as Record<Summed, Total>;
  return { ...totals, meta: metaTotal(connection) };
}

function metaTotal(connection: Pick<Statements, "row">): Total {
  const [rows, sum] = connection.row(
    `SELECT count(*), coalesce(sum(sum), 0) % ${SUM_RANGE} FROM meta WHERE key <> '${KEY}'`,
  )!;
  return [Number(rows), Number(sum)];
}

/** The head as the database has it. */
export function storedHead(connection: Pick<Statements, "meta">): Head | undefined {
  return connection.meta(KEY) as Head | undefined;
}

export type Note = { readonly database: string; readonly commit: number; readonly chain: number };

/** The head as its file has it; undefined without one, "damaged" if it is not what was written. */
export function notedHead(database: string): Note | "damaged" | undefined {
  let text: string;
  try {
    const file = openSync(
      notePath(database),
      constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK,
    );
    try {
      const bytes = Buffer.alloc(NOTE_BYTES + 1);
      text = bytes.toString("latin1", 0, readSync(file, bytes, 0, bytes.length, 0));
    } finally {
      closeSync(file);
    }
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "ENOENT" ? undefined : "damaged";
  }
  // A crash between creating the file and its first note leaves it empty: the same as a missing one.
  if (text === "") return undefined;
  const [, id, commit, chain, check] = /^loci head (\w+) (\d+) (\d+) (\d+) *\n$/.exec(text) ?? [];
  if (check === undefined || Number(check) !== sumOf([id!, Number(commit), Number(chain)])) return "damaged";
  return { database: id!, commit: Number(commit), chain: Number(chain) };
}

/** The file that notes the head of a database. */
export function notePath(database: string): string {
  return join(dirname(database), "head");
}

const NOTE_BYTES = 128;

function openNote(database: string): number {
  const { O_RDWR, O_CREAT, O_NOFOLLOW, O_NONBLOCK } = constants;
  return openSync(notePath(database), O_RDWR | O_CREAT | O_NOFOLLOW | O_NONBLOCK, 0o600);
}

/** Always as long, so that the file never has to grow. */
function noteText(id: string, { commit, chain }: Head): string {
  const text = `loci head ${id} ${commit} ${chain} ${sumOf([id, commit, chain])}`;
  return `${text.padEnd(NOTE_BYTES - 1)}\n`;
}
