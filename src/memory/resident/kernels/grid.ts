import {
  C_MAX_X,
  C_MAX_Y,
  C_MAX_Z,
  C_MIN_X,
  C_MIN_Y,
  C_MIN_Z,
  C_X,
  C_Y,
  C_Z,
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
  H_PLACED,
} from "../layout";
import { cellPush, cellRemove } from "./cells";
import { allocBlock, freeBlock, listPush, listRemove } from "./heap";
import { getF } from "./rows";

// Hash grids of {x, y, z, handle of what the cell holds}, 16 bytes a cell: a list of slots in the fine grid, where
// a box of a few cells wants nearly all of them, and entries that say more (cells.ts) in the coarse ones. A row is filed by its centre, so a search widens its
// box by the largest half extent filed there. Small rows are in the fine and in the coarse grid, medium ones
// in their own coarse grid, the few larger than that in one list.

const SMALL_HALF = 1.0;
const MEDIUM_HALF = 8.0;
/** No cell has this coordinate: places end at 1e8 m. It marks x so that a zeroed entry is an empty one. */
const BIAS: u32 = 0x80000000;

export function gridInit(): void {
  store<f64>(G_FINE, 2.0, G_SIZE);
  store<f64>(G_COARSE, 16.0, G_SIZE);
  store<f64>(G_MEDIUM, 16.0, G_SIZE);
  for (let i: u32 = 0; i < 3; i++) {
    store<f64>(H_BOUNDS + (i << 3), Infinity);
    store<f64>(H_BOUNDS + 24 + (i << 3), -Infinity);
  }
}

export function cellOf(value: f64, size: f64): i32 {
  return i32(floor<f64>(value / size));
}

function hashCell(x: i32, y: i32, z: i32): u32 {
  let h = u32(x) * 0x9e3779b1;
  h = (h ^ (h >> 15)) + u32(y) * 0x85ebca77;
  h = (h ^ (h >> 13)) + u32(z) * 0xc2b2ae3d;
  h ^= h >> 16;
  h *= 0x2c1b3c6d;
  return h ^ (h >> 15);
}

/** The handle's address in a cell, or 0 where no row was ever filed. */
export function findCell(grid: usize, x: i32, y: i32, z: i32): usize {
  const at: usize = load<u32>(grid);
  if (at === 0) return 0;
  const mask: u32 = ((1 as u32) << load<u32>(grid, G_LOG)) - 1;
  const key = u32(x) ^ BIAS;
  let i = hashCell(x, y, z) & mask;
  while (true) {
    const entry = at + (usize(i) << 4);
    const ex = load<u32>(entry);
    if (ex === 0) return 0;
    if (ex === key && load<i32>(entry, 4) === y && load<i32>(entry, 8) === z) return entry + 12;
    i = (i + 1) & mask;
  }
}

function addCell(grid: usize, x: i32, y: i32, z: i32): usize {
  const at: usize = load<u32>(grid);
  const mask: u32 = ((1 as u32) << load<u32>(grid, G_LOG)) - 1;
  let i = hashCell(x, y, z) & mask;
  while (load<u32>(at + (usize(i) << 4)) !== 0) i = (i + 1) & mask;
  const entry = at + (usize(i) << 4);
  store<u32>(entry, u32(x) ^ BIAS);
  store<i32>(entry, y, 4);
  store<i32>(entry, z, 8);
  store<u32>(grid, load<u32>(grid, G_CELLS) + 1, G_CELLS);
  return entry + 12;
}

/** Doubles a table; cells that have become empty are left behind. */
function growGrid(grid: usize): void {
  const old: usize = load<u32>(grid);
  const oldLog = load<u32>(grid, G_LOG);
  const oldCapacity: u32 = old === 0 ? 0 : (1 as u32) << oldLog;
  let used: u32 = 0;
  for (let i: u32 = 0; i < oldCapacity; i++) if (load<u32>(old + (usize(i) << 4), 12) !== 0) used++;
  let log: u32 = 8;
  while ((used + 1) * 2 > (1 as u32) << log) log++;
  const fresh = allocBlock(log + 4);
  memory.fill(fresh, 0, (16 as u32) << log);
  store<u32>(grid, u32(fresh));
  store<u32>(grid, log, G_LOG);
  store<u32>(grid, 0, G_CELLS);
  for (let i: u32 = 0; i < oldCapacity; i++) {
    const entry = old + (usize(i) << 4);
    const handle = load<u32>(entry, 12);
    if (handle === 0) continue;
    store<u32>(addCell(grid, i32(load<u32>(entry) ^ BIAS), load<i32>(entry, 4), load<i32>(entry, 8)), handle);
  }
  if (old !== 0) freeBlock(old, oldLog + 4);
}

function file(grid: usize, slot: u32, x: f64, y: f64, z: f64, half: f64): void {
  const size = load<f64>(grid, G_SIZE);
  const ix = cellOf(x, size);
  const iy = cellOf(y, size);
  const iz = cellOf(z, size);
  let cell = findCell(grid, ix, iy, iz);
  if (cell === 0) {
    const capacity: u32 = load<u32>(grid) === 0 ? 0 : (1 as u32) << load<u32>(grid, G_LOG);
    if ((load<u32>(grid, G_CELLS) + 1) * 4 > capacity * 3) growGrid(grid);
    cell = addCell(grid, ix, iy, iz);
  }
  if (grid === G_FINE) listPush(cell, slot);
  else cellPush(cell, grid, slot, ix, iy, iz);
  store<u32>(grid, load<u32>(grid, G_ROWS) + 1, G_ROWS);
  if (half > load<f64>(grid, G_HALF)) store<f64>(grid, half, G_HALF);
}

function unfile(grid: usize, slot: u32, x: f64, y: f64, z: f64): void {
  const size = load<f64>(grid, G_SIZE);
  const cell = findCell(grid, cellOf(x, size), cellOf(y, size), cellOf(z, size));
  if (cell === 0) return;
  if (grid === G_FINE) listRemove(cell, slot);
  else cellRemove(cell, slot);
  store<u32>(grid, load<u32>(grid, G_ROWS) - 1, G_ROWS);
}

/** How far a row's box reaches from its centre along any axis. */
function halfOf(slot: u32): f64 {
  const x = getF(slot, C_X);
  const y = getF(slot, C_Y);
  const z = getF(slot, C_Z);
  let half = max(getF(slot, C_MAX_X) - x, x - getF(slot, C_MIN_X));
  half = max(half, max(getF(slot, C_MAX_Y) - y, y - getF(slot, C_MIN_Y)));
  return max(half, max(getF(slot, C_MAX_Z) - z, z - getF(slot, C_MIN_Z)));
}

export function gridAdd(slot: u32): void {
  const x = getF(slot, C_X);
  const y = getF(slot, C_Y);
  const z = getF(slot, C_Z);
  const half = halfOf(slot);
  if (half <= SMALL_HALF) {
    file(G_FINE, slot, x, y, z, half);
    file(G_COARSE, slot, x, y, z, half);
  } else if (half <= MEDIUM_HALF) file(G_MEDIUM, slot, x, y, z, half);
  else listPush(H_LARGE, slot);
  widen(0, x);
  widen(8, y);
  widen(16, z);
  store<u32>(H_PLACED, load<u32>(H_PLACED) + 1);
}

export function gridRemove(slot: u32): void {
  const x = getF(slot, C_X);
  const y = getF(slot, C_Y);
  const z = getF(slot, C_Z);
  const half = halfOf(slot);
  if (half <= SMALL_HALF) {
    unfile(G_FINE, slot, x, y, z);
    unfile(G_COARSE, slot, x, y, z);
  } else if (half <= MEDIUM_HALF) unfile(G_MEDIUM, slot, x, y, z);
  else listRemove(H_LARGE, slot);
  store<u32>(H_PLACED, load<u32>(H_PLACED) - 1);
}

function widen(axis: usize, value: f64): void {
  if (value < load<f64>(H_BOUNDS + axis)) store<f64>(H_BOUNDS + axis, value);
  if (value > load<f64>(H_BOUNDS + 24 + axis)) store<f64>(H_BOUNDS + 24 + axis, value);
}
