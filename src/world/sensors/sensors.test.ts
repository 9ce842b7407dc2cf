import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { Random, type Transform, toMatrix } from "../../geometry/index.ts";
import type { Solid } from "../solid.ts";
import { sampleScene } from "../testing/sample-scene.ts";
import { DEFAULT_CAMERA, intrinsicsOf, worldFromCameraOf, worldFromOptical } from "./camera.ts";
import { compileScene } from "./compiled-scene.ts";
import { arcTangent2, sinCos, wrapAngle } from "./exact-trig.ts";
import { textBitmap } from "./font.ts";
import { DEFAULT_LIDAR, scanRing } from "./lidar.ts";
import { RayCaster } from "./ray-caster.ts";
import { RenderPool } from "./render-pool.ts";
import { Renderer } from "./renderer.ts";
import { RowUnion } from "./row-union.ts";
import { Visibility } from "./visibility.ts";

const plain = { rgb: [200, 100, 50], texture: "plain", periodM: 1 } as const;
const box = (thing: number, x: number, y: number, z: number, side: number, yawRad = 0): Solid => ({
  thing,
  shape: "box",
  centre: { x, y, z },
  size: { x: side, y: side, z: side },
  yawRad,
  paint: plain,
});

describe("exact trigonometry", () => {
  test("agrees with Math to 1e-15 and never leaves its range", () => {
    fc.assert(
      fc.property(fc.double({ min: -1000, max: 1000, noNaN: true }), (angle) => {
        const { sin, cos } = sinCos(angle);
        expect(Math.abs(sin - Math.sin(angle))).toBeLessThan(1e-15);
        expect(Math.abs(cos - Math.cos(angle))).toBeLessThan(1e-15);
        expect(Math.abs(wrapAngle(angle))).toBeLessThanOrEqual(Math.PI);
      }),
    );
    fc.assert(
      fc.property(
        fc.double({ min: -5, max: 5, noNaN: true }),
        fc.double({ min: -5, max: 5, noNaN: true }),
        (y, x) => {
          // A negative zero is no direction of its own here: the range is (−π, π].
          expect(Math.abs(arcTangent2(y, x) - Math.atan2(y + 0, x + 0))).toBeLessThan(2e-15);
        },
      ),
    );
  });
});

describe("the ray caster", () => {
  test("finds the same solid as trying each, for random rays in a cluttered scene", () => {
    const { solids } = sampleScene({ seed: 5, rooms: 4, objects: 60 });
    const scene = compileScene(solids, []);
    const caster = new RayCaster(scene);
    const random = new Random("rays");
    for (let n = 0; n < 3000; n++) {
      const ray = [random.range(0.3, 7.7), random.range(0.3, 7.7), random.range(0.2, 2.4)] as const;
      const to = [random.normal(), random.normal(), random.normal()] as const;
      let best = Infinity;
      for (let s = 0; s < scene.count; s++) {
        for (const limit of [best])
          if (caster.blockedBy(s, ...ray, ...to, limit)) best = lastEntry(caster, s, ray, to);
      }
      const hit = caster.closest(...ray, ...to, Infinity);
      expect(hit).toBe(best < Infinity);
      if (hit) expect(Math.abs(caster.distance - best)).toBeLessThan(1e-9);
    }
  });

  test("measures depth along the optical axis, not along the ray", () => {
    const scene = compileScene([{ ...box(7, 5, 0, 0, 2), size: { x: 2, y: 40, z: 40 } }], []);
    const camera = { ...DEFAULT_CAMERA, width: 8, height: 6 };
    const picture = new Renderer(scene).render(
      intrinsicsOf(camera),
      worldFromOptical({ x: 0, y: 0, z: 0 }, 0, 0),
    );
    expect(new Set(picture.depthMm)).toEqual(new Set([4000]));
    expect(new Set(picture.instances)).toEqual(new Set([7]));
  });

  test("a turned box, a cylinder and an ellipsoid are hit where geometry says", () => {
    const paint = plain;
    const size = { x: 2, y: 2, z: 2 };
    const at = (shape: Solid["shape"], yawRad: number) =>
      compileScene([{ thing: 1, shape, centre: { x: 5, y: 0, z: 0 }, size, yawRad, paint }], []);
    const distance = (scene: ReturnType<typeof at>) => {
      const caster = new RayCaster(scene);
      expect(caster.closest(0, 0, 0, 1, 0, 0, 100)).toBe(true);
      return caster.distance;
    };
    expect(distance(at("box", 0))).toBeCloseTo(4, 12);
    expect(distance(at("box", Math.PI / 4))).toBeCloseTo(5 - Math.SQRT2, 12);
    expect(distance(at("cylinder", 1))).toBeCloseTo(4, 12);
    expect(distance(at("ellipsoid", 1))).toBeCloseTo(4, 12);
  });
});

describe("pictures", () => {
  const { solids, lights, roomCentres } = sampleScene({ seed: 2, rooms: 4, objects: 60 });
  const scene = compileScene(solids, lights);
  const intrinsics = intrinsicsOf(DEFAULT_CAMERA);
  const poses = roomCentres.map((centre, i) => worldFromCameraOf(DEFAULT_CAMERA, centre, i * 1.3));

  test("have the same bits from this thread and from any number of workers, in any order", async () => {
    const inline = poses.map((pose) => new Renderer(scene).render(intrinsics, pose));
    for (const workers of [1, 2]) {
      const pool = new RenderPool({ workers });
      const order = workers === 2 ? [3, 1, 0, 2] : [0, 1, 2, 3];
      const pictures = await Promise.all(order.map((i) => pool.render(scene, intrinsics, poses[i]!)));
      for (const [n, i] of order.entries()) expect(pictures[n]).toEqual(inline[i]);
      await pool.close();
    }
  });

  test("show in every pixel what a single ray meets, tiles and all", () => {
    const odd = { ...DEFAULT_CAMERA, width: 99, height: 61 };
    let same = 0;
    let total = 0;
    for (const pose of poses) {
      const { instances } = new Renderer(scene).render(intrinsicsOf(odd), pose);
      const ids = castIds(solids, lights, intrinsicsOf(odd), pose);
      total += ids.length;
      same += ids.filter((id, n) => id === instances[n]).length;
    }
    expect(same / total).toBeGreaterThan(0.9995);
  });

  test("are lit: a shadow lies under a table and a lamp brightens", () => {
    const dark = new Renderer(compileScene(solids, [])).render(intrinsics, poses[0]!);
    const lit = new Renderer(scene).render(intrinsics, poses[0]!);
    const mean = (data: Uint8Array) => data.reduce((sum, value) => sum + value, 0) / data.length;
    expect(mean(lit.rgb)).toBeGreaterThan(mean(dark.rgb) * 1.15);
  });

  test("letters on a face read from left to right", () => {
    const decal = { text: "L", rgb: [0, 0, 0], face: "front" } as const;
    const sign: Solid = { ...box(1, 3, 0, 0, 1, Math.PI), paint: { ...plain, rgb: [250, 250, 250], decal } };
    const pose = worldFromOptical({ x: 0, y: 0, z: 0 }, 0, 0);
    const camera = { ...DEFAULT_CAMERA, width: 60, height: 60, horizontalFovRad: 0.5 };
    const { rgb } = new Renderer(compileScene([sign], [])).render(intrinsicsOf(camera), pose);
    const ink = (i: number, j: number) => rgb[(j * 60 + i) * 3]! < 60;
    let left = 0;
    let right = 0;
    for (let j = 0; j < 60; j++) for (let i = 0; i < 60; i++) if (ink(i, j)) i < 30 ? left++ : right++;
    expect(left).toBeGreaterThan(right * 1.5);
    expect(right).toBeGreaterThan(0);
  });

  test("letters finer than a pixel darken it by as much of it as they cover", () => {
    const decal = { text: "H", rgb: [0, 0, 0], face: "front" } as const;
    const paint = { ...plain, rgb: [250, 250, 250] } as const;
    const camera = { ...DEFAULT_CAMERA, width: 5, height: 5, horizontalFovRad: 0.5 };
    const middleOf = (sign: Solid) =>
      new Renderer(compileScene([sign], [])).render(
        intrinsicsOf(camera),
        worldFromOptical({ x: 0, y: 0, z: 0 }, 0, 0),
      ).rgb[3 * 12]!;
    const far = box(1, 8, 0, 0, 1, Math.PI);
    const bare = middleOf({ ...far, paint });
    const lettered = middleOf({ ...far, paint: { ...paint, decal } });
    expect(lettered).toBeGreaterThan(0.3 * bare);
    expect(lettered).toBeLessThan(0.9 * bare);
  });
});

describe("visibility without pixels", () => {
  test.each([
    [160, 120],
    [240, 160],
  ])("agrees with rendering at %i×%i, seen and whole areas", (width, height) => {
    const { solids, lights, roomCentres } = sampleScene({ seed: 3, rooms: 6, objects: 150 });
    const scene = compileScene(solids, lights);
    const visibility = new Visibility(scene);
    const random = new Random("poses");
    let judged = 0;
    let close = 0;
    for (let n = 0; n < 6; n++) {
      const centre = random.pick(roomCentres);
      const eye = { x: centre.x + random.range(-1, 1), y: centre.y + random.range(-1, 1), z: 1.5 };
      const pose = worldFromOptical(eye, random.range(-3, 3), random.range(-0.7, 0.3));
      const intrinsics = intrinsicsOf({ ...DEFAULT_CAMERA, width, height });
      const truth = renderedFractions(solids, lights, intrinsics, pose);
      const seen = new Map(visibility.look(intrinsics, pose).map((one) => [one.thing, one]));
      for (const [thing, { pixels, fraction }] of truth) {
        if (pixels < 60) continue;
        judged++;
        if (Math.abs((seen.get(thing)?.fraction ?? 0) - fraction) <= 0.02) close++;
      }
    }
    expect(judged).toBeGreaterThan(45);
    expect(close / judged).toBeGreaterThanOrEqual(0.99);
  });

  test("a union of intervals counts every pixel once", () => {
    const interval = fc.tuple(fc.nat(60), fc.integer({ min: 1, max: 20 }));
    fc.assert(
      fc.property(fc.array(interval, { maxLength: 80 }), (intervals) => {
        const union = new RowUnion();
        union.clear(2);
        const pixels = new Set<number>();
        let total = 0;
        for (const [from, length] of intervals) {
          total += union.add(1, from, from + length);
          for (let i = from; i < from + length; i++) pixels.add(i);
        }
        expect(total).toBe(pixels.size);
      }),
    );
  });
});

test("the ring of beams measures a room and counts counter-clockwise from behind", () => {
  const wall = { ...box(1, 0, 3, 0, 1), size: { x: 10, y: 0.2, z: 5 } };
  const scan = scanRing(compileScene([wall], []), { ...DEFAULT_LIDAR, beams: 4 }, { x: 0, y: 0, z: 0 }, 0);
  expect([...scan.rangesMm]).toEqual([0, 0, 0, 2900]); // behind, right, front, left
});

test("every letter has a glyph of its own", () => {
  const shapes = [..."ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789"].map((letter) =>
    textBitmap(letter).pixels.join(""),
  );
  expect(new Set(shapes).size).toBe(36);
});

/** Visible pixels by rendering, whole areas by casting rays at each instance alone. */
function renderedFractions(
  solids: readonly Solid[],
  lights: Parameters<typeof compileScene>[1],
  intrinsics: ReturnType<typeof intrinsicsOf>,
  pose: Transform,
) {
  const whole = countThings(new Renderer(compileScene(solids, lights)).render(intrinsics, pose).instances);
  const fractions = new Map<number, { pixels: number; fraction: number }>();
  for (const [thing, pixels] of whole) {
    if (thing === 0 || pixels < 60) continue;
    const alone = solids.filter((solid) => solid.thing === thing);
    const area = countThings(castIds(alone, [], intrinsics, pose)).get(thing) ?? 0;
    fractions.set(thing, { pixels, fraction: pixels / area });
  }
  return fractions;
}

function castIds(
  solids: readonly Solid[],
  lights: Parameters<typeof compileScene>[1],
  k: ReturnType<typeof intrinsicsOf>,
  { p, q }: Transform,
) {
  const scene = compileScene(solids, lights);
  const caster = new RayCaster(scene);
  const m = toMatrix(q);
  const ids = new Int32Array(k.width * k.height);
  for (let j = 0; j < k.height; j++) {
    for (let i = 0; i < k.width; i++) {
      const x = (i + 0.5 - k.cx) / k.fx;
      const y = (j + 0.5 - k.cy) / k.fy;
      const d = [m[0] * x + m[1] * y + m[2], m[3] * x + m[4] * y + m[5], m[6] * x + m[7] * y + m[8]] as const;
      if (caster.closest(p.x, p.y, p.z, ...d, 60)) ids[j * k.width + i] = scene.things[caster.solid]!;
    }
  }
  return ids;
}

function countThings(ids: ArrayLike<number>): Map<number, number> {
  const counts = new Map<number, number>();
  for (let i = 0; i < ids.length; i++) counts.set(ids[i]!, (counts.get(ids[i]!) ?? 0) + 1);
  return counts;
}

/** Halving finds where one solid is entered, from nothing but yes or no. */
function lastEntry(
  caster: RayCaster,
  s: number,
  ray: readonly [number, number, number],
  to: readonly [number, number, number],
): number {
  let low = 0;
  let high = 1e4;
  for (let n = 0; n < 80; n++) {
    const middle = (low + high) / 2;
    if (caster.blockedBy(s, ...ray, ...to, middle)) high = middle;
    else low = middle;
  }
  return high;
}
