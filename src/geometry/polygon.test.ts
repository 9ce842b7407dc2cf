import * as fc from "fast-check";
import { expect, test } from "vitest";
import { boxContains } from "./box.ts";
import {
  convexHull,
  enclosingSides,
  isSimplePolygon,
  type Point2,
  type Polygon,
  polygonArea,
  polygonBounds,
  polygonCentroid,
  polygonContains,
} from "./polygon.ts";
import { coordinate, fraction } from "./testing/arbitraries.ts";
import { vec3 } from "./vec3.ts";

const ring = (...points: [number, number][]): Polygon => ({ points: points.map(([x, y]) => ({ x, y })) });
const square = ring([0, 0], [4, 0], [4, 4], [0, 4]);
/** An L-shaped room. */
const room = ring([0, 0], [6, 0], [6, 2], [2, 2], [2, 5], [0, 5]);
const anyPoint: fc.Arbitrary<Point2> = fc.record({ x: coordinate(10), y: coordinate(10) });

test("inside, outside, and in the notch of an L", () => {
  expect(polygonContains(room, vec3(1, 4, 0))).toBe(true);
  expect(polygonContains(room, vec3(5, 1, 0))).toBe(true);
  expect(polygonContains(room, vec3(4, 4, 0))).toBe(false);
  expect(polygonContains(room, vec3(-0.001, 1, 0))).toBe(false);
  expect(polygonContains(room, vec3(Number.NaN, 1, 0))).toBe(false);
});

test("the whole boundary is inside, in both directions of the ring", () => {
  fc.assert(
    fc.property(
      fc.constantFrom(square, room),
      fc.nat(5),
      fraction,
      fc.boolean(),
      (polygon, corner, t, reversed) => {
        const points = reversed ? [...polygon.points].reverse() : polygon.points;
        const a = points[corner % points.length]!;
        const b = points[(corner + 1) % points.length]!;
        expect(polygonContains({ points }, vec3(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, 0))).toBe(true);
      },
    ),
  );
});

test("points computed on slanted edges are inside, never outside the bounds", () => {
  fc.assert(
    fc.property(anyPoint, anyPoint, anyPoint, fraction, (a, b, c, t) => {
      const polygon = { points: [a, b, c] };
      const point = vec3(a.x + (b.x - a.x) * t, a.y + (b.y - a.y) * t, 0);
      if (boxContains(polygonBounds(polygon), point)) expect(polygonContains(polygon, point)).toBe(true);
      expect(polygonContains(square, vec3(4 + 1e-10, 2, 0))).toBe(false);
    }),
  );
});

test("contains agrees with the winding of a convex hull, and with bounds", () => {
  fc.assert(
    fc.property(fc.array(anyPoint, { minLength: 3, maxLength: 12 }), anyPoint, (cloud, point) => {
      const hull = convexHull(cloud);
      fc.pre(hull.length >= 3);
      const sides = hull.map((a, i) => {
        const b = hull[(i + 1) % hull.length]!;
        return (
          ((b.x - a.x) * (point.y - a.y) - (b.y - a.y) * (point.x - a.x)) / Math.hypot(b.x - a.x, b.y - a.y)
        );
      });
      fc.pre(sides.every((side) => Math.abs(side) > 1e-8));
      const inside = polygonContains({ points: hull }, vec3(point.x, point.y, 0));
      expect(inside).toBe(sides.every((side) => side > 0));
      if (inside) expect(boxContains(polygonBounds({ points: hull }), vec3(point.x, point.y, 0))).toBe(true);
    }),
    { numRuns: 500 },
  );
});

test("height is closed, and open ends become the largest numbers", () => {
  const zone: Polygon = { ...square, minZ: 0, maxZ: 2 };
  expect([-0.01, 0, 2, 2.01].map((z) => polygonContains(zone, vec3(1, 1, z)))).toEqual([
    false,
    true,
    true,
    false,
  ]);
  expect(polygonContains({ ...square, minZ: 1 }, vec3(1, 1, 1e9))).toBe(true);
  expect(polygonBounds({ ...square, minZ: 1 })).toEqual({
    min: vec3(0, 0, 1),
    max: vec3(4, 4, Number.MAX_VALUE),
  });
  expect(polygonBounds(square).min.z).toBe(-Number.MAX_VALUE);
  expect(() => polygonBounds({ points: [] })).toThrow(RangeError);
});

test("degenerate rings contain only themselves", () => {
  expect(polygonContains({ points: [] }, vec3(0, 0, 0))).toBe(false);
  expect(polygonContains(ring([1, 1]), vec3(1, 1, 5))).toBe(true);
  expect(polygonContains(ring([1, 1]), vec3(1, 1.1, 0))).toBe(false);
  expect(polygonContains(ring([0, 0], [2, 2]), vec3(1, 1, 0))).toBe(true);
  expect(polygonContains(ring([0, 0], [2, 2]), vec3(1, 0.9, 0))).toBe(false);
});

test("area is signed and the centroid is that of the area", () => {
  expect(polygonArea(square)).toBe(16);
  expect(polygonArea({ points: [...room.points].reverse() })).toBe(-18);
  expect(polygonArea(ring([0, 0], [1, 1]))).toBe(0);
  expect(polygonArea({ points: [] })).toBe(0);
  expect(polygonCentroid(square)).toEqual({ x: 2, y: 2 });
  expect(polygonCentroid(room).x).toBeCloseTo((12 * 3 + 6 * 1) / 18, 12);
  expect(polygonCentroid(room).y).toBeCloseTo((12 * 1 + 6 * 3.5) / 18, 12);
  const far = { points: square.points.map(({ x, y }) => ({ x: x + 1e7, y: y - 1e7 })) };
  expect(polygonCentroid(far)).toEqual({ x: 1e7 + 2, y: -1e7 + 2 });
  expect(polygonCentroid(ring([0, 0], [2, 4]))).toEqual({ x: 1, y: 2 });
  expect(() => polygonCentroid({ points: [] })).toThrow(RangeError);
});

test("simple polygons, and the ways not to be one", () => {
  expect(isSimplePolygon(square)).toBe(true);
  expect(isSimplePolygon(room)).toBe(true);
  expect(isSimplePolygon(ring([0, 0], [2, 0], [4, 0], [4, 4]))).toBe(true);
  expect(isSimplePolygon(ring([0, 0], [4, 4], [4, 0], [0, 4]))).toBe(false);
  expect(isSimplePolygon(ring([0, 0], [4, 0], [4, 4], [2, 0], [0, 4]))).toBe(false);
  expect(isSimplePolygon(ring([0, 0], [4, 0], [2, 0], [2, 4]))).toBe(false);
  expect(isSimplePolygon(ring([0, 0], [0, 0], [4, 0], [4, 4]))).toBe(false);
  expect(isSimplePolygon(ring([0, 0], [4, 0], [4, 4], [0, 0]))).toBe(false);
  expect(isSimplePolygon(ring([0, 0], [4, 0]))).toBe(false);
  expect(isSimplePolygon(ring([0, 0], [4, 0], [Number.NaN, 4]))).toBe(false);
});

test("the hull is simple, counter-clockwise, made of the points, and holds them all", () => {
  fc.assert(
    fc.property(fc.array(anyPoint, { minLength: 3, maxLength: 20 }), (cloud) => {
      const points = convexHull(cloud);
      fc.pre(points.length >= 3 && polygonArea({ points }) > 1e-3);
      expect(isSimplePolygon({ points })).toBe(true);
      for (const corner of points) expect(cloud).toContain(corner);
      for (const { x, y } of cloud) expect(polygonContains({ points }, vec3(x, y, 0))).toBe(true);
    }),
  );
  expect(
    convexHull([
      { x: 2, y: 0 },
      { x: 0, y: 0 },
      { x: 1, y: 0 },
      { x: 1, y: 1 },
      { x: 1, y: 0.2 },
    ]),
  ).toEqual([
    { x: 0, y: 0 },
    { x: 2, y: 0 },
    { x: 1, y: 1 },
  ]);
  expect(convexHull([])).toEqual([]);
  expect(
    convexHull([
      { x: 1, y: 1 },
      { x: 1, y: 1 },
    ]),
  ).toEqual([{ x: 1, y: 1 }]);
  expect(
    convexHull([
      { x: 0, y: 0 },
      { x: 1, y: 1 },
      { x: 2, y: 2 },
    ]),
  ).toEqual([
    { x: 0, y: 0 },
    { x: 2, y: 2 },
  ]);
});

test("the smallest rectangle lies along the room, however it is turned", () => {
  const room = [
    { x: 0, y: 0 },
    { x: 9, y: 0 },
    { x: 9, y: 2 },
    { x: 4, y: 2 },
    { x: 4, y: 1 },
    { x: 0, y: 1 },
  ];
  fc.assert(
    fc.property(fc.double({ min: 0, max: Math.PI, noNaN: true }), (yaw) => {
      const [c, s] = [Math.cos(yaw), Math.sin(yaw)];
      const [long, short] = enclosingSides(room.map(({ x, y }) => ({ x: x * c - y * s, y: x * s + y * c })));
      expect(long).toBeCloseTo(9, 6);
      expect(short).toBeCloseTo(2, 6);
    }),
  );
  expect(enclosingSides([])).toEqual([0, 0]);
  expect(enclosingSides([{ x: 1, y: 1 }])).toEqual([0, 0]);
});
