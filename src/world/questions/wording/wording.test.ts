import { describe, expect, it } from "vitest";
import { SUBTYPES, UNANSWERABLE } from "../types/index.ts";
import { WORDINGS, worded } from "./index.ts";

const folded = (text: string): string =>
  text
    .toLowerCase()
    .replace(/[^a-z0-9{}]+/g, " ")
    .trim();
const wordsOf = (template: string): Set<string> =>
  new Set(
    folded(template)
      .replace(/\{\w+\}/g, "")
      .split(" ")
      .filter((word) => word !== ""),
  );

/** Share of words that two templates have in common, slots left out. */
function likeness(a: string, b: string): number {
  const [x, y] = [wordsOf(a), wordsOf(b)];
  const both = [...x].filter((word) => y.has(word)).length;
  return both / Math.max(1, x.size + y.size - both);
}

describe("wordings", () => {
  it("exist for every kind of question, at least two to develop with and two to test with", () => {
    for (const { subtype } of [...SUBTYPES, ...UNANSWERABLE]) {
      expect(WORDINGS[subtype]?.dev.length, subtype).toBeGreaterThanOrEqual(2);
      expect(WORDINGS[subtype]?.test.length, subtype).toBeGreaterThanOrEqual(2);
    }
  });

  it("are for kinds that exist", () => {
    const kinds = new Set(SUBTYPES.map(({ subtype }) => subtype));
    expect(Object.keys(WORDINGS).filter((kind) => !kinds.has(kind))).toEqual([]);
  });

  it("stand in one set only, over all kinds", () => {
    const all = Object.values(WORDINGS);
    const dev = new Set(all.flatMap((wording) => wording.dev.map(folded)));
    expect(all.flatMap((wording) => wording.test.map(folded)).filter((text) => dev.has(text))).toEqual([]);
  });

  it("differ really between the sets, not by a word", () => {
    const near = Object.entries(WORDINGS).flatMap(([kind, { dev, test }]) =>
      test.flatMap((b) => dev.filter((a) => likeness(a, b) > 0.75).map((a) => `${kind}: ${a} ~ ${b}`)),
    );
    expect(near).toEqual([]);
  });

  it("ask for the same slots in both sets", () => {
    const slots = (list: readonly string[]): string =>
      [...new Set(list.flatMap((text) => text.match(/\{\w+\}/g) ?? []))]
        .filter((slot) => !["{thing}", "{aThing}", "{things}"].includes(slot))
        .sort()
        .join();
    for (const [kind, { dev, test }] of Object.entries(WORDINGS)) expect(slots(test), kind).toBe(slots(dev));
  });

  it("fill both sets with their own phrases and begin with a capital", () => {
    const { dev, test } = worded("localisation/where", { thing: { dev: "the sofa", test: "the couch" } });
    expect(dev[0]).toBe("Where is the sofa?");
    expect(test.every((text) => text.includes("couch") && /^[A-Z]/.test(text))).toBe(true);
  });
});
