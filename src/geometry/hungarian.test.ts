import * as fc from "fast-check";
import { expect, test } from "vitest";
import { assign } from "./hungarian.ts";
import { Random } from "./random.ts";
import { real } from "./testing/arbitraries.ts";

interface Outcome {
  readonly pairs: number;
  readonly cost: number;
}

/** Most pairs, then least cost, over every way to give each row a free column or none. */
function bruteForce(costs: Float64Array, rows: number, columns: number, row = 0, used = 0): Outcome {
  if (row === rows) return { pairs: 0, cost: 0 };
  let best = bruteForce(costs, rows, columns, row + 1, used);
  for (let column = 0; column < columns; column++) {
    const cost = costs[row * columns + column]!;
    if (cost === Infinity || used & (1 << column)) continue;
    const rest = bruteForce(costs, rows, columns, row + 1, used | (1 << column));
    const candidate = { pairs: rest.pairs + 1, cost: rest.cost + cost };
    if (candidate.pairs > best.pairs || (candidate.pairs === best.pairs && candidate.cost < best.cost))
      best = candidate;
  }
  return best;
}

function outcomeOf(assignment: Int32Array, costs: Float64Array, columns: number): Outcome {
  const taken = [...assignment].filter((column) => column >= 0);
  expect(new Set(taken).size).toBe(taken.length);
  let cost = 0;
  assignment.forEach((column, row) => {
    if (column >= 0) cost += costs[row * columns + column]!;
  });
  return { pairs: taken.length, cost };
}

const anyCost = fc.oneof(
  { weight: 2, arbitrary: fc.integer({ min: -5, max: 20 }) },
  { weight: 2, arbitrary: real(-1, 1) },
  { weight: 1, arbitrary: fc.constant(Infinity) },
);

test("agrees with brute force on small rectangular problems with forbidden pairs", () => {
  const problem = fc
    .tuple(fc.integer({ min: 1, max: 6 }), fc.integer({ min: 1, max: 6 }))
    .chain(([rows, columns]) =>
      fc.record({
        rows: fc.constant(rows),
        columns: fc.constant(columns),
        costs: fc.array(anyCost, { minLength: rows * columns, maxLength: rows * columns }),
      }),
    );
  fc.assert(
    fc.property(problem, ({ rows, columns, costs }) => {
      const matrix = Float64Array.from(costs);
      const got = outcomeOf(assign(matrix, rows, columns), matrix, columns);
      const best = bruteForce(matrix, rows, columns);
      expect(got.pairs).toBe(best.pairs);
      expect(got.cost).toBeCloseTo(best.cost, 9);
    }),
    { numRuns: 300 },
  );
});

test("agrees with brute force at seven by seven", () => {
  const random = new Random("seven");
  for (let round = 0; round < 10; round++) {
    const costs = Float64Array.from({ length: 49 }, () =>
      random.chance(0.2) ? Infinity : random.int(0, 30),
    );
    expect(outcomeOf(assign(costs, 7, 7), costs, 7)).toEqual(bruteForce(costs, 7, 7));
  }
});

test("a contested column goes to the row for which it is cheapest", () => {
  const no = Infinity;
  expect([...assign(Float64Array.of(5, no, 1, no), 2, 2)]).toEqual([-1, 0]);
  expect([...assign(Float64Array.of(1, 2, 1, 100), 2, 2)]).toEqual([1, 0]);
  expect([...assign(Float64Array.of(3, 1, 2), 3, 1)]).toEqual([-1, 0, -1]);
  expect([...assign(Float64Array.of(3, 1, 2), 1, 3)]).toEqual([1]);
});

test("one pair more is worth any price", () => {
  const costs = Float64Array.of(0, 1000, 1000, Infinity);
  expect([...assign(costs, 2, 2)]).toEqual([1, 0]);
});

test("nothing to assign, nothing allowed, nonsense", () => {
  expect([...assign(new Float64Array(0), 3, 0)]).toEqual([-1, -1, -1]);
  expect([...assign(new Float64Array(0), 0, 3)]).toEqual([]);
  expect([...assign(Float64Array.of(Infinity, Infinity), 2, 1)]).toEqual([-1, -1]);
  expect(() => assign(Float64Array.of(1, Number.NaN), 1, 2)).toThrow(RangeError);
  expect(() => assign(Float64Array.of(1, -Infinity), 1, 2)).toThrow(RangeError);
  expect(() => assign(Float64Array.of(1), 1, 2)).toThrow(RangeError);
});

test("recovers a hidden permutation of three hundred", () => {
  const n = 300;
  const random = new Random("hidden");
  const hidden = random.shuffle(Array.from({ length: n }, (_, i) => i));
  const costs = Float64Array.from({ length: n * n }, () => random.range(1, 2));
  hidden.forEach((column, row) => {
    costs[row * n + column] = random.range(0, 0.5);
  });
  expect([...assign(costs, n, n)]).toEqual(hidden);
});
