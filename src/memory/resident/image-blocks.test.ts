import fc from "fast-check";
import { expect, it } from "vitest";
import { PIECE, readPiece, writePiece } from "./image-blocks.ts";

const BLOCK = 4096;
const BODY = 2 * BLOCK;
/** Blocks of every sort: empty, one value throughout, a slow run, noise, and a copy of one 24 or 48 blocks before. */
const kind = fc.record({
  sort: fc.constantFrom("empty", "constant", "run", "noise", "same24", "same48"),
  seed: fc.nat(),
});

function memoryOf(kinds: readonly { sort: string; seed: number }[], tail: number): Uint8Array {
  const u8 = new Uint8Array(BODY + kinds.length * BLOCK + tail);
  const u32 = new Uint32Array(u8.buffer);
  kinds.forEach(({ sort, seed }, b) => {
    const at = BODY + b * BLOCK;
    let state = seed | 1;
    for (let i = 0; i < BLOCK / 4; i++) {
      state = Math.imul(state, 1_103_515_245) + 12_345;
      if (sort === "constant") u32[at / 4 + i] = i % 2 === 0 ? seed : 0x3ff00000;
      else if (sort === "run") u32[at / 4 + i] = i >> (seed % 9);
      else if (sort === "noise") u32[at / 4 + i] = state;
    }
    const back = sort === "same24" ? 24 : sort === "same48" ? 48 : 0;
    if (back > 0 && back <= b) u8.copyWithin(at, at - back * BLOCK, at - (back - 1) * BLOCK);
  });
  u8.fill(5, u8.length - tail);
  return u8;
}

function written(u8: Uint8Array): Uint8Array {
  const pieces: Uint8Array[] = [];
  let bytes = 0;
  for (let at = BODY; at < u8.length; at += PIECE)
    bytes += writePiece(u8, BODY, at, Math.min(at + PIECE, u8.length), (piece) => pieces.push(piece.slice()));
  const image = Buffer.concat(pieces);
  expect(image.length).toBe(bytes);
  return image;
}

function read(image: Uint8Array, length: number): { u8: Uint8Array; whole: boolean; left: number } {
  const u8 = new Uint8Array(length);
  const u32 = new Uint32Array(u8.buffer);
  let from = 0;
  let whole = true;
  const take = (into: Uint8Array) => {
    into.set(image.subarray(from, from + into.length));
    from += into.length;
  };
  for (let at = BODY; at < length; at += PIECE)
    whole &&= readPiece(u8, u32, BODY, at, Math.min(at + PIECE, length), take);
  return { u8, whole, left: image.length - from };
}

it("brings any memory back to the last bit", () => {
  fc.assert(
    fc.property(fc.array(kind, { maxLength: 70 }), fc.constantFrom(0, 64, 4032), (kinds, tail) => {
      const u8 = memoryOf(kinds, tail);
      const { u8: again, whole, left } = read(written(u8), u8.length);
      expect(whole).toBe(true);
      expect(left).toBe(0);
      expect(Buffer.compare(again, u8)).toBe(0);
    }),
    { numRuns: 60 },
  );
});

it("goes on over pieces, and writes what repeats in a fraction of its bytes", () => {
  const kinds = Array.from({ length: 600 }, (_, seed) => ({ sort: seed % 2 ? "constant" : "empty", seed }));
  const u8 = memoryOf(kinds, 64);
  const image = written(u8);
  expect(image.length).toBeLessThan(u8.length / 20);
  expect(Buffer.compare(read(image, u8.length).u8, u8)).toBe(0);
});

it("never writes outside of the piece, whatever it is given", () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 260, maxLength: 3_000 }), (noise) => {
      const u8 = new Uint8Array(BODY + 4 * BLOCK).fill(7);
      const take = (into: Uint8Array) => into.set(noise.subarray(0, into.length));
      noise.fill(0, 258, 260);
      readPiece(u8, new Uint32Array(u8.buffer), BODY, BODY, BODY + 2 * BLOCK, take);
      expect(u8.subarray(0, BODY).every((byte) => byte === 7)).toBe(true);
      expect(u8.subarray(BODY + 2 * BLOCK).every((byte) => byte === 7)).toBe(true);
    }),
    { numRuns: 200 },
  );
});
