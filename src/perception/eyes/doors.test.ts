import { expect, test } from "vitest";
import { opennessOf } from "./doors.ts";
import { STRUCTURE } from "./links.ts";

const SIZE_M = 0.05;

interface Panel {
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
  readonly isWall: boolean;
}

/** Upright panels two metres high in a map, a voxel every five centimetres; those that are not wall are the door. */
function seen(panels: readonly Panel[]): Parameters<typeof opennessOf> {
  const [points, normals, places, members]: [number[], number[], number[], number[]] = [[], [], [], []];
  const [own, facing]: [number[], number[]] = [[], []];
  for (const { from, to, isWall } of panels) {
    const [dx, dy] = [to[0] - from[0], to[1] - from[1]];
    const long = Math.hypot(dx, dy);
    const normal = [-dy / long, dx / long, 0];
    for (let along = SIZE_M / 2; along < long; along += SIZE_M) {
      for (let z = SIZE_M / 2; z < 2; z += SIZE_M) {
        const point = [from[0] + (dx * along) / long, from[1] + (dy * along) / long, z];
        points.push(...point);
        normals.push(...normal);
        places.push(isWall ? STRUCTURE : members.length);
        if (isWall) continue;
        members.push(members.length);
        own.push(...point);
        facing.push(...normal);
      }
    }
  }
  const columns = { weight: places.map(() => 1), point: points, normal: normals };
  return [
    { sizeM: SIZE_M, columns },
    { point: Float32Array.from(own), normal: Float32Array.from(facing), placeOf: Int32Array.from(places) },
    { members },
  ] as never;
}

const wallLeft: Panel = { from: [-2, 0], to: [0, 0], isWall: true };
const wallRight: Panel = { from: [0.9, 0], to: [3, 0], isWall: true };

test("a leaf that goes on as wall on both sides is closed, also next to a corner", () => {
  const leaf: Panel = { from: [0, 0.04], to: [0.9, 0.04], isWall: false };
  expect(opennessOf(...seen([wallLeft, leaf, wallRight]))).toBe("closed");
  const corner: Panel = { from: [0.95, 0], to: [0.95, -2], isWall: true };
  expect(opennessOf(...seen([wallLeft, leaf, corner]))).toBe("closed");
});

test("a leaf that stands out of its wall is open", () => {
  const leaf: Panel = { from: [0, 0.05], to: [0, 0.95], isWall: false };
  expect(opennessOf(...seen([wallLeft, leaf, wallRight]))).toBe("open");
  const ajar: Panel = { from: [0, 0.05], to: [0.6, 0.75], isWall: false };
  expect(opennessOf(...seen([wallLeft, ajar, wallRight]))).toBe("open");
});

test("nothing is said of a leaf of which only a low part was seen, nor where half a wall is beside it", () => {
  const low: Panel = { from: [0, 0.04], to: [0.9, 0.04], isWall: false };
  const [map, surface, region] = seen([wallLeft, low, wallRight]);
  const members = region.members.filter((n) => surface.point[3 * n + 2]! < 0.8);
  expect(opennessOf(map, surface, { ...region, members })).toBeUndefined();
  const bit: Panel = { from: [-0.15, 0], to: [0, 0], isWall: true };
  expect(opennessOf(...seen([bit, low]))).toBeUndefined();
});
