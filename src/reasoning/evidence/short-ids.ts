/** The kinds of short ids, shown by the first letter. */
export type ShortKind = "thing" | "room" | "picture" | "event" | "caption" | "place";

const LETTERS: Readonly<Record<ShortKind, string>> = {
  thing: "t",
  room: "r",
  picture: "p",
  event: "e",
  caption: "c",
  place: "l",
};

/** The most short ids. */
const MOST = 10_000;

/**
 * Short names for records while one question is answered: "t12" costs a model two tokens, a record's own id ten or
 * more, and models misspell long ones. A record keeps its short name throughout.
 */
export class ShortIds {
  readonly #shortOf = new Map<string, string>();
  readonly #fullOf = new Map<string, string>();
  readonly #counts = new Map<ShortKind, number>();

  /** The short id of a record; a new one where it has none. Past the limit the record's own. */
  of(id: string, kind: ShortKind): string {
    const known = this.#shortOf.get(id);
    if (known !== undefined) return known;
    if (this.#shortOf.size >= MOST) return id;
    const number = (this.#counts.get(kind) ?? 0) + 1;
    this.#counts.set(kind, number);
    const short = `${LETTERS[kind]}${number}`;
    this.#shortOf.set(id, short);
    this.#fullOf.set(short, id);
    return short;
  }

  /** Another id of the same record: a state of a thing whose track has the name. */
  alias(id: string, short: string): void {
    if (!this.#shortOf.has(id) && this.#shortOf.size < MOST) this.#shortOf.set(id, short);
  }

  /** The record for a short id, in brackets or not, or for a whole id that has a short one. */
  full(said: string): string | undefined {
    const plain = said.trim().replace(/^\[(.*)\]$/, "$1");
    const byShort = this.#fullOf.get(plain.toLowerCase());
    if (byShort !== undefined) return byShort;
    const short = this.#shortOf.get(plain);
    return short === undefined ? undefined : this.#fullOf.get(short);
  }

  /** The short id of a record, if it has one. */
  known(id: string): string | undefined {
    return this.#shortOf.get(id);
  }
}
