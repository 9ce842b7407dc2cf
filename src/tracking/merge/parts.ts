import { inflate } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { fold, neverWas } from "../records/stays.ts";
import { MERGE } from "../settings/merge.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";

/** Heirs of heirs are asked for so many times. */
const MOST_HEIRS = 8;

/**
 * Stays that a map showed as things which were none after all: a lump of two that are known by now, a rim. Each becomes a
 * record of the one that has most of it; what is of none was nothing. What nobody has taken over stays.
 */
export function takeBackParts(scene: Scene, journal: Journal): void {
  const parts = new Map<Thing, Set<number>>();
  for (const [stateId, own] of scene.mapParts.stays()) {
    const thing = scene.mergedStates.get(stateId) ?? scene.byState.get(stateId);
    if (!thing) continue;
    parts.set(thing, new Set([...(parts.get(thing) ?? []), ...own]));
  }
  const thingOf = new Map<number, Thing>();
  for (const [thing, own] of parts) {
    if (!thing.isConfirmed || !scene.things.has(thing)) continue;
    for (const part of own) if (!scene.mapParts.noneOf(part)) thingOf.set(part, thing);
  }
  for (const [thing, own] of parts) {
    if (!thing.isConfirmed || thing.identity.isStored || !scene.things.has(thing)) continue;
    const none = [...own].map((part) => scene.mapParts.noneOf(part));
    if (none.includes(undefined)) continue;
    const heir = heirOf(scene, [...own], thingOf);
    if (heir && heir !== thing) {
      scene.drop(thing);
      for (const other of scene.things.near(inflate(heir.worldBox, MERGE.farthestM)))
        if (other !== heir) other.rivals.takeFor(thing, heir);
      fold(scene, heir, thing, journal);
    } else if (none.every((one) => one!.isNothing)) neverWas(scene, thing, journal);
  }
}

/** The thing that took over most of what these parts were, or of what their heirs were. */
function heirOf(
  scene: Scene,
  parts: readonly number[],
  thingOf: ReadonlyMap<number, Thing>,
): Thing | undefined {
  let next = [...parts];
  for (let n = 0; n < MOST_HEIRS && next.length > 0; n++) {
    const heirs = next.flatMap((part) => scene.mapParts.noneOf(part)?.heirs ?? []);
    for (const part of heirs) {
      const thing = thingOf.get(part);
      if (thing && scene.things.has(thing)) return thing;
    }
    next = heirs;
  }
  return undefined;
}
