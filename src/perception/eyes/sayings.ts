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
  const columns = edgesAlong(width, across / width);
  const rows = edgesAlong(height, down / height);
  for (let j = 0, at = 0; j < height; j++) {
    const top = rows[j]!;
    const bottom = Math.max(top + 1, rows[j + 1]!);
    for (let i = 0; i < width; i++, at += 3) {
      const left = columns[i]!;
      const right = Math.max(left + 1, columns[i + 1]!);
      let r = 0;
      let g = 0;
      let b = 0;
      for (let y = top; y < bottom; y++) {
        const end = 3 * (y * across + right);
        for (let from = 3 * (y * across + left); from < end; from += 3) {
          r += data[from]!;
          g += data[from + 1]!;
          b += data[from + 2]!;
        }
      }
      const n = (right - left) * (bottom - top);
      out[at] = r / n;
      out[at + 1] = g / n;
      out[at + 2] = b / n;
    }
  }
  return out;
}

/** The first pixel of each place along one side, and the one behind the last. */
function edgesAlong(places: number, pixels: number): Int32Array {
  return Int32Array.from({ length: places + 1 }, (_, n) => Math.floor(n * pixels));
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
  // Turning back is linear: two directions say it all.
  const { fx, fy } = sight.intrinsics;
  const [acrossX, downX] = back(1 / sx, 0);
  const [acrossY, downY] = back(0, 1 / sy);
  for (let cell = 0; cell < cells; cell++) {
    const x = look.offset[cell]!;
    const y = look.offset[cells + cell]!;
    offset[cell] = (acrossX * x + acrossY * y) / fx;
    offset[cells + cell] = (downX * x + downY * y) / fy;
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
