import type { Box, Vec3 } from "../../geometry/index.ts";
import { assert, LIMITS, LociError } from "../../schema/core.ts";
import {
  C_FLAGS,
  C_SUBMAP,
  FLAG_LIVE,
  IN_AUTHOR,
  IN_BOX,
  IN_CATEGORY,
  IN_CENTRE,
  IN_EXTERNAL,
  IN_FROM,
  IN_ID,
  IN_ID_LENGTH,
  IN_IMAGE,
  IN_KIND,
  IN_LABELS,
  IN_LENGTH,
  IN_LISTS,
  IN_OWNER,
  IN_PLACE,
  IN_SCENE,
  IN_SUBMAP,
  IN_TEXTS,
  IN_TO,
  S_COUNT,
  S_DIM,
  S_STRIDE,
  SEGMENT,
  T_ID,
} from "./layout.ts";
import { AREA, type MemoryView, meaningSegmentBytes, type Space, spaceAt } from "./memory-view.ts";

/** One live record, in numbers. `row`, `id` and every name's number are the caller's; 0 is "none" for names. */
export interface RowInput {
  readonly row: number;
  readonly id: string;
  /** 0 to 31. */
  readonly kind: number;
  /** 0 to 65,535. */
  readonly labelSet: number;
  readonly scene: number;
  readonly author: number;
  readonly category: number;
  readonly owner: number;
  readonly validFromUs: number;
  readonly validToUs: number | null;
  /** The submap of its position, by which `setPlaces` finds it again. */
  readonly submap: number;
  readonly place?: RowPlace;
  /** Keys of the meanings of its lines that have a vector; each was inserted before. */
  readonly texts: readonly number[];
  readonly image?: number;
  /** The words of all lines, as `wordsOf` makes them, repetitions and all. */
  readonly words: readonly string[];
}

/** World box and centre. */
export interface RowPlace {
  readonly box: Box;
  readonly centre: Vec3;
}

/** No insert takes more beyond the tables: one segment of rows, chunks, blocks, a page of owners. */
const INSERT_ROOM = 4_194_304;
const TERM_CACHE = 200_000;
/** |v|² of a vector that `unitVector` lets through; the bounds of the kernels rest on it. */
const UNIT_TOLERANCE = 2e-5;

/** The writing half of an index: turns inputs into kernel calls. The caller holds the write lock. */
export class RowWriter {
  readonly #view: MemoryView;
  readonly #terms = new Map<string, number>();
  #buffer = new Uint32Array(256);

  constructor(view: MemoryView) {
    this.#view = view;
  }

  /** Adds a vector under a key that is new to its space; a known key changes nothing. */
  insertMeaning(space: Space, key: number, vector: Float32Array): void {
    const view = this.#view;
    const base = spaceAt(space);
    const dim = view.u32[(base + S_DIM) >>> 2]!;
    if (vector.length !== dim) {
      throw new LociError(
        "embedder-mismatch",
        `expected a ${space} vector of ${dim} numbers, got ${vector.length}`,
      );
    }
    const at = view.area(AREA.io, dim * 4);
    view.f32.set(vector, at >>> 2);
    const square = view.kernel.squareOf(at, dim);
    if (!(Math.abs(square - 1) <= UNIT_TOLERANCE)) {
      throw new LociError("invalid-input", `expected a ${space} vector of unit length, got |v|² = ${square}`);
    }
    if (view.kernel.findMeaning(base, key) >= 0) return;
    const stride = view.u32[(base + S_STRIDE) >>> 2]!;
    view.needRoom(meaningSegmentBytes(stride) + this.#tableRoom());
    view.kernel.insertMeaning(base, key, at);
    view.refresh();
  }

  hasMeaning(space: Space, key: number): boolean {
    return this.#view.kernel.findMeaning(spaceAt(space), key) >= 0;
  }

  /** Wipes a vector; refuses while a live row refers to it. True if it was there. */
  removeMeaning(space: Space, key: number): boolean {
    const view = this.#view;
    const ordinal = view.kernel.findMeaning(spaceAt(space), key);
    if (ordinal < 0) return false;
    const refs = view.u32[view.kernel.refsOfMeaning(spaceAt(space), ordinal) >>> 2]!;
    assert(refs === 0, `meaning ${key} is still used by ${refs} rows`);
    view.kernel.removeMeaning(spaceAt(space), ordinal);
    return true;
  }

  insertRow(input: RowInput): number {
    const view = this.#view;
    assert(view.kernel.findRow(input.row) < 0, `row ${input.row} is there already`);
    assert(
      input.kind >= 0 && input.kind < 32 && input.labelSet >= 0 && input.labelSet < 65536,
      "kind or label set",
    );
    const { words, texts } = input;
    view.needRoom(INSERT_ROOM + this.#tableRoom() + words.length * 64);
    const keys = texts.length > 1 ? [...new Set(texts)] : texts;
    const image = input.image === undefined ? 0 : this.#ordinal("image", input.image) + 1;
    // New words are interned through the io area, so this comes before the row is written there.
    const terms = this.#termBuffer(words.length);
    for (let i = 0; i < words.length; i++) terms[i] = this.term(words[i]!);
    const at = view.area(AREA.io, IN_LISTS + keys.length * 4 + words.length * 4 + 64);
    let cursor = (at + IN_LISTS) >>> 2;
    for (const key of keys) view.u32[cursor++] = this.#ordinal("text", key);
    for (let i = 0; i < words.length; i++) view.u32[cursor++] = terms[i]!;
    this.#writeFixed(at, input);
    view.u32[(at + IN_IMAGE) >>> 2] = image;
    view.u32[(at + IN_TEXTS) >>> 2] = keys.length;
    assert(view.kernel.findId(at + IN_ID, input.id.length) < 0, `id ${input.id} is there already`);
    const slot = view.kernel.insertRow(at) >>> 0;
    view.refresh();
    return slot;
  }

  /** True if the row was there. */
  removeRow(row: number): boolean {
    const slot = this.#view.kernel.findRow(row);
    if (slot < 0) return false;
    this.#view.kernel.removeRow(slot);
    return true;
  }

  /** New places for the live rows of some submaps; undefined takes a row's place away. Returns how many rows. */
  setPlaces(
    submaps: readonly number[],
    placeOf: (row: number, submap: number) => RowPlace | undefined,
  ): number {
    const view = this.#view;
    const wanted = new Set(submaps);
    const at = view.area(AREA.io, 128);
    let moved = 0;
    for (let slot = 0; slot < view.rows; slot++) {
      if (!(view.columnB(slot, C_FLAGS) & FLAG_LIVE)) continue;
      const submap = view.columnU(slot, C_SUBMAP);
      if (submap === 0 || !wanted.has(submap)) continue;
      const place = placeOf(view.externalOf(slot), submap);
      moved++;
      if (place === undefined) {
        view.kernel.dropPlace(slot);
        continue;
      }
      if ((moved & 1023) === 1) view.needRoom(INSERT_ROOM + this.#tableRoom());
      writePlace(view, at, place);
      view.kernel.movePlace(slot, at);
    }
    view.refresh();
    return moved;
  }

  /** The number of a word, made if it is new. */
  term(word: string): number {
    let term = this.#terms.get(word);
    if (term === undefined) {
      const at = this.#view.area(AREA.io, word.length * 3);
      term = this.#view.kernel.internTerm(at, writeText(this.#view, word, at)) >>> 0;
      this.#view.refresh();
      if (this.#terms.size >= TERM_CACHE) this.#terms.clear();
      this.#terms.set(word, term);
    }
    return term;
  }

  #termBuffer(length: number): Uint32Array {
    if (this.#buffer.length < length) this.#buffer = new Uint32Array(length * 2);
    return this.#buffer;
  }

  #ordinal(space: Space, key: number): number {
    const ordinal = this.#view.kernel.findMeaning(spaceAt(space), key);
    assert(ordinal >= 0, `${space} meaning ${key} was not inserted before the row that uses it`);
    return ordinal;
  }

  /** The room that doubling the largest table could take. */
  #tableRoom(): number {
    const rows = Math.max(this.#view.rows, this.#view.u32[(spaceAt("text") + S_COUNT) >>> 2]!, SEGMENT);
    return Math.max(64 * rows, 2 ** (this.#view.u32[(T_ID + 4) >>> 2]! + 5));
  }

  #writeFixed(at: number, input: RowInput): void {
    const { u32, f64, u8 } = this.#view;
    f64[(at + IN_EXTERNAL) >>> 3] = input.row;
    f64[(at + IN_FROM) >>> 3] = input.validFromUs;
    f64[(at + IN_TO) >>> 3] = input.validToUs ?? Number.POSITIVE_INFINITY;
    if (input.place) writePlace(this.#view, at + IN_BOX, input.place);
    u32[(at + IN_PLACE) >>> 2] = input.place ? 1 : 0;
    u32[(at + IN_SUBMAP) >>> 2] = input.submap;
    u32[(at + IN_SCENE) >>> 2] = input.scene;
    u32[(at + IN_AUTHOR) >>> 2] = input.author;
    u32[(at + IN_CATEGORY) >>> 2] = input.category;
    u32[(at + IN_OWNER) >>> 2] = input.owner;
    u32[(at + IN_LABELS) >>> 2] = input.labelSet;
    u32[(at + IN_KIND) >>> 2] = input.kind;
    u32[(at + IN_LENGTH) >>> 2] = input.words.length;
    assert(input.id.length <= LIMITS.idChars, `an id has at most ${LIMITS.idChars} characters`);
    u32[(at + IN_ID_LENGTH) >>> 2] = input.id.length;
    for (let i = 0; i < input.id.length; i++) u8[at + IN_ID + i] = input.id.charCodeAt(i);
  }
}

/** UTF-8, with a fast path for plain ASCII: most words are ASCII, and short. Returns the bytes. */
function writeText({ u8 }: MemoryView, text: string, at: number): number {
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i);
    if (unit > 127) {
      const bytes = Buffer.from(text);
      u8.set(bytes, at);
      return bytes.length;
    }
    u8[at + i] = unit;
  }
  return text.length;
}

function writePlace({ f64 }: MemoryView, at: number, { box, centre }: RowPlace): void {
  const i = at >>> 3;
  const { min, max } = box;
  f64[i] = min.x;
  f64[i + 1] = min.y;
  f64[i + 2] = min.z;
  f64[i + 3] = max.x;
  f64[i + 4] = max.y;
  f64[i + 5] = max.z;
  const c = i + (IN_CENTRE - IN_BOX) / 8;
  f64[c] = centre.x;
  f64[c + 1] = centre.y;
  f64[c + 2] = centre.z;
}
