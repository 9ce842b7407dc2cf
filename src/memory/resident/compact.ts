import {
  C_AUTHOR,
  C_CATEGORY,
  C_FLAGS,
  C_FROM,
  C_ID,
  C_IMAGE,
  C_KIND,
  C_LABELS,
  C_LENGTH,
  C_MIN_X,
  C_OWNER,
  C_SCENE,
  C_SUBMAP,
  C_TO,
  FLAG_LIVE,
  FLAG_PLACE,
  H_TERMS,
  IMAGE_DIR,
  IN_AUTHOR,
  IN_BOX,
  IN_CATEGORY,
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
  M_RESIDUAL,
  M_SCALE,
  ROW_DIR,
  S_COUNT,
  S_DIM,
  S_STRIDE,
  SEGMENT,
  SEGMENT_LOG,
  TERM_DIR,
  TEXT_DIR,
} from "./layout.ts";
import { AREA, type MemoryView, type Space, spaceAt } from "./memory-view.ts";

const TERM_BYTES = 24;

/**
 * Copies what lives in one index into an empty one: dead slots, their postings and wiped vectors stay behind.
 * Terms keep their numbers (owners are such numbers), rows keep their order, so answers stay the same.
 */
export function copyLive(from: MemoryView, to: MemoryView): void {
  copyTerms(from, to);
  const ordinals = { text: copyMeanings(from, to, "text"), image: copyMeanings(from, to, "image") };
  const words = wordsByRow(from);
  for (let slot = 0; slot < from.rows; slot++) {
    if (from.columnB(slot, C_FLAGS) & FLAG_LIVE) copyRow(from, to, slot, ordinals, words);
  }
  to.refresh();
}

function termAt(view: MemoryView, id: number): number {
  return view.u32[(TERM_DIR >>> 2) + (id >>> SEGMENT_LOG)]! + (id & (SEGMENT - 1)) * TERM_BYTES;
}

function copyTerms(from: MemoryView, to: MemoryView): void {
  const count = from.u32[H_TERMS >>> 2]!;
  for (let id = 0; id < count; id++) {
    const term = termAt(from, id) >>> 2;
    const length = from.u32[term + 1]!;
    const at = to.area(AREA.io, length + 64);
    to.u8.set(from.u8.subarray(from.u32[term]!, from.u32[term]! + length), at);
    to.needRoom(length + 4_194_304);
    to.kernel.internTerm(at, length);
    to.refresh();
  }
}

/** Returns the new ordinal of each old one. */
function copyMeanings(from: MemoryView, to: MemoryView, space: Space): Uint32Array {
  const base = spaceAt(space);
  const count = from.u32[(base + S_COUNT) >>> 2]!;
  const stride = from.u32[(base + S_STRIDE) >>> 2]!;
  const dim = from.u32[(base + S_DIM) >>> 2]!;
  const dir = (space === "text" ? TEXT_DIR : IMAGE_DIR) >>> 2;
  const map = new Uint32Array(count);
  for (let ordinal = 0; ordinal < count; ordinal++) {
    const key = from.keyOf(space, ordinal);
    if (Number.isNaN(key)) continue;
    const columns = from.u32[dir + (ordinal >>> SEGMENT_LOG)]! + stride * SEGMENT;
    const i = ordinal & (SEGMENT - 1);
    const vector = from.kernel.vectorAt(base, ordinal) >>> 0;
    const at = to.area(AREA.io, stride + dim * 4);
    to.u8.set(from.u8.subarray(vector, vector + stride), at);
    to.needRoom(stride * SEGMENT + 4_194_304);
    const scale = from.f32[((columns + M_SCALE) >>> 2) + i]!;
    const residual = from.f32[((columns + M_RESIDUAL) >>> 2) + i]!;
    map[ordinal] = to.kernel.adoptMeaning(base, key, at, scale, residual) >>> 0;
    to.refresh();
    const cached = from.kernel.cacheGet(base, ordinal) >>> 0;
    if (cached === 0) continue;
    to.u8.set(from.u8.subarray(cached, cached + dim * 4), at);
    to.kernel.cachePut(base, map[ordinal]!, at);
  }
  return map;
}

interface Words {
  /** Where the words of a slot begin in `terms`; one more at the end. */
  readonly starts: Uint32Array;
  readonly terms: Uint32Array;
}

/** The postings turned round: the terms of every live row, each as often as the row has it. */
function wordsByRow(from: MemoryView): Words {
  const starts = new Uint32Array(from.rows + 1);
  for (let slot = 0; slot < from.rows; slot++) {
    const live = from.columnB(slot, C_FLAGS) & FLAG_LIVE;
    starts[slot + 1] = starts[slot]! + (live ? from.columnU(slot, C_LENGTH) : 0);
  }
  const terms = new Uint32Array(starts[from.rows]!);
  const filled = starts.slice();
  const count = from.u32[H_TERMS >>> 2]!;
  for (let id = 0; id < count; id++) {
    let chunk = from.u32[(termAt(from, id) + 8) >>> 2]!;
    while (chunk !== 0) {
      const n = from.u32[(chunk + 4) >>> 2]!;
      const frequencies = chunk + 16 + from.u32[(chunk + 8) >>> 2]! * 4;
      for (let i = 0; i < n; i++) {
        const slot = from.u32[((chunk + 16) >>> 2) + i]!;
        if (!(from.columnB(slot, C_FLAGS) & FLAG_LIVE)) continue;
        for (let tf = from.u8[frequencies + i]!; tf > 0; tf--) terms[filled[slot]!++] = id;
      }
      chunk = from.u32[chunk >>> 2]!;
    }
  }
  return { starts, terms };
}

function copyRow(
  from: MemoryView,
  to: MemoryView,
  slot: number,
  ordinals: Record<Space, Uint32Array>,
  words: Words,
): void {
  const lines = from.ordinalsOf(slot, "text");
  const terms = words.terms.subarray(words.starts[slot]!, words.starts[slot + 1]!);
  const at = to.area(AREA.io, IN_LISTS + lines.length * 4 + terms.length * 4 + 64);
  const { u32, f64, u8 } = to;
  f64[(at + IN_EXTERNAL) >>> 3] = from.externalOf(slot);
  f64[(at + IN_FROM) >>> 3] = from.columnF(slot, C_FROM);
  f64[(at + IN_TO) >>> 3] = from.columnF(slot, C_TO);
  for (let i = 0; i < 9; i++) f64[((at + IN_BOX) >>> 3) + i] = from.columnF(slot, C_MIN_X + i * SEGMENT * 8);
  for (const [field, column] of PLAIN) u32[(at + field) >>> 2] = from.columnU(slot, column);
  u32[(at + IN_KIND) >>> 2] = from.columnB(slot, C_KIND);
  u32[(at + IN_PLACE) >>> 2] = from.columnB(slot, C_FLAGS) & FLAG_PLACE;
  u32[(at + IN_LABELS) >>> 2] = labelsOf(from, slot);
  const image = from.columnU(slot, C_IMAGE);
  u32[(at + IN_IMAGE) >>> 2] = image === 0 ? 0 : ordinals.image[image - 1]! + 1;
  const id = from.columnU(slot, C_ID);
  u32[(at + IN_ID_LENGTH) >>> 2] = from.u8[id]!;
  u8.set(from.u8.subarray(id + 1, id + 1 + from.u8[id]!), at + IN_ID);
  u32[(at + IN_TEXTS) >>> 2] = lines.length;
  let cursor = (at + IN_LISTS) >>> 2;
  for (const ordinal of lines) u32[cursor++] = ordinals.text[ordinal]!;
  u32.set(terms, cursor);
  to.needRoom(4_194_304 + 64 * from.rows);
  to.kernel.insertRow(at);
  to.refresh();
}

const PLAIN = [
  [IN_SCENE, C_SCENE],
  [IN_AUTHOR, C_AUTHOR],
  [IN_CATEGORY, C_CATEGORY],
  [IN_OWNER, C_OWNER],
  [IN_SUBMAP, C_SUBMAP],
  [IN_LENGTH, C_LENGTH],
] as const;

/** Two bytes a row: the only column of that width. */
function labelsOf(view: MemoryView, slot: number): number {
  const at = view.u32[(ROW_DIR >>> 2) + (slot >>> SEGMENT_LOG)]! + C_LABELS + (slot & (SEGMENT - 1)) * 2;
  return view.u8[at]! | (view.u8[at + 1]! << 8);
}
