import { describe, expect, test } from "vitest";
import { print, scan } from "../../reasoning/index.ts";
import { alternativesOf, among, rivalsOf, undescribed, withMember } from "./alternatives.ts";
import { needsOf } from "./needs.ts";
import type { Part } from "./part.ts";

const OF = (...names: string[]) => names.map((name) => `the(things(category: "${name}"))`).join(", ");
const SAME_ROOM = scan(
  `name(filter(or(${OF("sofa", "mug")}), same(it(), the(things(category: "laptop")), measure: "room")))`,
);
const NEAREST = scan(
  `name(least(or(${OF("sofa", "mug")}), distance(it(), the(things(category: "laptop")))))`,
);
const LARGEST = scan(`name(most(or(${OF("bed", "mug", "car")}), size(it(), dimension: "volume")))`);

/** The parts of a question, some of which are found at given places, as cubes. */
function partsOf(expression: typeof NEAREST, found: Record<string, { x: number; sizeM: number }>): Part[] {
  return needsOf([expression]).map((need) => {
    const there = found[need.categories[0]!];
    if (there === undefined) return { need, state: "open", p: 0, candidates: [], usual: [] };
    const { x, sizeM } = there;
    const box = { min: { x, y: 0, z: 0 }, max: { x: x + sizeM, y: sizeM, z: sizeM } };
    const position = { x, y: 0, z: 0 };
    const one = { stateId: need.key, name: "", position, box, roomId: undefined, p: 1, lastSeenUs: 0 };
    return { need, state: "found", p: 1, candidates: [one], usual: [] };
  });
}
const rivals = (expression: typeof NEAREST, found: Parameters<typeof partsOf>[1]) => {
  const of = rivalsOf(alternativesOf(expression)!, partsOf(expression, found));
  return of && { ...of, needs: of.needs.map(({ categories }) => categories[0]) };
};

describe("which of these", () => {
  test("is told by what it chooses by, and is none where nothing is chosen among things", () => {
    expect([SAME_ROOM, NEAREST, LARGEST].map((one) => alternativesOf(one)?.by)).toEqual([
      "fits",
      "nearest",
      "largest",
    ]);
    expect(alternativesOf(scan('count(things(category: "mug"))'))).toBeUndefined();
  });

  test("one that fits is enough, once what it has to fit is known", () => {
    expect(rivals(SAME_ROOM, { sofa: { x: 1, sizeM: 1 }, laptop: { x: 2, sizeM: 0.3 } })).toEqual({
      needs: [],
    });
    expect(rivals(SAME_ROOM, { sofa: { x: 1, sizeM: 1 } })).toBeUndefined();
    expect(rivals(SAME_ROOM, { laptop: { x: 2, sizeM: 0.3 } })).toBeUndefined();
  });

  test("the nearest: what was not found matters only as near as the nearest so far", () => {
    expect(rivals(NEAREST, { sofa: { x: 1, sizeM: 1 }, laptop: { x: 4, sizeM: 0.3 } })).toMatchObject({
      needs: ["mug"],
      around: { at: { x: 4, y: 0 }, radiusM: 3 },
    });
  });

  test("the largest: what is far smaller by its kind need not be seen, what may be larger has to", () => {
    expect(rivals(LARGEST, { bed: { x: 0, sizeM: 1.2 } })).toEqual({ needs: ["car"] });
    expect(rivals(LARGEST, { mug: { x: 0, sizeM: 0.1 } })).toEqual({ needs: ["bed", "car"] });
  });

  test("is asked of some, of one more, and of things by what they are alone", () => {
    const some = among(SAME_ROOM, (key) => key.includes("mug"));
    expect(print(some)).toBe(print(SAME_ROOM).replace(`${OF("sofa")}, `, ""));
    expect(print(withMember(SAME_ROOM, 1, "toilet"))).toBe(
      print(SAME_ROOM).replace(OF("sofa"), OF("sofa", "toilet")),
    );
    expect(print(undescribed(scan('the(things(category: "mug", colour: "red"))')))).toBe(OF("mug"));
  });
});
