import type { Box, Vec3 } from "../../geometry/index.ts";
import { inflate } from "../../geometry/index.ts";
import { holds as isContainer, isKindOf } from "../../ontology/index.ts";
import type { Journal } from "../records/journal.ts";
import { writeIfNews } from "../records/writing.ts";
import { COMMON } from "../settings/common.ts";
import { isInside, isLarger, isOn, leastAboveM } from "../state/containment.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";

/** What is no thicker than this, and no top of a table, lies on something and hardly bears what stands there. */
const SHEET_M = 0.04;

/** Finds what a thing stands on and what it is in, by boxes alone. Answers whether that is news. */
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
  // What stands on something beside a container is not in it: the box of a counter around a corner holds the table's mug.
  if (container && supports.some(({ worldBox }) => isBeside(worldBox, container!.worldBox)))
    container = undefined;
  const support = nearestSupport(thing, supports);
  const [before, inBefore] = [thing.links.supportedBy, thing.links.insideOf];
  thing.links.supportedBy = (support ?? container)?.stateId;
  thing.links.insideOf = container?.stateId;
  return before !== thing.links.supportedBy || inBefore !== thing.links.insideOf;
}

/** The one whose top is nearest to its foot; a sheet only where nothing else is below it: a mug among papers is on the table. */
function nearestSupport(thing: Thing, supports: readonly Thing[]): Thing | undefined {
  const solid = supports.filter(
    ({ worldBox: { min, max }, words }) => max.z - min.z > SHEET_M || isKindOf(words.category, "furniture"),
  );
  return (solid.length > 0 ? solid : supports).reduce<Thing | undefined>(
    (best, other) => (!best || gapM(thing, other) < gapM(thing, best) ? other : best),
    undefined,
  );
}

/** Nor does a chair stand on a counter that ends above it, of whose legs nothing was seen. */
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

/** How far a thing's foot is from another's top: the box of a counter around a corner reaches over the table beside it. */
function gapM({ worldBox }: Thing, other: Thing): number {
  return Math.abs(worldBox.min.z - other.worldBox.max.z);
}

/** Tells things which region they are in; those that are being looked at are written when that is over. */
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
