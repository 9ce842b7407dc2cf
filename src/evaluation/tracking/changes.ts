import { distance } from "../../geometry/index.ts";
import { mostlyOf } from "./identity.ts";
import { clearLooks } from "./line-of-sight.ts";
import type { Look } from "./looks.ts";
import type { Ratio, Scores } from "./ratio.ts";
import type { Remembered, RememberedState, RememberedTrack } from "./remembered.ts";
import { MOVED_M, type Truth } from "./truth.ts";
import type { TruthThing } from "./truth-schema.ts";
import { LEAST_CLEAR_LOOKS } from "./twins.ts";

/** A stay counts as seen with this many looks. */
const STAY_LOOKS = 3;
/** Another open state of the same track this near means that the memory does not say the thing is gone. */
const SAME_PLACE_M = 0.5;
/** Stamps of absence are those of frames: a thing that leaves within a second of one may be either. */
const TIME_SLACK_US = 1e6;
/** A decision without a look at the thing within this time was made out of view. */
const IN_VIEW_US = 3e6;

export interface MoveScore extends Scores {
  /** Recall over all moves with both places seen, also those whose old place nobody looked at again. */
  readonly unverified: Ratio;
  readonly examples: readonly string[];
}

export interface AbsenceScore extends Scores {
  /** Wrong decisions about a thing that nobody was looking at: it had merely left the view. */
  readonly falseOutOfView: number;
  readonly examples: readonly string[];
}

/** People walk and doors swing: neither is a thing that somebody put elsewhere. */
function isCarried(type: TruthThing["type"]): boolean {
  return type !== "person" && type !== "door";
}

/** The looks at each state, and the thing that more than half of them are of. */
interface StateTruth {
  readonly state: RememberedState;
  readonly thing: string;
  readonly firstUs: number;
  readonly lastUs: number;
}

/**
 * Recall: of all moves with both places seen (three looks at the thing at rest in each, at least 0.3 m apart,
 * however it got there) and the old one seen empty (clearly, in three frames), those where the states that most looks
 * at either place went to are two states of one track. Without a look at the old place nobody can tell a thing that was
 * moved from a second one like it (SPEC §10.7 links stays that ended), so those are counted apart. Precision: of all pairs of successive states of a track at least 0.3 m apart, the first one ended or named
 * by the second, those that are of the same thing, which really was elsewhere. People and doors are left out.
 */
export function scoreMoves(truth: Truth, remembered: Remembered, looks: readonly Look[]): MoveScore {
  const examples: string[] = [];
  const looksAt = Map.groupBy(looks, ({ thing }) => thing);
  let [found, moves, foundOfAll, all] = [0, 0, 0, 0];
  for (const { id, type } of truth.things) {
    if (!isCarried(type)) continue;
    const stays = truth.staysOf(id).filter((stay) => stay.looks.length >= STAY_LOOKS);
    for (let i = 1; i < stays.length; i++) {
      const [before, after] = [stays[i - 1]!, stays[i]!];
      if (distance(before.placement.centre, after.placement.centre) <= MOVED_M) continue;
      all++;
      const own = looksAt.get(id) ?? [];
      const [a, b] = [before, after].map((stay) => usualState(own, new Set(stay.looks)));
      const isFound = a && b && a.stateId !== b.stateId && a.trackId === b.trackId;
      if (isFound) foundOfAll++;
      const gone = { fromUs: before.toUs ?? truth.endUs, toUs: truth.endUs };
      const isVerified = clearLooks(truth, id, before.placement, gone).length >= LEAST_CLEAR_LOOKS;
      if (isVerified) moves++;
      if (isVerified && isFound) found++;
      else if (!isFound)
        examples.push(
          `missed: ${id} went ${inWords(a, b)}${isVerified ? "" : ", its old place unseen since"}`,
        );
    }
  }
  const truthOf = stateTruths(remembered, looks);
  let [right, links] = [0, 0];
  for (const [a, b] of linksOf(remembered)) {
    const [from, to] = [truthOf.get(a.id), truthOf.get(b.id)];
    const [of, at] = [from, to].map((one) => one && truth.thing(one.thing)?.type);
    if ((of && !isCarried(of)) || (at && !isCarried(at))) continue;
    links++;
    if (from && to && from.thing === to.thing && hasMoved(truth, from, to)) right++;
    else examples.push(`wrong: ${a.trackId} from ${from?.thing ?? "nothing"} to ${to?.thing ?? "nothing"}`);
  }
  return {
    precision: { hits: right, total: links },
    recall: { hits: found, total: moves },
    unverified: { hits: foundOfAll, total: all },
    examples,
  };
}

/**
 * A memory says that a thing is gone from a place when it ended the state there, or has absent looks after the last
 * seen one, and no open state of the same track is within 0.5 m. Precision: of those decisions about real things,
 * the ones where the thing had left by then. Recall: of all states whose thing left and whose empty place was then
 * looked at clearly in three frames, those with such a decision. States of people, doors and made-up things
 * are left out.
 */
export function scoreAbsences(truth: Truth, remembered: Remembered, looks: readonly Look[]): AbsenceScore {
  const examples: string[] = [];
  let [right, decisions, found, needed, falseOutOfView] = [0, 0, 0, 0, 0];
  for (const { state, thing, lastUs } of stateTruths(remembered, looks).values()) {
    const track = remembered.tracks.get(state.trackId);
    if (track === undefined || !isCarried(truth.thing(thing)!.type)) continue;
    const where = truth.placementAt(thing, lastUs);
    if (!where?.isResting) continue;
    const leftUs = truth.leavesUs(thing, lastUs);
    const saidUs = absentSince(truth, state, track);
    if (saidUs !== undefined) {
      decisions++;
      if (leftUs !== undefined && leftUs <= saidUs + TIME_SLACK_US) right++;
      else {
        const inView = truth.wasInView(thing, saidUs, IN_VIEW_US);
        if (!inView) falseOutOfView++;
        examples.push(`wrong: ${thing} was there${inView ? ", in view" : ", out of view"} (${state.id})`);
      }
    }
    if (leftUs === undefined) continue;
    const span = { fromUs: leftUs, toUs: truth.endUs - TIME_SLACK_US };
    const clear = clearLooks(truth, thing, where.placement, span);
    if (clear.length < LEAST_CLEAR_LOOKS) continue;
    needed++;
    if (saidUs !== undefined) found++;
    else
      examples.push(
        `missed: ${thing} left, its place was seen empty in ${clear.length} frames (${state.id})`,
      );
  }
  return {
    precision: { hits: right, total: decisions },
    recall: { hits: found, total: needed },
    falseOutOfView,
    examples,
  };
}

function stateTruths(remembered: Remembered, looks: readonly Look[]): Map<string, StateTruth> {
  const out = new Map<string, StateTruth>();
  for (const [stateId, own] of Map.groupBy(looks, (look) => look.stateId)) {
    const thing = mostlyOf(own);
    const state = remembered.states.get(stateId);
    if (thing === undefined || thing === null || state === undefined) continue;
    const times = own.filter((look) => look.thing === thing).map(({ frame }) => frame.trueUs);
    out.set(stateId, { state, thing, firstUs: times[0]!, lastUs: times.at(-1)! });
  }
  return out;
}

/** Every pair of places between which the memory says that one thing moved. */
function linksOf(remembered: Remembered): [RememberedState, RememberedState][] {
  const pairs: [RememberedState, RememberedState][] = [];
  for (const { record, states } of remembered.tracks.values()) {
    if (record.type === "person") continue;
    for (let i = 1; i < states.length; i++) {
      const [a, b] = [states[i - 1]!, states[i]!];
      const isLink = a.record.validToUs !== null || b.record.movedFrom?.stateId === a.id;
      if (isLink && a.position && b.position && distance(a.position, b.position) > MOVED_M)
        pairs.push([a, b]);
    }
  }
  return pairs;
}

function hasMoved(truth: Truth, from: StateTruth, to: StateTruth): boolean {
  const [a, b] = [truth.placementAt(from.thing, from.lastUs), truth.placementAt(to.thing, to.firstUs)];
  if (a === undefined || b === undefined) return true;
  return distance(a.placement.centre, b.placement.centre) > MOVED_M;
}

function usualState(own: readonly Look[], frames: ReadonlySet<Look["frame"]>): Look | undefined {
  const states = Map.groupBy(
    own.filter(({ frame }) => frames.has(frame)),
    ({ stateId }) => stateId,
  );
  return [...states.values()].reduce<readonly Look[]>((a, b) => (b.length > a.length ? b : a), [])[0];
}

function inWords(a: Look | undefined, b: Look | undefined): string {
  if (a === undefined || b === undefined) return `untracked ${a ? "after" : "before"}`;
  return a.stateId === b.stateId ? `within one state (${a.stateId})` : `from ${a.trackId} to ${b.trackId}`;
}

function absentSince(truth: Truth, state: RememberedState, track: RememberedTrack): number | undefined {
  const { validToUs, author } = state.record;
  const stampUs = state.presence?.firstAbsentAfterUs ?? validToUs;
  if (stampUs === null || stampUs === undefined) return undefined;
  const isStillThere = track.states.some(
    (other) =>
      other.id !== state.id &&
      other.record.validToUs === null &&
      other.position !== undefined &&
      state.position !== undefined &&
      distance(other.position, state.position) <= SAME_PLACE_M,
  );
  return isStillThere ? undefined : truth.trueUs(author, stampUs);
}
