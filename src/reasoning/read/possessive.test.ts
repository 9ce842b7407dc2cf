import { expect, it } from "vitest";
import { withApostrophes } from "./possessive.ts";

it("gives relatives and known people their apostrophe back", () => {
  const people = new Set(["ben"]);
  expect(withApostrophes("where is daddys blue cup", people)).toBe("where is daddy's blue cup");
  expect(withApostrophes("whats on Bens desk", people)).toBe("whats on Ben's desk");
  expect(withApostrophes("is mums in the kitchen", people)).toBe("is mums in the kitchen");
  expect(withApostrophes("where are the chairs please", people)).toBe("where are the chairs please");
  expect(withApostrophes("whats on annas desk", people)).toBe("whats on annas desk");
});
