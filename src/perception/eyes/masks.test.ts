import { expect, test } from "vitest";
import { showsNothing } from "./masks.ts";

test("a few places show nothing, nor do more that are scattered; slats and large things do", () => {
  expect(showsNothing(9, 3, 3)).toBe(true);
  expect(showsNothing(12, 4, 3)).toBe(false);
  expect(showsNothing(20, 25, 20)).toBe(true);
  expect(showsNothing(50, 20, 15)).toBe(false);
  expect(showsNothing(70, 40, 40)).toBe(false);
});
