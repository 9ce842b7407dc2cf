import { createHash } from "node:crypto";
import type { FloorRaster, SceneMap } from "../../map/index.ts";
import { type DrawnGround, GROUND } from "../picture/drawing.ts";
import { openingsOf } from "../picture/openings.ts";
import { encodeBlock } from "./block.ts";
import { FEED_FORMAT, OPEN } from "./decode.ts";

/** One storey of a map: observed and unobserved ground, walls, passages, and when each cell was last observed. */
export interface GroundFloor {
  /** The map, and the storey's number from the lowest: "world:0". */
  readonly id: string;
  readonly etag: string;
  readonly map: string;
  readonly floor: number;
  readonly floorZ: number;
  /** Observed area, square metres. */
  readonly seenM2: number;
  readonly bytes: Uint8Array<ArrayBuffer>;
}

/** The storeys of a map from above, lowest first. */
export function groundOf(map: SceneMap, name: string): GroundFloor[] {
  return map
    .floors()
    .filter(({ width, height }) => width * height > 0)
    .map((raster, floor) => floorOf(map, raster, name, floor));
}

function floorOf(map: SceneMap, raster: FloorRaster, name: string, floor: number): GroundFloor {
  const { originX, originY, cellM, width, height, floorZ, state, wall, known } = raster;
  const cell = state.map((value, i) => {
    if (!wall[i]) return value;
    return value === GROUND.free ? GROUND.lintel : GROUND.wall;
  });
  const looks = map.looks(raster);
  const timeOriginUs = Math.round(
    looks.reduce((least, us) => (us > -Infinity && us < least ? us : least), Infinity),
  );
  const looked = Float32Array.from(looks, (us) => (us === -Infinity ? -OPEN : (us - timeOriginUs) / 1e6));
  const scene: DrawnGround = {
    floor,
    originM: { x: originX, y: originY },
    cellM,
    columns: width,
    rows: height,
    cells: cell,
  };
  const rooms = map
    .rooms()
    .filter(({ storey }) => storey === raster.storey)
    .map((room) => ({ name: room.name, ring: room.polygon.points, floor }));
  const header = {
    format: FEED_FORMAT,
    map: name,
    floor,
    floorZ,
    originX,
    originY,
    cellM,
    width,
    height,
    timeOriginUs: Number.isFinite(timeOriginUs) ? timeOriginUs : 0,
    openings: openingsOf(scene, rooms).map(({ from, to }) => ({ from, to })),
  };
  const bytes = encodeBlock("ground", header, { cell, looked });
  return {
    id: `${name}:${floor}`,
    etag: createHash("sha256").update(bytes).digest("hex").slice(0, 24),
    map: name,
    floor,
    floorZ,
    seenM2: known.reduce((sum, one) => sum + one, 0) * cellM ** 2,
    bytes,
  };
}
