import { LIMITS } from "../../schema/core.ts";
import type { MemoryReader } from "../port.ts";
import { type Candidate, type Holdings, statesOf } from "./gather.ts";

/** Why something is kept regardless of the budget. */
export type Protection =
  | "hold"
  | "human"
  | "first or last sighting"
  | "change boundary"
  | "last view of a track"
  | "way";

/** A view this near in time to a change may be the one that shows it. */
const BOUNDARY_US = 30_000_000;

/** Protected records, by id. */
export interface Protected {
  /** Kept regardless of the budget. */
  readonly kept: ReadonlyMap<string, Protection>;
  /**
   * The observations and boxes behind first and last sightings and behind changes. The sightings themselves are never
   * given up; the picture positions are given up before the last words about a thing.
   */
  readonly evidence: ReadonlyMap<string, Protection>;
}

/**
 * What must not be given up. The last view of a track is not among it: that depends on which other views go, so the
 * plan watches over it.
 */
export async function protectedBy(
  reader: MemoryReader,
  holdings: Holdings,
  holdLabels: readonly string[],
): Promise<Protected> {
  const kept = new Map<string, Protection>();
  const keep = (id: string | undefined, why: Protection) => {
    if (id !== undefined && !kept.has(id)) kept.set(id, why);
  };
  for (const { record } of holdings.candidates) {
    if (record.labels.some((label) => holdLabels.includes(label))) keep(record.id, "hold");
    if (record.kind === "caption" && record.source === "human") keep(record.id, "human");
  }
  for (const id of boundaryViews(holdings)) keep(id, "change boundary");
  // Dependents of a kept record keep it: a view and a detection need their observation.
  for (const { record } of holdings.candidates) {
    const why = kept.get(record.id);
    if (why && (record.kind === "view" || record.kind === "detection")) keep(record.observationId, why);
  }
  return { kept, evidence: await evidenceOf(reader, holdings.stateIds) };
}

/** The evidence of the first and last time each state was seen, and of its disappearance. */
async function evidenceOf(
  reader: MemoryReader,
  stateIds: readonly string[],
): Promise<Map<string, Protection>> {
  const kept = new Map<string, Protection>();
  const chunk = 256;
  for (let from = 0; from < stateIds.length; from += chunk) {
    const presences = await reader.presence(stateIds.slice(from, from + chunk));
    for (const presence of presences) {
      const { stateId, firstSeenUs, lastSeenUs, lastAbsentBeforeUs, firstAbsentAfterUs } = presence;
      for (const [timeUs, why] of [
        [firstSeenUs, "first or last sighting"],
        [lastSeenUs, "first or last sighting"],
        [lastAbsentBeforeUs, "change boundary"],
        [firstAbsentAfterUs, "change boundary"],
      ] as const) {
        if (timeUs === null) continue;
        const at = { fromUs: timeUs, toUs: timeUs + 1 };
        const sightings = await reader.sightings({
          stateIds: [stateId],
          during: at,
          limit: LIMITS.hitsPerSearch,
        });
        for (const { observationId, detectionId } of sightings) {
          for (const id of [observationId, detectionId]) if (id !== undefined) kept.set(id, why);
        }
      }
    }
  }
  return kept;
}

/** For each change of a state: the last view of it before and the first one after. */
function boundaryViews({ candidates, changes, trackOf }: Holdings): Set<string> {
  const viewsOf = new Map<string, Candidate[]>();
  for (const candidate of candidates) {
    if (candidate.kind !== "view") continue;
    for (const key of new Set([...statesOf(candidate.record), ...candidate.tracks])) {
      const list = viewsOf.get(key);
      if (list) list.push(candidate);
      else viewsOf.set(key, [candidate]);
    }
  }
  const kept = new Set<string>();
  for (const { timeUs, states } of changes) {
    for (const state of states) {
      const views = viewsOf.get(state) ?? viewsOf.get(trackOf.get(state) ?? "") ?? [];
      const near = views.filter(({ record }) => Math.abs(record.validFromUs - timeUs) <= BOUNDARY_US);
      const before = near.filter(({ record }) => record.validFromUs < timeUs).at(-1);
      const after = near.find(({ record }) => record.validFromUs >= timeUs);
      for (const view of [before, after]) if (view) kept.add(view.record.id);
    }
  }
  return kept;
}
