import { describe, expect, it } from "vitest";
import { nameSaid, placeSaid } from "./captioned.ts";

describe("the room that a caption tells of", () => {
  it("is the one it was taken in", () => {
    expect(placeSaid("This is a cross aisle.")).toBe("cross aisle");
    expect(placeSaid("A kitchen with a red kettle on the counter.")).toBe("kitchen");
    expect(placeSaid("Bedroom: a closed black closet.")).toBe("bedroom");
    expect(placeSaid("I am standing in the lounge.")).toBe("living room");
  });

  it("is not what it leads to, nor what only describes a thing", () => {
    expect(placeSaid("There is a door to the kitchen.")).toBeUndefined();
    expect(placeSaid("There is a bathroom cabinet.")).toBeUndefined();
    expect(placeSaid("There is an open white door.")).toBeUndefined();
  });
});

describe("the name that a person gives a place", () => {
  it("is what they call it", () => {
    expect(nameSaid("This is Anna's room.")).toBe("Anna's room");
    expect(nameSaid("We call this loading bay 2")).toBe("loading bay 2");
    expect(nameSaid("This area is called the packing area")).toBe("packing area");
  });

  it("is nothing that is said of a thing, or of any such room", () => {
    expect(nameSaid("This is the charger.")).toBeUndefined();
    expect(nameSaid("This is a kitchen.")).toBeUndefined();
    expect(nameSaid("The vet comes on Monday.")).toBeUndefined();
  });
});
