import { describe, expect, it } from "vitest";
import type { Description } from "./description.ts";
import { contradictionOf, isCompound, isKindCalled } from "./matching.ts";

function said(head: string, attributes: Record<string, string>, mods: string[] = []): Description {
  return { head, mods, attributes, phrase: head };
}
const thing = (attributes: Record<string, string>) => ({
  category: "bag",
  name: "bag",
  text: ["bag"],
  attributes: Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => [name, { value, p: 1, support: 3, lastUs: 0 }]),
  ),
});

describe("what a description says wrongly", () => {
  it("is another colour, not a shade of the same", () => {
    expect(contradictionOf(said("bag", { colour: "navy" }), thing({ colour: "blue" }))).toBeUndefined();
    expect(contradictionOf(said("bag", { colour: "blue" }), thing({ colour: "navy" }))).toBeUndefined();
    expect(contradictionOf(said("bag", { colour: "purple" }), thing({ colour: "white" }))).toEqual({
      attribute: "colour",
      value: "white",
    });
    expect(contradictionOf(said("bag", { colour: "navy" }), thing({ colour: "brown" }))?.value).toBe("brown");
  });

  it("is another material, not another word for its kind", () => {
    expect(contradictionOf(said("bag", { material: "timber" }), thing({ material: "wood" }))).toBeUndefined();
    expect(contradictionOf(said("bag", { material: "glass" }), thing({ material: "wood" }))?.value).toBe(
      "wood",
    );
  });
});

it("a kind of its own has the name with its modifier", () => {
  const door = { name: "", text: [] };
  expect(isCompound(said("door", {}, ["front"]), { category: "front door", ...door })).toBe(true);
  expect(isCompound(said("door", {}, ["front"]), { category: "door", ...door })).toBe(false);
});

it("a herb pot is no cooking pot by its kind", () => {
  expect(isKindCalled("pot", "potted plant")).toBe(false);
  expect(isKindCalled("pot", "pot")).toBe(true);
  expect(isKindCalled("lamp", "floor lamp")).toBe(true);
});
