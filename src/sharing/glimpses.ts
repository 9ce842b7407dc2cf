import type { Transform } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import type { Glimpse } from "../tracking/index.ts";

/** The latest looks of the robots of a map that are asked for. */
const LOOKS = 2_000;
/** States whose sightings are asked for at a time. */
const AT_ONCE = 32;

/** The latest looks of a map's robots that no thing was made of. */
export async function glimpsesIn(
  reader: MemoryReader,
  sceneId: string,
  agents: readonly string[],
  ofSecond: boolean,
  placeOf: (frame: string) => Transform | undefined,
): Promise<Glimpse[]> {
  const where = { sceneId: [sceneId], author: [...agents] };
  const { hits } = await reader.search({ kinds: ["detection"], where, rank: "latest", limit: LOOKS });
  const { hits: states } = await reader.search({ kinds: ["state"], where, rank: "latest", limit: LOOKS });
  const claimed = new Set<string>();
  // A detection from before its thing was believed names no state: a sighting names the detection.
  for (let at = 0; at < states.length; at += AT_ONCE) {
    const stateIds = states.slice(at, at + AT_ONCE).map(({ record }) => record.id);
    for (const { detectionId } of await reader.sightings({ stateIds, outcomes: ["seen"] }))
      if (detectionId !== undefined) claimed.add(detectionId);
  }
  return hits.flatMap(({ record }): Glimpse[] => {
    if (record.kind !== "detection" || record.stateId !== undefined || claimed.has(record.id)) return [];
    const { anchor, extent, category, id, observationId, author, labels, validFromUs } = record;
    const worldFromSubmap = anchor && placeOf(anchor.submap);
    if (!anchor || !worldFromSubmap || !extent || category === undefined) return [];
    return [
      {
        ofSecond,
        category,
        extent,
        worldFromSubmap,
        timeUs: validFromUs,
        agentId: author,
        observationId,
        detectionId: id,
        labels,
        submap: anchor.submap,
        positionInSubmap: anchor.p,
      },
    ];
  });
}
