import type { RecordOf } from "../schema/core.ts";
import type { Belief } from "./belief.ts";
import { peopleNear, peopleOf } from "./carriers.ts";
import type { EventRecord } from "./happening.ts";
import { sightingsOf } from "./looks.ts";
import { MISREAD } from "./settings/presence.ts";
import type { KnownThing } from "./thing.ts";

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
  const looks = await sightingsOf(thing, memory, { order: "latest", limit: MISREAD.mostLooks });
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
  return held && held.p >= MISREAD.leastP && timeUs <= held.lastUs ? String(held.value) : undefined;
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

function isKnown(run: Run): boolean {
  return looksIn(run) >= MISREAD.leastLooks;
}

/** Whether observations around a span are dense enough to tell of every state in it. */
function isWatched(told: readonly Telling[], fromUs: number, toUs: number): boolean {
  const around = told.filter(
    ({ timeUs, isLook }) =>
      isLook && timeUs >= fromUs - MISREAD.aroundUs && timeUs <= toUs + MISREAD.aroundUs,
  );
  return around.length >= MISREAD.leastLooks;
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
    if (toUs - fromUs >= shortest) continue;
    // Sparse observations say little about any state, but one alone says less than many on either side of it.
    const isLone = looksIn(run) <= 1 && isKnown(runs[n - 1]!) && isKnown(runs[n + 1]!);
    const isSeen = isWatched(told, fromUs, toUs);
    const isHardly = isLone || (isSeen && looksIn(run) < MISREAD.leastLooks);
    const isBrief = isSeen && toUs - fromUs < MISREAD.briefUs;
    const isSoon = isBrief && !isHardly && !(await isAnybodyNear(thing, fromUs, toUs, memory));
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
  const people = await peopleOf(memory);
  if (people.some(({ trackId }) => trackId === thing.trackId)) return true;
  return (await peopleNear(thing, { fromUs, toUs }, memory)).length > 0;
}

/** Whether the first or the last state changed in full view and has hardly any observation. */
function isSlip(runs: readonly Run[], n: number, told: readonly Telling[]): boolean {
  const [run, other] = [runs[n], runs[n === 0 ? 1 : n - 1]];
  if (!run || !other || looksIn(run) >= MISREAD.leastLooks) return false;
  const [fromUs, toUs] = n === 0 ? [lastUs(run), startUs(other)] : [lastUs(other), startUs(run)];
  return toUs - fromUs <= MISREAD.witnessedUs && isWatched(told, fromUs, toUs);
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
  const begun = visit.findLastIndex(
    ({ timeUs }, n) => n > 0 && timeUs - visit[n - 1]!.timeUs > MISREAD.visitUs,
  );
  const isHasty = begun > 0 && visit.length - begun < MISREAD.leastLooks;
  if (isHasty && toUs - fromUs <= MISREAD.witnessedUs && isWatched(told, fromUs, toUs))
    fromUs = visit[begun - 1]!.timeUs;
  return { ...recorded, validFromUs: fromUs, validToUs: Math.max(toUs, fromUs + 1) };
}
