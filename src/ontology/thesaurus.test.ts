import { describe, expect, it } from "vitest";
import { expand, phrasesIn } from "./index.ts";

describe("words for finding descriptions", () => {
  it("are other words and kinds, whatever the ending", () => {
    expect(expand("sofas").same).toContain("couch");
    expect(expand("couch").same).toContain("sofa");
    expect(expand("sit").kinds).toContain("bench");
    expect(expand("bicyclists").kinds).toContain("bicycle");
    expect(expand("pillow").same).toContain("cushion");
    expect(expand("mug").same).toContain("cup");
  });

  it("never hold the word itself, and none for what is not known", () => {
    for (const word of ["sofa", "trash", "stairs", "sign"]) expect(expand(word).same).not.toContain(word);
    expect(expand("quasar")).toEqual({ same: [], kinds: [] });
  });

  it("stay few enough to ask with", () => {
    for (const word of ["thing", "furniture", "food", "person", "vehicle", "clothes", "toy", "part"]) {
      const { same, kinds } = expand(word);
      expect(same.length + kinds.length, word).toBeLessThanOrEqual(32);
    }
  });

  it("are taken from phrases of a wish", () => {
    expect(phrasesIn("Is there somewhere to sit?")).toEqual(["sit"]);
    expect(phrasesIn("where do i sit")).toEqual([]);
  });
});
