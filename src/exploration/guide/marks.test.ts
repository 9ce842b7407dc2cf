import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { FREE, OCCUPIED } from "../../map/raster.ts";
import type { RgbImage } from "../../schema/index.ts";
import type { Frame } from "../../sensors/index.ts";
import { drawnTerrain } from "../testing/drawn-terrain.ts";
import { apart, inPicture, LETTER_PX, LETTERS, planWith, viewWith } from "./marks.ts";

/** A camera at the origin that looks along +x: optical axes z forward, x right, y down. */
const frame: Frame = {
  index: 0,
  timeUs: 1,
  agentId: "robot-1",
  sensorId: "camera",
  mapFrame: "world",
  intrinsics: { fx: 40, fy: 40, cx: 40, cy: 30, width: 80, height: 60 },
  worldFromCamera: { p: { x: 0, y: 0, z: 0 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } },
  rgb: { width: 80, height: 60, data: new Uint8Array(80 * 60 * 3).fill(90) },
};
const mark = (letter: string, x: number, y: number) => ({ letter, at: { x, y, z: 0 } });
const colourAt = ({ width, data }: RgbImage, u: number, v: number) => [
  ...data.subarray((v * width + u) * 3, (v * width + u) * 3 + 3),
];

describe("places on the view", () => {
  test("are those in it, nearest first, each with its letter where it is", () => {
    const [ahead, left, behind] = [mark("A", 3, 0), mark("B", 4, 2), mark("C", -3, 0)];
    expect(inPicture(frame, [behind, left, ahead]).map(({ place }) => place.letter)).toEqual(["A", "B"]);
    const shown = viewWith(frame, [ahead, left, behind])!;
    expect(shown.letters).toEqual(["A", "B"]);
    const { width, height } = shown.picture;
    // Straight ahead is the middle of the picture; the rest is unchanged.
    expect(colourAt(shown.picture, width / 2 - 11, height / 2 - 11)).toEqual([0, 0, 0]);
    expect(colourAt(shown.picture, 5, 5)).toEqual([90, 90, 90]);
  });

  test("need colours, a pose and a place in sight", () => {
    const ahead = mark("A", 3, 0);
    expect(viewWith(frame, [mark("C", -3, 0)])).toBeUndefined();
    expect(viewWith({ ...frame, rgb: undefined }, [ahead])).toBeUndefined();
    expect(viewWith({ ...frame, worldFromCamera: undefined }, [ahead])).toBeUndefined();
  });
});

describe("a plan from above", () => {
  // Two metres wide, walls below, and a room above whose right half is unknown.
  const terrain = drawnTerrain(["..  ", "..  ", "####"]);
  const at = { positionInWorld: { x: 0.3, y: 0.8, z: 0 }, yawRad: 0 };
  const plan = planWith(terrain, at, [mark("A", 0.9, 1.3)]);
  /** The pixel of a place: two metres are 20 cells, up is +y. */
  const pixel = (x: number, y: number): [number, number] => {
    const each = plan.width / 20;
    return [Math.round(x * 10 * each), Math.round(plan.height - y * 10 * each)];
  };

  test("shows what is free, occupied and unknown, and the body", () => {
    expect(terrain.raster.state[0]).toBe(OCCUPIED);
    expect(terrain.raster.state[5 * 20]).toBe(FREE);
    expect(colourAt(plan, ...pixel(0.1, 1.45))).toEqual([245, 245, 245]);
    expect(colourAt(plan, ...pixel(1.5, 0.25))).toEqual([20, 20, 20]);
    expect(colourAt(plan, ...pixel(1.5, 1.2))).toEqual([120, 120, 120]);
    expect(colourAt(plan, ...pixel(0.3, 0.8))).toEqual([220, 30, 30]);
  });

  test("has its letters inside, also of places at its edge", () => {
    const [u, v] = pixel(0.9, 1.3);
    expect(colourAt(plan, u - 11, v - 11)).toEqual([0, 0, 0]);
    const edge = planWith(terrain, at, [mark("B", 50, 50)]);
    expect(colourAt(edge, edge.width - 2, 1)).toEqual([0, 0, 0]);
  });
});

test("letters cover no other and stay in the picture, where their places are unless these are too near", () => {
  const [width, height] = [320, 240];
  const pixel = fc.tuple(fc.integer({ min: -40, max: 360 }), fc.integer({ min: -40, max: 280 }));
  const near = pixel.chain(([u, v]) =>
    fc.array(fc.tuple(fc.integer({ min: u, max: u + 30 }), fc.integer({ min: v, max: v + 30 })), {
      maxLength: LETTERS.length,
    }),
  );
  fc.assert(
    fc.property(fc.oneof(near, fc.array(pixel, { maxLength: LETTERS.length })), (places) => {
      const drawn = apart(places, width, height);
      for (const [n, [u, v]] of drawn.entries()) {
        expect(u >= LETTER_PX / 2 && u <= width - LETTER_PX / 2).toBe(true);
        expect(v >= LETTER_PX / 2 && v <= height - LETTER_PX / 2).toBe(true);
        for (const [x, y] of drawn.slice(n + 1))
          expect(Math.abs(u - x) >= LETTER_PX || Math.abs(v - y) >= LETTER_PX).toBe(true);
      }
    }),
  );
  expect(
    apart(
      [
        [50, 50],
        [150, 50],
      ],
      width,
      height,
    ),
  ).toEqual([
    [50, 50],
    [150, 50],
  ]);
});
