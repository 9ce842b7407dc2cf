import { mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RgbImage } from "../../schema/index.ts";
import { findPackage } from "../optional-package.ts";
import { SEGMENTER_SIDE, writeTinyDetector, writeTinySegmenter } from "../testing/tiny-onnx-eyes.ts";
import { checkClasses, classOf, groundingText } from "./classes.ts";
import { bestCut, paint } from "./masks.ts";
import { openOpenVocabulary, openSegmentAnything } from "./open-vocabulary.ts";

const installed = findPackage("@huggingface/transformers", process.env.LOCI_PACKAGES) !== null;
const real = process.env.LOCI_PACKAGES === undefined ? {} : { packagesFrom: process.env.LOCI_PACKAGES };
const root = await mkdtemp(join(tmpdir(), "loci-open-vocabulary-"));
const fake = { packagesFrom: join(root, "fake") };
const detector = join(root, "owlvit");
const segmenter = join(root, "sam");

beforeAll(async () => {
  await writeTinyDetector(detector, "owlvit");
  await writeTinySegmenter(segmenter, "sam");
  await writeFakePackage(join(root, "fake"));
});
afterAll(() => rm(root, { recursive: true }));

const RED = [255, 0, 0];
const BLUE = [0, 0, 255];
const GREY = [128, 128, 128];

/** A picture whose quarters have these colours, row by row. */
function quarters(width: number, height: number, colours: readonly (readonly number[])[]): RgbImage {
  return painted(width, height, (x, y) => colours[Number(x >= width / 2) + 2 * Number(y >= height / 2)]!);
}

function painted(
  width: number,
  height: number,
  colourAt: (x: number, y: number) => readonly number[],
): RgbImage {
  const pixels = Array.from({ length: width * height }, (_, i) => colourAt(i % width, Math.floor(i / width)));
  return { width, height, data: Uint8Array.from(pixels.flat()) };
}

describe.skipIf(!installed)("an open detector in the real package", () => {
  it.each(["owlvit", "grounding-dino"] as const)("finds by words what a tiny %s knows", async (type) => {
    const folder = join(root, `real-${type}`);
    await writeTinyDetector(folder, type);
    // Its tokenizer reads letters, so that Grounding DINO's pieces of text are letters too.
    const classes = type === "owlvit" ? ["red thing", "blue thing", "sofa"] : ["r", "b", "s"];
    const [red, blue] = classes;
    const eye = await openOpenVocabulary(folder, { ...real, classes });
    try {
      const found = await eye.detect(quarters(40, 24, [RED, GREY, GREY, BLUE]));
      expect(found).toEqual([
        { label: red, score: expect.closeTo(0.98, 1), bbox: [0, 0, 20, 12] },
        { label: blue, score: expect.closeTo(0.98, 1), bbox: [20, 12, 40, 24] },
      ]);
      expect(await eye.detect(quarters(40, 24, [GREY, GREY, GREY, GREY]))).toEqual([]);
      expect(await eye.detect(quarters(4, 4, [RED, RED, RED, RED]))).toEqual([]);
      expect(eye.id).toMatch(new RegExp(`^transformers:[0-9a-f]{12}:detector:real-${type}$`));
    } finally {
      await eye.close();
    }
  });

  it("shows OWLv2 a square, and gives boxes in the picture", async () => {
    const folder = join(root, "real-owlv2");
    await writeTinyDetector(folder, "owlv2");
    const eye = await openOpenVocabulary(folder, { ...real, classes: ["red", "blue"] });
    const wide = painted(32, 16, (x) => (x < 16 ? RED : BLUE));
    const found = await eye.detect(wide);
    await eye.close();
    expect(found.map(({ label, bbox }) => [label, ...bbox])).toEqual([
      ["red", 0, 0, 16, 16],
      ["blue", 16, 0, 32, 16],
    ]);
  });

  it("calls faint what is less sure than was asked for", async () => {
    const eye = await openOpenVocabulary(detector, { ...real, classes: ["red"], minScore: 0.99 });
    const found = await eye.detect(quarters(40, 24, [RED, GREY, GREY, BLUE]));
    expect(found.map(({ label, faint }) => [label, faint])).toEqual([["red", true]]);
    await eye.close();
  });

  it("says which kinds of models it takes", async () => {
    const folder = join(root, "real-other");
    await writeTinyDetector(folder, "owlvit");
    await writeFile(join(folder, "config.json"), '{"model_type": "bert"}');
    await expect(openOpenVocabulary(folder, { ...real, classes: ["mug"] })).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringMatching(/expected one of owlvit, owlv2, grounding-dino, got bert$/),
    });
  });
});

describe.skipIf(!installed)("a segmenter in the real package", () => {
  const side = SEGMENTER_SIDE;
  const inside = (x: number, y: number) => x >= 4 && x < 10 && y >= 4 && y < 10;
  // Another bright area farther away: only the widest mask includes it, and that one does not fit the box.
  const scene = painted(side, side, (x, y) =>
    inside(x, y) || (x === 14 && y === 13) ? [255, 255, 255] : [0, 0, 0],
  );

  it.each(["sam", "sam2"] as const)("cuts the thing out of its box with a tiny %s", async (type) => {
    const folder = join(root, `real-${type}`);
    await writeTinySegmenter(folder, type);
    const knife = await openSegmentAnything(folder, real);
    try {
      // Nothing is bright in the second box; there are more boxes than are cut at once.
      const boxes = [[4, 4, 10, 10], [11, 0, 16, 5], ...new Array(9).fill([4, 4, 10, 10])] as const;
      const { width, height, data } = await knife.segment(scene, boxes as never);
      expect([width, height]).toEqual([side, side]);
      const numbers = new Set<number>();
      data.forEach((number, at) => {
        expect(number > 0, `pixel ${at}`).toBe(inside(at % side, Math.floor(at / side)));
        numbers.add(number);
      });
      expect(numbers.has(2)).toBe(false);
      expect((await knife.segment(scene, [])).data.every((number) => number === 0)).toBe(true);
    } finally {
      await knife.close();
    }
  });
});

describe("cuts", () => {
  it("are chosen by the detector's box, and cut at it", () => {
    const [part, whole, more] = [
      [1, 0, 0, 0],
      [1, 1, 0, 0],
      [1, 1, 1, 1],
    ];
    const data = Uint8Array.from([part, whole, more].flatMap((row) => [...row!, ...row!]));
    const cuts = { width: 4, height: 2, count: 3, data };
    expect(bestCut(cuts, [0, 0, 2, 2])).toEqual([0, 1, 4, 5]);
    expect(bestCut(cuts, [0, 0, 4, 1])).toEqual([0, 1, 2, 3]);
    expect(bestCut({ ...cuts, count: 1 }, [2, 0, 4, 2])).toBeUndefined();
  });

  it("of small things lie on those of large ones", () => {
    expect([...paint([[1], [0, 1, 2], undefined], 3, 1).data]).toEqual([2, 1, 2]);
  });
});

describe("words to look for", () => {
  it("are cleaned, and refused where there are none or too many", () => {
    expect(checkClasses([" Coffee  mug", "chair", "chair"])).toEqual(["coffee mug", "chair"]);
    expect(() => checkClasses([])).toThrow(/needs 1 to 256 words to look for, got 0; say --classes/);
    expect(() => checkClasses(["mug", " "])).toThrow(/1 to 80 characters/);
    expect(() => checkClasses(Array.from({ length: 300 }, (_, i) => `word ${i}`))).toThrow(/got 300/);
  });

  it("are one text to Grounding DINO, and its pieces are words again", () => {
    expect(groundingText(["coffee mug", "st. bernard"])).toBe("coffee mug. st  bernard.");
    const classes = ["mug stand", "coffee mug", "chair"];
    expect(classOf("coffee mug", classes)).toBe("coffee mug");
    expect(classOf("mug", classes)).toBe("mug stand");
    expect(classOf("Chair.", classes)).toBe("chair");
    expect(classOf("##ff", classes)).toBeUndefined();
  });
});

describe("opening", () => {
  it("says in one line what to install", async () => {
    const nowhere = { packagesFrom: join(root, "empty") };
    const message =
      "@huggingface/transformers is not installed; run: npm install @huggingface/transformers@4.3.1";
    const refused = { code: "model-unavailable", message };
    await expect(openOpenVocabulary(detector, { ...nowhere, classes: ["mug"] })).rejects.toMatchObject(
      refused,
    );
    await expect(openSegmentAnything(segmenter, nowhere)).rejects.toMatchObject(refused);
  });

  it("says which files a folder lacks", async () => {
    await expect(openOpenVocabulary(segmenter, { ...fake, classes: ["mug"] })).rejects.toThrow(
      /holds no detector model: expected onnx\/model.onnx$/,
    );
    await expect(openSegmentAnything(detector, fake)).rejects.toThrow(
      /holds no segmenter model: expected onnx\/vision_encoder.onnx and onnx\/prompt_encoder_mask_decoder.onnx$/,
    );
    await expect(openOpenVocabulary("./nowhere", { ...fake, classes: ["mug"] })).rejects.toThrow(
      /no model folder/,
    );
  });

  it("leaves out what a model says that cannot be", async () => {
    const eye = await openOpenVocabulary(detector, { ...fake, classes: ["mug", "chair"] });
    try {
      expect(await eye.detect(quarters(40, 20, [RED, RED, RED, RED]))).toEqual([
        { label: "mug", score: 0.9, bbox: [0, 5, 20, 20] },
        { label: "chair", score: 0.09, bbox: [20, 0, 40, 10], faint: true },
      ]);
      await expect(
        eye.detect(quarters(40, 20, [RED, RED, RED, RED]), { signal: AbortSignal.abort() }),
      ).rejects.toMatchObject({ code: "aborted" });
    } finally {
      await eye.close();
    }
  });
});

/** The part of the package that the detector calls, so that our side is tested without the real one. */
async function writeFakePackage(folder: string): Promise<void> {
  const home = join(folder, "node_modules", "@huggingface", "transformers");
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "package.json"), '{"name": "@huggingface/transformers", "main": "fake.cjs"}');
  const source = `
    const box = (xmin, ymin, xmax, ymax) => ({ xmin, ymin, xmax, ymax });
    exports.env = {};
    exports.AutoConfig = { from_pretrained: async () => ({ model_type: "owlvit" }) };
    exports.RawImage = class { constructor(data) { if (!data.length) throw new Error("no picture"); } };
    exports.pipeline = async (task, model, options) => async (image, words, { threshold, percentage }) => {
      if (task !== "zero-shot-object-detection" || !percentage || words.join() !== "mug,chair")
        throw new Error("called wrongly");
      return [
        { label: "mug", score: 0.9, box: box(-0.2, 0.25, 0.5, 1.5) },
        { label: "mug", score: 0.8, box: box(0, 0.25, 0.5, 0.9) },
        { label: "chair", score: 0.09, box: box(0.5, 0, 1, 0.5) },
        { label: "chair", score: NaN, box: box(0, 0, 1, 1) },
        { label: "chair", score: 0.7, box: box(0.5, 0.5, 0.5, 0.5) },
        { label: "chair", score: 0.7, box: box(NaN, 0, 1, 1) },
      ];
    };`;
  await writeFile(join(home, "fake.cjs"), source);
}
