import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";

/**
 * A static sentence encoder: a text is the normalised sum of the vectors of its words, each with its trained weight
 * (folded into the row). Stop words are ignored; unknown words are represented by their letters (hashed 3- to
 * 5-grams).
 *
 * Only + − × ÷ and Math.sqrt on doubles in a fixed order are used, so the same text gives the same bits on every
 * platform. Linear in the length of the text, and only the first 4,096 words of a text count. The recipe and the
 * layout of the file are in training/.
 */
export class LociEncoder {
  readonly id = "loci-encoder-v3";
  readonly dim: number;
  readonly #words: number;
  readonly #grams: number;
  readonly #scales: Float32Array;
  readonly #rows: Int8Array;
  /** An open-addressing index: key of a word → its row, or STOP. */
  readonly #slotKey: Uint32Array;
  readonly #slotRow: Int32Array;

  /** Reads the weights from bytes; throws an error with code "encoder-file-invalid" if they are not ours. */
  static load(bytes: Uint8Array): LociEncoder {
    return new LociEncoder(bytes);
  }

  /** Reads the weights that are shipped beside this file. */
  static open(): LociEncoder {
    return LociEncoder.load(readFileSync(new URL("./loci-encoder-v3.bin", import.meta.url)));
  }

  private constructor(input: Uint8Array) {
    if (input.length < HEADER) throw invalid(`expected at least ${HEADER} bytes, got ${input.length}`);
    const bytes = input.byteOffset % 4 === 0 ? input : Uint8Array.from(input);
    const [magic, magicEnd, format, dim, words, grams, stops] = new Uint32Array(
      bytes.buffer,
      bytes.byteOffset,
      7,
    );
    if (magic !== MAGIC || magicEnd !== MAGIC_END) throw invalid("the file does not start with LOCIENC1");
    if (format !== FORMAT) throw invalid(`expected format version ${FORMAT}, got ${format}`);
    const total = words! + grams!;
    const expected = HEADER + 4 * (words! + total + stops!) + total * dim!;
    if (!dim || !grams || bytes.length !== expected)
      throw invalid(`expected ${expected} bytes, got ${bytes.length}`);
    const sum = createHash("sha256").update(bytes.subarray(HEADER)).digest("hex");
    const stated = Buffer.from(bytes.subarray(32, HEADER)).toString("hex");
    if (sum !== stated) throw invalid(`checksum ${sum.slice(0, 12)}… does not match ${stated.slice(0, 12)}…`);
    const at = bytes.byteOffset + HEADER;
    const keys = new Uint32Array(bytes.buffer, at, words);
    const stopKeys = new Uint32Array(bytes.buffer, at + 4 * (words! + total), stops);
    [this.dim, this.#words, this.#grams] = [dim, words!, grams];
    this.#scales = new Float32Array(bytes.buffer, at + 4 * words!, total);
    this.#rows = new Int8Array(bytes.buffer, at + 4 * (words! + total + stops!), total * dim);
    let size = 1024;
    while (size < 2 * (words! + stops!)) size *= 2;
    this.#slotKey = new Uint32Array(size);
    this.#slotRow = new Int32Array(size).fill(NONE);
    for (let row = 0; row < keys.length; row++) this.#put(keys[row]!, row);
    for (const key of stopKeys) this.#put(key, STOP);
  }

  /** A unit vector, or null if the text has no meaning here: empty, only stop words, unknown script. */
  encode(text: string): Float32Array | null {
    const sum = new Float64Array(this.dim);
    let left = MAX_WORDS;
    for (const [found] of plain(text).matchAll(WORD)) {
      if (left-- === 0) break;
      const word = found.endsWith("'t") || found.endsWith("’t") ? "not" : found.slice(0, MAX_WORD_CHARS);
      const row = this.#slotRow[this.#slot(hash(word))]!;
      if (row >= 0) this.#add(row, sum);
      else if (row === NONE) this.#addLetters(word, sum);
    }
    let squares = 0;
    for (let j = 0; j < sum.length; j++) squares += sum[j]! * sum[j]!;
    if (!(squares > 0)) return null;
    const norm = Math.sqrt(squares);
    const out = new Float32Array(this.dim);
    for (let j = 0; j < out.length; j++) out[j] = sum[j]! / norm;
    return out;
  }

  #put(key: number, row: number): void {
    const slot = this.#slot(key);
    this.#slotKey[slot] = key;
    this.#slotRow[slot] = row;
  }

  /** The slot of a key, or the free slot for it. */
  #slot(key: number): number {
    const mask = this.#slotKey.length - 1;
    let slot = key & mask;
    while (this.#slotRow[slot] !== NONE && this.#slotKey[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }

  #add(row: number, into: Float64Array): void {
    const [rows, scale] = [this.#rows, this.#scales[row]!];
    for (let j = 0, at = row * into.length; j < into.length; j++, at++) into[j]! += scale * rows[at]!;
  }

  /** Adds the mean of the rows of the 3- to 5-grams of <word>. */
  #addLetters(word: string, into: Float64Array): void {
    const sum = new Float64Array(this.dim);
    const marked = `<${word}>`;
    let count = 0;
    for (let size = 3; size <= 5; size++) {
      for (let i = 0; i + size <= marked.length; i++, count++) {
        this.#add(this.#words + (hash(marked.slice(i, i + size)) % this.#grams), sum);
      }
    }
    for (let j = 0; j < sum.length; j++) into[j]! += sum[j]! / count;
  }
}

const MAGIC = 0x49434f4c; // "LOCI"
const MAGIC_END = 0x31434e45; // "ENC1"
const FORMAT = 1;
const HEADER = 64;
const MAX_WORDS = 4096;
const MAX_WORD_CHARS = 40;
const MAX_CHARS = 1 << 18; // a text of MAX_WORDS words is never longer
const NONE = -1;
const STOP = -2;

/** Runs of ASCII letters or of digits; "don't" and similar as one token, to be read as "not". */
const WORD = /[a-z]+(?:(?<=n)['’]t(?![a-z]))?|[0-9]+/g;

/** Lower case, without accents; remaining non-ASCII characters separate words. */
function plain(text: string): string {
  const cut = text.length > MAX_CHARS ? text.slice(0, MAX_CHARS) : text;
  const ascii = /[\u0080-\uffff]/.test(cut) ? cut.normalize("NFKD").replace(/[\u0300-\u036f]/g, "") : cut;
  return ascii.replace(/[A-Z]+/g, (capitals) => capitals.toLowerCase());
}

/** FNV-1a over character codes, then a finishing mix; words are ASCII. */
function hash(text: string): number {
  let h = 0x811c9dc5;
  for (let i = 0; i < text.length; i++) h = Math.imul(h ^ text.charCodeAt(i), 0x01000193);
  h = Math.imul(h ^ (h >>> 16), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 13), 0xc2b2ae35);
  return (h ^ (h >>> 16)) >>> 0;
}

function invalid(reason: string): Error {
  const message = `encoder file is not usable: ${reason}; restore loci-encoder-v3.bin`;
  return Object.assign(new Error(message), { code: "encoder-file-invalid" });
}
