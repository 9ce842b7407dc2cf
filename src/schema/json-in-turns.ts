import { inSlices } from "./effort.ts";
import { LociError } from "./errors.ts";

/** Text up to this size is parsed at once, which takes a few milliseconds. */
const SLICE_BYTES = 131_072;

export interface JsonBounds {
  /** Nesting depth of containers. */
  readonly depth: number;
  /** Arrays and objects in total, and members of one object. */
  readonly containers: number;
  readonly keys: number;
  /** The caller the text belongs to: callers take turns. */
  readonly caller?: string;
  /** For tests. */
  readonly sliceBytes?: number;
}

const [QUOTE, BACKSLASH, COMMA, COLON, OPEN, CLOSE, BEGIN, END] = [34, 92, 44, 58, 91, 93, 123, 125];

/** A container that is not closed yet. */
interface Level {
  readonly isArray: boolean;
  readonly start: number;
  /** Start of the text that was not parsed yet. */
  from: number;
  keys: number;
  /** The last string seen here, and whether a colon followed it. */
  keyStart: number;
  keyEnd: number;
  /** Set once a part of it was parsed on its own. */
  value: unknown[] | Record<string, unknown> | undefined;
  /** A part ended with a comma: a member must follow. */
  isMoreDue: boolean;
  /** A container that was parsed in parts has just been added. */
  isAfterPart: boolean;
  key: string;
}

/**
 * `JSON.parse` that yields to other work: long text is parsed in slices. Accepts what `JSON.parse` accepts, and
 * refuses text that is deeper, or has more parts, than allowed, as soon as that shows.
 */
export async function parseJsonInTurns(bytes: Uint8Array, bounds: JsonBounds): Promise<unknown> {
  const reader = new SlicedJson(bytes, bounds);
  const othersFirst = inSlices(bounds.caller, { known: true });
  do await othersFirst();
  while (!reader.go());
  return reader.value;
}

class SlicedJson {
  value: unknown;
  readonly #bytes: Buffer;
  readonly #bounds: JsonBounds;
  readonly #slice: number;
  readonly #levels: Level[] = [];
  #at = 0;
  #containers = 0;

  constructor(bytes: Uint8Array, bounds: JsonBounds) {
    this.#bytes = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#bounds = bounds;
    this.#slice = bounds.sliceBytes ?? SLICE_BYTES;
  }

  /** Processes one slice; returns true at the end. */
  go(): boolean {
    const bytes = this.#bytes;
    const until = Math.min(bytes.length, this.#at + this.#slice);
    while (this.#at < until) {
      const byte = bytes[this.#at]!;
      if (byte === QUOTE) this.#skipString();
      else if (byte === OPEN || byte === BEGIN) this.#open(byte === OPEN);
      else if (byte === COMMA) this.#comma();
      else if (byte === COLON) this.#colon();
      else if ((byte === CLOSE || byte === END) && this.#close(byte === CLOSE)) return true;
      this.#at++;
    }
    if (this.#at < bytes.length) return false;
    // The text has no closed container: it is a scalar or an error.
    this.value = JSON.parse(bytes.toString("utf8")) as unknown;
    return true;
  }

  #skipString(): void {
    const bytes = this.#bytes;
    const start = this.#at;
    let end = bytes.indexOf(QUOTE, start + 1);
    for (; end > 0; end = bytes.indexOf(QUOTE, end + 1)) {
      let slashes = 0;
      while (bytes[end - 1 - slashes] === BACKSLASH) slashes++;
      if (slashes % 2 === 0) break;
    }
    if (end < 0) throw new SyntaxError("Unterminated string in JSON");
    this.#at = end;
    const level = this.#levels.at(-1);
    if (level && !level.isArray) level.keyStart = start;
  }

  #open(isArray: boolean): void {
    if (this.#levels.length >= this.#bounds.depth)
      throw new LociError("invalid-input", `JSON is at most ${this.#bounds.depth} levels deep here`);
    if (this.#levels.length === 0 && !this.#isBlank(0, this.#at)) throw unexpected();
    if (++this.#containers > this.#bounds.containers)
      throw new LociError(
        "limit-exceeded",
        `JSON has at most ${this.#bounds.containers} arrays and objects here; send it in parts`,
      );
    this.#levels.push({
      ...{ isArray, start: this.#at, from: this.#at + 1, keys: 0, keyStart: -1, keyEnd: -1 },
      ...{ value: undefined, isMoreDue: false, isAfterPart: false, key: "" },
    });
  }

  #colon(): void {
    const level = this.#levels.at(-1);
    if (level === undefined || level.isArray) return;
    level.keyEnd = this.#at;
    if (++level.keys > this.#bounds.keys)
      throw new LociError("limit-exceeded", `an object has at most ${this.#bounds.keys} members here`);
  }

  #comma(): void {
    const level = this.#levels.at(-1);
    if (level === undefined) return;
    if (level.isAfterPart) this.#nextPart(level);
    else if (this.#at - level.from >= this.#slice) {
      this.#cut(this.#levels.length - 1);
      this.#read(level, this.#at);
      this.#nextPart(level);
    }
  }

  #nextPart(level: Level): void {
    if (level.isAfterPart && !this.#isBlank(level.from, this.#at)) throw unexpected();
    level.from = this.#at + 1;
    level.isMoreDue = true;
    level.isAfterPart = false;
  }

  /** Returns true once the outermost container is closed. */
  #close(isArray: boolean): boolean {
    const level = this.#levels.at(-1);
    if (level === undefined || level.isArray !== isArray) throw unexpected();
    const depth = this.#levels.length - 1;
    if (level.value !== undefined || depth === 0) {
      if (level.value === undefined) level.value = JSON.parse(this.#text(level.start, this.#at + 1)) as never;
      else this.#readLast(level);
    }
    this.#levels.pop();
    if (depth === 0) {
      if (!this.#isBlank(this.#at + 1, this.#bytes.length)) throw unexpected();
      this.value = level.value;
      return true;
    }
    if (level.value !== undefined) this.#put(this.#levels[depth - 1]!, level.value);
    return false;
  }

  #readLast(level: Level): void {
    if (!this.#isBlank(level.from, this.#at)) {
      if (level.isAfterPart) throw unexpected();
      this.#read(level, this.#at);
    } else if (level.isMoreDue && !level.isAfterPart) throw unexpected();
  }

  #put(parent: Level, value: unknown): void {
    if (Array.isArray(parent.value)) parent.value.push(value);
    else define(parent.value!, parent.key, value);
    parent.from = this.#at + 1;
    parent.isAfterPart = true;
  }

  /** From here on this container and its ancestors are parsed in parts; the text before is parsed now. */
  #cut(depth: number): void {
    const level = this.#levels[depth]!;
    if (level.value !== undefined) return;
    level.value = level.isArray ? [] : {};
    const parent = this.#levels[depth - 1];
    if (parent === undefined) return;
    this.#cut(depth - 1);
    if (parent.isAfterPart) throw unexpected();
    let end = level.start;
    if (!parent.isArray) {
      // Expects a key, a colon, and then this container.
      if (parent.keyStart < parent.from || parent.keyEnd < parent.keyStart) throw unexpected();
      if (!this.#isBlank(parent.keyEnd + 1, level.start)) throw unexpected();
      parent.key = JSON.parse(this.#text(parent.keyStart, parent.keyEnd)) as string;
      end = parent.keyStart;
    }
    if (this.#isBlank(parent.from, end)) return;
    const comma = this.#lastBefore(end);
    if (this.#bytes[comma] !== COMMA) throw unexpected();
    this.#read(parent, comma);
  }

  /** Parses the members of a container from where parsing stopped. */
  #read(level: Level, to: number): void {
    if (this.#isBlank(level.from, to)) throw unexpected();
    const text = this.#text(level.from, to);
    if (Array.isArray(level.value))
      for (const one of JSON.parse(`[${text}]`) as unknown[]) level.value.push(one);
    else
      for (const [key, one] of Object.entries(JSON.parse(`{${text}}`) as object))
        define(level.value!, key, one);
  }

  #lastBefore(end: number): number {
    let at = end - 1;
    while (at >= 0 && isSpace(this.#bytes[at]!)) at--;
    return at;
  }

  #isBlank(from: number, to: number): boolean {
    for (let at = from; at < to; at++) if (!isSpace(this.#bytes[at]!)) return false;
    return true;
  }

  #text(from: number, to: number): string {
    return this.#bytes.toString("utf8", from, to);
  }
}

const isSpace = (byte: number): boolean => byte === 32 || byte === 10 || byte === 13 || byte === 9;

/** As in `JSON.parse`, `__proto__` is an ordinary member. */
function define(object: object, key: string, value: unknown): void {
  Object.defineProperty(object, key, { value, enumerable: true, writable: true, configurable: true });
}

function unexpected(): SyntaxError {
  return new SyntaxError("Unexpected token in JSON");
}
