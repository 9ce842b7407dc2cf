import { basename } from "node:path";
import type { FloorRaster } from "../../map/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { LociError } from "../../schema/core.ts";
import { writeWhole } from "../whole-file.ts";
import { readStoreys } from "../world/storeys.ts";
import type { ExportOptions, ExportReport } from "./format.ts";

/** Pixel values of Nav2's map_server: occupied, free, unknown; `free_thresh` is just below the value of unknown. */
const PIXELS = { unknown: 205, free: 254, occupied: 0 } as const;
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
  const stem = path.replace(/\.(ya?ml|pgm)$/i, "");
  const [picture, text] = [`${stem}.pgm`, `${stem}.yaml`];
  const pictureBytes = await writeWhole(picture, pgmPieces(raster), options.signal);
  const textBytes = await writeWhole(text, [yamlOf(raster, basename(picture))], options.signal);
  return {
    bytes: pictureBytes + textBytes,
    counts: { floor, floors: floors.length, width: raster.width, height: raster.height },
    notes: [
      ...(options.atUs === undefined ? [] : ["the ground is as last known, whatever the time asked for"]),
      ...(floors.length > 1 && options.floor === undefined
        ? [`floor ${floor} of ${floors.length}, the widest; choose another with --floor`]
        : []),
    ],
    beside: [picture, text].filter((file) => file !== path),
  };
}

function* pgmPieces({ width, height, state }: FloorRaster): Generator<Uint8Array | string> {
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
function yamlOf({ cellM, originX, originY }: FloorRaster, image: string): string {
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
