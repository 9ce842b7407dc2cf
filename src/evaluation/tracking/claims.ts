import { distance } from "../../geometry/index.ts";
import { mostlyOf } from "./identity.ts";
import type { Look } from "./looks.ts";
import type { Remembered, RememberedState } from "./remembered.ts";
import { MOVED_M, type Truth } from "./truth.ts";
import type { TruthPlacement } from "./truth-schema.ts";

const NUDGED_M = 0.1;

/** A memory's claim about one place of one thing, and the thing's true place while it was observed there. */
export interface Claim {
  readonly state: RememberedState;
  /** The thing of more than half of the state's observations. */
  readonly thing: string;
  /** The thing's resting place at the middle observation: a stray observation at either end does not decide. */
  readonly home: TruthPlacement;
}

/**
 * The claims of a memory. A state that was merged into another was closed at the instant it began: it claims nothing,
 * and its observations belong to its successor.
 */
export function claimsOf(truth: Truth, remembered: Remembered, looks: readonly Look[]): Map<string, Claim> {
  const claims = new Map<string, Claim>();
  for (const [stateId, own] of Map.groupBy(looks, (look) => livingState(remembered, look.stateId))) {
    const thing = mostlyOf(own);
    const state = stateId === undefined ? undefined : remembered.states.get(stateId);
    if (thing === undefined || thing === null || state === undefined) continue;
    const resting = own.filter(
      (look) => look.thing === thing && truth.placementAt(thing, look.frame.trueUs)?.isResting,
    );
    const middle = resting[Math.floor(resting.length / 2)];
    const home = middle && truth.placementAt(thing, middle.frame.trueUs)?.placement;
    if (home !== undefined) claims.set(state.id, { state, thing, home });
  }
  return claims;
}

/** The current state for this one after merges: itself, or the nearest one of its track that was not merged away. */
export function livingState(remembered: Remembered, stateId: string): string | undefined {
  const state = remembered.states.get(stateId);
  if (state === undefined || !isMergedAway(state)) return state?.id;
  let best: RememberedState | undefined;
  let bestM = Infinity;
  for (const other of remembered.tracks.get(state.trackId)?.states ?? []) {
    if (isMergedAway(other) || other.position === undefined || state.position === undefined) continue;
    const apartM = distance(other.position, state.position);
    if (apartM < bestM) [best, bestM] = [other, apartM];
  }
  return best?.id;
}

export function isMergedAway({ record }: RememberedState): boolean {
  return record.validToUs !== null && record.validToUs - record.validFromUs <= 1;
}

/** Whether a thing is not at rest in that place at that time. */
export function isAway(truth: Truth, thing: string, home: TruthPlacement, timeUs: number): boolean {
  const now = truth.placementAt(thing, timeUs);
  if (now === undefined || !now.isResting || now.placement.hidden) return true;
  return distance(now.placement.centre, home.centre) > MOVED_M;
}

/** Whether a thing was moved slightly: too little for a move, too much for the same place. */
export function isNudged(truth: Truth, thing: string, home: TruthPlacement, timeUs: number): boolean {
  const now = truth.placementAt(thing, timeUs)?.placement;
  return now !== undefined && distance(now.centre, home.centre) > NUDGED_M;
}

/** When a thing that left a place returned to it; undefined if never. */
export function returnsUs(
  truth: Truth,
  thing: string,
  home: TruthPlacement,
  leftUs: number,
): number | undefined {
  return truth.document.histories[thing]?.segments.find(
    ({ fromUs }) => fromUs > leftUs && !isAway(truth, thing, home, fromUs),
  )?.fromUs;
}
