import { apply, invert, type Vec3 } from "../../geometry/index.ts";
import { FREE, OCCUPIED } from "../../map/raster.ts";
import type { RgbImage } from "../../schema/index.ts";
import type { Frame, Stand } from "../../sensors/index.ts";
import type { Terrain } from "../ground/terrain.ts";

/** A place with the letter that it is offered by. */
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
/** Pixels of a picture for one of a letter. */
const SCALE = 4;
/** Letters are drawn on a picture of at least this width. */
const WIDTH_PX = 480;
/** Places nearer than this, or farther, are not told apart in a picture (explore-eqa's released code: up to 10 m). */
const NEAREST_M = 0.5;
const FARTHEST_M = 10;
/** The longest side of a plan, and the margin that is kept around what is known. */
const PLAN_PX = 640;
const MARGIN_CELLS = 4;
const ARROW_PX = 14;

const GREY = [120, 120, 120] as const;
const WHITE = [245, 245, 245] as const;
const BLACK = [20, 20, 20] as const;
const RED = [220, 30, 30] as const;

/** Those of some places that are in a picture, the nearest first. */
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

/** The view with a letter on each place that is in it; undefined where it has no colours or shows none. */
export function viewWith(
  frame: Frame,
  marks: readonly Mark[],
): { readonly picture: RgbImage; readonly letters: readonly string[] } | undefined {
  const shown = inPicture(frame, marks);
  if (frame.rgb === undefined || shown.length === 0) return undefined;
  const factor = Math.max(1, Math.ceil(WIDTH_PX / frame.rgb.width));
  const picture = enlarged(frame.rgb, factor);
  for (const { place, u, v } of shown)
    drawLetter(picture, place.letter, Math.round(u * factor), Math.round(v * factor));
  return { picture, letters: shown.map(({ place }) => place.letter) };
}

/** The floor from above as it is known, up is +y: white free, black occupied, grey unknown, the robot a red arrow. */
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
  for (const { letter, at: place } of marks) {
    const [u, v] = pixelOf(place);
    drawLetter(picture, letter, clamp(u, picture.width), clamp(v, picture.height));
  }
  return picture;
}

function clamp(pixel: number, side: number): number {
  return Math.min(side - 3 * SCALE, Math.max(3 * SCALE, pixel));
}

/** The cells around all that is known. */
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

/** A body and the way it faces. */
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

/** White on a black square, so that it can be read on anything. */
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
