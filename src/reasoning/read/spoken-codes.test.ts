import { expect, it } from "vitest";
import { withCodes } from "./spoken-codes.ts";

it("writes the code of a bay for the words that name it", () => {
  expect(withCodes("Is there any room in bay 8 of aisle C?")).toBe("Is there any room in C-08?");
  expect(withCodes("What is on the top shelf of bay 18 in the aisle d?")).toBe(
    "What is on the top shelf of D-18?",
  );
  expect(withCodes("aisle E, bay no. 3: what is there?")).toBe("E-03: what is there?");
});

it("leaves loading bays, and bays without an aisle, as they are", () => {
  for (const text of ["Is loading bay 2 free?", "What is in bay 8?", "How many bays has aisle C?"])
    expect(withCodes(text)).toBe(text);
});
