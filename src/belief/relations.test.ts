import { expect, test } from "vitest";
import { boxFromCentre, vec3 } from "../geometry/index.ts";
import { type Anchor, holds } from "./relations.ts";
import type { KnownThing } from "./thing.ts";

const COUNTER = { box: boxFromCentre(vec3(0, 0, 0.45), vec3(2, 0.6, 0.9)) };

/** A thing of 30 cm that nothing was found to carry, and that begins at a height. */
function from(z: number): KnownThing {
  const box = boxFromCentre(vec3(0.3, 0.2, z + 0.15), vec3(0.3, 0.1, 0.3));
  return { category: "thing", trackId: "track", box, state: {} } as unknown as KnownThing;
}

test.each([
  ["wardrobe", true],
  ["door", false],
  ["person", false],
  ["painting", false],
])("what lies within the height of a %s is on it: %s", (category, isSo) => {
  const anchor = {
    box: boxFromCentre(vec3(0, 0, 1), vec3(1, 0.6, 2)),
    thing: { category, trackId: "anchor" },
  };
  expect(holds("on", from(0.9), anchor as unknown as Anchor) > 0).toBe(isSo);
});

test("what begins at a top, or a little under or over it, is on it; what begins a hand above it hangs over it", () => {
  expect(holds("on", from(0.9), COUNTER)).toBeGreaterThan(0);
  expect(holds("on", from(0.75), COUNTER)).toBeGreaterThan(0);
  expect(holds("on", from(1), COUNTER)).toBeGreaterThan(0);
  expect(holds("on", from(1.04), COUNTER)).toBe(0);
});
