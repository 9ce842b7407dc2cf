import { isDeepStrictEqual } from "node:util";
import {
  type Commit,
  isDisowned,
  type LogHead,
  type MemoryLog,
  type MemoryReader,
  type Origin,
  type WorkBegin,
  type WriteBatch,
} from "../../memory/index.ts";
import { parseBatch } from "../../memory/rows/prepare-batch.ts";
import {
  type FrameEdgeInput,
  isLociError,
  LIMITS,
  LociError,
  type LociRecord,
  type Sighting,
} from "../../schema/core.ts";
import type { SyncedRobot } from "../clocks.ts";
import type { Refused } from "./aside.ts";
import {
  blobsIn,
  type Fittable,
  type Fitting,
  fitBatch,
  fitFrames,
  namedIn,
  overJoins,
  type Rights,
} from "./fit.ts";
import { Forgettings } from "./forgettings.ts";
import { type Segment, type SegmentBatch, unseal } from "./segment.ts";

/** How often a write is retried after losing to another writer of the same records. */
const MAX_ATTEMPTS = 8;
/** Different reasons of refused rows that a receipt names. */
const MAX_REASONS = 8;
/** The most robots of one memory with a recorded clock. */
const MAX_ROBOTS = 64;

/** The memory that takes segments: everything goes through its one writer. */
export interface TakingMemory {
  readonly log: MemoryLog;
  readonly reader: MemoryReader;
  readonly nowUs: () => number;
  /** Applies people's statements, and makes vectors of texts. */
  write(batch: WriteBatch): Promise<Commit>;
  /** Begins, or resumes, the work of this name. */
  begin(work: WorkBegin): Promise<{ readonly state: unknown }>;
}

export interface TakeOptions {
  /** Records of any other scene are refused. */
  readonly onlyScene?: string | undefined;
  readonly rights?: Rights | undefined;
  /** Throws unless the caller may speak for the sender and for the memories that wrote its batches. */
  readonly admit?: ((sender: string, memories: readonly string[]) => void) | undefined;
  /** Receives the rows of a batch that are not taken. */
  readonly onRefused?: ((from: Origin, refused: readonly Refused[]) => void) | undefined;
}

/** The outcome of a segment. */
export interface Receipt {
  readonly sender: string;
  /** Batches that were new, and those that were already present. */
  readonly taken: number;
  readonly known: number;
  readonly records: number;
  readonly sightings: number;
  /** Records that were forgotten here, and those of which something later is believed. */
  readonly forgotten: number;
  readonly older: number;
  /** Records and edges that were set aside while the rest of their batches was taken, and the reasons, each once. */
  readonly refused: number;
  readonly reasons: readonly string[];
}

/** What a running sync must keep until its end: where maps are to be joined, and whether people made statements. */
export interface SyncState {
  readonly scenes: readonly string[];
  readonly sayings: boolean;
  /** The robots whose observations the sender itself recorded: its clock is theirs. */
  readonly robots: readonly SyncedRobot[];
}

/**
 * The label of a running sync, which hides it from restricted readers: that a robot meets this memory is a fact about
 * it.
 */
const UNTOLD = "loci.sync";

const WORK = "sync:";

export function workOf(sender: string): WorkBegin {
  return { id: `${WORK}${sender}`, what: `sync from memory ${sender.slice(0, 12)}`, labels: [UNTOLD] };
}

/** The sender of the sync that a work belongs to; undefined for other works. */
export function senderOf(workId: string): string | undefined {
  return workId.startsWith(WORK) ? workId.slice(WORK.length) : undefined;
}

/**
 * Takes a segment: each batch is one write, which records its origin. Batches that are already present change nothing.
 * A segment that leaves a gap, or that knows less of what was forgotten, is refused before anything is written
 * (`version-conflict`), so that its sender makes a new one.
 */
export async function takeSegment(
  memory: TakingMemory,
  bytes: Uint8Array,
  { onlyScene, rights = {}, admit, onRefused }: TakeOptions = {},
): Promise<Receipt> {
  const segment = await unseal(bytes);
  admit?.(segment.sender, [...new Set(segment.batches.map(({ from }) => from.memory))]);
  checkScene(segment, onlyScene);
  const { log } = memory;
  const [heard, forgettings] = [await log.heard(), await Forgettings.of(log)];
  check(segment, heard, forgettings);
  const total = { taken: 0, known: 0, records: 0, sightings: 0, forgotten: 0, older: 0, refused: 0 };
  const reasons = new Set<string>();
  const fresh = segment.batches.filter(({ from }) => (heard.get(from.memory) ?? -1) < from.atUs);
  total.known = segment.batches.length - fresh.length;
  if (fresh.length === 0) return { sender: segment.sender, ...total, reasons: [] };
  const work = workOf(segment.sender);
  let state = stateOf((await memory.begin(work)).state);
  for (const batch of fresh) {
    state = withBatch(state, batch, segment.sender);
    const step = { work: { id: work.id, state }, rights };
    const { refused, ...done } = await takeBatch(memory, batch, segment.blobs, forgettings, step);
    if (refused.length > 0) onRefused?.(batch.from, refused);
    for (const { why } of refused) if (reasons.size < MAX_REASONS) reasons.add(why);
    total.taken++;
    total.refused += refused.length;
    for (const key of ["records", "sightings", "forgotten", "older"] as const) total[key] += done[key];
  }
  return { sender: segment.sender, ...total, reasons: [...reasons] };
}

function check(
  { assumes, told }: Segment,
  heard: ReadonlyMap<string, number>,
  forgettings: Forgettings,
): void {
  if (told !== forgettings.digest)
    throw new LociError("version-conflict", "more was forgotten here than its sender knew; tell it first");
  for (const [memory, atUs] of Object.entries(assumes))
    if ((heard.get(memory) ?? -1) < atUs)
      throw new LociError(
        "version-conflict",
        `this segment goes on from batches of memory ${memory.slice(0, 12)} that are not here; send those first`,
      );
}

function checkScene({ batches }: Segment, onlyScene: string | undefined): void {
  if (onlyScene === undefined) return;
  for (const { records } of batches)
    for (const { sceneId } of records)
      if (sceneId !== onlyScene)
        throw new LociError(
          "access-denied",
          `this token is for scene "${onlyScene}"; the memory has records of scene "${sceneId}"`,
        );
}

interface Done extends Pick<Receipt, "records" | "sightings" | "forgotten" | "older"> {
  readonly refused: readonly Refused[];
}

async function takeBatch(
  memory: TakingMemory,
  batch: SegmentBatch,
  blobs: ReadonlyMap<string, Uint8Array>,
  forgettings: Forgettings,
  { work, rights }: { readonly work: NonNullable<WriteBatch["work"]>; readonly rights: Rights },
): Promise<Done> {
  const { malformed, ...given } = wellFormed(batch);
  for (let attempt = 1; ; attempt++) {
    const { records, sightings: looks, refused, ...left } = await fitted(memory, given, forgettings, rights);
    const { edges, strange } = await ownEdges(memory, batch, rights);
    const frames = fitFrames(overJoins(edges, await memory.reader.frames()), await memory.reader.frames());
    const fresh = await unknownOf(memory.reader, looks);
    const named = blobsIn(records);
    const { from, derived } = batch;
    try {
      await memory.write({
        from,
        derived,
        frames: frames.edges,
        work,
        records,
        sightings: fresh,
        blobs: [...named].flatMap((ref) => blobs.get(ref) ?? []),
        imageVectors: await vectorsHere(memory.reader, batch, named),
      });
      const all = [...malformed, ...refused, ...strange, ...frames.refused];
      return { ...left, records: records.length, sightings: fresh.length, refused: all };
    } catch (error) {
      // Another writer was quicker, or wrote this very batch.
      if (!isLociError(error, "version-conflict") || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

/** A batch without rows that no memory could have written; they are refused each by itself. */
function wellFormed(batch: SegmentBatch): Fittable & { readonly malformed: readonly Refused[] } {
  const { from } = batch;
  const parsed = ({ records, sightings }: Pick<WriteBatch, "records" | "sightings">) => {
    const right = parseBatch({ records: records ?? [], sightings: sightings ?? [] });
    return { records: right.records.map(({ record }) => record), sightings: right.sightings };
  };
  try {
    return { from, ...parsed(batch), malformed: [] };
  } catch (error) {
    if (!isLociError(error)) throw error;
  }
  const good = { records: [] as LociRecord[], sightings: [] as Sighting[] };
  const malformed: Refused[] = [];
  const rows = [
    ...batch.records.map((row) => ({ row, only: { records: [row] } })),
    ...batch.sightings.map((row) => ({ row, only: { sightings: [row] } })),
  ];
  for (const { row, only } of rows) {
    try {
      const { records, sightings } = parsed(only);
      good.records.push(...records);
      good.sightings.push(...sightings);
    } catch (error) {
      if (!isLociError(error)) throw error;
      malformed.push({ why: error.message, row });
    }
  }
  return { from, ...good, malformed };
}

/** The edges of a batch that its sender may bring: one without the right to rewrite says only where its own frames lie. */
async function ownEdges(
  { log }: TakingMemory,
  { from, frames }: SegmentBatch,
  { rewrites = true }: Rights,
): Promise<{ readonly edges: readonly FrameEdgeInput[]; readonly strange: readonly Refused[] }> {
  if (rewrites || frames.length === 0) return { edges: frames, strange: [] };
  const authors = await log.frameAuthors([...new Set(frames.map(({ child }) => child))]);
  const isOwn = ({ child }: FrameEdgeInput) => {
    const author = authors.get(child) ?? from.memory;
    return author === from.memory || isDisowned(author);
  };
  const strange = frames
    .filter((edge) => !isOwn(edge))
    .map((row) => ({ why: `frame "${row.child}" is another memory's`, row }));
  return { edges: frames.filter(isOwn), strange };
}

async function fitted(
  { log, reader, nowUs }: TakingMemory,
  batch: Fittable,
  forgettings: Forgettings,
  rights: Rights,
) {
  const ids = namedIn(batch);
  const heads = new Map((await log.heads(ids)).map((head, i) => [ids[i]!, head]));
  const isLookedAt = (head: LogHead | undefined) =>
    head && (head.derived || head.author !== batch.from.memory);
  const joined = batch.records.filter(({ id }) => isLookedAt(heads.get(id))).map(({ id }) => id);
  const believed = new Map((await reader.get(joined)).map((record, i) => [joined[i]!, record]));
  const known: Fitting = {
    nowUs: nowUs(),
    isForgotten: (id) => forgettings.has(id),
    head: (id) => heads.get(id),
    believed: (id) => believed.get(id),
  };
  return fitBatch(batch, known, rights);
}

/** Observations that are not here yet: a copied memory holds some without knowing their author. */
async function unknownOf(reader: MemoryReader, looks: readonly Sighting[]): Promise<Sighting[]> {
  if (looks.length === 0) return [];
  const times = looks.map(({ timeUs }) => timeUs);
  const during = {
    fromUs: times.reduce((a, b) => Math.min(a, b)),
    toUs: times.reduce((a, b) => Math.max(a, b)) + 1,
  };
  const stateIds = [...new Set(looks.map(({ stateId }) => stateId))];
  const here = await reader.sightings({ stateIds, during, limit: LIMITS.sightingsPerBatch });
  if (here.length === 0) return [...looks];
  const known = Map.groupBy(here, keyOf);
  return looks.filter((look) => !known.get(keyOf(look))?.some((one) => isDeepStrictEqual(one, look)));
}

const keyOf = ({ stateId, timeUs }: Sighting): string => `${timeUs} ${stateId}`;

/** Vectors of pictures, where they are by the model that this memory uses. */
async function vectorsHere(
  reader: MemoryReader,
  { imageVectors }: SegmentBatch,
  named: ReadonlySet<string>,
): Promise<NonNullable<WriteBatch["imageVectors"]>> {
  if (imageVectors.length === 0) return [];
  const embedder = await reader.embedder("image");
  return imageVectors.filter(({ blob, vector }) => named.has(blob) && vector.length === embedder?.dim);
}

function withBatch(state: SyncState, { from, records }: SegmentBatch, sender: string): SyncState {
  const scenes = new Set(state.scenes);
  const robots = new Map(state.robots.map((robot) => [keyOfRobot(robot), robot]));
  let { sayings } = state;
  for (const record of records as readonly LociRecord[]) {
    scenes.add(record.sceneId);
    sayings ||= record.kind === "event" && record.type === "correction";
    if (record.kind === "observation" && from.memory === sender) noteRobot(robots, record);
  }
  return { scenes: [...scenes].sort(), sayings, robots: [...robots.values()] };
}

function noteRobot(robots: Map<string, SyncedRobot>, { sceneId, author: agentId, labels }: LociRecord): void {
  const key = keyOfRobot({ sceneId, agentId });
  const known = robots.get(key);
  if (known === undefined && robots.size >= MAX_ROBOTS) return;
  robots.set(key, { sceneId, agentId, labels: [...new Set([...(known?.labels ?? []), ...labels])].sort() });
}

function keyOfRobot({ sceneId, agentId }: Pick<SyncedRobot, "sceneId" | "agentId">): string {
  return JSON.stringify([sceneId, agentId]);
}

export function stateOf(state: unknown): SyncState {
  return { scenes: [], sayings: false, robots: [], ...(state as Partial<SyncState> | null) };
}
