import type { Cell, Row } from "../rows/codec.ts";
import { textHash } from "../rows/text-hash.ts";

/** How far `text_address` reaches: the last text that is filed there. */
const FILED = "textsFiled";
/** Texts are kept in memory until there are this many, or this share of the filed ones. */
const MIN_TO_FILE = 8_192;
const SHARE_TO_FILE = 1 / 8;

/** The part of the connection used here. */
interface Statements {
  row(text: string, ...values: Cell[]): Row | undefined;
  rows(text: string, ...values: Cell[]): Row[];
  each(text: string, ...values: Cell[]): Iterable<Row>;
  run(text: string, ...values: Cell[]): number;
  meta(key: string): unknown;
  setMeta(key: string, value: unknown): void;
}

/**
 * Finds texts by content. An index over hashes is hit at random: a small batch would dirty nearly as many of its pages
 * as it has texts, each written whole to the log. So only the older texts are filed in such an index, many at a time
 * and in order; the newest, a bounded share, are kept by their hash in memory, read from the rows themselves when first
 * needed. A hash is only a hint: rows found are compared with the text, so equal hashes do no harm.
 */
export class TextAddresses {
  readonly #connection: Statements;
  #recent: Map<number, number | number[]> | undefined;
  #filed = 0;
  #last = 0;

  constructor(connection: Statements) {
    this.#connection = connection;
  }

  /** The numbers of the present ones of these texts, which come with their hashes. */
  find(wanted: ReadonlyMap<string, number>): Map<string, number> {
    const recent = this.#open();
    const near: number[] = [];
    const far: number[] = [];
    for (const hash of wanted.values()) {
      const known = recent.get(hash);
      if (typeof known === "number") near.push(known);
      else if (known !== undefined) near.push(...known);
      // A hash that is known in memory may be that of another text.
      if (this.#filed > 0) far.push(hash);
    }
    const found = new Map<string, number>();
    const take = (rows: Iterable<readonly unknown[]>) => {
      for (const [id, text] of rows) if (wanted.has(String(text))) found.set(String(text), Number(id));
    };
    if (near.length > 0) {
      take(
        this.#connection.rows(
          "SELECT id, text FROM meaning WHERE id IN (SELECT value FROM json_each(?))",
          JSON.stringify(near),
        ),
      );
    }
    if (far.length > 0) {
      take(
        this.#connection.rows(
          "SELECT m.id, m.text FROM json_each(?) j CROSS JOIN text_address a ON a.hash = j.value CROSS JOIN meaning m ON m.id = a.meaning",
          JSON.stringify(far),
        ),
      );
    }
    return found;
  }

  /** Takes note of texts that were just written, numbered one after the other. */
  added(hashes: readonly number[], first: number): void {
    const recent = this.#open();
    hashes.forEach((hash, i) => {
      note(recent, hash, first + i);
    });
    this.#last = Math.max(this.#last, first + hashes.length - 1);
  }

  /** True once enough texts are waiting. */
  isFilingDue(): boolean {
    return this.#open().size >= Math.max(MIN_TO_FILE, this.#filed * SHARE_TO_FILE);
  }

  /** Files the waiting texts, if they are enough; only inside a write transaction. */
  fileIfDue(): void {
    if (!this.isFilingDue()) return;
    const recent = this.#open();
    this.#connection.run(
      "INSERT INTO text_address (hash, meaning) SELECT hash, id FROM meaning WHERE id > ? AND text IS NOT NULL ORDER BY hash, id",
      this.#filed,
    );
    this.#filed = this.#last;
    this.#connection.setMeta(FILED, this.#filed);
    recent.clear();
  }

  /** Before a text is deleted. */
  remove(meaning: number): void {
    const hash = this.#connection.row("SELECT hash FROM meaning WHERE id = ?", meaning)?.[0];
    if (hash === null || hash === undefined) return;
    this.#connection.run("DELETE FROM text_address WHERE hash = ? AND meaning = ?", hash, meaning);
    // The cache is read again: forgetting is rare.
    this.#recent = undefined;
  }

  /** After a rollback, or when another process may have written: what is in memory is read again. */
  forgetCached(): void {
    this.#recent = undefined;
  }

  /** The disagreement between addresses and texts, if any; `mend` files everything anew. */
  problem(): string | undefined {
    const filed = Number(this.#connection.meta(FILED) ?? 0);
    const [missing, spare] = this.#connection.row(
      `SELECT (SELECT count(*) FROM meaning m WHERE m.text IS NOT NULL AND m.id <= ?1 AND NOT EXISTS
                 (SELECT 1 FROM text_address a WHERE a.hash = m.hash AND a.meaning = m.id)),
              (SELECT count(*) FROM text_address a WHERE a.meaning > ?1 OR NOT EXISTS
                 (SELECT 1 FROM meaning m WHERE m.id = a.meaning AND m.hash = a.hash))`,
      filed,
    )!;
    if (Number(missing) + Number(spare) === 0) return undefined;
    return `${missing} texts cannot be found by their content, ${spare} addresses lead nowhere`;
  }

  mend(): void {
    this.#connection.run("DELETE FROM text_address");
    this.#connection.setMeta(FILED, 0);
    this.#recent = undefined;
  }

  #open(): Map<number, number | number[]> {
    if (this.#recent !== undefined) return this.#recent;
    this.#filed = Number(this.#connection.meta(FILED) ?? 0);
    this.#last = this.#filed;
    const recent = new Map<number, number | number[]>();
    for (const [id, hash] of this.#connection.each(
      "SELECT id, hash FROM meaning WHERE id > ? AND text IS NOT NULL",
      this.#filed,
    )) {
      note(recent, Number(hash), Number(id));
      this.#last = Number(id);
    }
    this.#recent = recent;
    return recent;
  }
}

function note(recent: Map<number, number | number[]>, hash: number, id: number): void {
  const known = recent.get(hash);
  recent.set(hash, known === undefined ? id : typeof known === "number" ? [known, id] : [...known, id]);
}

/** Texts with their hashes, each once. */
export function hashesOf(texts: Iterable<string>): Map<string, number> {
  const hashes = new Map<string, number>();
  for (const text of texts) if (!hashes.has(text)) hashes.set(text, textHash(text));
  return hashes;
}
