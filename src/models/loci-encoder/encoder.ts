import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * A static sentence encoder: a text is the normalised sum of the vectors of its words
 * and of its two-word phrases, each weighted as it was trained (the weight is folded
 * into the row). Words unknown to the table are read by their letters (hashed
 * 3- to 5-grams). Words that stand after a relation ("on", "left", "behind" …) go
 * through a learned diagonal, so "mug left of plate" differs from "plate left of mug".
 *
 * Only + − × ÷ and Math.sqrt on doubles in a fixed order are used, so the same text gives
 * the same bits on every platform. Linear in the length of the text, and only the first
 * 4,096 words of a text count. The recipe is in training/.
 */
export class LociEncoder {
  readonly id = "loci-encoder-v1";
  readonly dim: number;
  readonly #table: Table;
  readonly #plain: Float64Array;
  readonly #behind: Float64Array;

  private constructor(table: Table) {
    this.#table = table;
    this.dim = table.dim;
    this.#plain = new Float64Array(table.dim);
    this.#behind = new Float64Array(table.dim);
  }

  /** Reads the weights from bytes; throws an error with code "encoder-file-invalid" when they are not ours. */
  static load(bytes: Uint8Array): LociEncoder {
    return new LociEncoder(parse(bytes));
  }

  /** Reads the weights that are shipped beside this file. */
  static open(): LociEncoder {
    return LociEncoder.load(readFileSync(new URL("./loci-encoder-v1.bin", import.meta.url)));
  }

  /** A unit vector, or null when the text means nothing here: empty, only stop words, no known script. */
  encode(text: string): Float32Array | null {
    const { dim, after } = this.#table;
    const plain = this.#plain.fill(0);
    const behind = this.#behind.fill(0);
    if (this.#sum(text) === 0) return null;
    let squares = 0;
    for (let j = 0; j < dim; j++) {
      const value = plain[j]! + behind[j]! * after[j]!;
      plain[j] = value;
      squares += value * value;
    }
    if (!(squares > 0)) return null;
    const norm = Math.sqrt(squares);
    const out = new Float32Array(dim);
    for (let j = 0; j < dim; j++) out[j] = plain[j]! / norm;
    return out;
  }

  /** Adds up the rows of a text; returns how many words counted. */
  #sum(text: string): number {
    const table = this.#table;
    let counted = 0;
    let last = 0;
    let afterRelation = false;
    scan(text, (key, word, start, end) => {
      const found = table.find(key);
      if (found === STOP) return;
      const relation = table.relations.has(key);
      const into = afterRelation && !relation ? this.#behind : this.#plain;
      if (found >= 0) table.add(found, into);
      else table.addLetters(word.slice(start, end).toLowerCase(), into);
      if (counted > 0) {
        const phrase = table.find(hashPair(last, key));
        if (phrase >= 0) table.add(phrase, this.#plain);
      }
      if (relation) afterRelation = true;
      last = key;
      counted++;
    });
    return counted;
  }
}

const MAGIC = 0x49434f4c; // "LOCI"
const MAGIC_END = 0x31434e45; // "ENC1"
const FORMAT = 1;
const HEADER_BYTES = 64;
const MAX_WORDS = 4096;
const MAX_WORD_CHARS = 40;
const MAX_CHARS = 1 << 18;
const FNV_START = 0x811c9dc5;
const FNV_PRIME = 0x01000193;
const NONE = -1;
const STOP = -2;

/** The rows of the file and an open-addressing index over the keys of words and phrases. */
class Table {
  readonly dim: number;
  readonly after: Float32Array;
  readonly relations: Set<number>;
  readonly #keyed: number;
  readonly #grams: number;
  readonly #scales: Float32Array;
  readonly #rows: Int8Array;
  readonly #slotKey: Uint32Array;
  readonly #slotRow: Int32Array;
  readonly #mask: number;
  readonly #letters: Float64Array;

  constructor(parts: Parts) {
    this.dim = parts.dim;
    this.after = parts.after;
    this.relations = new Set(parts.relations);
    this.#keyed = parts.keys.length;
    this.#grams = parts.grams;
    this.#scales = parts.scales;
    this.#rows = parts.rows;
    this.#letters = new Float64Array(parts.dim);
    let size = 1024;
    while (size < 2 * (parts.keys.length + parts.stops.length)) size *= 2;
    this.#mask = size - 1;
    this.#slotKey = new Uint32Array(size);
    this.#slotRow = new Int32Array(size).fill(NONE);
    for (let row = 0; row < parts.keys.length; row++) this.#put(parts.keys[row]!, row);
    for (const key of parts.stops) this.#put(key, STOP);
  }

  #put(key: number, row: number): void {
    let slot = key & this.#mask;
    while (this.#slotRow[slot] !== NONE) slot = (slot + 1) & this.#mask;
    this.#slotKey[slot] = key;
    this.#slotRow[slot] = row;
  }

  find(key: number): number {
    let slot = key & this.#mask;
    for (;;) {
      const row = this.#slotRow[slot]!;
      if (row === NONE || this.#slotKey[slot] === key) return row;
      slot = (slot + 1) & this.#mask;
    }
  }

  add(row: number, into: Float64Array): void {
    const rows = this.#rows;
    const scale = this.#scales[row]!;
    let at = row * this.dim;
    for (let j = 0; j < into.length; j++) into[j]! += scale * rows[at++]!;
  }

  /** The mean of the rows of the 3- to 5-grams of <word>. */
  addLetters(word: string, into: Float64Array): void {
    const sum = this.#letters.fill(0);
    const marked = `<${word}>`;
    let count = 0;
    for (let size = 3; size <= 5; size++) {
      for (let i = 0; i + size <= marked.length; i++) {
        this.add(this.#keyed + (hashText(marked.slice(i, i + size)) % this.#grams), sum);
        count++;
      }
    }
    for (let j = 0; j < sum.length; j++) into[j]! += sum[j]! / count;
  }
}

interface Parts {
  dim: number;
  grams: number;
  keys: Uint32Array;
  scales: Float32Array;
  stops: Uint32Array;
  relations: Uint32Array;
  after: Float32Array;
  rows: Int8Array;
}

/** The layout is written down in training/export.py. */
function parse(input: Uint8Array): Table {
  if (input.length < HEADER_BYTES)
    throw invalid(`expected at least ${HEADER_BYTES} bytes, got ${input.length}`);
  const bytes = input.byteOffset % 4 === 0 ? input : Uint8Array.from(input);
  const header = new DataView(bytes.buffer, bytes.byteOffset, HEADER_BYTES);
  const field = (index: number): number => header.getUint32(index * 4, true);
  if (field(0) !== MAGIC || field(1) !== MAGIC_END) throw invalid("the file does not start with LOCIENC1");
  if (field(2) !== FORMAT) throw invalid(`expected format version ${FORMAT}, got ${field(2)}`);
  const [dim, keyed, grams, stops, relations] = [field(3), field(4), field(5), field(6), field(7)];
  const total = keyed + grams;
  const expected = HEADER_BYTES + 4 * (keyed + total + stops + relations + dim) + total * dim;
  if (dim === 0 || grams === 0 || bytes.length !== expected) {
    throw invalid(`expected ${expected} bytes, got ${bytes.length}`);
  }
  const sum = createHash("sha256").update(bytes.subarray(HEADER_BYTES)).digest("hex");
  const stated = Buffer.from(bytes.subarray(32, HEADER_BYTES)).toString("hex");
  if (sum !== stated) throw invalid(`checksum ${sum.slice(0, 12)}… does not match ${stated.slice(0, 12)}…`);
  let at = bytes.byteOffset + HEADER_BYTES;
  const take = (count: number): number => {
    const start = at;
    at += count * 4;
    return start;
  };
  const buffer = bytes.buffer;
  return new Table({
    dim,
    grams,
    keys: new Uint32Array(buffer, take(keyed), keyed),
    scales: new Float32Array(buffer, take(total), total),
    stops: new Uint32Array(buffer, take(stops), stops),
    relations: new Uint32Array(buffer, take(relations), relations),
    after: new Float32Array(buffer, take(dim), dim),
    rows: new Int8Array(buffer, at, total * dim),
  });
}

function invalid(reason: string): Error {
  return Object.assign(new Error(`encoder file is not usable: ${reason}; restore loci-encoder-v1.bin`), {
    code: "encoder-file-invalid",
  });
}

type Visit = (key: number, text: string, start: number, end: number) => void;

/**
 * Visits the words of a text: runs of ASCII letters or of digits, whatever their case; anything
 * else separates. "don't" and its kin are visited as "not". Accents are taken off first.
 */
function scan(input: string, visit: Visit): void {
  // A bound on the work before words are counted: no text of MAX_WORDS words needs more characters.
  const cut = input.length > MAX_CHARS ? input.slice(0, MAX_CHARS) : input;
  const text = isAscii(cut) ? cut : cut.normalize("NFKD").replace(/[\u0300-\u036f]/g, "");
  let seen = 0;
  let i = 0;
  while (i < text.length && seen < MAX_WORDS) {
    const kind = kindOf(text.charCodeAt(i));
    if (kind === OTHER) {
      i++;
      continue;
    }
    const start = i;
    const most = start + MAX_WORD_CHARS;
    let hash = FNV_START;
    for (; i < text.length && kindOf(text.charCodeAt(i)) === kind; i++) {
      if (i < most)
        hash = Math.imul(hash ^ (kind === LETTER ? text.charCodeAt(i) | 32 : text.charCodeAt(i)), FNV_PRIME);
    }
    if (kind === LETTER && isNegation(text, i)) {
      visit(NOT, "not", 0, 3);
      i += 2;
    } else {
      visit(mix(hash), text, start, Math.min(i, most));
    }
    seen++;
  }
}

const OTHER = 0;
const LETTER = 1;
const DIGIT = 2;

function kindOf(c: number): number {
  if ((c >= 97 && c <= 122) || (c >= 65 && c <= 90)) return LETTER;
  return c >= 48 && c <= 57 ? DIGIT : OTHER;
}

/** Whether a word that ends at `at` goes on as n't: don't, isn't, can't. */
function isNegation(text: string, at: number): boolean {
  const quote = text.charCodeAt(at);
  if (quote !== 0x27 && quote !== 0x2019) return false;
  if ((text.charCodeAt(at - 1) | 32) !== 110 || (text.charCodeAt(at + 1) | 32) !== 116) return false;
  return at + 2 >= text.length || kindOf(text.charCodeAt(at + 2)) !== LETTER;
}

function isAscii(text: string): boolean {
  for (let i = 0; i < text.length; i++) if (text.charCodeAt(i) > 127) return false;
  return true;
}

/** FNV-1a over character codes, then a finishing mix; words are ASCII. */
function hashText(text: string): number {
  let h = FNV_START;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), FNV_PRIME);
  return mix(h);
}

function hashPair(first: number, second: number): number {
  return mix(Math.imul(first, 0x9e3779b1) ^ second);
}

function mix(value: number): number {
  let h = value;
  h ^= h >>> 16;
  h = Math.imul(h, 0x85ebca6b);
  h ^= h >>> 13;
  h = Math.imul(h, 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

const NOT = hashText("not");
