import { conjugate, rotate } from "../../geometry/index.ts";
import { type EyesInput, type Look, TOP } from "../../models/eyes/index.ts";
import type { RgbImage } from "../../schema/core.ts";
import type { Sight } from "./sight.ts";
import type { Turned } from "./turned.ts";
import type { CloserSayings, Sayings } from "./voxels.ts";

/** What the eyes are shown of a frame: its grid, and how the camera was held. */
export function shownOf(sight: Sight, rgb: RgbImage, floorZ: number): EyesInput {
  const { fx, fy, cx, cy, width, height } = sight.intrinsics;
  const { p, q } = sight.mapFromCamera;
  const up = rotate(conjugate(q), { x: 0, y: 0, z: 1 });
  return {
    width,
    height,
    rgb: coloursOf(sight, rgb),
    depth: sight.depthM,
    camera: { fx, fy, cx, cy },
    up: [up.x, up.y, up.z],
    height0: p.z - floorZ,
  };
}

/** The mean colour of what each place of the grid covers. */
function coloursOf({ width, height }: Sight, { width: across, height: down, data }: RgbImage): Uint8Array {
  if (across === width && down === height) return data;
  const out = new Uint8Array(3 * width * height);
  const [sx, sy] = [across / width, down / height];
  for (let j = 0, at = 0; j < height; j++) {
    const [top, bottom] = [Math.floor(j * sy), Math.max(Math.floor(j * sy) + 1, Math.floor((j + 1) * sy))];
    for (let i = 0; i < width; i++, at += 3) {
      const [left, right] = [Math.floor(i * sx), Math.max(Math.floor(i * sx) + 1, Math.floor((i + 1) * sx))];
      let [r, g, b, n] = [0, 0, 0, 0];
      for (let y = top; y < bottom; y++) {
        for (let from = 3 * (y * across + left), end = 3 * (y * across + right); from < end; from += 3) {
          r += data[from]!;
          g += data[from + 1]!;
          b += data[from + 2]!;
          n++;
        }
      }
      out[at] = r / n;
      out[at + 1] = g / n;
      out[at + 2] = b / n;
    }
  }
  return out;
}

/** What the eyes said, with the cell that each place of the grid lies in. */
export function sayingsOf(sight: Sight, shown: Turned, colours: Uint8Array, look: Look): Sayings {
  const { width, height } = sight;
  const { input, quarters, back } = shown;
  const cells = look.width * look.height;
  const [sx, sy] = [look.width / input.width, look.height / input.height];
  const cellOf = new Int32Array(width * height);
  const { across: ofColumns, down: ofRows } = cellsAlong(sight, shown, look);
  const isTurned = quarters % 2 === 1;
  for (let j = 0, at = 0; j < height; j++) {
    const ofRow = isTurned ? ofColumns[j]! : ofRows[j]! * look.width;
    for (let i = 0; i < width; i++, at++)
      cellOf[at] = ofRow + (isTurned ? ofRows[i]! * look.width : ofColumns[i]!);
  }
  const offset = new Float32Array(2 * cells);
  for (let cell = 0; cell < cells; cell++) {
    const [across, down] = back(look.offset[cell]! / sx, look.offset[cells + cell]! / sy);
    offset[cell] = across / sight.intrinsics.fx;
    offset[cells + cell] = down / sight.intrinsics.fy;
  }
  const { surface, boundary } = look;
  return {
    cells,
    cellOf,
    surface,
    boundary,
    offset,
    top: TOP,
    ...look.category,
    rgb: colours,
    closer: closerOf(look),
  };
}

function closerOf({ width, height, closer }: Look): CloserSayings | undefined {
  if (!closer) return undefined;
  const cellOf = new Int32Array(width * height);
  for (let j = 0, at = 0; j < height; j++)
    for (let i = 0; i < width; i++, at++) cellOf[at] = (j >> 1) * closer.width + (i >> 1);
  return { cellOf, ...closer.kind };
}

/**
 * The column of cells and the row of cells by what decides them: the column and the row of a picture that stands upright or
 * on its head, its row and its column where it lies on its side.
 */
function cellsAlong({ width, height }: Sight, { input, quarters, placeOf }: Turned, look: Look) {
  const [sx, sy] = [look.width / input.width, look.height / input.height];
  const [columns, rows] = quarters % 2 === 1 ? [height, width] : [width, height];
  const place = (n: number, isRow: boolean) =>
    isRow === (quarters % 2 === 1) ? placeOf(n, 0) : placeOf(0, n);
  return {
    across: Int32Array.from({ length: columns }, (_, n) =>
      Math.min(look.width - 1, Math.floor((place(n, false).column + 0.5) * sx)),
    ),
    down: Int32Array.from({ length: rows }, (_, n) =>
      Math.min(look.height - 1, Math.floor((place(n, true).row + 0.5) * sy)),
    ),
  };
}
