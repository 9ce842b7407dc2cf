import { describe, expect, it } from "vitest";
import { BruteForce } from "../testing/brute-force.ts";
import { mulberry, unit } from "../testing/index-rows.ts";
import { ColumnIndex } from "./column-index.ts";
import type { NumericQuery } from "./query.ts";
import type { RowInput } from "./row-writer.ts";

const DIM = 64;

function row(n: number, more: Partial<RowInput> = {}): RowInput {
  const centre = { x: (n * 37) % 400, y: (n * 91) % 300, z: n % 3 };
  return {
    row: n,
    id: `id-${(n * 7919) % 100_003}`,
    kind: n % 5,
    labelSet: n % 3,
    scene: 1 + (n % 2),
    author: 1,
    category: 1 + (n % 7),
    owner: 1 + Math.floor(n / 4),
    validFromUs: (n * 104_729) % 5_000_000,
    validToUs: ((n * 104_729) % 5_000_000) + 1 + (n % 900_000),
    submap: 1,
    place: { centre, box: { min: centre, max: { x: centre.x + 0.5, y: centre.y, z: centre.z } } },
    texts: [n % 50],
    words: [`w${n % 97}`, "all", ...(n % 5 === 0 ? ["fifth"] : [])],
    ...more,
  };
}

/** An index and its oracle with the same rows. */
function both(rows: readonly RowInput[]) {
  const random = mulberry(5);
  const index = ColumnIndex.create({ textDim: DIM, imageDim: 0, f32CacheBytes: 4096, scratchBytes: 1 << 25 });
  const model = new BruteForce();
  for (let key = 0; key < 50; key++) {
    const vector = unit(random, DIM);
    index.insertMeaning("text", key, vector);
    model.vectors.text.set(key, vector);
  }
  index.write(() => {
    for (const input of rows) {
      index.insertRow(input);
      model.rows.set(input.row, input);
    }
  });
  const hooks = {
    exact: (_: unknown, keys: readonly number[]) => keys.map((key) => model.vectors.text.get(key)!),
  };
  const check = (query: NumericQuery) => {
    const { hits, plan } = index.search(query, hooks);
    const got = hits.map(({ row, score, scores }) => ({ row, score, scores }));
    expect(got, JSON.stringify(plan)).toEqual(model.search(query));
    return plan.driver;
  };
  return { index, model, hooks, check };
}

describe("edges", () => {
  it("goes on across many segments, by every driver", () => {
    const { check, model } = both(Array.from({ length: 21_000 }, (_, n) => row(n)));
    const text = { vector: model.vectors.text.get(7)! };
    const point = { x: 100, y: 100, z: 1 };
    const cases: [string, NumericQuery][] = [
      ["vectors", { rank: "meaning", limit: 30, text }],
      [
        "grid",
        {
          rank: "meaning",
          limit: 30,
          text,
          place: { type: "box", min: point, max: { x: 130, y: 104, z: 2 } },
        },
      ],
      ["time", { rank: "meaning", limit: 30, text, time: { after: 4_990_000 } }],
      ["columns", { rank: "id", limit: 30, categories: [3] }],
      ["owner", { rank: "latest", limit: 30, owners: [77, 4000] }],
      ["ids", { rank: "latest", limit: 30, ids: ["id-7919", "nobody"] }],
      ["words", { rank: "words", limit: 30, words: ["w5", "fifth"] }],
      [
        "nearest",
        { rank: "distance", limit: 30, place: { type: "within", point, radiusM: Infinity, metric: "box" } },
      ],
      ["time", { rank: "latest", limit: 30, time: { overlaps: { fromUs: 1_000_000, toUs: 1_200_000 } } }],
    ];
    for (const [driver, query] of cases) expect(check(query), JSON.stringify(query)).toBe(driver);
    check({ rank: "fused", limit: 30, pool: 100, text, words: ["all", "w3"], kinds: 6, labelSets: [0, 2] });
    check({ rank: "earliest", limit: 10_000, kinds: 1 });
  });

  it("ranks ten thousand equal captions by id, quickly, with and without a filter", () => {
    const rows = Array.from({ length: 12_000 }, (_, n) => row(n, { texts: [n < 10_000 ? 3 : n % 50] }));
    const { check, model, index, hooks } = both(rows);
    const text = { vector: model.vectors.text.get(3)! };
    check({ rank: "meaning", limit: 25, text });
    check({ rank: "meaning", limit: 25, text, kinds: 4, labelSets: [1] });
    check({ rank: "meaning", limit: 25, text, time: { after: 2_500_000 } });
    const residual = (n: number) => n % 1000 === 1;
    const found = index.search({ rank: "meaning", limit: 5, text }, { ...hooks, residual });
    const truth = model.search({ rank: "meaning", limit: 5, text }, residual);
    expect(found.hits.map((hit) => hit.row)).toEqual(truth.map((hit) => hit.row));
  });

  it("checks labels only as long as they hide a row", () => {
    const { index, model, hooks, check } = both(Array.from({ length: 6_000 }, (_, n) => row(n)));
    const text = { vector: model.vectors.text.get(7)! };
    const all = [0, 1, 2];
    // A lone vector is ranked over everything, without a list, only where nothing is left out.
    const query: NumericQuery = { rank: "fused", limit: 10, pool: 100, text };
    const planFor = (labelSets?: readonly number[]) =>
      index.search(labelSets === undefined ? query : { ...query, labelSets }, hooks).plan;
    expect(planFor(all)).toEqual(planFor());
    expect(planFor([0, 2])).not.toEqual(planFor());
    check({ rank: "words", limit: 10, words: ["w5", "fifth"], labelSets: all });
    const hidden = row(6_000, { labelSet: 700, texts: [7] });
    index.insertRow(hidden);
    model.rows.set(hidden.row, hidden);
    expect(planFor(all)).not.toEqual(planFor());
    check({ ...query, labelSets: all });
    check({ rank: "words", limit: 10_000, words: ["all"], labelSets: all });
    expect(index.count({ rank: "id", limit: 1, labelSets: all }, hooks)).toBe(6_000);
    index.removeRow(hidden.row);
    model.rows.delete(hidden.row);
    expect(planFor(all)).toEqual(planFor());
    check({ ...query, labelSets: all });
  });

  it("counts a word that a record repeats thousands of times", () => {
    const often = (n: number, times: number) => row(n, { words: Array(times).fill("again").concat("other") });
    const { check } = both([
      often(1, 254),
      often(2, 255),
      often(3, 256),
      often(4, 5000),
      often(5, 1),
      often(6, 510),
    ]);
    check({ rank: "words", limit: 10, words: ["again"] });
    check({ rank: "words", limit: 10, words: ["other", "again"], kinds: 6 });
  });

  it("finds huge, flat, far and open things", () => {
    const at = (x: number, half: number) => ({
      centre: { x, y: -x, z: 0 },
      box: { min: { x: x - half, y: -x - half, z: -half }, max: { x: x + half, y: -x + half, z: half } },
    });
    const { check } = both([
      row(1, { place: at(-1e8, 0), validToUs: null }),
      row(2, { place: at(1e8, 5), validFromUs: -Number.MAX_SAFE_INTEGER }),
      row(3, { place: at(0, 1e6), validToUs: null }),
      row(4, { place: at(-0.0000001, 0) }),
      row(5, { place: at(17, 7.9) }),
    ]);
    for (const radiusM of [0, 10, 1e7, 3e8, Number.POSITIVE_INFINITY]) {
      for (const metric of ["box", "centre"] as const) {
        for (const x of [0, -1e8, 5e7]) {
          check({
            rank: "distance",
            limit: 5,
            place: { type: "within", point: { x, y: -x, z: 0 }, radiusM, metric },
          });
        }
      }
    }
    check({ rank: "latest", limit: 5, time: { overlaps: { fromUs: 1e15, toUs: null } } });
    check({ rank: "earliest", limit: 5, time: { before: 1e15 } });
  });

  it("refuses before anything is half written", () => {
    const { index } = both([row(1)]);
    expect(() => index.insertMeaning("text", 99, new Float32Array(DIM))).toThrow(/unit length/);
    expect(() => index.insertMeaning("text", 99, new Float32Array(3))).toThrow(/64 numbers/);
    expect(() => index.insertRow(row(1))).toThrow(/there already/);
    expect(() => index.insertRow(row(2, { texts: [4242] }))).toThrow(/not inserted/);
    expect(index.stats().live).toBe(1);
    const small = ColumnIndex.create({
      textDim: DIM,
      imageDim: 0,
      scratchBytes: 1 << 20,
      maxBytes: 16 << 20,
    });
    expect(() => {
      for (let n = 0; ; n++) small.insertRow(row(n, { texts: [] }));
    }).toThrow(/limit/);
    expect(small.count({ rank: "id", limit: 1 }, { exact: () => [] })).toBe(small.stats().live);
  });
});
