import { describe, expect, it } from "vitest";
import { adaptiveK, ambiguityOf, embeddingEntropy, radiusCosine } from "./ambiguity.ts";

const fill = (rest: number, ...first: number[]) => [
  ...first,
  ...new Array<number>(50 - first.length).fill(rest),
];

describe("ambiguity of a query", () => {
  it.each([
    ["one clear memory", fill(0.3, 0.8), 0.024, 3, 0.494],
    ["two", fill(0.3, 0.8, 0.78), 0.688, 3, 0.309],
    ["five", fill(0.35, 0.7, 0.7, 0.7, 0.7, 0.7), 1.675, 4, -0.02],
  ])("%s", (_, similarities, entropy, k, cosine) => {
    const found = ambiguityOf(similarities);
    expect(found.entropy).toBeCloseTo(entropy, 3);
    expect(adaptiveK(found.entropy)).toBe(k);
    expect(radiusCosine(found.normalised)).toBeCloseTo(cosine, 3);
  });

  it("is nearly whole where nothing stands out", () => {
    const flat = Array.from({ length: 50 }, (_, i) => 0.27 + (0.06 * i) / 49);
    const { entropy, normalised } = ambiguityOf(flat);
    expect(entropy).toBeGreaterThan(3.8);
    expect(normalised).toBeGreaterThan(0.97);
    expect(adaptiveK(entropy)).toBe(6);
  });

  it("does not depend on order, and a single memory is not ambiguous", () => {
    expect(ambiguityOf([0.1, 0.5, 0.3])).toEqual(ambiguityOf([0.5, 0.3, 0.1]));
    expect(ambiguityOf([0.4])).toEqual({ entropy: 0, normalised: 0 });
    expect(ambiguityOf([])).toEqual({ entropy: 0, normalised: 0 });
  });

  it("stays within its bounds", () => {
    expect(adaptiveK(0)).toBe(2);
    expect(adaptiveK(100)).toBe(10);
    expect(radiusCosine(0)).toBe(0.5);
    expect(radiusCosine(1)).toBe(-1);
  });

  it("of an embedding itself is a constant: why the paper's reading is not the default", () => {
    const unit = (angle: number) =>
      Array.from({ length: 1536 }, (_, i) => Math.sin(angle * (i + 1)) / Math.sqrt(768));
    const [a, b] = [1, 2].map((angle) => embeddingEntropy(unit(angle), "softmaxEmbedding").entropy);
    expect(a).toBeCloseTo(7.3366, 3);
    expect(Math.abs(a! - b!)).toBeLessThan(1e-4);
    expect(embeddingEntropy([1, 0, 0, 0], "squaredComponents").entropy).toBe(0);
  });
});
