import fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import {
  FIT,
  headOf,
  isPlural,
  longestName,
  lookup,
  meaningsOf,
  nameFit,
  namesFor,
  pluralOf,
  singularOf,
  surfaceWords,
} from "./index.ts";

describe("names", () => {
  test.each([
    ["telly", "television"],
    ["settee", "sofa"],
    ["Fridges", "fridge"],
    ["cell phone", "phone"],
    ["T-shirts", "t-shirt"],
    ["chest of drawers", "dresser"],
    ["chests of drawers", "dresser"],
    ["people", "person"],
    ["kids", "child"],
    ["glasses", "glasses"],
  ])("%s is a %s", (words, name) => expect(lookup(words)?.name).toBe(name));

  it("may mean several things", () => {
    expect(meaningsOf("glasses").map(({ name }) => name)).toEqual(["glasses", "glass"]);
    expect(meaningsOf("mouse").map(({ name }) => name)).toEqual(["computer mouse", "rat"]);
    expect(meaningsOf("quasar")).toEqual([]);
  });

  it("are found in a sentence, the longest first", () => {
    const tokens = "how many washing machines and t-shirts are there".split(" ");
    expect(longestName(tokens, 2)).toMatchObject({
      length: 2,
      plural: true,
      entry: { name: "washing machine" },
    });
    expect(longestName(tokens, 3)?.entry.name).toBe("machine");
    expect(longestName(tokens, 5)).toMatchObject({ length: 1, plural: true, entry: { name: "t-shirt" } });
    expect(longestName(tokens, 6)).toBeUndefined();
    expect(longestName(tokens, 99)).toBeUndefined();
  });

  it("are told by the end of a longer phrase", () => {
    expect(headOf("my grandmother's chipped blue coffee mug")?.name).toBe("coffee mug");
    expect(headOf("frobnicator")).toBeUndefined();
  });

  it("have others for the same, and those of kinds", () => {
    expect(namesFor("couch").same).toContain("sofa");
    expect(namesFor("couch").same).not.toContain("couch");
    expect(namesFor("chair").kinds).toContain("office chair");
    expect(namesFor("cutlery").kinds).toEqual(expect.arrayContaining(["knife", "fork", "teaspoon"]));
    expect(namesFor("quasar")).toEqual({ same: [], kinds: [] });
  });

  it("take anything", () => {
    fc.assert(
      fc.property(fc.string({ unit: "grapheme" }), (text) => {
        expect(meaningsOf(text).every(({ names }) => names.length > 0)).toBe(true);
        expect(nameFit(text, text)).toBe(1);
        expect(nameFit(text, "mug")).toBeGreaterThanOrEqual(0);
      }),
    );
  });
});

describe("number", () => {
  test.each([
    ["bus", "buses"],
    ["vase", "vases"],
    ["box", "boxes"],
    ["potato", "potatoes"],
    ["photo", "photos"],
    ["bookshelf", "bookshelves"],
    ["policewoman", "policewomen"],
    ["dining chair", "dining chairs"],
    ["bowl of fruit", "bowls of fruit"],
    ["key", "keys"],
    ["battery", "batteries"],
    ["frobnicator", "frobnicators"],
    ["tv", "tvs"],
    ["bikini", "bikinis"],
  ])("%s, %s", (one, many) => expect([pluralOf(one), singularOf(many)]).toEqual([many, one]));

  it("is one for what is never counted", () => {
    for (const noun of [
      "scissors",
      "furniture",
      "trousers",
      "bread",
      "glasses",
      "glass",
      "news",
      "mattress",
      "bus",
    ])
      expect(singularOf(noun), noun).toBe(noun);
    expect([pluralOf("scissors"), pluralOf("furniture")]).toEqual(["scissors", "furniture"]);
    expect([isPlural("mugs"), isPlural("mug"), isPlural("dress")]).toEqual([true, false, false]);
  });
});

describe("the fit of what is asked for", () => {
  test.each([
    ["mugs", "mug", FIT.same],
    ["couch", "sofa", FIT.synonym],
    ["table", "dining table", FIT.kind],
    ["furniture", "armchair", FIT.fartherKind],
    ["dining chair", "chair", FIT.moreSpecific],
    ["pillow", "cushion", FIT.alike],
    ["glasses", "spectacles", FIT.synonym],
    ["anna's mug", "mug", FIT.moreSpecific],
    ["frobnicator", "red frobnicator", FIT.kind],
    ["side table", "coffee table", FIT.sibling],
    ["mug", "sofa", 0],
    ["computer mouse", "cat", 0],
  ])("%s, %s: %d", (asked, category, fit) => expect(nameFit(asked, category)).toBe(fit));
});

it("lists every word for who mends spelling, sorted and once", () => {
  const words = surfaceWords();
  expect(words).toEqual([...new Set(words)].sort());
  for (const word of ["stapler", "staplers", "kitchen", "ajar", "wooden", "metres"])
    expect(words).toContain(word);
});
