import type { FrameGraph } from "../../geometry/index.ts";
import type { LogHead, Origin } from "../../memory/index.ts";
import { withoutIds } from "../../memory/rows/without-forgotten.ts";
import {
  blobsOf,
  type FrameEdgeInput,
  GOES_WITH,
  type LociRecord,
  referencesOf,
  type Sighting,
  type Stored,
} from "../../schema/core.ts";

/** The part of a batch that has to fit what is there; each of it well formed. */
export interface Fittable {
  readonly from: Origin;
  readonly records: readonly LociRecord[];
  readonly sightings: readonly Sighting[];
}

/** What the receiving memory knows of the ids that a batch names. */
export interface Fitting {
  isForgotten(id: string): boolean;
  head(id: string): LogHead | undefined;
  /** What it believes of a thing that a join here has rewritten. */
  believed(id: string): Stored | undefined;
}

export interface Fitted {
  readonly records: readonly (LociRecord & { readonly expectVersion: number })[];
  readonly sightings: readonly Sighting[];
  /** Records that were forgotten here, or go with what was. */
  readonly forgotten: number;
  /** Records of which something later is believed here. */
  readonly older: number;
}

/** Every id that a batch names. */
export function namedIn({ records, sightings }: Omit<Fittable, "from">): string[] {
  const ids = new Set<string>();
  for (const record of records) {
    ids.add(record.id);
    for (const { id } of referencesOf(record)) ids.add(id);
  }
  for (const { stateId } of sightings) ids.add(stateId);
  return [...ids];
}

export function blobsIn(records: readonly LociRecord[]): Set<string> {
  return new Set(records.flatMap(blobsOf));
}

/**
 * A batch as the receiving memory takes it: without what was forgotten here and what has nothing to say without it, and
 * without versions of which something later is believed.
 */
export function fitBatch(batch: Fittable, known: Fitting): Fitted {
  const kept = new Map(
    batch.records.filter(({ id }) => !known.isForgotten(id)).map((record) => [record.id, record]),
  );
  const isThere = (id: string) => !known.isForgotten(id) && (kept.has(id) || known.head(id) !== undefined);
  for (let before = -1; before !== kept.size; ) {
    before = kept.size;
    for (const [id, record] of kept) if (hasNothingToSay(record, isThere, known)) kept.delete(id);
  }
  const gone = new Set(namedIn(batch).filter((id) => !isThere(id)));
  const forgotten = batch.records.length - kept.size;
  const records = [...kept.values()].flatMap((record) => {
    const head = known.head(record.id);
    if (head && !isLater(batch.from, head.origin)) return [];
    const whole = gone.size === 0 ? record : withoutIds(record as Stored, gone);
    const joined = head?.derived ? keepingJoin(whole, known.believed(record.id)) : whole;
    return [{ ...joined, expectVersion: head?.version ?? 0 }];
  });
  return {
    records,
    sightings: batch.sightings
      .filter(({ stateId }) => isThere(stateId))
      .map((one) => withoutForgotten(one, known)),
    forgotten,
    older: kept.size - records.length,
  };
}

/**
 * What a robot says of where a piece of its map lies is later than where a join here has laid it: its word gets a revision
 * after the join's, which its own memory knows nothing of.
 */
export function overJoins(edges: readonly FrameEdgeInput[], graph: FrameGraph): FrameEdgeInput[] {
  const revisions = [...new Set(edges.map(({ revision = 0 }) => revision))].sort((a, b) => a - b);
  return edges.map((edge) => {
    const { child, kind, revision = 0 } = edge;
    const here = graph.edgeOf(child);
    const isUnder = here?.kind === "alignment" && kind !== "alignment" && revision <= here.revision;
    return isUnder ? { ...edge, revision: graph.revision + 1 + revisions.indexOf(revision) } : edge;
  });
}

/** Of two versions of one record, by whichever memories: the later; of two at once, one that all agree on. */
export function isLater(a: Origin, b: Origin): boolean {
  return a.atUs === b.atUs ? a.memory > b.memory : a.atUs > b.atUs;
}

function hasNothingToSay(record: LociRecord, isThere: (id: string) => boolean, known: Fitting): boolean {
  const needed = GOES_WITH[record.kind];
  if (record.kind === "event" && tells(record.detail, known)) return true;
  return referencesOf(record).some(({ field, id }) => needed.includes(field) && !isThere(id));
}

/** Whether something forgotten is named anywhere inside. */
function tells(value: unknown, known: Fitting): boolean {
  if (typeof value === "string") return known.isForgotten(value);
  return typeof value === "object" && value !== null && Object.values(value).some((one) => tells(one, known));
}

/** A join that this memory made of its own holds for what its robots say later of the same things. */
function keepingJoin(record: LociRecord, believed: Stored | undefined): LociRecord {
  if (record.kind === "track" && believed?.kind === "track" && record.mergedInto === undefined)
    return believed.mergedInto === undefined ? record : { ...record, mergedInto: believed.mergedInto };
  if (record.kind === "state" && believed?.kind === "state") return { ...record, trackId: believed.trackId };
  // A room that was drawn anew over both maps has ended.
  if (record.kind === "region" && believed?.kind === "region" && record.validToUs === null)
    return { ...record, validToUs: believed.validToUs };
  return record;
}

function withoutForgotten(sighting: Sighting, known: Fitting): Sighting {
  const { observationId, detectionId, ...rest } = sighting;
  return {
    ...rest,
    ...(observationId !== undefined && !known.isForgotten(observationId) && { observationId }),
    ...(detectionId !== undefined && !known.isForgotten(detectionId) && { detectionId }),
  };
}
