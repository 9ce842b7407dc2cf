import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  llmMatch,
  matchOf,
  microAndMacro,
  normalisedSteps,
  spl,
  splOf,
  stepBudget,
  successRate,
} from "./match.ts";

describe("LLM-Match", () => {
  it("has the golden value, with a missing answer as nothing", () => {
    expect(llmMatch([5, 1, 3, null, 4])).toBe(45);
  });

  it("clips what a judge makes up, and is null rather than NaN without questions", () => {
    expect(llmMatch([0, 9])).toBe(50);
    expect(llmMatch([])).toBeNull();
  });
});

describe("SPL", () => {
  const scores = [5, 1, 3, null, 4];
  const shortest = [10, 10, 8, 12, 6];
  const taken = [20, 5, 8, 30, Infinity];

  it("has the golden value", () => {
    const episodes = scores.map((score, i) => ({ score, shortest: shortest[i]!, taken: taken[i]! }));
    expect(spl(episodes)).toBeCloseTo(20, 12);
    expect(spl([])).toBeNull();
  });

  it("gives full marks for no way where none was needed, and less the further one went", () => {
    expect(splOf({ score: 5, shortest: 0, taken: 0.5 })).toBe(1);
    expect(splOf({ score: 5, shortest: 0, taken: 0 })).toBe(1);
    expect(splOf({ score: 5, shortest: 0, taken: 2 })).toBe(0.25);
    expect(splOf({ score: 5, shortest: 0, taken: 2 }, "steps")).toBe(0.5);
    expect(splOf({ score: 5, shortest: 0, taken: 1 }, "steps")).toBe(1);
  });

  it("credits nobody who did not answer", () => {
    expect(splOf({ score: null, shortest: 3, taken: 3 })).toBe(0);
    expect(splOf({ score: 5, shortest: 3, taken: null })).toBe(0);
  });

  it("refuses ways that are none", () => {
    for (const shortest of [-1, Number.NaN, Infinity])
      expect(() => splOf({ score: 5, shortest, taken: 1 })).toThrow("finite way");
    expect(() => splOf({ score: 5, shortest: 1, taken: Number.NaN })).toThrow("finite way");
  });

  it("never exceeds the match and never grows with the way", () => {
    const way = fc.double({ min: 0, max: 100, noNaN: true });
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 5 }), way, way, way, (score, shortest, a, b) => {
        const [short, long] = [Math.min(a, b), Math.max(a, b)];
        const near = splOf({ score, shortest, taken: short });
        expect(near).toBeLessThanOrEqual(matchOf(score));
        expect(splOf({ score, shortest, taken: long })).toBeLessThanOrEqual(near);
      }),
    );
  });
});

it("knows success and normalised steps", () => {
  expect(successRate([true, false, true, true])).toBe(75);
  expect(successRate([])).toBeNull();
  expect(
    normalisedSteps([
      { steps: 9, floorAreaM2: 36 },
      { steps: 30, floorAreaM2: 100 },
    ]),
  ).toBe(0.75);
  expect(normalisedSteps([])).toBeNull();
  expect(() => normalisedSteps([{ steps: 1, floorAreaM2: 0 }])).toThrow("positive area");
  expect([stepBudget(50), stepBudget(0.01)]).toEqual([21, 1]);
});

it("weighs OpenEQA's two sources by their questions, and by themselves", () => {
  const values = [
    ...new Array<{ group: string; value: number }>(1079).fill({ group: "scannet", value: 81.22 }),
    ...new Array<{ group: string; value: number }>(557).fill({ group: "hm3d", value: 76.96 }),
  ];
  const { micro, macro } = microAndMacro(values)!;
  expect(micro).toBeCloseTo(79.7696, 4);
  expect(macro).toBeCloseTo(79.09, 8);
  expect(microAndMacro([])).toBeNull();
});
