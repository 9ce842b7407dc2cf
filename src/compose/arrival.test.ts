import { describe, expect, test } from "vitest";
import { compose, fromAxisAngle, multiply, type Transform, transformDelta } from "../geometry/index.ts";
import { ARRIVAL, type ArrivalView, CloudMaker, recogniseArrival } from "../localisation/arrival/index.ts";
import { type SyntheticBox, syntheticFrame } from "../perception/testing/synthetic-frame.ts";

const INTRINSICS = { fx: 70, fy: 70, cx: 48, cy: 36, width: 96, height: 72 };
const WALLS: readonly SyntheticBox[] = [
  { colour: [120, 100, 90], min: { x: -2.5, y: -2, z: -0.1 }, max: { x: 2.5, y: 2, z: 0 } },
  { colour: [220, 220, 210], min: { x: -2.6, y: -2, z: 0 }, max: { x: -2.5, y: 2, z: 2.4 } },
  { colour: [220, 220, 210], min: { x: 2.5, y: -2, z: 0 }, max: { x: 2.6, y: 2, z: 2.4 } },
  { colour: [220, 220, 210], min: { x: -2.5, y: 2, z: 0 }, max: { x: 2.5, y: 2.1, z: 2.4 } },
  { colour: [220, 220, 210], min: { x: -2.5, y: -2.1, z: 0 }, max: { x: 2.5, y: -2, z: 2.4 } },
];
const FURNITURE: readonly SyntheticBox[] = [
  { colour: [110, 60, 30], min: { x: -2.5, y: 0.6, z: 0 }, max: { x: -1.9, y: 2, z: 1.6 } },
  { colour: [60, 60, 160], min: { x: 0.2, y: 1, z: 0 }, max: { x: 2, y: 2, z: 0.5 } },
  { colour: [30, 30, 30], min: { x: 1.7, y: -1.9, z: 0 }, max: { x: 2.4, y: -1, z: 0.9 } },
  { colour: [200, 180, 60], min: { x: -1.4, y: -2, z: 0 }, max: { x: -0.4, y: -1.5, z: 0.75 } },
];
const CHAIR: SyntheticBox = {
  colour: [180, 40, 40],
  min: { x: -0.6, y: -0.4, z: 0 },
  max: { x: -0.1, y: 0.1, z: 0.8 },
};
const MOVED: SyntheticBox = { ...CHAIR, min: { x: 0.8, y: 0.2, z: 0 }, max: { x: 1.3, y: 0.7, z: 0.8 } };

/** A turn from one heading to another near the middle, moving aside a step each time. */
function looks(boxes: readonly SyntheticBox[], fromRad: number, toRad: number, views = 12): ArrivalView[] {
  return Array.from({ length: views }, (_, n) => {
    const yaw = fromRad + ((toRad - fromRad) * n) / (views - 1);
    const level = { w: Math.SQRT1_2, x: -Math.SQRT1_2, y: 0, z: 0 };
    const q = multiply(
      fromAxisAngle({ x: 0, y: 0, z: 1 }, yaw),
      multiply(level, fromAxisAngle({ x: 1, y: 0, z: 0 }, -0.35)),
    );
    const worldFromCamera = { p: { x: 0.3 * Math.cos(n), y: 0.3 * Math.sin(n), z: 1.5 }, q };
    const { depth, rgb } = syntheticFrame(
      { intrinsics: INTRINSICS, submapFromCamera: worldFromCamera },
      boxes,
    );
    return { worldFromCamera, intrinsics: INTRINSICS, depth: depth!, rgb };
  });
}

const elsewhere: Transform = {
  p: { x: 4, y: -3, z: 0.4 },
  q: fromAxisAngle({ x: 0, y: 0, z: 1 }, 2.3),
};
const fromElsewhere = (views: readonly ArrivalView[]) =>
  views.map((view) => ({ ...view, worldFromCamera: compose(elsewhere, view.worldFromCamera) }));

function cloudOf(views: readonly ArrivalView[]) {
  const maker = new CloudMaker(ARRIVAL.voxelM);
  for (const view of views) maker.addView(view);
  return maker.made();
}

describe("a second recording of a room", () => {
  const room = [...WALLS, ...FURNITURE];
  const known = cloudOf(looks([...room, CHAIR], 0, 5.2));

  test("from another origin, in part, with a chair moved, is laid where it belongs", () => {
    const arriving = fromElsewhere(looks([...room, MOVED], 1.5, 6));
    const { knownFromArriving, refused } = recogniseArrival(known, arriving);
    expect(refused).toBeUndefined();
    const off = transformDelta(compose(knownFromArriving!, elsewhere), {
      p: { x: 0, y: 0, z: 0 },
      q: { w: 1, x: 0, y: 0, z: 0 },
    });
    expect(off.translationM).toBeLessThan(0.1);
    expect(off.rotationRad).toBeLessThan(0.03);
  });

  test("from the same origin stays where it says", () => {
    const { knownFromArriving } = recogniseArrival(known, looks([...room, MOVED], 1, 4));
    expect(
      transformDelta(knownFromArriving!, { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } })
        .translationM,
    ).toBeLessThan(0.05);
  });

  test("of another room is refused", () => {
    const other = WALLS.map(({ min, max, ...box }) => ({
      ...box,
      min: { ...min, x: min.x * 0.8, y: min.y * 1.4 },
      max: { ...max, x: max.x * 0.8, y: max.y * 1.4 },
    }));
    const desk: SyntheticBox = {
      colour: [90, 90, 90],
      min: { x: -1, y: 1.5, z: 0 },
      max: { x: 0.8, y: 2.4, z: 0.7 },
    };
    expect(recogniseArrival(known, fromElsewhere(looks([...other, desk], 0, 5))).refused).toBeDefined();
  });

  test("of a room without anything in it could lie in two ways, and is told so", () => {
    const bare = cloudOf(looks(WALLS, 0, 6.2));
    expect(recogniseArrival(bare, fromElsewhere(looks(WALLS, 0, 6))).refused).toBe("ambiguous");
  });
});
