import type { Box, Vec3 } from "../../geometry/index.ts";
import { inflate } from "../../geometry/index.ts";
import { holds as isContainer, isKindOf } from "../../ontology/index.ts";
import type { Journal } from "../records/journal.ts";
import { writeIfNews } from "../records/writing.ts";
import { COMMON } from "../settings/common.ts";
import { isInside, isLarger, isOn, leastAboveM } from "../state/containment.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";

/** A thing no thicker than this, and not a table top, lies on something and hardly carries anything (m). */
const SHEET_M = 0.04;

/** Finds the support and the container of a thing, by boxes alone. Returns whether they changed. */
export function findSupport(scene: Scene, thing: Thing): boolean {
  const supports: Thing[] = [];
  let container: Thing | undefined;
  for (const other of scene.things.near(inflate(thing.worldBox, COMMON.placeM))) {
    if (other === thing || !other.isConfirmed || !isLarger(other.worldBox, thing.worldBox)) continue;
    if (isInside(thing.worldBox, other.worldBox) && mayHold(other, thing)) {
      if (!container || isLarger(container.worldBox, other.worldBox)) container = other;
    } else if (isOn(thing.worldBox, other.worldBox, leastAboveM(other)) && !isBelowTop(thing, other))
      supports.push(other);
  }
  // A thing on a support beside a container is not in it: the box of a counter around a corner contains the table's
  // mug.
  if (container && supports.some(({ worldBox }) => isBeside(worldBox, container!.worldBox)))
    container = undefined;
  const support = nearestSupport(thing, supports);
  const [before, inBefore] = [thing.links.supportedBy, thing.links.insideOf];
  thing.links.supportedBy = (support ?? container)?.stateId;
  thing.links.insideOf = container?.stateId;
  return before !== thing.links.supportedBy || inBefore !== thing.links.insideOf;
}

/**
 * The support whose top is nearest to its foot; a sheet only if there is nothing else below: a mug among papers is on
 * the table.
 */
function nearestSupport(thing: Thing, supports: readonly Thing[]): Thing | undefined {
  const solid = supports.filter(
    ({ worldBox: { min, max }, words }) => max.z - min.z > SHEET_M || isKindOf(words.category, "furniture"),
  );
  return (solid.length > 0 ? solid : supports).reduce<Thing | undefined>(
    (best, other) => (!best || gapM(thing, other) < gapM(thing, best) ? other : best),
    undefined,
  );
}

/** A chair does not stand on a counter that is higher than it, even if no legs of the counter were seen. */
function isBelowTop({ words, worldBox }: Thing, { worldBox: below }: Thing): boolean {
  return isKindOf(words.category, "furniture") && worldBox.max.z < below.max.z;
}

/** A chair pushed under a counter is not in it. */
function mayHold({ words: holder }: Thing, { words }: Thing): boolean {
  return isContainer(holder.category) && !isKindOf(words.category, "furniture");
}

/** Neither in a container, as a board of it, nor under it, as a rug. */
function isBeside(support: Box, container: Box): boolean {
  return !isInside(support, container) && !isOn(container, support);
}

/**
 * The distance from a thing's foot to another's top: the box of a counter around a corner reaches over the table beside
 * it.
 */
function gapM({ worldBox }: Thing, other: Thing): number {
  return Math.abs(worldBox.min.z - other.worldBox.max.z);
}

/** Sets the regions of things; those in view are written when they leave it. */
export function findRegions(
  scene: Scene,
  regionAt: (positionInWorld: Vec3, stateId: string) => string | undefined,
  journal: Journal,
): void {
  for (const thing of scene.things.values()) {
    if (!thing.isConfirmed) continue;
    thing.links.regionId = regionAt(thing.centre, thing.stateId) ?? thing.links.regionId;
    if (thing.identity.written && !scene.active.has(thing)) writeIfNews(scene, thing, journal);
  }
}
