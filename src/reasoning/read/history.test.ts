import { expect, it } from "vitest";
import { spokenOf } from "./history.ts";
import { sentencesOf } from "./tokens.ts";

function spoken(...questions: string[]): string[] {
  const earlier = questions.map((question) => sentencesOf(question));
  return spokenOf(earlier).map((one) => questions[earlier.indexOf(one)]!);
}

it("keeps the last two questions", () => {
  expect(spoken()).toEqual([]);
  expect(spoken("where is the mug")).toEqual(["where is the mug"]);
  expect(spoken("how big is the hall", "where is the mug", "is the tv on")).toEqual([
    "where is the mug",
    "is the tv on",
  ]);
});

it("keeps the one that says what the last is about", () => {
  expect(spoken("is the chest closed", "and before that", "who opened it")).toEqual([
    "is the chest closed",
    "who opened it",
  ]);
  expect(spoken("is the washer on", "and the dryer", "what is on it")).toEqual([
    "and the dryer",
    "what is on it",
  ]);
});
