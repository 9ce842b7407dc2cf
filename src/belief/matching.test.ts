import { describe, expect, it } from "vitest";
import type { Description } from "./description.ts";
import {
  contradictionOf,
  detailFit,
  headFit,
  isCalled,
  isCompound,
  isKindCalled,
  mayBeAsDescribed,
} from "./matching.ts";

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

it("what may be a thing is meant by it where it is as described", () => {
  const cup = {
    ...thing({ colour: "pink" }),
    category: "toothbrush cup",
    name: "pink toothbrush cup",
    text: [],
  };
  const pink = said("soap dispenser", { colour: "pink" });
  const maybe = [{ category: "soap dispenser", p: 0.3 }];
  expect(mayBeAsDescribed(pink, { ...cup, maybe })).toBe(true);
  expect(mayBeAsDescribed(pink, cup)).toBe(false);
  expect(mayBeAsDescribed(said("soap dispenser", { colour: "green" }), { ...cup, maybe })).toBe(false);
  expect(mayBeAsDescribed(said("soap dispenser", {}), { ...cup, maybe })).toBe(false);
});

it("what has a name and is hardly another thing is not meant by that", () => {
  const cushion = { category: "cushion", name: "red cushion", text: ["red cushion", "blanket?"] };
  const maybe = (p: number) => ({ ...cushion, maybe: [{ category: "blanket", p }] });
  expect(headFit(said("blanket", {}), maybe(0.15))).toBeGreaterThan(0.5);
  expect(headFit(said("blanket", {}), maybe(0.06))).toBeLessThan(0.5);
  const nameless = { ...maybe(0.06), category: "thing", name: "red thing" };
  expect(headFit(said("blanket", {}), nameless)).toBeGreaterThan(0.5);
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

it("a striped rug is of both of its colours, and of no third", () => {
  const attribute = (value: string) => ({ value, p: 0.97, support: 20, lastUs: 0 });
  const rug = {
    category: "rug",
    name: "white rug",
    text: ["white rug"],
    attributes: { colour: attribute("white"), accent: attribute("red") },
  };
  const fitOf = (colour: string) => detailFit(said("rug", { colour }), rug);
  expect(contradictionOf(said("rug", { colour: "red" }), rug)).toBeUndefined();
  expect(contradictionOf(said("rug", { colour: "green" }), rug)).toMatchObject({ value: "white" });
  expect(fitOf("white")).toBeGreaterThan(fitOf("red"));
  expect(fitOf("red")).toBeGreaterThan(2 * fitOf("green"));
});

describe("what something may be", () => {
  const doubtful = {
    category: "thing",
    name: "white thing",
    text: ["white thing", "washbasin?"],
    maybe: [{ category: "washbasin", p: 0.3 }],
  };

  it("fits less than a name, and the better the likelier", () => {
    const fit = headFit(said("washbasin", {}), doubtful);
    expect(fit).toBeGreaterThan(0.5);
    expect(fit).toBeLessThan(0.75);
    expect(
      headFit(said("washbasin", {}), { ...doubtful, maybe: [{ category: "washbasin", p: 0.1 }] }),
    ).toBeLessThan(fit);
    expect(headFit(said("kettle", {}), doubtful)).toBe(0);
  });

  it("is not what it is called, and is no doubt any more once a person has named it", () => {
    expect(isCalled(said("washbasin", {}), doubtful)).toBe(false);
    const named = { ...doubtful, category: "bucket", name: "bucket", text: ["bucket"] };
    const corrected = { ...named, perceived: { name: "white thing", text: [] } };
    expect(headFit(said("washbasin", {}), corrected)).toBeLessThan(0.5);
  });
});

it("a special name means what is as large as such things are, though others have a name that is nearer", () => {
  const rubber = said("rubber plant", {});
  const plant = (category: string, highM: number) =>
    headFit(rubber, { category, name: category, text: [category], extent: { x: 0.2, y: 0.2, z: highM } });
  expect(plant("plant", 1.1)).toBeGreaterThan(plant("potted plant", 0.2));
  expect(plant("potted plant", 1.1)).toBeGreaterThan(plant("plant", 1.1));
  expect(plant("plant", 0.2)).toBeLessThan(0.6);
});
