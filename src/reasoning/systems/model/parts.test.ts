import { describe, expect, it } from "vitest";
import { clipped } from "./lines.ts";
import { apart, listed, partsOf } from "./parts.ts";

describe("parts of captions", () => {
  it("tells each thing once, with how many of the captions name it", () => {
    const parts = partsOf([
      "Living room: a red mug, a stove and a closed door.",
      "There is a red mug.",
      "This is a living room. A kitchen with a red mug, a bathtub.",
    ]);
    expect(listed(parts)).toBe(
      "Living room (2×), a red mug (3×), a stove, a closed door, A kitchen, a bathtub",
    );
  });

  it("counts a caption once, however often it names a thing, and keeps what is said of one", () => {
    expect(listed(partsOf(["a white door, a white door"]))).toBe("a white door");
    expect(listed(partsOf(["A man with a hat washes the dishes."]))).toBe("A man, a hat washes the dishes");
    expect(partsOf([" ", ""])).toEqual([]);
  });

  it("parts texts that are alike: what all have is told once, what one alone has stays with it", () => {
    const { common, texts } = apart([
      ["a sofa, a lamp", "a sofa"],
      ["There is a lamp, a sofa and a television"],
    ]);
    expect(common).toBe("a sofa, a lamp");
    expect(texts).toEqual(["", "a television"]);
    // One text alone has nothing to be told apart from.
    expect(apart([["a sofa, a lamp"]])).toEqual({ common: "", texts: ["a sofa, a lamp"] });
  });

  it("cuts a text between words and says so", () => {
    expect(clipped("a red mug", 9)).toBe("a red mug");
    expect(clipped("a red mug, a stove", 14)).toBe("a red mug, a…");
    expect(clipped("a red mug, stove", 12)).toBe("a red mug…");
    expect(clipped("abcdefgh", 4)).toBe("abc…");
  });
});
