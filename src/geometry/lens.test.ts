import { expect, test } from "vitest";
import { distort, isBent, type Lens, reachOf, undistort } from "./lens.ts";

const LENSES: readonly (Lens & { readonly focalPx: number; readonly mostRadius: number })[] = [
  // Factory calibrations as drivers publish them: a RealSense D455, an Azure Kinect, a wide webcam, a T265 fisheye.
  {
    model: "plumb_bob",
    coefficients: [-0.0553, 0.0645, -0.00024, 0.00069, -0.0204],
    focalPx: 640,
    mostRadius: 0.9,
  },
  {
    model: "rational_polynomial",
    coefficients: [0.5297, -2.6606, 0.00086, -0.00011, 1.5289, 0.4076, -2.4817, 1.4554],
    focalPx: 920,
    mostRadius: 0.8,
  },
  { model: "plumb_bob", coefficients: [-0.31, 0.11, 0.0004, -0.0006, -0.017], focalPx: 520, mostRadius: 0.9 },
  { model: "equidistant", coefficients: [-0.0042, 0.0407, -0.0384, 0.0067], focalPx: 286, mostRadius: 5 },
];

for (const { focalPx, mostRadius, ...lens } of LENSES) {
  test(`${lens.model} of ${focalPx} px: there and back is the same place to a tenth of a pixel`, () => {
    let worst = 0;
    for (let radius = 0; radius <= mostRadius; radius += mostRadius / 40)
      for (let turn = 0; turn < 16; turn++) {
        const ray = {
          x: radius * Math.cos((turn * Math.PI) / 8),
          y: radius * Math.sin((turn * Math.PI) / 8),
        };
        const shown = distort(lens, ray);
        const back = undistort(lens, shown);
        expect(back, `radius ${radius}`).toBeDefined();
        const again = distort(lens, back!);
        worst = Math.max(worst, focalPx * Math.hypot(again.x - shown.x, again.y - shown.y));
        worst = Math.max(worst, focalPx * Math.hypot(back!.x - ray.x, back!.y - ray.y));
      }
    expect(worst).toBeLessThan(0.1);
  });
}

test("the numbers are OpenCV's: a point by hand, and a fisheye's angle", () => {
  // x = 0.5, y = 0.25: r² = 0.3125; radial = 1 − 0.03125 + 0.00488…
  const brown = distort(
    { model: "plumb_bob", coefficients: [-0.1, 0.05, 0.01, -0.02, 0] },
    { x: 0.5, y: 0.25 },
  );
  const radial = 1 - 0.1 * 0.3125 + 0.05 * 0.3125 ** 2;
  expect(brown.x).toBeCloseTo(0.5 * radial + 2 * 0.01 * 0.125 - 0.02 * (0.3125 + 0.5), 12);
  expect(brown.y).toBeCloseTo(0.25 * radial + 0.01 * (0.3125 + 0.125) - 2 * 0.02 * 0.125, 12);
  const fisheye = distort({ model: "equidistant", coefficients: [0, 0, 0, 0] }, { x: 1, y: 0 });
  expect(fisheye.x).toBeCloseTo(Math.PI / 4, 12);
});

test("where a polynomial turns back there is no picture, instead of a mirrored one", () => {
  const lens: Lens = { model: "plumb_bob", coefficients: [-0.3, 0, 0, 0, 0] };
  // d/dr (r − 0.3 r³) = 0 at r = 1.054.
  expect(reachOf(lens)).toBeCloseTo(Math.sqrt(1 / 0.9), 2);
  expect(undistort(lens, { x: 0.9, y: 0 })).toBeUndefined();
  expect(isBent({ model: "plumb_bob", coefficients: [0, 0, 0, 0, 0] })).toBe(false);
});
