import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { brier, expectedCalibrationError, riskCoverage } from "./calibration.ts";
import { bytesPerMinute, latencyByStage, percentile } from "./cost.ts";
import { meanAbsoluteError, positionError, relativeAccuracy, timeError } from "./errors.ts";
import { citationScores, hitAtK, recallAtK, redundancy, rubricCoverage, trackRecallAtK } from "./evidence.ts";
import { setScores } from "./sets.ts";
import { contextTokens, rougeL } from "./text.ts";

describe("ROUGE-L", () => {
  it("has the golden values", () => {
    expect(rougeL("next to the fireplace", "by the fireplace")).toBeCloseTo(0.571_429, 6);
    expect(rougeL("the lamp", "lamp")).toBeCloseTo(0.666_667, 6);
    expect(rougeL("a printer", "photocopier")).toBe(0);
  });

  it("does not mind case and punctuation, and is 0 for no words", () => {
    expect(rougeL("The LAMP.", "the lamp")).toBe(1);
    expect(rougeL("...", "")).toBe(0);
  });

  it("is symmetric, 1 for itself and at most 1", () => {
    const words = fc.array(fc.constantFrom("a", "red", "cup", "on", "table"), { minLength: 1, maxLength: 9 });
    fc.assert(
      fc.property(words, words, (a, b) => {
        const [x, y] = [a.join(" "), b.join(" ")];
        expect(rougeL(x, y)).toBe(rougeL(y, x));
        expect(rougeL(x, x)).toBe(1);
        expect(rougeL(x, y)).toBeLessThanOrEqual(1);
      }),
    );
  });
});

it("counts tokens the same way for everybody", () => {
  expect([contextTokens(""), contextTokens("cup"), contextTokens("a red cup")]).toEqual([0, 1, 3]);
});

describe("errors", () => {
  const [o, p] = [
    { x: 0, y: 0, z: 0 },
    { x: 3, y: 4, z: 0 },
  ];

  it("judges a place by its tolerance and gives the way to walk beside it", () => {
    expect(positionError(o, p, 5)).toEqual({ l2M: 5, geodesicM: null, within: true });
    expect(positionError(o, p, 4.9, () => 7)).toEqual({ l2M: 5, geodesicM: 7, within: false });
    expect(positionError(o, p, 5, () => null).geodesicM).toBeNull();
  });

  it("judges a time to two minutes, and a span anywhere inside", () => {
    const at = (s: number) => ({ fromUs: s * 1e6, toUs: s * 1e6 });
    expect(timeError(10e6, at(130))).toEqual({ l1S: 120, within: true });
    expect(timeError(10e6, at(131))).toEqual({ l1S: 121, within: false });
    expect(timeError(50e6, { fromUs: 40e6, toUs: 60e6 }, 0)).toEqual({ l1S: 0, within: true });
    expect(timeError(70e6, { fromUs: 40e6, toUs: 60e6 }).l1S).toBe(10);
  });

  it("counts how far counts are off", () => {
    expect(
      meanAbsoluteError([
        { answered: 3, truth: 5 },
        { answered: 4, truth: 3 },
      ]),
    ).toBe(1.5);
    expect(meanAbsoluteError([])).toBeNull();
  });

  it("knows mean relative accuracy: all of it, some of it, none of it", () => {
    expect(relativeAccuracy(2, 2)).toBe(1);
    expect(relativeAccuracy(1.5, 2)).toBe(0.5);
    expect(relativeAccuracy(2.22, 2)).toBeCloseTo(0.8, 12);
    expect(relativeAccuracy(1, 2)).toBe(0);
    expect(relativeAccuracy(9, 2)).toBe(0);
    expect([relativeAccuracy(0, 0), relativeAccuracy(1, 0)]).toEqual([1, 0]);
  });
});

describe("evidence", () => {
  const shown = (fromS: number, toS: number | null, ...trackIds: string[]) => ({
    fromUs: fromS * 1e6,
    toUs: toS === null ? null : toS * 1e6,
    trackIds,
  });

  it("recalls within five seconds, among the first k", () => {
    const list = [shown(0, 3), shown(100, 103)];
    expect(recallAtK(list, [95e6], 2)).toBe(true);
    expect(recallAtK(list, [94.9e6], 2)).toBe(false);
    expect(recallAtK(list, [108e6], 2)).toBe(true);
    expect(recallAtK(list, [95e6], 1)).toBe(false);
    expect(recallAtK(list, [], 2)).toBeNull();
  });

  it("gives no credit to a record that is always so", () => {
    expect(recallAtK([shown(0, 600)], [300e6], 1)).toBe(false);
    expect(recallAtK([shown(0, 600)], [598e6], 1)).toBe(true);
    expect(recallAtK([shown(0, null)], [300e6], 1)).toBe(false);
    expect(recallAtK([shown(0, null)], [3e6], 1)).toBe(true);
  });

  it("recalls tracks and tells mentions from distinct ones", () => {
    const list = [shown(0, 1, "cup", "table"), shown(2, 3, "cup", "cup")];
    expect(trackRecallAtK(list, ["cup", "lamp", "cup"], 2)).toBe(0.5);
    expect(trackRecallAtK(list, ["table"], 1)).toBe(1);
    expect(trackRecallAtK(list, [], 2)).toBeNull();
    expect(redundancy(list)).toBe(0.5);
    expect(redundancy([shown(0, 1)])).toBeNull();
  });

  it("scores citations by track or by time", () => {
    const cited = [
      { atUs: 0, trackIds: ["cup"] },
      { atUs: 50e6, trackIds: ["sofa"] },
      { atUs: 99e6, trackIds: [] },
    ];
    expect(citationScores(cited, { trackIds: ["cup", "lamp"], timesUs: [100e6] })).toEqual({
      precision: 2 / 3,
      recall: 0.5,
    });
    expect(citationScores(cited, { trackIds: [], timesUs: [100e6, 10e6] })).toEqual({
      precision: 1 / 3,
      recall: 0.5,
    });
    expect(citationScores([], { trackIds: ["cup"], timesUs: [] })).toEqual({ precision: null, recall: 0 });
    expect(citationScores(cited, { trackIds: [], timesUs: [] })).toEqual({ precision: null, recall: null });
  });

  it("knows leaf hits and rubrics", () => {
    expect([hitAtK(["a", "b"], ["b"], 1), hitAtK(["a", "b"], ["b"], 2)]).toEqual([false, true]);
    const holds = (text: string, fact: string) => text.includes(fact);
    expect(rubricCoverage(["bed", "desk"], "a bed", holds)).toBe(0.5);
    expect(rubricCoverage([], "a bed", holds)).toBeNull();
  });
});

describe("sets", () => {
  it("knows precision, recall and F1", () => {
    const scores = setScores(["cup", "cup", "lamp"], ["cup", "fork", "knife"]);
    expect(scores.precision).toBe(0.5);
    expect(scores.recall).toBeCloseTo(1 / 3, 12);
    expect(scores.f1).toBeCloseTo(0.4, 12);
  });

  it("handles empty sets without NaN, and one truth is met once", () => {
    expect(setScores([], [])).toEqual({ precision: 1, recall: 1, f1: 1 });
    expect(setScores(["cup"], [])).toEqual({ precision: 0, recall: 0, f1: 0 });
    expect(setScores([], ["cup"])).toEqual({ precision: 0, recall: 0, f1: 0 });
    expect(setScores(["mug", "cup"], ["cup"], () => true)).toMatchObject({ precision: 0.5, recall: 1 });
  });
});

describe("calibration", () => {
  const of = (confidence: number, right: boolean, times: number) =>
    new Array<{ confidence: number; right: boolean }>(times).fill({ confidence, right });

  it("is 0 for who knows what they know, and the gap otherwise", () => {
    expect(expectedCalibrationError([...of(0.8, true, 8), ...of(0.8, false, 2)])).toBeCloseTo(0, 12);
    expect(expectedCalibrationError([...of(0.9, true, 5), ...of(0.9, false, 5)])).toBeCloseTo(0.4, 12);
    expect(expectedCalibrationError([...of(1, false, 1), ...of(0.05, true, 3)])).toBeCloseTo(0.9625, 12);
    expect(expectedCalibrationError([])).toBeNull();
  });

  it("knows Brier", () => {
    expect(brier([...of(0.8, true, 1), ...of(0.8, false, 1)])).toBeCloseTo(0.34, 12);
    expect(brier([])).toBeNull();
  });

  it("draws risk against coverage, equals together", () => {
    const list = [...of(0.9, true, 2), ...of(0.5, false, 1), ...of(0.5, true, 1)];
    expect(riskCoverage(list)).toEqual({
      curve: [
        { coverage: 0.5, risk: 0 },
        { coverage: 1, risk: 0.25 },
      ],
      area: 0.125,
    });
    expect(riskCoverage([...list].reverse())).toEqual(riskCoverage(list));
    expect(riskCoverage([])).toBeNull();
  });
});

it("knows percentiles by rank, stages and bytes a minute", () => {
  const values = Array.from({ length: 20 }, (_, i) => 20 - i);
  expect([percentile(values, 0.5), percentile(values, 0.95), percentile([7], 0.95)]).toEqual([10, 19, 7]);
  expect(percentile([], 0.5)).toBeNull();
  expect(latencyByStage([{ search: 1, answer: 5 }, { search: 3 }])).toEqual({
    answer: { p50Ms: 5, p95Ms: 5, n: 1 },
    search: { p50Ms: 1, p95Ms: 3, n: 2 },
  });
  expect(bytesPerMinute(1_200, 120e6)).toBe(600);
  expect(bytesPerMinute(1_200, 0)).toBeNull();
});
