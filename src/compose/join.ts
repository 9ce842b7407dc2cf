import type { MapJoin } from "../sharing/index.ts";
import type { Memory } from "./memory.ts";

/**
 * Joins the maps of a scene that nobody has aligned, as far as they can be recognised in one another. Where there is one
 * map only, this costs one search.
 */
export async function joinScene(memory: Memory, sceneId: string): Promise<MapJoin[]> {
  const { joinMaps, mapsIn } = await import("../sharing/index.ts");
  if ((await mapsIn(await memory.reader(), sceneId)).length < 2) return [];
  return joinMaps({
    sceneId,
    background: await memory.background(),
    embedder: await memory.embedder(),
    reader: () => memory.reader(),
    // Each memory joins for itself: what it rewrites is no news for others.
    write: (batch) => memory.write({ ...batch, derived: true }),
  });
}
