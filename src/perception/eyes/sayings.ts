import { conjugate, rotate } from "../../geometry/index.ts";
import { type EyesInput, type Look, TOP } from "../../models/eyes/index.ts";
import type { RgbImage } from "../../schema/core.ts";
import type { Sight } from "./sight.ts";
import type { Turned } from "./turned.ts";
import type { CloserSayings, Sayings } from "./voxels.ts";

/**
 * The network's input for a frame: its grid, and the camera's orientation. Colours are written into the buffer of an
 * earlier frame of this size that is no longer needed, if there is one.
 */
export function shownOf(sight: Sight, rgb: RgbImage, floorZ: number, room?: Uint8Array): EyesInput {
  const { fx, fy, cx, cy, width, height } = sight.intrinsics;
  const { p, q } = sight.mapFromCamera;
  const up = rotate(conjugate(q), { x: 0, y: 0, z: 1 });
  return {
    width,
    height,
    rgb: coloursOf(sight, rgb, room),
    depth: sight.depthM,
    camera: { fx, fy, cx, cy },
    up: [up.x, up.y, up.z],
    height0: p.z - floorZ,
  };
}

/** The mean colour of the pixels that each grid cell covers. */
function coloursOf({ width, height }: Sight, rgb: RgbImage, room?: Uint8Array): Uint8Array {
  const { width: across, height: down, data } = rgb;
  if (across === width && down === height) return data;
  const bytes = 3 * width * height;
  const out = room?.length === bytes ? room : new Uint8Array(new SharedArrayBuffer(bytes));
  const isHalf = across === 2 * width && down === 2 * height;
  const columns = edgesAlong(width, across / width);
  const rows = edgesAlong(height, down / height);
  for (let j = 0; j < height; j++) {
    if (isHalf) halfRow(data, 6 * j * across, 3 * across, out, 3 * j * width, 3 * width);
    else meanRow(rgb, rows[j]!, Math.max(rows[j]! + 1, rows[j + 1]!), columns, out, 3 * j * width);
  }
  return out;
}

/** A row of means over two by two pixels, the common case. */
function halfRow(
  data: Uint8Array,
  from: number,
  stride: number,
  out: Uint8Array,
  to: number,
  length: number,
): void {
  for (let n = 0, at = from; n < length; n += 3, at += 6) {
    const below = at + stride;
    out[to + n] = (data[at]! + data[at + 3]! + data[below]! + data[below + 3]!) >> 2;
    out[to + n + 1] = (data[at + 1]! + data[at + 4]! + data[below + 1]! + data[below + 4]!) >> 2;
    out[to + n + 2] = (data[at + 2]! + data[at + 5]! + data[below + 2]! + data[below + 5]!) >> 2;
  }
}

function meanRow(
  { width: across, data }: RgbImage,
  top: number,
  bottom: number,
  columns: Int32Array,
  out: Uint8Array,
  to: number,
): void {
  for (let i = 0, at = to; i + 1 < columns.length; i++, at += 3) {
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

/** The first pixel of each cell along one side, and the end of the last. */
function edgesAlong(places: number, pixels: number): Int32Array {
  return Int32Array.from({ length: places + 1 }, (_, n) => Math.floor(n * pixels));
}

/** The network's output, with the output cell that each grid cell lies in. */
export function sayingsOf(sight: Sight, shown: Turned, colours: Uint8Array, look: Look): Sayings {
  const { input, back } = shown;
  const cells = look.width * look.height;
  const [sx, sy] = [look.width / input.width, look.height / input.height];
  const cellOf = cellsOf(sight, shown, look);
  const offset = new Float32Array(2 * cells);
  // The rotation back is linear, so two directions define it.
  const { fx, fy } = sight.intrinsics;
  const [acrossX, downX] = back(1 / sx, 0);
  const [acrossY, downY] = back(0, 1 / sy);
  for (let row = 0; row < cells; row += look.width) {
    offsetRow(look.offset, offset, row, look.width, 0, acrossX, acrossY, fx);
    offsetRow(look.offset, offset, row, look.width, cells, downX, downY, fy);
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

/** A row of one of the two offset planes, rotated back and as a share of the distance. */
function offsetRow(
  from: Float32Array,
  to: Float32Array,
  row: number,
  width: number,
  plane: number,
  ofX: number,
  ofY: number,
  focal: number,
): void {
  const cells = from.length / 2;
  for (let cell = row; cell < row + width; cell++)
    to[plane + cell] = (ofX * from[cell]! + ofY * from[cells + cell]!) / focal;
}

function closerOf({ width, height, closer }: Look): CloserSayings | undefined {
  if (!closer) return undefined;
  return { cellOf: closerCells(width, height, closer.width), ...closer.kind };
}

/** Cell indices that are equal for all frames of a camera: the last ones are cached. */
function keepingLast<A extends readonly unknown[]>(
  keyOf: (...of: A) => string,
  make: (...of: A) => Int32Array,
): (...of: A) => Int32Array {
  let last: { readonly key: string; readonly cells: Int32Array } | undefined;
  return (...of) => {
    const key = keyOf(...of);
    if (last?.key !== key) last = { key, cells: make(...of) };
    return last.cells;
  };
}

const closerCells = keepingLast(
  (width: number, height: number, closerWidth: number) => `${width} ${height} ${closerWidth}`,
  (width, height, closerWidth) =>
    Int32Array.from(
      { length: width * height },
      (_, at) => (((at / width) | 0) >> 1) * closerWidth + ((at % width) >> 1),
    ),
);

const cellsOf = keepingLast(
  ({ width, height }: Sight, { input, quarters }: Turned, look: Look) =>
    `${width} ${height} ${input.width} ${input.height} ${quarters} ${look.width} ${look.height}`,
  (sight, shown, look) => {
    const { width, height } = sight;
    const { across, down } = cellsAlong(sight, shown, look);
    const isTurned = shown.quarters % 2 === 1;
    return Int32Array.from({ length: width * height }, (_, at) => {
      const [i, j] = [at % width, (at / width) | 0];
      return isTurned ? across[j]! + down[i]! * look.width : down[j]! * look.width + across[i]!;
    });
  },
);

/**
 * The output column and row of each grid column and row. In an upright or upside-down picture the column depends on
 * the column and the row on the row; in a picture on its side the other way round.
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
