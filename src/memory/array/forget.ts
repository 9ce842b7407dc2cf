import type { LociRecord, RecordKind, RecordOf, Sighting, Stored } from "../../schema/index.ts";
import { blobRefOf, blobsOf, GOES_WITH, LociError, referencesOf } from "../../schema/index.ts";
import type { ForgetOptions, ForgetReport, ForgetSelection } from "../port.ts";
import {
  callNames,
  LabelledWords,
  onlyIn,
  ownStrings,
  speaksForItself,
  type Traces,
  tellingWords,
  withoutTraces,
} from "../traces.ts";
import { type ArrayState, canonical } from "./state.ts";

/**
 * Forgets records with everything that was derived from them. Decided here:
 * - An unknown id is refused with `unknown-id`, and then nothing is forgotten.
 * - All versions go. A record of which any version needs a forgotten id (GOES_WITH, an event's details included) is
 *   removed entirely, and so on transitively.
 * - Unless only records are meant: detections that a sighting of a forgotten state names go too, and detections without
 *   a track whose label only forgotten things bear; a view that showed it is given up unless its picture is redacted,
 *   and then loses what was drawn into it; the traces that traces.ts finds are removed from the texts of other records.
 * - Every stored version of the others that mentions a forgotten id is rewritten in place: its version and memory times
 *   stay, the mention is removed (an optional field is dropped, a list loses the entry).
 * - Sightings of forgotten states go. The remaining ones keep no mention of a forgotten observation.
 * - Lines, vectors and blobs that forgotten versions used and no remaining version does go; those that no record ever
 *   used are not touched.
 * - One `forgotten` row per id is logged, including records that were forgotten along with them. It has no labels, so
 *   only a reader that holds every label ("*") is told.
 * - A past version is removed alone; the version before it then extends to the next one left.
 */
export async function forgetIn(
  state: ArrayState,
  selection: ForgetSelection,
  atUs: number,
  { redact }: ForgetOptions = {},
): Promise<ForgetReport> {
  const { ids, reason, past = [], sightings: looks = [] } = selection;
  const things = selection.onlyRecords !== true;
  for (const id of ids) {
    if (!state.rows.some((row) => row.id === id))
      throw new LociError("unknown-id", `forget: unknown id ${id}`);
  }
  let gone = withDependents(state, ids, things);
  const pictures = things ? await redactedPictures(state, gone, redact) : new Map<string, Uint8Array>();
  const shown = new Set(things ? viewsThatShow(state, gone).map(({ thumb }) => thumb) : []);
  const lost = state.rows.filter(
    (row) => row.kind === "view" && shown.has(row.thumb) && !pictures.has(row.thumb),
  );
  if (lost.length > 0) gone = withDependents(state, [...gone, ...lost.map(({ id }) => id)], things);
  if (selection.strikeLog) state.forgotten = state.forgotten.filter((row) => row.reason !== reason);
  const removed = [...withoutPast(state, past), ...state.rows.filter((row) => gone.has(row.id))];
  const kept = state.rows.filter((row) => !gone.has(row.id));
  const before = kept.filter((row) => row.supersededAtUs === null);
  const traces = tracesIn(removed, kept, (id) => before.find((row) => row.id === id));
  const rewritten = new Map<string, { id: string; kind: RecordKind; fields: Set<string> }>();
  for (const bytes of pictures.values()) state.blobs.set(blobRefOf(bytes), bytes);
  state.rows = kept.map((row) => {
    let after: Stored = without(row, gone);
    if (row.kind === "view" && pictures.has(row.thumb))
      after = undrawn(after as View, pictures.get(row.thumb)!);
    if (row.image !== undefined && pictures.has(row.image)) after = { ...after, image: undefined } as never;
    if (things && gone.size > 0) {
      const { text, ...rest } = withoutTraces(row, traces);
      after = { ...after, text };
      for (const field of ["name", "relationships", "dirty", "room"] as const)
        if (field in row) Object.assign(after, { [field]: (rest as Record<string, unknown>)[field] });
      if ("room" in after && after.room === undefined) delete after.room;
    }
    const fields = Object.keys(row).filter(
      (key) => canonical(row[key as never]) !== canonical(after[key as never]),
    );
    if (fields.length === 0) return row;
    removed.push(row);
    const entry = rewritten.get(row.id) ?? { id: row.id, kind: row.kind, fields: new Set() };
    for (const field of fields) entry.fields.add(field);
    rewritten.set(row.id, entry);
    return after;
  });
  const sightings = state.sightings.length;
  state.sightings = state.sightings
    .filter(
      ({ sighting }) =>
        !gone.has(sighting.stateId) &&
        !looks.some(({ stateId, timeUs }) => stateId === sighting.stateId && timeUs === sighting.timeUs),
    )
    .map((row) => ({ ...row, sighting: withoutLooks(row.sighting, gone) }));
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
    wiped: true,
  };
}

type View = Stored<RecordOf<"view">>;

function viewsThatShow(state: ArrayState, gone: ReadonlySet<string>): View[] {
  return state.rows.filter(
    (row): row is View =>
      row.kind === "view" && !gone.has(row.id) && row.visible.some(({ stateId }) => gone.has(stateId)),
  );
}

/** Redacted pictures by the address of the original; pictures that are given up are absent. */
async function redactedPictures(
  state: ArrayState,
  gone: ReadonlySet<string>,
  redact: ForgetOptions["redact"],
): Promise<Map<string, Uint8Array>> {
  const made = new Map<string, Uint8Array>();
  for (const view of redact ? viewsThatShow(state, gone) : []) {
    const look = state.rows.find((row) => row.id === view.observationId);
    const size = look?.kind === "observation" ? look.intrinsics : undefined;
    const boxes = view.visible
      .filter(({ stateId }) => gone.has(stateId))
      .map(({ bbox: [left, top, right, bottom] }) =>
        size
          ? ([left / size.width, top / size.height, right / size.width, bottom / size.height] as const)
          : ([0, 0, 1, 1] as const),
      );
    const [picture] = await redact!([{ bytes: state.blobs.get(view.thumb)!, boxes }]);
    if (picture) made.set(view.thumb, picture);
  }
  return made;
}

function undrawn({ overlay: _o, signature: _s, image: _i, ...rest }: View, picture: Uint8Array): Stored {
  return { ...rest, thumb: blobRefOf(picture) };
}

function tracesIn(
  removed: readonly Stored[],
  kept: readonly Stored[],
  headOf: (id: string) => Stored | undefined,
): Traces {
  const said = (rows: readonly Stored[]) => {
    const words = new LabelledWords();
    for (const row of rows.filter(speaksForItself)) words.add(row.labels, tellingWords(ownStrings(row)));
    return words;
  };
  const names = new Map<string, string[]>();
  for (const row of removed.filter(speaksForItself))
    names.set(row.id, [...(names.get(row.id) ?? []), ...callNames(row)]);
  const nameOf = (id: string) => {
    const head = headOf(id);
    return head ? callNames(head) : [];
  };
  return { wordsFor: onlyIn(said(removed), said(kept)), names, nameOf };
}

function withoutLooks(
  { observationId, detectionId, ...rest }: Sighting,
  gone: ReadonlySet<string>,
): Sighting {
  return {
    ...rest,
    ...(observationId !== undefined && !gone.has(observationId) && { observationId }),
    ...(detectionId !== undefined && !gone.has(detectionId) && { detectionId }),
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

function withDependents(state: ArrayState, ids: readonly string[], things: boolean): Set<string> {
  const gone = new Set(ids);
  for (let before = -1; before !== gone.size; ) {
    before = gone.size;
    for (const row of state.rows) {
      const required = GOES_WITH[row.kind];
      const named = referencesOf(row).some(({ field, id }) => required.includes(field) && gone.has(id));
      if (named || (row.kind === "event" && mentions(row.detail, gone))) gone.add(row.id);
    }
    if (!things) continue;
    for (const { sighting } of state.sightings) {
      const { stateId, detectionId } = sighting;
      const isThere = state.rows.some((row) => row.id === detectionId);
      if (gone.has(stateId) && detectionId !== undefined && isThere) gone.add(detectionId);
    }
  }
  if (things) for (const id of strays(state, gone)) gone.add(id);
  return gone;
}

function strays(state: ArrayState, gone: ReadonlySet<string>): string[] {
  const called = (wanted: boolean) => {
    const words = new LabelledWords();
    for (const row of state.rows)
      if ((row.kind === "track" || row.kind === "state") && gone.has(row.id) === wanted)
        words.add(row.labels, [row.category]);
    return words;
  };
  const only = onlyIn(called(true), called(false));
  const named = new Set(state.sightings.map(({ sighting }) => sighting.detectionId));
  return state.rows.flatMap((row) =>
    row.kind === "detection" &&
    row.stateId === undefined &&
    row.category !== undefined &&
    only(row.labels).has(row.category) &&
    !named.has(row.id)
      ? [row.id]
      : [],
  );
}

function mentions(value: unknown, ids: ReadonlySet<string>): boolean {
  if (typeof value === "string") return ids.has(value);
  return (
    typeof value === "object" && value !== null && Object.values(value).some((one) => mentions(one, ids))
  );
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

/** The same version without any mention of the forgotten ids. */
export function without(row: Stored, gone: ReadonlySet<string>): Stored {
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
