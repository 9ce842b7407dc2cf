import { expect, test } from "vitest";
import { householdNames } from "./household.ts";

test("another name for a thing works both ways", () => {
  expect(householdNames("bedside table").same).toContain("nightstand");
  expect(householdNames("nightstand").same).toContain("bedside table");
  expect(householdNames("nightstand").same).not.toContain("nightstand");
});

test("a word for many takes in its kinds; an unknown word stands for itself", () => {
  expect(householdNames("crockery").kinds).toContain("mug");
  expect(householdNames("zither")).toEqual({ same: [], kinds: [] });
});
