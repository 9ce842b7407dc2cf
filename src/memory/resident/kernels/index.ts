import { C_OWNER_NEXT } from "../layout";
import { dot1, dot4 } from "./dot";
import { passes } from "./filter";
import { getU } from "./rows";
import { ownerHead } from "./write";

export { cacheGet, cachePut } from "./cache";
export { checksum } from "./checksum";
export { exactRows } from "./exact";
export { filterList, passes, scanColumns } from "./filter";
export { gridInit } from "./grid";
export { roomFor, scratch, unscratch } from "./heap";
export { compareIds, isLive, warmHits } from "./rows";
export { boundRows, pairsHeap, pairsPop, reachOfMeaning, rowsOf, scanMeanings, selectBounds } from "./scan";
export { heapSort, selectList } from "./select";
export { boxEstimate, cellsCovered, coarseCount, gridList, nearestWalk } from "./spatial";
export { findId, findMeaning, findRow, findTerm } from "./tables";
export { timeEstimate, timeList, timeWalk } from "./time";
export {
  adoptMeaning,
  exactScore,
  insertMeaning,
  prepareVector,
  refsOfMeaning,
  removeMeaning,
  squareOf,
  vectorAt,
} from "./vectors";
export { addTerm, clearScores, corpusOf, documentFrequency, postingsOf, visibleCount } from "./words";
export { dropPlace, insertRow, internTerm, movePlace, removeRow } from "./write";

/** The rows of some owners that pass (chains of newest first), or −1 when the chains are longer than `limit`. */
export function ownerList(q: usize, owners: usize, count: u32, list: usize, limit: u32): i32 {
  let kept: u32 = 0;
  let walked: u32 = 0;
  for (let i: u32 = 0; i < count; i++) {
    let next = ownerHead(load<u32>(owners + (i << 2)));
    while (next !== 0) {
      if (++walked > limit) return -1;
      const slot = next - 1;
      if (passes(q, slot)) store<u32>(list + (kept++ << 2), slot);
      next = getU(slot, C_OWNER_NEXT);
    }
  }
  return i32(kept);
}

/** Sets (or clears) the bits of a list's slots in a bitmap. */
export function markBits(bitmap: usize, list: usize, count: u32, on: bool): void {
  for (let i: u32 = 0; i < count; i++) {
    const slot = load<u32>(list + (i << 2));
    const at = bitmap + (slot >> 3);
    const bit: u32 = (1 as u32) << (slot & 7);
    const byte: u32 = load<u8>(at);
    store<u8>(at, u8(on ? byte | bit : byte & ~bit));
  }
}

/** Dot products of one query with `count` rows, as the scan makes them: for the start-up test. */
export function dotsForTest(query: usize, rows: usize, count: u32, stride: u32, out: usize): void {
  for (let i: u32 = 0; i + 4 <= count; i += 4) {
    const row = rows + i * stride;
    v128.store(out + (i << 2), dot4(query, row, row + stride, row + 2 * stride, row + 3 * stride, stride));
  }
  for (let i = count & ~3; i < count; i++) store<i32>(out + (i << 2), dot1(query, rows + i * stride, stride));
}
