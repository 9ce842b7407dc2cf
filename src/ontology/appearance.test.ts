import { describe, expect, it, test } from "vitest";
import {
  attributeOf,
  attributesOf,
  colourOf,
  headOf,
  kinColour,
  materialOf,
  oppositeOf,
  sameColour,
  sameMaterial,
  unitOf,
  usualMaterial,
  valuesOf,
} from "./index.ts";
import { linesOf } from "./read-data.ts";

describe("colours", () => {
  it("are twelve with their shades", () => {
    expect([colourOf("navy"), colourOf("Gray"), colourOf("maroon"), colourOf("loud")]).toEqual([
      "blue",
      "grey",
      "red",
      undefined,
    ]);
  });

  it("are the same where one is the colour of the other", () => {
    expect([sameColour("navy", "blue"), sameColour("gray", "grey"), sameColour("navy", "azure")]).toEqual([
      true,
      true,
      false,
    ]);
    // Teal is called green by some and blue by others.
    expect([sameColour("teal", "green"), sameColour("teal", "blue"), sameColour("teal", "red")]).toEqual([
      true,
      true,
      false,
    ]);
  });

  it("are taken for their neighbours", () => {
    expect([kinColour("beige", "white"), kinColour("maroon", "orange"), kinColour("green", "red")]).toEqual([
      true,
      true,
      false,
    ]);
  });
});

it("materials are of a family", () => {
  expect([materialOf("wooden"), materialOf("oak"), materialOf("mud")]).toEqual(["wood", "oak", undefined]);
  expect([sameMaterial("oak", "wood"), sameMaterial("oak", "steel"), sameMaterial("mud", "mud")]).toEqual([
    true,
    false,
    true,
  ]);
});

describe("adjectives", () => {
  test.each([
    ["ajar", "openness", "open"],
    ["shut", "openness", "closed"],
    ["switched off", "power", "off"],
    ["wide-open", "openness", "open"],
    ["tiny", "size", "small"],
    ["plaid", "pattern", "checked"],
    ["golden", "colour", "gold"],
    ["woollen", "material", "wool"],
  ])("%s: %s %s", (word, attribute, value) => expect(attributeOf(word)).toEqual({ attribute, value }));

  it("may say several things", () => {
    expect(attributesOf("silver").map(({ attribute }) => attribute)).toEqual(["colour", "material"]);
    expect(attributesOf("quasar")).toEqual([]);
  });

  it("have opposites where there is a scale", () => {
    expect(oppositeOf({ attribute: "openness", value: "open" })?.value).toBe("closed");
    expect(oppositeOf({ attribute: "size", value: "small" })?.value).toBe("large");
    expect(oppositeOf({ attribute: "size", value: "medium" })).toBeUndefined();
    expect(oppositeOf({ attribute: "pattern", value: "striped" })).toBeUndefined();
    expect(valuesOf("fill")).toEqual(["full", "empty"]);
  });
});

it("what things are mostly made of is a material that is known, of things that are known", () => {
  expect(usualMaterial("wardrobe")).toBe("wood");
  expect(usualMaterial("board game")).toBe("cardboard");
  expect(usualMaterial("potted plant")).toBe("ceramic");
  expect(usualMaterial("plant")).toBe("ceramic");
  expect(usualMaterial("ball")).toBe("rubber");
  expect(usualMaterial("coffee table")).toBeUndefined();
  for (const line of linesOf("made-of")) {
    const [material = "", names = ""] = line.split(": ");
    expect(materialOf(material)).toBe(material);
    for (const name of names.split(", ")) expect(headOf(name), name).toBeDefined();
  }
});

it("units are metres, seconds, kilograms", () => {
  expect(unitOf("feet")).toEqual({ measure: "length", factor: 0.3048 });
  expect(unitOf("m²")).toEqual({ measure: "area", factor: 1 });
  expect([unitOf("Hours")?.factor, unitOf("parsec"), unitOf("constructor")]).toEqual([
    3600,
    undefined,
    undefined,
  ]);
});
