import { expect, it } from "vitest";
import { print, scan } from "../algebra/notation.ts";
import { calledAfterColour } from "./after-colour.ts";

it.each([
  [
    "are the red flower vase and the blue cereal box on the same surface",
    `same(things(category: "flower vase", colour: "red"), things(category: "flower box", colour: "blue"))`,
    `same(things(category: "flower vase", colour: "red"), things(category: "cereal box", colour: "blue"))`,
  ],
  ["where are the red mugs", `things(category: "mug", colour: "red")`, undefined],
  ["the green glass bottle", `things(category: "bottle", colour: "green")`, undefined],
  ["is the red one bigger than the mug", `things(category: "mug", colour: "red")`, undefined],
  ["is the mug red or blue", `things(category: "mug", colour: "red")`, undefined],
  ["the red mug or the red bowl", `things(category: "plate", colour: "red")`, undefined],
])("%s", (question, read, meant = read) => {
  expect(print(calledAfterColour(question.split(" "), scan(read)))).toBe(meant);
});
