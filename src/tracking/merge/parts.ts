import { type Box, gapBetween, inflate, iou, type Vec3 } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { fold, neverWas } from "../records/stays.ts";
import { writeThing } from "../records/writing.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import type { Scene } from "../state/scene.ts";
import { boxOfExtent } from "../state/shape.ts";
import type { Thing } from "../state/thing.ts";

/** Heirs of heirs are asked for so many times. */
const MOST_HEIRS = 8;

/** How often a thing was seen as which things of the map. */
type Looks = ReadonlyMap<number, number>;

/**
 * At the end of a recording each thing of a map is one stay: that which was seen as it most often. Another that was seen only
 * as things of others is a record of those; one that was only seen as what was none after all, as a lump of two or a
 * rim, is one of what has most of it, and nothing where nobody has. What nobody has taken over stays.
 */
export function takeBackParts(scene: Scene, journal: Journal): void {
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
  takeWholes(scene, journal);
}

/**
 * What is one thing of the map is called what that is called, and reaches as far: of a counter or a shelf no look shows more than a part. Not where
 * another was seen as the same thing of the map and is not the same, as two wings of a curtain, nor where it is elsewhere by now,
 * nor where it was carried from one place to another: what nobody looked at since is in the map still, and such a thing reaches over both.
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

/** Of every stay that is open and was seen as things of the map, with what was merged into it. */
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

/** Stays that have ended, by the things of the map that they were seen as. */
function endedAs(scene: Scene): Map<number, Thing[]> {
  const out = new Map<number, Thing[]>();
  for (const [stateId, own] of scene.mapParts.stays()) {
    const thing = scene.mergedStates.get(stateId) ?? scene.byState.get(stateId);
    if (!thing?.isConfirmed || thing.identity.endedUs === undefined) continue;
    for (const part of own.keys()) out.set(part, [...(out.get(part) ?? []), thing]);
  }
  return out;
}

/** Who each thing of the map is: of several the one known from before, else the one seen as it most often. */
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

/** The owner of the first of these parts that has one in its place; else of what took over those that were none. */
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

/** Whether the middle of one is in the other: wings of two curtains that a map takes for one thing are two all the same. */
function areInOnePlace(a: Thing, b: Thing): boolean {
  return (
    gapBetween(a.worldBox, boxAt(b.centre)) <= COMMON.edgeM ||
    gapBetween(b.worldBox, boxAt(a.centre)) <= COMMON.edgeM
  );
}

function boxAt(point: Vec3): Box {
  return { min: point, max: point };
}

/** A record of what the owner is: where it was seen says nothing of the owner's place. */
function become(scene: Scene, owner: Thing, lost: Thing, journal: Journal): void {
  scene.drop(lost);
  for (const other of scene.things.near(inflate(owner.worldBox, MERGE.farthestM)))
    if (other !== owner) other.rivals.takeFor(lost, owner);
  fold(scene, owner, lost, journal);
}
