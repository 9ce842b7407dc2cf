import type { LociRecord, RecordKind, Stored } from "../../schema/index.ts";
import { blobsOf, LociError, referencesOf } from "../../schema/index.ts";
import type { ForgetReport, ForgetSelection } from "../port.ts";
import type { ArrayState } from "./oracle-state.ts";

/** References without which a record says nothing: when what they name is forgotten, it goes too. */
const REQUIRED: Partial<Record<RecordKind, readonly string[]>> = {
  detection: ["observationId"],
  state: ["trackId"],
  view: ["observationId"],
  relation: ["subject", "object"],
};

/**
 * Forgets records with everything that would be left hanging. Decided here:
 * - An unknown id is refused with `unknown-id`, and then nothing is forgotten.
 * - All versions go. A record of which any version needs a forgotten id goes whole, and so on from there.
 * - Every stored version of the others that mentions a forgotten id is rewritten in place: its version and
 *   memory times stay, the mention goes (an optional field is dropped, a list loses the entry).
 * - Sightings of forgotten states go. Their observationId and detectionId are provenance and stay as they are.
 * - Lines, vectors and blobs that forgotten versions used and no remaining version does go; what was never
 *   used by any record is not touched.
 * - One `forgotten` row per id is logged, those that went along included. It has no labels, so only a reader
 *   that holds every label ("*") is told.
 * - A past version goes alone; the version before it reaches up to the next one that is left.
 */
export function forgetIn(state: ArrayState, selection: ForgetSelection, atUs: number): ForgetReport {
  const { ids, reason, past = [], sightings: looks = [] } = selection;
  for (const id of ids) {
    if (!state.rows.some((row) => row.id === id))
      throw new LociError("unknown-id", `forget: unknown id ${id}`);
  }
  const gone = withDependents(state, ids);
  if (selection.strikeLog) state.forgotten = state.forgotten.filter((row) => row.reason !== reason);
  const removed = [...withoutPast(state, past), ...state.rows.filter((row) => gone.has(row.id))];
  const kept = state.rows.filter((row) => !gone.has(row.id));
  const rewritten = new Map<string, { id: string; kind: RecordKind; fields: Set<string> }>();
  state.rows = kept.map((row) => {
    const mentions = referencesOf(row).filter(({ id }) => gone.has(id));
    if (mentions.length === 0) return row;
    const entry = rewritten.get(row.id) ?? { id: row.id, kind: row.kind, fields: new Set() };
    for (const { field } of mentions) entry.fields.add(field);
    rewritten.set(row.id, entry);
    return without(row, gone);
  });
  const sightings = state.sightings.length;
  state.sightings = state.sightings.filter(
    ({ sighting }) =>
      !gone.has(sighting.stateId) &&
      !looks.some(({ stateId, timeUs }) => stateId === sighting.stateId && timeUs === sighting.timeUs),
  );
  const dropped = dropUnused(state, removed);
  for (const id of gone) state.forgotten.push({ id, atUs, reason });
  state.lastCommitUs = atUs;
  return {
    forgotten: [...gone].map((id) => {
      const versions = removed.filter((row) => row.id === id && gone.has(id));
      return { id, kind: versions[0]!.kind, versions: versions.length };
    }),
    rewritten: [...rewritten.values()].map(({ fields, ...rest }) => ({
      ...rest,
      fields: [...fields].sort(),
    })),
    sightings: sightings - state.sightings.length,
    ...dropped,
  };
}

/** Takes past versions out and answers them. */
function withoutPast(state: ArrayState, past: NonNullable<ForgetSelection["past"]>): Stored[] {
  const removed: Stored[] = [];
  for (const { id, version } of [...past].sort((a, b) => a.version - b.version)) {
    const row = state.rows.find((one) => one.id === id && one.version === version);
    if (row === undefined || row.supersededAtUs === null) continue;
    removed.push(row);
    const before = state.rows.findLast((one) => one.id === id && one.version < version);
    state.rows = state.rows
      .filter((one) => one !== row)
      .map((one) => (one === before ? { ...one, supersededAtUs: row.supersededAtUs } : one));
  }
  return removed;
}

function withDependents(state: ArrayState, ids: readonly string[]): Set<string> {
  const gone = new Set(ids);
  for (let before = -1; before !== gone.size; ) {
    before = gone.size;
    for (const row of state.rows) {
      const required = REQUIRED[row.kind] ?? [];
      if (referencesOf(row).some(({ field, id }) => required.includes(field) && gone.has(id)))
        gone.add(row.id);
    }
  }
  return gone;
}

function dropUnused(
  state: ArrayState,
  removed: readonly Stored[],
): { texts: number; vectors: number; blobs: number } {
  const usedTexts = new Set(state.rows.flatMap((row) => row.text));
  const usedBlobs = new Set(state.rows.flatMap(blobsOf));
  let [texts, vectors, blobs] = [0, 0, 0];
  for (const text of new Set(removed.flatMap((row) => row.text))) {
    if (usedTexts.has(text)) continue;
    if (state.texts.get(text)) vectors++;
    if (state.texts.delete(text)) texts++;
  }
  for (const ref of new Set(removed.flatMap(blobsOf))) {
    if (usedBlobs.has(ref)) continue;
    if (state.imageVectors.delete(ref)) vectors++;
    if (state.blobs.delete(ref)) blobs++;
  }
  return { texts, vectors, blobs };
}

/** The same version without any mention of what is gone. */
function without(row: Stored, gone: ReadonlySet<string>): Stored {
  const copy = structuredClone(row) as Stored & Record<string, unknown>;
  for (const { field, id } of referencesOf(row)) {
    if (!gone.has(id)) continue;
    const value = copy[field];
    if (Array.isArray(value)) copy[field] = value.filter((entry) => !gone.has(targetOf(entry)));
    else delete copy[field];
  }
  return copy satisfies LociRecord;
}

/** The id an entry of a list names: lists hold plain ids, or objects with the id in one of these fields. */
function targetOf(entry: unknown): string {
  if (typeof entry === "string") return entry;
  const { id, stateId, to } = entry as { id?: string; stateId?: string; to?: string };
  return id ?? stateId ?? to ?? "";
}
