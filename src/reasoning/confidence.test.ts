import { expect, it } from "vitest";
import { crossValidated, figuresOf, fitted, predict, type Row } from "../../bench/fit-confidence.ts";
import { Random } from "../geometry/index.ts";
import { confidenceOf, type Features } from "./confidence.ts";

const SURE: Features = {
  op: "place",
  answered: true,
  p: 0.95,
  share: 1,
  rivals: 0,
  cost: 0,
  readP: 1,
  others: 0,
  passedOver: 0,
  mended: 0,
  broadened: 0,
  parts: 1,
  listed: 1,
  words: 5,
  copied: 2,
  isNone: false,
  evidence: 1,
  margin: 1,
  asks: { changes: false, doings: false, relations: false, rest: false, which: false, movers: false },
};

it("falls with everything that speaks against an answer", () => {
  const sure = confidenceOf(SURE);
  expect(sure).toBeGreaterThan(0.85);
  const worse: Partial<Features>[] = [
    { p: 0.4 },
    { share: 0.5 },
    { rivals: 2 },
    { cost: 2 },
    { readP: 0.6 },
    { others: 2 },
    { passedOver: 1 },
    { mended: 1 },
    { broadened: 1 },
    { listed: 12 },
    { words: 30 },
    { copied: 4 },
    { isNone: true },
    { evidence: 0 },
  ];
  for (const more of worse) expect(confidenceOf({ ...SURE, ...more })).toBeLessThan(sure);
  const doubtful = { readP: 0.3, cost: 2, others: 1, words: 30 };
  expect(confidenceOf({ ...SURE, ...doubtful })).toBeLessThan(sure - 0.3);
  expect(confidenceOf({ ...SURE, p: Number.NaN, readP: Number.NaN })).toBeGreaterThan(0);
});

/** Answers that are right as often as their features predict. */
function drawn(n: number, truth: (features: Features) => number): Row[] {
  const draw = new Random(7);
  const random = () => draw.next();
  return Array.from({ length: n }, (_, at) => {
    const features: Features = {
      ...SURE,
      op: at % 3 === 0 ? "count" : "place",
      readP: random() < 0.6 ? 1 : random(),
      cost: random() * 3,
      p: 0.5 + random() / 2,
    };
    return { features, right: random() < truth(features), key: String(at) };
  });
}

it("finds by fitting what makes answers wrong, the same table every time", () => {
  const truth = ({ readP, op }: Features) =>
    1 / (1 + Math.exp(-(2.5 - 6 * (1 - readP) - (op === "count" ? 1 : 0))));
  const rows = drawn(1_500, truth);
  const table = fitted(rows);
  expect(fitted(rows)).toEqual(table);
  for (const readP of [1, 0.7, 0.3])
    for (const op of ["count", "place"]) {
      const features = { ...SURE, cost: 1.5, p: 0.75, readP, op };
      expect(predict(table, features)).toBeCloseTo(truth(features), 0);
    }
  const figures = figuresOf(crossValidated(rows));
  expect(figures.calibrationError).toBeLessThan(0.05);
  expect(figures.meanOfRight - figures.meanOfWrong).toBeGreaterThan(0.25);
});

it("stays as it is shipped where few rows say little, and moves where they speak against it", () => {
  const few = drawn(12, confidenceOf);
  const near = fitted(few, 1, true);
  for (const more of [{}, { cost: 1 }, { readP: 0.5 }])
    expect(predict(near, { ...SURE, ...more })).toBeCloseTo(confidenceOf({ ...SURE, ...more }), 0);
  const often = drawn(300, () => 0.5);
  expect(predict(fitted(often, 1, true), SURE)).toBeLessThan(confidenceOf(SURE) - 0.2);
});
