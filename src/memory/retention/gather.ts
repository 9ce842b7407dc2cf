import type { Vec3 } from "../../geometry/index.ts";
import { blobsOf, type LociRecord, type RecordOf, referencesOf, type Stored } from "../../schema/core.ts";
import { eachHit } from "../each-hit.ts";
import type { MemoryReader } from "../port.ts";
import { EVICTABLE, type EvictableKind } from "./policy.ts";

/** A record that may be given up, with what its worth is made of. */
export interface Candidate {
  readonly record: RecordOf<EvictableKind>;
  readonly kind: EvictableKind;
  readonly position: Vec3 | undefined;
  /** Tracks that it shows or speaks of. */
  readonly tracks: ReadonlySet<string>;
  /** How many other records name it. */
  readonly citations: number;
  /**
   * Its row, and the blobs that nothing else uses; the planner counts its lines, since it knows which records still use
   * them.
   */
  readonly bytes: number;
}

/** Everything that a plan is made from. */
export interface Holdings {
  readonly candidates: readonly Candidate[];
  readonly trackOf: ReadonlyMap<string, string>;
  readonly stateIds: readonly string[];
  /** The lines of each state. */
  readonly linesOf: ReadonlyMap<string, readonly string[]>;
  /** The category of each state. */
  readonly categoryOf: ReadonlyMap<string, string>;
  /** By how many records that stay or may go each line and blob is used. */
  readonly uses: ReadonlyMap<string, number>;
  /** Things that happened to states: when, and to which. */
  readonly changes: readonly { readonly timeUs: number; readonly states: readonly string[] }[];
}

/**
 * Events that are boundaries between two states of the world. Stops, turns and passes are not; nor is the first sight
 * of a thing that was there all along, since its first sighting is kept as evidence.
 */
const CHANGES: ReadonlySet<string> = new Set(["disappear", "move", "state-change", "interaction"]);
/** A row without its body: ids, times, indexes. Measured on the SQLite engine. */
export const ROW_BYTES = 260;
/** A line of text without its letters: hash, row, and a vector of 128 floats. */
export const LINE_BYTES = 650;
/** A picture's bytes on disk for each of its own: two of half a page seldom fit into one. */
export const BLOB_SHARE = 1.2;

/** Reads what may be given up and what speaks for keeping it. */
export async function readHoldings(reader: MemoryReader): Promise<Holdings> {
  const trackOf = new Map<string, string>();
  const linesOf = new Map<string, readonly string[]>();
  const categoryOf = new Map<string, string>();
  for await (const { record } of eachHit(reader, "state")) {
    trackOf.set(record.id, record.trackId);
    linesOf.set(record.id, record.text);
    categoryOf.set(record.id, record.category);
  }
  const citations = new Map<string, number>();
  const cite = (record: LociRecord) => {
    for (const { id } of referencesOf(record)) citations.set(id, (citations.get(id) ?? 0) + 1);
  };
  const tracks = new Set(trackOf.values());
  const changes: { timeUs: number; states: string[] }[] = [];
  for await (const { record } of eachHit(reader, "event")) {
    cite(record);
    const states = record.who.filter((id) => trackOf.has(id) || tracks.has(id));
    if (states.length > 0 && CHANGES.has(record.type)) changes.push({ timeUs: record.validFromUs, states });
  }
  const found: { record: RecordOf<EvictableKind>; position: Vec3 | undefined }[] = [];
  const uses = new Map<string, number>();
  const use = (record: LociRecord) => {
    for (const one of [...blobsOf(record), ...record.text]) uses.set(one, (uses.get(one) ?? 0) + 1);
  };
  for (const kind of ["state", "place"] as const) {
    for await (const { record } of eachHit(reader, kind)) {
      cite(record);
      use(record);
    }
  }
  for (const kind of EVICTABLE) {
    for await (const { record, position } of eachHit(reader, kind)) {
      found.push({ record, position });
      if (kind === "caption") cite(record);
      use(record);
    }
  }
  const candidates: Candidate[] = [];
  for (const { record, position } of found) {
    candidates.push({
      record,
      kind: record.kind,
      position,
      tracks: new Set(statesOf(record).flatMap((state) => trackOf.get(state) ?? [])),
      citations: citations.get(record.id) ?? 0,
      bytes: await bytesOf(reader, record, uses),
    });
  }
  return { candidates, trackOf, stateIds: [...trackOf.keys()], linesOf, categoryOf, uses, changes };
}

export function statesOf(record: RecordOf<EvictableKind>): string[] {
  switch (record.kind) {
    case "view":
      return record.visible.map(({ stateId }) => stateId);
    case "caption":
      return record.states;
    case "detection":
      return record.stateId === undefined ? [] : [record.stateId];
    default:
      return [];
  }
}

async function bytesOf(
  reader: MemoryReader,
  record: RecordOf<EvictableKind>,
  uses: ReadonlyMap<string, number>,
): Promise<number> {
  let bytes = ROW_BYTES + JSON.stringify(record).length;
  for (const ref of blobsOf(record)) {
    if (uses.get(ref) === 1) bytes += BLOB_SHARE * ((await reader.blob(ref))?.length ?? 0);
  }
  return bytes;
}

/** A record as it is written: without what the memory added to it. */
export function plain<R extends LociRecord>(record: R): R {
  const { version: _v, recordedAtUs: _r, supersededAtUs: _s, ...rest } = record as R & Partial<Stored>;
  return rest as unknown as R;
}
