import fc from "fast-check";
import { expect, it } from "vitest";
import { add, distance, fromEuler, rotate, scale, type Vec3 } from "./index.ts";
import { boxGap, type OrientedBox, orientedBox } from "./oriented-box.ts";

const straight = (x: number, size: number): OrientedBox => ({
  centre: { x, y: 0, z: 0 },
  axes: [
    { x: 1, y: 0, z: 0 },
    { x: 0, y: 1, z: 0 },
    { x: 0, y: 0, z: 1 },
  ],
  lengths: [size, size, size],
});

it("knows the gap between straight boxes, and that those that meet have none", () => {
  expect(boxGap(straight(0, 1), straight(3, 1))).toBeCloseTo(2, 9);
  expect(boxGap(straight(0, 2), straight(1, 2))).toBe(0);
  const turned = { ...straight(3, 1), axes: axesOf(0, 0, Math.PI / 4) };
  expect(boxGap(straight(0, 1), turned)).toBeCloseTo(2.5 - Math.SQRT1_2, 6);
});

const angle = fc.double({ min: -3, max: 3, noNaN: true });
const anyBox = fc
  .record({
    x: fc.double({ min: -4, max: 4, noNaN: true }),
    y: fc.double({ min: -4, max: 4, noNaN: true }),
    z: fc.double({ min: -1, max: 1, noNaN: true }),
    turn: fc.tuple(angle, angle, angle),
    lengths: fc.tuple(side(), side(), side()),
  })
  .map(
    ({ x, y, z, turn, lengths }): OrientedBox => ({ centre: { x, y, z }, axes: axesOf(...turn), lengths }),
  );

it("is never more than the distance of any two points, and nearly that of the nearest", () => {
  fc.assert(
    fc.property(anyBox, anyBox, (a, b) => {
      const gap = boxGap(a, b);
      const [pa, pb] = [pointsOf(a), pointsOf(b)];
      const brute = Math.min(...pa.map((p) => Math.min(...pb.map((q) => distance(p, q)))));
      expect(gap).toBeLessThanOrEqual(brute + 1e-3);
      // The grid on the surfaces is at most half a metre wide; boxes within each other have surfaces far apart.
      if (gap > 0) expect(gap).toBeGreaterThan(brute - 0.75);
      expect(boxGap(b, a)).toBeCloseTo(gap, 2);
    }),
    { numRuns: 60 },
  );
});

function side() {
  return fc.double({ min: 0.05, max: 2, noNaN: true });
}

function axesOf(roll: number, pitch: number, yaw: number): OrientedBox["axes"] {
  const q = fromEuler(roll, pitch, yaw);
  return [rotate(q, { x: 1, y: 0, z: 0 }), rotate(q, { x: 0, y: 1, z: 0 }), rotate(q, { x: 0, y: 0, z: 1 })];
}

function pointsOf({ centre, axes, lengths }: OrientedBox): Vec3[] {
  const steps = Array.from({ length: 5 }, (_, i) => i / 4 - 0.5);
  return steps.flatMap((i) =>
    steps.flatMap((j) =>
      steps
        // Only the surface: the nearest points lie on it unless the boxes meet.
        .filter((k) => [i, j, k].some((t) => Math.abs(t) === 0.5))
        .map((k) => [i, j, k].reduce((p, t, n) => add(p, scale(axes[n]!, t * lengths[n]!)), centre)),
    ),
  );
}

it("turns and moves a box with its frame", () => {
  const parentFromChild = { p: { x: 10, y: 0, z: 0 }, q: fromEuler(0, 0, Math.PI / 2) };
  const { centre, axes, lengths } = orientedBox(parentFromChild, {
    min: { x: 0, y: 0, z: 0 },
    max: { x: 4, y: 2, z: 1 },
  });
  expect(lengths).toEqual([4, 2, 1]);
  expect(distance(centre, { x: 9, y: 2, z: 0.5 })).toBeLessThan(1e-9);
  expect(distance(axes[0], { x: 0, y: 1, z: 0 })).toBeLessThan(1e-9);
});
