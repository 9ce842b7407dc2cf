import { distanceTransform } from "../../map/distance-transform.ts";
import type { FloorRaster } from "../../map/index.ts";
import type { MapSketch, SketchThing } from "./sketch.ts";
import { type WallPoints, wallPointsOf } from "./walls.ts";

/** One storey of one map, prepared for comparison with another. */
export interface FloorSide {
  readonly raster: FloorRaster;
  readonly walls: WallPoints;
  /** From each cell to the nearest wall, in metres. */
  readonly toWallM: Float32Array;
  /** Which point of wall each cell is, plus one; 0 for none. */
  readonly wallAt: Int32Array;
  readonly knownM2: number;
  /** The share of the known area within reach of a wall, and the share that is wall: the hit rates of chance. */
  readonly nearWall: number;
  readonly isWall: number;
}

/** One of the two maps. */
export interface MapSide {
  readonly things: readonly SketchThing[];
  readonly byCategory: ReadonlyMap<string, readonly SketchThing[]>;
  readonly floors: readonly FloorSide[];
  readonly knownM2: number;
}

/** Walls of two maps match within this distance. */
export const ON_WALL_M = 0.16;

export function sideOf({ things, floors }: MapSketch): MapSide {
  const sides = floors.map(floorSideOf);
  return {
    things,
    byCategory: Map.groupBy(things, ({ category }) => category),
    floors: sides,
    knownM2: sides.reduce((sum, { knownM2 }) => sum + knownM2, 0),
  };
}

function floorSideOf(raster: FloorRaster): FloorSide {
  const { wall, known, width, height, cellM } = raster;
  const toWallM = distanceTransform(wall, width, height).map((cells) => cells * cellM);
  let [seen, near, walls] = [0, 0, 0];
  for (let at = 0; at < known.length; at++) {
    if (!known[at]) continue;
    seen++;
    if (toWallM[at]! <= ON_WALL_M) near++;
    if (wall[at]) walls++;
  }
  const wallAt = new Int32Array(wall.length);
  let points = 0;
  for (let at = 0; at < wall.length; at++) if (wall[at]) wallAt[at] = ++points;
  return {
    raster,
    walls: wallPointsOf(raster),
    wallAt,
    toWallM,
    knownM2: seen * cellM ** 2,
    nearWall: near / Math.max(1, seen),
    isWall: walls / Math.max(1, seen),
  };
}

/** The cell of a raster that contains a point, or -1 outside of it. */
export function cellAt(
  { originX, originY, cellM, width, height }: FloorRaster,
  x: number,
  y: number,
): number {
  const column = Math.floor((x - originX) / cellM);
  const row = Math.floor((y - originY) / cellM);
  return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column;
}

/** The storey of a map whose floor is near a height, if there is one. */
export function floorAt(side: MapSide, z: number, withinM: number): FloorSide | undefined {
  return side.floors.find(({ raster }) => Math.abs(raster.floorZ - z) <= withinM);
}
