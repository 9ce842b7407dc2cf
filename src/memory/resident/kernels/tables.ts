import {
  C_EXTERNAL,
  C_ID,
  IMAGE_DIR,
  M_KEY,
  S_IMAGE,
  S_STRIDE,
  S_TEXT,
  SEGMENT,
  SEGMENT_LOG,
  T_ID,
  T_IMAGE,
  T_ROW,
  T_TERM,
  T_TEXT,
  TERM_DIR,
  TEXT_DIR,
} from "../layout";
import { allocBlock, freeBlock } from "./heap";
import { getF, getU } from "./rows";

// Hash tables from keys to dense numbers: open addressing, four bytes an entry (0 empty, 1 removed, else
// number + 2). The key is not stored: it is read where the number leads.

export const TERM_BYTES: u32 = 24;

export function hashBytes(at: usize, length: u32): u32 {
  let h: u32 = 2166136261;
  for (let i: u32 = 0; i < length; i++) h = (h ^ load<u8>(at + i)) * 16777619;
  h ^= h >> 15;
  h *= 0x2c1b3c6d;
  return h ^ (h >> 13);
}

export function hashNumber(value: f64): u32 {
  const bits = reinterpret<u64>(value);
  let h = u32(bits) * 0x9e3779b1;
  h = (h ^ (h >> 15) ^ u32(bits >> 32)) * 0x85ebca77;
  h = (h ^ (h >> 13)) * 0xc2b2ae3d;
  return h ^ (h >> 16);
}

export function termAt(id: u32): usize {
  return load<u32>(TERM_DIR + ((id >> SEGMENT_LOG) << 2)) + (id & (SEGMENT - 1)) * TERM_BYTES;
}

/** The columns of the segment that holds a meaning, and its place in them. */
export function meaningColumns(space: usize, ordinal: u32): usize {
  const dir: usize = space === S_TEXT ? TEXT_DIR : IMAGE_DIR;
  return load<u32>(dir + ((ordinal >> SEGMENT_LOG) << 2)) + load<u32>(space, S_STRIDE) * SEGMENT;
}

function keyOfMeaning(space: usize, ordinal: u32): f64 {
  return load<f64>(meaningColumns(space, ordinal) + M_KEY + ((ordinal & (SEGMENT - 1)) << 3));
}

function hashOf(table: usize, value: u32): u32 {
  if (table === T_ROW) return hashNumber(getF(value, C_EXTERNAL));
  if (table === T_ID) {
    const id: usize = getU(value, C_ID);
    return hashBytes(id + 1, load<u8>(id));
  }
  if (table === T_TERM) {
    const term = termAt(value);
    return hashBytes(load<u32>(term), load<u32>(term, 4));
  }
  return hashNumber(keyOfMeaning(table === T_TEXT ? S_TEXT : S_IMAGE, value));
}

function grow(table: usize): void {
  const old: usize = load<u32>(table);
  const oldLog = load<u32>(table, 4);
  const oldCapacity: u32 = old === 0 ? 0 : (1 as u32) << oldLog;
  let live: u32 = 0;
  for (let i: u32 = 0; i < oldCapacity; i++) if (load<u32>(old + (i << 2)) > 1) live++;
  let log: u32 = 8;
  while ((live + 1) * 2 > (1 as u32) << log) log++;
  const fresh = allocBlock(log + 2);
  memory.fill(fresh, 0, (4 as u32) << log);
  store<u32>(table, u32(fresh));
  store<u32>(table, log, 4);
  store<u32>(table, 0, 8);
  for (let i: u32 = 0; i < oldCapacity; i++) {
    const entry = load<u32>(old + (i << 2));
    if (entry > 1) place(table, hashOf(table, entry - 2), entry);
  }
  if (old !== 0) freeBlock(old, oldLog + 2);
}

function place(table: usize, hash: u32, entry: u32): void {
  const at: usize = load<u32>(table);
  const mask: u32 = ((1 as u32) << load<u32>(table, 4)) - 1;
  let i = hash & mask;
  while (load<u32>(at + (i << 2)) > 1) i = (i + 1) & mask;
  if (load<u32>(at + (i << 2)) === 0) store<u32>(table, load<u32>(table, 8) + 1, 8);
  store<u32>(at + (i << 2), entry);
}

/** Adds a number whose key is known to be absent. */
export function tableAdd(table: usize, hash: u32, value: u32): void {
  const capacity: u32 = load<u32>(table) === 0 ? 0 : (1 as u32) << load<u32>(table, 4);
  if ((load<u32>(table, 8) + 1) * 10 > capacity * 7) grow(table);
  place(table, hash, value + 2);
}

/** The address of the entry that holds `value`, whose hash is given, or 0. */
export function tableRemove(table: usize, hash: u32, value: u32): void {
  const at: usize = load<u32>(table);
  if (at === 0) return;
  const mask: u32 = ((1 as u32) << load<u32>(table, 4)) - 1;
  let i = hash & mask;
  while (true) {
    const entry = load<u32>(at + (i << 2));
    if (entry === 0) return;
    if (entry === value + 2) {
      store<u32>(at + (i << 2), 1);
      return;
    }
    i = (i + 1) & mask;
  }
}

/** Row number → slot, or −1. */
export function findRow(external: f64): i32 {
  const at: usize = load<u32>(T_ROW);
  if (at === 0) return -1;
  const mask: u32 = ((1 as u32) << load<u32>(T_ROW, 4)) - 1;
  let i = hashNumber(external) & mask;
  while (true) {
    const entry = load<u32>(at + (i << 2));
    if (entry === 0) return -1;
    if (entry > 1 && getF(entry - 2, C_EXTERNAL) === external) return i32(entry - 2);
    i = (i + 1) & mask;
  }
}

/** Id → slot of the live row that has it, or −1. */
export function findId(bytes: usize, length: u32): i32 {
  const at: usize = load<u32>(T_ID);
  if (at === 0) return -1;
  const mask: u32 = ((1 as u32) << load<u32>(T_ID, 4)) - 1;
  let i = hashBytes(bytes, length) & mask;
  while (true) {
    const entry = load<u32>(at + (i << 2));
    if (entry === 0) return -1;
    if (entry > 1) {
      const id: usize = getU(entry - 2, C_ID);
      if (load<u8>(id) === length && memory.compare(id + 1, bytes, length) === 0) return i32(entry - 2);
    }
    i = (i + 1) & mask;
  }
}

/** Term bytes → term number, or −1. */
export function findTerm(bytes: usize, length: u32): i32 {
  const at: usize = load<u32>(T_TERM);
  if (at === 0) return -1;
  const mask: u32 = ((1 as u32) << load<u32>(T_TERM, 4)) - 1;
  let i = hashBytes(bytes, length) & mask;
  while (true) {
    const entry = load<u32>(at + (i << 2));
    if (entry === 0) return -1;
    if (entry > 1) {
      const term = termAt(entry - 2);
      if (load<u32>(term, 4) === length && memory.compare(load<u32>(term), bytes, length) === 0)
        return i32(entry - 2);
    }
    i = (i + 1) & mask;
  }
}

/** The caller's key of a meaning → its ordinal in the space, or −1. */
export function findMeaning(space: usize, key: f64): i32 {
  const table: usize = space === S_TEXT ? T_TEXT : T_IMAGE;
  const at: usize = load<u32>(table);
  if (at === 0) return -1;
  const mask: u32 = ((1 as u32) << load<u32>(table, 4)) - 1;
  let i = hashNumber(key) & mask;
  while (true) {
    const entry = load<u32>(at + (i << 2));
    if (entry === 0) return -1;
    if (entry > 1 && keyOfMeaning(space, entry - 2) === key) return i32(entry - 2);
    i = (i + 1) & mask;
  }
}
