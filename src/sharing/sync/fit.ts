import { isDeepStrictEqual } from "node:util";
import type { FrameGraph } from "../../geometry/index.ts";
import { countedUs, isDisowned, type LogHead, type Origin } from "../../memory/index.ts";
import { withoutIds } from "../../memory/rows/without-forgotten.ts";
import {
  blobsOf,
  type FrameEdgeInput,
  frameEdgeSchema,
  GOES_WITH,
  isLociError,
  type LociRecord,
  parseOrThrow,
  type RecordKind,
  referencesOf,
  type Sighting,
  type Stored,
} from "../../schema/index.ts";
import type { Refused } from "./aside.ts";

/** The part of a batch that must fit the records present; each row is well formed. */
export interface Fittable {
  readonly from: Origin;
  readonly records: readonly LociRecord[];
  readonly sightings: readonly Sighting[];
}

/** What a sender may do beyond sending records that its own memory wrote first; everything by default. */
export interface Rights {
  /** Whether it may send new versions of records that other memories wrote first. */
  readonly rewrites?: boolean | undefined;
  /** The one robot whose observations it may bring. */
  readonly agent?: string | undefined;
}

/** What the receiving memory knows of the ids that a batch names. */
export interface Fitting {
  readonly nowUs: number;
  isForgotten(id: string): boolean;
  head(id: string): LogHead | undefined;
  /**
   * The believed version of a record that a join here has rewritten, or that another memory than the sender wrote
   * first.
   */
  believed(id: string): Stored | undefined;
}

export interface Fitted {
  readonly records: readonly (LociRecord & { readonly expectVersion: number })[];
  readonly sightings: readonly Sighting[];
  /** Records that were forgotten here, or depend on one that was. */
  readonly forgotten: number;
  /** Records of which something later is believed here. */
  readonly older: number;
  readonly refused: readonly Refused[];
}

/** Kinds that a robot itself perceived: its `author` owns them. */
const SEEN: ReadonlySet<RecordKind> = new Set(["observation", "detection", "track", "state", "view"]);

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
 * A batch as the receiving memory takes it: without records forgotten here and their dependents, and without versions
 * that are older than the one believed here.
 */
export function fitBatch(batch: Fittable, known: Fitting, rights: Rights = {}): Fitted {
  const refused: Refused[] = [];
  const kept = new Map<string, LociRecord>();
  let gone = 0;
  for (const record of batch.records) {
    const { id } = record;
    const why = kept.has(id)
      ? `"${id}" comes twice in one batch`
      : whyRefused(record, batch.from, known.head(id), known.believed(id), rights);
    if (why !== undefined) refused.push({ why, row: record });
    else if (known.isForgotten(id)) gone++;
    else kept.set(id, record);
  }
  const given = gone + kept.size;
  const isThere = (id: string) => !known.isForgotten(id) && (kept.has(id) || known.head(id) !== undefined);
  const maySight = (record: LociRecord | undefined, head: LogHead | undefined) =>
    (record ?? head)?.kind === "state" &&
    (rights.rewrites !== false || record !== undefined || isOwn(head, batch.from));
  for (let before = -1; before !== kept.size; ) {
    before = kept.size;
    for (const [id, record] of kept) if (hasNothingToSay(record, isThere, known)) kept.delete(id);
  }
  const missing = new Set(namedIn(batch).filter((id) => !isThere(id)));
  const forgotten = given - kept.size;
  const from = countedHere(batch.from, known.nowUs);
  const records = [...kept.values()].flatMap((record) => {
    const head = known.head(record.id);
    if (head && !isLater(from, head.origin)) return [];
    const whole = missing.size === 0 ? record : withoutIds(record as Stored, missing);
    const joined = head?.derived ? keepingJoin(whole, known.believed(record.id)) : whole;
    return [{ ...joined, expectVersion: head?.version ?? 0 }];
  });
  return {
    records,
    sightings: batch.sightings
      .filter(({ stateId }) => isThere(stateId) && maySight(kept.get(stateId), known.head(stateId)))
      .map((one) => withoutForgotten(one, known)),
    forgotten,
    older: kept.size - records.length,
    refused,
  };
}

/** Whether a record that is here is for this memory to say more of. */
function isOwn(head: LogHead | undefined, { memory }: Origin): boolean {
  return head !== undefined && (head.author === memory || isDisowned(head.author));
}

/** Why a record is not taken, if it is not: it says something that its sender may not say, or that cannot be. */
function whyRefused(
  { id, kind, author, labels }: LociRecord,
  from: Origin,
  head: LogHead | undefined,
  believed: Stored | undefined,
  { rewrites = true, agent }: Rights,
): string | undefined {
  if (agent !== undefined && author !== agent && SEEN.has(kind))
    return `a look by "${author}"; its sender speaks for "${agent}"`;
  if (head === undefined) return undefined;
  if (head.kind !== kind) return `"${id}" is a ${head.kind} here and cannot become a ${kind}`;
  // A disowned record has no author that could object, so any memory may correct it.
  if (isOwn(head, from)) return undefined;
  if (!rewrites) return `"${id}" is another memory's, and its sender may not read it`;
  // A record keeps its readers: another memory's write can neither add nor remove any.
  if (believed && !isDeepStrictEqual([...labels].sort(), [...believed.labels].sort()))
    return `"${id}" is another memory's; its labels are for that one to change`;
  return undefined;
}

/** Edges that fit the frames that are here: one that makes a circle of them would keep its whole batch out. */
export function fitFrames(
  edges: readonly FrameEdgeInput[],
  graph: FrameGraph,
): { readonly edges: readonly FrameEdgeInput[]; readonly refused: readonly Refused[] } {
  if (fits(edges, graph)) return { edges, refused: [] };
  const taken: FrameEdgeInput[] = [];
  const refused: Refused[] = [];
  let now = graph;
  for (const edge of edges) {
    try {
      now = now.withEdges([parseOrThrow(frameEdgeSchema, edge, "frames")]);
      taken.push(edge);
    } catch (error) {
      if (!(error instanceof RangeError) && !isLociError(error, "invalid-input")) throw error;
      refused.push({ why: (error as Error).message, row: edge });
    }
  }
  return { edges: taken, refused };
}

function fits(edges: readonly FrameEdgeInput[], graph: FrameGraph): boolean {
  try {
    graph.withEdges(edges.map((edge) => parseOrThrow(frameEdgeSchema, edge, "frames")));
    return true;
  } catch (error) {
    if (error instanceof RangeError || isLociError(error, "invalid-input")) return false;
    throw error;
  }
}

/** The effective time of a stamp that is ahead of the receiver's clock. */
function countedHere({ memory, atUs }: Origin, nowUs: number): Origin {
  return { memory, atUs: countedUs(atUs, nowUs) };
}

/**
 * A robot's pose for one of its submaps is later than a join's here: it gets a revision after the join's, which its own
 * memory does not know.
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

/**
 * The later of two versions of one record, from any memories; for equal times, a choice that all memories agree on. A
 * disowned version is never later than another.
 */
export function isLater(a: Origin, b: Origin): boolean {
  if (isDisowned(a.memory) !== isDisowned(b.memory)) return isDisowned(b.memory);
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

/** A join made by this memory stays in force when its robots write the same things again. */
function keepingJoin(record: LociRecord, believed: Stored | undefined): LociRecord {
  if (record.kind === "track" && believed?.kind === "track" && record.mergedInto === undefined)
    return believed.mergedInto === undefined ? record : { ...record, mergedInto: believed.mergedInto };
  if (record.kind === "state" && believed?.kind === "state") return { ...record, trackId: believed.trackId };
  // A room that was redrawn over both maps has ended.
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
