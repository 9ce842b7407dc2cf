import { describe, expect, test } from "vitest";
import { fromAxisAngle, Random, rotate, type Transform, type Vec3 } from "../../geometry/index.ts";
import { delayOf } from "./delay.ts";
import { findLevel, type LevelView } from "./level.ts";
import { type EdgeView, registrationOf } from "./registration.ts";

const CAMERA = { fx: 290, fy: 290, cx: 160, cy: 120, width: 320, height: 240 };

const drawn = new Map<string, EdgeView>();

/** Edges of things at several distances, and the picture of a displaced colour camera; each is drawn once. */
function edgeView(n: number, focalShare: number, shiftM: number): EdgeView {
  const name = [n, focalShare, shiftM].join();
  const view = drawn.get(name) ?? drawEdges(n, focalShare, shiftM);
  drawn.set(name, view);
  return view;
}

function drawEdges(n: number, focalShare: number, shiftM: number): EdgeView {
  const random = new Random(`edges ${n}`);
  const [x, y, z]: number[][] = [[], [], []];
  const gradient = new Float32Array(CAMERA.width * CAMERA.height).map(() => 0.6 + 0.3 * random.next());
  for (let thing = 0; thing < 24; thing++) {
    const depth = 0.7 + 2.5 * random.next();
    const [left, top, side] = [20 + 240 * random.next(), 20 + 160 * random.next(), 12 + 30 * random.next()];
    for (let k = 0; k < side; k++) {
      for (const [u, v] of [
        [left + k, top],
        [left, top + k],
        [left + side, top + k],
      ] as const) {
        x!.push(u - CAMERA.cx);
        y!.push(v - CAMERA.cy);
        z!.push(depth);
        const i = Math.floor(CAMERA.cx + focalShare * (u - CAMERA.cx + (CAMERA.fx * shiftM) / depth));
        const j = Math.floor(CAMERA.cy + focalShare * (v - CAMERA.cy));
        for (let d = -1; d <= 1; d++)
          if (i + d >= 0 && i + d < 320 && j >= 0 && j < 240) gradient[j * 320 + i + d] = 3;
      }
    }
  }
  const [fx, fy, fz] = [x!, y!, z!].map((values) => Float32Array.from(values));
  return { x: fx!, y: fy!, z: fz!, gradient, intrinsics: CAMERA };
}

describe("colour beside depth", () => {
  test("is found by the edges of both", () => {
    const views = [1, 2, 3, 4].map((n) => edgeView(n, 0.9, -0.024));
    const found = registrationOf(views);
    expect(found?.focalShare).toBeCloseTo(0.9, 2);
    expect(found?.shiftM).toBeCloseTo(-0.024, 2);
  });

  test("is left alone where the two lie on each other, where nothing agrees, and where there is too little", () => {
    expect(registrationOf([1, 2, 3, 4].map((n) => edgeView(n, 1, 0)))).toBeUndefined();
    const noise = [1, 2, 3, 4].map((n) => ({
      ...edgeView(n, 0.9, 0),
      gradient: edgeView(n + 9, 1, 0.01).gradient,
    }));
    expect(registrationOf(noise)).toBeUndefined();
    expect(registrationOf([edgeView(1, 0.9, -0.02)])).toBeUndefined();
  });
});

describe("colour before or after depth", () => {
  /** Views for each delay from -4 to 4, of which one has the picture that belongs to the depth. */
  const views = (right: number) =>
    Array.from({ length: 9 }, (_, n) =>
      [1, 2, 3, 4].map((frame) => ({
        ...edgeView(frame, 1, 0),
        gradient: edgeView(n - 4 === right ? frame : frame + 10 * (n + 1), 1, 0).gradient,
      })),
    );

  test("is found by the edges of both", () => {
    expect([-3, 2].map((right) => delayOf(views(right)))).toEqual([-3, 2]);
  });

  test("is left alone where each picture is beside its depth, and where the camera stands still", () => {
    expect(delayOf(views(0))).toBeUndefined();
    expect(delayOf(views(99))).toBeUndefined();
    expect(delayOf(Array.from({ length: 9 }, () => views(0)[4]!))).toBeUndefined();
  });

  test("is not looked for in black pictures, nor is another place of the camera", () => {
    const black = [1, 2, 3, 4].map((n) => ({
      ...edgeView(n, 0.9, 0),
      gradient: new Float32Array(320 * 240),
    }));
    expect(delayOf(Array.from({ length: 9 }, () => black))).toBeUndefined();
    expect(registrationOf(black)).toBeUndefined();
  });
});

/** Depths of a camera in the middle of a room of five by four metres, in a tilted world. */
function roomView(yawRad: number, lean: Transform["q"]): LevelView {
  const half = { x: 2.5, y: 2, z: 1.3 };
  const level = { w: Math.SQRT1_2, x: -Math.SQRT1_2, y: 0, z: 0 };
  const turn = fromAxisAngle({ x: 0, y: 0, z: 1 }, yawRad);
  const down = fromAxisAngle({ x: 1, y: 0, z: 0 }, -0.3);
  const inRoom = (v: Vec3) => rotate(turn, rotate(level, rotate(down, v)));
  return {
    worldFromCamera: { p: { x: 0, y: 0, z: 0 }, q: composed(lean, turn, level, down) },
    intrinsics: CAMERA,
    depthAt(at) {
      const [i, j] = [at % CAMERA.width, Math.floor(at / CAMERA.width)];
      const ray = inRoom({
        x: (i + 0.5 - CAMERA.cx) / CAMERA.fx,
        y: (j + 0.5 - CAMERA.cy) / CAMERA.fy,
        z: 1,
      });
      const reach = (["x", "y", "z"] as const).map(
        (axis) => half[axis] / Math.max(1e-9, Math.abs(ray[axis])),
      );
      return Math.min(...reach);
    },
  };
}

function composed(...turns: Transform["q"][]): Transform["q"] {
  return turns.reduce((a, b) => ({
    w: a.w * b.w - a.x * b.x - a.y * b.y - a.z * b.z,
    x: a.w * b.x + a.x * b.w + a.y * b.z - a.z * b.y,
    y: a.w * b.y - a.x * b.z + a.y * b.w + a.z * b.x,
    z: a.w * b.z + a.x * b.y - a.y * b.x + a.z * b.w,
  }));
}

describe("a world that leans", () => {
  const yaws = [0, 0.8, 1.6, 2.4, 3.2, 4];
  test.each([0.05, 0.46])("by %f rad is set upright", (leanRad) => {
    const lean = fromAxisAngle({ x: 0.6, y: 0.8, z: 0 }, leanRad);
    const found = findLevel(yaws.map((yaw) => roomView(yaw, lean)));
    expect(found?.tiltRad).toBeCloseTo(leanRad, 2);
    const up = rotate(found!.turn, rotate(lean, { x: 0, y: 0, z: 1 }));
    expect(up.z).toBeGreaterThan(0.9995);
  });

  test("and was made by a camera held upside down is turned over", () => {
    const over = fromAxisAngle({ x: 1, y: 0, z: 0 }, Math.PI);
    const found = findLevel(yaws.map((yaw) => roomView(yaw, over)));
    expect(found?.isOver).toBe(true);
    expect(rotate(found!.turn, rotate(over, { x: 0, y: 0, z: 1 })).z).toBeGreaterThan(0.9995);
  });

  test("is left alone where it stands, or where nothing is level", () => {
    expect(findLevel(yaws.map((yaw) => roomView(yaw, { w: 1, x: 0, y: 0, z: 0 })))).toBeUndefined();
    const hill: LevelView = {
      ...roomView(0, { w: 1, x: 0, y: 0, z: 0 }),
      depthAt: (at) => 1.5 + 0.3 * Math.sin(at / 97) * Math.cos(at / 3_211),
    };
    expect(findLevel([hill, hill])).toBeUndefined();
  });
});
