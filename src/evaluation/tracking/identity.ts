import { distance } from "../../geometry/index.ts";
import type { Look } from "./looks.ts";
import type { Ratio, Scores } from "./ratio.ts";
import type { Remembered } from "./remembered.ts";
import { MOVED_M, type Truth } from "./truth.ts";

/**
 * The matching of tracks and things. A track belongs to the thing with more than half of its detections; of several
 * tracks of one thing the one with most detections of it is its match (ties by id), the others are duplicates.
 */
export interface Matching {
  readonly thingOf: ReadonlyMap<string, string>;
  readonly trackOf: ReadonlyMap<string, string>;
  /** Tracks of a thing that another track matches better. */
  readonly duplicates: readonly { readonly track: string; readonly thing: string; readonly looks: number }[];
  /** Tracks mostly of invented segments. */
  readonly invented: readonly string[];
  /** Tracks without a majority thing. */
  readonly mixed: readonly string[];
  /** Tracks without a single known detection. */
  readonly unseen: readonly string[];
}

/** The thing of more than half of these observations; null for invented segments, undefined for none. */
export function mostlyOf(looks: readonly Look[]): string | null | undefined {
  const counts = new Map<string | null, number>();
  for (const { thing } of looks) counts.set(thing, (counts.get(thing) ?? 0) + 1);
  for (const [thing, count] of counts) if (count * 2 > looks.length) return thing;
  return undefined;
}

export function matchTracks(remembered: Remembered, looks: readonly Look[]): Matching {
  const looksOf = Map.groupBy(looks, ({ trackId }) => trackId);
  const claims: { track: string; thing: string; looks: number }[] = [];
  const [invented, mixed, unseen]: [string[], string[], string[]] = [[], [], []];
  for (const track of remembered.tracks.keys()) {
    const own = looksOf.get(track) ?? [];
    const thing = mostlyOf(own);
    if (own.length === 0) unseen.push(track);
    else if (thing === undefined) mixed.push(track);
    else if (thing === null) invented.push(track);
    else claims.push({ track, thing, looks: own.filter((look) => look.thing === thing).length });
  }
  claims.sort((a, b) => b.looks - a.looks || (a.track < b.track ? -1 : 1));
  const thingOf = new Map<string, string>();
  const trackOf = new Map<string, string>();
  const duplicates: Matching["duplicates"][number][] = [];
  for (const claim of claims) {
    if (trackOf.has(claim.thing)) {
      duplicates.push(claim);
      continue;
    }
    trackOf.set(claim.thing, claim.track);
    thingOf.set(claim.track, claim.thing);
  }
  return { thingOf, trackOf, duplicates, invented, mixed, unseen };
}

/**
 * Precision: tracks that match a real thing, however briefly it was seen, of all tracks. Recall: countable things
 * that a track matches, of all countable things. People take part in both.
 */
export function trackScores(truth: Truth, remembered: Remembered, matching: Matching): Scores {
  const countable = truth.things.filter(({ id }) => truth.isCountable(id));
  return {
    precision: { hits: matching.thingOf.size, total: remembered.tracks.size },
    recall: { hits: countable.filter(({ id }) => matching.trackOf.has(id)).length, total: countable.length },
  };
}

export interface IdentityScore {
  /** Changes of a thing's track that last for at least two frames in which the thing was assigned. */
  readonly switches: number;
  /** Of those, the ones between places of a thing more than 0.3 m apart: unrecognised moves. */
  readonly overMoves: number;
  /** Every change from one assigned frame to the next, as in CLEAR-MOT: a single stray observation counts twice. */
  readonly strictSwitches: number;
  /** Summed over countable things: from the first assigned detection to the last. */
  readonly objectHours: number;
  /** Assigned detections of matched things that went to their match. */
  readonly purity: Ratio;
  readonly examples: readonly string[];
}

/**
 * Identity over time by the tracks as they stand at the end, after merges. A thing split into several segments has
 * several tracks in one frame: it stays with its track while that is one of them.
 */
export function scoreIdentity(truth: Truth, looks: readonly Look[], matching: Matching): IdentityScore {
  let [switches, overMoves, strictSwitches, objectUs, right, assigned] = [0, 0, 0, 0, 0, 0];
  const examples: string[] = [];
  for (const [thing, own] of Map.groupBy(looks, (look) => look.thing)) {
    if (thing === null || !truth.isCountable(thing)) continue;
    const match = matching.trackOf.get(thing);
    if (match !== undefined) {
      assigned += own.length;
      right += own.filter(({ trackId }) => trackId === match).length;
    }
    objectUs += own.at(-1)!.frame.trueUs - own[0]!.frame.trueUs;
    const frames = [...Map.groupBy(own, ({ frame }) => frame).values()];
    const sequence = followed(frames.map((list) => list.map(({ trackId }) => trackId)));
    for (let i = 1; i < sequence.length; i++) if (sequence[i] !== sequence[i - 1]) strictSwitches++;
    const lasting = withoutStrays(sequence);
    for (let i = 1; i < lasting.length; i++) {
      if (lasting[i]!.track === lasting[i - 1]!.track) continue;
      switches++;
      const [beforeUs, atUs] = [lasting[i - 1]!, lasting[i]!].map(({ at }) => frames[at]![0]!.frame.trueUs);
      if (hasMoved(truth, thing, beforeUs!, atUs!)) overMoves++;
      const atS = (atUs! - truth.document.startUs) / 1e6;
      examples.push(`${thing}: ${lasting[i - 1]!.track} → ${lasting[i]!.track} at ${atS.toFixed(1)} s`);
    }
  }
  return {
    switches,
    overMoves,
    strictSwitches,
    objectHours: objectUs / 3.6e9,
    purity: { hits: right, total: assigned },
    examples,
  };
}

function hasMoved(truth: Truth, thing: string, fromUs: number, toUs: number): boolean {
  const [from, to] = [truth.placementAt(thing, fromUs), truth.placementAt(thing, toUs)];
  return !from || !to || distance(from.placement.centre, to.placement.centre) > MOVED_M;
}

/** One track per frame: the previous one while it is among them, else the first. */
function followed(frames: readonly (readonly string[])[]): string[] {
  const sequence: string[] = [];
  for (const tracks of frames) {
    const before = sequence.at(-1);
    sequence.push(before !== undefined && tracks.includes(before) ? before : tracks[0]!);
  }
  return sequence;
}

/** Runs of at least two; a single observation between them, or at an end, is a stray. */
function withoutStrays(sequence: readonly string[]): { track: string; at: number }[] {
  const runs: { track: string; at: number }[] = [];
  for (let start = 0; start < sequence.length; ) {
    let end = start + 1;
    while (end < sequence.length && sequence[end] === sequence[start]) end++;
    if (end - start >= 2) runs.push({ track: sequence[start]!, at: start });
    start = end;
  }
  return runs;
}
