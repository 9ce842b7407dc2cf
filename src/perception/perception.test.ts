import fc from "fast-check";
import sharp from "sharp";
import { beforeEach, describe, expect, it } from "vitest";
import { apply, boxFromCentre, compose, fromYaw, type Vec3 } from "../geometry/index.ts";
import type { Describer } from "../models/index.ts";
import type { Frame, LiftedDetection, Percept } from "../schema/core.ts";
import { isRefused, Perception, type RefusalReason } from "./index.ts";
import { levelCamera, placeOf, type SyntheticBox, syntheticFrame } from "./testing/synthetic-frame.ts";

const CAMERA = levelCamera({ x: 0, y: 0, z: 1.2 }, { width: 160, height: 120, focalPx: 110 });
const FLOOR: SyntheticBox = { min: { x: -9, y: -9, z: -0.1 }, max: { x: 9, y: 9, z: 0 } };
const WALL: SyntheticBox = { min: { x: -9, y: 4, z: 0 }, max: { x: 9, y: 4.1, z: 3 } };

let embedded: string[][] = [];
/** One number per text is enough to identify a vector's text. */
const embedder = {
  info: { id: "counting", dim: 1 },
  batchSize: 8,
  embed: async (lines: readonly string[]) => {
    embedded.push([...lines]);
    return lines.map((line) => (line === "?" ? null : Float32Array.of(line.length)));
  },
  close: async () => {},
};
beforeEach(() => {
  embedded = [];
});

const thing = (name: string, centre: Vec3, extent: Vec3): SyntheticBox => ({
  ...boxFromCentre(centre, extent),
  name,
});

async function perceived(frame: Frame, options = {}, view = CAMERA): Promise<Percept> {
  const perception = new Perception({ embedder, sceneId: "home", ...options });
  const answer = await perception.perceive(frame, placeOf(view));
  if (isRefused(answer)) throw new Error(`refused: ${answer.reason} ${answer.detail}`);
  return answer;
}

async function only(frame: Frame, options = {}, view = CAMERA): Promise<LiftedDetection> {
  const { detections } = await perceived(frame, options, view);
  expect(detections).toHaveLength(1);
  return detections[0]!;
}

function near(actual: Vec3, expected: Vec3, withinM: number): void {
  for (const axis of ["x", "y", "z"] as const) {
    expect(Math.abs(actual[axis] - expected[axis]), `${axis} of ${JSON.stringify(actual)}`).toBeLessThan(
      withinM,
    );
  }
}

describe("lifting", () => {
  it("takes an instance of the volumetric map as it is, and of a mask its main surface", async () => {
    const near = thing("lamp", { x: 0, y: 1.5, z: 1.1 }, { x: 0.2, y: 0.1, z: 0.2 });
    const far = thing("lamp", { x: 0.25, y: 3.5, z: 1.1 }, { x: 1, y: 0.1, z: 1 });
    const { masks, detections, ...frame } = syntheticFrame(CAMERA, [near, far]);
    const one = { ...masks!, data: masks!.data.map((number) => Math.min(1, number)) };
    const seen = { ...frame, masks: one, detections: [{ ...detections![0]!, bbox: [0, 0, 1, 1] as const }] };
    const depthOf = ({ solid }: LiftedDetection) => solid!.box.max.y - solid!.box.min.y;
    expect(depthOf(await only(seen))).toBeLessThan(0.1);
    const cut = { ...seen, detections: seen.detections.map((detection) => ({ ...detection, part: 7 })) };
    expect(depthOf(await only(cut))).toBeGreaterThan(1.8);
  });

  it("finds the seen face of a box where it is, within 2 cm", async () => {
    const box = thing("box", { x: 0.3, y: 2.25, z: 1.1 }, { x: 0.6, y: 0.5, z: 0.4 });
    const { solid, truncated, occludedFraction, areaPx } = await only(
      syntheticFrame(CAMERA, [FLOOR, WALL, box]),
    );
    near(solid!.centroid, { x: 0.3, y: 2, z: 1.1 }, 0.02);
    expect(solid!.depthM).toBeCloseTo(2, 2);
    // The 2nd to 98th percentile of a face of about 33 × 22 pixels, and its one visible side row or two.
    near(solid!.box.min, { x: 0, y: 2, z: 0.9 }, 0.03);
    near({ ...solid!.box.max, y: 0 }, { x: 0.6, y: 0, z: 1.3 }, 0.03);
    expect(solid!.count).toBeGreaterThan(0.9 * areaPx);
    expect(solid!.sdM).toBeGreaterThan(0.01);
    expect(solid!.sdM).toBeLessThan(0.03);
    expect({ truncated, occludedFraction }).toEqual({ truncated: false, occludedFraction: 0 });
  });

  it("sends its rays through the middle of the pixels", async () => {
    // Ten centimetres a pixel at two metres, so half a pixel would show.
    const coarse = levelCamera({ x: 0, y: 0, z: 1.2 }, { width: 41, height: 31, focalPx: 20 });
    const box = thing("box", { x: 0, y: 2.1, z: 1.2 }, { x: 1.1, y: 0.2, z: 0.9 });
    const { solid } = await only(syntheticFrame(coarse, [box]), {}, coarse);
    near(solid!.centroid, { x: 0, y: 2, z: 1.2 }, 0.001);
  });

  it("gives samples of the surface, spread over it", async () => {
    const box = thing("box", { x: 0, y: 2.25, z: 1.2 }, { x: 0.8, y: 0.5, z: 0.8 });
    const { solid } = await only(syntheticFrame(CAMERA, [box]));
    const { samples } = solid!;
    expect(samples).toHaveLength(96);
    const points = Array.from({ length: 32 }, (_, n) => ({
      x: samples[3 * n]!,
      y: samples[3 * n + 1]!,
      z: samples[3 * n + 2]!,
    }));
    for (const point of points) expect(point.y).toBeCloseTo(2, 2);
    const gaps = points.flatMap((a, n) => points.slice(n + 1).map((b) => Math.hypot(a.x - b.x, a.z - b.z)));
    expect(Math.min(...gaps)).toBeGreaterThan(0.05);
    expect(Math.max(...gaps)).toBeGreaterThan(0.9);
  });

  it("moves with the camera: the same scene elsewhere is lifted elsewhere", async () => {
    const box = thing("box", { x: -0.2, y: 2.5, z: 1 }, { x: 0.5, y: 0.5, z: 0.5 });
    const frame = syntheticFrame(CAMERA, [FLOOR, box]);
    const here = await only(frame);
    const coordinate = fc.double({ min: -50, max: 50, noNaN: true });
    await fc.assert(
      fc.asyncProperty(
        coordinate,
        coordinate,
        fc.double({ min: -3, max: 3, noNaN: true }),
        async (x, y, yaw) => {
          const thereFromHere = { p: { x, y, z: 0 }, q: fromYaw(yaw) };
          const view = { ...CAMERA, submapFromCamera: compose(thereFromHere, CAMERA.submapFromCamera) };
          const there = await only(frame, {}, view);
          // Medians of rotated coordinates are not rotated medians, but on one face they stay on it.
          const expected = apply(thereFromHere, here.solid!.centroid);
          expect(
            Math.hypot(there.solid!.centroid.x - expected.x, there.solid!.centroid.y - expected.y),
          ).toBeLessThan(0.12);
          expect(there.solid!.centroid.z).toBeCloseTo(expected.z, 5);
          expect(there.solid!.depthM).toBe(here.solid!.depthM);
        },
      ),
      { numRuns: 20 },
    );
  });

  it.each([0.15, 0.35])("takes the larger of two things that a sloppy mask holds, %d m aside", async (x) => {
    const front = thing("pair", { x: -0.25, y: 1.6, z: 1.2 }, { x: 0.4, y: 0.2, z: 0.4 });
    const far = thing("pair", { x, y: 3, z: 1.2 }, { x: 0.5, y: 0.2, z: 0.3 });
    const frame = syntheticFrame(CAMERA, [front, far]);
    const data = frame.masks!.data.map((number) => Math.min(1, number));
    const merged = { ...frame, masks: { ...frame.masks!, data }, detections: [frame.detections![0]!] };
    const { solid } = await only(merged);
    near(solid!.centroid, { x: -0.25, y: 1.5, z: 1.2 }, 0.02);
    expect(solid!.box.max.y).toBeLessThan(1.9);
  });

  it("is not led astray by a mask two pixels too large, over wall and floor", async () => {
    const box = thing("person", { x: 0.2, y: 2.5, z: 0.85 }, { x: 0.5, y: 0.4, z: 1.7 });
    const frame = syntheticFrame(CAMERA, [FLOOR, WALL, box]);
    const masks = { ...frame.masks!, data: grown(frame.masks!.data, 160, 3, 2) };
    const { solid, areaPx } = await only({ ...frame, masks });
    expect(solid!.count).toBeLessThan(areaPx);
    near(solid!.centroid, { x: 0.2, y: 2.3, z: 0.85 }, 0.03);
    near(solid!.box.min, { x: -0.05, y: 2.3, z: 0 }, 0.08);
    near(solid!.box.max, { x: 0.45, y: 2.3, z: 1.7 }, 0.08);
  });

  it("follows a surface seen at a grazing angle, although its depth leaps from row to row", async () => {
    const rug = thing("rug", { x: 0, y: 3, z: 0.005 }, { x: 1.2, y: 2, z: 0.01 });
    const { solid, areaPx } = await only(syntheticFrame(CAMERA, [FLOOR, rug]));
    expect(solid!.count).toBeGreaterThan(0.8 * areaPx);
    expect(solid!.box.max.y - solid!.box.min.y).toBeGreaterThan(1.7);
    // Half of its pixels lie nearer than 2.6 m, but half of its area at 3 m.
    near(solid!.centroid, { x: 0, y: 3, z: 0.01 }, 0.12);
  });

  it("joins what something thin in front cuts in two, and says that it is occluded", async () => {
    const cupboard = thing("cupboard", { x: 0, y: 3, z: 1.2 }, { x: 1.2, y: 0.4, z: 0.8 });
    const post: SyntheticBox = { min: { x: -0.02, y: 1.5, z: 0 }, max: { x: 0.02, y: 1.54, z: 3 } };
    const { solid, occludedFraction } = await only(syntheticFrame(CAMERA, [FLOOR, cupboard, post]));
    // The middle itself is hidden, so the median lies on one side of the post.
    near(solid!.centroid, { x: 0, y: 2.8, z: 1.2 }, 0.08);
    expect(solid!.box.max.x - solid!.box.min.x).toBeGreaterThan(1.1);
    expect(occludedFraction).toBeGreaterThan(0.2);
    expect(occludedFraction).toBeLessThan(0.6);
  });

  it("does not take the floor before a thing for an occluder, although it is much nearer", async () => {
    const cupboard = thing("cupboard", { x: 0, y: 5.7, z: 0.5 }, { x: 2, y: 0.4, z: 1 });
    const { occludedFraction } = await only(syntheticFrame(CAMERA, [FLOOR, cupboard]));
    expect(occludedFraction).toBeLessThan(0.05);
  });

  it.each([
    { x: 1.4, z: 1.2 },
    { x: -1.4, z: 1.2 },
    { x: 0, z: 2.2 },
    { x: 0, z: 0.2 },
  ])("knows what the border cuts off at $x, $z", async ({ x, z }) => {
    const box = thing("sofa", { x, y: 2, z }, { x: 0.5, y: 0.5, z: 0.5 });
    expect((await only(syntheticFrame(CAMERA, [box]))).truncated).toBe(true);
  });

  it("makes no solid of too few points, and a doubtful one of a few when the thing is small", async () => {
    const small = thing("cup", { x: 0, y: 3, z: 1.2 }, { x: 0.11, y: 0.1, z: 0.11 });
    const frame = syntheticFrame(CAMERA, [small]);
    const { solid, areaPx } = await only(frame);
    expect(areaPx).toBeLessThan(30);
    near(solid!.centroid, { x: 0, y: 2.95, z: 1.2 }, 0.03);
    const large = await only(
      syntheticFrame(CAMERA, [thing("box", { x: 0, y: 3, z: 1.2 }, { x: 0.5, y: 0.1, z: 0.5 })]),
    );
    expect(solid!.sdM).toBeGreaterThan(1.5 * large.solid!.sdM);
    expect((await only(frame, { lift: { minPointsOfSmall: areaPx + 1 } })).solid).toBeUndefined();
    // A large thing with few depths is not a small thing.
    const box = syntheticFrame(CAMERA, [thing("box", { x: 0, y: 2, z: 1.2 }, { x: 0.5, y: 0.1, z: 0.5 })]);
    let left = 20;
    const data = box.depth!.data.map((mm) => (mm > 0 && left-- > 0 ? mm : 0));
    expect((await only({ ...box, depth: { ...box.depth!, data } })).solid).toBeUndefined();
  });

  it("makes no solid of what is too far", async () => {
    const tower = thing("tower", { x: 0, y: 30, z: 2 }, { x: 6, y: 1, z: 6 });
    const frame = syntheticFrame(CAMERA, [FLOOR, tower]);
    expect((await only(frame)).solid).toBeUndefined();
    expect((await only(frame, { lift: { maxDepthM: 40 } })).solid?.depthM).toBeCloseTo(29.5, 1);
  });

  it("cuts the thing out of a box when there is no mask", async () => {
    const box = thing("chair", { x: 0.3, y: 2.2, z: 0.45 }, { x: 0.5, y: 0.4, z: 0.9 });
    const { masks: _masks, ...frame } = syntheticFrame(CAMERA, [FLOOR, WALL, box]);
    const { solid, areaPx } = await only(frame);
    near(solid!.centroid, { x: 0.3, y: 2.05, z: 0.45 }, 0.12);
    expect(solid!.box.max.y).toBeLessThan(2.7);
    expect(areaPx).toBe(solid!.count);
    // A box a good deal too large, with much more floor and wall in it.
    const [left, top, right, bottom] = frame.detections![0]!.bbox;
    const bbox = [left - 12, top - 8, right + 12, bottom + 12] as const;
    const loose = await only({ ...frame, detections: [{ ...frame.detections![0]!, bbox }] });
    near(loose.solid!.centroid, { x: 0.3, y: 2.05, z: 0.45 }, 0.25);
    expect(loose.solid!.box.max.y).toBeLessThan(3);
  });

  it("lifts nothing without depth, but still says what was seen", async () => {
    const box = thing("box", { x: 0, y: 2.2, z: 1.2 }, { x: 0.5, y: 0.4, z: 0.5 });
    const frame = syntheticFrame(CAMERA, [box]);
    const { depth: _depth, ...blind } = frame;
    const seen = await only(blind);
    expect(seen.solid).toBeUndefined();
    expect(seen.appearance).toBeDefined();
    const zeros = { ...frame.depth!, data: new Uint16Array(160 * 120) };
    expect((await only({ ...frame, depth: zeros })).solid).toBeUndefined();
    const { masks: _masks, ...boxOnly } = blind;
    expect(await only(boxOnly)).toMatchObject({ areaPx: seen.areaPx, occludedFraction: 0 });
  });
});

describe("looks and words", () => {
  const box = (name: string, x: number): SyntheticBox => ({
    ...thing(name, { x, y: 2, z: 1.2 }, { x: 0.4, y: 0.2, z: 0.4 }),
    colour: name === "red" ? [200, 30, 30] : [30, 40, 190],
  });

  it("compares colours, not brightness", async () => {
    const bright = syntheticFrame(CAMERA, [box("red", -0.5), box("blue", 0.5)]);
    const rgb = { ...bright.rgb!, data: bright.rgb!.data.map((value) => value >> 1) };
    const [red, blue] = (await perceived(bright)).detections.map(({ appearance }) => appearance!);
    const [dim] = (await perceived({ ...bright, rgb })).detections.map(({ appearance }) => appearance!);
    const dot = (a: Float32Array, b: Float32Array) => a.reduce((sum, value, n) => sum + value * b[n]!, 0);
    expect(dot(red!, red!)).toBeCloseTo(1, 5);
    expect(dot(red!, dim!)).toBeGreaterThan(0.9);
    expect(dot(red!, blue!)).toBeLessThan(0.1);
  });

  it("embeds phrases and categories in one call a frame, and each text once", async () => {
    const frame = syntheticFrame(CAMERA, [box("red", -0.5), box("blue", 0.5)]);
    const worded = {
      ...frame,
      detections: frame.detections!.map((one, n) => ({
        ...one,
        label: "mug",
        ...(n === 0
          ? { text: "a mug that\n says  HI" }
          : { attributes: { material: "clay", colour: "blue", fill: "full" } }),
      })),
    };
    const perception = new Perception({ embedder, sceneId: "home" });
    const answer = (await perception.perceive(worded, placeOf(CAMERA))) as Percept;
    expect(answer.detections.map(({ phrase, category }) => ({ phrase, category }))).toEqual([
      { phrase: "a mug that says HI", category: "mug" },
      { phrase: "blue clay mug", category: "mug" },
    ]);
    expect(answer.detections.map(({ vector, categoryVector }) => [vector![0], categoryVector![0]])).toEqual([
      [18, 3],
      [13, 3],
    ]);
    await perception.perceive(worded, placeOf(CAMERA));
    expect(embedded).toEqual([["a mug that says HI", "blue clay mug", "mug"]]);
  });

  it("keeps no more vectors than it may", async () => {
    const frame = syntheticFrame(CAMERA, [box("red", 0)]);
    const perception = new Perception({ embedder, sceneId: "home", cachedTexts: 2 });
    for (const label of ["cup", "jug", "pot", "cup"]) {
      const detections = [{ ...frame.detections![0]!, label }];
      await perception.perceive({ ...frame, detections }, placeOf(CAMERA));
    }
    expect(embedded).toEqual([["cup"], ["jug"], ["pot"], ["cup"]]);
  });

  it("says null for a phrase without meaning, and nothing for no category", async () => {
    const frame = syntheticFrame(CAMERA, [box("red", 0)]);
    const { label: _label, ...mute } = frame.detections![0]!;
    const seen = await only({ ...frame, detections: [{ ...mute, text: "?" }] });
    expect(seen).toMatchObject({ phrase: "?", vector: null, categoryVector: null });
    expect(seen.category).toBeUndefined();
  });

  it("asks the describer for what has no words, with the crop, and falls back on the label", async () => {
    const frame = syntheticFrame(CAMERA, [box("red", -0.5), box("blue", 0.5), box("red", 0)]);
    const asked: (string | undefined)[] = [];
    const crops: number[] = [];
    const describer: Describer = {
      id: "scripted",
      describe: (things) =>
        Promise.all(
          things.map(async ({ label, image }) => {
            asked.push(label);
            const { data } = await sharp((await image())!.bytes)
              .raw()
              .toBuffer({ resolveWithObject: true });
            crops.push((data[0]! + data[1]! + data[2]!) / 3);
            return label === "red" ? { phrase: "a ruby cube", isSure: true, attributes: {} } : null;
          }),
        ),
      close: async () => {},
    };
    const detections = frame.detections!.map((one, n) => (n === 2 ? { ...one, text: "said" } : one));
    const { detections: seen } = await perceived({ ...frame, detections }, { describer });
    expect(seen.map(({ phrase }) => phrase)).toEqual(["a ruby cube", "blue", "said"]);
    expect(asked).toEqual(["red", "blue"]);
    // The corner is outside of the mask, where black has turned to grey.
    for (const corner of crops) expect(Math.abs(corner - 89)).toBeLessThan(12);
    expect(crops).toHaveLength(2);
  });
});

describe("the gate", () => {
  const frame = syntheticFrame(CAMERA, [
    FLOOR,
    WALL,
    thing("box", { x: 0, y: 2, z: 1.2 }, { x: 0.5, y: 0.5, z: 0.5 }),
  ]);
  const place = placeOf(CAMERA);
  const perception = new Perception({ embedder, sceneId: "home", labels: ["home-only"] });
  const depth = frame.depth!;

  it("passes an empty frame: having looked is worth knowing", async () => {
    const { detections: _detections, ...empty } = frame;
    const answer = await perception.perceive(empty, place);
    expect(answer).toMatchObject({ detections: [], labels: ["home-only"], restricted: false });
    expect(embedded).toEqual([]);
  });

  it.each<[RefusalReason, Partial<Frame>]>([
    ["bad-time", { timeUs: Number.NaN }],
    ["bad-time", { timeUs: 0.5 }],
    ["bad-intrinsics", { intrinsics: { ...frame.intrinsics, fx: Number.NaN } }],
    ["bad-intrinsics", { intrinsics: { ...frame.intrinsics, fy: 0 } }],
    ["bad-intrinsics", { intrinsics: { ...frame.intrinsics, width: 0.5 } }],
    ["size-mismatch", { depth: { ...depth, width: 120, height: 160 } }],
    ["size-mismatch", { depth: { ...depth, data: new Uint16Array(7) } }],
    ["size-mismatch", { masks: { width: 80, height: 60, data: new Uint16Array(4_800) } }],
    ["size-mismatch", { rgb: { width: 160, height: 120, data: new Uint8Array(5) } }],
    ["depth-scale", { depth: { ...depth, unitM: 1 } }],
    ["depth-scale", { depth: { ...depth, unitM: 1e-6 } }],
    ["depth-scale", { depth: { ...depth, unitM: Number.NaN } }],
    ["no-image", { rgb: undefined, depth: { ...depth, data: new Uint16Array(160 * 120) } }],
    ["no-image", { rgb: undefined, depth: undefined, detections: [] }],
  ])("refuses with %s (%#)", async (reason, change) => {
    expect(await perception.perceive({ ...frame, ...change }, place)).toMatchObject({ reason });
  });

  it.each([
    { p: { x: Number.NaN, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
    { p: { x: 0, y: 2e8, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
    { p: { x: 0, y: 0, z: 0 }, q: { w: 0, x: 0, y: 0, z: 0 } },
    { p: { x: 0, y: 0, z: 0 }, q: { w: Number.NaN, x: 0, y: 0, z: 0 } },
  ])("refuses a pose that is none (%#)", async (transform) => {
    const answers = [
      await perception.perceive(frame, { ...place, submapFromCamera: transform }),
      await perception.perceive(frame, { ...place, worldFromSubmap: transform }),
    ];
    expect(answers).toMatchObject([{ reason: "bad-pose" }, { reason: "bad-pose" }]);
  });

  it("takes words alone, when somebody else did the seeing", async () => {
    const spoken = { ...frame, rgb: undefined, depth: undefined, masks: undefined, captions: ["A hall."] };
    expect(await perception.perceive(spoken, place)).toMatchObject({
      captions: ["A hall."],
      detections: [{}],
    });
  });

  it("measures black, blur and depth, and marks a black frame", async () => {
    const { quality } = (await perception.perceive(frame, place)) as Percept;
    expect(quality.black).toBeLessThan(0.1);
    expect(quality.validDepth).toBeGreaterThan(0.9);
    const dark = frame.rgb!.data.map((value, at) => (at < 0.6 * 3 * 160 * 120 ? 3 : value));
    const rgb = { ...frame.rgb!, data: dark };
    const answer = (await perception.perceive({ ...frame, rgb }, place)) as Percept;
    expect(answer.quality.black).toBeCloseTo(0.6, 1);
    expect(answer.restricted).toBe(true);
    const noisy = { ...frame.rgb!, data: frame.rgb!.data.map((_, at) => (Math.floor(at / 3) * 7919) % 256) };
    const sharp = (await perception.perceive({ ...frame, rgb: noisy }, place)) as Percept;
    expect(sharp.quality.blur).toBeGreaterThan(10 * quality.blur);
  });

  it("drops detections that cannot be used", async () => {
    const good = frame.detections![0]!;
    const { mask: _mask, ...boxed } = good;
    const detections = [
      { ...good, score: Number.NaN },
      { ...boxed, bbox: [5, 5, 5, 9] as const },
      { ...boxed, bbox: [Number.NaN, 0, 9, 9] as const },
      { ...good, score: 7 },
      { ...good, score: 0.2, bbox: [Number.NaN, 0, 9, 9] as const },
    ];
    const answer = (await perception.perceive({ ...frame, detections }, place)) as Percept;
    expect(answer.detections.map(({ score }) => score)).toEqual([1, 0.2]);
    expect(answer.detections[1]!.bbox).toEqual(good.bbox);
    const few = new Perception({ embedder, sceneId: "home", maxDetections: 1 });
    const best = (await few.perceive({ ...frame, detections }, place)) as Percept;
    expect(best.detections.map(({ score }) => score)).toEqual([1]);
  });

  it("names detections by the frame they are of", async () => {
    const one = (await perception.perceive(frame, place)) as Percept;
    const again = (await perception.perceive(frame, place)) as Percept;
    const other = (await perception.perceive(frame, {
      ...place,
      observationId: "observation-2",
    })) as Percept;
    expect(again).toEqual(one);
    expect(other.detections[0]!.id).not.toBe(one.detections[0]!.id);
    const pixels = one.segments!.data.filter((number) => number === 1).length;
    expect({ ids: one.segments!.ids, pixels }).toEqual({
      ids: [one.detections[0]!.id],
      pixels: one.detections[0]!.areaPx,
    });
  });

  it("never throws nor invents a number, whatever a frame holds", async () => {
    const [width, height] = [16, 12];
    const pixels = (max: number) => fc.uint16Array({ minLength: 192, maxLength: 192, max });
    const odd = fc.oneof(fc.double(), fc.integer({ min: -30, max: 30 }));
    const hostile = fc.record({
      depth: pixels(65_535),
      masks: pixels(3),
      unitM: fc.constantFrom(0.001, 0.0002, 1),
      detections: fc.array(
        fc.record({
          mask: fc.option(fc.integer({ min: -1, max: 70_000 }), { nil: undefined }),
          bbox: fc.tuple(odd, odd, odd, odd),
          score: odd,
        }),
        { maxLength: 5 },
      ),
    });
    const intrinsics = { fx: 12, fy: 12, cx: 8, cy: 6, width, height };
    await fc.assert(
      fc.asyncProperty(hostile, async ({ depth: data, masks, unitM, detections }) => {
        const image = { width, height };
        const rgb = { ...image, data: new Uint8Array(width * height * 3).fill(99) };
        const answer = await perception.perceive(
          {
            ...frame,
            intrinsics,
            rgb,
            depth: { ...image, data, unitM },
            masks: { ...image, data: masks },
            detections,
          },
          place,
        );
        if (isRefused(answer)) return;
        for (const one of answer.detections) {
          const { solid } = one;
          const numbers = [
            ...one.bbox,
            one.score,
            one.areaPx,
            one.occludedFraction,
            ...(one.appearance ?? []),
          ];
          if (solid) {
            const { centroid: c, box, sdM, depthM, samples } = solid;
            numbers.push(
              c.x,
              c.y,
              c.z,
              sdM,
              depthM,
              ...samples,
              ...Object.values(box.min),
              ...Object.values(box.max),
            );
            expect(box.min.x <= c.x && c.x <= box.max.x).toBe(true);
          }
          expect(numbers.filter((value) => !Number.isFinite(value))).toEqual([]);
        }
      }),
      { numRuns: 300 },
    );
  });

  it("stops when it is told to", async () => {
    const signal = AbortSignal.abort();
    await expect(perception.perceive(frame, place, { signal })).rejects.toMatchObject({ code: "aborted" });
    expect(() => new Perception({ embedder, sceneId: "home", lift: { minPoints: Number.NaN } })).toThrow(
      /lift limits/,
    );
  });
});

/** A mask grown by whole pixels over whatever lies beside it. */
function grown(masks: Uint16Array, width: number, number: number, byPx: number): Uint16Array {
  const out = Uint16Array.from(masks);
  const height = masks.length / width;
  masks.forEach((value, at) => {
    if (value !== number) return;
    const [column, row] = [at % width, Math.floor(at / width)];
    for (let j = Math.max(0, row - byPx); j <= Math.min(height - 1, row + byPx); j++) {
      for (let i = Math.max(0, column - byPx); i <= Math.min(width - 1, column + byPx); i++)
        out[j * width + i] = number;
    }
  });
  return out;
}
