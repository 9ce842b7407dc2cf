import type { Belief } from "../../belief/belief.ts";
import { polygonArea, polygonContains } from "../../geometry/index.ts";
import type { FloorRaster, SceneMap } from "../../map/index.ts";
import { type Coverage, LIMITS } from "../../schema/core.ts";

/** How much of the floor was observed, room by room, and the time of the last observation. */
export async function coverageOf(map: SceneMap, memory: Belief, sinceUs = -LIMITS.timeUs): Promise<Coverage> {
  const names = new Map((await memory.rooms()).map(({ id, name }) => [id, name]));
  const floors = map.floors().filter(({ width, height }) => width * height > 0);
  const looks = new Map(floors.map((raster) => [raster.storey, map.looks(raster)]));
  return {
    nowUs: memory.nowUs,
    floors: floors.map(({ floorZ, known, cellM }, floor) => ({
      id: `world:${floor}`,
      floor,
      floorZ,
      seenM2: known.reduce((sum, one) => sum + one, 0) * cellM ** 2,
    })),
    rooms: map.rooms().flatMap(({ id, polygon, storey }) => {
      const name = names.get(id);
      const raster = floors.find((one) => one.storey === storey);
      if (name === undefined || raster === undefined) return [];
      const lastUs = lastLook(raster, looks.get(storey)!, polygon.points);
      return [
        {
          id,
          name,
          areaM2: Math.abs(polygonArea(polygon)),
          share: map.lookedShare(polygon, sinceUs),
          lastUs: lastUs === -Infinity ? null : lastUs,
        },
      ];
    }),
  };
}

function lastLook(
  { originX, originY, cellM, width, height }: FloorRaster,
  looks: Float64Array,
  points: readonly { readonly x: number; readonly y: number }[],
): number {
  let last = -Infinity;
  for (let row = 0; row < height; row++) {
    for (let column = 0; column < width; column++) {
      const us = looks[row * width + column]!;
      if (us <= last) continue;
      const at = { x: originX + (column + 0.5) * cellM, y: originY + (row + 0.5) * cellM, z: 0 };
      if (polygonContains({ points }, at)) last = us;
    }
  }
  return last;
}
