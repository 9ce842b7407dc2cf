import {
  G_CELLS,
  G_COARSE,
  G_FINE,
  G_HALF,
  G_LOG,
  G_MEDIUM,
  G_ROWS,
  G_SIZE,
  H_BOUNDS,
  H_LARGE,
  Q_BOX,
  Q_FLAGS,
  Q_HELD,
  Q_LIMITS,
  Q_POINT,
  Q_SURE,
  QF_BOX,
  QF_RADIUS_BOX,
  QF_RADIUS_CENTRE,
  SEGMENT,
} from "../layout";
import {
  cellCount,
  cellEntry,
  hasSurePlaces,
  isBetween,
  leastPlace,
  leastSquare,
  leastSurePlace,
  mostPlace,
  mostSurePlace,
  writeLimits,
} from "./cells";
import { boxDistance, centreDistance, othersPass, passes } from "./filter";
import { cellOf, findCell } from "./grid";
import { listAt, listCount } from "./heap";
import { segmentOf } from "./rows";
import { heapOffer, heapWorst } from "./select";

// Searches of the grids. Cell sizes are powers of two, so a cell's bounds are exact at any coordinate.

const BIAS: u32 = 0x80000000;

/** First and last cell of an axis that can hold a centre of interest. */
function firstCell(q: usize, axis: u32, grid: usize, reach: f64): i32 {
  return cellOf(
    max(load<f64>(q + Q_BOX + (axis << 3)) - reach, load<f64>(H_BOUNDS + (axis << 3))),
    load<f64>(grid, G_SIZE),
  );
}

function lastCell(q: usize, axis: u32, grid: usize, reach: f64): i32 {
  const high = min(load<f64>(q + Q_BOX + 24 + (axis << 3)) + reach, load<f64>(H_BOUNDS + 24 + (axis << 3)));
  return cellOf(high, load<f64>(grid, G_SIZE));
}

/** How far outside of the query's box a matching centre may lie. */
function reachOf(q: usize, grid: usize): f64 {
  if (!(load<u32>(q, Q_FLAGS) & (QF_BOX | QF_RADIUS_BOX))) return 0;
  const half = load<f64>(grid, G_HALF);
  return half * 1.000001 + 1e-6;
}

/** How many cells of a grid the query's box covers. */
export function cellsCovered(q: usize, grid: usize): f64 {
  if (load<u32>(grid, G_ROWS) === 0) return 0;
  const reach = reachOf(q, grid);
  let cells = 1.0;
  for (let axis: u32 = 0; axis < 3; axis++) {
    cells *= max(0.0, f64(lastCell(q, axis, grid, reach)) - f64(firstCell(q, axis, grid, reach)) + 1.0);
  }
  return cells;
}

/** The part of a cell's span that the query's box covers along one axis. */
function share(q: usize, axis: u32, grid: usize, cell: i32, reach: f64): f64 {
  const size = load<f64>(grid, G_SIZE);
  const low = max(load<f64>(q + Q_BOX + (axis << 3)) - reach, f64(cell) * size);
  const high = min(load<f64>(q + Q_BOX + 24 + (axis << 3)) + reach, f64(cell) * size + size);
  return min(1.0, max(0.02, (high - low) / size));
}

/** About how many rows the query's box holds, from the counts of coarse cells; how many those hold, at Q_HELD. */
export function boxEstimate(q: usize): f64 {
  store<f64>(q, 0, Q_HELD);
  return gridEstimate(q, G_COARSE) + gridEstimate(q, G_MEDIUM) + f64(listCount(load<u32>(H_LARGE)));
}

function gridEstimate(q: usize, grid: usize): f64 {
  if (load<u32>(grid, G_ROWS) === 0) return 0;
  const cells = cellsCovered(q, grid);
  const reach = reachOf(q, grid);
  let sum = 0.0;
  let held = 0.0;
  if (cells > f64(load<u32>(grid, G_CELLS)) || cells > 4096) {
    sum = wideEstimate(q, grid, reach);
    store<f64>(q, load<f64>(q, Q_HELD) + sum, Q_HELD);
    return sum;
  }
  const x1 = lastCell(q, 0, grid, reach);
  const y1 = lastCell(q, 1, grid, reach);
  const z1 = lastCell(q, 2, grid, reach);
  for (let x = firstCell(q, 0, grid, reach); x <= x1; x++) {
    const sx = share(q, 0, grid, x, reach);
    for (let y = firstCell(q, 1, grid, reach); y <= y1; y++) {
      const sy = share(q, 1, grid, y, reach);
      for (let z = firstCell(q, 2, grid, reach); z <= z1; z++) {
        const cell = findCell(grid, x, y, z);
        if (cell === 0) continue;
        const n = f64(cellCount(load<u32>(cell)));
        held += n;
        sum += n * sx * sy * share(q, 2, grid, z, reach);
      }
    }
  }
  store<f64>(q, load<f64>(q, Q_HELD) + held, Q_HELD);
  return sum;
}

/** Every n-th cell of the table, where the box covers more cells than are worth asking one by one. */
function wideEstimate(q: usize, grid: usize, reach: f64): f64 {
  const at: usize = load<u32>(grid);
  const capacity: u32 = (1 as u32) << load<u32>(grid, G_LOG);
  const step = max<u32>(1, capacity >> 11);
  const x0 = firstCell(q, 0, grid, reach);
  const x1 = lastCell(q, 0, grid, reach);
  const y0 = firstCell(q, 1, grid, reach);
  const y1 = lastCell(q, 1, grid, reach);
  const z0 = firstCell(q, 2, grid, reach);
  const z1 = lastCell(q, 2, grid, reach);
  let seen = 0.0;
  let inside = 0.0;
  for (let i: u32 = 0; i < capacity; i += step) {
    const entry = at + (usize(i) << 4);
    if (load<u32>(entry) === 0) continue;
    const n = f64(cellCount(load<u32>(entry, 12)));
    seen += n;
    const x = i32(load<u32>(entry) ^ BIAS);
    const y = load<i32>(entry, 4);
    const z = load<i32>(entry, 8);
    if (x >= x0 && x <= x1 && y >= y0 && y <= y1 && z >= z0 && z <= z1) inside += n;
  }
  return seen === 0 ? 0 : (inside / seen) * f64(load<u32>(grid, G_ROWS));
}

/** All rows that pass, through the fine grid or the coarse one; the query has a box. */
export function gridList(q: usize, list: usize, fine: bool): u32 {
  let count = cellsList(q, list, 0, fine ? G_FINE : G_COARSE);
  count = cellsList(q, list, count, G_MEDIUM);
  const large = load<u32>(H_LARGE);
  const n = listCount(large);
  for (let i: u32 = 0; i < n; i++) {
    const slot = listAt(large, i);
    if (passes(q, slot)) store<u32>(list + (count++ << 2), slot);
  }
  return count;
}

function cellsList(q: usize, list: usize, count: u32, grid: usize): u32 {
  if (load<u32>(grid, G_ROWS) === 0) return count;
  const reach = reachOf(q, grid);
  const x0 = firstCell(q, 0, grid, reach);
  const x1 = lastCell(q, 0, grid, reach);
  const y0 = firstCell(q, 1, grid, reach);
  const y1 = lastCell(q, 1, grid, reach);
  const z0 = firstCell(q, 2, grid, reach);
  const z1 = lastCell(q, 2, grid, reach);
  writeLimits(q);
  const capacity: u32 = (1 as u32) << load<u32>(grid, G_LOG);
  if (cellsCovered(q, grid) > f64(capacity)) {
    // More cells than the table has entries: read the table instead, so that no box is ever endless.
    for (let i: u32 = 0; i < capacity; i++) {
      const entry: usize = load<u32>(grid) + (i << 4);
      if (load<u32>(entry) === 0) continue;
      const x = i32(load<u32>(entry) ^ BIAS);
      const y = load<i32>(entry, 4);
      const z = load<i32>(entry, 8);
      const inside = x >= x0 && x <= x1 && y >= y0 && y <= y1 && z >= z0 && z <= z1;
      if (!inside) continue;
      if (grid === G_FINE) count = takeList(q, list, count, load<u32>(entry, 12));
      else count = takeCell(q, list, count, load<u32>(entry, 12), grid, reach, x, y, z);
    }
    return count;
  }
  for (let x = x0; x <= x1; x++) {
    for (let y = y0; y <= y1; y++) {
      for (let z = z0; z <= z1; z++) {
        const cell = findCell(grid, x, y, z);
        if (cell === 0) continue;
        if (grid === G_FINE) count = takeList(q, list, count, load<u32>(cell));
        else count = takeCell(q, list, count, load<u32>(cell), grid, reach, x, y, z);
      }
    }
  }
  return count;
}

function takeList(q: usize, list: usize, count: u32, handle: u32): u32 {
  const n = listCount(handle);
  for (let i: u32 = 0; i < n; i++) {
    const slot = listAt(handle, i);
    if (passes(q, slot)) store<u32>(list + (count++ << 2), slot);
  }
  return count;
}

/** The rows of one cell that pass. Its entries turn most others away, and let most of these in. */
function takeCell(
  q: usize,
  list: usize,
  count: u32,
  handle: u32,
  grid: usize,
  reach: f64,
  x: i32,
  y: i32,
  z: i32,
): u32 {
  const flags = load<u32>(q, Q_FLAGS);
  const n = cellCount(handle);
  const size = load<f64>(grid, G_SIZE);
  const leastTime = v128.load(q, Q_LIMITS);
  const mostTime = v128.load(q, Q_LIMITS + 16);
  const least = leastPlace(q, x, y, z, size, reach);
  const most = mostPlace(q, x, y, z, size, reach);
  const boxed = !(flags & (QF_RADIUS_BOX | QF_RADIUS_CENTRE)) && load<u32>(q, Q_SURE) !== 0;
  const sure = boxed && hasSurePlaces(q, x, y, z, size);
  const leastSureTime = v128.load(q, Q_LIMITS + 32);
  const mostSureTime = v128.load(q, Q_LIMITS + 48);
  const leastSure = leastSurePlace(q, x, y, z, size, flags & QF_BOX ? 1 : 0);
  const mostSure = mostSurePlace(q, x, y, z, size);
  for (let i: u32 = 0; i < n; i++) {
    const at = cellEntry(handle, i);
    const entry = v128.load(at);
    if (!isBetween(entry, leastTime, mostTime, least, most)) continue;
    const slot = load<u32>(at);
    const pass =
      sure && isBetween(entry, leastSureTime, mostSureTime, leastSure, mostSure)
        ? othersPass(q, slot)
        : passes(q, slot);
    if (pass) store<u32>(list + (count++ << 2), slot);
  }
  return count;
}

/**
 * The `k` nearest rows that pass, into the heap of {distance, slot} at `heap`: rings of cells around the point
 * until none further out can be nearer than the k-th. −1 after `budget` cells and rows: another way is cheaper.
 */
export function nearestWalk(q: usize, heap: usize, k: u32, byBox: bool, fine: bool, budget: i32): i32 {
  const x = load<f64>(q, Q_POINT);
  const y = load<f64>(q, Q_POINT + 8);
  const z = load<f64>(q, Q_POINT + 16);
  let count: u32 = 0;
  const large = load<u32>(H_LARGE);
  const n = listCount(large);
  for (let i: u32 = 0; i < n; i++) count = offer(q, heap, count, k, listAt(large, i), x, y, z, byBox);
  budget -= i32(n);
  for (let pass = 0; pass < 2; pass++) {
    const grid: usize = pass === 0 ? (fine ? G_FINE : G_COARSE) : G_MEDIUM;
    const rows = load<u32>(grid, G_ROWS);
    if (rows === 0) continue;
    const size = load<f64>(grid, G_SIZE);
    const half = byBox ? load<f64>(grid, G_HALF) * 1.000001 + 1e-6 : 0.0;
    const cx = cellOf(x, size);
    const cy = cellOf(y, size);
    const cz = cellOf(z, size);
    const x0 = cellOf(load<f64>(H_BOUNDS), size);
    const y0 = cellOf(load<f64>(H_BOUNDS + 8), size);
    const z0 = cellOf(load<f64>(H_BOUNDS + 16), size);
    const x1 = cellOf(load<f64>(H_BOUNDS + 24), size);
    const y1 = cellOf(load<f64>(H_BOUNDS + 32), size);
    const z1 = cellOf(load<f64>(H_BOUNDS + 40), size);
    // The nearest face of the point's own cell: ring r begins (r − 1) cells beyond it.
    let edge = min(
      min(x - f64(cx) * size, f64(cx + 1) * size - x),
      min(y - f64(cy) * size, f64(cy + 1) * size - y),
    );
    edge = max(0.0, min(edge, min(z - f64(cz) * size, f64(cz + 1) * size - z)));
    let seen: u32 = 0;
    // Rings between a far-away point and everything there is are empty: begin where the data does.
    const gapX = max(0, max(x0 - cx, cx - x1));
    const gapY = max(0, max(y0 - cy, cy - y1));
    for (let r: i32 = max(gapX, max(gapY, max(0, max(z0 - cz, cz - z1)))); ; r++) {
      if (r > 0 && count === k && heapWorst(heap) < (edge + f64(r - 1) * size) * 0.999999999 - half) break;
      if (cx - r < x0 && cx + r > x1 && cy - r < y0 && cy + r > y1 && cz - r < z0 && cz + r > z1) break;
      if (--budget < 0) return -1;
      const za = max(cz - r, z0);
      const zb = min(cz + r, z1);
      for (let ix = max(cx - r, x0); ix <= min(cx + r, x1); ix++) {
        const faceX = ix === cx - r || ix === cx + r;
        for (let iy = max(cy - r, y0); iy <= min(cy + r, y1); iy++) {
          const face = faceX || iy === cy - r || iy === cy + r;
          let iz = face ? za : cz - r;
          if (!face && iz < z0) iz = cz + r;
          while (iz <= zb) {
            if (iz >= za) {
              const cell = findCell(grid, ix, iy, iz);
              if (cell !== 0) {
                const handle = load<u32>(cell);
                const m = grid === G_FINE ? listCount(handle) : cellCount(handle);
                seen += m;
                budget -= i32(m);
                if (grid === G_FINE) {
                  for (let i: u32 = 0; i < m; i++)
                    count = offer(q, heap, count, k, listAt(handle, i), x, y, z, byBox);
                } else {
                  // Each in 256ths of its cell.
                  const unit = 256.0 / size;
                  const px = (x - f64(ix) * size) * unit;
                  const py = (y - f64(iy) * size) * unit;
                  const pz = (z - f64(iz) * size) * unit;
                  let most = count < k ? Infinity : farthest(heap, half, unit);
                  for (let i: u32 = 0; i < m; i++) {
                    const entry = cellEntry(handle, i);
                    if (leastSquare(entry, px, py, pz) > most) continue;
                    count = offer(q, heap, count, k, load<u32>(entry), x, y, z, byBox);
                    if (count === k) most = farthest(heap, half, unit);
                  }
                }
              }
            }
            if (--budget < 0) return -1;
            iz += face ? 1 : max(1, 2 * r);
          }
          if (--budget < 0) return -1;
        }
      }
      if (seen === rows) break;
    }
  }
  return i32(count);
}

/**
 * No centre further away than this, squared, in units of a cell, can be nearer than the k-th: a box reaches √3 times its
 * half extent from its centre. A little more, for rounding.
 */
function farthest(heap: usize, half: f64, unit: f64): f64 {
  const most = ((heapWorst(heap) + half * 1.7320509) * 1.000001 + 1e-6) * unit;
  return most * most;
}

function offer(
  q: usize,
  heap: usize,
  count: u32,
  k: u32,
  slot: u32,
  x: f64,
  y: f64,
  z: f64,
  byBox: bool,
): u32 {
  const segment = segmentOf(slot);
  const i = slot & (SEGMENT - 1);
  const d = byBox ? boxDistance(segment, i, x, y, z) : centreDistance(segment, i, x, y, z);
  if (count === k && d > heapWorst(heap)) return count;
  return passes(q, slot) ? heapOffer(heap, count, k, d, slot) : count;
}

/** How many rows share the coarse cell of the query's point. */
export function coarseCount(q: usize): u32 {
  const cell = findCell(
    G_COARSE,
    cellOf(load<f64>(q, Q_POINT), 16.0),
    cellOf(load<f64>(q, Q_POINT + 8), 16.0),
    cellOf(load<f64>(q, Q_POINT + 16), 16.0),
  );
  return cell === 0 ? 0 : cellCount(load<u32>(cell));
}
