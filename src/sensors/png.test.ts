import { crc32, deflateSync } from "node:zlib";
import fc from "fast-check";
import { expect, test } from "vitest";
import { decodePng } from "./png.ts";

function chunk(name: string, body: Uint8Array): Buffer {
  const named = Buffer.concat([Buffer.from(name), body]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(body.length);
  sum.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, sum]);
}

/** 8-bit colour with the given filter per row, encoded by the PNG specification. */
function encoded(width: number, pixels: Uint8Array, filters: readonly number[]): Uint8Array {
  const stride = 3 * width;
  const rows = filters.map((filter, y) => {
    const at = (x: number, row: number) => (x < 0 || row < 0 ? 0 : pixels[row * stride + x]!);
    const row = Array.from({ length: stride }, (_, x) => {
      const [left, up, corner] = [at(x - 3, y), at(x, y - 1), at(x - 3, y - 1)];
      const guess = left + up - corner;
      const nearest = [left, up, corner].reduce((best, one) =>
        Math.abs(guess - one) < Math.abs(guess - best) ? one : best,
      );
      return at(x, y) - [0, left, up, (left + up) >> 1, nearest][filter]!;
    });
    return Uint8Array.from([filter, ...row]);
  });
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(filters.length, 4);
  header.set([8, 2], 8);
  return Buffer.concat([
    Buffer.from([137, 80, 78, 71, 13, 10, 26, 10]),
    chunk("IHDR", header),
    chunk("IDAT", deflateSync(Buffer.concat(rows))),
    chunk("IEND", new Uint8Array(0)),
  ]);
}

test("reads every filter, whatever the width of a row and the row above", async () => {
  const images = fc.record({
    width: fc.integer({ min: 1, max: 9 }),
    filters: fc.array(fc.integer({ min: 0, max: 4 }), { minLength: 1, maxLength: 8 }),
    seed: fc.array(fc.integer({ min: 0, max: 255 }), { minLength: 7, maxLength: 31 }),
  });
  await fc.assert(
    fc.asyncProperty(images, async ({ width, filters, seed }) => {
      const count = 3 * width * filters.length;
      const pixels = Uint8Array.from({ length: count }, (_, i) => seed[i % seed.length]! + i);
      const { data } = (await decodePng(encoded(width, pixels, filters)))!;
      expect(data).toEqual(pixels);
    }),
  );
});
