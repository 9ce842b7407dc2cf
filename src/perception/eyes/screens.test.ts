import { describe, expect, test } from "vitest";
import type { Eyes } from "../../models/eyes/index.ts";
import type { Frame } from "../../schema/core.ts";
import { type SyntheticBox, syntheticFrame } from "../testing/synthetic-frame.ts";
import { Seeing } from "./seeing.ts";
import { truthEyes } from "./testing/truth-eyes.ts";

const INTRINSICS = { fx: 140, fy: 140, cx: 80, cy: 60, width: 160, height: 120 };
const LEVEL = { w: Math.SQRT1_2, x: -Math.SQRT1_2, y: 0, z: 0 };
const WALL: readonly SyntheticBox[] = [
  { min: { x: -4, y: -4, z: -0.1 }, max: { x: 4, y: 4, z: 0 } },
  { min: { x: -4, y: 3, z: 0 }, max: { x: 4, y: 3.1, z: 3 } },
];
/** Something that the network takes for a bookcase, a few centimetres in front of the wall. */
const SCREEN: SyntheticBox = {
  name: "bookcase",
  colour: [20, 20, 25],
  min: { x: -0.4, y: 2.9, z: 1.1 },
  max: { x: 0.4, y: 2.95, z: 1.6 },
};

const TABLE: SyntheticBox = { min: { x: -0.8, y: 1.9, z: 0.7 }, max: { x: 0.8, y: 2.7, z: 0.75 } };

/** Frames of a wall with a thing without measured depth, except optionally its outermost pixels. */
function framesOf(thing: SyntheticBox, frame = 0, others: readonly SyntheticBox[] = []): Frame[] {
  return Array.from({ length: 9 }, (_, n) => {
    const worldFromCamera = { p: { x: -0.4 + 0.1 * n, y: 0.8, z: 1.3 }, q: LEVEL };
    const own = syntheticFrame({ intrinsics: INTRINSICS, submapFromCamera: worldFromCamera }, [
      ...WALL,
      ...others,
      thing,
    ]);
    const { width, data } = own.masks!;
    const isInside = (at: number) => {
      for (let j = -frame; j <= frame; j++)
        for (let i = -frame; i <= frame; i++) if (!data[at + j * width + i]) return false;
      return true;
    };
    const depth = { ...own.depth!, data: own.depth!.data.map((z, at) => (isInside(at) ? 0 : z)) };
    return { ...own, depth, index: n, timeUs: 1_000_000 * (n + 1), worldFromCamera };
  });
}

async function seen(frames: readonly Frame[], change: (eyes: Eyes) => Eyes = (eyes) => eyes) {
  const eyes = truthEyes(frames, { wrongNames: 0 });
  const own = change({ ...eyes, categories: [...eyes.categories, "monitor"] });
  const seeing = new Seeing(async () => own);
  const out: Frame[] = [];
  for (const { masks: _masks, detections: _detections, ...rest } of frames)
    out.push(...(await seeing.take(rest)));
  for await (const frame of seeing.finish()) out.push(frame);
  return out;
}

/** The share of a thing's pixels in its best mask, that mask's name, and the depth in its centre. */
function shownOf(truth: Frame, { masks, detections, depth }: Frame) {
  const counts = new Map<number, number>();
  const own = [...truth.masks!.data.keys()].filter((at) => truth.masks!.data[at]! > 0);
  for (const at of own) counts.set(masks?.data[at] ?? 0, (counts.get(masks?.data[at] ?? 0) ?? 0) + 1);
  const [best, count] = [...counts].filter(([mask]) => mask > 0).sort((a, b) => b[1] - a[1])[0] ?? [0, 0];
  return {
    share: count / own.length,
    label: detections?.find(({ mask }) => mask === best)?.label,
    depthM: depth!.data[own[own.length >> 1]!]! * depth!.unitM,
  };
}

describe("what has no depth", () => {
  test("is a screen in the plane of the wall around it", async () => {
    const frames = framesOf(SCREEN);
    const { share, label, depthM } = shownOf(frames[4]!, (await seen(frames))[4]!);
    expect(share).toBeGreaterThan(0.8);
    expect(label).toBe("monitor");
    expect(depthM).toBeCloseTo(2.2, 1);
  });

  test("lies as far before the wall as its frame, where that is measured", async () => {
    const frames = framesOf(SCREEN, 2);
    const { share, label, depthM } = shownOf(frames[4]!, (await seen(frames))[4]!);
    expect(share).toBeGreaterThan(0.8);
    expect(label).toBe("monitor");
    expect(Math.abs(depthM - 2.1)).toBeLessThan(0.03);
  });

  test("is left alone where the eyes see wall or floor, as of what is far beyond a doorway", async () => {
    const frames = framesOf(SCREEN);
    const out = await seen(frames, (eyes) => ({
      ...eyes,
      look: async (input) => {
        const look = await eyes.look(input);
        const cells = look.width * look.height;
        return { ...look, surface: look.surface.map((_, at) => (at < cells ? 1 : 0)) };
      },
    }));
    expect(shownOf(frames[4]!, out[4]!).depthM).toBe(0);
  });

  test("is left alone where it is as small as a socket", async () => {
    const frames = framesOf({
      ...SCREEN,
      min: { x: -0.1, y: 2.9, z: 1.3 },
      max: { x: 0.1, y: 2.95, z: 1.4 },
    });
    expect(shownOf(frames[4]!, (await seen(frames))[4]!).depthM).toBe(0);
  });

  test("stands on a table where its lower side ends there, and is no screen", async () => {
    const black = { ...SCREEN, min: { x: -0.25, y: 2.2, z: 0.75 }, max: { x: 0.25, y: 2.5, z: 1.15 } };
    const frames = framesOf(black, 0, [TABLE]);
    const { share, label, depthM } = shownOf(frames[4]!, (await seen(frames))[4]!);
    expect(share).toBeGreaterThan(0.7);
    expect(label).not.toBe("monitor");
    expect(Math.abs(depthM - 1.4)).toBeLessThan(0.15);
  });
});
