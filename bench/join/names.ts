import { mostlyOf } from "../../src/evaluation/tracking/identity.ts";
import { readLooks } from "../../src/evaluation/tracking/looks.ts";
import { readRemembered } from "../../src/evaluation/tracking/remembered.ts";
import { readTruth } from "../../src/evaluation/tracking/truth.ts";
import type { MemoryReader } from "../../src/memory/index.ts";
import { mapsIn, readerInMap } from "../../src/sharing/index.ts";

/** Whose most looks at each state were, in any map; null for what a detector made up. */
export async function thingsIn(reader: MemoryReader, truthPath: string): Promise<Map<string, string | null>> {
  const found = new Map<string, string | null>();
  const maps = await mapsIn(reader, "default");
  for (const { root, agents } of maps) {
    const own = await readerInMap(reader, maps, root);
    const remembered = await readRemembered(own);
    const { looks } = await readLooks(own, await readTruth(truthPath, agents), remembered);
    const byTrack = Map.groupBy(looks, ({ trackId }) => trackId);
    for (const { id, trackId } of remembered.states.values()) {
      const thing = mostlyOf(byTrack.get(trackId) ?? []);
      if (thing !== undefined) found.set(id, thing);
    }
  }
  return found;
}
