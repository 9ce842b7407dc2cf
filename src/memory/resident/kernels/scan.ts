import {
  C_IMAGE,
  C_LINES,
  M_REFS,
  M_RESIDUAL,
  M_SCALE,
  M_SUM,
  S_COUNT,
  S_STRIDE,
  S_TEXT,
  SEGMENT,
  SEGMENT_LOG,
  V_NORM,
  V_OFFSET,
  V_QUANTISED,
  V_SCALE,
  V_SLACK,
} from "../layout";
import { dot1, dot4 } from "./dot";
import { passes } from "./filter";
import { listAt, listCount } from "./heap";
import { getU } from "./rows";
import { heapOffer, heapSort } from "./select";
import { meaningColumns } from "./tables";
import { dirOf, refsOfMeaning, rowsOfMeaning, vectorAt } from "./vectors";
import { lineAt, lineCount } from "./write";

// Upper bounds of the true score, for all meanings or for the lines of some rows. Bounds are float32; V_SLACK
// holds what rounding can take away, so none is ever below the exact score.

const MASK: u32 = SEGMENT - 1;

/** Upper bounds of every meaning into `bounds` (f32 each), four at a time; −∞ where no row refers to it. */
export function scanMeanings(v: usize, space: usize, bounds: usize): void {
  const count = load<u32>(space, S_COUNT);
  const stride = load<u32>(space, S_STRIDE);
  const query: usize = load<u32>(v, V_QUANTISED);
  const scale = f32x4.splat(load<f32>(v, V_SCALE));
  const norm = f32x4.splat(load<f32>(v, V_NORM));
  const slack = f32x4.splat(load<f32>(v, V_SLACK));
  const offset = i32x4.splat(load<i32>(v, V_OFFSET));
  const zero = i32x4.splat(0);
  const never = f32x4.splat(-Infinity);
  const dir = dirOf(space);
  for (let base: u32 = 0; base < count; base += SEGMENT) {
    const vectors: usize = load<u32>(dir + ((base >> SEGMENT_LOG) << 2));
    const columns = vectors + stride * SEGMENT;
    const n = min<u32>(SEGMENT, count - base);
    let row = vectors;
    // The last group may run past the count into rows that are still zero: within the segment, harmless.
    for (let i: u32 = 0; i < n; i += 4) {
      const o: usize = i << 2;
      let dots = dot4(query, row, row + stride, row + 2 * stride, row + 3 * stride, stride);
      row += stride << 2;
      dots = i32x4.sub(dots, i32x4.mul(offset, v128.load(columns + M_SUM + o)));
      const s = f32x4.mul(scale, v128.load(columns + M_SCALE + o));
      const reach = f32x4.add(f32x4.mul(norm, v128.load(columns + M_RESIDUAL + o)), slack);
      const bound = f32x4.add(f32x4.mul(f32x4.convert_i32x4_s(dots), s), reach);
      const dead = i32x4.eq(v128.load(columns + M_REFS + o), zero);
      v128.store(bounds + ((base + i) << 2), v128.bitselect(never, bound, dead));
    }
  }
}

/**
 * The `k` meanings with the largest bounds that come after (bound, ordinal) in that order, into `heap` as
 * {−bound, ordinal}, sorted. Equal bounds go by ordinal; heap order by id must not be asked here.
 */
export function selectBounds(bounds: usize, count: u32, heap: usize, k: u32, below: f32, after: u32): u32 {
  let held: u32 = 0;
  let floor = f32x4.splat(-Infinity);
  const ceiling = f32x4.splat(below);
  let i: u32 = 0;
  const whole = count & ~7;
  while (i < whole) {
    const a = v128.load(bounds + (i << 2));
    const b = v128.load(bounds + (i << 2), 16);
    const hit = v128.or(
      v128.and(f32x4.gt(a, floor), f32x4.le(a, ceiling)),
      v128.and(f32x4.gt(b, floor), f32x4.le(b, ceiling)),
    );
    if (v128.any_true(hit)) {
      for (let j = i; j < i + 8; j++) held = offerBound(bounds, heap, held, k, below, after, j);
      if (held === k) floor = f32x4.splat(-load<f32>(heap));
    }
    i += 8;
  }
  for (; i < count; i++) held = offerBound(bounds, heap, held, k, below, after, i);
  sortBounds(heap, held);
  return held;
}

// A heap of {−bound f32, ordinal u32}, the worst (smallest bound, then largest ordinal) at the root.

function offerBound(bounds: usize, heap: usize, held: u32, k: u32, below: f32, after: u32, j: u32): u32 {
  const b = load<f32>(bounds + (j << 2));
  if (!(b > -Infinity) || b > below || (b === below && j <= after)) return held;
  const key = boundKey(b, j);
  if (held < k) {
    let i = held;
    while (i > 0) {
      const parent = (i - 1) >> 1;
      const p = load<u64>(heap + (usize(parent) << 3));
      if (!boundWorse(key, p)) break;
      store<u64>(heap + (usize(i) << 3), p);
      i = parent;
    }
    store<u64>(heap + (usize(i) << 3), key);
    return held + 1;
  }
  if (boundWorse(key, load<u64>(heap))) return held;
  siftBound(heap, held, key);
  return held;
}

function boundKey(b: f32, ordinal: u32): u64 {
  return (u64(ordinal) << 32) | u64(reinterpret<u32>(-b));
}

function boundWorse(a: u64, b: u64): bool {
  const x = reinterpret<f32>(u32(a));
  const y = reinterpret<f32>(u32(b));
  return x > y || (x === y && a >> 32 > b >> 32);
}

function siftBound(heap: usize, count: u32, key: u64): void {
  let i: u32 = 0;
  for (;;) {
    let child: u32 = 2 * i + 1;
    if (child >= count) break;
    let c = load<u64>(heap + (usize(child) << 3));
    if (child + 1 < count) {
      const r = load<u64>(heap + (usize(child + 1) << 3));
      if (boundWorse(r, c)) {
        c = r;
        child++;
      }
    }
    if (!boundWorse(c, key)) break;
    store<u64>(heap + (usize(i) << 3), c);
    i = child;
  }
  store<u64>(heap + (usize(i) << 3), key);
}

function sortBounds(heap: usize, count: u32): void {
  for (let n = count; n > 1; n--) {
    const at = heap + (usize(n - 1) << 3);
    const last = load<u64>(at);
    const top = load<u64>(heap);
    siftBound(heap, n - 1, last);
    store<u64>(at, top);
  }
}

/** Upper bound of one meaning's score. */
function boundOf(v: usize, space: usize, ordinal: u32, stride: u32): f32 {
  const columns = meaningColumns(space, ordinal);
  const o: usize = (ordinal & MASK) << 2;
  const dot = dot1(load<u32>(v, V_QUANTISED), vectorAt(space, ordinal), stride);
  return finish(v, columns, o, dot);
}

function finish(v: usize, columns: usize, o: usize, dot: i32): f32 {
  const plain = dot - load<i32>(v, V_OFFSET) * load<i32>(columns + M_SUM + o);
  const reach = load<f32>(v, V_NORM) * load<f32>(columns + M_RESIDUAL + o) + load<f32>(v, V_SLACK);
  return f32(plain) * (load<f32>(v, V_SCALE) * load<f32>(columns + M_SCALE + o)) + reach;
}

/** Half the width of a meaning's bound: upper − 2·this is a lower bound. */
export function reachOfMeaning(v: usize, space: usize, ordinal: u32): f32 {
  const columns = meaningColumns(space, ordinal);
  return (
    load<f32>(v, V_NORM) * load<f32>(columns + M_RESIDUAL + ((ordinal & MASK) << 2)) + load<f32>(v, V_SLACK)
  );
}

/**
 * For each row of a list the largest upper bound of its lines (or of its image), as {bound f32, slot} pairs.
 * Rows without a vector, and those whose bound is below `floor`, are left out. Returns how many pairs.
 */
export function boundRows(v: usize, space: usize, list: usize, count: u32, pairs: usize, floor: f32): u32 {
  const stride = load<u32>(space, S_STRIDE);
  const text = space === S_TEXT;
  let kept: u32 = 0;
  let i: u32 = 0;
  while (i < count) {
    // Four single-line rows at a time, which is nearly all of them; the rest one by one.
    if (i + 4 <= count) {
      const a = single(text, load<u32>(list + (i << 2)));
      const b = single(text, load<u32>(list + (i << 2), 4));
      const c = single(text, load<u32>(list + (i << 2), 8));
      const d = single(text, load<u32>(list + (i << 2), 12));
      if ((a & b & c & d & 1) !== 0) {
        const dots = dot4(
          load<u32>(v, V_QUANTISED),
          vectorAt(space, a >> 1),
          vectorAt(space, b >> 1),
          vectorAt(space, c >> 1),
          vectorAt(space, d >> 1),
          stride,
        );
        kept = keep(
          pairs,
          kept,
          finishOne(v, space, a >> 1, i32x4.extract_lane(dots, 0)),
          load<u32>(list + (i << 2)),
          floor,
        );
        kept = keep(
          pairs,
          kept,
          finishOne(v, space, b >> 1, i32x4.extract_lane(dots, 1)),
          load<u32>(list + (i << 2), 4),
          floor,
        );
        kept = keep(
          pairs,
          kept,
          finishOne(v, space, c >> 1, i32x4.extract_lane(dots, 2)),
          load<u32>(list + (i << 2), 8),
          floor,
        );
        kept = keep(
          pairs,
          kept,
          finishOne(v, space, d >> 1, i32x4.extract_lane(dots, 3)),
          load<u32>(list + (i << 2), 12),
          floor,
        );
        i += 4;
        continue;
      }
    }
    const slot = load<u32>(list + (i++ << 2));
    const lines = text ? getU(slot, C_LINES) : single(false, slot);
    const n = lineCount(lines);
    if (n === 0) continue;
    let best: f32 = -Infinity;
    for (let j: u32 = 0; j < n; j++) best = max(best, boundOf(v, space, lineAt(lines, j), stride));
    kept = keep(pairs, kept, best, slot, floor);
  }
  return kept;
}

/** A row's lines, or its image, in the form of a row's lines: odd for a single vector. */
export function single(text: bool, slot: u32): u32 {
  if (text) return getU(slot, C_LINES);
  const image = getU(slot, C_IMAGE);
  return image === 0 ? 0 : ((image - 1) << 1) | 1;
}

function finishOne(v: usize, space: usize, ordinal: u32, dot: i32): f32 {
  return finish(v, meaningColumns(space, ordinal), (ordinal & MASK) << 2, dot);
}

function keep(pairs: usize, kept: u32, bound: f32, slot: u32, floor: f32): u32 {
  if (!(bound >= floor)) return kept;
  store<u64>(pairs + (usize(kept) << 3), boundKey(bound, slot));
  return kept + 1;
}

/** Turns pairs into a heap with the largest bound at the root. */
export function pairsHeap(pairs: usize, count: u32): void {
  for (let i = i32(count >> 1) - 1; i >= 0; i--)
    siftPair(pairs, count, u32(i), load<u64>(pairs + (usize(i) << 3)));
}

/** Takes the root off; the caller has read it. */
export function pairsPop(pairs: usize, count: u32): void {
  if (count > 1) siftPair(pairs, count - 1, 0, load<u64>(pairs + (usize(count - 1) << 3)));
}

function siftPair(heap: usize, count: u32, from: u32, key: u64): void {
  let i = from;
  const own = reinterpret<f32>(u32(key));
  for (;;) {
    let child: u32 = 2 * i + 1;
    if (child >= count) break;
    let c = load<u64>(heap + (usize(child) << 3));
    if (child + 1 < count) {
      const r = load<u64>(heap + (usize(child + 1) << 3));
      if (reinterpret<f32>(u32(r)) < reinterpret<f32>(u32(c))) {
        c = r;
        child++;
      }
    }
    if (!(reinterpret<f32>(u32(c)) < own)) break;
    store<u64>(heap + (usize(i) << 3), c);
    i = child;
  }
  store<u64>(heap + (usize(i) << 3), key);
}

/** The k rows of a meaning that pass and have the smallest ids, sorted, into `heap`; returns how many. */
export function rowsOf(q: usize, space: usize, ordinal: u32, heap: usize, k: u32): u32 {
  if (load<u32>(refsOfMeaning(space, ordinal)) === 0) return 0;
  const handle = load<u32>(rowsOfMeaning(space, ordinal));
  const n = listCount(handle);
  let held: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const slot = listAt(handle, i);
    if (passes(q, slot)) held = heapOffer(heap, held, k, 0, slot);
  }
  heapSort(heap, held);
  return held;
}
