/**
 * How the body of an image is written shorter: in pieces of 256 blocks of 4 KiB, each block whole, or without the
 * words that repeat the one eight bytes before (empty slots, columns that hold one value), or not at all where it
 * equals the block of another column of its segment (boxes without extent: minimum, maximum and centre are one).
 * A piece is {kind of each block, bytes of the short blocks}, short blocks, whole blocks. Vectors stay whole and are
 * read straight to where they belong.
 */
const BLOCK = 4096;
const WORDS = BLOCK / 4;
const BITMAP_WORDS = WORDS / 32;
const BLOCKS_PER_PIECE = 256;
export const PIECE = BLOCKS_PER_PIECE * BLOCK;
const HEAD = BLOCKS_PER_PIECE + 4;
const WHOLE = 0;
const SHORT = 1;
/** Kinds from here on: equal to the block this many blocks before; 96 and 192 KiB are from box to box to centre. */
const SAME = 2;
const SAME_BACK = [24, 48] as const;
/** A short block is worth its decoding below this many words. */
const MAX_WORDS = 960;

/** Writes the bytes from `at` to `end` (one piece, or the rest) as pieces for `sink`. */
export function writePiece(
  u8: Uint8Array,
  body: number,
  at: number,
  end: number,
  sink: (bytes: Uint8Array) => void,
): number {
  const u32 = new Uint32Array(u8.buffer);
  const head = new Uint8Array(HEAD);
  const short = new Uint32Array(BLOCKS_PER_PIECE * (BITMAP_WORDS + MAX_WORDS));
  let used = 0;
  for (let block = at, i = 0; block + BLOCK <= end; block += BLOCK, i++) {
    const same = SAME_BACK.findIndex((back) => isSame(u32, block, block - back * BLOCK, body));
    if (same >= 0) {
      head[i] = SAME + same;
      continue;
    }
    const words = shorten(u32, block >>> 2, short, used);
    if (words === 0) continue;
    head[i] = SHORT;
    used += words;
  }
  new DataView(head.buffer).setUint32(BLOCKS_PER_PIECE, used * 4, true);
  sink(head);
  if (used > 0) sink(new Uint8Array(short.buffer, 0, used * 4));
  let bytes = HEAD + used * 4;
  for (const [from, to] of wholeRuns(head, at, end)) {
    sink(u8.subarray(from, to));
    bytes += to - from;
  }
  return bytes;
}

/**
 * The inverse, into memory that holds zeros; `take` fills the given bytes with the next of the image. Nothing outside
 * of the piece is written. False if it cannot be a piece.
 */
export function readPiece(
  u8: Uint8Array,
  u32: Uint32Array,
  body: number,
  at: number,
  end: number,
  take: (into: Uint8Array) => void,
): boolean {
  const head = new Uint8Array(HEAD);
  take(head);
  const bytes = new DataView(head.buffer).getUint32(BLOCKS_PER_PIECE, true);
  if (bytes % 4 !== 0 || bytes > PIECE) return false;
  const short = new Uint32Array(bytes / 4);
  take(new Uint8Array(short.buffer));
  for (const [from, to] of wholeRuns(head, at, end)) take(u8.subarray(from, to));
  let used = 0;
  for (let block = at, i = 0; block + BLOCK <= end; block += BLOCK, i++) {
    const kind = head[i]!;
    if (kind === WHOLE) continue;
    if (kind === SHORT) {
      used = lengthen(short, used, u32, block >>> 2);
    } else {
      const back = SAME_BACK[kind - SAME];
      if (back === undefined || block - back * BLOCK < body) return false;
      u8.copyWithin(block, block - back * BLOCK, block - (back - 1) * BLOCK);
    }
  }
  return true;
}

/** Neighbouring whole blocks as one; a partial last block counts as whole. */
function* wholeRuns(head: Uint8Array, at: number, end: number): Generator<readonly [number, number]> {
  let from = at;
  for (let block = at, i = 0; block < end; block += BLOCK, i++) {
    if (head[i] === WHOLE) continue;
    if (block > from) yield [from, block];
    from = block + BLOCK;
  }
  if (end > from) yield [from, end];
}

function isSame(u32: Uint32Array, block: number, other: number, body: number): boolean {
  if (other < body) return false;
  for (let i = 0; i < WORDS; i++) if (u32[(block >>> 2) + i] !== u32[(other >>> 2) + i]) return false;
  return true;
}

/** A bitmap of the words that do not repeat the one eight bytes before, then those words; 0 if it is not worth it. */
function shorten(u32: Uint32Array, from: number, short: Uint32Array, to: number): number {
  let next = to + BITMAP_WORDS;
  short.fill(0, to, next);
  let two = 0;
  let one = 0;
  for (let i = 0; i < WORDS; i++) {
    const word = u32[from + i]!;
    if (word !== two) {
      if (next - to >= MAX_WORDS) return 0;
      short[to + (i >>> 5)]! |= 1 << (i & 31);
      short[next++] = word;
    }
    two = one;
    one = word;
  }
  return next - to;
}

function lengthen(short: Uint32Array, from: number, u32: Uint32Array, to: number): number {
  let next = from + BITMAP_WORDS;
  let two = 0;
  let one = 0;
  for (let i = 0; i < WORDS; i += 32) {
    let bits = short[from + (i >>> 5)]!;
    // A run of empty words is there already.
    if (bits === 0 && one === 0 && two === 0) continue;
    for (let j = i; j < i + 32; j++, bits >>>= 1) {
      const word = bits & 1 ? short[next++]! : two;
      u32[to + j] = word;
      two = one;
      one = word;
    }
  }
  return next;
}
