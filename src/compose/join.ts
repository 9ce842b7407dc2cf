import type { Transform } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/port.ts";
import type { JoinOptions, MapJoin, MapParted } from "../sharing/index.ts";
import type { Memory } from "./memory.ts";

/**
 * Joins the unaligned maps of a scene where one can be recognised in another, and re-aligns joined maps as more of
 * them becomes known. With a single map and no earlier join this costs one search.
 */
export async function joinScene(memory: Memory, sceneId = "default"): Promise<MapJoin[]> {
  const { joinMaps, mapsIn } = await import("../sharing/index.ts");
  const maps = await mapsIn(await memory.reader(), sceneId);
  if (maps.length < 2 && !maps.some(({ isJoined }) => isJoined)) return [];
  return joining(memory, sceneId, joinMaps);
}

/** Two maps of a scene, and the transform from the second to the first where it is known. */
export interface AlignRequest {
  readonly into: string;
  readonly map: string;
  readonly sceneId?: string | undefined;
  readonly transform?: Transform | undefined;
}

/** Joins two named maps, or re-aligns a joined one, by a known transform or by what both show. */
export async function alignScene(
  memory: Memory,
  { into, map, sceneId, transform }: AlignRequest,
): Promise<MapJoin> {
  const { alignMaps } = await import("../sharing/index.ts");
  return joining(memory, sceneId, (options) => alignMaps(options, into, map, transform));
}

/** Separates a map from the one it was joined to; no recording is ingested again. */
export async function partScene(memory: Memory, map: string, sceneId?: string): Promise<MapParted> {
  const { partMap } = await import("../sharing/index.ts");
  return joining(memory, sceneId, (options) => partMap(options, map));
}

async function joining<T>(
  memory: Memory,
  sceneId = "default",
  work: (options: JoinOptions) => Promise<T>,
): Promise<T> {
  const past: MemoryReader[] = [];
  const views = new Map<string, Memory>();
  const viewOf = (labels: readonly string[]) => {
    const key = JSON.stringify(labels);
    const view = views.get(key) ?? memory.as({ principal: { id: "join", labels } });
    views.set(key, view);
    return view;
  };
  const options: JoinOptions = {
    sceneId,
    background: await memory.background(),
    embedder: await memory.embedder(),
    reader: async ({ asOfMemoryUs, labels } = {}) => {
      if (labels !== undefined) return viewOf(labels).reader();
      if (asOfMemoryUs === undefined) return memory.reader();
      const reader = await memory.engine.reader({ asOfMemoryUs });
      past.push(reader);
      return reader;
    },
    // Each memory joins for itself: its rewrites are not synced to others.
    write: (batch) => memory.write({ ...batch, derived: true }),
  };
  try {
    return await work(options);
  } finally {
    for (const reader of past) await reader.close();
    for (const view of views.values()) await view.close();
  }
}
