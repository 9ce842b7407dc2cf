import { describe, expect, it } from "vitest";
import { drawHouse, sketchHouse } from "../testing/drawn-house.ts";
import { align } from "./align.ts";
import { applyLevel, invertLevel, type LevelPose, turnBetween } from "./level.ts";

const HERE: LevelPose = { yawRad: 0, x: 0, y: 0, z: 0 };
const poseOf = (seed: number): LevelPose => ({
  yawRad: (seed * 2.4) % (2 * Math.PI),
  x: ((seed * 37) % 60) - 30,
  y: ((seed * 53) % 60) - 30,
  z: ((seed * 7) % 3) - 1,
});

/** How far an answer is from the truth in the middle of the house, and how far it is turned. */
function errorOf(pose: LevelPose, truth: LevelPose): { readonly m: number; readonly rad: number } {
  const middle = applyLevel(invertLevel(truth), { x: 5, y: 4, z: 0 });
  const [p, q] = [applyLevel(pose, middle), applyLevel(truth, middle)];
  return { m: Math.hypot(p.x - q.x, p.y - q.y, p.z - q.z), rad: turnBetween(pose.yawRad, truth.yawRad) };
}

describe("where one map lies in another", () => {
  it("is found whatever the offset, where half of the house is in both", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const house = drawHouse(seed);
      const first = sketchHouse(house, { mapFromHouse: HERE, knows: [0, 0.8], seed: 1 });
      const second = sketchHouse(house, { mapFromHouse: poseOf(seed), knows: [0.2, 1], seed: 2 });
      const { pose, refused } = align(first, second);
      expect(refused, `house ${seed}`).toBeUndefined();
      const error = errorOf(pose!, invertLevel(poseOf(seed)));
      expect(error.m, `house ${seed}`).toBeLessThan(0.1);
      expect(error.rad, `house ${seed}`).toBeLessThan(0.02);
    }
  });

  it("is not told of two houses that have nothing to do with each other", () => {
    for (let seed = 1; seed <= 12; seed++) {
      const first = sketchHouse(drawHouse(seed), { mapFromHouse: HERE });
      const second = sketchHouse(drawHouse(seed + 100), { mapFromHouse: poseOf(seed), seed: 2 });
      expect(align(first, second).pose, `houses ${seed} and ${seed + 100}`).toBeUndefined();
    }
  });

  it("is not told where a house is the same turned round", () => {
    const half = drawHouse(5, 12);
    const turned = (x: number, y: number): [number, number] => [half.wideM - x, half.deepM - y];
    const house = {
      ...half,
      walls: [
        ...half.walls,
        ...half.walls.map(
          ([a, b, c, d]) => [...turned(a, b), ...turned(c, d)] as [number, number, number, number],
        ),
      ],
      things: [
        ...half.things,
        ...half.things.map((thing) => {
          const [x, y] = turned(thing.centre.x, thing.centre.y);
          return { ...thing, id: `${thing.id}-again`, centre: { ...thing.centre, x, y } };
        }),
      ],
    };
    const options = { missed: 0, offM: 0.01 };
    const first = sketchHouse(house, { ...options, mapFromHouse: HERE });
    const second = sketchHouse(house, { ...options, mapFromHouse: poseOf(3), seed: 2 });
    expect(align(first, second)).toMatchObject({ refused: "ambiguous" });
  });

  it("is refused where they only touch, and of maps without anything", () => {
    const house = drawHouse(7);
    const first = sketchHouse(house, { mapFromHouse: HERE, knows: [0, 0.5] });
    const second = sketchHouse(house, { mapFromHouse: poseOf(4), knows: [0.5, 1], seed: 2 });
    expect(align(first, second).pose).toBeUndefined();
    expect(align(first, { things: [], floors: [] })).toEqual({ refused: "nothing-in-common", ahead: 0 });
  });
});
