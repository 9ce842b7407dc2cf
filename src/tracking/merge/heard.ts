import { distance, inflate } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { RecordOf } from "../../schema/core.ts";
import type { Journal } from "../records/journal.ts";
import { type ResumeOptions, readThings } from "../records/resume.ts";
import { yieldTo } from "../records/stays.ts";
import { MERGE } from "../settings/merge.ts";
import { isFluent } from "../state/fluents.ts";
import { areTwins, nearness } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { mergeKnown } from "./merging.ts";

/**
 * Takes in what other writers of the same memory recorded meanwhile. Things that they detected first become known.
 * Things that both detected become one, under the record that was seen first, so all writers end with the same one
 * whatever the order. Stays that they ended end here too.
 */
export async function hear(
  scene: Scene,
  reader: MemoryReader,
  states: readonly RecordOf<"state">[],
  options: ResumeOptions,
  journal: Journal,
): Promise<void> {
  const fresh: RecordOf<"state">[] = [];
  for (const state of states) {
    const known = scene.byState.get(state.id);
    if (known) yieldTo(scene, known, state, journal);
    else if (state.validToUs === null && !scene.mergedStates.has(state.id)) fresh.push(state);
  }
  for (const thing of await readThings(scene, reader, fresh, options)) {
    scene.byState.set(thing.stateId, thing);
    if (thing.type !== "object") {
      scene.movers.add(thing);
      continue;
    }
    scene.things.add(thing);
    const same = sameAs(scene, thing);
    if (same) mergeKnown(scene, thing, same, journal);
  }
}

/** The known thing that matches another writer's: of the same kind and look, in one place, and the nearest of those. */
function sameAs(scene: Scene, heard: Thing): Thing | undefined {
  let found: Thing | undefined;
  for (const thing of scene.things.near(inflate(heard.worldBox, MERGE.farthestM))) {
    if (thing === heard || thing.words.category !== heard.words.category || areTwins(thing, heard)) continue;
    if (thing.words.attributeBalance(heard.words, isFluent).conflict > 0) continue;
    if (["close", "apart"].includes(nearness(thing, heard, true))) continue;
    if (found === undefined || distance(thing.centre, heard.centre) < distance(found.centre, heard.centre))
      found = thing;
  }
  return found;
}
