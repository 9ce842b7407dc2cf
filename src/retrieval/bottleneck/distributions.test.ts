import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { jsDivergence, relevanceOf } from "./distributions.ts";

const clio = { alpha: 0.23, nullMode: "clio", topK: 2, cumulative: true } as const;
const rowOf = (scores: number[], options: Parameters<typeof relevanceOf>[2]) =>
  Array.from(relevanceOf(Float64Array.from(scores), scores.length, options), (p) => Number(p.toFixed(6)));

describe("Jensen–Shannon divergence", () => {
  it.each([
    [[1, 0, 0], [0.277, 0.723, 0], 0.518256],
    [[0.277, 0.723, 0], [0, 0.676, 0.324], 0.30107],
    [[0, 0.676, 0.324], [0, 0.324, 0.676], 0.091322],
    [[1, 0], [0, 1], 1],
  ])("of %j and %j is %d bits", (p, q, bits) => {
    expect(jsDivergence(p, q)).toBeCloseTo(bits, 6);
  });

  it("is symmetric, bounded and zero for equals", () => {
    const distribution = fc
      .array(fc.double({ min: 0.001, max: 1, noNaN: true }), { minLength: 4, maxLength: 4 })
      .map((raw) => raw.map((x) => x / raw.reduce((a, b) => a + b, 0)));
    fc.assert(
      fc.property(distribution, distribution, (p, q) => {
        const bits = jsDivergence(p, q);
        expect(bits).toBeGreaterThanOrEqual(0);
        expect(bits).toBeLessThanOrEqual(1 + 1e-12);
        expect(bits).toBeCloseTo(jsDivergence(q, p), 12);
        expect(jsDivergence(p, p)).toBe(0);
      }),
    );
  });
});

describe("p(y|x)", () => {
  it.each([
    [
      [0.34, 0.3],
      [0, 0.693878, 0.306122],
    ],
    [
      [0.31, 0.28],
      [0, 0.688889, 0.311111],
    ],
    [
      [0.25, 0.24],
      [0, 0.675676, 0.324324],
    ],
    [
      [0.1, 0.11],
      [1, 0, 0],
    ],
    [
      [0.33, 0.2],
      [0.258427, 0.741573, 0],
    ],
  ])("clio: %j becomes %j", (scores, row) => {
    expect(rowOf(scores, clio)).toEqual(row);
  });

  it.each([
    [0.25, [0.315, 0.685]],
    [0.3, [0.277, 0.723]],
    [0.35, [0.247, 0.753]],
    [0.23, [1, 0]],
    [-0.5, [1, 0]],
  ])("clio with one cue: %d becomes %j", (score, row) => {
    expect(rowOf([score], clio).map((p) => Number(p.toFixed(3)))).toEqual(row);
  });

  it("soft keeps the strength of a match", () => {
    const soft = { alpha: 0.23, nullMode: "soft", temperature: 0.03 } as const;
    expect(rowOf([0.34, 0.3], soft)).toEqual([0.019828, 0.7757, 0.204472]);
    expect(rowOf([0.25, 0.24], soft)).toEqual([0.230237, 0.448441, 0.321322]);
  });

  it("refuses scores that do not divide by the cues", () => {
    expect(() => relevanceOf(new Float64Array(3), 2, clio)).toThrow(/divide/);
  });
});
