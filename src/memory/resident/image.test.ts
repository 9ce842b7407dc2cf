import { describe, expect, it } from "vitest";
import { mulberry, unit } from "../testing/index-rows.ts";
import { ColumnIndex } from "./column-index.ts";
import type { NumericQuery } from "./query.ts";

const databaseId = Uint8Array.from({ length: 16 }, (_, i) => i);
const DIM = 32;

function sample(rows: number): {
  index: ColumnIndex;
  exact: (space: unknown, keys: readonly number[]) => Float32Array[];
} {
  const random = mulberry(3);
  const index = ColumnIndex.create({
    textDim: DIM,
    imageDim: 0,
    f32CacheBytes: 1 << 18,
    scratchBytes: 1 << 22,
  });
  const vectors = Array.from({ length: rows }, () => unit(random, DIM));
  index.write(() => {
    for (let row = 0; row < rows; row++) {
      const centre = { x: random() * 100 - 50, y: random() * 100, z: random() * 3 };
      index.insertMeaning("text", row, vectors[row]!);
      index.insertRow({
        row,
        id: `id-${row}`,
        kind: row % 4,
        labelSet: row % 2,
        scene: 1,
        author: 1,
        category: 1,
        owner: index.intern(`owner-${row % 10}`),
        validFromUs: row * 10,
        validToUs: row * 10 + 5,
        submap: 1,
        place: { centre, box: { min: centre, max: centre } },
        texts: [row],
        words: ["word", `w${row % 50}`],
      });
    }
  });
  return { index, exact: (_, keys) => keys.map((key) => vectors[key]!) };
}

function imageOf(index: ColumnIndex): Uint8Array {
  const pieces: Uint8Array[] = [];
  index.writeImage({ databaseId, commit: 77 }, (piece) => pieces.push(piece.slice()));
  return Buffer.concat(pieces);
}

function loadFrom(image: Uint8Array, id = databaseId) {
  let at = 0;
  return ColumnIndex.load((into) => {
    const n = Math.min(into.length, image.length - at);
    into.set(image.subarray(at, at + n));
    at += n;
    return n;
  }, id);
}

const queries: NumericQuery[] = [
  { rank: "meaning", limit: 7, text: { vector: unit(mulberry(9), DIM) } },
  { rank: "words", limit: 7, words: ["w7", "word"] },
  { rank: "latest", limit: 7, time: { overlaps: { fromUs: 100, toUs: 5000 } } },
  {
    rank: "distance",
    limit: 7,
    place: { type: "within", point: { x: 0, y: 0, z: 0 }, radiusM: 20, metric: "box" },
  },
];

describe("index image", () => {
  const { index, exact } = sample(5000);
  const image = imageOf(index);

  it("loads to an index that answers the same and goes on", () => {
    const { index: loaded, header } = loadFrom(image);
    expect(header.commit).toBe(77);
    for (const query of queries)
      expect(loaded.search(query, { exact })).toEqual(index.search(query, { exact }));
    expect(loaded.numberOf("owner-3")).toBe(index.numberOf("owner-3"));
    expect(loaded.removeRow(17)).toBe(true);
    expect(loaded.stats().live).toBe(4999);
    expect(index.stats().live).toBe(5000);
  });

  it("is the same bytes again after searches, and after being loaded", () => {
    for (const query of queries) index.search(query, { exact });
    expect(Buffer.compare(imageOf(index), image)).toBe(0);
    expect(Buffer.compare(imageOf(loadFrom(image).index), image)).toBe(0);
  });

  it("refuses what is torn, damaged, foreign, of another format or too long", () => {
    const broken = (change: (copy: Uint8Array) => Uint8Array): (() => unknown) => {
      return () => loadFrom(change(Uint8Array.from(image)));
    };
    for (const cut of [0, 100, 4096, 5000, 250_000, image.length - 1]) {
      expect(broken((copy) => copy.subarray(0, cut))).toThrow(/cut short/);
    }
    for (const at of [4096 + 90, 4096 + 200_000, image.length - 5000, Math.floor(image.length / 2)]) {
      const damage = (copy: Uint8Array) => {
        copy[at]! ^= 4;
        return copy;
      };
      expect(broken(damage)).toThrow(/torn or damaged/);
    }
    // A page that was never written: what a crash leaves behind.
    const written = image.findLastIndex((byte) => byte !== 0);
    expect(broken((copy) => copy.fill(0, written - 2048, written + 1))).toThrow(/torn/);
    expect(broken((copy) => copy.fill(7, 0, 4))).toThrow(/not an index image/);
    expect(broken((copy) => copy.fill(9, 8, 9))).toThrow(/format/);
    expect(broken((copy) => copy.fill(9, 20, 21))).toThrow(/damaged header/);
    expect(() => loadFrom(image, new Uint8Array(16))).toThrow(/another database/);
    expect(broken((copy) => Buffer.concat([copy, Buffer.alloc(1)]))).toThrow(/longer/);
  });
});
