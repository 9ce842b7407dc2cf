import { setImmediate as breathe } from "node:timers/promises";
import { Belief } from "../../belief/belief.ts";
import { asEnded, missedStays, withAbsence } from "../../belief/missed.ts";
import { labelOf } from "../../belief/names.ts";
import { missedAtUs } from "../../belief/presence.ts";
import { observedSpan } from "../../belief/span.ts";
import { apply, type FrameGraph, type Vec3, yawOf } from "../../geometry/index.ts";
import type { CallOptions, HitOf, MemoryReader } from "../../memory/index.ts";
import {
  LIMITS,
  LociError,
  type Presence,
  type RecordOf,
  type Stored,
  throwIfAborted,
  WORLD_FRAME,
} from "../../schema/core.ts";
import { encodeBlock } from "./block.ts";
import { FEED_FORMAT, NONE, OPEN, STATE_FLAGS, THING_TYPES } from "./decode.ts";
import { placeIn } from "./pieces.ts";
import { type Revision, revisionText } from "./revision.ts";
import { Table } from "./table.ts";

type State = Stored<RecordOf<"state">>;

export interface StatesQuery extends CallOptions {
  readonly sceneId?: string | undefined;
  /** The cursor from an earlier block. */
  readonly after?: string | undefined;
  /** Also past beliefs of the memory: a row for each version. */
  readonly versions?: boolean | undefined;
  readonly limit?: number | undefined;
}

/** Default and greatest number of states per block. */
const PAGE_STATES = 2_048;
const MAX_STATES = 8_192;
/** Number of states with the same start time as the cursor that are expected to be known already. */
const TIES = 64;
/** Number of states looked up before yielding to other work. */
const SLICE = 256;
/** Rows of one block, give or take those of one slice. */
const MAX_ROWS = 16_384;
/** Most versions per state; the newest are kept. */
const MAX_VERSIONS = 256;
/** A state this short is the remnant of a merge, never a place of its own. */
const MERGED_US = 1;

/** A block of states of things, ordered by start time, then id. */
export async function statesBlock(
  reader: MemoryReader,
  query: StatesQuery = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const limit = Math.max(1, Math.min(query.limit ?? PAGE_STATES, MAX_STATES));
  const { states, next } = await pageOf(reader, query, limit);
  const { rows, left } = await rowsOf(reader, states, query);
  return encodeStates(rows, {
    next: left === undefined ? next : cursorAt(left),
    revision: null,
    isUpdate: false,
    reload: false,
    gone: [],
  });
}

/**
 * What changed since a revision: every changed state with all its rows, and those to drop. A client that was away for
 * long, or whose map was corrected, is told to reload.
 */
export async function statesSince(
  reader: MemoryReader,
  since: Revision,
  query: Omit<StatesQuery, "after"> = {},
): Promise<Uint8Array<ArrayBuffer>> {
  const most = Math.max(1, Math.min(query.limit ?? MAX_STATES, MAX_STATES));
  const frames = await reader.frames();
  const moved = frames.changedFrames(since.map, frames.revision).some(({ before }) => before !== undefined);
  const news = moved ? undefined : await newsSince(reader, since.commitUs, most, query.signal);
  if (news === undefined)
    return encodeStates([], { next: null, revision: null, isUpdate: true, reload: true, gone: [] });
  const ids = [...news.states];
  const found = await reader.get(ids);
  const states = found.filter(
    (one): one is State =>
      one?.kind === "state" &&
      !isMerged(one) &&
      (query.sceneId === undefined || one.sceneId === query.sceneId),
  );
  const there = new Set(states.map(({ id }) => id));
  const { rows, left } = await rowsOf(reader, states, query);
  return encodeStates(rows, {
    next: null,
    revision: revisionText({ commitUs: news.lastUs, map: frames.revision }),
    isUpdate: true,
    reload: left !== undefined,
    gone: [...ids.filter((id) => !there.has(id)), ...news.forgotten],
  });
}

/** Ids of states changed after a memory time; undefined if there are too many. */
async function newsSince(
  reader: MemoryReader,
  afterUs: number,
  most: number,
  signal: AbortSignal | undefined,
): Promise<{ states: Set<string>; forgotten: string[]; lastUs: number } | undefined> {
  const states = new Set<string>();
  const forgotten: string[] = [];
  let lastUs = afterUs;
  const options = { afterUs, live: false, ...(signal && { signal }) };
  for await (const change of reader.changes(options)) {
    lastUs = change.commitUs;
    for (const record of change.put) if (record.kind === "state") states.add(record.id);
    for (const { stateId } of change.sightings) states.add(stateId);
    forgotten.push(...change.forgotten);
    if (states.size > most || forgotten.length > most) return undefined;
  }
  return { states, forgotten, lastUs };
}

async function pageOf(
  reader: MemoryReader,
  { after, sceneId, signal }: StatesQuery,
  limit: number,
): Promise<{ states: State[]; next: string | null }> {
  const from = after === undefined ? undefined : cursorOf(after);
  const isFresh = ({ validFromUs, id }: State) => !from || validFromUs > from.fromUs || id > from.id;
  for (let asked = limit + TIES; ; asked = LIMITS.hitsPerSearch) {
    const { hits } = await reader.search(
      {
        kinds: ["state"],
        rank: "earliest",
        limit: asked,
        ...(sceneId !== undefined && { where: { sceneId: [sceneId] } }),
        ...(from && { time: { after: from.fromUs } }),
      },
      signal ? { signal } : {},
    );
    const fresh = (hits as HitOf<"state">[]).map(({ record }) => record as State).filter(isFresh);
    const isAll = hits.length < asked;
    // More equal start times than expected: all of them must be passed.
    if (!isAll && fresh.length < limit && asked < LIMITS.hitsPerSearch) continue;
    if (!isAll && fresh.length === 0)
      throw new LociError(
        "limit-exceeded",
        `more than ${LIMITS.hitsPerSearch} states begin at the very same moment; they cannot be told apart by time`,
      );
    const states = fresh.slice(0, limit);
    const last = states.at(-1);
    const isWhole = isAll && states.length === fresh.length;
    return {
      states: states.filter((state) => !isMerged(state)),
      next: isWhole || last === undefined ? null : cursorAt(last),
    };
  }
}

function cursorAt({ validFromUs, id }: State): string {
  return `${validFromUs}~${id}`;
}

function cursorOf(text: string): { readonly fromUs: number; readonly id: string } {
  const [fromUs, id] = [Number(text.slice(0, text.indexOf("~"))), text.slice(text.indexOf("~") + 1)];
  if (!text.includes("~") || !Number.isSafeInteger(fromUs))
    throw new LociError("invalid-input", `"${text.slice(0, 60)}" is not where a block said to go on`);
  return { fromUs, id };
}

function isMerged({ validFromUs, validToUs }: State): boolean {
  return validToUs !== null && validToUs - validFromUs <= MERGED_US;
}

interface Row {
  readonly state: State;
  readonly trackId: string;
  readonly type: number;
  readonly presence: Presence | undefined;
  readonly roomId: string | undefined;
  readonly map: string;
  readonly position: Vec3;
  readonly yawRad: number;
}

/**
 * Rows of states, and of their past versions if requested; states without a position have no row. If there are too
 * many rows, `left` is the last state that has all of its own.
 */
async function rowsOf(
  reader: MemoryReader,
  states: readonly State[],
  { versions = false, sceneId, signal }: StatesQuery,
): Promise<{ readonly rows: Row[]; readonly left?: State }> {
  const frames = await reader.frames();
  const belief = new Belief({ reader, nowUs: (await observedSpan(reader))?.toUs ?? 0, sceneId });
  // A room that was replaced since is named by its earlier record.
  const roomOf = async (
    { regionId, validToUs, category }: State,
    { map, position }: Pick<Row, "map" | "position">,
  ) =>
    validToUs === null && map === WORLD_FRAME
      ? (await belief.roomOf({ roomId: regionId, position, category }))?.id
      : regionId;
  const missed = await missedStays(belief);
  const rows: Row[] = [];
  for (let at = 0; at < states.length; at += SLICE) {
    throwIfAborted(signal);
    const slice = states.slice(at, at + SLICE).map((state) => asEnded(state, missed));
    const presences = (await reader.presence(slice.map(({ id }) => id))).map((one) =>
      withAbsence(one, missed),
    );
    const tracks = await tracksOf(reader, slice);
    for (const [n, current] of slice.entries()) {
      const all = versions ? await versionsOf(reader, current) : [current];
      for (const state of all) {
        const place = placeOf(state, frames);
        const track = tracks.get(state.trackId);
        if (place) {
          const { id: trackId = state.trackId, type = 0 } = track ?? {};
          const roomId = await roomOf(state, place);
          rows.push({ state, trackId, type, presence: presences[n], roomId, ...place });
        }
      }
    }
    if (rows.length >= MAX_ROWS && at + SLICE < states.length) return { rows, left: slice.at(-1)! };
    await breathe();
  }
  return { rows };
}

async function versionsOf(reader: MemoryReader, current: State): Promise<State[]> {
  const history = await reader.history(current.id);
  return history.slice(-MAX_VERSIONS).filter((one): one is State => one.kind === "state" && !isMerged(one));
}

function placeOf(
  { anchor }: State,
  frames: FrameGraph,
): Pick<Row, "map" | "position" | "yawRad"> | undefined {
  const place = anchor && placeIn(frames, anchor);
  if (place === undefined) return undefined;
  const { map, mapFromSubmap } = place;
  return { map, position: apply(mapFromSubmap, anchor!.p), yawRad: yawOf(mapFromSubmap.q) };
}

/** Types of tracks; a merged track takes the type of its successor. */
async function tracksOf(
  reader: MemoryReader,
  states: readonly State[],
): Promise<Map<string, { readonly id: string; readonly type: number }>> {
  const ids = [...new Set(states.map(({ trackId }) => trackId))];
  const found = new Map<string, { id: string; type: number }>();
  for (const record of await reader.get(ids))
    if (record?.kind === "track")
      found.set(record.id, { id: record.mergedInto ?? record.id, type: THING_TYPES.indexOf(record.type) });
  return found;
}

interface Told {
  readonly next: string | null;
  readonly revision: string | null;
  readonly isUpdate: boolean;
  readonly reload: boolean;
  readonly gone: readonly string[];
}

function encodeStates(rows: readonly Row[], told: Told): Uint8Array<ArrayBuffer> {
  const origin = middleOf(rows);
  const timeOriginUs = leastOf(rows, ({ state }) => state.validFromUs);
  const memoryOriginUs = leastOf(rows, ({ state }) => state.recordedAtUs);
  const world = (us: number | null | undefined) => (us == null ? OPEN : (us - timeOriginUs) / 1e6);
  const memory = (us: number | null) => (us === null ? OPEN : (us - memoryOriginUs) / 1e6);
  const tables = {
    tracks: new Table(),
    names: new Table(),
    classes: new Table(),
    rooms: new Table(),
    agents: new Table(),
    maps: new Table([WORLD_FRAME]),
  };
  /** `TypedArray.from` uses an iterator, which takes five times as long. */
  const filled = <T extends Uint8Array | Uint16Array | Uint32Array | Float32Array>(
    out: T,
    of: (row: Row) => number,
  ): T => {
    for (let n = 0; n < rows.length; n++) out[n] = of(rows[n]!);
    return out;
  };
  const f32 = (of: (row: Row) => number) => filled(new Float32Array(rows.length), of);
  const u32 = (of: (row: Row) => number) => filled(new Uint32Array(rows.length), of);
  const u16 = (of: (row: Row) => number) => filled(new Uint16Array(rows.length), of);
  const u8 = (of: (row: Row) => number) => filled(new Uint8Array(rows.length), of);
  const f32x3 = (of: (row: Row) => Vec3) => {
    const out = new Float32Array(rows.length * 3);
    for (let n = 0; n < rows.length; n++) {
      const { x, y, z } = of(rows[n]!);
      out[n * 3] = x;
      out[n * 3 + 1] = y;
      out[n * 3 + 2] = z;
    }
    return out;
  };
  const columns = {
    id: rows.map(({ state }) => state.id),
    track: u32(({ trackId }) => tables.tracks.of(trackId)),
    name: u32(({ state }) => tables.names.of(labelOf(state))),
    class: u16(({ state }) => tables.classes.of(state.category)),
    room: u16(({ roomId }) => (roomId === undefined ? NONE : tables.rooms.of(roomId))),
    agent: u16(({ state }) => tables.agents.of(state.author)),
    map: u16(({ map }) => tables.maps.of(map)),
    type: u8(({ type }) => Math.max(0, type)),
    flags: u8(flagsOf),
    position: f32x3(({ position: { x, y, z } }) => ({ x: x - origin.x, y: y - origin.y, z: z - origin.z })),
    size: f32x3(({ state }) => state.extent ?? { x: 0, y: 0, z: 0 }),
    yaw: f32(({ yawRad }) => yawRad),
    from: f32(({ state }) => world(state.validFromUs)),
    to: f32(({ state }) => world(state.validToUs)),
    lastSeen: f32(({ state, presence }) => world(presence?.lastSeenUs ?? state.validFromUs)),
    absent: f32(({ state, presence }) => world(missedAtUs(state, presence))),
    believedFrom: f32(({ state }) => memory(state.recordedAtUs)),
    believedTo: f32(({ state }) => memory(state.supersededAtUs)),
    seen: u32(({ presence }) => presence?.seenCount ?? 0),
    confidence: f32(confidenceOf),
  };
  const header = {
    format: FEED_FORMAT,
    count: rows.length,
    ...told,
    timeOriginUs,
    memoryOriginUs,
    origin,
    maps: tables.maps.all,
  };
  return encodeBlock("states", header, {
    ...columns,
    tracks: tables.tracks.all,
    names: tables.names.all,
    classes: tables.classes.all,
    rooms: tables.rooms.all,
    agents: tables.agents.all,
  });
}

/** The least of some times; 0 if there are none. */
function leastOf(rows: readonly Row[], timeOf: (row: Row) => number): number {
  const least = rows.reduce((so, row) => Math.min(so, timeOf(row)), Infinity);
  return least === Infinity ? 0 : least;
}

function flagsOf({ state }: Row): number {
  return (
    (state.movedFrom === undefined ? 0 : STATE_FLAGS.moved) |
    (state.extent === undefined ? STATE_FLAGS.point : 0)
  );
}

/**
 * Probability that such a thing exists: a half if seen once, three quarters if seen twice; a record without
 * observations counts as certain. For a thing that moved there, it is at most the probability that it is the same
 * thing.
 */
function confidenceOf({ state, presence }: Row): number {
  const seen = presence?.seenCount ?? 0;
  return (seen === 0 ? 1 : 1 - 0.5 ** seen) * (state.movedFrom?.p ?? 1);
}

/**
 * A point close to all of them, so that metres as float32 are accurate to a fraction of a millimetre within
 * kilometres.
 */
function middleOf(rows: readonly Row[]): Vec3 {
  const sum = { x: 0, y: 0, z: 0 };
  for (const { position } of rows) {
    sum.x += position.x / rows.length;
    sum.y += position.y / rows.length;
    sum.z += position.z / rows.length;
  }
  return { x: Math.round(sum.x), y: Math.round(sum.y), z: Math.round(sum.z) };
}
