import { gapBetween, type Vec3 } from "../geometry/index.ts";
import { LIMITS, type Sighting } from "../schema/core.ts";
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

type Change = EventRecord;
type Look = Pick<Sighting, "timeUs" | "agentId">;

/**
 * The changes of one attribute of a thing that hold when the observations are counted. States with hardly any
 * observation, and brief states with no person near, were misread, and both of their changes are dropped. A change
 * noticed by several robots counts once, in the narrowest interval that their observations allow.
 */
export async function heldChanges(
  changes: readonly Change[],
  thing: KnownThing,
  memory: Belief,
): Promise<readonly Change[]> {
  if (changes.length === 0) return changes;
  const looks = (await sightingsOf(thing, memory, { order: "latest", limit: MOST_LOOKS })).toSorted(
    (a, b) => a.timeUs - b.timeUs,
  );
  const kept = onceEach(changes);
  for (let n = await brief(kept, looks, thing, memory); n >= 0; n = await brief(kept, looks, thing, memory))
    kept.splice(n, 2);
  if (kept[0] && isSlip(kept[0], looks, "before")) kept.shift();
  const last = kept.at(-1);
  if (last && isSlip(last, looks, "after")) kept.pop();
  const own = new Set(changes.map(({ author }) => author));
  return kept.map((change) => narrowed(change, looks, own));
}

/**
 * Merges changes to the same value whose intervals overlap: several robots noticed them, each between its own
 * observations.
 */
function onceEach(changes: readonly Change[]): Change[] {
  const kept: Change[] = [];
  for (const change of changes.toSorted((a, b) => a.validFromUs - b.validFromUs)) {
    const before = kept.at(-1);
    const isSame = before?.detail["to"] === change.detail["to"];
    if (!before || !isSame) kept.push(change);
    else if (change.validFromUs <= endOf(before))
      kept[kept.length - 1] = within(before, change.validFromUs, Math.min(endOf(before), endOf(change)));
  }
  return kept;
}

function endOf({ validFromUs, validToUs }: Change): number {
  return validToUs ?? validFromUs + 1;
}

function within(change: Change, fromUs: number, toUs: number): Change {
  return { ...change, validFromUs: fromUs, validToUs: Math.max(toUs, fromUs + 1) };
}

function countIn(looks: readonly Look[], fromUs: number, toUs: number): number {
  return looks.filter(({ timeUs }) => timeUs >= fromUs && timeUs <= toUs).length;
}

/** Which change begins the shortest state that was misread; -1 for none. */
async function brief(
  changes: readonly Change[],
  looks: readonly Look[],
  thing: KnownThing,
  memory: Belief,
): Promise<number> {
  let [found, shortest] = [-1, Infinity];
  for (const [n, change] of changes.entries()) {
    const next = changes[n + 1];
    if (!next || change.detail["from"] !== next.detail["to"]) continue;
    const [fromUs, toUs] = [endOf(change), Math.max(endOf(change), next.validFromUs)];
    const lastedUs = toUs - fromUs;
    // Sparse observations say little about any state.
    if (lastedUs >= shortest || countIn(looks, fromUs - AROUND_US, toUs + AROUND_US) < LEAST_LOOKS) continue;
    const isHardly = countIn(looks, fromUs, toUs) < LEAST_LOOKS;
    const isSoon = lastedUs < BRIEF_US && !(await isAnybodyNear(thing, fromUs, toUs, memory));
    if (isHardly || isSoon) [found, shortest] = [n, lastedUs];
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

/**
 * Whether the first or the last change happened in full view, with hardly any observation of the state on its open
 * side.
 */
function isSlip(change: Change, looks: readonly Look[], side: "before" | "after"): boolean {
  const [fromUs, toUs] = [change.validFromUs, endOf(change)];
  if (toUs - fromUs > WITNESSED_US) return false;
  if (countIn(looks, fromUs - AROUND_US, toUs + AROUND_US) < LEAST_LOOKS) return false;
  const count =
    side === "before" ? countIn(looks, -LIMITS.timeUs, fromUs) : countIn(looks, toUs, LIMITS.timeUs);
  return count < LEAST_LOOKS;
}

/** A change between the last observation of the old value and the first of the new one, by any robot. */
function narrowed(change: Change, looks: readonly Look[], noticed: ReadonlySet<string>): Change {
  let [fromUs, toUs] = [change.validFromUs, endOf(change)];
  // Where the old value was seen only in the first observations of a visit, the change may have happened before that
  // visit.
  const visit = looks.filter(({ timeUs }) => timeUs <= fromUs);
  const begun = visit.findLastIndex(({ timeUs }, n) => n > 0 && timeUs - visit[n - 1]!.timeUs > VISIT_US);
  const isWatched = countIn(looks, fromUs - AROUND_US, toUs + AROUND_US) >= LEAST_LOOKS;
  if (isWatched && toUs - fromUs <= WITNESSED_US && begun > 0 && visit.length - begun < LEAST_LOOKS)
    fromUs = visit[begun - 1]!.timeUs;
  const robots = [...Map.groupBy(looks, ({ agentId }) => agentId)];
  // An author without observations of its own says nothing about the robots that observed.
  if (!robots.some(([agentId]) => noticed.has(agentId))) return within(change, fromUs, toUs);
  for (const [agentId, own] of robots) {
    if (noticed.has(agentId)) continue;
    // A robot that noticed no change saw one state all the time.
    const [first, last] = [own[0]!.timeUs, own.at(-1)!.timeUs];
    if (first > fromUs && first < toUs) toUs = first;
    else if (last > fromUs && last < toUs) fromUs = last;
  }
  return within(change, fromUs, toUs);
}
