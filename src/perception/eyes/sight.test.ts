import { expect, it } from "vitest";
import type { Frame } from "../../schema/core.ts";
import { sightOf } from "./sight.ts";

/** A tilted wall, with holes and steps at places that depend on the seed. */
function frameOf(seed: number, width = 64, height = 48): Frame {
  const data = new Uint16Array(width * height).map((_, at) => {
    const [i, j] = [at % width, Math.floor(at / width)];
    if ((at * (seed + 3)) % 11 === 0) return 0;
    return 1_500 + 8 * i + 3 * j + (i > 10 * seed && i < 10 * seed + 20 ? 400 : 0);
  });
  return {
    timeUs: 0,
    intrinsics: { fx: 60, fy: 60, cx: width / 2, cy: height / 2, width, height },
    depth: { width, height, data, unitM: 0.001 },
    worldFromCamera: { p: { x: seed, y: 0, z: 1 }, q: { w: Math.SQRT1_2, x: -Math.SQRT1_2, y: 0, z: 0 } },
  } as Frame;
}

it("is the same in the arrays of another sight, of its own size or not", () => {
  const should = sightOf(frameOf(2));
  expect(should?.sound).toContain(1);
  expect(should?.normals.some((n) => n !== 0)).toBe(true);
  const other = sightOf(frameOf(1))!;
  const within = sightOf(frameOf(2), true, other);
  expect(within?.points).toBe(other.points);
  expect(within).toEqual(should);
  const smaller = sightOf(frameOf(1, 32, 24))!;
  expect(sightOf(frameOf(2), true, smaller)).toEqual(should);
  const shapeless = sightOf(frameOf(1), false)!;
  expect(sightOf(frameOf(2), true, shapeless)).toEqual(should);
});
