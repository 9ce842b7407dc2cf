import * as fc from "fast-check";
import { expect, test } from "vitest";
import {
  ecefFromEnu,
  ecefToGeodetic,
  enuFromGeodetic,
  type Geodetic,
  geodeticFromEnu,
  geodeticToEcef,
  haversineM,
} from "./geodetic.ts";
import { anyVec3, real } from "./testing/arbitraries.ts";
import { apply } from "./transform.ts";
import { distance, vec3 } from "./vec3.ts";

const place = (latitudeDeg: number, longitudeDeg: number, altitudeM = 0): Geodetic => ({
  latitudeDeg,
  longitudeDeg,
  altitudeM,
});
const anyPlace: fc.Arbitrary<Geodetic> = fc.record({
  latitudeDeg: fc.oneof(fc.constantFrom(-90, -89.9999999, 0, 1e-9, 45, 89.9999999, 90), real(-90, 90)),
  longitudeDeg: fc.oneof(fc.constantFrom(-180, -179.9999999, 0, 90, 179.9999999, 180), real(-180, 180)),
  altitudeM: real(-11_000, 1_000_000),
});

test("the axes of WGS 84", () => {
  expect(distance(geodeticToEcef(place(0, 0)), vec3(6378137, 0, 0))).toBeLessThan(1e-8);
  expect(distance(geodeticToEcef(place(0, 90, 10)), vec3(0, 6378147, 0))).toBeLessThan(1e-8);
  expect(distance(geodeticToEcef(place(90, 0)), vec3(0, 0, 6356752.314245179))).toBeLessThan(1e-8);
  expect(distance(geodeticToEcef(place(-90, 77)), vec3(0, 0, -6356752.314245179))).toBeLessThan(1e-8);
});

test("Paris in fifty-digit arithmetic, and the Matterhorn from Zermatt as MATLAB's Mapping Toolbox documents it", () => {
  const paris = geodeticToEcef(place(48.8562, 2.3508, 67.4));
  expect(distance(paris, vec3(4200996.789553432, 172460.3215373718, 4780102.830875211))).toBeLessThan(1e-8);
  const matterhorn = enuFromGeodetic(place(46.017, 7.75, 1673), place(45.976, 7.658, 4531));
  expect(matterhorn.x).toBeCloseTo(-7134.8, 1);
  expect(matterhorn.y).toBeCloseTo(-4556.3, 1);
  expect(matterhorn.z).toBeCloseTo(2852.4, 1);
});

test("ECEF round trips below a micrometre anywhere, poles and antimeridian included", () => {
  fc.assert(
    fc.property(anyPlace, (g) => {
      const ecef = geodeticToEcef(g);
      const back = ecefToGeodetic(ecef);
      expect(distance(geodeticToEcef(back), ecef)).toBeLessThan(1e-6);
      expect(Math.abs(back.latitudeDeg - g.latitudeDeg)).toBeLessThan(1e-11);
      expect(Math.abs(back.altitudeM - g.altitudeM)).toBeLessThan(1e-6);
    }),
    { numRuns: 1000 },
  );
});

test("ENU round trips below a micrometre from any origin", () => {
  fc.assert(
    fc.property(anyPlace, anyVec3, (origin, v) => {
      const wide = vec3(v.x * 100, v.y * 100, v.z * 10);
      expect(distance(enuFromGeodetic(origin, geodeticFromEnu(origin, wide)), wide)).toBeLessThan(1e-6);
    }),
    { numRuns: 1000 },
  );
});

test("east is east, north is north, up is up, across the antimeridian too", () => {
  for (const origin of [place(46, 7, 400), place(-33, 179.9999), place(0, -180)]) {
    const { latitudeDeg: lat, longitudeDeg: lon, altitudeM: alt } = origin;
    const east = enuFromGeodetic(
      origin,
      place(lat, lon + 0.0002 > 180 ? lon + 0.0002 - 360 : lon + 0.0002, alt),
    );
    expect(east.x).toBeGreaterThan(15);
    expect(Math.abs(east.y)).toBeLessThan(0.01);
    const north = enuFromGeodetic(origin, place(lat + 0.0002, lon, alt));
    expect(north.y).toBeGreaterThan(20);
    expect(Math.abs(north.x)).toBeLessThan(1e-6);
    const up = enuFromGeodetic(origin, place(lat, lon, alt + 5));
    expect(distance(up, vec3(0, 0, 5))).toBeLessThan(1e-6);
    expect(
      distance(apply(ecefFromEnu(origin), vec3(0, 0, 5)), geodeticToEcef(place(lat, lon, alt + 5))),
    ).toBeLessThan(1e-6);
  }
});

test("haversine on the mean sphere", () => {
  expect(haversineM(place(0, 0), place(0, 90))).toBeCloseTo((6371008.8 * Math.PI) / 2, 3);
  expect(haversineM(place(90, 0), place(-90, 123))).toBeCloseTo(6371008.8 * Math.PI, 3);
  expect(haversineM(place(10, 179.9995), place(10, -179.9995))).toBeCloseTo(109.506, 2);
  expect(haversineM(place(1, 2), place(1, 2))).toBe(0);
});
