import { describe, expect, it } from "vitest";
import {
  type Box,
  boxFromCentre,
  centreOf,
  extentOf,
  fromYaw,
  IDENTITY,
  type Transform,
  vec3,
} from "../../geometry/index.ts";
import type { LiftedSolid } from "../../schema/index.ts";
import { ALL_FACES, faceBit, placeSolid, Shape } from "./shape.ts";

const NOWHERE = { min: vec3(0, 0, 0), max: vec3(0, 0, 0) };

const atHome = () => IDENTITY;

/** An observation of the part of a 2 × 1 × 1 thing between two ends of its long side. */
function part(fromX: number, toX: number, cameraX: number, isPartial: boolean, open = 0) {
  const box = { min: vec3(fromX, -0.5, 0), max: vec3(toX, 0.5, 1) };
  const solid: LiftedSolid = {
    centroid: centreOf(box),
    box,
    sdM: 0.01,
    depthM: 2,
    count: 100,
    samples: new Float32Array(0),
  };
  const context = {
    submap: "s",
    worldFromSubmap: IDENTITY,
    cameraInWorld: vec3(cameraX, 3, 1),
    focalPx: 100,
  };
  return placeSolid(solid, { ...context, isPartial, open });
}

describe("Shape", () => {
  it("grows to the whole thing from looks at both ends", () => {
    const shape = new Shape(NOWHERE);
    for (let n = 0; n < 4; n++) {
      shape.add(part(-1, 0.2, -3, true));
      shape.add(part(-0.2, 1, 3, true));
    }
    const box = shape.boxInWorld(atHome)!;
    expect(centreOf(box).x).toBeCloseTo(0, 1);
    expect(extentOf(box).x).toBeCloseTo(2, 1);
  });

  it("is not stretched by one merged mask", () => {
    const shape = new Shape(NOWHERE);
    for (let n = 0; n < 8; n++) shape.add(part(-1, 1, n % 2 === 0 ? -3 : 3, false));
    shape.add(part(-1, 3, 0, false));
    expect(extentOf(shape.boxInWorld(atHome)!).x).toBeCloseTo(2, 2);
  });

  it("is not pulled in by looks that do not show where it ends, and goes as far as two of them", () => {
    const shape = new Shape(NOWHERE);
    for (let n = 0; n < 2; n++) shape.add(part(-1, 1, 3, false));
    for (let n = 0; n < 20; n++) shape.add(part(-1, -0.4, n % 2 === 0 ? -3 : 0, true, faceBit("x", 1)));
    expect(shape.boxInWorld(atHome)!.max.x).toBeCloseTo(1, 6);
    const cut = new Shape(NOWHERE);
    for (let n = 0; n < 3; n++) cut.add(part(-1, 0, -3, true, ALL_FACES));
    cut.add(part(-1, 1, 0, true, ALL_FACES));
    expect(cut.boxInWorld(atHome)!.max.x).toBeCloseTo(0, 6);
    cut.add(part(-1, 0.9, 0, true, ALL_FACES));
    expect(cut.boxInWorld(atHome)!.max.x).toBeCloseTo(0.9, 6);
  });

  it("forgets looks over another thing as well, but not all it has", () => {
    const shape = new Shape(NOWHERE);
    for (let n = 0; n < 3; n++) shape.add(part(-1, 3, 3, false));
    const isOver = ({ max }: Box) => max.x > 2;
    expect(shape.forgetOver(isOver, atHome)).toBe(false);
    shape.add(part(-1, 1, -3, false));
    expect(shape.forgetOver(isOver, atHome)).toBe(true);
    expect(shape.boxInWorld(atHome)!.max.x).toBeCloseTo(1, 6);
  });

  it("moves its looks with their submaps", () => {
    const shape = new Shape(NOWHERE);
    shape.add(part(-1, 1, 3, false));
    const moved: Transform = { p: vec3(5, 0, 0), q: IDENTITY.q };
    expect(centreOf(shape.boxInWorld(() => moved)!)).toEqual(vec3(5, 0, 0.5));
    expect(shape.boxInWorld(() => undefined)).toBeUndefined();
    expect(shape.boxInWorld(atHome, "s")).toBeUndefined();
  });

  it("keeps a bounded number of looks, and the better ones", () => {
    const shape = new Shape(NOWHERE);
    for (let n = 0; n < 1_000; n++) shape.add(part(-0.5, 0.5, 3, true));
    for (let n = 0; n < 3; n++) shape.add(part(-1, 1, 3, false));
    expect(extentOf(shape.boxInWorld(atHome)!).x).toBeCloseTo(2, 6);
  });

  it("keeps what showed the whole thing when closer looks show a part of it", () => {
    const shape = new Shape(NOWHERE);
    for (let n = 0; n < 3; n++) shape.add(part(-1, 1, 3, true));
    for (let n = 0; n < 20; n++) shape.add({ ...part(0.6, 1, 3, false), pixelM: 0.008 });
    expect(extentOf(shape.boxInWorld(atHome)!).x).toBeCloseTo(2, 6);
  });

  it("is not stretched by the two worst of many looks", () => {
    const shape = new Shape(NOWHERE);
    for (let n = 0; n < 2; n++) shape.add(part(-1, 3, 9, true, ALL_FACES));
    for (let n = 0; n < 24; n++) shape.add(part(-1, 1, 40 * Math.cos(n), false));
    for (let n = 0; n < 24; n++) {
      shape.add({ ...part(-1, 1, 0, false), bearing: n % 8 });
    }
    expect(extentOf(shape.boxInWorld(atHome)!).x).toBeCloseTo(2, 6);
  });

  it("places a look from a turned submap without blowing its box up", () => {
    const turned: Transform = { p: vec3(1, 2, 0), q: fromYaw(Math.PI / 4) };
    // A square standing along the world's axes is a diamond in the submap's.
    const corners = [vec3(0.5, 0, 0), vec3(0, 0.5, 0), vec3(-0.5, 0, 0), vec3(0, -0.5, 1)];
    const seen = [...corners, ...corners.map(({ x, y, z }) => vec3(x / 2, y / 2, z))];
    const samples = new Float32Array(seen.flatMap(({ x, y, z }) => [x, y, z]));
    const solid = {
      centroid: vec3(0, 0, 0.5),
      box: boxFromCentre(vec3(0, 0, 0.5), vec3(1, 1, 1)),
      sdM: 0.01,
      depthM: 2,
      count: seen.length,
      samples,
    };
    const context = { submap: "s", worldFromSubmap: turned, cameraInWorld: vec3(5, 5, 1), focalPx: 100 };
    const { box } = placeSolid(solid, { ...context, isPartial: false, open: 0 });
    expect(extentOf(box).x).toBeCloseTo(Math.SQRT1_2, 5);
    expect(extentOf(box).z).toBeCloseTo(1, 5);
  });

  describe("takes the ends of a look from points of the thing", () => {
    const eye = vec3(-3, 0, 1.2);
    /** A chair of 0.4 × 0.4 × 0.9 m, three metres away along x. */
    const chair = [-0.2, 0, 0.2].flatMap((x) =>
      [-0.2, 0.2].flatMap((y) => [vec3(x, y, 0.1), vec3(x, y, 0.47), vec3(x, y, 0.9)]),
    );
    const look = (points: readonly { x: number; y: number; z: number }[], from = eye) => {
      const least = (axis: "x" | "y" | "z") => Math.min(...points.map((point) => point[axis]));
      const most = (axis: "x" | "y" | "z") => Math.max(...points.map((point) => point[axis]));
      const solid: LiftedSolid = {
        centroid: vec3(0, 0, 0.47),
        box: {
          min: vec3(least("x"), least("y"), least("z")),
          max: vec3(most("x"), most("y"), most("z")),
        },
        sdM: 0.01,
        depthM: 3,
        count: 100,
        samples: new Float32Array(points.flatMap(({ x, y, z }) => [x, y, z])),
      };
      const context = { submap: "s", worldFromSubmap: IDENTITY, cameraInWorld: from, focalPx: 100 };
      return placeSolid(solid, { ...context, isPartial: false, open: 0 }).box;
    };

    it("not from another that shows between its legs, nor from the floor that leads there", () => {
      const other = chair.map(({ x, y, z }) => vec3(x + 1.2, y / 2, z));
      const floor = [0.4, 0.6, 0.8].map((x) => vec3(x, 0, 0));
      const box = look([...chair, ...floor, ...other]);
      expect(box.max.x).toBeCloseTo(0.2, 5);
      expect(box.min.z).toBeCloseTo(0, 5);
    });

    it("but from its own seat behind its back, though that is the lowest that shows", () => {
      const back = [-0.2, 0, 0.2].flatMap((y) => [
        vec3(-0.1, y, 0.5),
        vec3(-0.1, y, 0.7),
        vec3(-0.1, y, 0.9),
      ]);
      const seat = [0.3, 0.5].flatMap((x) => [vec3(x, -0.1, 0.45), vec3(x, 0.1, 0.45)]);
      expect(look([...back, ...seat]).max.x).toBeCloseTo(0.5, 5);
    });

    it("but from what shows beside it, as a curtain's other wing", () => {
      const wing = chair.map(({ x, y, z }) => vec3(x + 1.2, y + 1, z));
      expect(look([...chair, ...wing]).max.x).toBeCloseTo(1.4, 5);
    });

    it("and from its lower rim where that is seen from below", () => {
      const rim = [vec3(-0.5, 0, 0), vec3(0.5, 0, 0)];
      expect(extentOf(look([...chair, ...rim])).x).toBeLessThan(0.5);
      expect(extentOf(look([...chair, ...rim], vec3(-3, 0, -1))).x).toBeCloseTo(1, 5);
    });
  });
});
