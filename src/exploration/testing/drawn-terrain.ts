import type { FloorRaster } from "../../map/index.ts";
import { Terrain } from "../ground/terrain.ts";

/**
 * A floor drawn in characters, the first line at the top: `.` free, `#` wall, `o` furniture, space unknown. Each
 * character is `cells` cells of a tenth of a metre wide and high.
 */
export function drawnTerrain(lines: readonly string[], cells = 5, radiusM = 0.2): Terrain {
  const width = Math.max(...lines.map((line) => line.length)) * cells;
  const height = lines.length * cells;
  const state = new Uint8Array(width * height);
  const wall = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const line = lines[lines.length - 1 - Math.floor(y / cells)]!;
    for (let x = 0; x < width; x++) {
      const sign = line[Math.floor(x / cells)] ?? " ";
      state[y * width + x] = sign === " " ? 0 : sign === "." ? 1 : 2;
      wall[y * width + x] = sign === "#" ? 1 : 0;
    }
  }
  const known = state.map((value) => (value === 0 ? 0 : 1));
  const raster: FloorRaster = {
    storey: 0,
    floorZ: 0,
    originX: 0,
    originY: 0,
    cellM: 0.1,
    width,
    height,
    state,
    wall,
    known,
  };
  return new Terrain(raster, radiusM);
}
