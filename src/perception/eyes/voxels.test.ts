import { expect, test } from "vitest";
import { VoxelMap } from "./voxels.ts";

const SIZE_M = 0.03;

test("a house of four rooms is kept whole, and all of it is found again", () => {
  const [across, count] = [800, 560_000];
  const map = new VoxelMap(SIZE_M);
  const points = new Float32Array(3 * count);
  const normals = new Float32Array(3 * count);
  for (let n = 0; n < count; n++) {
    points.set([((n % across) + 0.5) * SIZE_M, 0, (Math.floor(n / across) + 0.5) * SIZE_M], 3 * n);
    normals[3 * n + 1] = -1;
  }
  const sight = {
    width: count,
    height: 1,
    stride: 1,
    intrinsics: { fx: 1, fy: 1, cx: 0, cy: 0, width: count, height: 1 },
    mapFromCamera: { p: { x: 0, y: -100, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
    depthM: new Float32Array(count).fill(2),
    points,
    normals,
    sound: new Uint8Array(count).fill(1),
  };
  // One output cell that all grid cells share.
  const sayings = {
    cells: 1,
    cellOf: new Int32Array(count),
    surface: Float32Array.of(1, 0, 0),
    boundary: new Float32Array(1),
    offset: new Float32Array(2),
    top: 1,
    names: new Uint8Array(1),
    odds: new Float32Array(1),
    rgb: new Uint8Array(3 * count),
  };
  map.add(sight, sayings, 0);
  map.sweep(1);
  expect(map.count).toBe(count);
  const lost = [0, 399_999, 400_000, 524_288, count - 1].filter(
    (n) => map.find(n % across, 0, Math.floor(n / across)) !== n,
  );
  expect(lost).toEqual([]);
});
