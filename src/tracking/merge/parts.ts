import { type Box, gapBetween, inflate, iou, type Vec3 } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { fold, neverWas } from "../records/stays.ts";
import { writeThing } from "../records/writing.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import type { Scene } from "../state/scene.ts";
import { boxOfExtent } from "../state/shape.ts";
import type { Thing } from "../state/thing.ts";

/** The most steps in a chain of heirs. */
const MOST_HEIRS = 8;

/** How often a thing was observed as each instance of the map. */
type Looks = ReadonlyMap<number, number>;

/**
 * Follows a new segmentation of the map: each of its instances becomes one stay, the one most often observed as it.
 * Another stay observed only as instances with owners becomes a record of an owner. One observed only as rejected
 * instances, such as a lump of two or a rim, goes to the instance with the largest share, or is closed if there is
 * none. Stays that no instance claims are kept. Names and extents are taken over at the end of a recording only: until
 * then a thing may turn out to have been moved, which the map does not know.
 */
export function followParts(scene: Scene, journal: Journal, isLast = false): void {
  const looks = looksOf(scene);
  const ownerOf = ownersOf(scene, looks);
  const owners = new Set(ownerOf.values());
  for (const [thing, own] of looks) {
    if (owners.has(thing) || thing.identity.isStored) continue;
    const parts = [...own].sort((a, b) => b[1] - a[1]).map(([part]) => part);
    const owner = heirOf(scene, thing, parts, ownerOf);
    if (owner) become(scene, owner, thing, journal);
    else if (parts.every((part) => scene.mapParts.noneOf(part)?.isNothing)) neverWas(scene, thing, journal);
  }
  if (isLast) takeWholes(scene, journal);
}

/**
 * A thing takes the label and the extent of its map instance: observations show only parts of a counter or a shelf.
 * Exceptions: another thing was observed as the same instance, like two wings of a curtain; or the thing was moved. The
 * map keeps what was not observed again, so the instance of a moved thing spans both places.
 */
function takeWholes(scene: Scene, journal: Journal): void {
  const claims = [...looksOf(scene)].flatMap(([thing, own]) => {
    const shown = [...own].filter(([part]) => scene.mapParts.hasExtent(part)).sort((a, b) => b[1] - a[1]);
    const all = shown.reduce((sum, [, count]) => sum + count, 0);
    const [part, count] = shown[0] ?? [];
    return part !== undefined && count! >= COMMON.majorityShare * all ? [{ thing, part }] : [];
  });
  const past = endedAs(scene);
  for (const [part, of] of Map.groupBy(claims, (claim) => claim.part)) {
    if (of.length > 1) continue;
    const { thing } = of[0]!;
    if (past.get(part)?.some((one) => !areInOnePlace(one, thing))) continue;
    const extent = scene.mapParts.extentOf(part, thing.stateId);
    const box = extent && boxOfExtent(extent, scene.places.placeOf);
    if (!box || gapBetween(box, boxAt(thing.centre)) > COMMON.edgeM) continue;
    thing.shape.addExtent(extent);
    const { worldBox: before, words } = thing;
    const { name } = words;
    scene.settle(thing);
    const called = scene.mapParts.nameOf(part);
    if (called) words.nameByAll(called);
    const isLarger = iou(before, thing.worldBox) < 1 - COMMON.hardlyShare;
    if (isLarger || words.name !== name) writeThing(scene, thing, journal);
  }
}

/** The observed instances of every open stay, including those of stays merged into it. */
function looksOf(scene: Scene): Map<Thing, Looks> {
  const out = new Map<Thing, Map<number, number>>();
  for (const [stateId, own] of scene.mapParts.stays()) {
    const thing = scene.mergedStates.get(stateId) ?? scene.byState.get(stateId);
    if (!thing?.isConfirmed || !scene.things.has(thing)) continue;
    const all = out.get(thing) ?? new Map();
    for (const [part, count] of own) all.set(part, (all.get(part) ?? 0) + count);
    out.set(thing, all);
  }
  return out;
}

/** Ended stays, by the instances that they were observed as. */
function endedAs(scene: Scene): Map<number, Thing[]> {
  const out = new Map<number, Thing[]>();
  for (const [stateId, own] of scene.mapParts.stays()) {
    const thing = scene.mergedStates.get(stateId) ?? scene.byState.get(stateId);
    if (!thing?.isConfirmed || thing.identity.endedUs === undefined) continue;
    for (const part of own.keys()) out.set(part, [...(out.get(part) ?? []), thing]);
  }
  return out;
}

/** The owner of each instance: the stay known from before, otherwise the one most often observed as it. */
function ownersOf(scene: Scene, looks: ReadonlyMap<Thing, Looks>): Map<number, Thing> {
  const out = new Map<number, Thing>();
  const most = new Map<number, number>();
  for (const [thing, own] of looks)
    for (const [part, count] of own) {
      const weight = count + (thing.identity.isStored ? Number.MAX_SAFE_INTEGER / 2 : 0);
      if (scene.mapParts.noneOf(part) || weight <= (most.get(part) ?? 0)) continue;
      most.set(part, weight);
      out.set(part, thing);
    }
  return out;
}

/**
 * The owner of the first of these instances that has one in this place; without any owner, the heir of a rejected one.
 */
function heirOf(
  scene: Scene,
  thing: Thing,
  parts: readonly number[],
  ownerOf: ReadonlyMap<number, Thing>,
): Thing | undefined {
  const owners = parts.flatMap((part) => ownerOf.get(part) ?? []);
  const inPlace = owners.find((owner) => areInOnePlace(owner, thing));
  if (inPlace || owners.length > 0) return inPlace;
  let next = parts;
  for (let n = 0; n < MOST_HEIRS && next.length > 0; n++) {
    next = next.flatMap((part) => scene.mapParts.noneOf(part)?.heirs ?? []);
    const heir = next.find((part) => ownerOf.has(part));
    if (heir !== undefined) return ownerOf.get(heir);
  }
  return undefined;
}

/**
 * Whether the centre of one is in the other: two curtains that a map segments as one instance still have two places.
 */
function areInOnePlace(a: Thing, b: Thing): boolean {
  return (
    gapBetween(a.worldBox, boxAt(b.centre)) <= COMMON.edgeM ||
    gapBetween(b.worldBox, boxAt(a.centre)) <= COMMON.edgeM
  );
}

function boxAt(point: Vec3): Box {
  return { min: point, max: point };
}

/** Merges a stay into the owner; its box says nothing about the owner's place. */
function become(scene: Scene, owner: Thing, lost: Thing, journal: Journal): void {
  scene.drop(lost);
  for (const other of scene.things.near(inflate(owner.worldBox, MERGE.farthestM)))
    if (other !== owner) other.rivals.takeFor(lost, owner);
  fold(scene, owner, lost, journal);
}
