import { isDeepStrictEqual } from "node:util";
import type { Commit, MemoryLog, MemoryReader, WorkBegin, WriteBatch } from "../../memory/index.ts";
import { parseBatch } from "../../memory/rows/prepare-batch.ts";
import { isLociError, LIMITS, LociError, type LociRecord, type Sighting } from "../../schema/core.ts";
import type { SyncedRobot } from "../clocks.ts";
import { blobsIn, type Fittable, fitBatch, namedIn, overJoins } from "./fit.ts";
import { Forgettings } from "./forgettings.ts";
import { type Segment, type SegmentBatch, unseal } from "./segment.ts";

/** A clock further ahead than this would be believed over everybody else's for as long. */
const MAX_AHEAD_US = 24 * 3_600_000_000;
/** Somebody who writes the same records at the same time is let go first so often. */
const MAX_ATTEMPTS = 8;
/** Of so many robots of one memory the clock is noted. */
const MAX_ROBOTS = 64;

/** The memory that takes segments: everything goes through its one writer. */
export interface TakingMemory {
  readonly log: MemoryLog;
  readonly reader: MemoryReader;
  readonly nowUs: () => number;
  /** Applies what people said, and makes vectors of texts. */
  write(batch: WriteBatch): Promise<Commit>;
  /** Begins, or takes up, the work of this name. */
  begin(work: WorkBegin): Promise<{ readonly state: unknown }>;
}

export interface TakeOptions {
  /** Records of any other scene are refused. */
  readonly onlyScene?: string | undefined;
}

/** What became of a segment. */
export interface Receipt {
  readonly sender: string;
  /** Batches that were new, and those that were here already. */
  readonly taken: number;
  readonly known: number;
  readonly records: number;
  readonly sightings: number;
  /** Records that were forgotten here, and those of which something later is believed. */
  readonly forgotten: number;
  readonly older: number;
}

/** What a sync that is under way has to know in the end: where maps are to be joined, and whether people spoke. */
export interface SyncState {
  readonly scenes: readonly string[];
  readonly sayings: boolean;
  /** Whose looks the sender itself took in: the clock that it has is theirs. */
  readonly robots: readonly SyncedRobot[];
}

/** Of a sync that is under way, whoever may not see everything is not told: that a robot meets this memory is a fact. */
const UNTOLD = "loci.sync";

export function workOf(sender: string): WorkBegin {
  return { id: `sync:${sender}`, what: `sync from memory ${sender.slice(0, 12)}`, labels: [UNTOLD] };
}

/**
 * Takes a segment: each batch is one write, which notes whose it is. Batches that are here already change nothing. What
 * does not go on from what is here, or knows less of what was forgotten, is refused before anything is written
 * (`version-conflict`): its sender makes it anew.
 */
export async function takeSegment(
  memory: TakingMemory,
  bytes: Uint8Array,
  { onlyScene }: TakeOptions = {},
): Promise<Receipt> {
  const segment = unseal(bytes);
  checkScene(segment, onlyScene);
  const { log } = memory;
  const [heard, forgettings] = [await log.heard(), await Forgettings.of(log)];
  check(segment, heard, forgettings, memory.nowUs());
  const total = { taken: 0, known: 0, records: 0, sightings: 0, forgotten: 0, older: 0 };
  const fresh = segment.batches.filter(({ from }) => (heard.get(from.memory) ?? -1) < from.atUs);
  total.known = segment.batches.length - fresh.length;
  if (fresh.length === 0) return { sender: segment.sender, ...total };
  const work = workOf(segment.sender);
  let state = stateOf((await memory.begin(work)).state);
  for (const batch of fresh) {
    state = withBatch(state, batch, segment.sender);
    const done = await takeBatch(memory, batch, segment.blobs, forgettings, { id: work.id, state });
    total.taken++;
    for (const key of ["records", "sightings", "forgotten", "older"] as const) total[key] += done[key];
  }
  return { sender: segment.sender, ...total };
}

function check(
  { assumes, batches, told }: Segment,
  heard: ReadonlyMap<string, number>,
  forgettings: Forgettings,
  nowUs: number,
): void {
  if (told !== forgettings.digest)
    throw new LociError("version-conflict", "more was forgotten here than its sender knew; tell it first");
  for (const [memory, atUs] of Object.entries(assumes))
    if ((heard.get(memory) ?? -1) < atUs)
      throw new LociError(
        "version-conflict",
        `this segment goes on from batches of memory ${memory.slice(0, 12)} that are not here; send those first`,
      );
  const ahead = batches.find(({ from }) => from.atUs > nowUs + MAX_AHEAD_US);
  if (ahead)
    throw new LociError(
      "invalid-input",
      `memory ${ahead.from.memory.slice(0, 12)} has a clock ${Math.round((ahead.from.atUs - nowUs) / 3_600_000_000)} h ahead of this one; set its clock`,
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

type Done = Pick<Receipt, "records" | "sightings" | "forgotten" | "older">;

async function takeBatch(
  memory: TakingMemory,
  batch: SegmentBatch,
  blobs: ReadonlyMap<string, Uint8Array>,
  forgettings: Forgettings,
  work: NonNullable<WriteBatch["work"]>,
): Promise<Done> {
  const { records: checked, sightings } = parseBatch({ records: batch.records, sightings: batch.sightings });
  const given: Fittable = { from: batch.from, records: checked.map(({ record }) => record), sightings };
  for (let attempt = 1; ; attempt++) {
    const { records, sightings: looks, ...left } = await fitted(memory, given, forgettings);
    const fresh = await unknownOf(memory.reader, looks);
    const named = blobsIn(records);
    const { from, derived, frames } = batch;
    try {
      await memory.write({
        from,
        derived,
        frames: overJoins(frames, await memory.reader.frames()),
        work,
        records,
        sightings: fresh,
        blobs: [...named].flatMap((ref) => blobs.get(ref) ?? []),
        imageVectors: await vectorsHere(memory.reader, batch, named),
      });
      return { ...left, records: records.length, sightings: fresh.length };
    } catch (error) {
      // Another writer was quicker, or wrote this very batch.
      if (!isLociError(error, "version-conflict") || attempt >= MAX_ATTEMPTS) throw error;
    }
  }
}

async function fitted({ log, reader }: TakingMemory, batch: Fittable, forgettings: Forgettings) {
  const ids = namedIn(batch);
  const heads = new Map((await log.heads(ids)).map((head, i) => [ids[i]!, head]));
  const joined = batch.records.filter(({ id }) => heads.get(id)?.derived).map(({ id }) => id);
  const believed = new Map((await reader.get(joined)).map((record, i) => [joined[i]!, record]));
  return fitBatch(batch, {
    isForgotten: (id) => forgettings.has(id),
    head: (id) => heads.get(id),
    believed: (id) => believed.get(id),
  });
}

/** Looks that are not here yet: a memory that was copied holds some without knowing whose they were. */
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
