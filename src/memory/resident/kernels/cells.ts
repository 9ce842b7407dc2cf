import {
  C_FROM,
  C_MAX_X,
  C_MIN_X,
  C_TO,
  C_X,
  C_Y,
  C_Z,
  G_SIZE,
  Q_BOX,
  Q_FLAGS,
  Q_FROM_END,
  Q_FROM_MIN,
  Q_LIMITS,
  Q_SURE,
  Q_TO_AFTER,
  Q_TO_MAX,
  QF_TIME,
  SEGMENT,
} from "../layout";
import { allocBlock, freeBlock } from "./heap";
import { getF } from "./rows";

// What a grid cell holds: {count, log2 of the block, unused 8} and an entry of 16 bytes a row, {slot, from, to, x, y, z,
// whether the row's box holds its centre}. Times are counted in units of 2^22 µs and centres in 256ths of the cell, both rounded down.
// That is enough to turn most rows away that a search does not want, and to take most that it does, without a look at
// their columns, which lie all over the memory.

const HEADER: usize = 16;
const FIRST_LOG: u32 = 5;
const TIME_UNIT: f64 = 1.0 / 4194304.0;
const LEAST: i32 = -2147483648;
const MOST: i32 = 2147483647;

export function cellCount(handle: u32): u32 {
  return handle === 0 ? 0 : load<u32>(handle);
}

export function cellEntry(handle: u32, i: u32): usize {
  return usize(handle) + HEADER + (usize(i) << 4);
}

/** Rounding down keeps the order of times, which is all that a comparison needs; only the ends of time are at the ends. */
function coarseTime(us: f64): i32 {
  if (us === Infinity) return MOST;
  if (us === -Infinity) return LEAST;
  return i32(min(2147483646.0, max(-2147483647.0, floor<f64>(us * TIME_UNIT))));
}

/** A coordinate in 256ths of its cell, the nearest of them where it lies outside. */
function coarsePlace(value: f64, cell: i32, size: f64): u32 {
  return u32(min(255.0, max(0.0, floor<f64>((value - f64(cell) * size) * (256.0 / size)))));
}

function writeEntry(at: usize, grid: usize, slot: u32, x: i32, y: i32, z: i32): void {
  const size = load<f64>(grid, G_SIZE);
  store<u32>(at, slot);
  store<i32>(at, coarseTime(getF(slot, C_FROM)), 4);
  store<i32>(at, coarseTime(getF(slot, C_TO)), 8);
  store<u8>(at, u8(coarsePlace(getF(slot, C_X), x, size)), 12);
  store<u8>(at, u8(coarsePlace(getF(slot, C_Y), y, size)), 13);
  store<u8>(at, u8(coarsePlace(getF(slot, C_Z), z, size)), 14);
  store<u8>(at, u8(holdsCentre(slot)), 15);
}

function holdsCentre(slot: u32): bool {
  for (let axis: u32 = 0; axis < 3; axis++) {
    const column = axis * (SEGMENT * 8);
    const centre = getF(slot, C_X + column);
    if (!(getF(slot, C_MIN_X + column) <= centre && centre <= getF(slot, C_MAX_X + column))) return false;
  }
  return true;
}

/** Adds a row whose times and centre are written to the cell whose handle is at `at`. */
export function cellPush(at: usize, grid: usize, slot: u32, x: i32, y: i32, z: i32): void {
  let handle = load<u32>(at);
  const count = cellCount(handle);
  const log: u32 = handle === 0 ? FIRST_LOG - 1 : load<u32>(handle, 4);
  if (handle === 0 || HEADER + (usize(count + 1) << 4) > usize(1) << log) {
    const bigger = allocBlock(log + 1);
    if (handle !== 0) {
      memory.copy(bigger, handle, HEADER + (usize(count) << 4));
      freeBlock(handle, log);
    }
    store<u32>(bigger, log + 1, 4);
    handle = u32(bigger);
    store<u32>(at, handle);
  }
  writeEntry(cellEntry(handle, count), grid, slot, x, y, z);
  store<u32>(handle, count + 1);
}

/** Takes a row out; the order of the rest may change. */
export function cellRemove(at: usize, slot: u32): void {
  const handle = load<u32>(at);
  const count = cellCount(handle);
  for (let i: u32 = 0; i < count; i++) {
    if (load<u32>(cellEntry(handle, i)) !== slot) continue;
    v128.store(cellEntry(handle, i), v128.load(cellEntry(handle, count - 1)));
    store<u32>(handle, count - 1);
    if (count === 1) {
      freeBlock(handle, load<u32>(handle, 4));
      store<u32>(at, 0);
    }
    return;
  }
}

// What a query lets through, as the least and the largest entry: times are compared as signed words, places as bytes.
// Entries between them may pass. Entries between the narrower `sure` ones do pass, as far as time and box go: rounding
// down keeps the order, so what is larger after it was larger before.

function times(from: i32, to: i32, rest: i32): v128 {
  return i32x4.replace_lane(i32x4.replace_lane(i32x4.splat(rest), 1, from), 2, to);
}

/** Above this every time is later than the limit; no limit lets everything through. */
function above(limit: f64): i32 {
  return limit === -Infinity ? LEAST : coarseTime(limit) + 1;
}

function below(limit: f64): i32 {
  return limit === Infinity ? MOST : coarseTime(limit) - 1;
}

/** Writes a query's times at Q_LIMITS: least and most, least and most of the sure. */
export function writeLimits(q: usize): void {
  const at = q + Q_LIMITS;
  if (!(load<u32>(q, Q_FLAGS) & QF_TIME)) {
    v128.store(at, i32x4.splat(LEAST));
    v128.store(at, i32x4.splat(MOST), 16);
    v128.store(at, i32x4.splat(LEAST), 32);
    v128.store(at, i32x4.splat(MOST), 48);
    store<u32>(q, 1, Q_SURE);
    return;
  }
  const fromMin = load<f64>(q, Q_FROM_MIN);
  const fromEnd = load<f64>(q, Q_FROM_END);
  const toAfter = load<f64>(q, Q_TO_AFTER);
  const toMax = load<f64>(q, Q_TO_MAX);
  v128.store(at, times(coarseTime(fromMin), coarseTime(toAfter), LEAST));
  v128.store(at, times(coarseTime(fromEnd), coarseTime(toMax), MOST), 16);
  v128.store(at, times(above(fromMin), above(toAfter), LEAST), 32);
  v128.store(at, times(below(fromEnd), below(toMax), MOST), 48);
  // Nothing is later than the end of time or earlier than its beginning: there `above` and `below` run over.
  const ends = fromMin === Infinity || toAfter === Infinity || fromEnd === -Infinity || toMax === -Infinity;
  store<u32>(q, ends ? 0 : 1, Q_SURE);
}

function bytes(x: u32, y: u32, z: u32, holds: u8, rest: u8): v128 {
  let all = i8x16.splat(i8(rest));
  all = i8x16.replace_lane(all, 12, i8(x));
  all = i8x16.replace_lane(all, 13, i8(y));
  all = i8x16.replace_lane(all, 14, i8(z));
  return i8x16.replace_lane(all, 15, i8(holds));
}

/** The least bytes of an entry in a cell whose centre may lie beyond the query's lower corner less `reach`. */
export function leastPlace(q: usize, x: i32, y: i32, z: i32, size: f64, reach: f64): v128 {
  return bytes(
    coarsePlace(load<f64>(q, Q_BOX) - reach, x, size),
    coarsePlace(load<f64>(q, Q_BOX + 8) - reach, y, size),
    coarsePlace(load<f64>(q, Q_BOX + 16) - reach, z, size),
    0,
    0,
  );
}

export function mostPlace(q: usize, x: i32, y: i32, z: i32, size: f64, reach: f64): v128 {
  return bytes(
    coarsePlace(load<f64>(q, Q_BOX + 24) + reach, x, size),
    coarsePlace(load<f64>(q, Q_BOX + 32) + reach, y, size),
    coarsePlace(load<f64>(q, Q_BOX + 40) + reach, z, size),
    255,
    255,
  );
}

function surelyAbove(limit: f64, cell: i32, size: f64): u32 {
  return limit <= f64(cell) * size ? 0 : min<u32>(255, coarsePlace(limit, cell, size) + 1);
}

function surelyBelow(limit: f64, cell: i32, size: f64): u32 {
  if (limit >= (f64(cell) + 1.0) * size) return 255;
  const place = coarsePlace(limit, cell, size);
  return place === 0 ? 0 : place - 1;
}

/** Whether any centre of a cell is surely within the query's box; where not, the two below say nothing. */
export function hasSurePlaces(q: usize, x: i32, y: i32, z: i32, size: f64): bool {
  return axisIsSure(q, 0, x, size) && axisIsSure(q, 8, y, size) && axisIsSure(q, 16, z, size);
}

function axisIsSure(q: usize, axis: usize, cell: i32, size: f64): bool {
  const low = load<f64>(q + Q_BOX + axis);
  const high = load<f64>(q + Q_BOX + 24 + axis);
  const first = low <= f64(cell) * size ? 0 : coarsePlace(low, cell, size) + 1;
  const past = high >= (f64(cell) + 1.0) * size ? 256 : coarsePlace(high, cell, size);
  return first < past;
}

/** `holds` is 1 where the row's box must hold its centre for the centre to decide. */
export function leastSurePlace(q: usize, x: i32, y: i32, z: i32, size: f64, holds: u8): v128 {
  return bytes(
    surelyAbove(load<f64>(q, Q_BOX), x, size),
    surelyAbove(load<f64>(q, Q_BOX + 8), y, size),
    surelyAbove(load<f64>(q, Q_BOX + 16), z, size),
    holds,
    0,
  );
}

export function mostSurePlace(q: usize, x: i32, y: i32, z: i32, size: f64): v128 {
  return bytes(
    surelyBelow(load<f64>(q, Q_BOX + 24), x, size),
    surelyBelow(load<f64>(q, Q_BOX + 32), y, size),
    surelyBelow(load<f64>(q, Q_BOX + 40), z, size),
    255,
    255,
  );
}

/** Is an entry between two others, words and bytes? */
export function isBetween(entry: v128, leastTime: v128, mostTime: v128, least: v128, most: v128): bool {
  const inTime = v128.and(i32x4.ge_s(entry, leastTime), i32x4.le_s(entry, mostTime));
  const inPlace = v128.and(i8x16.ge_u(entry, least), i8x16.le_u(entry, most));
  return i8x16.all_true(v128.and(inTime, inPlace));
}

/** How near an entry's centre may be to a point given in 256ths of the cell, squared, in these units. */
export function leastSquare(at: usize, x: f64, y: f64, z: f64): f64 {
  const dx = gap(f64(load<u8>(at, 12)), x);
  const dy = gap(f64(load<u8>(at, 13)), y);
  const dz = gap(f64(load<u8>(at, 14)), z);
  return dx * dx + dy * dy + dz * dz;
}

function gap(place: f64, point: f64): f64 {
  return max(0.0, max(place - point, point - place - 1.0));
}
