import {
  type Box,
  boxFromCentre,
  centreOf,
  diagonalOf,
  distance,
  gapBetween,
  inflate,
  intersectionVolume,
  type Transform,
  transformBox,
  type Vec3,
  volumeOf,
} from "../../geometry/index.ts";
import { movesItself } from "../../ontology/index.ts";
import { findSupport } from "../moves/support.ts";
import type { Journal } from "../records/journal.ts";
import { begin, confirm } from "../records/stays.ts";
import { COMMON } from "../settings/common.ts";
import type { Look } from "../state/look.ts";
import type { Scene } from "../state/scene.ts";
import { thickened } from "../state/shape.ts";

/** A look that its own map has made nothing of. */
export interface Glimpse extends Look {
  readonly ofSecond: boolean;
  readonly category: string;
  readonly extent: Vec3;
  readonly worldFromSubmap: Transform;
}

/**
 * What either robot glimpsed too seldom to believe in it: two looks from two sides, or some time apart, prove a thing
 * (docs/formulas.md#same-thing), whoever had them. One with one, the nearest first, where nothing known stands.
 */
export function confirmAcross(scene: Scene, glimpses: readonly Glimpse[], journal: Journal): void {
  const free = glimpses
    .filter(({ category }) => !movesItself(category))
    .map((glimpse) => ({ glimpse, box: boxOf(glimpse) }))
    .filter((one) => !isOfKnown(scene, one));
  const pairs = free
    .filter(({ glimpse }) => !glimpse.ofSecond)
    .flatMap((a) =>
      free.filter((b) => b.glimpse.ofSecond && areAlike(a, b)).map((b) => ({ a, b, awayM: awayOf(a, b) })),
    )
    .sort((p, q) => p.awayM - q.awayM || (p.a.glimpse.detectionId < q.a.glimpse.detectionId ? -1 : 1));
  const taken = new Set<Placed>();
  for (const { a, b } of pairs) {
    if (taken.has(a) || taken.has(b) || isOfKnown(scene, a) || isOfKnown(scene, b)) continue;
    const looks = free.filter((one) => !taken.has(one) && (one === a || one === b || areAlike(one, a)));
    for (const look of looks) taken.add(look);
    believe(
      scene,
      looks.map(({ glimpse }) => glimpse),
      journal,
    );
  }
}

interface Placed {
  readonly glimpse: Glimpse;
  readonly box: Box;
}

function areAlike(a: Placed, b: Placed): boolean {
  if (a.glimpse.category !== b.glimpse.category) return false;
  if (a.glimpse.labels.join("\n") !== b.glimpse.labels.join("\n")) return false;
  return gapBetween(a.box, b.box) <= COMMON.touchM && awayOf(a, b) <= COMMON.handyM;
}

function awayOf(a: Placed, b: Placed): number {
  return distance(centreOf(a.box), centreOf(b.box));
}

/** Whether what is known reaches over its place, or is a larger one of its kind right beside it, of which it may be a part. */
function isOfKnown(scene: Scene, { glimpse, box }: Placed): boolean {
  const look = thickened(box);
  for (const known of scene.things.near(inflate(box, COMMON.flatM))) {
    if (!known.isConfirmed) continue;
    const isTwin = known.words.category === glimpse.category;
    const beside = isTwin && gapBetween(box, known.worldBox) <= COMMON.touchM;
    if (beside && diagonalOf(box) < COMMON.majorityShare * known.diagonalM) return true;
    const place = inflate(thickened(known.worldBox), COMMON.edgeM);
    if (intersectionVolume(look, place) > COMMON.bodyShare * volumeOf(look)) return true;
  }
  return false;
}

function boxOf({ positionInSubmap, extent, worldFromSubmap }: Glimpse): Box {
  return transformBox(worldFromSubmap, boxFromCentre(positionInSubmap, extent));
}

function believe(scene: Scene, looks: readonly Glimpse[], journal: Journal): void {
  const inTime = looks.toSorted((a, b) => a.timeUs - b.timeUs);
  const [first, last] = [inTime[0]!, inTime.at(-1)!];
  const thing = begin(scene, {
    detectionId: first.detectionId,
    box: boxOf(first),
    percept: first,
    type: "object",
  });
  for (const { submap, positionInSubmap: p, extent, worldFromSubmap, category } of inTime) {
    scene.places.know(submap, worldFromSubmap);
    thing.words.categories.add(category);
    thing.shape.addKnown(submap, p, worldFromSubmap.q, {
      x: extent.x / 2,
      y: extent.y / 2,
      z: extent.z / 2,
    });
  }
  thing.evidence.detections = looks.length;
  thing.evidence.existence = COMMON.clearOdds;
  thing.seenAt(last.timeUs);
  thing.identity.pending = [...inTime];
  scene.settle(thing);
  findSupport(scene, thing);
  confirm(scene, thing, journal);
}
