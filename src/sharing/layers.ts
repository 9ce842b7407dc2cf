import { eachHit, type MemoryReader } from "../memory/index.ts";
import { LIMITS } from "../schema/core.ts";
import type { KnownMap } from "./maps.ts";

/** The most label sets that are redrawn, those with the fewest labels first; the others keep their drawing. */
const MAX_LAYERS = 16;

/**
 * The labels common to all readers of both maps: only what these labels show joins the maps, so that no reader learns
 * of hidden records. Undefined where the readers of both share no such labels.
 */
export function sharedLabels(one: KnownMap, other: KnownMap): readonly string[] | undefined {
  const both = one.layers.flatMap((a) => other.layers.map((b) => [...new Set([...a, ...b])].sort()));
  return both.find((least) => both.every((each) => isWithin(least, each)));
}

/** The labels common to all readers of a map. */
export function ownLabels(map: KnownMap): readonly string[] {
  return sharedLabels(map, map) ?? map.labels;
}

/**
 * The label sets used in a scene that also show each of these maps. Rooms, texts and merged things are computed for
 * each set separately, from what every reader with these labels sees.
 */
export async function layersOver(
  reader: MemoryReader,
  sceneId: string,
  maps: readonly KnownMap[],
): Promise<(readonly string[])[]> {
  const layers = new Map<string, readonly string[]>();
  const note = (labels: readonly string[]) => {
    const sorted = [...labels].sort();
    layers.set(JSON.stringify(sorted), sorted);
  };
  for (const map of maps) for (const layer of map.layers) note(layer);
  const where = { sceneId: [sceneId] };
  const time = { overlaps: { fromUs: LIMITS.timeUs - 2, toUs: LIMITS.timeUs - 1 } };
  for (const kind of ["region", "state"] as const)
    for await (const { record } of eachHit(reader, kind, { where, time })) note(record.labels);
  const shows = (layer: readonly string[]) =>
    maps.every((map) => map.layers.some((labels) => isWithin(labels, layer)));
  return [...layers.values()]
    .filter(shows)
    .sort((a, b) => a.length - b.length || (a.join("\n") < b.join("\n") ? -1 : 1))
    .slice(0, MAX_LAYERS);
}

function isWithin(labels: readonly string[], layer: readonly string[]): boolean {
  return labels.every((label) => layer.includes(label));
}
