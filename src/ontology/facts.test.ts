import { describe, expect, it, test } from "vitest";
import {
  fills,
  hangsOn,
  holds,
  isReadable,
  mobilityOf,
  movesItself,
  opens,
  partsOf,
  supports,
  switches,
  typicalSizeM,
  usualRooms,
} from "./index.ts";

describe("what a kind says holds for its kinds, unless they say otherwise", () => {
  test.each([
    ["kitchen sink", "fixed"],
    ["radiator", "fixed"],
    ["wardrobe", "furniture"],
    ["rug", "furniture"],
    ["chair", "movable"],
    ["teaspoon", "carried"],
    ["grandma", "agent"],
    ["robot vacuum", "agent"],
    ["quasar", undefined],
  ])("%s: %s", (name, mobility) => expect(mobilityOf(name)).toBe(mobility));

  it("hangs, lies or stands", () => {
    expect(["poster", "chandelier", "doormat", "sofa"].map(hangsOn)).toEqual([
      "wall",
      "ceiling",
      "flat",
      undefined,
    ]);
  });

  it("has states", () => {
    expect(["fridge", "curtain", "mug"].map(opens)).toEqual([true, true, false]);
    expect(["desk lamp", "television", "remote control"].map(switches)).toEqual([true, true, false]);
    expect(["bathtub", "mug", "sofa"].map(fills)).toEqual([true, true, false]);
  });

  it("carries, holds and says", () => {
    expect(["coffee table", "my old desk", "ball"].map(supports)).toEqual([true, true, false]);
    expect(["backpack", "bicycle", "car"].map(holds)).toEqual([true, false, true]);
    expect(["cereal box", "poster", "fork"].map(isReadable)).toEqual([true, true, false]);
  });

  it("has parts, rooms and a size", () => {
    expect(partsOf("office chair")).toContain("wheel");
    expect(usualRooms("frying pan")).toContain("kitchen");
    expect(typicalSizeM("king-size bed")).toBe(typicalSizeM("bed"));
    expect([typicalSizeM("quasar"), usualRooms("quasar")]).toEqual([undefined, []]);
  });

  it("moves itself by its whole name only", () => {
    expect(["dog", "people", "stuffed dog", "picture of a dog", "car"].map(movesItself)).toEqual([
      true,
      true,
      false,
      false,
      false,
    ]);
  });
});
