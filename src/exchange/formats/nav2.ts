import { basename } from "node:path";
import type { FloorRaster } from "../../map/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { LociError } from "../../schema/core.ts";
import { writeWhole } from "../whole-file.ts";
import { readStoreys } from "../world/storeys.ts";
import type { ExportOptions, ExportReport } from "./format.ts";

/** Pixel values of Nav2's map_server: occupied, free, unknown; `free_thresh` is just below the value of unknown. */
const PIXELS = { unknown: 205, free: 254, occupied: 0 } as const;
/** Nav2's usual metres a pixel, and what is accepted. */
const RESOLUTION_M = 0.05;
const [MIN_RESOLUTION_M, MAX_RESOLUTION_M] = [0.01, 1];
/** A picture of 100 MB. */
const MAX_PIXELS = 100_000_000;
/** Of a cell: what floating point may add to a ratio of whole numbers. */
const ROUNDING = 1e-6;
const FREE = 1;
const OCCUPIED = 2;

/**
 * One storey for Nav2's map_server: a picture (PGM, the first row is the farthest to +y) and the YAML with its
 * origin. The YAML is written last, so that it never exists without the picture.
 */
export async function exportNav2(
  reader: MemoryReader,
  path: string,
  options: ExportOptions,
): Promise<ExportReport> {
  const floors = await readStoreys(reader, options);
  if (floors.length === 0)
    throw new LociError(
      "invalid-input",
      "this memory holds no map: nothing was seen with depth in this scene",
    );
  const floor = options.floor ?? floors.indexOf(widest(floors));
  const raster = floors[floor];
  if (raster === undefined)
    throw new LociError("invalid-input", `expected a floor from 0 to ${floors.length - 1}, got ${floor}`);
  const { resolutionM = RESOLUTION_M } = options;
  if (!(resolutionM >= MIN_RESOLUTION_M && resolutionM <= MAX_RESOLUTION_M))
    throw new LociError(
      "invalid-input",
      `expected a resolution from ${MIN_RESOLUTION_M} to ${MAX_RESOLUTION_M} m a pixel, got ${resolutionM}`,
    );
  const grid = sampled(raster, resolutionM);
  if (grid.width * grid.height > MAX_PIXELS)
    throw new LociError(
      "invalid-input",
      `at ${resolutionM} m the map has ${grid.width} × ${grid.height} pixels, at most ${MAX_PIXELS} are written: choose a coarser --resolution`,
    );
  const stem = path.replace(/\.(ya?ml|pgm)$/i, "");
  const [picture, text] = [`${stem}.pgm`, `${stem}.yaml`];
  const pictureBytes = await writeWhole(picture, pgmPieces(grid), options.signal);
  const textBytes = await writeWhole(text, [yamlOf(grid, basename(picture))], options.signal);
  return {
    bytes: pictureBytes + textBytes,
    counts: { floor, floors: floors.length, width: grid.width, height: grid.height },
    notes: [
      ...(options.atUs === undefined ? [] : ["the ground is as last known, whatever the time asked for"]),
      ...(resolutionM < raster.cellM
        ? [`the memory's own grid has ${raster.cellM} m: finer pixels repeat it`]
        : []),
      ...(floors.length > 1 && options.floor === undefined
        ? [`floor ${floor} of ${floors.length}, the widest; choose another with --floor`]
        : []),
    ],
    beside: [picture, text].filter((file) => file !== path),
  };
}

type Grid = Pick<FloorRaster, "width" | "height" | "state" | "cellM" | "originX" | "originY">;

/** A storey at another resolution. A pixel over several cells is as bad as its worst: occupied, then unknown. */
function sampled({ width, height, state, cellM, originX, originY }: FloorRaster, resolutionM: number): Grid {
  if (resolutionM === cellM) return { width, height, state, cellM, originX, originY };
  const scale = resolutionM / cellM;
  const [across, up] = [Math.ceil(width / scale - ROUNDING), Math.ceil(height / scale - ROUNDING)];
  const made = new Uint8Array(across * up);
  const cells = (pixel: number, most: number): [number, number] => [
    Math.floor(pixel * scale + ROUNDING),
    Math.min(
      most,
      Math.max(Math.floor(pixel * scale + ROUNDING) + 1, Math.ceil((pixel + 1) * scale - ROUNDING)),
    ),
  ];
  for (let y = 0; y < up; y++) {
    const [fromY, toY] = cells(y, height);
    for (let x = 0; x < across; x++) {
      const [fromX, toX] = cells(x, width);
      let worst = FREE;
      for (let row = fromY; row < toY; row++)
        for (let column = fromX; column < toX; column++) {
          const cell = state[row * width + column]!;
          if (cell === OCCUPIED || (cell !== FREE && worst === FREE)) worst = cell;
        }
      made[y * across + x] = worst;
    }
  }
  return { width: across, height: up, state: made, cellM: resolutionM, originX, originY };
}

function* pgmPieces({ width, height, state }: Grid): Generator<Uint8Array | string> {
  yield `P5\n${width} ${height}\n255\n`;
  for (let y = height - 1; y >= 0; y--) {
    const row = new Uint8Array(width);
    for (let x = 0; x < width; x++) {
      const cell = state[y * width + x];
      row[x] = cell === FREE ? PIXELS.free : cell === OCCUPIED ? PIXELS.occupied : PIXELS.unknown;
    }
    yield row;
  }
}

/** The origin is the lower left corner of the bottom left pixel, where the raster begins. */
function yamlOf({ cellM, originX, originY }: Grid, image: string): string {
  const metres = (value: number) => Number(value.toFixed(6));
  return [
    // JSON is YAML: a name with a colon or a quote stays intact.
    `image: ${JSON.stringify(image)}`,
    "mode: trinary",
    `resolution: ${metres(cellM)}`,
    `origin: [${metres(originX)}, ${metres(originY)}, 0.0]`,
    "negate: 0",
    "occupied_thresh: 0.65",
    "free_thresh: 0.196",
    "",
  ].join("\n");
}

function widest(floors: readonly FloorRaster[]): FloorRaster {
  const known = ({ state }: FloorRaster) => state.reduce((sum, cell) => sum + (cell === 0 ? 0 : 1), 0);
  return floors.reduce((best, floor) => (known(floor) > known(best) ? floor : best));
}
