import { describe, expect, it } from "vitest";
import { vec3 } from "../../geometry/index.ts";
import { frameOf, KnownScene } from "../testing/known-scene.ts";
import { look, thing } from "../testing/toy-room.ts";
import { emptinessOf, learnEmptiness } from "./emptiness.ts";

const table = thing("table", "table", [2, 0, 0.4], [1, 1, 0.8]);
const mug = thing("mug", "mug", [2, 0, 0.9], [0.2, 0.2, 0.2]);
const view = (things: (typeof mug)[]) =>
  frameOf(look({ timeS: 0, from: vec3(0, 0, 1.4), at: vec3(2, 0, 0.9), things })).view;

describe("what a place shows without its thing", () => {
  it("is not known before looks at the thing said how it looks with it", () => {
    const known = new KnownScene().thing("mug", "mug", [2, 0, 0.9], [0.2, 0.2, 0.2]);
    expect(emptinessOf(view([table]), known)).toBe("unknown");
    learnEmptiness(view([table, mug]), known);
    expect(emptinessOf(view([table]), known)).toBe("unknown");
  });

  it("is what is under and behind it, and not something of its height", () => {
    const known = new KnownScene().thing("mug", "mug", [2, 0, 0.9], [0.2, 0.2, 0.2]);
    for (let n = 0; n < 3; n++) learnEmptiness(view([table, mug]), known);
    expect(known.doubts.emptiness?.mean).toBeLessThan(0.2);
    expect(emptinessOf(view([table]), known)).toBe("empty");
    expect(emptinessOf(view([table, mug]), known)).toBe("full");
  });

  it("is not asked of what is too flat to stand out", () => {
    const sheet = new KnownScene().thing("sheet", "paper", [2, 0, 0.805], [0.2, 0.3, 0.01]);
    for (let n = 0; n < 3; n++) learnEmptiness(view([table]), sheet);
    expect(sheet.doubts.emptiness).toBeUndefined();
  });
});
