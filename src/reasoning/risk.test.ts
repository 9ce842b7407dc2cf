import { expect, it } from "vitest";
import type { AnswerRecord } from "../schema/index.ts";
import { thresholdFor, withinRisk } from "./risk.ts";

const steps = [
  { atLeast: 0.5, answers: 400, wrong: 60 },
  { atLeast: 0.7, answers: 300, wrong: 20 },
  { atLeast: 0.8, answers: 200, wrong: 8 },
  { atLeast: 0.9, answers: 100, wrong: 2 },
  { atLeast: 0.98, answers: 9, wrong: 1 },
];

it("is the least confidence at which the share of wrong answers holds, one more counted as wrong", () => {
  expect(thresholdFor(0.05, steps)).toBe(0.8);
  expect(thresholdFor(0.07, steps)).toBe(0.7);
  expect(thresholdFor(0.2, steps)).toBe(0.5);
});

it("takes a step that is worse than the one below it by chance for the same", () => {
  const uneven = [
    { atLeast: 0.7, answers: 1000, wrong: 60 },
    { atLeast: 0.8, answers: 600, wrong: 24 },
    { atLeast: 0.9, answers: 300, wrong: 18 },
  ];
  // By itself the surest step has 6 % of wrong answers.
  expect(thresholdFor(0.05, uneven)).toBe(0.8);
  expect(thresholdFor(0.03, uneven)).toBeGreaterThan(1);
});

it("is beyond every confidence where none is enough", () => {
  expect(thresholdFor(0.02, steps)).toBeGreaterThan(1);
  expect(thresholdFor(0.05, [])).toBeGreaterThan(1);
});

it("withholds what is not sure enough, and tells the guess as one", () => {
  const answer = {
    status: "answered",
    text: "on the table",
    confidence: 0.3,
    binary: true,
  } as unknown as AnswerRecord;
  expect(withinRisk(answer, undefined)).toBe(answer);
  const withheld = withinRisk(answer, 0.05);
  expect(withheld).toMatchObject({ status: "insufficient", confidence: 0.3 });
  expect(withheld.text).toMatch(/at most 5 % of answers wrong. My guess \(30 % sure\): on the table$/);
  expect(withheld.binary).toBeUndefined();
});

it("is met by the shipped counts at one answer in twenty wrong, and by more answers the more may be wrong", () => {
  const [strict, loose] = [thresholdFor(0.05), thresholdFor(0.1)];
  expect(strict).toBeLessThan(0.9);
  expect(loose).toBeLessThan(strict);
});
