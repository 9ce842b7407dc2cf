import { describe, expect, test } from "vitest";
import { apply, compose, fromYaw, IDENTITY, invert, type Transform, yawOf } from "../geometry/index.ts";
import { cameraAt, furniture, lookAt, twoRooms } from "../map/testing/test-world.ts";
import type { FramePlace } from "../schema/core.ts";
import { after, asTransform, inverse, overGround } from "./planar.ts";
import { PoseCorrector } from "./pose-corrector.ts";
import { Surfels } from "./surfels.ts";

const WORLD = [
  ...twoRooms(),
  furniture(1, 3.2, { x: 1.2, y: 0.6, z: 0.8 }),
  furniture(3.2, 0.5, { x: 0.6, y: 0.6, z: 1.8 }),
];
const FRAMES = 24;

/** A walk round the first room, looking in all directions. */
function walk(n: number): Transform {
  const angle = (2 * Math.PI * n) / FRAMES;
  return cameraAt(2 + 0.8 * Math.cos(angle), 2 + 0.8 * Math.sin(angle), angle + 1);
}

/** Odometry with an error of a tenth of a degree and two millimetres per frame. */
function drifted(worldFromCamera: Transform, n: number, from = 0): Transform {
  const lost = { p: { x: 0.002 * (n - from), y: 0, z: 0 }, q: fromYaw(0.002 * (n - from)) };
  return compose(lost, worldFromCamera);
}

let clock = 0;

function believed(
  n: number,
  pose: Transform,
  more: { submap?: string; worldFromSubmap?: Transform; isMovable?: boolean } = {},
) {
  const { depth, intrinsics } = lookAt(WORLD, walk(n), n);
  const { submap = "a", worldFromSubmap = IDENTITY, isMovable = true } = more;
  return {
    agentId: "robot",
    timeUs: ++clock,
    submap,
    submapFromCamera: pose,
    worldFromSubmap,
    isMovable,
    depth,
    intrinsics,
  };
}

function errorOf(
  { submapFromCamera, worldFromSubmap }: Pick<FramePlace, "submapFromCamera" | "worldFromSubmap">,
  truth: Transform,
): { m: number; rad: number } {
  const { p, q } = compose(invert(truth), compose(worldFromSubmap, submapFromCamera));
  return { m: Math.hypot(p.x, p.y, p.z), rad: 2 * Math.hypot(q.x, q.y, q.z) };
}

describe("the pose corrector", () => {
  test("takes the drift out of poses within a submap", () => {
    const corrector = new PoseCorrector();
    const last = Array.from({ length: FRAMES }, (_, n) =>
      corrector.place(believed(n, drifted(walk(n), n))),
    ).at(-1)!;
    const raw = errorOf(
      { ...last, submapFromCamera: drifted(walk(FRAMES - 1), FRAMES - 1), worldFromSubmap: IDENTITY },
      walk(FRAMES - 1),
    );
    const now = errorOf(last, walk(FRAMES - 1));
    expect(raw.m).toBeGreaterThan(0.04);
    expect(now.m).toBeLessThan(0.02);
    expect(now.rad).toBeLessThan(raw.rad / 4);
  });

  test("leaves exact poses where they are", () => {
    const corrector = new PoseCorrector();
    for (let n = 0; n < FRAMES; n++) {
      const { m, rad } = errorOf(corrector.place(believed(n, walk(n))), walk(n));
      expect(m).toBeLessThan(0.006);
      expect(rad).toBeLessThan(0.004);
    }
  });

  test("lays a new submap on what older ones saw, says so, and gives that up when the map is corrected", () => {
    const corrector = new PoseCorrector();
    for (let n = 0; n < FRAMES; n++) corrector.place(believed(n, walk(n)));
    // The second submap begins at the same place, but the map has it 8 cm and a degree off.
    const off = { p: { x: 0.07, y: -0.04, z: 0 }, q: fromYaw(0.0175) };
    const frames = Array.from({ length: FRAMES }, (_, n) =>
      corrector.place(believed(n, walk(n), { submap: "b", worldFromSubmap: off })),
    );
    expect(errorOf(frames.at(-1)!, walk(FRAMES - 1)).m).toBeLessThan(0.015);
    expect(corrector.moved(true).map(({ submap }) => submap)).toEqual(["b"]);
    expect(corrector.moved(true)).toEqual([]);
    // Poses in the submap are unchanged: it is the submap that is misplaced.
    const inSubmap = compose(invert(walk(FRAMES - 1)), frames.at(-1)!.submapFromCamera);
    expect(Math.hypot(inSubmap.p.x, inSubmap.p.y)).toBeLessThan(0.01);
    const corrected = { p: { x: 0.007, y: -0.004, z: 0 }, q: fromYaw(0.00175) };
    corrector.correct((submap) => (submap === "b" ? corrected : IDENTITY));
    const again = corrector.place({
      ...believed(0, walk(0), { submap: "b", worldFromSubmap: corrected }),
      depth: undefined,
    });
    expect(again.worldFromSubmap.p.x).toBeCloseTo(0.007, 6);
    expect(corrector.moved()).toEqual([]);
  });

  test("a submap that nobody may move stays", () => {
    const corrector = new PoseCorrector();
    for (let n = 0; n < FRAMES; n++) corrector.place(believed(n, walk(n)));
    const off = { p: { x: 0.07, y: 0, z: 0 }, q: IDENTITY.q };
    for (let n = 0; n < 4; n++) {
      const placed = corrector.place(
        believed(n, walk(n), { submap: "b", worldFromSubmap: off, isMovable: false }),
      );
      expect(placed.worldFromSubmap.p.x).toBeCloseTo(0.07, 9);
    }
  });

  test("poses that jump to where they belong are believed again", () => {
    const corrector = new PoseCorrector();
    for (let n = 0; n < FRAMES; n++) corrector.place(believed(n, drifted(walk(n), 3 * n)));
    for (let n = 0; n < 6; n++) {
      expect(errorOf(corrector.place(believed(n, walk(n))), walk(n)).m).toBeLessThan(0.03);
    }
  });

  test("frames without depth keep the correction of those before", () => {
    const corrector = new PoseCorrector();
    for (let n = 0; n < FRAMES; n++) corrector.place(believed(n, drifted(walk(n), n)));
    const blind = { ...believed(FRAMES - 1, drifted(walk(FRAMES - 1), FRAMES - 1)), depth: undefined };
    expect(errorOf(corrector.place(blind), walk(FRAMES - 1)).m).toBeLessThan(0.02);
  });

  test("another house in the same submap is given up for after a while, never a wrong pose far away", () => {
    const corrector = new PoseCorrector();
    for (let n = 0; n < FRAMES; n++) corrector.place(believed(n, walk(n)));
    const elsewhere = twoRooms().map(({ min, max }) => ({
      min: { ...min, x: min.x * 0.9 - 0.1 },
      max: { ...max, x: max.x * 0.9 - 0.1 },
    }));
    for (let n = 0; n < FRAMES; n++) {
      const { depth, intrinsics } = lookAt(elsewhere, walk(n), n);
      const placed = corrector.place({ ...believed(n, walk(n)), depth, intrinsics });
      expect(errorOf(placed, walk(n)).m).toBeLessThan(0.6);
    }
  });
});

test("motions over the ground compose and invert like transforms", () => {
  const [a, b] = [
    { turnRad: 0.4, x: 1, y: -2 },
    { turnRad: -1.1, x: 0.3, y: 5 },
  ];
  const both = compose(asTransform(a), asTransform(b));
  expect(after(a, b).x).toBeCloseTo(both.p.x, 12);
  expect(after(a, b).y).toBeCloseTo(both.p.y, 12);
  expect(after(a, b).turnRad).toBeCloseTo(yawOf(both.q), 12);
  const none = after(a, inverse(a));
  expect(Math.abs(none.x) + Math.abs(none.y) + Math.abs(none.turnRad)).toBeLessThan(1e-12);
  expect(overGround({ p: { x: 0, y: 0, z: 0 }, q: { w: 0.99, x: 0.1, y: 0, z: 0 } })).toBeUndefined();
  expect(apply(asTransform(a), { x: 0, y: 0, z: 3 })).toEqual({ x: 1, y: -2, z: 3 });
});

test("pieces of surface are found by place and facing, and the oldest go first", () => {
  const surfels = new Surfels(1_000);
  for (let n = 0; n < 3; n++) surfels.add(1, 2, 0.5, 1, 0);
  expect(surfels.nearest(1.01, 2.01, 0.51, 1, 0, 0, -1)).toBe(0);
  expect(surfels.nearest(1.01, 2.01, 0.51, -1, 0, 0, -1)).toBe(-1);
  expect(surfels.nearest(1.2, 2, 0.51, 1, 0, 0, -1)).toBe(-1);
  expect(surfels.nearest(1.2, 2, 0.51, 1, 0, 3, -1)).toBe(0);
  for (let n = 0; n < 5_000; n++) surfels.add(10 + n * 0.08, 2, 0.5, 1, 0);
  expect(surfels.count).toBeLessThan(1_000);
  expect(surfels.nearest(1, 2, 0.5, 1, 0, 0, -1)).toBe(-1);
});

describe("a frame that was not taken where it is said to be", () => {
  test("doubts a frame that sees through the walls of where it is said to be, and no other", () => {
    const corrector = new PoseCorrector();
    for (let n = 0; n < FRAMES; n++) expect(corrector.place(believed(n, walk(n))).isDoubtful).toBe(false);
    const lost = compose({ p: { x: 0.4, y: 1.3, z: 0 }, q: fromYaw(1) }, walk(3));
    expect(corrector.place(believed(3, lost)).isDoubtful).toBe(true);
    expect(corrector.place(believed(4, walk(4))).isDoubtful).toBe(false);
  });

  test("believes who is doubted for long: then what was known is no longer so", () => {
    const corrector = new PoseCorrector();
    for (let n = 0; n < FRAMES; n++) corrector.place(believed(n, walk(n)));
    const off = { p: { x: 0.4, y: 1.3, z: 0 }, q: fromYaw(1) };
    const doubted = Array.from({ length: 30 }, (_, n) =>
      corrector.place(believed(3 + (n % 2), compose(off, walk(3 + (n % 2))))),
    );
    expect(doubted[0]!.isDoubtful).toBe(true);
    expect(doubted.some(({ isDoubtful }) => !isDoubtful)).toBe(true);
  });
});
