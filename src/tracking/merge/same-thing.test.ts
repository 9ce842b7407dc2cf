import { describe, expect, it } from "vitest";
import { KnownScene } from "../testing/known-scene.ts";
import { FEATURES } from "./features.ts";
import { SameThing } from "./same-thing.ts";
import { WEIGHTS } from "./weights.ts";

const SAME = new SameThing();

function pair(apartM: number, category = "cupboard", colour = "red") {
  const known = new KnownScene();
  const a = known.thing("a", "cupboard", [0, 0, 0.5], [0.5, 0.5, 1]);
  const b = known.thing("b", category, [0, apartM, 0.5], [0.5, 0.5, 1], { colour, looks: 3, firstUs: 1 });
  return { ...known, scene: known.scene, a, b };
}

describe("the odds that two records are of one thing", () => {
  it("has a weight for every feature, and no other", () => {
    expect(Object.keys(WEIGHTS).sort()).toEqual(Object.keys(FEATURES).sort());
  });

  it("are the same whoever is asked first, and finite", () => {
    const { scene, a, b } = pair(0.2);
    const odds = SAME.logOdds(scene, a, b);
    expect(Number.isFinite(odds)).toBe(true);
    expect(SAME.logOdds(scene, b, a)).toBeCloseTo(odds, 9);
  });

  it("fall with the distance, with another colour and with every frame that shows both", () => {
    const near = pair(0.1);
    const odds = SAME.logOdds(near.scene, near.a, near.b);
    for (const other of [pair(0.9), pair(0.1, "cupboard", "blue")])
      expect(SAME.logOdds(other.scene, other.a, other.b)).toBeLessThan(odds);
    near.a.rivals.seenTogether(near.b);
    expect(SAME.logOdds(near.scene, near.a, near.b)).toBeLessThan(odds);
    for (let n = 0; n < 3; n++) near.a.rivals.seenTogether(near.b, true);
    expect(SAME.logOdds(near.scene, near.a, near.b)).toBe(-Infinity);
  });

  it("take further evidence as one more weight", () => {
    const { scene, a, b } = pair(0.9);
    const sure = new SameThing({ ...WEIGHTS, always: (WEIGHTS["always"] ?? 0) + 10 });
    expect(sure.logOdds(scene, a, b)).toBeCloseTo(SAME.logOdds(scene, a, b) + 10, 9);
  });
});
