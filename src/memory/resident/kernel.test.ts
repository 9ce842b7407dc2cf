import { readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import {
  BUILT_FILE,
  type Built,
  hashOf,
  KERNEL_FILES,
  kernelPath,
  sourceHash,
} from "../../../scripts/build-kernels.ts";
import { mulberry, unit } from "../testing/index-rows.ts";
import { cosineOf } from "../vectors.ts";
import { ColumnIndex } from "./column-index.ts";
import { dotsAreExact, type KernelVariant } from "./kernel.ts";

describe("kernels", () => {
  it.each(KERNEL_FILES)("%s was built from the sources that lie beside it", (file) => {
    const built = JSON.parse(readFileSync(BUILT_FILE, "utf8")) as Built;
    const now = { from: sourceHash(file), bytes: hashOf(readFileSync(kernelPath(file))) };
    expect(now, "run node scripts/build-kernels.ts").toEqual(built[file]);
  });

  it("multiplies bytes exactly, as the plain-TypeScript test at start-up demands", () => {
    const plain = new WebAssembly.Module(readFileSync(new URL("./kernels/kernels.wasm", import.meta.url)));
    expect(dotsAreExact(plain, -127, 127)).toBe(true);
    expect(dotsAreExact(plain, 1, 127)).toBe(true);
  });

  it.each(["plain", "relaxed-offset", undefined] as (KernelVariant | undefined)[])(
    "finds the same with the %s build",
    (variant) => {
      const dim = 100;
      const random = mulberry(7);
      const options = { textDim: dim, imageDim: 0, scratchBytes: 1 << 22 };
      const index = ColumnIndex.create(variant === undefined ? options : { ...options, variant });
      const vectors = Array.from({ length: 700 }, () => unit(random, dim));
      index.write(() => {
        for (const [key, vector] of vectors.entries()) {
          index.insertMeaning("text", key, vector);
          index.insertRow({ ...bare, row: key, id: `r${key}`, texts: [key] });
        }
      });
      let asked = 0;
      const exact = (_: unknown, keys: readonly number[]) => {
        asked += keys.length;
        return keys.map((key) => vectors[key]!);
      };
      for (let i = 0; i < 50; i++) {
        const query = i % 2 === 0 ? unit(random, dim) : vectors[i]!;
        const found = index.search({ rank: "meaning", limit: 5, text: { vector: query } }, { exact });
        const truth = vectors
          .map((v, key) => ({ row: key, score: cosineOf(query, v) }))
          .sort((a, b) => b.score - a.score);
        expect(found.hits.map(({ row, score }) => ({ row, score }))).toEqual(truth.slice(0, 5));
      }
      // The bounds are what makes it exact; that they are tight is what makes it quick.
      expect(asked / 50).toBeLessThan(60);
    },
  );
  it.each([1, 3, 4, 5, 7, 96, 100, 384])(
    "scores %i numbers to the last bit, alone and several at once",
    (dim) => {
      const random = mulberry(dim);
      const vectors = Array.from({ length: 23 }, () => unit(random, dim));
      // Some stay resident, some must be asked for, and some rows have two.
      const index = ColumnIndex.create({
        textDim: dim,
        imageDim: 0,
        scratchBytes: 1 << 22,
        f32CacheBytes: 15 * (dim * 4 + 68) + 128,
      });
      index.write(() => {
        for (const [key, vector] of vectors.entries()) index.insertMeaning("text", key, vector);
        for (const key of vectors.keys()) {
          const texts = key % 6 === 5 ? [key, key - 1] : [key];
          const centre = { x: key, y: 0, z: 0 };
          index.insertRow({
            ...bare,
            row: key,
            id: `r${key}`,
            texts,
            place: { centre, box: { min: centre, max: centre } },
          });
        }
      });
      const exact = (_: unknown, keys: readonly number[]) => keys.map((key) => vectors[key]!);
      for (let i = 0; i < 20; i++) {
        const query = unit(random, dim);
        const truth = vectors
          .map((v, key) => {
            const own = cosineOf(query, v);
            return {
              id: `r${key}`,
              score: key % 6 === 5 ? Math.max(own, cosineOf(query, vectors[key - 1]!)) : own,
            };
          })
          .sort((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
        const place = { type: "box", min: { x: -1, y: -1, z: -1 }, max: { x: 99, y: 1, z: 1 } } as const;
        for (const limit of [3, 9, 23, 1_000]) {
          const { hits } = index.search(
            { rank: "meaning", limit, text: { vector: query }, place },
            { exact },
          );
          expect(hits.map(({ id, score }) => ({ id, score }))).toEqual(truth.slice(0, limit));
        }
      }
    },
  );
});

const bare = {
  kind: 0,
  labelSet: 0,
  scene: 0,
  author: 0,
  category: 0,
  owner: 0,
  validFromUs: 0,
  validToUs: null,
  submap: 0,
  texts: [],
  words: [],
};
