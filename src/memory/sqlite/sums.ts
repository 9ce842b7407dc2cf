import { type Cell, COLUMN } from "../rows/codec.ts";

/**
 * 32 bits of a row's cells in order. Each step is a bijection of the previous sum, so a single changed bit always
 * shows; any other change goes unnoticed once in four billion times. Part of the file format.
 */
export function sumOf(cells: readonly Cell[], from = 0, to = cells.length, without = -1): number {
  let h = 0x811c_9dc5;
  for (let i = from; i < to; i++) {
    const cell = i === without ? null : cells[i]!;
    h = Math.imul(h ^ (h >>> 15), 0x85eb_ca6b);
    if (typeof cell === "number") {
      // SQLite returns −0 as 0.
      bits[0] = cell === 0 ? 0 : cell;
      h = Math.imul(h ^ words[0]!, 0x9e37_79b1);
      h = Math.imul(h ^ (h >>> 15) ^ words[1]!, 0x9e37_79b1);
    } else if (typeof cell === "string") {
      for (let k = 0; k < cell.length; k++) h = Math.imul(h ^ cell.charCodeAt(k), 0x9e37_79b1) + 1;
    } else if (cell instanceof Uint8Array) h = sumOfBytes(cell, h);
    else h = Math.imul(h ^ 0x5bd1_e995, 0x9e37_79b1);
  }
  h ^= h >>> 16;
  return Math.imul(h, 0x85eb_ca6b) >>> 0;
}

/**
 * The sum of a record's row, its cells without the row's number and the sum itself. When a version ended is added on
 * top, so that ending one does not need its other cells.
 */
export function recordSum(cells: readonly Cell[], offset = 0): number {
  const at = SUPERSEDED + offset;
  const superseded = cells[at]!;
  const sum = sumOf(cells, offset, COLUMN.sum - 1 + offset, at);
  return superseded === null ? sum : endedSum(sum, Number(superseded));
}

/** Whether a row, in RECORD_COLUMNS order, is what was written. */
export function isAsWritten(row: readonly Cell[]): boolean {
  return recordSum(row, 1) === row[COLUMN.sum];
}

/** The sum of a row that was believed until now. */
export function endedSum(sum: number, supersededAtUs: number): number {
  return (sum + sumOf([supersededAtUs])) % 2 ** 32;
}

const SUPERSEDED = COLUMN.supersededAt - 1;
const bits = new Float64Array(1);
const words = new Int32Array(bits.buffer);

function sumOfBytes(bytes: Uint8Array, start: number): number {
  let h = start;
  let k = 0;
  if (bytes.byteOffset % 4 === 0) {
    // Vectors are most of the stored bytes: four bytes at a time.
    const whole = new Int32Array(bytes.buffer, bytes.byteOffset, bytes.byteLength >> 2);
    for (; k < whole.length; k++) h = Math.imul(h ^ (h >>> 15) ^ whole[k]!, 0x9e37_79b1) + 1;
    k *= 4;
  } else {
    for (; k + 4 <= bytes.length; k += 4) {
      const word = bytes[k]! | (bytes[k + 1]! << 8) | (bytes[k + 2]! << 16) | (bytes[k + 3]! << 24);
      h = Math.imul(h ^ (h >>> 15) ^ word, 0x9e37_79b1) + 1;
    }
  }
  for (; k < bytes.length; k++) h = Math.imul(h ^ bytes[k]!, 0x9e37_79b1) + 1;
  return h;
}

/** Adds up sums of rows, in any order, within what a number holds exactly. */
export function addSums(a: number, b: number): number {
  return (a + b) % SUM_RANGE;
}

export const SUM_RANGE = 2 ** 48;
