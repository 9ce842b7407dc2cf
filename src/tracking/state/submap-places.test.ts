import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  apply,
  distance,
  fromYaw,
  IDENTITY,
  Random,
  type Transform,
  vec3,
  ZERO,
} from "../../geometry/index.ts";
import { type Correspondence, SubmapPlaces } from "./submap-places.ts";

/** Things as the drifted submap sees them, with noise, and a share of wrong pairs. */
function pairsFor(seed: string, wrong: number): Correspondence[] {
  const random = new Random(seed);
  return Array.from({ length: 12 }, (_, n) => {
    const truth = vec3(random.range(-4, 4), random.range(-4, 4), random.range(0, 2));
    const off = n < wrong ? 0.8 : 0.02;
    const target = vec3(truth.x + random.normal(0, off), truth.y + random.normal(0, off), truth.z);
    return { thingId: `t${n}`, pointInSubmap: truth, target, sdM: 0.05 };
  });
}

describe("SubmapPlaces", () => {
  it("finds drift from things that other submaps know, whatever a few of them say", () => {
    const shift = fc.double({ min: -0.4, max: 0.4, noNaN: true });
    const turn = fc.double({ min: -0.05, max: 0.05, noNaN: true });
    fc.assert(
      fc.property(shift, shift, turn, fc.nat(1_000), (x, y, yaw, seed) => {
        const believed: Transform = { p: vec3(x, y, 0), q: fromYaw(yaw) };
        const places = new SubmapPlaces();
        places.enter("robot", "submap", believed);
        places.learn("robot", pairsFor(`drift-${seed}`, 2), ZERO, true);
        const place = places.placeOf("submap")!;
        for (const point of [vec3(1, 0, 0), vec3(-2, 1, 1), vec3(0, 3, 0)]) {
          expect(distance(apply(place, point), point)).toBeLessThan(0.12);
        }
      }),
      { numRuns: 60 },
    );
  });

  it("keeps still when too few things agree", () => {
    const places = new SubmapPlaces();
    places.enter("robot", "submap", IDENTITY);
    const [one] = pairsFor("few", 0);
    expect(places.learn("robot", [one!, one!, one!, one!], ZERO, true)).toBe(0);
    expect(places.placeOf("submap")).toEqual(IDENTITY);
  });

  it("hands its correction on to the next submap, and gives it up for a new revision of the map", () => {
    const drift: Transform = { p: vec3(0.3, 0, 0), q: IDENTITY.q };
    const places = new SubmapPlaces();
    places.enter("robot", "one", drift);
    places.learn("robot", pairsFor("next", 0), ZERO, true);
    places.enter("robot", "two", drift);
    expect(places.placeOf("two")!.p.x).toBeCloseTo(0, 1);
    places.correct((submap) => (submap === "two" ? IDENTITY : undefined));
    expect(places.placeOf("two")).toEqual(IDENTITY);
  });
});
