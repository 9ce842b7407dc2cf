import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { openDetector } from "../detectors.ts";
import { findPackage } from "../optional-package.ts";
import { openCocoNanodet } from "./coco-nanodet.ts";
import { BOX_CHANNELS, decode, type Head, INPUT_PX, STRIDES } from "./decode.ts";
import { COCO_LABELS } from "./labels.ts";

const packagesFrom = process.env["LOCI_PACKAGES"];
const missing = findPackage("@tensorflow/tfjs-backend-wasm", packagesFrom) === null;

/** Outputs in which nothing is found. */
function emptyHeads(): Head[] {
  return STRIDES.map((stride) => {
    const cells = (INPUT_PX / stride) ** 2;
    return {
      stride,
      scores: new Float32Array(cells * COCO_LABELS.length),
      boxes: new Float32Array(cells * BOX_CHANNELS),
    };
  });
}

/** Puts a class at a cell, with sides this many strides away. */
function place(head: Head, cell: number, label: string, score: number, sides: readonly number[]): void {
  head.scores[cell * COCO_LABELS.length + COCO_LABELS.indexOf(label)] = score;
  for (const [edge, bin] of sides.entries()) head.boxes[cell * BOX_CHANNELS + edge * 11 + bin] = 50;
}

describe("decoding NanoDet's outputs", () => {
  const size = { width: 832, height: 416 };

  it("has 80 classes", () => {
    expect(COCO_LABELS).toHaveLength(80);
    expect(new Set(COCO_LABELS).size).toBe(80);
  });

  it("places a box around its cell, scaled to the picture and cut at its border", () => {
    const heads = emptyHeads();
    // The cell in column 3 and row 1 of the grid of 13 × 13: centre 112, 48.
    place(heads[2]!, 13 + 3, "cup", 0.9, [1, 2, 2, 1]);
    const [cup, ...rest] = decode(heads, size, 0.5);
    expect(rest).toEqual([]);
    expect(cup).toMatchObject({ label: "cup", score: expect.closeTo(0.9, 5) });
    expect(cup!.bbox.map(Math.round)).toEqual([160, 0, 352, 80]);
  });

  it("keeps the surest of boxes that are one thing, by class and across classes", () => {
    const heads = emptyHeads();
    const middle = heads[2]!;
    place(middle, 13 * 6 + 6, "cup", 0.8, [2, 2, 2, 2]);
    place(middle, 13 * 6 + 7, "cup", 0.7, [3, 2, 1, 2]);
    place(middle, 13 * 6 + 6, "bowl", 0.6, [2, 2, 2, 2]);
    place(middle, 13 * 2 + 2, "bowl", 0.4, [1, 1, 1, 1]);
    expect(decode(heads, size, 0.3).map(({ label, score }) => `${label} ${score.toFixed(1)}`)).toEqual([
      "cup 0.8",
      "bowl 0.4",
    ]);
    expect(decode(heads, size, 0.5)).toHaveLength(1);
  });

  it("is not led astray by numbers that are none", () => {
    const heads = emptyHeads();
    heads[0]!.scores.fill(Number.NaN);
    heads[1]!.boxes.fill(Number.NaN);
    heads[1]!.scores[0] = 0.9;
    expect(decode(heads, size, 0.3)).toEqual([]);
  });
});

describe.skipIf(missing)("the coco detector with its packages", () => {
  it("runs offline, gives the same answer twice, and finds nothing in a grey wall", async () => {
    const detector = await openCocoNanodet({ packagesFrom, minScore: 0.3 });
    try {
      const picture = { width: 64, height: 48, data: new Uint8Array(64 * 48 * 3).fill(128) };
      expect(await detector.detect(picture)).toEqual([]);
      const noise = { ...picture, data: picture.data.map((_, i) => (i * 7919) % 256) };
      expect(await detector.detect(noise)).toEqual(await detector.detect(noise));
    } finally {
      await detector.close();
    }
  }, 60_000);
});

it("says in one line what to install", async () => {
  const nowhere = await mkdtemp(join(tmpdir(), "loci-nothing-"));
  try {
    await expect(openDetector("coco", { LOCI_PACKAGES: nowhere })).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringMatching(
        /not installed; run: npm install @vladmandic\/human@1\.8\.5 [^\n]+4\.22\.0$/,
      ),
    });
  } finally {
    await rm(nowhere, { recursive: true });
  }
});

it("calls faint what is less sure, and leaves out what is much less", () => {
  const heads = emptyHeads();
  place(heads[2]!, 13 * 6 + 6, "cup", 0.5, [1, 1, 1, 1]);
  place(heads[2]!, 13 * 2 + 2, "cup", 0.4, [1, 1, 1, 1]);
  place(heads[2]!, 13 * 9 + 9, "cup", 0.2, [1, 1, 1, 1]);
  const found = decode(heads, { width: 416, height: 416 }, 0.45, 0.3);
  expect(found.map(({ faint }) => faint === true)).toEqual([false, true]);
});

it("knows its choices", async () => {
  expect(await openDetector("none")).toBeNull();
  await expect(openDetector("yolo")).rejects.toThrow(/none, coco\[:MIN_SCORE\], open:/);
  await expect(openDetector("coco:")).rejects.toThrow(/none, coco/);
  await expect(openDetector("open:")).rejects.toThrow(/none, coco/);
  await expect(openDetector("open:/nowhere/model:0.3", {}, ["mug"])).rejects.toThrow(
    /no model folder at \/nowhere\/model,/,
  );
  await expect(openDetector("coco", {}, ["cup", "mug"])).rejects.toThrow(/does not know "mug", only person,/);
  await expect(openDetector("coco:2")).rejects.toThrow(/least score/);
});
