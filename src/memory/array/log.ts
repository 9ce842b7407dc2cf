import type { TimeUs } from "../../geometry/index.ts";
import type { Stored } from "../../schema/index.ts";
import { blobRefOf, blobsOf, GOES_WITH, LociError, referencesOf } from "../../schema/index.ts";
import type { Calibration, Change, DumpRow, VectorSpace, Work, WorkBegin, WriteBatch } from "../port.ts";
import { cosineOf } from "../vectors.ts";
import { without } from "./forget.ts";
import type { ArrayState } from "./state.ts";
import type { ArrayView } from "./view.ts";

/**
 * Commits after a memory time, oldest first, as far as they remain: versions forgotten since are omitted, and so are
 * commits without anything visible to this reader. `supersededAtUs` has its current value. A forgetting gives its ids
 * to readers that hold every label; rewritten records are not repeated.
 */
export function changesIn(view: ArrayView, afterUs: TimeUs): Change[] {
  const puts = Map.groupBy(view.versions(), (row) => row.recordedAtUs);
  const sightings = Map.groupBy(view.sightingRows(), (row) => row.recordedAtUs);
  const edges = Map.groupBy(view.edges(), (row) => row.recordedAtUs);
  const untilUs = view.options.asOfMemoryUs ?? Number.POSITIVE_INFINITY;
  const told = view.seesAll ? view.state.forgotten.filter((row) => row.atUs <= untilUs) : [];
  const forgotten = Map.groupBy(told, (row) => row.atUs);
  const times = new Set([...puts.keys(), ...sightings.keys(), ...edges.keys(), ...forgotten.keys()]);
  return [...times]
    .filter((time) => time > afterUs)
    .sort((a, b) => a - b)
    .map((commitUs) => ({
      commitUs,
      put: structuredClone(puts.get(commitUs) ?? []),
      sightings: structuredClone((sightings.get(commitUs) ?? []).map((row) => row.sighting)),
      frames: edges.get(commitUs)?.length ?? 0,
      forgotten: (forgotten.get(commitUs) ?? []).map((row) => row.id),
    }));
}

/** Frames, blobs and lines before the records that use them, records by memory time, states before sightings. */
export function* dumpOf(view: ArrayView): Generator<DumpRow> {
  const { state, seesAll } = view;
  const versions = wholeVersions(view).sort((a, b) => a.recordedAtUs - b.recordedAtUs);
  const states = new Set(versions.map((row) => row.id));
  const texts = new Set(versions.flatMap((row) => row.text));
  const blobs = new Set(versions.flatMap(blobsOf));
  yield {
    type: "memory",
    format: 1,
    embedder: state.embedders.text,
    imageEmbedder: state.embedders.image,
    calibrations: [...state.calibrations].map(([space, calibration]) => ({ ...calibration, space })),
  };
  for (const { recordedAtUs, edge } of view.edges()) yield { type: "frame", recordedAtUs, edge };
  for (const [ref, bytes] of state.blobs) {
    if (seesAll || blobs.has(ref)) yield { type: "blob", bytes: bytes.slice() };
  }
  for (const [text, vector] of state.texts) {
    if (seesAll || texts.has(text)) yield { type: "text", text, vector: vector?.slice() ?? null };
  }
  for (const [blob, vector] of state.imageVectors) {
    if (seesAll || blobs.has(blob)) yield { type: "image-vector", blob, vector: vector.slice() };
  }
  for (const record of versions) yield { type: "record", record: structuredClone(record) };
  for (const row of view.sightingRows())
    if (states.has(row.sighting.stateId)) yield { type: "sighting", ...structuredClone(row) };
  if (seesAll) for (const row of state.forgotten) yield { type: "forgotten", ...row };
}

/**
 * Decided here: for a restricted reader a dump is the memory as if the rest were forgotten. It omits records whose
 * current version is hidden, records that depend on those, and any mention of them.
 */
function wholeVersions(view: ArrayView): Stored[] {
  const untilUs = view.options.asOfMemoryUs ?? Number.POSITIVE_INFINITY;
  const versions = view.versions().map((row) => ({
    ...row,
    supersededAtUs: row.supersededAtUs !== null && row.supersededAtUs > untilUs ? null : row.supersededAtUs,
  })) as Stored[];
  if (view.seesAll && view.options.asOfMemoryUs === undefined) return versions;
  let there = new Set(versions.flatMap((row) => (row.supersededAtUs === null ? [row.id] : [])));
  for (let before = -1; before !== there.size; ) {
    before = there.size;
    const hanging = versions.filter((row) =>
      referencesOf(row).some(({ field, id }) => GOES_WITH[row.kind].includes(field) && !there.has(id)),
    );
    there = new Set([...there].filter((id) => !hanging.some((row) => row.id === id)));
  }
  const hidden = new Set(versions.flatMap((row) => referencesOf(row).map(({ id }) => id)));
  for (const id of there) hidden.delete(id);
  return versions.filter((row) => there.has(row.id)).map((row) => without(row, hidden));
}

/** Takes a dump as it is; what an engine must refuse is its own tests' affair. */
export async function restoreInto(state: ArrayState, rows: AsyncIterable<DumpRow>): Promise<number> {
  if (state.lastCommitUs !== Number.NEGATIVE_INFINITY) {
    throw new LociError("memory-exists", "restore needs an empty memory, and this one has been written to");
  }
  let count = 0;
  for await (const row of rows) {
    restoreRow(state, row);
    count++;
  }
  return count;
}

function restoreRow(state: ArrayState, row: DumpRow): void {
  const at = (timeUs: TimeUs | null) => {
    state.lastCommitUs = Math.max(state.lastCommitUs, timeUs ?? state.lastCommitUs);
  };
  switch (row.type) {
    case "memory":
      state.embedders = { text: row.embedder, image: row.imageEmbedder };
      for (const { space, ...calibration } of row.calibrations) state.calibrations.set(space, calibration);
      return;
    case "frame":
      state.edges.push({ recordedAtUs: row.recordedAtUs, edge: row.edge });
      at(row.recordedAtUs);
      return;
    case "blob":
      state.blobs.set(blobRefOf(row.bytes), row.bytes.slice());
      return;
    case "text":
      state.texts.set(row.text, row.vector?.slice() ?? null);
      return;
    case "image-vector":
      state.imageVectors.set(row.blob, row.vector.slice());
      return;
    case "record":
      state.rows.push(structuredClone(row.record) as Stored);
      at(row.record.recordedAtUs);
      at(row.record.supersededAtUs);
      return;
    case "sighting":
      state.sightings.push({ recordedAtUs: row.recordedAtUs, sighting: row.sighting });
      at(row.recordedAtUs);
      return;
    case "forgotten":
      state.forgotten.push({ id: row.id, atUs: row.atUs, reason: row.reason });
      at(row.atUs);
      return;
  }
}

/** An interrupted work is resumed as it was; its original settings stay. */
export function beginIn(state: ArrayState, { id, what, labels = [], settings = null }: WorkBegin): Work {
  const { lastCommitUs: beganUs } = state;
  const fresh = { id, what, labels, settings, beganUs, steps: 0, state: null, lastUs: beganUs };
  state.works.set(id, state.works.get(id) ?? fresh);
  return worksIn(state).find((work) => work.id === id)!;
}

export function stepIn(state: ArrayState, step: WriteBatch["work"], commitUs: TimeUs): void {
  if (step === undefined) return;
  const { id } = step;
  const work = state.works.get(id);
  if (work === undefined) throw new LociError("unknown-id", `no work ${id} was begun`);
  state.works.set(id, { ...work, steps: work.steps + 1, state: step.state ?? null, lastUs: commitUs });
}

export function worksIn(state: ArrayState): Work[] {
  return [...state.works.values()].map(({ lastUs, ...work }) => ({
    ...work,
    isAlone: lastUs === state.lastCommitUs,
  }));
}

/**
 * Mean and deviation of the cosine over all pairs of distinct lines (or images) of records that carry no label: a
 * threshold in z-units must not reveal another principal's records.
 */
export function backgroundOf(state: ArrayState, space: VectorSpace): Calibration {
  const embedder = state.embedders[space];
  if (embedder === null) throw new LociError("embedder-mismatch", `this memory has no ${space} embedder`);
  const open = state.rows.filter((row) => row.supersededAtUs === null && row.labels.length === 0);
  const keys = new Set(space === "text" ? open.flatMap((r) => r.text) : open.flatMap((r) => r.image ?? []));
  const vectors = [...keys].flatMap((key) => {
    const vector = space === "text" ? state.texts.get(key) : state.imageVectors.get(key);
    return vector ? [vector] : [];
  });
  const cosines = vectors.flatMap((a, i) => vectors.slice(i + 1).map((b) => cosineOf(a, b)));
  const pairs = cosines.length;
  const mean = cosines.reduce((sum, c) => sum + c, 0) / Math.max(1, pairs);
  const variance = cosines.reduce((sum, c) => sum + (c - mean) ** 2, 0) / Math.max(1, pairs);
  return { embedder: embedder.id, mean, sd: Math.sqrt(variance), pairs };
}
