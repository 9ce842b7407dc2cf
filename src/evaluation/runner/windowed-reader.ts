import {
  type Interval,
  intersectIntervals,
  intervalContains,
  intervalsOverlap,
} from "../../geometry/index.ts";
import type {
  Change,
  DumpRow,
  MemoryReader,
  SearchPlan,
  SearchRequest,
  SearchResult,
} from "../../memory/index.ts";
import { LIMITS, type LociRecord, type Presence, type Sighting, type Stored } from "../../schema/core.ts";

/**
 * A memory as it was for an observer present from `fromUs` until `toUs`: records outside that time are not found,
 * what ended later has not ended yet, and presence is computed from the sightings of that time. It narrows world time
 * only. What a later version of a record says about an earlier time is still visible, so a suite that asks half-way
 * through a recording builds its memory up to that moment.
 */
export function windowedReader(reader: MemoryReader, window: Interval): MemoryReader {
  const isIn = (record: LociRecord) =>
    intervalsOverlap({ fromUs: record.validFromUs, toUs: record.validToUs }, window);
  const clipped = (record: Stored): Stored =>
    window.toUs !== null && record.validToUs !== null && record.validToUs > window.toUs
      ? { ...record, validToUs: null }
      : record;

  /** The same request within the window; undefined if the two do not overlap. */
  const narrow = (request: SearchRequest): SearchRequest | undefined => {
    const overlaps =
      request.time?.overlaps === undefined ? window : intersectIntervals(request.time.overlaps, window);
    return overlaps && { ...request, time: { ...request.time, overlaps } };
  };
  const clip = ({ hits, plan }: SearchResult): SearchResult => ({
    plan,
    hits: hits.map((hit) => ({ ...hit, record: clipped(hit.record) })),
  });
  const search: MemoryReader["search"] = async (request, options) => {
    const narrowed = narrow(request);
    return narrowed ? clip(await reader.search(narrowed, options)) : nothing(request);
  };
  const sightings: MemoryReader["sightings"] = async (query) => {
    const during = query.during === undefined ? window : intersectIntervals(query.during, window);
    return during ? reader.sightings({ ...query, during }) : [];
  };

  return {
    search,
    sightings,
    unfinished: () => reader.unfinished(),
    searchMany: (requests, options) => Promise.all(requests.map((request) => search(request, options))),
    async searchIds(request, options) {
      const narrowed = narrow(request);
      return narrowed ? reader.searchIds(narrowed, options) : [];
    },
    async count(request, options) {
      const narrowed = narrow(request);
      return narrowed ? reader.count(narrowed, options) : 0;
    },
    get: async (ids) =>
      (await reader.get(ids)).map((record) => (record && isIn(record) ? clipped(record) : undefined)),
    history: async (id) => (await reader.history(id)).filter(isIn).map(clipped),
    async presence(stateIds) {
      const fold = async (stateId: string) =>
        foldPresence(
          stateId,
          await sightings({ stateIds: [stateId], order: "earliest", limit: LIMITS.sightingsPerBatch }),
        );
      return Promise.all(stateIds.map(fold));
    },
    async *changes(options) {
      for await (const change of reader.changes(options)) yield narrowChange(change, isIn, clipped, window);
    },
    async *dump() {
      for await (const row of reader.dump()) {
        const kept = narrowRow(row, isIn, clipped, window);
        if (kept) yield kept;
      }
    },
    frames: () => reader.frames(),
    blob: (ref) => reader.blob(ref),
    embedder: (space) => reader.embedder(space),
    calibration: (space) => reader.calibration(space),
    stats: () => reader.stats(),
    // The reader is closed by the code that opened it: many windows share one.
    close: async () => {},
  };
}

function nothing(request: SearchRequest): SearchResult {
  const plan: SearchPlan = {
    engine: "window",
    driver: "time",
    rank: request.rank ?? "latest",
    steps: [{ step: "outside of the window", left: 0 }],
  };
  return { hits: [], plan };
}

function narrowChange(
  change: Change,
  isIn: (record: LociRecord) => boolean,
  clipped: (record: Stored) => Stored,
  window: Interval,
): Change {
  return {
    ...change,
    put: change.put.filter(isIn).map(clipped),
    sightings: change.sightings.filter(({ timeUs }) => intervalContains(window, timeUs)),
  };
}

function narrowRow(
  row: DumpRow,
  isIn: (record: LociRecord) => boolean,
  clipped: (record: Stored) => Stored,
  window: Interval,
): DumpRow | undefined {
  if (row.type === "record") return isIn(row.record) ? { ...row, record: clipped(row.record) } : undefined;
  if (row.type === "sighting") return intervalContains(window, row.sighting.timeUs) ? row : undefined;
  return row;
}

/**
 * The four timestamps of docs/formulas.md#presence from sightings in order of time, as the memory itself computes
 * them.
 */
export function foldPresence(stateId: string, looks: readonly Sighting[]): Presence {
  const times = (wanted: Sighting["outcome"]) =>
    looks.filter(({ outcome }) => outcome === wanted).map(({ timeUs }) => timeUs);
  const [seen, absent] = [times("seen"), times("absent")];
  const [first, last] = [seen[0] ?? null, seen.at(-1) ?? null];
  return {
    stateId,
    firstSeenUs: first,
    lastSeenUs: last,
    lastAbsentBeforeUs: first === null ? null : (absent.findLast((timeUs) => timeUs < first) ?? null),
    firstAbsentAfterUs: last === null ? null : (absent.find((timeUs) => timeUs > last) ?? null),
    seenCount: seen.length,
  };
}
