import { apply, distance } from "../../geometry/index.ts";
import type { SightingInput } from "../../schema/core.ts";
import { COMMON } from "../settings/common.ts";
import { RECORDS } from "../settings/records.ts";
import type { FluentChange } from "../state/fluents.ts";
import type { Look } from "../state/look.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import type { Journal, RecordInputOf } from "./journal.ts";
import { anchorOf, eventRecord, stateRecord, trackRecord, writtenAs } from "./thing-records.ts";

/** Writes a sighting, at most once in a while for each state; the last of a run is always written. */
export function noteLook(scene: Scene, thing: Thing, look: Look, journal: Journal): void {
  if (thing.isConfirmed) scene.active.add(thing);
  // The thing of a sighting is also open while observations say that another stands in its place.
  if (!thing.isConfirmed || thing.evidence.contrary) {
    if (thing.identity.pending.length >= RECORDS.maxPending) thing.identity.pending.pop();
    thing.identity.pending.push(look);
    return;
  }
  if (thing.identity.pending.length > 1) {
    for (const held of thing.identity.pending) writeLook(thing, held, journal);
    thing.identity.pending = [];
  }
  if (Math.abs(look.timeUs - thing.identity.lastWrittenUs) >= COMMON.instantUs) {
    writeLook(thing, look, journal);
    thing.identity.pending = [];
  } else thing.identity.pending = [look];
}

/** Writes a change of state: opened, switched off, emptied. */
export function noteChange(
  scene: Scene,
  thing: Thing,
  { name, from, to, lastOldUs, firstNewUs }: FluentChange,
  by: { readonly author: string; readonly anchor?: RecordInputOf<"event">["anchor"] },
  journal: Journal,
): void {
  journal.counts.changed++;
  journal.changed.add(thing.stateId);
  journal.put(
    eventRecord({
      type: "state-change",
      sceneId: scene.sceneId,
      author: by.author,
      labels: thing.labels,
      fromUs: Math.min(lastOldUs, firstNewUs),
      toUs: firstNewUs,
      who: [thing.stateId],
      anchor: by.anchor ?? anchorOf(thing, scene.places).anchor,
      detail: { attribute: name, from, to },
      line: `the ${thing.words.category} is now ${String(to)}`,
      regionId: thing.links.regionId,
    }),
  );
}

/** Writes the state and the track of a thing as they are believed now. */
export function writeThing(scene: Scene, thing: Thing, journal: Journal): void {
  writeState(scene, thing, journal);
  writeTrack(scene, thing, journal);
  for (const lost of thing.identity.absorbed) {
    if (distance(lost.centre, thing.centre) <= COMMON.flatM) continue;
    lost.shape.become(thing.shape);
    writeState(scene, lost, journal);
  }
}

/** Writes the state alone: the track of a merged stay belongs to another thing. */
export function writeState(scene: Scene, thing: Thing, journal: Journal): void {
  const { anchor } = anchorOf(thing, scene.places);
  const record = stateRecord(thing, scene.sceneId, scene.places);
  if (record.validToUs !== null && record.validToUs <= record.validFromUs) {
    record.validToUs = record.validFromUs + 1;
  }
  journal.put(record);
  thing.identity.written = {
    key: writtenAs(thing),
    submap: anchor?.submap,
    p: anchor?.p,
    diagonalM: thing.diagonalM,
    atUs: scene.latestUs,
  };
}

/** Writes an earlier state again, by its id. */
export function restate(scene: Scene, stateId: string, journal: Journal): void {
  const thing = scene.byState.get(stateId);
  if (thing?.identity.written) writeState(scene, thing, journal);
}

export function writeTrack(scene: Scene, thing: Thing, journal: Journal, trackId = thing.trackId): void {
  const entry = scene.tracks.get(trackId);
  if (entry) journal.put(trackRecord(entry, thing, scene.sceneId));
}

/** Writes a thing again only if the stored version is no longer correct: one version a change, not one a frame. */
export function writeIfNews(scene: Scene, thing: Thing, journal: Journal): void {
  if (!thing.isConfirmed || !isNews(scene, thing)) return;
  if (thing.identity.written && thing.identity.written.key !== writtenAs(thing))
    journal.changed.add(thing.stateId);
  writeThing(scene, thing, journal);
}

/** Ends runs of observations that are over, and writes the changes that waited for their end. */
export function sweep(scene: Scene, journal: Journal, everything = false): void {
  const sightingGapUs = 2 * COMMON.instantUs;
  for (const thing of scene.active) {
    if (!everything && scene.latestUs - thing.evidence.lastSeenUs <= sightingGapUs) continue;
    // Observations that may belong to another thing in its place wait until that is decided, or the recording ends.
    const openUs = everything ? Infinity : (thing.evidence.contrary?.firstUs ?? Infinity);
    const { pending } = thing.identity;
    for (const look of pending) if (look.timeUs < openUs) writeLook(thing, look, journal);
    thing.identity.pending = pending.filter(({ timeUs }) => timeUs >= openUs);
    scene.active.delete(thing);
    writeIfNews(scene, thing, journal);
  }
}

/** A sighting row for a thing that was looked for: absent, or replaced by another. */
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

export function writeLook(thing: Thing, look: Look, journal: Journal): void {
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
  thing.identity.lastWrittenUs = look.timeUs;
}

function isNews(scene: Scene, thing: Thing): boolean {
  const { written } = thing.identity;
  if (!written || written.key !== writtenAs(thing)) return true;
  if (Math.abs(written.diagonalM - thing.diagonalM) > COMMON.certainSd * COMMON.edgeM) return true;
  const place = written.submap === undefined ? undefined : scene.places.placeOf(written.submap);
  if (!place || !written.p) return anchorOf(thing, scene.places).anchor !== undefined;
  return distance(apply(place, written.p), thing.centre) > COMMON.edgeM;
}
