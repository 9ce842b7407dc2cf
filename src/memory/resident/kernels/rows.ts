import { C_EXTERNAL, C_FLAGS, C_ID, FLAG_LIVE, ROW_DIR, SEGMENT_LOG } from "../layout";

// Where a row's columns are. A column of width w bytes keeps row i of its segment at column + i·w.

const MASK: u32 = (1 << SEGMENT_LOG) - 1;

export function segmentOf(slot: u32): usize {
  return load<u32>(ROW_DIR + ((slot >> SEGMENT_LOG) << 2));
}

export function getF(slot: u32, column: u32): f64 {
  return load<f64>(segmentOf(slot) + column + ((slot & MASK) << 3));
}

export function setF(slot: u32, column: u32, value: f64): void {
  store<f64>(segmentOf(slot) + column + ((slot & MASK) << 3), value);
}

export function getU(slot: u32, column: u32): u32 {
  return load<u32>(segmentOf(slot) + column + ((slot & MASK) << 2));
}

export function setU(slot: u32, column: u32, value: u32): void {
  store<u32>(segmentOf(slot) + column + ((slot & MASK) << 2), value);
}

export function getB(slot: u32, column: u32): u32 {
  return load<u8>(segmentOf(slot) + column + (slot & MASK));
}

export function setB(slot: u32, column: u32, value: u32): void {
  store<u8>(segmentOf(slot) + column + (slot & MASK), u8(value));
}

export function isLive(slot: u32): bool {
  return (getB(slot, C_FLAGS) & FLAG_LIVE) !== 0;
}

/** Negative, zero or positive as the ids' bytes compare; a prefix comes first, as JavaScript's `<` has it. */
export function compareIds(a: u32, b: u32): i32 {
  if (a === b) return 0;
  const pa: usize = getU(a, C_ID);
  const pb: usize = getU(b, C_ID);
  const la: u32 = load<u8>(pa);
  const lb: u32 = load<u8>(pb);
  const n = min(la, lb);
  let i: u32 = 0;
  while (i + 8 <= n) {
    const x = load<u64>(pa + 1 + i);
    const y = load<u64>(pb + 1 + i);
    if (x !== y) return bswap<u64>(x) < bswap<u64>(y) ? -1 : 1;
    i += 8;
  }
  for (; i < n; i++) {
    const d = i32(load<u8>(pa + 1 + i)) - i32(load<u8>(pb + 1 + i));
    if (d !== 0) return d;
  }
  return i32(la) - i32(lb);
}

/**
 * Reads what a hit tells of itself, for many rows at once, so that the caller, who goes through them one by one, does not
 * wait for memory at each. What comes back means nothing.
 */
export function warmHits(list: usize, count: u32): u32 {
  let sum: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const slot = load<u32>(list + (usize(i) << 2));
    sum ^= u32(reinterpret<u64>(getF(slot, C_EXTERNAL))) ^ getU(slot, C_ID);
  }
  for (let i: u32 = 0; i < count; i++) sum ^= load<u8>(getU(load<u32>(list + (usize(i) << 2)), C_ID));
  return sum;
}
