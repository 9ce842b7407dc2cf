import { apply, distance } from "../geometry/index.ts";
import type { SightingInput } from "../schema/core.ts";
import type { Journal } from "./journal.ts";
import type { Scene } from "./scene.ts";
import type { Look, Thing } from "./thing.ts";
import { anchorOf, stateRecord, trackRecord, writtenAs } from "./thing-records.ts";

/** Looks kept while a thing is tentative, or perhaps another: the first ones and the last. */
const MOST_PENDING = 16;

/** Records that were merged into a thing follow it when it moves this far, so that nobody takes them for another place. */
const FOLLOW_M = 0.2;

/** Tells the memory about a look, at most once in a while for each state; the last of a run is never lost. */
export function noteLook(scene: Scene, thing: Thing, look: Look, journal: Journal): void {
  const { settings } = scene;
  if (thing.isConfirmed) scene.active.add(thing);
  // Whose look it was is open as well while looks say that another stands in its place.
  if (!thing.isConfirmed || thing.contrary) {
    if (thing.pending.length >= MOST_PENDING) thing.pending.pop();
    thing.pending.push(look);
    return;
  }
  if (thing.pending.length > 1) {
    for (const held of thing.pending) writeLook(thing, held, journal);
    thing.pending = [];
  }
  if (Math.abs(look.timeUs - thing.lastWrittenUs) >= settings.sightingEveryUs) {
    writeLook(thing, look, journal);
    thing.pending = [];
  } else thing.pending = [look];
}

/** A thing has proved real: its track, its state and all the looks that led there are written. */
export function confirm(scene: Scene, thing: Thing, journal: Journal): void {
  thing.isConfirmed = true;
  scene.tentatives--;
  scene.byState.set(thing.stateId, thing);
  scene.watchFor(thing);
  scene.active.add(thing);
  const known = scene.tracks.get(thing.trackId);
  if (known) known.firstSeenUs = Math.min(known.firstSeenUs, thing.firstSeenUs);
  else {
    scene.tracks.set(thing.trackId, {
      id: thing.trackId,
      author: thing.author,
      labels: thing.labels,
      firstSeenUs: thing.firstSeenUs,
      mergedInto: undefined,
      maybeSameAs: [],
    });
  }
  for (const look of thing.pending) writeLook(thing, look, journal);
  thing.pending = [];
  writeThing(scene, thing, journal);
  journal.changed.add(thing.stateId);
  journal.counts.confirmed++;
}

/** Writes the state and the track of a thing as they are believed now. */
export function writeThing(scene: Scene, thing: Thing, journal: Journal): void {
  writeState(scene, thing, journal);
  writeTrack(scene, thing, journal);
  for (const lost of thing.absorbed) {
    if (distance(lost.centre, thing.centre) <= FOLLOW_M) continue;
    lost.shape.clear();
    lost.shape.absorb(thing.shape);
    lost.worldBox = thing.worldBox;
    writeState(scene, lost, journal);
  }
}

function writeState(scene: Scene, thing: Thing, journal: Journal): void {
  const { anchor } = anchorOf(thing, scene.places);
  const record = stateRecord(thing, scene.sceneId, scene.places);
  if (record.validToUs !== null && record.validToUs <= record.validFromUs) {
    record.validToUs = record.validFromUs + 1;
  }
  journal.put(record);
  thing.written = {
    key: writtenAs(thing),
    submap: anchor?.submap,
    p: anchor?.p,
    diagonalM: thing.diagonalM,
    atUs: scene.latestUs,
  };
}

export function writeTrack(scene: Scene, thing: Thing, journal: Journal, trackId = thing.trackId): void {
  const entry = scene.tracks.get(trackId);
  if (entry) journal.put(trackRecord(entry, thing, scene.sceneId));
}

/** Writes a thing again only if what the memory knows of it is no longer so: a version a boundary, not a frame. */
export function writeIfNews(scene: Scene, thing: Thing, journal: Journal): void {
  if (!thing.isConfirmed || !isNews(scene, thing)) return;
  if (thing.written && thing.written.key !== writtenAs(thing)) journal.changed.add(thing.stateId);
  writeThing(scene, thing, journal);
}

/** Ends runs of looks that are over, and with them the wait to write what they changed. */
export function sweep(scene: Scene, journal: Journal, everything = false): void {
  const { sightingGapUs } = scene.settings;
  for (const thing of scene.active) {
    if (!everything && scene.latestUs - thing.lastSeenUs <= sightingGapUs) continue;
    for (const look of thing.pending) writeLook(thing, look, journal);
    thing.pending = [];
    scene.active.delete(thing);
    writeIfNews(scene, thing, journal);
  }
}

/** A row about a thing that was looked for: absent, or another in its place. */
export function noteAbsence(
  thing: Thing,
  look: Pick<Look, "timeUs" | "agentId" | "observationId" | "labels">,
  outcome: "absent" | "replaced",
  journal: Journal,
): void {
  journal.sightings.push({
    stateId: thing.stateId,
    timeUs: look.timeUs,
    outcome,
    agentId: look.agentId,
    observationId: look.observationId,
    labels: [...look.labels],
  });
}

function writeLook(thing: Thing, look: Look, journal: Journal): void {
  const row: SightingInput = {
    stateId: thing.stateId,
    timeUs: look.timeUs,
    outcome: "seen",
    agentId: look.agentId,
    observationId: look.observationId,
    detectionId: look.detectionId,
    labels: [...look.labels],
    ...(thing.type !== "object" && { anchor: { submap: look.submap, p: look.positionInSubmap } }),
  };
  journal.sightings.push(row);
  thing.lastWrittenUs = look.timeUs;
}

function isNews(scene: Scene, thing: Thing): boolean {
  const { written } = thing;
  if (!written || written.key !== writtenAs(thing)) return true;
  if (Math.abs(written.diagonalM - thing.diagonalM) > 3 * scene.settings.materialM) return true;
  const place = written.submap === undefined ? undefined : scene.places.placeOf(written.submap);
  if (!place || !written.p) return anchorOf(thing, scene.places).anchor !== undefined;
  return distance(apply(place, written.p), thing.centre) > scene.settings.materialM;
}
