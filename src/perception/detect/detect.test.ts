import { describe, expect, test } from "vitest";
import type { Detector, FoundText, FoundThing, Segmenter, TextReader } from "../../models/index.ts";
import type { Detection, Frame } from "../../schema/core.ts";
import { cutOutIn } from "./cut-out.ts";
import { detectAhead, detectIn } from "./detect-frames.ts";
import { FloatingViews } from "./floating-views.ts";
import { readSignsIn } from "./read-signs.ts";

/** Colour twice as fine as depth, as with many cameras. */
const frame: Frame = {
  index: 0,
  timeUs: 5_000_000,
  agentId: "robot",
  sensorId: "eye",
  mapFrame: "world",
  intrinsics: { fx: 40, fy: 40, cx: 20, cy: 15, width: 40, height: 30 },
  rgb: { width: 80, height: 60, data: new Uint8Array(80 * 60 * 3) },
};

const detectorOf = (things: FoundThing[]): Detector => ({
  id: "fake",
  detect: async () => things,
  close: async () => {},
});

const readerOf = (lines: FoundText[]): TextReader => ({
  id: "fake",
  read: async () => lines,
  close: async () => {},
});

describe("a detector's boxes", () => {
  test("are given in pixels of the camera and added to what was said already", async () => {
    const known = { bbox: [0, 0, 5, 5] as const, score: 1, label: "lamp" };
    const cup: FoundThing = { bbox: [20, 10, 40, 30], score: 0.7, label: "cup" };
    const speck: FoundThing = { bbox: [1, 1, 3, 3], score: 0.9, label: "speck" };
    const seen = await detectIn({ ...frame, detections: [known] }, detectorOf([cup, speck]));
    expect(seen.detections).toEqual([
      known,
      { bbox: [10, 5, 20, 15], score: 0.7, label: "cup", namedBy: "fake" },
    ]);
  });

  test("are not looked for where there is no picture", async () => {
    const { rgb: _rgb, ...blind } = frame;
    const detector = detectorOf([]);
    detector.detect = () => Promise.reject(new Error("not to be asked"));
    expect(await detectIn(blind, detector)).toBe(blind);
  });

  test("come in the order of the frames, each begun before the one before it is taken", async () => {
    const begun: number[] = [];
    const ends: ((value: number) => void)[] = [];
    async function* items() {
      yield* [0, 1, 2];
    }
    const out = detectAhead(items(), (item) => {
      begun.push(item);
      return new Promise<number>((resolve) => ends.push(() => resolve(item)));
    });
    const first = out.next();
    await new Promise(setImmediate);
    expect(begun).toEqual([0, 1]);
    ends[1]!(1);
    ends[0]!(0);
    expect((await first).value).toBe(0);
    expect((await out.next()).value === 1 || begun.length === 3).toBe(true);
    ends[2]!(2);
    expect((await out.next()).value).toBe(2);
    expect((await out.next()).done).toBe(true);
  });

  test("whose detector fails end the run with its error", async () => {
    const failing = detectAhead(
      (async function* () {
        yield 1;
      })(),
      () => Promise.reject(new Error("broken")),
    );
    await expect(failing.next()).rejects.toThrow("broken");
  });
});

describe("a segmenter's cuts", () => {
  /** Assigns the upper half of the picture to the first box, and nothing to the second. */
  const upperHalf: Segmenter = {
    id: "fake",
    segment: async ({ width, height }) => ({
      width,
      height,
      data: new Uint16Array(width * height).fill(1, 0, (width * height) / 2),
    }),
    close: async () => {},
  };
  const boxes: Detection[] = [
    { bbox: [0, 0, 40, 15], score: 0.9, label: "shelf" },
    { bbox: [0, 20, 9, 29], score: 0.9, label: "cup" },
  ];

  test("become masks in pixels of the camera; a box without a cut keeps none", async () => {
    const seen = await cutOutIn({ ...frame, detections: boxes }, upperHalf);
    expect(seen.detections).toEqual([{ ...boxes[0], mask: 1 }, boxes[1]]);
    expect([seen.masks!.width, seen.masks!.height]).toEqual([40, 30]);
    expect([...seen.masks!.data]).toEqual([...new Array(600).fill(1), ...new Array(600).fill(0)]);
  });

  test("leave masks that were there", async () => {
    const known = { bbox: [0, 0, 9, 9] as const, score: 1, label: "lamp", mask: 7 };
    const masks = { width: 40, height: 30, data: new Uint16Array(1200) };
    masks.data[5] = 7;
    const seen = await cutOutIn({ ...frame, masks, detections: [known, ...boxes] }, upperHalf);
    expect(seen.detections?.map(({ mask }) => mask)).toEqual([7, 8, undefined]);
    expect([...seen.masks!.data.subarray(4, 7)]).toEqual([8, 7, 8]);
  });

  test("are not asked for where there is no picture or no box", async () => {
    const broken: Segmenter = { ...upperHalf, segment: () => Promise.reject(new Error("not to be asked")) };
    expect(await cutOutIn(frame, broken)).toBe(frame);
    const { rgb: _rgb, ...blind } = { ...frame, detections: boxes };
    expect(await cutOutIn(blind, broken)).toBe(blind);
  });
});

describe("what is written", () => {
  const book = { bbox: [10, 5, 20, 15] as const, score: 0.8, label: "book" };
  const table = { bbox: [0, 0, 40, 30] as const, score: 0.8, label: "table" };

  test("is said of the smallest thing around it, all its lines together", async () => {
    const lines: FoundText[] = [
      { text: "WAR", bbox: [24, 12, 36, 16], score: 0.9 },
      { text: "AND PEACE", bbox: [24, 18, 36, 22], score: 0.9 },
    ];
    const seen = await readSignsIn({ ...frame, detections: [table, book] }, readerOf(lines));
    expect(seen.detections).toEqual([table, { ...book, attributes: { text: "WAR AND PEACE" } }]);
  });

  test("is a sign of its own where it is on nothing, or only on something far larger", async () => {
    const lines: FoundText[] = [{ text: "EXIT", bbox: [60, 4, 68, 8], score: 0.9 }];
    const seen = await readSignsIn({ ...frame, detections: [table] }, readerOf(lines));
    expect(seen.detections?.[1]).toEqual({
      bbox: [30, 2, 34, 4],
      score: 0.9,
      label: "sign",
      attributes: { text: "EXIT" },
    });
  });

  test("does not replace what is known", async () => {
    const known = { ...book, attributes: { text: "Emma", colour: "red" } };
    const lines: FoundText[] = [{ text: "Enna", bbox: [24, 12, 36, 16], score: 0.9 }];
    const seen = await readSignsIn({ ...frame, detections: [known] }, readerOf(lines));
    expect(seen.detections).toEqual([known]);
  });
});

test("views without a place are kept once a second of each sensor, with what they show in words", async () => {
  const views = new FloatingViews();
  const filing = { sceneId: "s", labels: ["staff"], observationId: "obs-1" };
  const cup = { bbox: [0, 0, 9, 9] as const, score: 0.9, label: "cup" };
  const kept = await views.keep({ ...frame, detections: [cup], captions: ["A desk."] }, filing);
  expect(kept!.records[0]).toMatchObject({
    kind: "view",
    labels: ["staff"],
    text: ["A desk.", "cup", "a cup"],
    validFromUs: 5_000_000,
  });
  expect(kept!.records[0]).not.toHaveProperty("anchor");
  expect(kept!.blobs).toHaveLength(1);
  expect(await views.keep({ ...frame, timeUs: 5_900_000 }, filing)).toBeUndefined();
  expect(await views.keep({ ...frame, timeUs: 5_900_000, sensorId: "back" }, filing)).toBeDefined();
  expect(await views.keep({ ...frame, timeUs: 6_000_000 }, filing)).toBeDefined();
});
