import { type FloorRaster, SceneMap } from "../../map/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { WorldOptions } from "./world.ts";

const FREE = 1;
/** Height of walls in drawings: what is above door height is seldom fully observed. */
export const WALL_HEIGHT_M = 2.4;

/** An axis-aligned piece of wall. */
export interface WallBlock {
  readonly minX: number;
  readonly minY: number;
  readonly maxX: number;
  readonly maxY: number;
  readonly floorZ: number;
}

/**
 * The storeys of the map at a moment, lowest first; none without depth observations. At most the rest of the submap
 * that was being built at that moment comes from later.
 */
export async function readStoreys(reader: MemoryReader, options: WorldOptions = {}): Promise<FloorRaster[]> {
  const { records } = await reader.stats();
  if (records.region === 0) return [];
  const { sceneId, atUs } = options;
  const map = await SceneMap.open(reader, {
    ...(sceneId !== undefined && { sceneId }),
    ...(atUs !== undefined && { untilUs: atUs }),
  });
  return map.floors().filter(({ width, height }) => width * height > 0);
}

/**
 * Wall cells as few large blocks: runs along x, merged along y where they are equal. Lintels are passable and left
 * out.
 */
export function wallBlocks({ width, height, state, wall, cellM, originX, originY, floorZ }: FloorRaster) {
  const blocks: WallBlock[] = [];
  let open = new Map<string, { from: number; to: number; since: number }>();
  const close = (run: { from: number; to: number; since: number }, end: number) =>
    blocks.push({
      minX: originX + run.from * cellM,
      maxX: originX + run.to * cellM,
      minY: originY + run.since * cellM,
      maxY: originY + end * cellM,
      floorZ,
    });
  for (let y = 0; y <= height; y++) {
    const next: typeof open = new Map();
    for (let x = 0; y < height && x < width; x++) {
      const from = x;
      while (x < width && wall[y * width + x] && state[y * width + x] !== FREE) x++;
      if (x === from) continue;
      const key = `${from}-${x}`;
      next.set(key, open.get(key) ?? { from, to: x, since: y });
    }
    for (const [key, run] of open) if (!next.has(key)) close(run, y);
    open = next;
  }
  return blocks;
}
