import { iou } from "../../geometry/index.ts";
import type { Percept } from "../../schema/core.ts";
import type { Journal } from "../records/journal.ts";
import { close } from "../records/stays.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON } from "../settings/common.ts";
import type { AlignedFrame, Candidate } from "../state/frame.ts";
import type { Scene } from "../state/scene.ts";
import { thickened } from "../state/shape.ts";
import type { Thing } from "../state/thing.ts";
import { categoryOf } from "../state/words.ts";

/**
 * Learns how far a robot can be believed from what it calls the things that another one made known and that are well known:
 * by their places alone, since names are what is in question. From the moment on at which it is not believed any more its
 * looks are taken as those of an unsure detector, which make nothing known, and what only it has seen was never there. A
 * robot that is alone is always believed: there is nobody who knows better.
 */
export function weighRobot(
  scene: Scene,
  { percept }: AlignedFrame,
  candidates: readonly Candidate[],
  journal: Journal,
): void {
  const { agentId } = percept;
  const wasTrusted = scene.trust.isTrusted(agentId);
  for (const candidate of candidates) {
    const thing = knownByOthers(scene, candidate, agentId);
    if (thing) scene.trust.note(agentId, categoryOf(candidate.detection) === thing.words.category);
  }
  if (!wasTrusted || scene.trust.isTrusted(agentId)) return;
  for (const thing of [...scene.things.values()]) {
    const { witnesses } = thing.evidence;
    if (thing.isConfirmed && thing.author === agentId && [...witnesses].every((one) => one === agentId))
      close(scene, thing, thing.evidence.firstSeenUs + 1, journal);
  }
}

/** What a robot that is not believed has seen: looks that make nothing known. */
export function asUnsure(percept: Percept): Percept {
  return { ...percept, detections: percept.detections.map((detection) => ({ ...detection, faint: true })) };
}

/** What another robot made known, with a name that is hardly in doubt, in the very place of a look. */
function knownByOthers(scene: Scene, { solid }: Candidate, agentId: string): Thing | undefined {
  const box = thickened(solid.box);
  let best: { readonly thing: Thing; readonly share: number } | undefined;
  for (const thing of scene.things.near(solid.box)) {
    const { evidence, words } = thing;
    if (!thing.isConfirmed || thing.author === agentId) continue;
    if (evidence.detections < COMMON.wellKnownLooks) continue;
    if (words.categories.shareOf(words.category) < COMMON.majorityShare) continue;
    const share = iou(box, thickened(thing.worldBox));
    if (share >= ASSOCIATE.samePlaceIou && share > (best?.share ?? 0)) best = { thing, share };
  }
  return best?.thing;
}
