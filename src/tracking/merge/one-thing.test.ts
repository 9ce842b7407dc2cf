import { describe, expect, it } from "vitest";
import { KnownScene } from "../testing/known-scene.ts";
import { mergeAll } from "./merging.ts";
import { areInOnePlaceAtOnce } from "./one-thing.ts";

const MINUTE_US = 60_000_000;

/** A white wardrobe seen for ten minutes, and a few observations in its place with another label. */
function wardrobeAnd(
  category: string,
  colour: string,
  { firstUs = MINUTE_US, lastUs = 2 * MINUTE_US, looks = 3, sizeM = 1 } = {},
) {
  const put = new KnownScene();
  const size = [sizeM, 0.6 * sizeM, 2 * sizeM] as const;
  const wardrobe = put.thing("a", "wardrobe", [0, 0, sizeM], size, {
    colour: "white",
    looks: 40,
    lastUs: 10 * MINUTE_US,
  });
  const other = put.thing("b", category, [0.1 * sizeM, 0, sizeM], size, { colour, looks, firstUs, lastUs });
  for (const thing of [wardrobe, other]) thing.words.votesOn("material").add("wood", 1);
  return { ...put, wardrobe, other, put };
}

describe("areInOnePlaceAtOnce", () => {
  it("makes one of two bodies in one place at one time, whatever both are called", () => {
    const { put, wardrobe, other } = wardrobeAnd("shelf", "grey");
    expect(areInOnePlaceAtOnce(wardrobe, other)).toBe(true);
    mergeAll(put.scene, put.journal);
    expect([...put.scene.things.values()]).toEqual([wardrobe]);
  });

  it("leaves what came when the other was seen no more", () => {
    const { wardrobe, other } = wardrobeAnd("shelf", "grey", {
      firstUs: 11 * MINUTE_US,
      lastUs: 12 * MINUTE_US,
    });
    expect(areInOnePlaceAtOnce(wardrobe, other)).toBe(false);
  });

  it("leaves those that a frame showed together", () => {
    const { wardrobe, other } = wardrobeAnd("shelf", "grey");
    other.rivals.seenTogether(wardrobe);
    expect(areInOnePlaceAtOnce(wardrobe, other)).toBe(false);
  });

  it("leaves a drawn curtain and the window behind it, which have nothing in common", () => {
    const { wardrobe, other } = wardrobeAnd("curtain", "green");
    other.evidence.words.attributes.get("material")!.add("fabric", 10);
    expect(areInOnePlaceAtOnce(wardrobe, other)).toBe(false);
  });

  it("takes a few looks at a small thing for misread, and no more", () => {
    const few = wardrobeAnd("wardrobe", "blue", { sizeM: 0.2 });
    expect(areInOnePlaceAtOnce(few.wardrobe, few.other)).toBe(true);
    const many = wardrobeAnd("wardrobe", "blue", { sizeM: 0.2, looks: 10 });
    expect(areInOnePlaceAtOnce(many.wardrobe, many.other)).toBe(false);
  });
});

describe("looks under another name at a thing that was moved to where it is", () => {
  const left = (moved: "first" | "last"): number => {
    const { put, wardrobe, other } = wardrobeAnd("shelf", "white", { sizeM: 0.3, looks: 10 });
    (moved === "first" ? wardrobe : other).links.movedFrom = { stateId: "state-before", p: 0.9 };
    mergeAll(put.scene, put.journal);
    return [...put.scene.things.values()].length;
  };

  it("are its own", () => {
    expect(left("first")).toBe(1);
  });

  it("stay another's where that one is said to have come from elsewhere: the link would be lost", () => {
    expect(left("last")).toBe(2);
  });
});
