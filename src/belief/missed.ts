import { distance, type Interval, type Vec3 } from "../geometry/index.ts";
import type { Hit, SearchRequest } from "../memory/index.ts";
import { LIMITS, type Presence } from "../schema/core.ts";
import { agentsOf } from "./agents.ts";
import { type EventRecord, madeEvent } from "./happening.ts";
import type { MemorySearch } from "./memory-search.ts";
import { type Pictured, picturesIn } from "./pictures.ts";
import { MISSED } from "./settings/presence.ts";

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

/** What was missed among these things; they are listed anew after each commit. */
const FOUND = new WeakMap<readonly Pictured[], AllMissed>();

/**
 * The stays that several robots' pictures show to have ended, by their ids; none in the memory of one robot. Each robot tracks
 * for itself, so that it misses only what it saw itself. Between several robots a thing is missed by the pictures of its
 * neighbours: it was in about as many of them as they were, and then in none.
 */
export async function missedStays(memory: MemorySearch): Promise<AllMissed> {
  if ((await agentsOf(memory)).length < 2) return NONE;
  const live = (await picturesIn(memory))?.live();
  if (!live) return NONE;
  const found = FOUND.get(live) ?? missedAmong(live);
  FOUND.set(live, found);
  return found;
}

function missedAmong(live: readonly Pictured[]): AllMissed {
  const missed = live.flatMap((one) => missedIn(one, live) ?? []);
  return new Map(missed.map((one) => [one.stateId, one]));
}

function missedIn(thing: Pictured, live: readonly Pictured[]): Missed | undefined {
  const times = [...thing.pictures.values()];
  if (times.length < MISSED.leastLooks) return undefined;
  const [firstUs, lastUs] = [Math.min(...times), Math.max(...times)];
  const beside = new Map<string, number>();
  for (const other of live)
    if (other !== thing && other.stay.validFromUs <= lastUs && isBeside(other.position, thing.position))
      for (const [id, timeUs] of other.pictures) beside.set(id, timeUs);
  let [before, together, misses, missedUs] = [0, 0, 0, Infinity];
  for (const [id, timeUs] of beside) {
    if (timeUs >= firstUs && timeUs <= lastUs) {
      before++;
      if (thing.pictures.has(id)) together++;
    } else if (timeUs > lastUs + MISSED.afterUs) {
      misses++;
      missedUs = Math.min(missedUs, timeUs);
    }
  }
  // Half a picture more on either side: the estimate of few is uncertain.
  const share = (together + 0.5) / (before + 1);
  if (share < MISSED.leastShare || misses < MISSED.leastMisses) return undefined;
  if ((1 - share) ** misses > MISSED.stillThereP) return undefined;
  return { stateId: thing.stay.id, trackId: thing.trackId, lastSeenUs: lastUs, missedUs };
}

function isBeside(a: Vec3, b: Vec3): boolean {
  return Math.abs(a.z - b.z) < MISSED.levelM && distance(a, b) < MISSED.besideM;
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
