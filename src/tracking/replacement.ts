import type { Percept } from "../schema/core.ts";
import type { Candidate } from "./association.ts";
import { isFluent } from "./fluents.ts";
import type { AlignedFrame } from "./frame.ts";
import type { Journal } from "./journal.ts";
import { newThing } from "./observing.ts";
import { end } from "./presence.ts";
import type { Scene } from "./scene.ts";
import type { Thing } from "./thing.ts";

/** How sure of an attribute one must be to notice that it is another thing's, and how many looks must agree. */
const SURE_SHARE = 0.7;
const SURE_LOOKS = 4;
const CONTRARY_LOOKS = 3;
const CONTRARY_SPAN_US = 1_000_000;

/**
 * Whether a look says, as others just before it did, that a like thing of another colour or material stands in
 * this one's place: twins that were swapped (§10.6 "replaced"). One odd look is a misread colour.
 */
export function isReplaced(
  scene: Scene,
  thing: Thing,
  { detection, solid }: Candidate,
  percept: Percept,
): boolean {
  if (!thing.isConfirmed || thing.detections < SURE_LOOKS || percept.timeUs < thing.lastSeenUs) return false;
  if (scene.settings.alwaysAdjudicate || solid.depthM > 6) return false;
  for (const [name, value] of Object.entries(detection.attributes)) {
    if (isFluent(name, value)) continue;
    const votes = thing.words.attributes.get(name);
    const known = votes?.best();
    const run = thing.contrary;
    if (!votes || known === undefined) continue;
    // The looks of a run weigh on the votes too: how sure one was counts at its beginning.
    if (run?.name !== name && votes.shareOf(known) < SURE_SHARE) continue;
    if (value === known) {
      if (run?.name === name) thing.contrary = undefined;
    } else if (run?.name !== name || run.value !== value) {
      thing.contrary = { name, value, count: 1, firstUs: percept.timeUs, lastOwnUs: thing.lastSeenUs };
    } else {
      run.count++;
      return run.count >= CONTRARY_LOOKS && percept.timeUs - run.firstUs >= CONTRARY_SPAN_US;
    }
  }
  return false;
}

/** Ends the stay of the one and begins that of the other, which has been seen often enough to be believed. */
export function replace(
  scene: Scene,
  thing: Thing,
  candidate: Candidate,
  frame: AlignedFrame,
  journal: Journal,
): Thing {
  const sinceUs = thing.contrary?.firstUs ?? frame.percept.timeUs;
  const looks = thing.contrary?.count ?? CONTRARY_LOOKS;
  // The looks of the run were of the other; the one was last seen before it.
  thing.lastSeenUs = Math.max(thing.firstSeenUs, thing.contrary?.lastOwnUs ?? sinceUs - 1);
  thing.absence.disown(sinceUs);
  end(scene, thing, sinceUs, frame, "replaced", journal);
  const other = newThing(scene, candidate, frame.percept, thing.type);
  other.shape.absorb(thing.shape);
  other.viewpoints = [...thing.viewpoints];
  other.detections = looks - 1;
  other.existence = looks;
  other.firstSeenUs = sinceUs;
  journal.counts.created++;
  return other;
}
