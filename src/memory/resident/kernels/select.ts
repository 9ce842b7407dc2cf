import { C_FROM, Q_POINT, SEGMENT } from "../layout";
import { boxDistance, centreDistance } from "./filter";
import { compareIds, getF, segmentOf } from "./rows";

// The best k of many, as a heap of {key f64, slot u32, unused} with the worst at the root: smaller keys are
// better, equal keys go by id. Callers negate what should be large.

function worse(key: f64, slot: u32, at: usize): bool {
  const other = load<f64>(at);
  return key > other || (key === other && compareIds(slot, load<u32>(at, 8)) > 0);
}

export function heapWorst(heap: usize): f64 {
  return load<f64>(heap);
}

function siftDown(heap: usize, count: u32, from: u32, key: f64, slot: u32): void {
  let i = from;
  for (;;) {
    let child: u32 = 2 * i + 1;
    if (child >= count) break;
    const left = heap + (usize(child) << 4);
    if (child + 1 < count && worse(load<f64>(left, 16), load<u32>(left, 24), left)) child++;
    const at = heap + (usize(child) << 4);
    if (!worse(load<f64>(at), load<u32>(at, 8), pair(key, slot, heap, count))) break;
    memory.copy(heap + (usize(i) << 4), at, 16);
    i = child;
  }
  store<f64>(heap + (usize(i) << 4), key);
  store<u32>(heap + (usize(i) << 4), slot, 8);
}

/** The entry being sifted, kept behind the heap: callers leave room for k + 1 entries. */
function pair(key: f64, slot: u32, heap: usize, count: u32): usize {
  const at = heap + (usize(count) << 4);
  store<f64>(at, key);
  store<u32>(at, slot, 8);
  return at;
}

/** Offers one entry to a heap that holds `count` of at most `k`; returns the new count. */
export function heapOffer(heap: usize, count: u32, k: u32, key: f64, slot: u32): u32 {
  if (count < k) {
    let i = count;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const at = heap + (usize(parent) << 4);
      if (!worse(key, slot, at)) break;
      memory.copy(heap + (usize(i) << 4), at, 16);
      i = parent;
    }
    store<f64>(heap + (usize(i) << 4), key);
    store<u32>(heap + (usize(i) << 4), slot, 8);
    return count + 1;
  }
  if (worse(key, slot, heap)) return count;
  siftDown(heap, count, 0, key, slot);
  return count;
}

/** Sorts a heap in place, best first. */
export function heapSort(heap: usize, count: u32): void {
  for (let n = count; n > 1; n--) {
    const last = heap + (usize(n - 1) << 4);
    const key = load<f64>(last);
    const slot = load<u32>(last, 8);
    const topKey = load<f64>(heap);
    const topSlot = load<u32>(heap, 8);
    siftDown(heap, n - 1, 0, key, slot);
    store<f64>(last, topKey);
    store<u32>(last, topSlot, 8);
  }
}

export const BY_DISTANCE_BOX = 0;
export const BY_DISTANCE_CENTRE = 1;
export const BY_EARLIEST = 2;
export const BY_LATEST = 3;
export const BY_ID = 4;
export const BY_SCORE = 5;

export function keyOf(by: u32, q: usize, slot: u32, scores: usize): f64 {
  if (by === BY_EARLIEST) return getF(slot, C_FROM);
  if (by === BY_LATEST) return -getF(slot, C_FROM);
  if (by === BY_SCORE) return -load<f64>(scores + (usize(slot) << 3));
  if (by === BY_ID) return 0;
  const segment = segmentOf(slot);
  const i = slot & (SEGMENT - 1);
  const x = load<f64>(q, Q_POINT);
  const y = load<f64>(q, Q_POINT + 8);
  const z = load<f64>(q, Q_POINT + 16);
  return by === BY_DISTANCE_BOX ? boxDistance(segment, i, x, y, z) : centreDistance(segment, i, x, y, z);
}

/** The best k of a list by one of the orders above, sorted, into `heap`; returns how many. */
export function selectList(
  list: usize,
  count: u32,
  by: u32,
  q: usize,
  scores: usize,
  heap: usize,
  k: u32,
): u32 {
  let held: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const slot = load<u32>(list + (i << 2));
    const key = keyOf(by, q, slot, scores);
    if (held < k || key <= heapWorst(heap)) held = heapOffer(heap, held, k, key, slot);
  }
  heapSort(heap, held);
  return held;
}
