import type { FrameEdge } from "../../../geometry/index.ts";
import { ArrayMemory } from "../../../memory/array/array-memory.ts";
import { type ArrayState, emptyState } from "../../../memory/array/state.ts";
import type { MemoryReader } from "../../../memory/index.ts";
import type { TextEmbedder } from "../../../models/index.ts";
import { LIMITS, type Sighting, type Stored, WORLD_FRAME } from "../../../schema/index.ts";

export interface EvidenceMemoryOptions {
  /** The memory that the evidence was found in. */
  readonly reader: MemoryReader;
  readonly embedder?: TextEmbedder | undefined;
  readonly signal?: AbortSignal | undefined;
  /** When its states were seen comes along; default true. */
  readonly withLooks?: boolean;
  /** Looks at states that the memory itself does not have. */
  readonly sightings?: readonly Sighting[];
}

/**
 * A memory that holds only these records, with the sightings of their states, the places of their submaps, and the
 * vectors of their lines. Its reader cannot know anything that retrieval did not find.
 */
export async function evidenceMemory(
  records: readonly Stored[],
  { reader, embedder, signal, sightings = [], withLooks = true }: EvidenceMemoryOptions,
): Promise<MemoryReader> {
  const state = emptyState();
  const once = [...new Map(records.map((record) => [record.id, record])).values()];
  state.rows.push(
    ...once.map((record) => ({ ...record, recordedAtUs: 0, supersededAtUs: null, version: 1 })),
  );
  const stateIds = once.flatMap(({ kind, id }) => (kind === "state" ? [id] : []));
  if (withLooks && stateIds.length > 0)
    for (const sighting of await reader.sightings({ stateIds, limit: LIMITS.sightingsPerBatch }))
      state.sightings.push({ recordedAtUs: 0, sighting });
  state.sightings.push(...sightings.map((sighting) => ({ recordedAtUs: 0, sighting })));
  state.edges.push(...(await edgesOf(once, reader)));
  await putVectors(state, once, { reader, embedder, signal });
  return new ArrayMemory({ state }).reader();
}

/** Where the submaps of the records lie now. */
async function edgesOf(records: readonly Stored[], reader: MemoryReader): Promise<ArrayState["edges"]> {
  const submaps = new Set(records.flatMap(({ anchor }) => (anchor ? [anchor.submap] : [])));
  submaps.delete(WORLD_FRAME);
  if (submaps.size === 0) return [];
  const frames = await reader.frames();
  return [...submaps].flatMap((child) => {
    const transform = frames.resolve(WORLD_FRAME, child);
    if (!transform) return [];
    const edge: FrameEdge = {
      parent: WORLD_FRAME,
      child,
      stampUs: null,
      transform,
      kind: "submap",
      revision: 1,
    };
    return [{ recordedAtUs: 0, edge }];
  });
}

async function putVectors(
  state: ArrayState,
  records: readonly Stored[],
  { reader, embedder, signal }: EvidenceMemoryOptions,
): Promise<void> {
  const lines = [...new Set(records.flatMap(({ text }) => text))];
  for (const line of lines) state.texts.set(line, null);
  const known = embedder && (await reader.embedder("text"));
  if (!embedder || !known || lines.length === 0) return;
  state.embedders.text = known;
  const calibration = await reader.calibration("text");
  if (calibration) state.calibrations.set("text", calibration);
  const vectors = await embedder.embed(lines, signal ? { signal } : {});
  for (const [n, line] of lines.entries()) state.texts.set(line, vectors[n] ?? null);
}
