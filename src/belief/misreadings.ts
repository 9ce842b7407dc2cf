import { gapBetween, type Vec3 } from "../geometry/index.ts";
import type { RecordOf } from "../schema/core.ts";
import type { Belief } from "./belief.ts";
import { peopleOf } from "./carriers.ts";
import type { EventRecord } from "./happening.ts";
import { sightingsOf, stepsOf } from "./looks.ts";
import type { KnownThing } from "./thing.ts";

/** A robot would have witnessed a change between two observations this close together (µs). */
const WITNESSED_US = 2_000_000;
/** Observations this long before and after a change (µs) tell whether any robot was watching. */
const AROUND_US = 20_000_000;
/**
 * A state needs at least this many observations: a robot that watches a room for three seconds has more. In eleven
 * simulated houses at noise .5 (seeds 81001, 92001 to 93006) five of seven false changes had fewer on one side; the one
 * real change with fewer was kept.
 */
const LEAST_LOOKS = 5;
/**
 * A state that ends this soon (µs) was made and undone by a person in view, or was misread. In simulated house 20752 at
 * noise .5, seven false states lasted 1 to 22 s with no person near; real states change at most twice an hour.
 */
const BRIEF_US = 30_000_000;
/** A person reaches this far (m), and must be seen at most this long before or after the change (µs). */
const REACH_M = 1.5;
const SEEN_US = 2_000_000;
const MOST_LOOKS = 4_000;
/** Observations farther apart than this (µs) belong to two visits. */
const VISIT_US = 5_000_000;

/** A record tells the value of an attribute that it holds with at least this probability. */
const LEAST_P = 0.5;

type Change = EventRecord;

/** What one observation tells of an attribute. */
interface Telling {
  readonly timeUs: number;
  readonly value: string;
  /** Whether this is an observation of its own, not the edge of a recorded change. */
  readonly isLook: boolean;
}

/** Consecutive observations of one value, by any robot. */
interface Run {
  readonly value: string;
  readonly told: Telling[];
}

/**
 * The changes of one attribute of a thing that hold when the observations of all robots are put in one order. States with
 * hardly any observation, and brief states with no person near, were misread, and both of their changes are dropped. A
 * change lies between the last observation of the old value and the first of the new one, by whichever robot.
 */
export async function heldChanges(
  changes: readonly Change[],
  thing: KnownThing,
  memory: Belief,
): Promise<readonly Change[]> {
  const attribute = changes[0]?.detail["attribute"];
  if (attribute === undefined) return changes;
  const told = await tellingsOf(changes, String(attribute), thing, memory);
  let runs = runsOf(told);
  for (let n = await brief(runs, told, thing, memory); n >= 0; n = await brief(runs, told, thing, memory))
    runs = runsOf(runs.toSpliced(n, 1).flatMap((run) => run.told));
  if (isSlip(runs, 0, told)) runs = runs.slice(1);
  if (isSlip(runs, runs.length - 1, told)) runs = runs.slice(0, -1);
  return runs.slice(1).flatMap((run, n) => changeBetween(runs[n]!, run, changes, told) ?? []);
}

/**
 * What each observation tells: a record's changes tell the values of its observations before and after them; a record
 * without changes tells the value that it holds. Where a robot has a record of its own, only that one tells what it saw:
 * the record that outlived a merge repeats some of its observations.
 */
async function tellingsOf(
  changes: readonly Change[],
  attribute: string,
  thing: KnownThing,
  memory: Belief,
): Promise<Telling[]> {
  const looks = await sightingsOf(thing, memory, { order: "latest", limit: MOST_LOOKS });
  const ids = await memory.recordsOf(thing);
  const records = new Map<string, RecordOf<"state"> & { readonly author: string }>();
  for (const record of await memory.options.reader.get(ids))
    if (record?.kind === "state") records.set(record.id, record);
  const authors = new Set([...records.values()].map(({ author }) => author));
  const told: Telling[] = changes.flatMap((change) => [
    { timeUs: change.validFromUs, value: String(change.detail["from"]), isLook: false },
    { timeUs: endOf(change), value: String(change.detail["to"]), isLook: false },
  ]);
  for (const { timeUs, stateId, agentId } of looks) {
    const record = records.get(stateId);
    if (!record || (record.author !== agentId && authors.has(agentId))) continue;
    const own = changes.filter(({ who }) => who.includes(stateId));
    const value = own.length > 0 ? valueAt(timeUs, own) : heldAt(timeUs, record.attributes[attribute]);
    if (value !== undefined) told.push({ timeUs, value, isLook: true });
  }
  return told.sort((a, b) => a.timeUs - b.timeUs);
}

/** The value that a record holds, at the observations that told it: later ones did not show it. */
function heldAt(
  timeUs: number,
  held: RecordOf<"state">["attributes"][string] | undefined,
): string | undefined {
  return held && held.p >= LEAST_P && timeUs <= held.lastUs ? String(held.value) : undefined;
}

/** The value at a time by the changes of one record; undefined while it changed. */
function valueAt(timeUs: number, changes: readonly Change[]): string | undefined {
  const next = changes.findIndex(({ validFromUs }) => timeUs <= validFromUs);
  if (next === 0) return String(changes[0]!.detail["from"]);
  const last = changes.at(next === -1 ? -1 : next - 1)!;
  return timeUs >= endOf(last) ? String(last.detail["to"]) : undefined;
}

function runsOf(told: readonly Telling[]): Run[] {
  const runs: Run[] = [];
  for (const telling of told) {
    const last = runs.at(-1);
    if (last?.value === telling.value) last.told.push(telling);
    else runs.push({ value: telling.value, told: [telling] });
  }
  return runs;
}

function endOf({ validFromUs, validToUs }: Change): number {
  return validToUs ?? validFromUs + 1;
}

function startUs({ told }: Run): number {
  return told[0]!.timeUs;
}

function lastUs({ told }: Run): number {
  return told.at(-1)!.timeUs;
}

function looksIn({ told }: Run): number {
  return told.filter(({ isLook }) => isLook).length;
}

/** Whether observations around a span are dense enough to tell of every state in it. */
function isWatched(told: readonly Telling[], fromUs: number, toUs: number): boolean {
  const around = told.filter(
    ({ timeUs, isLook }) => isLook && timeUs >= fromUs - AROUND_US && timeUs <= toUs + AROUND_US,
  );
  return around.length >= LEAST_LOOKS;
}

/** Which of the states between two others is the shortest that was misread; -1 for none. */
async function brief(
  runs: readonly Run[],
  told: readonly Telling[],
  thing: KnownThing,
  memory: Belief,
): Promise<number> {
  let [found, shortest] = [-1, Infinity];
  for (const [n, run] of runs.entries()) {
    if (n === 0 || runs[n - 1]!.value !== runs[n + 1]?.value) continue;
    const [fromUs, toUs] = [startUs(run), lastUs(run)];
    // Sparse observations say little about any state.
    if (toUs - fromUs >= shortest || !isWatched(told, fromUs, toUs)) continue;
    const isHardly = looksIn(run) < LEAST_LOOKS;
    const isSoon = toUs - fromUs < BRIEF_US && !(await isAnybodyNear(thing, fromUs, toUs, memory));
    if (isHardly || isSoon) [found, shortest] = [n, toUs - fromUs];
  }
  return found;
}

/** Whether a person was seen within reach of a thing, or the thing is a person. */
async function isAnybodyNear(
  thing: KnownThing,
  fromUs: number,
  toUs: number,
  memory: Belief,
): Promise<boolean> {
  for (const person of await peopleOf(memory)) {
    if (person.trackId === thing.trackId) return true;
    const steps = await stepsOf(person, memory, { fromUs: fromUs - SEEN_US, toUs: toUs + SEEN_US });
    if (steps.some(({ position }) => isWithinReach(position, thing))) return true;
  }
  return false;
}

function isWithinReach(at: Vec3, { box, position }: KnownThing): boolean {
  const whole = box ?? (position && { min: position, max: position });
  return whole !== undefined && gapBetween({ min: at, max: at }, whole) < REACH_M;
}

/** Whether the first or the last state changed in full view and has hardly any observation. */
function isSlip(runs: readonly Run[], n: number, told: readonly Telling[]): boolean {
  const [run, other] = [runs[n], runs[n === 0 ? 1 : n - 1]];
  if (!run || !other || looksIn(run) >= LEAST_LOOKS) return false;
  const [fromUs, toUs] = n === 0 ? [lastUs(run), startUs(other)] : [lastUs(other), startUs(run)];
  return toUs - fromUs <= WITNESSED_US && isWatched(told, fromUs, toUs);
}

/** The recorded change from one state to the next, between their observations; undefined where none was recorded. */
function changeBetween(
  before: Run,
  after: Run,
  changes: readonly Change[],
  told: readonly Telling[],
): Change | undefined {
  let [fromUs, toUs] = [lastUs(before), startUs(after)];
  const apartUs = (change: Change) => Math.max(0, change.validFromUs - toUs, fromUs - endOf(change));
  const [recorded] = changes
    .filter(({ detail }) => detail["from"] === before.value && detail["to"] === after.value)
    .toSorted((a, b) => apartUs(a) - apartUs(b));
  if (!recorded) return undefined;
  // Where the old value was seen only in the first observations of a visit, the change may have happened before that
  // visit.
  const visit = before.told.filter(({ isLook }) => isLook);
  const begun = visit.findLastIndex(({ timeUs }, n) => n > 0 && timeUs - visit[n - 1]!.timeUs > VISIT_US);
  const isHasty = begun > 0 && visit.length - begun < LEAST_LOOKS;
  if (isHasty && toUs - fromUs <= WITNESSED_US && isWatched(told, fromUs, toUs))
    fromUs = visit[begun - 1]!.timeUs;
  return { ...recorded, validFromUs: fromUs, validToUs: Math.max(toUs, fromUs + 1) };
}
