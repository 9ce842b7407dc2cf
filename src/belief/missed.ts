import { distance, type Interval, type Vec3 } from "../geometry/index.ts";
import type { Hit, SearchRequest } from "../memory/index.ts";
import { LIMITS, type Presence } from "../schema/core.ts";
import { agentsOf } from "./agents.ts";
import { type EventRecord, madeEvent } from "./happening.ts";
import { keptUntilCommit } from "./kept.ts";
import type { MemorySearch } from "./memory-search.ts";
import { followMerges } from "./merges.ts";
import { isFixed, isMover } from "./mobility.ts";
import { isStay, type StateRecord } from "./thing.ts";

/**
 * Each robot tracks for itself, so that it misses only what it saw itself. Between several robots a thing is missed by the pictures of its
 * neighbours: it was in about as many of them as they were, and then in none.
 *
 * In simulated houses 20852, 21072 and 23102 (two robots, noise .5) the one thing that was gone had a likelihood of 1e-9 to be still there, and
 * of the 25 that were, none less than 4e-4.
 */
const STILL_THERE_P = 1e-6;
/** A thing in fewer of its neighbours' pictures (share) is too often hidden, and in fewer pictures (count) hardly known. */
const LEAST_SHARE = 0.3;
const LEAST_LOOKS = 3;
/** The fewest pictures of its neighbours without it (count), and how long after its last (µs): on another visit. */
const LEAST_MISSES = 10;
const AFTER_US = 20_000_000;
/** Neighbours stand this near (m), at about the same height (m). */
const BESIDE_M = 1.2;
const LEVEL_M = 0.5;
/** Larger memories are left to their trackers (count). */
const MOST_STATES = 2_000;
const MOST_SIGHTINGS = 40_000;

/** A stay that ended unnoticed by the robot that saw it. */
export interface Missed {
  readonly stateId: string;
  readonly trackId: string;
  readonly lastSeenUs: number;
  /** The first picture of its neighbours without it. */
  readonly missedUs: number;
}

type AllMissed = ReadonlyMap<string, Missed>;
const NONE: AllMissed = new Map();

/** The stays that several robots' pictures show to have ended, by their ids; none in the memory of one robot. */
export async function missedStays(memory: MemorySearch): Promise<AllMissed> {
  const { reader, sceneId } = memory.options;
  if ((await agentsOf(memory)).length < 2) return NONE;
  return keptUntilCommit(reader, `missed ${sceneId ?? ""} ${memory.nowUs}`, () => findMissed(memory));
}

/** What was seen of one thing, by any robot. */
interface Track {
  readonly trackId: string;
  readonly stay: StateRecord;
  readonly position: Vec3;
  /** Its pictures: when, by their ids. */
  readonly pictures: Map<string, number>;
}

async function findMissed(memory: MemorySearch): Promise<AllMissed> {
  const tracks = await liveTracks(memory);
  const found = new Map<string, Missed>();
  for (const track of tracks) {
    const missed = missedIn(track, tracks, memory.nowUs);
    if (missed) found.set(missed.stateId, missed);
  }
  return found;
}

async function liveTracks(memory: MemorySearch): Promise<readonly Track[]> {
  const { reader } = memory.options;
  const during = { fromUs: -LIMITS.timeUs, toUs: memory.nowUs + 1 };
  const hits = await memory.recorded({
    kinds: ["state"],
    time: { overlaps: during },
    limit: MOST_STATES,
    rank: "latest",
  });
  if (hits.length >= MOST_STATES) return [];
  const into = new Map<string, string>();
  const states = hits as readonly (Hit & { readonly record: StateRecord })[];
  await followMerges(
    reader,
    into,
    states.map(({ record }) => record.trackId),
  );
  const tracks = new Map<string, Track>();
  for (const { record, position } of states) {
    const isLive = record.validToUs === null && isStay(record);
    if (!isLive || !position || isFixed(record.category) || isMover(record.category)) continue;
    const trackId = into.get(record.trackId) ?? record.trackId;
    tracks.set(trackId, { trackId, stay: record, position, pictures: new Map() });
  }
  const trackOf = new Map(
    states.map(({ record }) => [record.id, into.get(record.trackId) ?? record.trackId]),
  );
  const looks = await reader.sightings({
    during,
    outcomes: ["seen"],
    order: "latest",
    limit: MOST_SIGHTINGS,
  });
  for (const { stateId, observationId, timeUs } of looks) {
    const track = tracks.get(trackOf.get(stateId) ?? "");
    // Looks before this stay were at another place.
    if (track && observationId !== undefined && timeUs >= track.stay.validFromUs)
      track.pictures.set(observationId, timeUs);
  }
  return [...tracks.values()];
}

function missedIn(track: Track, tracks: readonly Track[], nowUs: number): Missed | undefined {
  const times = [...track.pictures.values()];
  if (times.length < LEAST_LOOKS) return undefined;
  const [firstUs, lastUs] = [Math.min(...times), Math.max(...times)];
  if (nowUs - lastUs < AFTER_US) return undefined;
  const beside = new Map<string, number>();
  for (const other of tracks)
    if (other !== track && other.stay.validFromUs <= lastUs && isBeside(other.position, track.position))
      for (const [id, timeUs] of other.pictures) beside.set(id, timeUs);
  const all = [...beside];
  const before = all.filter(([, us]) => us >= firstUs && us <= lastUs);
  const after = all.filter(([, us]) => us > lastUs + AFTER_US);
  const together = before.filter(([id]) => track.pictures.has(id)).length;
  // Half a picture more on either side: the estimate of few is uncertain.
  const share = (together + 0.5) / (before.length + 1);
  if (share < LEAST_SHARE || after.length < LEAST_MISSES) return undefined;
  if ((1 - share) ** after.length > STILL_THERE_P) return undefined;
  const missedUs = Math.min(...after.map(([, us]) => us));
  return { stateId: track.stay.id, trackId: track.trackId, lastSeenUs: lastUs, missedUs };
}

function isBeside(a: Vec3, b: Vec3): boolean {
  return Math.abs(a.z - b.z) < LEVEL_M && distance(a, b) < BESIDE_M;
}

/** A stay as it is believed: one that was missed has ended. */
export function asEnded<S extends { readonly id: string; readonly validToUs: number | null }>(
  state: S,
  missed: AllMissed,
): S {
  const ended = state.validToUs === null ? missed.get(state.id) : undefined;
  return ended ? { ...state, validToUs: ended.lastSeenUs + 1 } : state;
}

/** Hits with the stays that were missed ended; without those that had ended before the time that is searched. */
export function endedIn(hits: readonly Hit[], { time }: SearchRequest, missed: AllMissed): Hit[] {
  const fromUs = time?.overlaps?.fromUs ?? -LIMITS.timeUs;
  return hits.flatMap((hit) => {
    const record = asEnded(hit.record, missed);
    if (record === hit.record) return [hit];
    return record.validToUs! > fromUs ? [{ ...hit, record }] : [];
  });
}

/** The same presence with the absence that another robot's pictures show. */
export function withAbsence(presence: Presence, missed: AllMissed): Presence {
  const ended = missed.get(presence.stateId);
  return ended
    ? { ...presence, firstAbsentAfterUs: presence.firstAbsentAfterUs ?? ended.missedUs }
    : presence;
}

/** Recorded events with the departures that were missed in the same span, in order. */
export function withDepartures(
  recorded: EventRecord[],
  missed: AllMissed,
  { fromUs, toUs }: Interval,
): EventRecord[] {
  const left = [...missed.values()]
    .filter((one) => one.lastSeenUs < (toUs ?? LIMITS.timeUs) && one.missedUs >= fromUs)
    .map(({ stateId, trackId, lastSeenUs, missedUs }) => {
      const span = { fromUs: lastSeenUs, toUs: missedUs };
      return madeEvent(stateId, "disappear", span, { who: [stateId], detail: { trackId } });
    });
  return left.length === 0 ? recorded : [...recorded, ...left].sort((a, b) => a.validFromUs - b.validFromUs);
}
