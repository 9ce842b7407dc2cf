import { describe, expect, it } from "vitest";
import { objectLines, sceneLines, sentencesOf } from "./scene-text.ts";
import { phraseOf, withArticle } from "./words.ts";

describe("phrases", () => {
  it.each([
    ["a mug", "cup", {}, "a mug"],
    [undefined, "mug", { material: "ceramic", colour: "red", openness: "open" }, "red ceramic mug"],
    [" \n", "door", { text: "WC" }, "door that says “WC”"],
    [undefined, undefined, {}, "thing"],
    [undefined, "red cup", { colour: "red", size: 3 }, "red cup"],
  ])("%j, %j, %j → %j", (text, label, attributes, phrase) => {
    expect(phraseOf(text, label, attributes)).toBe(phrase);
  });

  it("stay on one line and within a name", () => {
    expect(phraseOf("a\tb\n\nc", "x")).toBe("a b c");
    expect(phraseOf("y".repeat(9_000), "x")).toHaveLength(256);
  });

  it("get an article", () => {
    expect(["open door", "mug", "the mug", "2 mugs", "some tea"].map(withArticle)).toEqual([
      "an open door",
      "a mug",
      "the mug",
      "2 mugs",
      "some tea",
    ]);
  });
});

describe("template texts", () => {
  it("say what a thing is, then what may change", () => {
    expect(
      objectLines({ category: "mug", attributes: { colour: "red", material: "ceramic" }, on: "counter" }),
    ).toEqual(["a red ceramic mug on the counter"]);
    expect(
      objectLines({ category: "oven", phrase: "old oven", attributes: { power: "on", openness: "open" } }),
    ).toEqual(["an old oven", "the oven is open", "the oven is switched on"]);
  });

  it("sum up a scene, counting what there is several of", () => {
    const chair = { category: "chair", attributes: { colour: "beige" } };
    const mug = { category: "mug", attributes: { colour: "red" }, on: "counter" };
    expect(sceneLines([{ category: "counter" }, chair, chair, mug], "kitchen")).toEqual([
      "kitchen: counter, 2 chairs, red mug on the counter",
      "a counter",
      "a beige chair",
      "a red mug on the counter",
    ]);
  });

  it("are silent about nothing, and never long", () => {
    expect(sceneLines([])).toEqual([]);
    expect(sceneLines([], "hall")).toEqual(["hall"]);
    const many = Array.from({ length: 90 }, (_, n) => ({
      category: `thing ${n}`,
      attributes: { state: "open" },
    }));
    const lines = sceneLines(many, "store");
    expect(lines).toHaveLength(12);
    expect(lines[0]!.length).toBeLessThan(400);
  });

  it("split a text into sentences", () => {
    expect(sentencesOf("This is a hall. There is a door.\nIt says “Mr. X. 3.5 kg”! (Or not.) \n\n")).toEqual([
      "This is a hall.",
      "There is a door.",
      "It says “Mr. X. 3.5 kg”!",
      "(Or not.)",
    ]);
  });
});
