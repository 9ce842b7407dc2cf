import {
  C_AUTHOR,
  C_CATEGORY,
  C_EXTERNAL,
  C_FLAGS,
  C_FROM,
  C_ID,
  C_IMAGE,
  C_KIND,
  C_LABELS,
  C_LENGTH,
  C_LINES,
  C_MIN_X,
  C_OWNER,
  C_OWNER_NEXT,
  C_SCENE,
  C_SUBMAP,
  C_TO,
  C_X,
  FLAG_LIVE,
  FLAG_PLACE,
  H_LABEL_SETS,
  H_LIVE,
  H_ROWS,
  H_TERMS,
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
  LABEL_DIR,
  MAX_SEGMENTS,
  OWNER_DIR,
  ROW_DIR,
  ROW_SEGMENT_BYTES,
  S_IMAGE,
  S_TEXT,
  SEGMENT,
  SEGMENT_LOG,
  T_ID,
  T_ROW,
  T_TERM,
  TERM_DIR,
} from "../layout";
import { gridAdd, gridRemove } from "./grid";
import { allocBlock, arena, bump, listPush } from "./heap";
import { getB, getF, getU, segmentOf, setB, setF, setU } from "./rows";
import { findTerm, hashBytes, hashNumber, TERM_BYTES, tableAdd, tableRemove, termAt } from "./tables";
import { timeAdd, timeRemove } from "./time";
import { refsOfMeaning, rowsOfMeaning } from "./vectors";

const MASK: u32 = SEGMENT - 1;
/** Per label set: 32 kinds × {rows with words, all rows, sum of their lengths}. */
export const LABEL_BYTES: u32 = 32 * 16;

/** Appends a row (see IN_* in layout); its row number and id must be new. Returns its slot. */
export function insertRow(input: usize): u32 {
  const slot = load<u32>(H_ROWS);
  if ((slot & MASK) === 0) {
    if (slot >> SEGMENT_LOG >= (MAX_SEGMENTS as u32)) unreachable();
    store<u32>(ROW_DIR + ((slot >> SEGMENT_LOG) << 2), u32(bump(ROW_SEGMENT_BYTES)));
  }
  setF(slot, C_EXTERNAL, load<f64>(input, IN_EXTERNAL));
  setF(slot, C_FROM, load<f64>(input, IN_FROM));
  setF(slot, C_TO, load<f64>(input, IN_TO));
  setU(slot, C_SCENE, load<u32>(input, IN_SCENE));
  setU(slot, C_AUTHOR, load<u32>(input, IN_AUTHOR));
  setU(slot, C_CATEGORY, load<u32>(input, IN_CATEGORY));
  setU(slot, C_SUBMAP, load<u32>(input, IN_SUBMAP));
  setU(slot, C_LENGTH, load<u32>(input, IN_LENGTH));
  setU(slot, C_IMAGE, load<u32>(input, IN_IMAGE));
  setB(slot, C_KIND, load<u32>(input, IN_KIND));
  store<u16>(segmentOf(slot) + C_LABELS + ((slot & MASK) << 1), u16(load<u32>(input, IN_LABELS)));
  const idLength = load<u32>(input, IN_ID_LENGTH);
  const id = arena(idLength + 1, 1);
  store<u8>(id, u8(idLength));
  memory.copy(id + 1, input + IN_ID, idLength);
  setU(slot, C_ID, u32(id));
  store<u32>(H_ROWS, slot + 1);
  store<u32>(H_LIVE, load<u32>(H_LIVE) + 1);
  tableAdd(T_ROW, hashNumber(load<f64>(input, IN_EXTERNAL)), slot);
  tableAdd(T_ID, hashBytes(id + 1, idLength), slot);
  const place = load<u32>(input, IN_PLACE) !== 0;
  setB(slot, C_FLAGS, place ? FLAG_LIVE | FLAG_PLACE : FLAG_LIVE);
  if (place) {
    writePlace(slot, input + IN_BOX);
    gridAdd(slot);
  }
  linkOwner(slot, load<u32>(input, IN_OWNER));
  linkMeanings(slot, input);
  const words = input + IN_LISTS + (load<u32>(input, IN_TEXTS) << 2);
  const wordCount = load<u32>(input, IN_LENGTH);
  for (let i: u32 = 0; i < wordCount; i++) addPosting(load<u32>(words + (i << 2)), slot);
  countRow(slot, 1);
  timeAdd(slot);
  return slot;
}

/** Takes a row out of every structure but the postings and its owner's chain, which skip the dead. */
export function removeRow(slot: u32): void {
  const flags = getB(slot, C_FLAGS);
  if (flags & FLAG_PLACE) gridRemove(slot);
  timeRemove(slot);
  countRow(slot, -1);
  const id: usize = getU(slot, C_ID);
  tableRemove(T_ID, hashBytes(id + 1, load<u8>(id)), slot);
  tableRemove(T_ROW, hashNumber(getF(slot, C_EXTERNAL)), slot);
  unlinkMeanings(slot);
  setB(slot, C_FLAGS, 0);
  store<u32>(H_LIVE, load<u32>(H_LIVE) - 1);
}

/** Gives a live row another box and centre (nine doubles at `from`), or its first. */
export function movePlace(slot: u32, from: usize): void {
  const flags = getB(slot, C_FLAGS);
  if (flags & FLAG_PLACE) gridRemove(slot);
  setB(slot, C_FLAGS, flags | FLAG_PLACE);
  writePlace(slot, from);
  gridAdd(slot);
}

/** Takes a live row's place away. */
export function dropPlace(slot: u32): void {
  const flags = getB(slot, C_FLAGS);
  if (!(flags & FLAG_PLACE)) return;
  gridRemove(slot);
  setB(slot, C_FLAGS, flags & ~FLAG_PLACE);
}

function writePlace(slot: u32, from: usize): void {
  for (let i: u32 = 0; i < 6; i++) setF(slot, C_MIN_X + i * (SEGMENT * 8), load<f64>(from + (i << 3)));
  for (let i: u32 = 0; i < 3; i++) setF(slot, C_X + i * (SEGMENT * 8), load<f64>(from + 48 + (i << 3)));
}

function linkOwner(slot: u32, owner: u32): void {
  setU(slot, C_OWNER, owner);
  if (owner === 0) return;
  const entry: usize = OWNER_DIR + ((owner >> SEGMENT_LOG) << 2);
  if (load<u32>(entry) === 0) store<u32>(entry, u32(bump(SEGMENT * 4)));
  const head: usize = load<u32>(entry) + ((owner & MASK) << 2);
  setU(slot, C_OWNER_NEXT, load<u32>(head));
  store<u32>(head, slot + 1);
}

/** The newest slot of an owner + 1, or 0. */
export function ownerHead(owner: u32): u32 {
  const page: u32 = owner >> SEGMENT_LOG < 16384 ? load<u32>(OWNER_DIR + ((owner >> SEGMENT_LOG) << 2)) : 0;
  return page === 0 ? 0 : load<u32>(page + ((owner & MASK) << 2));
}

// A row's lines: 0 is none, odd a single ordinal (<< 1 | 1), even points to {count, ordinals…}.

function linkMeanings(slot: u32, input: usize): void {
  const texts = load<u32>(input, IN_TEXTS);
  const from = input + IN_LISTS;
  if (texts === 1) setU(slot, C_LINES, (load<u32>(from) << 1) | 1);
  else if (texts > 1) {
    const lines = arena((texts + 1) << 2, 4);
    store<u32>(lines, texts);
    memory.copy(lines + 4, from, texts << 2);
    setU(slot, C_LINES, u32(lines));
  } else setU(slot, C_LINES, 0);
  for (let i: u32 = 0; i < texts; i++) {
    const ordinal = load<u32>(from + (i << 2));
    listPush(rowsOfMeaning(S_TEXT, ordinal), slot);
    bumpRefs(refsOfMeaning(S_TEXT, ordinal), 1);
  }
  const image = load<u32>(input, IN_IMAGE);
  if (image !== 0) {
    listPush(rowsOfMeaning(S_IMAGE, image - 1), slot);
    bumpRefs(refsOfMeaning(S_IMAGE, image - 1), 1);
  }
}

function unlinkMeanings(slot: u32): void {
  const lines = getU(slot, C_LINES);
  const count = lineCount(lines);
  for (let i: u32 = 0; i < count; i++) bumpRefs(refsOfMeaning(S_TEXT, lineAt(lines, i)), -1);
  const image = getU(slot, C_IMAGE);
  if (image !== 0) bumpRefs(refsOfMeaning(S_IMAGE, image - 1), -1);
}

export function lineCount(lines: u32): u32 {
  if (lines === 0) return 0;
  return lines & 1 ? 1 : load<u32>(lines);
}

export function lineAt(lines: u32, i: u32): u32 {
  return lines & 1 ? lines >> 1 : load<u32>(usize(lines) + 4 + (i << 2));
}

function bumpRefs(at: usize, by: i32): void {
  store<u32>(at, load<u32>(at) + u32(by));
}

/** The counters of a label set, made on first use. */
export function labelCounters(set: u32, create: bool): usize {
  const entry: usize = LABEL_DIR + ((set >> 6) << 2);
  if (load<u32>(entry) === 0) {
    if (!create) return 0;
    store<u32>(entry, u32(bump(LABEL_BYTES * 64)));
  }
  return load<u32>(entry) + (set & 63) * LABEL_BYTES;
}

function countRow(slot: u32, by: i32): void {
  const set: u32 = load<u16>(segmentOf(slot) + C_LABELS + ((slot & MASK) << 1));
  if (set >= load<u32>(H_LABEL_SETS)) store<u32>(H_LABEL_SETS, set + 1);
  const at = labelCounters(set, true) + (getB(slot, C_KIND) << 4);
  const length = getU(slot, C_LENGTH);
  if (length > 0) bumpRefs(at, by);
  bumpRefs(at + 4, by);
  store<f64>(at, load<f64>(at, 8) + f64(by) * f64(length), 8);
}

// Terms of {bytes, length, first chunk, last chunk, postings}; a chunk is {next, count, capacity, unused,
// slots…, term frequencies…}. Slots only grow, so every list is sorted. A frequency is one byte; a larger one
// is several entries of the same slot in a row.

export function internTerm(bytes: usize, length: u32): u32 {
  const found = findTerm(bytes, length);
  if (found >= 0) return u32(found);
  const id = load<u32>(H_TERMS);
  const entry: usize = TERM_DIR + ((id >> SEGMENT_LOG) << 2);
  if (id >> SEGMENT_LOG >= 4096) unreachable();
  if ((id & MASK) === 0) store<u32>(entry, u32(bump(SEGMENT * TERM_BYTES)));
  const term = termAt(id);
  const copy = arena(length, 1);
  memory.copy(copy, bytes, length);
  store<u32>(term, u32(copy));
  store<u32>(term, length, 4);
  store<u32>(H_TERMS, id + 1);
  tableAdd(T_TERM, hashBytes(copy, length), id);
  return id;
}

/** Counts one more occurrence of a term in the row that is being inserted. */
function addPosting(id: u32, slot: u32): void {
  const term = termAt(id);
  let chunk: usize = load<u32>(term, 12);
  let n: u32 = chunk === 0 ? 0 : load<u32>(chunk, 4);
  if (n > 0 && load<u32>(chunk + 16 + ((n - 1) << 2)) === slot) {
    const at = chunk + 16 + (load<u32>(chunk, 8) << 2) + (n - 1);
    if (load<u8>(at) < 255) {
      store<u8>(at, load<u8>(at) + 1);
      return;
    }
  }
  if (chunk === 0 || n === load<u32>(chunk, 8)) {
    // Capacities 3, 9, 22, 48 … so that 16 + 5·capacity fills a block of two-power size.
    const log: u32 = chunk === 0 ? 5 : min<u32>(load<u32>(chunk, 12) + 1, 12);
    const next = allocBlock(log);
    store<u32>(next, 0);
    store<u32>(next, (((1 as u32) << log) - 16) / 5, 8);
    store<u32>(next, log, 12);
    if (chunk === 0) store<u32>(term, u32(next), 8);
    else store<u32>(chunk, u32(next));
    store<u32>(term, u32(next), 12);
    chunk = next;
    n = 0;
  }
  store<u32>(chunk + 16 + (n << 2), slot);
  store<u8>(chunk + 16 + (load<u32>(chunk, 8) << 2) + n, 1);
  store<u32>(chunk, n + 1, 4);
  store<u32>(term, load<u32>(term, 16) + 1, 16);
}
