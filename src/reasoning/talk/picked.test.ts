import { expect, it } from "vitest";
import { node } from "../algebra/notation.ts";
import { thing } from "../testing/made-values.ts";
import { inTurn, setsInTurn } from "./picked.ts";
import { withWholeCodes } from "./plainly.ts";
import { ofThings } from "./spoken.ts";
import type { Turn } from "./turn.ts";

const [a, b, c, d] = ["a", "b", "c", "d"].map((name) => thing(name, { category: "curtain" }));
const [first, second] = [ofThings([a!, b!]), ofThings([c!, d!])];

it("takes the first of several sets, and of one list", () => {
  // The last that was spoken of comes first.
  expect(setsInTurn([second, first], "first")).toEqual([first]);
  expect(setsInTurn([second, first], "last")).toEqual([second]);
  expect(setsInTurn([second], "first")).toEqual([]);
  expect(inTurn([second, first], "first")).toEqual([ofThings([c!])]);
});

it("gives the end of a code the beginning of the code before", () => {
  const expression = node("none", [node("held", [node("called", [], { name: "c-10-2" })])]);
  const turn = { question: "Is C-10-2 free?", parts: [{ expression }] } as unknown as Turn;
  expect(withWholeCodes("Sorry, I meant 10-1.", turn)).toBe("Sorry, I meant C-10-1.");
  expect(withWholeCodes("And D-10-1?", turn)).toBe("And D-10-1?");
  expect(withWholeCodes("Sorry, I meant 10-1.", undefined)).toBe("Sorry, I meant 10-1.");
});
