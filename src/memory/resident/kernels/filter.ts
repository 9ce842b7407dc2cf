import {
  C_AUTHOR,
  C_CATEGORY,
  C_FLAGS,
  C_FROM,
  C_IMAGE,
  C_KIND,
  C_LABELS,
  C_LINES,
  C_MAX_X,
  C_MAX_Y,
  C_MAX_Z,
  C_MIN_X,
  C_MIN_Y,
  C_MIN_Z,
  C_OWNER,
  C_SCENE,
  C_TO,
  C_X,
  C_Y,
  C_Z,
  FLAG_LIVE,
  FLAG_PLACE,
  H_ROWS,
  Q_AUTHOR,
  Q_BITMAP,
  Q_BOX,
  Q_CATEGORY,
  Q_FLAGS,
  Q_FROM_END,
  Q_FROM_MIN,
  Q_KINDS,
  Q_LABELS,
  Q_OWNER,
  Q_POINT,
  Q_RADIUS,
  Q_SCENE,
  Q_TO_AFTER,
  Q_TO_MAX,
  QF_AUTHOR,
  QF_BITMAP,
  QF_BOX,
  QF_CATEGORY,
  QF_CENTRE_BOX,
  QF_IMAGE,
  QF_KIND,
  QF_LABELS,
  QF_OWNER,
  QF_PLACE,
  QF_RADIUS_BOX,
  QF_RADIUS_CENTRE,
  QF_SCENE,
  QF_TEXT,
  QF_TIME,
  ROW_DIR,
  SEGMENT,
  SEGMENT_LOG,
} from "../layout";
import { segmentOf } from "./rows";

/** Is `value` in the sorted list at {pointer, count}? */
function inSet(set: usize, value: u32): bool {
  const items: usize = load<u32>(set);
  let low: u32 = 0;
  let high = load<u32>(set, 4);
  while (low < high) {
    const middle = (low + high) >> 1;
    const found = load<u32>(items + (middle << 2));
    if (found === value) return true;
    if (found < value) low = middle + 1;
    else high = middle;
  }
  return false;
}

/** As geometry's `distanceToBox`, operation by operation. */
export function boxDistance(segment: usize, i: u32, x: f64, y: f64, z: f64): f64 {
  const o: usize = i << 3;
  const dx = max(max(0.0, load<f64>(segment + C_MIN_X + o) - x), x - load<f64>(segment + C_MAX_X + o));
  const dy = max(max(0.0, load<f64>(segment + C_MIN_Y + o) - y), y - load<f64>(segment + C_MAX_Y + o));
  const dz = max(max(0.0, load<f64>(segment + C_MIN_Z + o) - z), z - load<f64>(segment + C_MAX_Z + o));
  return sqrt<f64>(dx * dx + dy * dy + dz * dz);
}

/** As geometry's `distance(point, centre)`. */
export function centreDistance(segment: usize, i: u32, x: f64, y: f64, z: f64): f64 {
  const o: usize = i << 3;
  const dx = x - load<f64>(segment + C_X + o);
  const dy = y - load<f64>(segment + C_Y + o);
  const dz = z - load<f64>(segment + C_Z + o);
  return sqrt<f64>(dx * dx + dy * dy + dz * dz);
}

/** The region test of a query alone, for a row that has a place. */
function inRegion(q: usize, flags: u32, segment: usize, i: u32): bool {
  const o: usize = i << 3;
  if (flags & QF_BOX) {
    if (!(load<f64>(segment + C_MIN_X + o) <= load<f64>(q, Q_BOX + 24))) return false;
    if (!(load<f64>(segment + C_MAX_X + o) >= load<f64>(q, Q_BOX))) return false;
    if (!(load<f64>(segment + C_MIN_Y + o) <= load<f64>(q, Q_BOX + 32))) return false;
    if (!(load<f64>(segment + C_MAX_Y + o) >= load<f64>(q, Q_BOX + 8))) return false;
    if (!(load<f64>(segment + C_MIN_Z + o) <= load<f64>(q, Q_BOX + 40))) return false;
    if (!(load<f64>(segment + C_MAX_Z + o) >= load<f64>(q, Q_BOX + 16))) return false;
  }
  if (flags & QF_CENTRE_BOX) {
    const x = load<f64>(segment + C_X + o);
    if (!(x >= load<f64>(q, Q_BOX) && x <= load<f64>(q, Q_BOX + 24))) return false;
    const y = load<f64>(segment + C_Y + o);
    if (!(y >= load<f64>(q, Q_BOX + 8) && y <= load<f64>(q, Q_BOX + 32))) return false;
    const z = load<f64>(segment + C_Z + o);
    if (!(z >= load<f64>(q, Q_BOX + 16) && z <= load<f64>(q, Q_BOX + 40))) return false;
  }
  if (flags & (QF_RADIUS_BOX | QF_RADIUS_CENTRE)) {
    const x = load<f64>(q, Q_POINT);
    const y = load<f64>(q, Q_POINT + 8);
    const z = load<f64>(q, Q_POINT + 16);
    const d = flags & QF_RADIUS_BOX ? boxDistance(segment, i, x, y, z) : centreDistance(segment, i, x, y, z);
    if (!(d <= load<f64>(q, Q_RADIUS))) return false;
  }
  return true;
}

/** Everything about a row that is not its place or time. */
function scalarsPass(q: usize, flags: u32, segment: usize, i: u32): bool {
  if (flags & QF_KIND && !((load<u32>(q, Q_KINDS) >> load<u8>(segment + C_KIND + i)) & 1)) return false;
  if (flags & QF_LABELS) {
    const set: u32 = load<u16>(segment + C_LABELS + (i << 1));
    if (!((load<u8>(usize(load<u32>(q, Q_LABELS)) + (set >> 3)) >> (set & 7)) & 1)) return false;
  }
  const o: usize = i << 2;
  if (flags & QF_SCENE && !inSet(q + Q_SCENE, load<u32>(segment + C_SCENE + o))) return false;
  if (flags & QF_AUTHOR && !inSet(q + Q_AUTHOR, load<u32>(segment + C_AUTHOR + o))) return false;
  if (flags & QF_CATEGORY && !inSet(q + Q_CATEGORY, load<u32>(segment + C_CATEGORY + o))) return false;
  if (flags & QF_OWNER && !inSet(q + Q_OWNER, load<u32>(segment + C_OWNER + o))) return false;
  if (flags & QF_TEXT && load<u32>(segment + C_LINES + o) === 0) return false;
  if (flags & QF_IMAGE && load<u32>(segment + C_IMAGE + o) === 0) return false;
  return true;
}

const SCALARS: u32 = QF_KIND | QF_LABELS | QF_SCENE | QF_AUTHOR | QF_CATEGORY | QF_OWNER | QF_TEXT | QF_IMAGE;
const REGION: u32 = QF_BOX | QF_CENTRE_BOX | QF_RADIUS_BOX | QF_RADIUS_CENTRE;

/** Does a row pass every column condition of a query? */
export function passes(q: usize, slot: u32): bool {
  const flags = load<u32>(q, Q_FLAGS);
  if (flags & QF_BITMAP && !((load<u8>(usize(load<u32>(q, Q_BITMAP)) + (slot >> 3)) >> (slot & 7)) & 1))
    return false;
  const segment = segmentOf(slot);
  const i = slot & (SEGMENT - 1);
  const own: u32 = load<u8>(segment + C_FLAGS + i);
  if (!(own & FLAG_LIVE)) return false;
  if (flags & QF_PLACE && !(own & FLAG_PLACE)) return false;
  if (flags & QF_TIME) {
    const o: usize = i << 3;
    const from = load<f64>(segment + C_FROM + o);
    if (!(from >= load<f64>(q, Q_FROM_MIN) && from < load<f64>(q, Q_FROM_END))) return false;
    const to = load<f64>(segment + C_TO + o);
    if (!(to > load<f64>(q, Q_TO_AFTER) && to <= load<f64>(q, Q_TO_MAX))) return false;
  }
  if (flags & REGION && !inRegion(q, flags, segment, i)) return false;
  return !(flags & SCALARS) || scalarsPass(q, flags, segment, i);
}

/** Does a live row pass all that is neither its place nor its time? */
export function othersPass(q: usize, slot: u32): bool {
  const flags = load<u32>(q, Q_FLAGS);
  if (flags & QF_BITMAP && !((load<u8>(usize(load<u32>(q, Q_BITMAP)) + (slot >> 3)) >> (slot & 7)) & 1))
    return false;
  return !(flags & SCALARS) || scalarsPass(q, flags, segmentOf(slot), slot & (SEGMENT - 1));
}

/** Only what decides whether a reader sees a row of the kinds asked for: the corpus of BM25. */
export function visible(q: usize, flags: u32, slot: u32): bool {
  const segment = segmentOf(slot);
  const i = slot & (SEGMENT - 1);
  if (!(load<u8>(segment + C_FLAGS + i) & FLAG_LIVE)) return false;
  return scalarsPass(q, flags & (QF_KIND | QF_LABELS), segment, i);
}

/** Keeps those of a list that pass; returns how many, in place. */
export function filterList(q: usize, list: usize, count: u32): u32 {
  let kept: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    const slot = load<u32>(list + (i << 2));
    if (passes(q, slot)) store<u32>(list + (kept++ << 2), slot);
  }
  return kept;
}

/**
 * All rows that pass, by reading the columns from end to end: two rows at a time, place before time, leaving a
 * pair as soon as both fail. Memory speed, whatever the shape of the data.
 */
export function scanColumns(q: usize, list: usize): u32 {
  const flags = load<u32>(q, Q_FLAGS);
  const rows = load<u32>(H_ROWS);
  let count: u32 = 0;
  const boxed = (flags & (QF_BOX | QF_RADIUS_BOX)) !== 0;
  const lowColumnX: u32 = boxed ? C_MIN_X : C_X;
  const highColumnX: u32 = boxed ? C_MAX_X : C_X;
  const lowColumnY: u32 = boxed ? C_MIN_Y : C_Y;
  const highColumnY: u32 = boxed ? C_MAX_Y : C_Y;
  const minX = f64x2.splat(load<f64>(q, Q_BOX));
  const minY = f64x2.splat(load<f64>(q, Q_BOX + 8));
  const maxX = f64x2.splat(load<f64>(q, Q_BOX + 24));
  const maxY = f64x2.splat(load<f64>(q, Q_BOX + 32));
  const fromMin = f64x2.splat(load<f64>(q, Q_FROM_MIN));
  const fromEnd = f64x2.splat(load<f64>(q, Q_FROM_END));
  const toAfter = f64x2.splat(load<f64>(q, Q_TO_AFTER));
  const toMax = f64x2.splat(load<f64>(q, Q_TO_MAX));
  for (let base: u32 = 0; base < rows; base += SEGMENT) {
    const segment: usize = load<u32>(ROW_DIR + ((base >> SEGMENT_LOG) << 2));
    const n = min<u32>(SEGMENT, rows - base);
    for (let i: u32 = 0; i < n; i += 2) {
      const o: usize = i << 3;
      let m = i64x2.splat(-1);
      if (flags & REGION) {
        m = v128.and(
          f64x2.le(v128.load(segment + lowColumnX + o), maxX),
          f64x2.ge(v128.load(segment + highColumnX + o), minX),
        );
        if (!v128.any_true(m)) continue;
        m = v128.and(
          m,
          v128.and(
            f64x2.le(v128.load(segment + lowColumnY + o), maxY),
            f64x2.ge(v128.load(segment + highColumnY + o), minY),
          ),
        );
        if (!v128.any_true(m)) continue;
      }
      if (flags & QF_TIME) {
        const from = v128.load(segment + C_FROM + o);
        const to = v128.load(segment + C_TO + o);
        m = v128.and(m, v128.and(f64x2.ge(from, fromMin), f64x2.lt(from, fromEnd)));
        m = v128.and(m, v128.and(f64x2.gt(to, toAfter), f64x2.le(to, toMax)));
        if (!v128.any_true(m)) continue;
      }
      if (i64x2.extract_lane(m, 0) !== 0 && rest(q, flags, segment, i))
        store<u32>(list + (count++ << 2), base + i);
      if (i + 1 < n && i64x2.extract_lane(m, 1) !== 0 && rest(q, flags, segment, i + 1)) {
        store<u32>(list + (count++ << 2), base + i + 1);
      }
    }
  }
  return count;
}

/** What `scanColumns` has not tested yet. */
function rest(q: usize, flags: u32, segment: usize, i: u32): bool {
  const own: u32 = load<u8>(segment + C_FLAGS + i);
  if (!(own & FLAG_LIVE)) return false;
  if (flags & QF_PLACE && !(own & FLAG_PLACE)) return false;
  if (flags & REGION && !inRegion(q, flags, segment, i)) return false;
  return !(flags & SCALARS) || scalarsPass(q, flags, segment, i);
}
