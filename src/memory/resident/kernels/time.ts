import {
  C_FROM,
  C_TO,
  H_TIME,
  Q_FROM_END,
  Q_FROM_MIN,
  Q_TO_AFTER,
  Q_TO_MAX,
  TIME_CLASS_BYTES,
  TIME_CLASSES,
} from "../layout";
import { passes } from "./filter";
import { allocBlock, freeBlock } from "./heap";
import { getF } from "./rows";

// Rows by validFrom, one sorted list for each class of duration: an overlap with [a, b) is then a range of
// validFrom in every class, (a − longest, b). A list is a directory of sorted blocks, so that an insert out of
// order moves at most one block and an insert in order fills blocks to the brim; there is no unsorted tail.

/** 8 + 340 × (8 + 4) bytes fit a block of 4 KiB. */
const BLOCK: u32 = 340;
const D_BLOCKS = 8;
const D_COUNT = 12;
const D_LONGEST = 16;
const SECOND = 1e6;

function classOf(duration: f64): u32 {
  if (duration <= SECOND) return 0;
  if (duration <= SECOND * 60) return 1;
  if (duration <= SECOND * 3600) return 2;
  if (duration <= SECOND * 86400) return 3;
  return duration < Infinity ? 4 : 5;
}

function header(cls: u32): usize {
  return H_TIME + cls * TIME_CLASS_BYTES;
}

function blockAt(h: usize, i: u32): usize {
  return load<u32>(usize(load<u32>(h)) + (i << 2));
}

function keyAt(block: usize, i: u32): f64 {
  return load<f64>(block + 8 + (i << 3));
}

function slotAt(block: usize, i: u32): u32 {
  return load<u32>(block + 8 + BLOCK * 8 + (i << 2));
}

function before(key: f64, slot: u32, block: usize, i: u32): bool {
  const k = keyAt(block, i);
  return key < k || (key === k && slot < slotAt(block, i));
}

/** The last block whose first entry is not after (key, slot), or 0. */
function findBlock(h: usize, key: f64, slot: u32): u32 {
  let low: u32 = 0;
  let high = load<u32>(h, D_BLOCKS);
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if (before(key, slot, blockAt(h, middle), 0)) high = middle;
    else low = middle;
  }
  return low;
}

/** The first place in a block whose entry is after (key, slot). */
function findPlace(block: usize, key: f64, slot: u32): u32 {
  let low: u32 = 0;
  let high = load<u32>(block);
  while (low < high) {
    const middle = (low + high) >> 1;
    if (before(key, slot, block, middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

function insertBlock(h: usize, i: u32): usize {
  const blocks = load<u32>(h, D_BLOCKS);
  const log = load<u32>(h, 4);
  let dir: usize = load<u32>(h);
  const capacity: u32 = dir === 0 ? 0 : ((1 as u32) << log) >> 2;
  if (blocks >= capacity) {
    const bigger = allocBlock(dir === 0 ? 8 : log + 1);
    if (dir !== 0) {
      memory.copy(bigger, dir, blocks << 2);
      freeBlock(dir, log);
    }
    store<u32>(h, u32(bigger));
    store<u32>(h, dir === 0 ? 8 : log + 1, 4);
    dir = bigger;
  }
  memory.copy(dir + ((i + 1) << 2), dir + (i << 2), (blocks - i) << 2);
  const block = allocBlock(12);
  store<u32>(block, 0);
  store<u32>(dir + (i << 2), u32(block));
  store<u32>(h, blocks + 1, D_BLOCKS);
  return block;
}

function moveEntries(to: usize, toAt: u32, from: usize, fromAt: u32, count: u32): void {
  memory.copy(to + 8 + (toAt << 3), from + 8 + (fromAt << 3), count << 3);
  memory.copy(to + 8 + BLOCK * 8 + (toAt << 2), from + 8 + BLOCK * 8 + (fromAt << 2), count << 2);
}

export function timeAdd(slot: u32): void {
  const key = getF(slot, C_FROM);
  const duration = getF(slot, C_TO) - key;
  const h = header(classOf(duration));
  if (duration < Infinity && duration > load<f64>(h, D_LONGEST)) store<f64>(h, duration, D_LONGEST);
  if (load<u32>(h, D_BLOCKS) === 0) insertBlock(h, 0);
  let b = findBlock(h, key, slot);
  let block = blockAt(h, b);
  let place = findPlace(block, key, slot);
  if (load<u32>(block) === BLOCK) {
    if (place === BLOCK && b + 1 === load<u32>(h, D_BLOCKS)) {
      block = insertBlock(h, ++b);
      place = 0;
    } else {
      const half = BLOCK >> 1;
      const right = insertBlock(h, b + 1);
      moveEntries(right, 0, block, half, BLOCK - half);
      store<u32>(right, BLOCK - half);
      store<u32>(block, half);
      if (place > half) {
        block = right;
        place -= half;
      }
    }
  }
  const count = load<u32>(block);
  moveEntries(block, place + 1, block, place, count - place);
  store<f64>(block + 8 + (place << 3), key);
  store<u32>(block + 8 + BLOCK * 8 + (place << 2), slot);
  store<u32>(block, count + 1);
  store<u32>(h, load<u32>(h, D_COUNT) + 1, D_COUNT);
}

export function timeRemove(slot: u32): void {
  const key = getF(slot, C_FROM);
  const h = header(classOf(getF(slot, C_TO) - key));
  if (load<u32>(h, D_BLOCKS) === 0) return;
  const b = findBlock(h, key, slot);
  const block = blockAt(h, b);
  const place = findPlace(block, key, slot);
  if (place === 0 || slotAt(block, place - 1) !== slot) return;
  const count = load<u32>(block);
  moveEntries(block, place - 1, block, place, count - place);
  store<u32>(block, count - 1);
  store<u32>(h, load<u32>(h, D_COUNT) - 1, D_COUNT);
  if (count > 1) return;
  const blocks = load<u32>(h, D_BLOCKS);
  const dir: usize = load<u32>(h);
  memory.copy(dir + (b << 2), dir + ((b + 1) << 2), (blocks - b - 1) << 2);
  freeBlock(block, 12);
  store<u32>(h, blocks - 1, D_BLOCKS);
}

/** No row of a class can match with a validFrom below this. */
function lowOf(q: usize, cls: u32): f64 {
  const from = load<f64>(q, Q_FROM_MIN);
  if (cls === 5) return from;
  return max(from, load<f64>(q, Q_TO_AFTER) - load<f64>(header(cls), D_LONGEST));
}

function highOf(q: usize, cls: u32): f64 {
  if (cls === 5 && load<f64>(q, Q_TO_MAX) < Infinity) return -Infinity;
  return min(load<f64>(q, Q_FROM_END), load<f64>(q, Q_TO_MAX));
}

/** How many entries of a class lie before a key, to within a block. */
function rankOf(h: usize, key: f64): f64 {
  const blocks = load<u32>(h, D_BLOCKS);
  if (blocks === 0) return 0;
  const b = findBlock(h, key, 0);
  return (f64(b) * f64(load<u32>(h, D_COUNT))) / f64(blocks) + f64(findPlace(blockAt(h, b), key, 0));
}

/** About how many rows the time condition leaves. */
export function timeEstimate(q: usize): f64 {
  let sum = 0.0;
  for (let cls: u32 = 0; cls < (TIME_CLASSES as u32); cls++) {
    const high = highOf(q, cls);
    if (high === -Infinity) continue;
    const h = header(cls);
    const top = high === Infinity ? f64(load<u32>(h, D_COUNT)) : rankOf(h, high);
    sum += max(0.0, top - rankOf(h, lowOf(q, cls)));
  }
  return sum;
}

/** All rows of the time ranges that pass. */
export function timeList(q: usize, list: usize): u32 {
  let count: u32 = 0;
  for (let cls: u32 = 0; cls < (TIME_CLASSES as u32); cls++) {
    const h = header(cls);
    const blocks = load<u32>(h, D_BLOCKS);
    const low = lowOf(q, cls);
    const high = highOf(q, cls);
    if (blocks === 0 || !(low <= high)) continue;
    let b = findBlock(h, low, 0);
    let i = findPlace(blockAt(h, b), low, 0);
    // Slot 0 with this very key sorts before (low, 0) only by equality.
    if (i > 0 && keyAt(blockAt(h, b), i - 1) === low) i--;
    let inRange = true;
    for (; inRange && b < blocks; b++) {
      const block = blockAt(h, b);
      const n = load<u32>(block);
      for (; i < n; i++) {
        if (keyAt(block, i) > high) {
          inRange = false;
          break;
        }
        const slot = slotAt(block, i);
        if (passes(q, slot)) store<u32>(list + (count++ << 2), slot);
      }
      i = 0;
    }
  }
  return count;
}

/**
 * Rows that pass, newest (or oldest) first, until `want` are found and every other row with the last one's time
 * as well, or until `budget` entries were looked at (then −1: another way is cheaper). `cursors` is scratch.
 */
export function timeWalk(q: usize, list: usize, want: u32, newest: bool, budget: u32, cursors: usize): i32 {
  for (let cls: u32 = 0; cls < (TIME_CLASSES as u32); cls++) startCursor(q, cls, newest, cursors + cls * 24);
  let count: u32 = 0;
  let last = 0.0;
  while (true) {
    let best: usize = 0;
    for (let cls: u32 = 0; cls < (TIME_CLASSES as u32); cls++) {
      const c = cursors + cls * 24;
      if (load<u32>(c) === 0) continue;
      if (
        best === 0 ||
        (newest ? load<f64>(c, 8) > load<f64>(best, 8) : load<f64>(c, 8) < load<f64>(best, 8))
      )
        best = c;
    }
    if (best === 0) return i32(count);
    const key = load<f64>(best, 8);
    if (count >= want && key !== last) return i32(count);
    if (budget-- === 0) return -1;
    const slot = slotAt(load<u32>(best), load<u32>(best, 16));
    if (passes(q, slot)) {
      store<u32>(list + (count++ << 2), slot);
      last = key;
    }
    const cls = u32((best - cursors) / 24);
    if (newest) stepBack(q, cls, best);
    else stepOn(q, cls, best);
  }
}

// A cursor is {block (0 at the end), block number, key, place}.

function startCursor(q: usize, cls: u32, newest: bool, c: usize): void {
  const h = header(cls);
  const blocks = load<u32>(h, D_BLOCKS);
  const low = lowOf(q, cls);
  const high = highOf(q, cls);
  store<u32>(c, 0);
  if (blocks === 0 || !(low <= high)) return;
  const b = newest ? findBlock(h, high, 0xffffffff) : findBlock(h, low, 0);
  const block = blockAt(h, b);
  store<u32>(c, u32(block));
  store<u32>(c, b, 4);
  if (newest) {
    store<u32>(c, findPlace(block, high, 0xffffffff), 16);
    stepBack(q, cls, c);
  } else {
    let i = findPlace(block, low, 0);
    if (i > 0 && keyAt(block, i - 1) === low) i--;
    store<u32>(c, i - 1, 16);
    stepOn(q, cls, c);
  }
}

function stepBack(q: usize, cls: u32, c: usize): void {
  let i = load<u32>(c, 16);
  let block: usize = load<u32>(c);
  if (i === 0) {
    const b = load<u32>(c, 4);
    if (b === 0) {
      store<u32>(c, 0);
      return;
    }
    block = blockAt(header(cls), b - 1);
    store<u32>(c, b - 1, 4);
    store<u32>(c, u32(block));
    i = load<u32>(block);
  }
  settle(c, block, i - 1);
  if (load<f64>(c, 8) < lowOf(q, cls)) store<u32>(c, 0);
}

function stepOn(q: usize, cls: u32, c: usize): void {
  let i = load<u32>(c, 16) + 1;
  let block: usize = load<u32>(c);
  if (i >= load<u32>(block)) {
    const h = header(cls);
    const b = load<u32>(c, 4) + 1;
    if (b >= load<u32>(h, D_BLOCKS)) {
      store<u32>(c, 0);
      return;
    }
    block = blockAt(h, b);
    store<u32>(c, b, 4);
    store<u32>(c, u32(block));
    i = 0;
  }
  settle(c, block, i);
  if (load<f64>(c, 8) > highOf(q, cls)) store<u32>(c, 0);
}

function settle(c: usize, block: usize, i: u32): void {
  store<u32>(c, i, 16);
  store<f64>(c, keyAt(block, i), 8);
}
