import { describe, expect, test } from "vitest";
import {
  compose,
  fromAxisAngle,
  multiply,
  type Transform,
  transformDelta,
  type Vec3,
} from "../../geometry/index.ts";
import { type SyntheticBox, syntheticFrame } from "../testing/synthetic-frame.ts";
import { Settling, sightFrom } from "./settling.ts";
import { type Sight, sightOf } from "./sight.ts";
import { VoxelMap, voxelSizeM } from "./voxels.ts";

const INTRINSICS = { fx: 140, fy: 140, cx: 80, cy: 60, width: 160, height: 120 };
const FLOOR_AND_WALL: readonly SyntheticBox[] = [
  { min: { x: -6, y: -6, z: -0.1 }, max: { x: 6, y: 6, z: 0 } },
  { min: { x: -6, y: 3, z: 0 }, max: { x: 6, y: 3.1, z: 3 } },
];
const ROOM: readonly SyntheticBox[] = [
  ...FLOOR_AND_WALL,
  { name: "wardrobe", min: { x: -1.6, y: 1.6, z: 0 }, max: { x: -0.9, y: 2.6, z: 1.8 } },
  { name: "table", min: { x: -0.7, y: 1.2, z: 0.6 }, max: { x: 0.7, y: 2, z: 0.75 } },
];
/** Ten centimetres and a degree and a half, like the pose errors of 7-Scenes. */
const OFF: Transform = {
  p: { x: 0.05, y: -0.03, z: 0.02 },
  q: fromAxisAngle({ x: 0, y: 0.6, z: 0.8 }, 0.025),
};

function cameraAt(p: Vec3, yawRad: number): Transform {
  const level = { w: Math.SQRT1_2, x: -Math.SQRT1_2, y: 0, z: 0 };
  const turn = multiply(fromAxisAngle({ x: 0, y: 0, z: 1 }, yawRad), level);
  return { p, q: multiply(turn, fromAxisAngle({ x: 1, y: 0, z: 0 }, -0.35)) };
}

/** What a camera sees whose true pose differs from the given one. */
function sightAt(boxes: readonly SyntheticBox[], truly: Transform, said = truly): Sight {
  const frame = syntheticFrame({ intrinsics: INTRINSICS, submapFromCamera: truly }, boxes);
  return sightOf({ ...frame, index: 0, timeUs: 0, worldFromCamera: said })!;
}

function mapOf(boxes: readonly SyntheticBox[]): VoxelMap {
  const map = new VoxelMap(voxelSizeM(INTRINSICS));
  for (let n = 0; n < 6; n++) {
    const sight = sightAt(boxes, cameraAt({ x: -0.5 + 0.2 * n, y: 0, z: 1.3 }, 0.3 - 0.12 * n));
    map.add(sight, silence(sight), n);
  }
  return map;
}

/** A network without any output. */
function silence({ width, height }: Sight) {
  const places = width * height;
  return {
    cells: 1,
    cellOf: new Int32Array(places),
    surface: new Float32Array(3),
    boundary: new Float32Array(1),
    offset: new Float32Array(2),
    top: 1,
    names: new Uint8Array(1),
    odds: new Float32Array(1),
    rgb: new Uint8Array(3 * places),
  };
}

describe("a frame whose pose is off", () => {
  const truly = cameraAt({ x: 0.1, y: 0.1, z: 1.3 }, 0.1);

  test("is laid on what others have shown, by all six numbers", () => {
    const said = compose(OFF, truly);
    const settled = new Settling().settle(mapOf(ROOM), sightAt(ROOM, truly, said));
    expect(transformDelta(said, truly).translationM).toBeGreaterThan(0.05);
    expect(transformDelta(settled, truly).translationM).toBeLessThan(0.012);
    expect(transformDelta(settled, truly).rotationRad).toBeLessThan(0.006);
  });

  test("stays as it is said to be along what a plain wall does not tell", () => {
    const said = { p: { ...truly.p, x: truly.p.x + 0.05 }, q: truly.q };
    const settled = new Settling().settle(mapOf(FLOOR_AND_WALL), sightAt(FLOOR_AND_WALL, truly, said));
    expect(Math.abs(settled.p.x - said.p.x)).toBeLessThan(0.005);
  });

  test("is left alone where it shows nothing that is known, or lies too far off to be a slip", () => {
    const empty = new VoxelMap(voxelSizeM(INTRINSICS));
    expect(new Settling().settle(empty, sightAt(ROOM, truly))).toEqual(truly);
    const elsewhere = { p: { ...truly.p, y: truly.p.y - 1 }, q: truly.q };
    expect(new Settling().settle(mapOf(ROOM), sightAt(ROOM, truly, elsewhere)).p.y).toBeCloseTo(
      elsewhere.p.y,
      1,
    );
  });

  test("hands its slip on to the next, which then has less to find", () => {
    const [map, settling] = [mapOf(ROOM), new Settling()];
    settling.settle(map, sightAt(ROOM, truly, compose(OFF, truly)));
    const next = cameraAt({ x: 0.2, y: 0.1, z: 1.3 }, 0.05);
    const unknown = sightAt([], next, compose(OFF, next));
    expect(transformDelta(settling.settle(map, unknown), next).translationM).toBeLessThan(0.02);
    // Far from the map's origin the same rotation would be a large displacement.
    const far = cameraAt({ x: 40, y: 0.1, z: 1.3 }, 0.05);
    expect(settling.settle(map, sightAt([], far))).toEqual(far);
  });
});

test("a sight from another pose is what a camera there would show", () => {
  const truly = cameraAt({ x: 0.1, y: 0.1, z: 1.3 }, 0.1);
  const moved = sightFrom(sightAt(ROOM, truly, compose(OFF, truly)), truly);
  const right = sightAt(ROOM, truly);
  const off = (a: Float32Array, b: Float32Array) =>
    a.reduce((most, v, n) => Math.max(most, Math.abs(v - b[n]!)), 0);
  expect(moved.mapFromCamera).toEqual(truly);
  expect(off(moved.points, right.points)).toBeLessThan(1e-4);
  expect(off(moved.normals, right.normals)).toBeLessThan(1e-4);
});
