import { describe, expect, test } from "vitest";
import { compose, fromYaw, type Transform } from "../geometry/index.ts";
import { canFollow, type GatedPose, turnOf } from "./pose-gate.ts";

const SECOND_US = 1_000_000;
const at = (x: number, y: number, yawRad = 0): Transform => ({ p: { x, y, z: 0 }, q: fromYaw(yawRad) });
/** Dead reckoning started rotated by a right angle against the map. */
const ODOM_FROM_MAP = at(3, -2, Math.PI / 2);

function pose(map: Transform, seconds: number, reckoned: Transform | null = map): GatedPose {
  return {
    worldFromCamera: map,
    timeUs: seconds * SECOND_US,
    ...(reckoned && { odometry: { frame: "odom", odomFromBody: compose(ODOM_FROM_MAP, reckoned) } }),
  };
}

describe("a pose after another", () => {
  test("can be where dead reckoning led, however the two frames are turned", () => {
    expect(canFollow(pose(at(0, 0), 0), pose(at(0.8, 0.3, 0.4), 1))).toBe(true);
    expect(canFollow(pose(at(0, 0), 0), pose(at(40, 30, 1), 300))).toBe(true);
  });

  test("cannot be metres or a quarter turn off", () => {
    expect(canFollow(pose(at(0, 0), 0), pose(at(2, 0), 1, at(0.5, 0)))).toBe(false);
    expect(canFollow(pose(at(0, 0), 0), pose(at(0.5, 0, 1.2), 1, at(0.5, 0)))).toBe(false);
    expect(canFollow(pose(at(0, 0), 0), pose(at(2, 0), 60, at(0, 0)))).toBe(false);
  });

  test("that is as far off, but to the other side, is told by the way before", () => {
    const [a, b] = [pose(at(0, 0), 0), pose(at(1, 0), 1)];
    const aside = pose(at(1, 1), 2, at(2, 0));
    expect(canFollow(b, aside)).toBe(true);
    expect(turnOf(a, b)).toBeCloseTo(-Math.PI / 2, 12);
    expect(canFollow(b, aside, turnOf(a, b)!)).toBe(false);
    expect(canFollow(b, pose(at(2, 0), 2), turnOf(a, b)!)).toBe(true);
  });

  test("is not farther than anybody goes where there is no dead reckoning", () => {
    expect(canFollow(pose(at(0, 0), 0, null), pose(at(2, 0), 1, null))).toBe(true);
    expect(canFollow(pose(at(0, 0), 0, null), pose(at(20, 0), 1, null))).toBe(false);
    expect(turnOf(pose(at(0, 0), 0, null), pose(at(2, 0), 1, null))).toBeUndefined();
  });
});
