import { apply, invert, type Vec3 } from "../../geometry/index.ts";
import { FREE, OCCUPIED } from "../../map/raster.ts";
import type { RgbImage } from "../../schema/index.ts";
import type { Frame, Stand } from "../../sensors/index.ts";
import type { Terrain } from "../ground/terrain.ts";

/** A place with its letter. */
export interface Mark {
  readonly letter: string;
  readonly at: Vec3;
}

export const LETTERS = "ABCDEFGH";
/** Rows of three bits, the leftmost pixel highest. */
const GLYPHS: Readonly<Record<string, readonly number[]>> = {
  A: [2, 5, 7, 5, 5],
  B: [6, 5, 6, 5, 6],
  C: [3, 4, 4, 4, 3],
  D: [6, 5, 5, 5, 6],
  E: [7, 4, 6, 4, 7],
  F: [7, 4, 6, 4, 4],
  G: [3, 4, 5, 5, 3],
  H: [5, 5, 7, 5, 5],
};
/** Picture pixels per glyph pixel. */
const SCALE = 4;
/** Least width of a picture with letters. */
const WIDTH_PX = 480;
/** Distances at which places can be told apart in a picture (explore-eqa's released code: up to 10 m). */
const NEAREST_M = 0.5;
const FARTHEST_M = 10;
/** The longest side of a plan, and its margin around the known area. */
const PLAN_PX = 640;
const MARGIN_CELLS = 4;
const ARROW_PX = 14;

const GREY = [120, 120, 120] as const;
const WHITE = [245, 245, 245] as const;
const BLACK = [20, 20, 20] as const;
const RED = [220, 30, 30] as const;

/** The places that are within a picture, nearest first. */
export function inPicture<T extends { readonly at: Vec3 }>(
  { worldFromCamera, intrinsics }: Frame,
  places: readonly T[],
): { readonly place: T; readonly u: number; readonly v: number }[] {
  if (worldFromCamera === undefined) return [];
  const cameraFromWorld = invert(worldFromCamera);
  const { fx, fy, cx, cy, width, height } = intrinsics;
  return places
    .flatMap((place) => {
      const { x, y, z } = apply(cameraFromWorld, place.at);
      if (z < NEAREST_M || z > FARTHEST_M) return [];
      const [u, v] = [cx + (fx * x) / z, cy + (fy * y) / z];
      return u < 0 || v < 0 || u >= width || v >= height ? [] : [{ place, u, v, z }];
    })
    .sort((a, b) => a.z - b.z);
}

/** The view with a letter on each place in it; undefined if it has no colours or shows none. */
export function viewWith(
  frame: Frame,
  marks: readonly Mark[],
): { readonly picture: RgbImage; readonly letters: readonly string[] } | undefined {
  const shown = inPicture(frame, marks);
  if (frame.rgb === undefined || shown.length === 0) return undefined;
  const factor = Math.max(1, Math.ceil(WIDTH_PX / frame.rgb.width));
  const picture = enlarged(frame.rgb, factor);
  drawLetters(
    picture,
    shown.map(({ place: { letter }, u, v }) => ({
      letter,
      at: [Math.round(u * factor), Math.round(v * factor)],
    })),
  );
  return { picture, letters: shown.map(({ place }) => place.letter) };
}

/** The known floor from above, +y up: white free, black occupied, grey unknown, the robot a red arrow. */
export function planWith({ raster }: Terrain, at: Stand, marks: readonly Mark[]): RgbImage {
  const { originX, originY, cellM } = raster;
  const { fromU, toU, fromV, toV } = knownPart(raster);
  const [columns, rows] = [toU - fromU, toV - fromV];
  const each = Math.max(1, Math.floor(PLAN_PX / Math.max(columns, rows)));
  const picture = {
    width: columns * each,
    height: rows * each,
    data: new Uint8Array(columns * rows * each * each * 3),
  };
  for (let v = 0; v < rows; v++)
    for (let u = 0; u < columns; u++) {
      const state = raster.state[(fromV + v) * raster.width + fromU + u];
      const colour = state === FREE ? WHITE : state === OCCUPIED ? BLACK : GREY;
      fill(picture, u * each, (rows - 1 - v) * each, each, colour);
    }
  const pixelOf = ({ x, y }: Vec3): [number, number] => [
    Math.round(((x - originX) / cellM - fromU) * each),
    Math.round((rows - ((y - originY) / cellM - fromV)) * each),
  ];
  drawArrow(picture, pixelOf(at.positionInWorld), at.yawRad);
  drawLetters(
    picture,
    marks.map(({ letter, at: place }) => ({ letter, at: pixelOf(place) })),
  );
  return picture;
}

type Pixel = readonly [number, number];

/** Side of a letter's square in pixels. */
export const LETTER_PX = 6 * SCALE;
/** Number of rings of half-square steps tried around a place; far more than the letters need. */
const RINGS = 16;

/** Centres of squares within a picture that overlap no other, each as near to its place as possible. */
export function apart(places: readonly Pixel[], width: number, height: number): Pixel[] {
  const half = LETTER_PX / 2;
  const inside = ([u, v]: Pixel): Pixel => [
    Math.min(width - half, Math.max(half, u)),
    Math.min(height - half, Math.max(half, v)),
  ];
  const taken: Pixel[] = [];
  const isFree = ([u, v]: Pixel) =>
    taken.every(([x, y]) => Math.abs(u - x) >= LETTER_PX || Math.abs(v - y) >= LETTER_PX);
  for (const place of places) {
    const own = inside(place);
    taken.push(around(own, half).map(inside).find(isFree) ?? own);
  }
  return taken;
}

/** A pixel and a grid around it, nearest first. */
function around([u, v]: Pixel, step: number): Pixel[] {
  const steps = Array.from({ length: 2 * RINGS + 1 }, (_, n) => n - RINGS);
  return steps
    .flatMap((i) => steps.map((j): Pixel => [i, j]))
    .sort(([a, b], [c, d]) => a * a + b * b - (c * c + d * d))
    .map(([i, j]): Pixel => [u + i * step, v + j * step]);
}

/** Draws letters, side by side where their places are too close, each with a line to its place if it was moved. */
function drawLetters(
  picture: RgbImage,
  marks: readonly { readonly letter: string; readonly at: Pixel }[],
): void {
  const places = apart(
    marks.map(({ at }) => at),
    picture.width,
    picture.height,
  );
  for (const [n, { at }] of marks.entries()) drawLine(picture, at, places[n]!);
  for (const [n, { letter }] of marks.entries()) drawLetter(picture, letter, ...places[n]!);
}

function drawLine(picture: RgbImage, [u, v]: Pixel, [x, y]: Pixel): void {
  const length = Math.ceil(Math.hypot(x - u, y - v));
  for (let n = 0; n < length; n++) {
    const share = n / length;
    fill(picture, Math.round(u + share * (x - u)), Math.round(v + share * (y - v)), 2, RED);
  }
}

/** The bounds of the known cells. */
function knownPart({ state, width, height }: Terrain["raster"]) {
  let [fromU, toU, fromV, toV] = [width, 0, height, 0];
  for (let v = 0; v < height; v++)
    for (let u = 0; u < width; u++) {
      const cell = state[v * width + u];
      if (cell !== FREE && cell !== OCCUPIED) continue;
      [fromU, toU] = [Math.min(fromU, u), Math.max(toU, u + 1)];
      [fromV, toV] = [Math.min(fromV, v), Math.max(toV, v + 1)];
    }
  if (toU === 0) return { fromU: 0, toU: width, fromV: 0, toV: height };
  return {
    fromU: Math.max(0, fromU - MARGIN_CELLS),
    toU: Math.min(width, toU + MARGIN_CELLS),
    fromV: Math.max(0, fromV - MARGIN_CELLS),
    toV: Math.min(height, toV + MARGIN_CELLS),
  };
}

function enlarged({ width, height, data }: RgbImage, factor: number): RgbImage {
  const out = new Uint8Array(width * height * factor * factor * 3);
  for (let j = 0; j < height * factor; j++)
    for (let i = 0; i < width * factor; i++) {
      const from = (Math.floor(j / factor) * width + Math.floor(i / factor)) * 3;
      out.set(data.subarray(from, from + 3), (j * width * factor + i) * 3);
    }
  return { width: width * factor, height: height * factor, data: out };
}

type Colour = readonly [number, number, number];

function fill({ width, height, data }: RgbImage, u: number, v: number, side: number, colour: Colour): void {
  for (let j = Math.max(0, v); j < Math.min(height, v + side); j++)
    for (let i = Math.max(0, u); i < Math.min(width, u + side); i++) data.set(colour, (j * width + i) * 3);
}

/** A body and its heading. */
function drawArrow(picture: RgbImage, [u, v]: readonly [number, number], yawRad: number): void {
  for (let along = -ARROW_PX; along <= ARROW_PX; along++) {
    const half = (ARROW_PX - along) / 4;
    for (let across = -half; across <= half; across += 0.5) {
      const [dx, dy] = [
        along * Math.cos(yawRad) - across * Math.sin(yawRad),
        along * Math.sin(yawRad) + across * Math.cos(yawRad),
      ];
      fill(picture, Math.round(u + dx), Math.round(v - dy), 1, RED);
    }
  }
}

/** White on a black square, readable on any background. */
function drawLetter(picture: RgbImage, letter: string, u: number, v: number): void {
  const glyph = GLYPHS[letter] ?? [];
  const half = 3 * SCALE;
  fill(picture, u - half, v - half, 2 * half, [0, 0, 0]);
  for (const [row, bits] of glyph.entries())
    for (let column = 0; column < 3; column++)
      if ((bits >> (2 - column)) & 1)
        fill(
          picture,
          Math.round(u - half + (column + 1.5) * SCALE),
          Math.round(v - half + (row + 0.5) * SCALE),
          SCALE,
          [255, 255, 255],
        );
}
