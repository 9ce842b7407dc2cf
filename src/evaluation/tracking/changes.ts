import { distance } from "../../geometry/index.ts";
import { type Claim, claimsOf, isAway, isMergedAway, isNudged, livingState, returnsUs } from "./claims.ts";
import { clearLooks, isProofOfAbsence } from "./line-of-sight.ts";
import type { Look } from "./looks.ts";
import type { Ratio, Scores } from "./ratio.ts";
import type { Remembered, RememberedState } from "./remembered.ts";
import { MOVED_M, type Stay, type Truth } from "./truth.ts";
import type { TruthThing } from "./truth-schema.ts";

/** Observations required for a stay to count as seen. */
const STAY_LOOKS = 3;
/** Another state of the same track this near means that the memory does not say the thing is gone. */
const SAME_PLACE_M = MOVED_M;
/** Absence timestamps are those of frames: a thing that leaves within a second of one may count either way. */
const TIME_SLACK_US = 1e6;
/** A decision without an observation of the thing within this time was made out of view. */
const IN_VIEW_US = 3e6;

export interface MoveScore extends Scores {
  /** Recall over all moves with both places seen, including those whose old place was not observed again. */
  readonly unverified: Ratio;
  /** Moves of indistinguishable twins: found, of those with both places seen and checked. */
  readonly ofTwins: Ratio;
  /** Moves whose old place was observed again, of those with both places seen: only these can be known. */
  readonly checked: Ratio;
  readonly examples: readonly string[];
}

export interface AbsenceScore extends Scores {
  /** Wrong decisions about a thing that was merely out of view. */
  readonly falseOutOfView: number;
  /** Departures whose place was observed again before the thing came back, of those of things seen there. */
  readonly checked: Ratio;
  readonly examples: readonly string[];
}

/** People walk and doors swing: neither was put elsewhere. */
function isCarried(type: TruthThing["type"]): boolean {
  return type !== "person" && type !== "door";
}

function hasTwin(truth: Truth, id: string): boolean {
  const one = truth.thing(id);
  return truth.things.some(
    (other) =>
      other.id !== id &&
      truth.isCountable(other.id) &&
      (["category", "colour", "material", "text"] as const).every((key) => one?.[key] === other[key]),
  );
}

/** A thing left a place where it had been seen; `isChecked` if the empty place was observed before it came back. */
interface Departure {
  readonly stay: Stay;
  readonly leftUs: number;
  readonly backUs: number | undefined;
  readonly isChecked: boolean;
  readonly clear: number;
}

/**
 * Recall: of all moves with both places seen (three observations of the thing at rest in each, at least 0.3 m apart,
 * however it got there) and the old one seen empty (by `isProofOfAbsence`, before the thing was back there), those
 * where the majority states at the two places belong to one track. Without an observation of the old place a moved
 * thing cannot be told from a second one like it (docs/formulas.md#moved links states that ended), so those are
 * counted separately. So are moves of things with a twin (another countable thing of the same category, colour,
 * material and text), which must be left open unless the twin is seen in its place. Precision: of all pairs of
 * successive states of a track at least 0.3 m apart, the first one ended or named by the second, those of the same
 * thing, which rested at least 0.3 m apart at the middle observation of each. People and doors are left out; states
 * that were merged into others claim nothing.
 */
export function scoreMoves(truth: Truth, remembered: Remembered, looks: readonly Look[]): MoveScore {
  const examples: string[] = [];
  const looksAt = Map.groupBy(looks, ({ thing }) => thing);
  let [found, moves, foundOfTwins, ofTwins, foundOfAll, all] = [0, 0, 0, 0, 0, 0];
  for (const { id, type } of truth.things) {
    if (!isCarried(type)) continue;
    const stays = truth.staysOf(id).filter((stay) => stay.looks.length >= STAY_LOOKS);
    for (let i = 1; i < stays.length; i++) {
      const [before, after] = [stays[i - 1]!, stays[i]!];
      if (distance(before.placement.centre, after.placement.centre) <= MOVED_M) continue;
      all++;
      const own = looksAt.get(id) ?? [];
      const [a, b] = [before, after].map((stay) => usualState(remembered, own, stay));
      const isFound = a !== undefined && b !== undefined && a.id !== b.id && a.trackId === b.trackId;
      if (isFound) foundOfAll++;
      const isVerified = departureOf(truth, id, before)?.isChecked ?? false;
      const isTwin = hasTwin(truth, id);
      if (isVerified && isTwin) ofTwins++;
      else if (isVerified) moves++;
      if (isVerified && isFound && isTwin) foundOfTwins++;
      else if (isVerified && isFound) found++;
      const why = isVerified ? (isTwin ? ", it has a twin" : "") : ", its old place unseen since";
      if (!isFound) examples.push(`missed: ${id} went ${inWords(a, b)}${why}`);
    }
  }
  const claims = claimsOf(truth, remembered, looks);
  let [right, links] = [0, 0];
  for (const [a, b] of linksOf(remembered)) {
    const [from, to] = [claims.get(a.id), claims.get(b.id)];
    const [of, at] = [from, to].map((one) => one && truth.thing(one.thing)?.type);
    if ((of && !isCarried(of)) || (at && !isCarried(at))) continue;
    links++;
    if (from && to && from.thing === to.thing && areApart(from, to)) right++;
    else examples.push(`wrong: ${a.trackId} from ${from?.thing ?? "nothing"} to ${to?.thing ?? "nothing"}`);
  }
  return {
    precision: { hits: right, total: links },
    recall: { hits: found, total: moves },
    unverified: { hits: foundOfAll, total: all },
    ofTwins: { hits: foundOfTwins, total: ofTwins },
    checked: { hits: moves + ofTwins, total: all },
    examples,
  };
}

/**
 * A memory says that a thing is gone from a place if it ended the state there, or has absent sightings after the last
 * seen one, and no other state of the same track within 0.3 m covers that moment. Precision: of those decisions about
 * real things (movers leave without vanishing), the ones where the thing was not there at that moment, even if it
 * came back later: a thing called gone and then seen where it was is a wrong decision. A thing nudged by 0.1 to 0.3 m
 * is neither. Recall: of all departures from a place where the thing had three observations and whose empty place was
 * then observed (by `isProofOfAbsence`) before it came back: those where the majority state of the stay says so,
 * between leaving and return. People, doors and invented things are left out; states that were merged into others
 * claim nothing.
 */
export function scoreAbsences(truth: Truth, remembered: Remembered, looks: readonly Look[]): AbsenceScore {
  const examples: string[] = [];
  let [right, decisions, found, needed, departures, falseOutOfView] = [0, 0, 0, 0, 0, 0];
  for (const { state, thing, home } of claimsOf(truth, remembered, looks).values()) {
    const isOfThing = remembered.tracks.get(state.trackId)?.record.type === "object";
    if (!isCarried(truth.thing(thing)!.type) || !isOfThing) continue;
    const saidUs = goneSince(truth, remembered, state);
    if (saidUs === undefined) continue;
    const isGone = [saidUs, saidUs + TIME_SLACK_US].some((timeUs) => isAway(truth, thing, home, timeUs));
    if (!isGone && isNudged(truth, thing, home, saidUs)) continue;
    decisions++;
    if (isGone) right++;
    else {
      const inView = truth.wasInView(thing, saidUs, IN_VIEW_US);
      if (!inView) falseOutOfView++;
      examples.push(`wrong: ${thing} was there${inView ? ", in view" : ", out of view"} (${state.id})`);
    }
  }
  const looksAt = Map.groupBy(looks, ({ thing }) => thing);
  for (const { id, type } of truth.things) {
    if (!isCarried(type)) continue;
    for (const stay of truth.staysOf(id)) {
      const departure = stay.looks.length < STAY_LOOKS ? undefined : departureOf(truth, id, stay);
      if (departure === undefined) continue;
      departures++;
      if (!departure.isChecked) continue;
      needed++;
      const state = usualState(remembered, looksAt.get(id) ?? [], stay);
      const saidUs = state && goneSince(truth, remembered, state);
      const isFound =
        saidUs !== undefined &&
        saidUs >= departure.leftUs - TIME_SLACK_US &&
        saidUs <= (departure.backUs ?? Infinity) + TIME_SLACK_US;
      if (isFound) found++;
      else
        examples.push(
          `missed: ${id} left, its place was seen empty in ${departure.clear} frames (${state?.id ?? "untracked"})`,
        );
    }
  }
  return {
    precision: { hits: right, total: decisions },
    recall: { hits: found, total: needed },
    falseOutOfView,
    checked: { hits: needed, total: departures },
    examples,
  };
}

function departureOf(truth: Truth, thing: string, stay: Stay): Departure | undefined {
  const leftUs = stay.toUs;
  if (leftUs === null) return undefined;
  const backUs = returnsUs(truth, thing, stay.placement, leftUs);
  const span = { fromUs: leftUs, toUs: backUs ?? truth.endUs - TIME_SLACK_US };
  const clear = clearLooks(truth, thing, stay.placement, span);
  return { stay, leftUs, backUs, clear: clear.length, isChecked: isProofOfAbsence(clear, stay.placement) };
}

/** Every pair of places between which the memory says that one thing moved. */
function linksOf(remembered: Remembered): [RememberedState, RememberedState][] {
  const pairs: [RememberedState, RememberedState][] = [];
  for (const { record, states } of remembered.tracks.values()) {
    if (record.type === "person") continue;
    const standing = states.filter((state) => !isMergedAway(state));
    for (let i = 1; i < standing.length; i++) {
      const [a, b] = [standing[i - 1]!, standing[i]!];
      const isLink = a.record.validToUs !== null || b.record.movedFrom?.stateId === a.id;
      if (isLink && a.position && b.position && distance(a.position, b.position) > MOVED_M)
        pairs.push([a, b]);
    }
  }
  return pairs;
}

function areApart(from: Claim, to: Claim): boolean {
  return distance(from.home.centre, to.home.centre) > MOVED_M;
}

/** The majority state of the observations during a stay, however few pixels they showed. */
function usualState(remembered: Remembered, own: readonly Look[], stay: Stay): RememberedState | undefined {
  const { fromUs, toUs } = stay;
  const states = Map.groupBy(
    own.filter(({ frame: { trueUs } }) => trueUs >= fromUs && (toUs === null || trueUs < toUs)),
    ({ stateId }) => livingState(remembered, stateId),
  );
  const [most] = [...states].sort((a, b) => b[1].length - a[1].length);
  return most?.[0] === undefined ? undefined : remembered.states.get(most[0]);
}

function inWords(a: RememberedState | undefined, b: RememberedState | undefined): string {
  if (a === undefined || b === undefined) return `untracked ${a ? "after" : "before"}`;
  return a.id === b.id ? `within one state (${a.id})` : `from ${a.trackId} to ${b.trackId}`;
}

function goneSince(truth: Truth, remembered: Remembered, state: RememberedState): number | undefined {
  const { validToUs, author } = state.record;
  const stampUs = state.presence?.firstAbsentAfterUs ?? validToUs;
  if (stampUs === null || stampUs === undefined) return undefined;
  const covers = ({ id, record, position }: RememberedState) =>
    id !== state.id &&
    record.validFromUs <= stampUs &&
    (record.validToUs === null || record.validToUs > stampUs) &&
    position !== undefined &&
    state.position !== undefined &&
    distance(position, state.position) <= SAME_PLACE_M;
  const isStillThere = remembered.tracks.get(state.trackId)?.states.some(covers) ?? false;
  return isStillThere ? undefined : truth.trueUs(author, stampUs);
}
