import * as fc from "fast-check";
import { expect, test } from "vitest";
import { Random } from "./random.ts";

const draw = <T>(count: number, next: () => T): T[] => Array.from({ length: count }, next);

// Golden values, normals and their hash included, were computed by a separate transcription in Python.
test("the same bits on every machine", () => {
  const numbered = new Random(1);
  expect(draw(4, () => numbered.next())).toEqual([
    0.1767065665518348, 0.683700641202488, 0.969093969186762, 0.8266587752235584,
  ]);
  const named = new Random("loci");
  expect(draw(4, () => named.next())).toEqual([
    0.6074801830112946, 0.16825116936388662, 0.2934244876381812, 0.8296274078386424,
  ]);
  const fork = new Random("loci").fork("noise");
  expect(draw(2, () => fork.next())).toEqual([0.3707289858337971, 0.5270817389701987]);
  expect([...new Random("loci").bytes(6)]).toEqual([155, 248, 43, 175, 75, 18]);
  const whole = new Random("loci");
  expect(draw(10, () => whole.int(0, 10))).toEqual([6, 1, 2, 8, 5, 1, 3, 1, 6, 1]);
});

test("normals to the last bit, tails included", () => {
  const random = new Random("loci");
  expect(draw(4, () => random.normal())).toEqual([
    0.2727574964403969, -0.9610991068739041, -0.5434079179324166, 0.9526939012109118,
  ]);
  let hash = 0;
  const bits = new Uint32Array(new Float64Array(draw(20_000, () => random.normal(1, 3))).buffer);
  for (const word of bits) hash = (Math.imul(hash, 31) + word) | 0;
  expect(hash).toBe(-1701139048);
});

test("moments of the uniform and the normal", () => {
  const random = new Random("moments");
  const mean = (values: number[]) => values.reduce((sum, value) => sum + value, 0) / values.length;
  const uniforms = draw(40_000, () => random.next());
  expect(mean(uniforms)).toBeCloseTo(0.5, 2);
  expect(mean(uniforms.map((u) => (u - 0.5) ** 2))).toBeCloseTo(1 / 12, 2);
  const normals = draw(40_000, () => random.normal(2, 3));
  expect(Math.abs(mean(normals) - 2)).toBeLessThan(0.06);
  expect(mean(normals.map((z) => ((z - 2) / 3) ** 2))).toBeCloseTo(1, 1);
  expect(mean(normals.map((z) => (Math.abs(z - 2) > 6 ? 1 : 0)))).toBeCloseTo(0.0455, 2);
});

test("ranges are respected and every value of a small range turns up", () => {
  fc.assert(
    fc.property(
      fc.string(),
      fc.integer({ min: -50, max: 50 }),
      fc.integer({ min: 1, max: 6 }),
      (seed, min, span) => {
        const random = new Random(seed);
        const values = new Set(draw(300, () => random.int(min, min + span)));
        expect([...values].sort((a, b) => a - b)).toEqual(Array.from({ length: span }, (_, i) => min + i));
        const real = random.range(min, min + span);
        expect(real).toBeGreaterThanOrEqual(min);
        expect(real).toBeLessThan(min + span);
      },
    ),
    { numRuns: 50 },
  );
  expect(() => new Random(1).int(3, 3)).toThrow(RangeError);
  expect(() => new Random(1).int(0.5, 3)).toThrow(RangeError);
});

test("seeds, forks and their order are independent", () => {
  expect(new Random(1).next()).toBe(new Random("1").next());
  expect(new Random(1).next()).not.toBe(new Random(2).next());
  const parent = new Random("house");
  const before = parent.fork("dogs").next();
  parent.next();
  expect(parent.fork("dogs").next()).toBe(before);
  expect(parent.fork("cats").next()).not.toBe(before);
  expect(parent.fork("a").fork("b").next()).not.toBe(parent.fork("a/b").next());
  const untouched = new Random("house");
  untouched.next();
  expect(parent.next()).toBe(untouched.next());
});

test("shuffle is a permutation of a copy and reaches every order", () => {
  const random = new Random("cards");
  const input = Object.freeze([1, 2, 3]);
  const orders = new Set(draw(200, () => random.shuffle(input).join("")));
  expect([...orders].sort()).toEqual(["123", "132", "213", "231", "312", "321"]);
});

test("pick and weighted choose among what is there, in proportion", () => {
  const random = new Random("urn");
  expect(new Set(draw(100, () => random.pick(["a", "b"])))).toEqual(new Set(["a", "b"]));
  expect(() => random.pick([])).toThrow(RangeError);
  const chosen = draw(4000, () => random.weighted(["never", "rare", "often", "never2"], [0, 1, 3, 0]));
  expect(new Set(chosen)).toEqual(new Set(["rare", "often"]));
  expect(chosen.filter((item) => item === "often").length / 4000).toBeCloseTo(0.75, 1);
  expect(() => random.weighted(["a"], [0])).toThrow(RangeError);
  expect(() => random.weighted(["a", "b"], [2, -1])).toThrow(RangeError);
  expect(() => random.weighted(["a"], [1, 2])).toThrow(RangeError);
});

test("chance at its ends and in the middle", () => {
  const random = new Random("coin");
  expect(draw(100, () => random.chance(0))).not.toContain(true);
  expect(draw(100, () => random.chance(1))).not.toContain(false);
  expect(draw(4000, () => random.chance(0.3)).filter(Boolean).length / 4000).toBeCloseTo(0.3, 1);
});
