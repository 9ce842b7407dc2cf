/**
 * How high letters must be to be read: words of houses in print and in the simulator's letters, slanted by 7°, by each
 * reader that is installed; and, of simulated recordings, the crops that the truth knows of things with writing on them.
 *   LOCI_PACKAGES=FOLDER node bench/reading.ts [--readers paddle,tesseract] [--words 10] [--views 3] [RECORDING…]
 * A word counts as read when all its letters and digits are right.
 */
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import sharp from "sharp";
import { openTextReader, type TextReader } from "../src/models/index.ts";
import type { RgbImage } from "../src/schema/index.ts";
import { textBitmap } from "../src/world/sensors/font.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    readers: { type: "string", default: "paddle" },
    words: { type: "string", default: "10" },
    views: { type: "string", default: "3" },
  },
});
const WORDS = [
  "SHAMPOO",
  "OAT MILK",
  "FRAGILE",
  "DENTIST 3 PM",
  "CAMPING",
  "HONEY POPS",
  "WALDEN",
  "VITAMINS",
];
const HEIGHTS_PX = [5, 7, 9, 11, 14, 18, 24];
const SLANT_DEG = 7;
const INK = [235, 235, 230];
const GROUND = [40, 70, 150];
/** Places each way in which a pixel is asked whether it is ink. */
const SAMPLES = 4;
/** A capital is this high in fonts of size 1. */
const CAPITAL = 0.72;

const lettersOf = (text: string) => text.toUpperCase().replace(/[^A-Z0-9]/g, "");

async function says(reader: TextReader, picture: RgbImage): Promise<string> {
  return lettersOf((await reader.read(picture)).map(({ text }) => text).join(""));
}

/** As the simulator's renderer draws them: by how much of each pixel they cover. */
async function simulated(word: string, px: number): Promise<RgbImage> {
  const { width: columns, height: rows, pixels } = textBitmap(word);
  const cell = px / rows;
  const [width, height] = [Math.ceil(1.3 * columns * cell + 10), Math.ceil(3 * px + 0.1 * columns * cell)];
  const data = new Uint8Array(3 * width * height);
  const [c, s] = [Math.cos((SLANT_DEG * Math.PI) / 180), Math.sin((SLANT_DEG * Math.PI) / 180)];
  const isInk = (x: number, y: number) => {
    const column = Math.floor((c * x + s * y) / cell + columns / 2);
    const row = Math.floor((c * y - s * x) / cell + rows / 2);
    return column >= 0 && column < columns && row >= 0 && pixels[row * columns + column] === 1;
  };
  for (let at = 0; at < width * height; at++) {
    const [left, top] = [(at % width) - width / 2, Math.floor(at / width) - height / 2];
    const inside = [...Array(SAMPLES ** 2).keys()].filter((n) =>
      isInk(left + ((n % SAMPLES) + 0.5) / SAMPLES, top + (Math.floor(n / SAMPLES) + 0.5) / SAMPLES),
    ).length;
    const ink = inside / SAMPLES ** 2;
    data.set(
      INK.map((value, k) => Math.round(ink * value + (1 - ink) * GROUND[k]!)),
      3 * at,
    );
  }
  return { width, height, data };
}

async function printed(word: string, px: number): Promise<RgbImage> {
  const size = px / CAPITAL;
  const width = Math.ceil(0.8 * word.length * size + 20);
  const height = Math.ceil(3 * px + 0.1 * width);
  const [x, y] = [width / 2, height / 2];
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><rect width="${width}" height="${height}" fill="rgb(${GROUND})"/><text x="${x}" y="${y + px / 2}" text-anchor="middle" font-size="${size}" font-family="sans-serif" fill="rgb(${INK})" transform="rotate(${SLANT_DEG} ${x} ${y})">${word}</text></svg>`;
  return {
    width,
    height,
    data: new Uint8Array(await sharp(Buffer.from(svg)).removeAlpha().raw().toBuffer()),
  };
}

const LETTERS: Readonly<Record<string, (word: string, px: number) => Promise<RgbImage>>> = {
  print: printed,
  "the simulator's letters": simulated,
};

interface TruthFile {
  readonly house: { readonly things: readonly { readonly id: string; readonly text?: string }[] };
  readonly frames: readonly {
    readonly index: number;
    readonly visible: readonly {
      thing: string;
      pixels: number;
      bbox: [number, number, number, number];
    }[];
  }[];
}

/** The largest crops of each thing with writing, with a margin. */
async function* cropsOf(folder: string, views: number): AsyncGenerator<{ text: string; picture: RgbImage }> {
  const truth = JSON.parse(readFileSync(join(folder, "truth.json"), "utf8")) as TruthFile;
  for (const { id, text } of truth.house.things) {
    if (text === undefined) continue;
    const looks = truth.frames
      .flatMap(({ index, visible }) =>
        visible.filter(({ thing }) => thing === id).map((seen) => ({ index, ...seen })),
      )
      .sort((a, b) => b.pixels - a.pixels)
      .slice(0, views);
    for (const { index, bbox } of looks) {
      const file = sharp(join(folder, `frame-${String(index).padStart(6, "0")}.color.png`)).removeAlpha();
      const { width, height } = await file.metadata();
      const margin = 3 + 0.1 * Math.max(bbox[2] - bbox[0], bbox[3] - bbox[1]);
      const [left, top] = [bbox[0], bbox[1]].map((side) => Math.max(0, Math.floor(side - margin))) as [
        number,
        number,
      ];
      const box = {
        left,
        top,
        width: Math.min(width, Math.ceil(bbox[2] + margin)) - left,
        height: Math.min(height, Math.ceil(bbox[3] + margin)) - top,
      };
      const data = new Uint8Array(await file.extract(box).raw().toBuffer());
      yield { text, picture: { width: box.width, height: box.height, data } };
    }
  }
}

for (const choice of values.readers.split(",")) {
  const reader = await openTextReader(choice, process.env);
  if (reader === null) continue;
  const words = WORDS.slice(0, Number(values.words));
  for (const [kind, draw] of Object.entries(LETTERS)) {
    const cells: string[] = [];
    for (const px of HEIGHTS_PX) {
      const read = await Promise.all(words.map(async (word) => says(reader, await draw(word, px))));
      const right = read.filter((said, n) => said === lettersOf(words[n]!)).length;
      const wrong = read.filter((said) => said !== "").length - right;
      cells.push(`${px} px ${right} right ${wrong} wrong`);
    }
    console.log(`${reader.id}, ${kind}, of ${words.length}: ${cells.join("; ")}`);
  }
  for (const folder of positionals) {
    let [crops, right, wrong] = [0, 0, 0];
    const startedUs = process.cpuUsage();
    for await (const { text, picture } of cropsOf(folder, Number(values.views))) {
      const said = await says(reader, picture);
      crops++;
      if (said === lettersOf(text)) right++;
      else if (said !== "") wrong++;
    }
    const { user, system } = process.cpuUsage(startedUs);
    const each = (user + system) / 1e3 / Math.max(1, crops);
    console.log(
      `${reader.id}, ${folder}: ${crops} crops, ${right} right, ${wrong} wrong, ${each.toFixed(0)} ms of processor each`,
    );
  }
  await reader.close();
}
