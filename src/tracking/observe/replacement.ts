import type { Percept } from "../../schema/core.ts";
import type { Journal } from "../records/journal.ts";
import { begin, end } from "../records/stays.ts";
import { COMMON } from "../settings/common.ts";
import type { ContraryRun } from "../state/evidence.ts";
import { isFluent } from "../state/fluents.ts";
import type { Candidate } from "../state/frame.ts";
import { disown, inherit } from "../state/join.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { Words } from "../state/words.ts";

/**
 * Whether an observation says, as others just before it did, that a like thing of another colour or material stands in
 * this one's place: like things that were swapped (docs/formulas.md#presence "replaced"). One odd observation is a
 * misread colour. Things that are not carried about are not replaced: the curtain in front of a window is no other
 * window.
 */
export function isReplaced(scene: Scene, thing: Thing, candidate: Candidate, percept: Percept): boolean {
  const { detection } = candidate;
  if (!thing.isConfirmed || percept.timeUs < thing.evidence.lastSeenUs) return false;
  if (scene.mode === "paper") return false;
  if (thing.diagonalM >= COMMON.largeM) return false;
  // A map describes an instance anew with each segmentation, and repeats that in every frame until the next: another
  // colour of the same instance is a misreading.
  if (scene.mapParts.wasSeenAs(thing.stateId, detection.part)) return false;
  for (const [name, value] of Object.entries(detection.attributes)) {
    const run = thing.evidence.contrary;
    if (isFluent(name, value) || (run && run.name !== name)) continue;
    // The observations of a run also change the votes: the state at its beginning counts.
    const votes = (run?.before ?? thing.words).attributes.get(name);
    const known = votes?.best();
    if (!votes || known === undefined || votes.weightOf(known) < (1 - COMMON.partShare) * votes.total)
      continue;
    if (!run && !isSure(thing, votes.weightOf(known) === votes.total, percept.timeUs)) continue;
    if (value === known) thing.evidence.contrary = undefined;
    else if (run?.value === value) {
      run.count++;
      if (run.count >= looksAsked(run, percept.timeUs) && percept.timeUs - run.firstUs >= COMMON.instantUs)
        return true;
      run.after.add(detection, weightOf(candidate));
    } else if (run && run.count >= COMMON.twice) {
    } else {
      const [before, after] = [run?.before ?? thing.words.copy(), new Words()];
      after.add(detection, weightOf(candidate));
      const lastOwnUs = run?.lastOwnUs ?? thing.evidence.lastSeenUs;
      thing.evidence.contrary = { name, value, count: 1, firstUs: percept.timeUs, lastOwnUs, before, after };
    }
  }
  return false;
}

/** Whether the colour of a thing is known well enough; two agreeing observations from long before are enough. */
function isSure(
  { evidence: { detections, lastSeenUs } }: Thing,
  doAllAgree: boolean,
  timeUs: number,
): boolean {
  if (detections >= COMMON.fewLooks) return true;
  return detections === COMMON.fewLooks - 1 && doAllAgree && timeUs - lastSeenUs >= COMMON.whileUs;
}

function looksAsked({ firstUs, lastOwnUs }: ContraryRun, timeUs: number): number {
  const unseenUs = firstUs - lastOwnUs;
  const isDrawnOut = timeUs - firstUs > 2 * COMMON.visitUs && unseenUs < COMMON.whileUs;
  return unseenUs < COMMON.momentUs || isDrawnOut ? 2 * COMMON.fewLooks : COMMON.fewLooks;
}

/** Ends the stay of the one and begins that of the other, which has been seen often enough to be believed. */
export function replace(
  scene: Scene,
  thing: Thing,
  candidate: Candidate,
  percept: Percept,
  journal: Journal,
): Thing {
  const run = thing.evidence.contrary;
  const sinceUs = run?.firstUs ?? percept.timeUs;
  const count = run?.count ?? COMMON.fewLooks;
  const pending = disown(thing, sinceUs, run?.lastOwnUs ?? sinceUs - 1, run?.before ?? thing.words);
  end(scene, thing, sinceUs, percept, "replaced", journal);
  const { detection, solid } = candidate;
  const other = begin(scene, { detectionId: detection.id, box: solid.box, percept, type: thing.type });
  inherit(other, thing, { pending, count, sinceUs, words: run?.after });
  journal.counts.created++;
  return other;
}

/** A closer observation counts for more. */
function weightOf({ solid }: Candidate): number {
  return 1 / Math.max(0.5, solid.depthM);
}
