import type { Box } from "../../geometry/index.ts";
import { contentId, type Percept } from "../../schema/core.ts";
import type { ThingType } from "../state/identity.ts";
import type { Scene } from "../state/scene.ts";
import { Thing } from "../state/thing.ts";
import type { Journal } from "./journal.ts";
import { anchorOf, eventRecord } from "./thing-records.ts";
import { noteAbsence, noteLook, writeLook, writeState, writeThing, writeTrack } from "./writing.ts";

/** A thing seen for the first time. */
export function begin(
  scene: Scene,
  {
    detectionId,
    box,
    percept,
    type,
  }: {
    detectionId: string;
    box: Box;
    percept: Pick<Percept, "labels" | "agentId" | "timeUs">;
    type: ThingType;
  },
): Thing {
  const trackId = contentId("track", scene.sceneId, detectionId);
  scene.tentatives++;
  return new Thing({
    stateId: contentId("state", trackId, detectionId),
    trackId,
    type,
    labels: percept.labels,
    author: percept.agentId,
    worldBox: box,
    timeUs: percept.timeUs,
  });
}

/** A tentative thing was a mistake, or is another: it is discarded. */
export function giveUp(scene: Scene, thing: Thing): void {
  scene.drop(thing);
  scene.tentatives--;
}

/** A thing is confirmed: its track, its state and all its sightings so far are written. */
export function confirm(scene: Scene, thing: Thing, journal: Journal): void {
  thing.identity.isConfirmed = true;
  scene.tentatives--;
  scene.byState.set(thing.stateId, thing);
  scene.watchFor(thing);
  scene.active.add(thing);
  const known = scene.tracks.get(thing.trackId);
  if (known) known.firstSeenUs = Math.min(known.firstSeenUs, thing.evidence.firstSeenUs);
  else {
    scene.tracks.set(thing.trackId, {
      id: thing.trackId,
      author: thing.author,
      labels: thing.labels,
      firstSeenUs: thing.evidence.firstSeenUs,
      mergedInto: undefined,
      maybeSameAs: [],
    });
  }
  for (const look of thing.identity.pending) writeLook(thing, look, journal);
  thing.identity.pending = [];
  writeThing(scene, thing, journal);
  journal.changed.add(thing.stateId);
  journal.counts.confirmed++;
}

/** The stay is over: written with the observation of the empty place, and kept to be linked to a move. */
export function end(
  scene: Scene,
  thing: Thing,
  absentUs: number,
  percept: Percept,
  outcome: "absent" | "replaced",
  journal: Journal,
): void {
  thing.identity.endedUs = Math.max(absentUs, thing.evidence.lastSeenUs + 1);
  const look = { ...percept, timeUs: thing.identity.endedUs };
  noteAbsence(thing, look, outcome, journal);
  if (percept.timeUs > thing.identity.endedUs) noteAbsence(thing, percept, outcome, journal);
  scene.retire(thing);
  writeThing(scene, thing, journal);
  journal.counts.ended++;
  journal.changed.add(thing.stateId);
  journal.put(
    eventRecord({
      type: "disappear",
      sceneId: scene.sceneId,
      author: percept.agentId,
      labels: thing.labels,
      fromUs: thing.evidence.lastSeenUs,
      toUs: thing.identity.endedUs,
      who: [thing.stateId],
      anchor: anchorOf(thing, scene.places).anchor,
      detail: { trackId: thing.trackId, outcome },
      line: `the ${thing.words.name} is gone`,
      regionId: thing.links.regionId,
    }),
  );
}

/** The stay is over without an observation of its place: a person walked on, or a like thing was detected elsewhere. */
export function close(scene: Scene, thing: Thing, endedUs: number, journal: Journal): void {
  thing.identity.endedUs = endedUs;
  scene.retire(thing);
  writeThing(scene, thing, journal);
}

/** Another writer of the memory has ended the stay, or given it to another track. */
export function yieldTo(
  scene: Scene,
  thing: Thing,
  { trackId, validToUs }: { readonly trackId: string; readonly validToUs: number | null },
  journal: Journal,
): void {
  thing.identity.trackId = trackId;
  // Written once more: a version written here since, without that knowledge, would have reopened it.
  if (validToUs !== null && scene.isOpen(thing)) close(scene, thing, validToUs, journal);
}

/** It never left: the stay goes on. */
export function reopen(scene: Scene, thing: Thing): void {
  thing.identity.endedUs = undefined;
  scene.ended.splice(scene.ended.indexOf(thing), 1);
  scene.settle(thing);
}

/** From now on the stay belongs to another track. */
export function giveTo(scene: Scene, thing: Thing, trackId: string, journal: Journal): void {
  const entry = scene.tracks.get(thing.trackId);
  if (thing.trackId === trackId || !entry) return;
  entry.mergedInto = trackId;
  writeTrack(scene, thing, journal, thing.trackId);
  thing.identity.trackId = trackId;
}

/** The stay belongs to its own track again. */
export function takeBack(scene: Scene, thing: Thing, journal: Journal): void {
  const entry = scene.tracks.get(thing.identity.ownTrackId);
  if (entry) entry.mergedInto = undefined;
  thing.identity.trackId = thing.identity.ownTrackId;
  writeThing(scene, thing, journal);
}

/** It was no thing: its state is closed at the instant it began, and no move is searched for. */
export function neverWas(scene: Scene, thing: Thing, journal: Journal): void {
  thing.identity.endedUs = thing.evidence.firstSeenUs + 1;
  scene.drop(thing);
  writeThing(scene, thing, journal);
  scene.byState.delete(thing.stateId);
}

/**
 * Closes the records of a thing that was merged into another. Its track names the track it was merged into, and its
 * state is closed at the instant it began, at the place of the kept one: an earlier reading of the memory still shows
 * it, and a later correction can undo the merge.
 */
export function fold(scene: Scene, kept: Thing, lost: Thing, journal: Journal): void {
  if (!lost.isConfirmed) {
    scene.tentatives--;
    for (const look of lost.identity.pending) noteLook(scene, kept, look, journal);
    return;
  }
  journal.counts.merged++;
  const entry = scene.tracks.get(lost.trackId);
  const keptTrack = scene.trackOf(kept.trackId);
  if (entry && scene.trackOf(lost.trackId) !== keptTrack) entry.mergedInto = keptTrack;
  lost.words.absorb(kept.words);
  writeTrack(scene, lost, journal, lost.trackId);
  lost.identity.trackId = keptTrack;
  lost.identity.endedUs = lost.evidence.firstSeenUs + 1;
  lost.shape.become(kept.shape);
  writeThing(scene, lost, journal);
  scene.byState.delete(lost.stateId);
  scene.redirect(lost.stateId, kept);
  kept.identity.absorbed.push(lost, ...lost.identity.absorbed);
  for (const older of lost.identity.absorbed) {
    scene.redirect(older.stateId, kept);
    older.identity.trackId = keptTrack;
    writeState(scene, older, journal);
  }
  for (const timeUs of [lost.evidence.firstSeenUs, lost.evidence.lastSeenUs]) {
    journal.sightings.push({
      stateId: kept.stateId,
      timeUs,
      outcome: "seen",
      agentId: lost.author,
      labels: [...kept.labels],
    });
  }
  writeThing(scene, kept, journal);
  journal.changed.add(kept.stateId);
}
