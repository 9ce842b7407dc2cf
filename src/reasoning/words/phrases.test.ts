import { expect, it } from "vitest";
import { bareName, countedList, theName } from "./phrases.ts";

it("calls people by their names, and things by what they are", () => {
  const olga = { name: "blue fabric Olga", category: "person" };
  expect(theName(olga)).toBe("Olga");
  expect(bareName(olga)).toBe("Olga");
  expect(theName({ name: "red mug", category: "mug" })).toBe("the red mug");
  expect(theName({ name: "tall man", category: "person" })).toBe("the tall man");
  expect(bareName({ name: "box that says “Olga”", category: "box" })).toBe("box");
  expect(countedList([bareName(olga), "door", "door", "armchair"])).toBe("2 doors, Olga and an armchair");
});
