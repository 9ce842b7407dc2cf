import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { BruteForce } from "../testing/brute-force.ts";
import { arbitraryQuery, arbitraryRow, rowFrom, TEXTS, vectorOf } from "../testing/index-rows.ts";
import { ColumnIndex } from "./column-index.ts";
import type { KernelVariant } from "./kernel.ts";
import type { NumericQuery, SearchHooks } from "./query.ts";
import type { RowInput, RowPlace } from "./row-writer.ts";

const hooks = (model: BruteForce, residual?: (row: number) => boolean): SearchHooks => ({
  exact: (space, keys) => keys.map((key) => model.vectors[space].get(key)!),
  ...(residual && { residual }),
});

function fresh(cache: number, variant?: KernelVariant): { index: ColumnIndex; model: BruteForce } {
  const options = { textDim: 40, imageDim: 24, f32CacheBytes: cache, scratchBytes: 1 << 24 };
  const index = ColumnIndex.create(variant === undefined ? options : { ...options, variant });
  const model = new BruteForce();
  for (let key = 0; key < TEXTS; key++) {
    for (const space of ["text", "image"] as const) {
      const vector = vectorOf(space, key);
      index.insertMeaning(space, key, vector);
      model.vectors[space].set(key, vector);
    }
  }
  return { index, model };
}

function insert({ index, model }: ReturnType<typeof fresh>, input: RowInput): void {
  index.insertRow(input);
  model.rows.set(input.row, input);
}

function compare(
  { index, model }: ReturnType<typeof fresh>,
  query: NumericQuery,
  residual?: (row: number) => boolean,
): void {
  const found = index.search(query, hooks(model, residual));
  const got = found.hits.map(({ row, score, scores }) => ({ row, score, scores }));
  expect(got, JSON.stringify([query, found.plan])).toEqual(model.search(query, residual));
  expect(index.count(query, hooks(model, residual))).toBe(model.count(query, residual));
}

describe("ColumnIndex", () => {
  const step = fc.oneof(
    {
      weight: 6,
      arbitrary: fc
        .array(arbitraryRow, { minLength: 1, maxLength: 30 })
        .map((rows) => ({ do: "insert" as const, rows })),
    },
    { weight: 2, arbitrary: fc.nat().map((n) => ({ do: "remove" as const, n })) },
    {
      weight: 1,
      arbitrary: fc
        .record({ submap: fc.integer({ min: 1, max: 3 }), by: fc.double({ min: -40, max: 40, noNaN: true }) })
        .map((move) => ({ do: "move" as const, ...move })),
    },
    { weight: 8, arbitrary: arbitraryQuery.map((query) => ({ do: "search" as const, query })) },
  );

  it.each([
    ["resident vectors", 1 << 20],
    ["some resident vectors", 3_000],
    ["vectors of the caller", 0],
  ] as const)("equals brute force with %s", (_, cache) => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 4, maxLength: 40 }), (steps) => {
        const both = fresh(cache);
        let next = 1;
        for (const s of steps) {
          if (s.do === "insert") for (const seed of s.rows) insert(both, rowFrom(seed, next++));
          else if (s.do === "remove") {
            const rows = [...both.model.rows.keys()];
            const row = rows[s.n % Math.max(1, rows.length)];
            if (row === undefined) continue;
            expect(both.index.removeRow(row)).toBe(true);
            both.model.rows.delete(row);
          } else if (s.do === "move") {
            const placeOf = (row: number): RowPlace | undefined => moved(both.model.rows.get(row)!, s.by);
            both.index.setPlaces([s.submap], placeOf);
            both.model.move([s.submap], placeOf);
          } else {
            compare(both, s.query);
            compare(both, s.query, (row) => row % 3 !== 0);
          }
        }
        expect(both.index.stats()).toMatchObject({ live: both.model.rows.size });
        both.index.detach();
      }),
      { numRuns: 60 },
    );
  });
});

function moved({ place, row }: RowInput, by: number): RowPlace | undefined {
  if (row % 11 === 0) return undefined;
  const { min, max } = place?.box ?? { min: { x: 0, y: 0, z: 0 }, max: { x: 1, y: 1, z: 1 } };
  const centre = place?.centre ?? { x: 0.5, y: 0.5, z: 0.5 };
  return {
    box: { min: { ...min, x: min.x + by }, max: { ...max, x: max.x + by } },
    centre: { ...centre, x: centre.x + by },
  };
}
