import { eachHit, type MemoryReader } from "../memory/index.ts";
import { LIMITS } from "../schema/core.ts";
import type { KnownMap } from "./maps.ts";

/** Sets of access labels that are drawn for at most, those of the fewest labels first; the others stay as they were drawn. */
const MAX_LAYERS = 16;

/**
 * The labels that all hold who see both maps: what joins the maps is what these show, so that nobody is told of more. Undefined
 * where those who see both have nothing in common that shows both.
 */
export function sharedLabels(one: KnownMap, other: KnownMap): readonly string[] | undefined {
  const both = one.layers.flatMap((a) => other.layers.map((b) => [...new Set([...a, ...b])].sort()));
  return both.find((least) => both.every((each) => isWithin(least, each)));
}

/** The labels that all hold who see a map. */
export function ownLabels(map: KnownMap): readonly string[] {
  return sharedLabels(map, map) ?? map.labels;
}

/**
 * The sets of access labels under which something in a scene is kept that also show each of these maps: rooms, texts and what
 * is one with what are worked out for each by itself, from what all see who hold it.
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
