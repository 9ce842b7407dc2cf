import { expect, it } from "vitest";
import { scan } from "./algebra/notation.ts";
import { isAhead, isForeign, plainQuestion, unreadable } from "./unreadable.ts";

it("reads around control characters", () => {
  expect(plainQuestion("  where\u0000 is\tthe\u200b\nmug\u001b? ")).toBe("where is the mug ?");
});

it.each([
  ["a".repeat(100_000), /at most 2000 characters; this has 100000/],
  ["???", /I read English/],
  ["どこですか", /I read English/],
  ["x".repeat(400), /I read English/],
])("says in one sentence why it does not read %.12s…", (question, says) => {
  expect(unreadable(question, plainQuestion(question))?.says).toMatch(says);
});

it("reads what may be a question", () => {
  expect(unreadable("mug?", "mug?")).toBeUndefined();
  expect(isForeign("wo ist denn eigentlich meine rote tasse geblieben")).toBe(true);
  expect(isForeign("where is the red mug")).toBe(false);
  expect(isForeign("whos wearing green clothes?")).toBe(false);
});

it("knows what is asked about what is to come, unless the reading does", () => {
  expect(isAhead("Where will the mug be?", [scan("place(things())")])).toBe(true);
  expect(isAhead("Where will the mug be?", [scan("likely(place(things()))")])).toBe(false);
  const doll = [scan('place(the(things(category: "doll")))')];
  expect(isAhead("There will be tears, so tell me: where is the doll?", doll)).toBe(false);
  expect(isAhead("There were tears, so tell me: where will the doll be?", doll)).toBe(true);
  const redone =
    "I have never seen the bathroom and I'm to redo it next month, so describe it: what is there?";
  expect(isAhead(redone, [scan('describe(rooms(name: "bathroom"))')])).toBe(false);
  expect(isAhead("I wonder where the doll will be", doll)).toBe(true);
  const ahead = [scan('name(relate(things(), self(), relation: "front"))')];
  expect(isAhead("If I walk on, what will I run into?", ahead)).toBe(false);
  expect(isAhead("What will be in front of you?", ahead)).toBe(true);
});
