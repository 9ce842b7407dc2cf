import { expect, test } from "vitest";
import { distort, type Lens } from "../geometry/index.ts";
import { bending, remapDepth, remapRgb, straightening } from "./lens.ts";

const lens: Lens = { model: "plumb_bob", coefficients: [-0.0553, 0.0645, -0.00024, 0.00069, -0.0204] };
const camera = { fx: 233, fy: 233, cx: 160, cy: 120, width: 320, height: 240 };
const larger = { ...camera, cx: 180, cy: 135, width: 360, height: 270 };

/** A wall that stands askew: its depth is a known function of the direction. */
const depthAt = (x: number, y: number) => 2_000 / (1 + 0.3 * x + 0.1 * y);
const colourAt = (x: number, y: number) => 128 + 60 * Math.sin(9 * x) + 40 * Math.cos(7 * y);

function scene({ fx, fy, cx, cy, width, height }: typeof camera) {
  const rgb = { width, height, data: new Uint8Array(3 * width * height) };
  const depth = { width, height, data: new Uint16Array(width * height), unitM: 0.001 };
  for (let at = 0; at < width * height; at++) {
    const [x, y] = [((at % width) + 0.5 - cx) / fx, (Math.floor(at / width) + 0.5 - cy) / fy];
    rgb.data.fill(Math.round(colourAt(x, y)), 3 * at, 3 * at + 3);
    depth.data[at] = Math.round(depthAt(x, y));
  }
  return { rgb, depth };
}

test("a picture through the lens, straightened, is the picture without it: colours, and lifted points to a pixel and a half", () => {
  const { rgb, depth } = scene(larger);
  const bent = bending(lens, larger, camera);
  const straight = straightening(lens, camera);
  const [rgbAgain, depthAgain] = [
    remapRgb(remapRgb(rgb, bent), straight),
    remapDepth(remapDepth(depth, bent), straight),
  ];
  const bentDepth = remapDepth(depth, bent);
  let [worstColour, worstM, ignoredM, compared] = [0, 0, 0, 0];
  for (let at = 0; at < camera.width * camera.height; at++) {
    const [u, v] = [(at % camera.width) + 0.5, Math.floor(at / camera.width) + 0.5];
    const [x, y] = [(u - camera.cx) / camera.fx, (v - camera.cy) / camera.fy];
    const truth = { x: (x * depthAt(x, y)) / 1_000, z: depthAt(x, y) / 1_000 };
    const errorM = (mm: number) => Math.hypot((x * mm) / 1_000 - truth.x, mm / 1_000 - truth.z);
    ignoredM = Math.max(ignoredM, errorM(bentDepth.data[at]!));
    if (depthAgain.data[at] === 0) continue;
    compared++;
    worstM = Math.max(worstM, errorM(depthAgain.data[at]!));
    worstColour = Math.max(worstColour, Math.abs(rgbAgain.data[3 * at]! - colourAt(x, y)));
  }
  expect(compared).toBeGreaterThan(0.97 * camera.width * camera.height);
  // The wall recedes by up to 4.6 mm in a pixel, and each of the two steps rounds to the nearest one.
  expect(worstM).toBeLessThan(0.0075);
  expect(worstColour).toBeLessThan(4);
  // Ignoring the lens is worse, so that the test can tell.
  expect(ignoredM).toBeGreaterThan(1.5 * worstM);
});

test("a straight pixel is looked up where the lens shows it", () => {
  const { columns, rows } = straightening(lens, camera);
  for (const [u, v] of [
    [10, 10],
    [300, 200],
    [160, 120],
  ] as const) {
    const shown = distort(lens, {
      x: (u + 0.5 - camera.cx) / camera.fx,
      y: (v + 0.5 - camera.cy) / camera.fy,
    });
    expect(columns[v * camera.width + u]).toBeCloseTo(camera.fx * shown.x + camera.cx, 3);
    expect(rows[v * camera.width + u]).toBeCloseTo(camera.fy * shown.y + camera.cy, 3);
  }
});
