import { intersectionVolume, volumeOf } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { noteLook } from "../records/writing.ts";
import { COMMON } from "../settings/common.ts";
import type { AlignedFrame, Candidate } from "../state/frame.ts";
import { lookOf } from "../state/look.ts";
import type { Scene } from "../state/scene.ts";
import { thickened } from "../state/shape.ts";
import type { Thing } from "../state/thing.ts";
import { categoryOf } from "../state/words.ts";

/**
 * Uses low-confidence detections as ByteTrack does: they never start a thing, but confirm a known, unreported thing of
 * that kind in that place. They change nothing else about it.
 */
export function noteFaint(
  scene: Scene,
  frame: AlignedFrame,
  seen: Map<Thing, number>,
  journal: Journal,
): void {
  const { percept } = frame;
  for (const candidate of frame.place((index) => percept.detections[index]?.faint === true)) {
    const thing = knownAt(scene, candidate, percept.labels, seen);
    if (!thing) continue;
    thing.seenAt(percept.timeUs);
    noteLook(scene, thing, lookOf(candidate.detection, percept), journal);
    seen.set(thing, candidate.index);
  }
}

/** The thing of this kind that fits the place best and is not matched in this frame. */
function knownAt(
  scene: Scene,
  { detection, solid }: Candidate,
  labels: readonly string[],
  seen: ReadonlyMap<Thing, number>,
): Thing | undefined {
  const box = thickened(solid.box);
  let best: { readonly thing: Thing; readonly share: number } | undefined;
  for (const thing of scene.things.near(solid.box)) {
    if (!thing.isConfirmed || seen.has(thing) || thing.words.category !== categoryOf(detection)) continue;
    // A match must not reveal things that readers of this percept may not see.
    if (!thing.labels.every((label) => labels.includes(label))) continue;
    const known = thickened(thing.worldBox);
    const share = intersectionVolume(box, known) / Math.min(volumeOf(box), volumeOf(known));
    if (share >= COMMON.partShare && share > (best?.share ?? 0)) best = { thing, share };
  }
  return best?.thing;
}
