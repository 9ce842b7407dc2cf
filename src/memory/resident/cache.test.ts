import { describe, expect, it } from "vitest";
import { mulberry, unit } from "../testing/index-rows.ts";
import { cosineOf } from "../vectors.ts";
import { ColumnIndex, type IndexOptions } from "./column-index.ts";

const DIM = 64;
const ROWS = 200;
const PLACE_BYTES = DIM * 4 + 4 + 64;
const EVERYTHING = { type: "box", min: { x: -1, y: -1, z: -1 }, max: { x: ROWS, y: 1, z: 1 } } as const;

function filled(options: Partial<IndexOptions>) {
  const random = mulberry(3);
  const index = ColumnIndex.create({ textDim: DIM, imageDim: 0, scratchBytes: 1 << 22, ...options });
  const vectors: Float32Array[] = [];
  const asked: number[][] = [];
  const add = (count: number) => {
    for (let i = 0; i < count; i++) {
      const key = vectors.length;
      vectors.push(unit(random, DIM));
      index.insertMeaning("text", key, vectors[key]!);
      const centre = { x: key, y: 0, z: 0 };
      index.insertRow({
        row: key,
        id: `r${key}`,
        kind: 0,
        labelSet: 0,
        scene: 0,
        author: 0,
        category: 0,
        owner: 0,
        validFromUs: 0,
        validToUs: null,
        submap: 0,
        place: { centre, box: { min: centre, max: centre } },
        texts: [key],
        words: [],
      });
    }
  };
  const exact = (_: unknown, keys: readonly number[]) => {
    asked.push([...keys]);
    return keys.map((key) => vectors[key]!);
  };
  /** Every row from `first` on, scored exactly; what had to be asked for is returned. */
  const scoreFrom = (first: number): number[] => {
    asked.length = 0;
    const vector = unit(random, DIM);
    const place = { ...EVERYTHING, min: { x: first, y: -1, z: -1 } };
    const { hits } = index.search({ rank: "meaning", limit: 1_000, text: { vector }, place }, { exact });
    const truth = vectors
      .map((v, key) => ({ row: key, score: cosineOf(vector, v) }))
      .slice(first)
      .sort((a, b) => b.score - a.score);
    expect(hits.map(({ row, score }) => ({ row, score }))).toEqual(truth);
    return asked.flat().sort((a, b) => a - b);
  };
  return { index, vectors, asked, add, exact, scoreFrom };
}

const from = (first: number, end: number) => Array.from({ length: end - first }, (_, i) => first + i);

describe("the resident exact vectors", () => {
  it("are all that fit; the newest stay when there are more", () => {
    const { add, scoreFrom, index } = filled({ f32CacheBytes: 50 * PLACE_BYTES + 128 });
    add(50);
    expect(scoreFrom(0)).toEqual([]);
    add(20);
    expect(scoreFrom(0)).toEqual(from(0, 20));
    // There is no free place, and a search takes none from another vector.
    expect(scoreFrom(0)).toEqual(from(0, 20));
    expect(index.stats().exactBytes).toBe(50 * DIM * 4);
  });

  it("are asked for many at a time, each once", () => {
    const { add, asked, scoreFrom } = filled({ f32CacheBytes: 0 });
    add(ROWS);
    expect(scoreFrom(0)).toEqual(from(0, ROWS));
    expect(asked.length).toBe(1);
  });

  it("are kept when they were asked for, and only those, in an index from an image", () => {
    const { add, index, vectors, exact } = filled({ f32CacheBytes: 1 << 20 });
    add(ROWS);
    const pieces: Uint8Array[] = [];
    index.writeImage({ databaseId: new Uint8Array(16), commit: 1 }, (piece) => pieces.push(piece.slice()));
    const image = Buffer.concat(pieces);
    let at = 0;
    const { index: loaded } = ColumnIndex.load((into) => {
      const part = image.subarray(at, at + into.length);
      into.set(part);
      at += part.length;
      return part.length;
    }, new Uint8Array(16));
    expect(loaded.stats().exactBytes).toBe(0);
    const place = { ...EVERYTHING, min: { x: 150, y: -1, z: -1 } };
    const query = { rank: "meaning", limit: 1_000, text: { vector: vectors[7]! }, place } as const;
    const first = loaded.search(query, { exact });
    expect(loaded.stats().exactBytes).toBe(50 * DIM * 4);
    const again = loaded.search(query, {
      exact: () => {
        throw new Error("asked again");
      },
    });
    expect(again.hits).toEqual(first.hits);
  });

  it("leave room for the body within the budget, but for an eighth", () => {
    const { add, index } = filled({ f32CacheBytes: 1 << 20, residentBytes: 800 * DIM * 4 });
    add(10 * ROWS);
    expect(index.stats().exactBytes).toBe(100 * DIM * 4);
    const residentBytes = index.stats().bodyBytes + 5 * ROWS * DIM * 4;
    const roomy = filled({ f32CacheBytes: 1 << 20, residentBytes });
    roomy.add(10 * ROWS);
    // The first ones came while the body was smaller, and what is kept stays.
    expect(roomy.index.stats().exactBytes).toBeGreaterThanOrEqual(5 * ROWS * DIM * 4);
    expect(roomy.index.stats().exactBytes).toBeLessThan(9 * ROWS * DIM * 4);
  });

  it("go with their meaning, and the place is used again", () => {
    const { add, index, scoreFrom, vectors } = filled({ f32CacheBytes: 50 * PLACE_BYTES + 128 });
    add(50);
    for (const row of [0, 1, 2]) {
      index.removeRow(row);
      expect(index.removeMeaning("text", row)).toBe(true);
      // The same key with another vector: the old one must not come back.
      vectors[row] = vectors[40 + row]!;
      index.insertMeaning("text", row, vectors[row]!);
    }
    expect(scoreFrom(10)).toEqual([]);
    add(3);
    scoreFrom(10);
  });
});
