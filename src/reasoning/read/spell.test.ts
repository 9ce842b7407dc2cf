import { describe, expect, it } from "vitest";
import { slipsBetween, soundOf } from "./slips.ts";
import { mended } from "./spell.ts";
import { sentencesOf } from "./tokens.ts";

function said(question: string, names: readonly string[] = []): string {
  const { sentences } = mended(sentencesOf(question), names);
  return sentences.flatMap(({ tokens }) => tokens.map(({ word }) => word)).join(" ");
}

describe("spelling", () => {
  it.each([
    ["whats teh colr of the sofer", ["sofa"], "what is the colour of the sofa"],
    ["is ther stil watter in the bahttub", [], "is there still water in the bathtub"],
    ["whitch flor is the ofice on", [], "which floor is the office on"],
    ["did sumone moove the chare", [], "did someone move the chair"],
    ["how meny cusions ar on teh coach", [], "how many cushions are on the coach"],
    ["whre is teh staplr", ["stapler"], "where is the stapler"],
  ])("reads “%s”", (written, names, meant) => expect(said(written, names)).toBe(meant));

  it("takes a real word for another where two letters are swapped and nobody says it", () => {
    expect(said("dose the hall have tow lamps")).toBe("does the hall have two lamps");
    expect(said("is the dinning rom tidy")).toBe("is the dining room tidy");
    expect(said("where are the beads")).toBe("where are the beads");
  });

  it("prefers a name that this memory holds, and leaves names that it does not hold", () => {
    expect(said("where is mikhal", ["Michal"])).toBe("where is michal");
    expect(said("where is Xandor")).toBe("where is xandor");
  });

  it("keeps the other meaning of un- and -less", () => {
    expect(said("which rooms are unvisited and windowless")).toBe("which rooms are unvisited and windowless");
  });

  it("takes no form of a word that English does not have: a silent e goes before -ing", () => {
    expect(said("how long ago did you leave stageing 1", ["staging 1"])).toBe(
      "how long ago did you leave staging 1",
    );
    expect(said("is anyone seeing it", ["staging 1"])).toBe("is anyone seeing it");
  });

  it("says what was mended", () =>
    expect(mended(sentencesOf("the tablit"), []).notes).toEqual(["“tablet” for “tablit”"]));
});

describe("slips of the pen", () => {
  it("cost less where people really slip: swapped, doubled, vowels, sounds", () => {
    const cost = (word: string, meant: string) => slipsBetween(word, meant, 3);
    expect(cost("tabel", "table")).toBeLessThan(cost("tabke", "table"));
    expect(cost("botel", "bottle")).toBeLessThan(cost("bowl", "bottle"));
    expect(cost("pilow", "pillow")).toBeLessThan(cost("piblow", "pillow"));
    expect(cost("fone", "phone")).toBeLessThan(cost("bone", "phone"));
    expect(slipsBetween("xyz", "table", 1)).toBe(Number.POSITIVE_INFINITY);
  });

  it("hears words that sound the same", () => expect(soundOf("kees")).toBe(soundOf("keys")));
});
