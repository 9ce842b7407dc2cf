import type { Box } from "../../geometry/index.ts";
import { inflate, intersectionVolume, iou, volumeOf } from "../../geometry/index.ts";
import { areBackToBack } from "../merge/figures.ts";
import { COMMON } from "../settings/common.ts";
import { holds } from "../state/containment.ts";
import { isFluent } from "../state/fluents.ts";
import type { AlignedFrame } from "../state/frame.ts";
import { thickened } from "../state/shape.ts";
import type { Thing } from "../state/thing.ts";

/**
 * Classifies detections in the place of an unreported thing. A detection may be the thing itself, with another label or
 * as part of another mask. Or it is another thing that arrived after the last sighting and stands in its place, which
 * shows that the thing is gone (docs/formulas.md#presence "replaced"). A thing merely in front of it or beside it is
 * neither.
 */
export function coverOf(
  { candidates, view }: AlignedFrame,
  thing: Thing,
  owners: ReadonlyMap<number, Thing>,
): "nothing" | "perhaps itself" | "another" {
  const at = view.pixelOf(thing.centre);
  const box = thickened(thing.worldBox);
  let cover: "nothing" | "perhaps itself" = "nothing";
  for (const { index, detection, solid } of candidates) {
    const owner = owners.get(index);
    if (owner && standsInPlaceOf(owner, thing, box)) return "another";
    const isSame = detection.category === thing.words.category;
    if (isSame && sharedOf(thickened(solid.box), box) > COMMON.partShare) cover = "perhaps itself";
    const [left, top, right, bottom] = detection.bbox;
    if (!at || at.u < left || at.u > right || at.v < top || at.v > bottom) continue;
    const isOwn =
      owner?.evidence.isEstablished &&
      (owner.evidence.firstSeenUs < thing.evidence.lastSeenUs ||
        iou(thickened(owner.worldBox), box) < COMMON.hardlyShare);
    const isHidden = owner !== undefined && hides(owner, solid.box, thing);
    if ((isSame && !isOwn) || iou(thickened(solid.box), box) > COMMON.slightShare || isHidden)
      cover = "perhaps itself";
  }
  return cover;
}

/**
 * Whether a detection covers all of a thing's place without carrying or holding it: a drawn curtain is as close to the
 * window as depth can resolve, and the window is still behind it.
 */
function hides(owner: Thing, box: Box, thing: Thing): boolean {
  if (
    owner.stateId === thing.links.supportedBy ||
    owner.stateId === thing.links.insideOf ||
    holds(owner, thing)
  )
    return false;
  if (owner.diagonalM < thing.diagonalM || box.max.z < thing.worldBox.max.z) return false;
  const near = intersectionVolume(inflate(box, COMMON.edgeM), thickened(thing.worldBox));
  return near > 0.5 * volumeOf(thickened(thing.worldBox));
}

/** The intersection of two boxes as a share of the smaller one. */
function sharedOf(a: Box, b: Box): number {
  return intersectionVolume(a, b) / Math.min(volumeOf(a), volumeOf(b));
}

/** Whether a thing that is clearly not the other has come to the other's place. */
function standsInPlaceOf(owner: Thing, thing: Thing, box: Box): boolean {
  if (
    !owner.isConfirmed ||
    owner.evidence.detections < COMMON.fewLooks ||
    owner.evidence.seenAgainUs <= thing.evidence.lastSeenUs
  )
    return false;
  const isOther =
    owner.words.category !== thing.words.category ||
    owner.words.attributeBalance(thing.words, isFluent).conflict > 0;
  // A thing on the other face of a wall does not take a place on this one.
  if (!isOther || areBackToBack(owner, thing)) return false;
  if (iou(thickened(owner.worldBox), box) >= COMMON.bodyShare) return true;
  const isSolid = owner.shape.transparency !== undefined && owner.shape.transparency < COMMON.partShare;
  const taken = intersectionVolume(owner.worldBox, thing.worldBox) / volumeOf(thing.worldBox);
  return (
    isSolid &&
    thing.diagonalM < COMMON.smallM &&
    owner.diagonalM < COMMON.smallM &&
    taken >= 1 - COMMON.partShare
  );
}
