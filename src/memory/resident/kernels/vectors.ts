import {
  IMAGE_DIR,
  M_KEY,
  M_REFS,
  M_RESIDUAL,
  M_ROWS,
  M_SCALE,
  M_SUM,
  MAX_SEGMENTS,
  MEANING_COLUMN_BYTES,
  S_COUNT,
  S_DIM,
  S_LIVE,
  S_STRIDE,
  S_TEXT,
  SEGMENT,
  SEGMENT_LOG,
  T_IMAGE,
  T_TEXT,
  TEXT_DIR,
  V_FLOAT,
  V_NORM,
  V_OFFSET,
  V_QUANTISED,
  V_SCALE,
  V_SLACK,
} from "../layout";
import { cacheDrop, cacheNew } from "./cache";
import { bump } from "./heap";
import { hashNumber, meaningColumns, tableAdd, tableRemove } from "./tables";

// Meanings: int8 vectors with what is needed to bound their true score, float32 copies while they fit, and the
// rows that share them.

const MASK: u32 = SEGMENT - 1;

export function dirOf(space: usize): usize {
  return space === S_TEXT ? TEXT_DIR : IMAGE_DIR;
}

export function vectorAt(space: usize, ordinal: u32): usize {
  return (
    load<u32>(dirOf(space) + ((ordinal >> SEGMENT_LOG) << 2)) + load<u32>(space, S_STRIDE) * (ordinal & MASK)
  );
}

export function rowsOfMeaning(space: usize, ordinal: u32): usize {
  return meaningColumns(space, ordinal) + M_ROWS + ((ordinal & MASK) << 2);
}

export function refsOfMeaning(space: usize, ordinal: u32): usize {
  return meaningColumns(space, ordinal) + M_REFS + ((ordinal & MASK) << 2);
}

/**
 * Writes round(v / scale) to `to` and returns the scale; `levels` is 127, or 63 where the kernel needs a
 * narrower query. The scale is a float32, so that dequantising is the same everywhere.
 */
function quantise(from: usize, to: usize, dim: u32, levels: f32): f32 {
  const whole = dim & ~15;
  let most = f32x4.splat(0);
  for (let i: u32 = 0; i < whole; i += 4) most = f32x4.max(most, f32x4.abs(v128.load(from + (i << 2))));
  let largest = max(
    max(f32x4.extract_lane(most, 0), f32x4.extract_lane(most, 1)),
    max(f32x4.extract_lane(most, 2), f32x4.extract_lane(most, 3)),
  );
  for (let i = whole; i < dim; i++) largest = max(largest, abs(load<f32>(from + (i << 2))));
  const scale: f32 = largest / levels;
  if (!(scale > 0)) {
    memory.fill(to, 0, dim);
    return 0;
  }
  const inverse: f32 = (1.0 as f32) / scale;
  const factor = f32x4.splat(inverse);
  for (let i: u32 = 0; i < whole; i += 16) {
    const at = from + (i << 2);
    const low = i16x8.narrow_i32x4_s(level(v128.load(at), factor), level(v128.load(at, 16), factor));
    const high = i16x8.narrow_i32x4_s(level(v128.load(at, 32), factor), level(v128.load(at, 48), factor));
    v128.store(to + i, i8x16.narrow_i16x8_s(low, high));
  }
  for (let i = whole; i < dim; i++) store<i8>(to + i, i8(nearest<f32>(load<f32>(from + (i << 2)) * inverse)));
  return scale;
}

/** At most levels + a rounding error away from zero, so never beyond ±127 after rounding. */
function level(values: v128, factor: v128): v128 {
  return i32x4.trunc_sat_f32x4_s(f32x4.nearest(f32x4.mul(values, factor)));
}

/** Length of what quantising lost, rounded up: float32 arithmetic errs by less than a part in 1e5 and 1e-7. */
function residualNorm(from: usize, quantised: usize, dim: u32, scale: f32): f32 {
  const whole = dim & ~7;
  let sum = f32x4.splat(0);
  const s = f32x4.splat(scale);
  for (let i: u32 = 0; i < whole; i += 8) {
    const q = v128.load8x8_s(quantised + i);
    const a = f32x4.convert_i32x4_s(i32x4.extend_low_i16x8_s(q));
    const b = f32x4.convert_i32x4_s(i32x4.extend_high_i16x8_s(q));
    const ea = f32x4.sub(v128.load(from + (i << 2)), f32x4.mul(a, s));
    const eb = f32x4.sub(v128.load(from + (i << 2), 16), f32x4.mul(b, s));
    sum = f32x4.add(sum, f32x4.add(f32x4.mul(ea, ea), f32x4.mul(eb, eb)));
  }
  let total =
    f64(f32x4.extract_lane(sum, 0)) +
    f64(f32x4.extract_lane(sum, 1)) +
    f64(f32x4.extract_lane(sum, 2)) +
    f64(f32x4.extract_lane(sum, 3));
  for (let i = whole; i < dim; i++) {
    const e = f64(load<f32>(from + (i << 2))) - f64(scale) * f64(load<i8>(quantised + i));
    total += e * e;
  }
  return f32(sqrt<f64>(total) * 1.00001 + 2e-7);
}

/** |v|², to a part in 1e6. */
export function squareOf(from: usize, dim: u32): f64 {
  const whole = dim & ~3;
  let low = f64x2.splat(0);
  let high = f64x2.splat(0);
  for (let i: u32 = 0; i < whole; i += 4) {
    const v = v128.load(from + (i << 2));
    const a = f64x2.promote_low_f32x4(v);
    const b = f64x2.promote_low_f32x4(v128.shuffle<i64>(v, v, 1, 0));
    low = f64x2.add(low, f64x2.mul(a, a));
    high = f64x2.add(high, f64x2.mul(b, b));
  }
  const sum = f64x2.add(low, high);
  let total = f64x2.extract_lane(sum, 0) + f64x2.extract_lane(sum, 1);
  for (let i = whole; i < dim; i++)
    total += f64(load<f32>(from + (i << 2))) * f64(load<f32>(from + (i << 2)));
  return total;
}

/** The sum of a quantised row. */
function sumOf(quantised: usize, stride: u32): i32 {
  let sum = i32x4.splat(0);
  for (let i: u32 = 0; i < stride; i += 16) {
    sum = i32x4.add(
      sum,
      i32x4.extadd_pairwise_i16x8_s(i16x8.extadd_pairwise_i8x16_s(v128.load(quantised + i))),
    );
  }
  return (
    i32x4.extract_lane(sum, 0) +
    i32x4.extract_lane(sum, 1) +
    i32x4.extract_lane(sum, 2) +
    i32x4.extract_lane(sum, 3)
  );
}

/** Makes the next ordinal of a space its place and returns it. */
function nextOrdinal(space: usize): u32 {
  const ordinal = load<u32>(space, S_COUNT);
  const segment = ordinal >> SEGMENT_LOG;
  if (segment >= (MAX_SEGMENTS as u32)) unreachable();
  const bytes = load<u32>(space, S_STRIDE) * SEGMENT + MEANING_COLUMN_BYTES;
  if ((ordinal & MASK) === 0) store<u32>(dirOf(space) + (segment << 2), u32(bump(bytes)));
  store<u32>(space, ordinal + 1, S_COUNT);
  store<u32>(space, load<u32>(space, S_LIVE) + 1, S_LIVE);
  return ordinal;
}

function describeMeaning(space: usize, ordinal: u32, key: f64, scale: f32, residual: f32): void {
  const columns = meaningColumns(space, ordinal);
  const i = ordinal & MASK;
  store<f32>(columns + M_SCALE + (i << 2), scale);
  store<f32>(columns + M_RESIDUAL + (i << 2), residual);
  store<i32>(columns + M_SUM + (i << 2), sumOf(vectorAt(space, ordinal), load<u32>(space, S_STRIDE)));
  store<f64>(columns + M_KEY + (i << 3), key);
  tableAdd(space === S_TEXT ? T_TEXT : T_IMAGE, hashNumber(key), ordinal);
}

/** The sum of the squares of a quantised row. */
function squaresOf(quantised: usize, stride: u32): i32 {
  let sum = i32x4.splat(0);
  for (let i: u32 = 0; i < stride; i += 16) {
    const row = v128.load(quantised + i);
    const low = i16x8.extend_low_i8x16_s(row);
    const high = i16x8.extend_high_i8x16_s(row);
    sum = i32x4.add(sum, i32x4.add(i32x4.dot_i16x8_s(low, low), i32x4.dot_i16x8_s(high, high)));
  }
  return (
    i32x4.extract_lane(sum, 0) +
    i32x4.extract_lane(sum, 1) +
    i32x4.extract_lane(sum, 2) +
    i32x4.extract_lane(sum, 3)
  );
}

/** Adds a vector (float32 at `from`) under the caller's key, which must be new; returns its ordinal. */
export function insertMeaning(space: usize, key: f64, from: usize): u32 {
  const ordinal = nextOrdinal(space);
  const dim = load<u32>(space, S_DIM);
  const vector = vectorAt(space, ordinal);
  const scale = quantise(from, vector, dim, 127);
  describeMeaning(space, ordinal, key, scale, residualNorm(from, vector, dim, scale));
  cacheNew(space, ordinal, from);
  return ordinal;
}

/** Adds a vector that was quantised before: its bytes at `from`. */
export function adoptMeaning(space: usize, key: f64, from: usize, scale: f32, residual: f32): u32 {
  const ordinal = nextOrdinal(space);
  memory.copy(vectorAt(space, ordinal), from, load<u32>(space, S_STRIDE));
  describeMeaning(space, ordinal, key, scale, residual);
  return ordinal;
}

/** Wipes a vector that no row refers to any more. */
export function removeMeaning(space: usize, ordinal: u32): void {
  const columns = meaningColumns(space, ordinal);
  const i = ordinal & MASK;
  const key = load<f64>(columns + M_KEY + (i << 3));
  tableRemove(space === S_TEXT ? T_TEXT : T_IMAGE, hashNumber(key), ordinal);
  memory.fill(vectorAt(space, ordinal), 0, load<u32>(space, S_STRIDE));
  store<f32>(columns + M_SCALE + (i << 2), 0);
  store<f32>(columns + M_RESIDUAL + (i << 2), 0);
  store<i32>(columns + M_SUM + (i << 2), 0);
  store<f64>(columns + M_KEY + (i << 3), NaN);
  store<u32>(space, load<u32>(space, S_LIVE) - 1, S_LIVE);
  cacheDrop(space, ordinal);
}

/** `cosineOf`, bit for bit: doubles summed in index order. */
export function exactScore(v: usize, space: usize, vector: usize): f64 {
  const query: usize = load<u32>(v, V_FLOAT);
  const end = load<u32>(space, S_DIM) << 2;
  let sum = 0.0;
  for (let o: u32 = 0; o < end; o += 4) sum += f64(load<f32>(query + o)) * f64(load<f32>(vector + o));
  return sum;
}

/**
 * Readies a query vector (float32 at V_FLOAT). With v = s·q + e and u = t·p + f, |u·v − s·t·p·q| is at most
 * |t·p|·|e| + |f|·|v| (Cauchy–Schwarz), and |v| ≤ 1 + 1e-5 for every vector that insertMeaning takes. EPSILON
 * covers float32 rounding of the bound itself: three operations on numbers below 1.02, 2e-7 together.
 */
export function prepareVector(v: usize, space: usize, narrow: bool): void {
  const dim = load<u32>(space, S_DIM);
  const from: usize = load<u32>(v, V_FLOAT);
  const to: usize = load<u32>(v, V_QUANTISED);
  memory.fill(to, 0, load<u32>(space, S_STRIDE));
  const scale = quantise(from, to, dim, narrow ? 63 : 127);
  const norm = f64(squaresOf(to, load<u32>(space, S_STRIDE)));
  store<f32>(v, scale, V_SCALE);
  store<f32>(v, f32(sqrt<f64>(norm) * f64(scale) * 1.000001), V_NORM);
  store<f32>(v, f32(f64(residualNorm(from, to, dim, scale)) * 1.00002 + 2e-6), V_SLACK);
  store<i32>(v, narrow ? 64 : 0, V_OFFSET);
  if (narrow) for (let i: u32 = 0; i < dim; i++) store<i8>(to + i, load<i8>(to + i) + 64);
}
