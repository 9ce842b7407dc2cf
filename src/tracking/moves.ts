import { assign, distance } from "../geometry/index.ts";
import { isFluent } from "./fluents.ts";
import type { Journal } from "./journal.ts";
import { nearness } from "./nearness.ts";
import type { Scene } from "./scene.ts";
import type { Thing } from "./thing.ts";
import { anchorOf, eventRecord } from "./thing-records.ts";
import { writeThing, writeTrack } from "./writing.ts";

/** How long things of a kind stay away: large ones are not carried about. */
const SMALL_TAU_US = 86_400_000_000;
/** A stay that ended and one that began later in the same place are one, if not too long apart. */
const REOPEN_US = 600_000_000;
/** A place that was seen without the thing before has gained it; else it may merely be newly explored. */
const NEWCOMER_BONUS = 1;
const DISCOVERED_PENALTY = 1.2;
/** A person within this distance of both places in the time between is a probable cause (§10.7). */
const CAUSE_M = 1;
const CAUSE_BONUS = 0.1;
const MOST_CANDIDATES = 512;
/** A link that another of the same stay comes as close to as this is ambiguous: twins are not told apart by a hair. */
const CLEARLY = 0.1;
const MOST_STRAYS = 2;
const STRAYS_OF = 5;
const STRAYING_US = 30_000_000;
/** Nobody carries larger things about without being seen to. */
const CARRIED_M = 1;
/** Where the old place has not been seen empty, a link is never more than a suspicion. */
const UNVERIFIED_PENALTY = 0.8;
const MOST_UNVERIFIED_P = 0.65;

interface Link {
  readonly from: Thing;
  readonly to: Thing;
  readonly p: number;
  readonly cause: string | undefined;
}

/**
 * Finds stays that ended in one place and began in another: the same thing, moved (A-R8, §10.7). Run whenever a
 * stay ends or begins, since either may be noticed first.
 */
export function linkMoves(scene: Scene, journal: Journal): void {
  reopen(scene, journal);
  const { acceptP, maybeP, windowUs } = scene.settings.moves;
  const ended = scene.ended
    .filter((thing) => thing.successor === undefined && scene.latestUs - thing.lastSeenUs <= windowUs)
    .slice(-MOST_CANDIDATES);
  // A stay may be over before its beginning is explained: what came is noticed at once, what left when it is missed.
  const passed = scene.ended.filter(
    ({ type, movedFrom, cameAfterUs }) =>
      type === "object" && movedFrom === undefined && cameAfterUs !== undefined,
  );
  const begun = [...passed, ...scene.unlinked].filter((thing) => thing.isConfirmed).slice(-MOST_CANDIDATES);
  ended.push(...unverified(scene, begun).slice(-MOST_CANDIDATES));
  if (ended.length === 0) return;
  const links = new Map<number, Link>();
  const byKind = Map.groupBy(begun, ({ words }) => words.category);
  const rows = ended.filter((from) => byKind.get(from.words.category)?.some((to) => mayBeOne(from, to)));
  if (rows.length === 0) return;
  const present = [...scene.things.values()].filter(({ isConfirmed }) => isConfirmed);
  const presentOf = Map.groupBy(present, ({ words }) => words.category);
  const columns = begun.length + rows.length;
  const costs = new Float64Array(rows.length * columns).fill(Infinity);
  rows.forEach((from, row) => {
    begun.forEach((to, column) => {
      if (!mayBeOne(from, to)) return;
      const cause = causeOf(scene, from, to);
      const most = from.endedUs === undefined ? MOST_UNVERIFIED_P : 0.99;
      const p = Math.min(
        most,
        probability(scene, from, to, ended, [...begun, ...(presentOf.get(to.words.category) ?? [])]) +
          (cause ? CAUSE_BONUS : 0),
      );
      if (p < maybeP) return;
      costs[row * columns + column] = 1 - p;
      links.set(row * columns + column, { from, to, p, cause });
    });
    costs[row * columns + begun.length + row] = 1 - maybeP;
  });
  assign(costs, rows.length, columns).forEach((column, row) => {
    const link = links.get(row * columns + column);
    if (!link) return;
    const others = [...links.values()].filter(
      ({ from, to }) =>
        (from === link.from) !== (to === link.to) &&
        (from === link.from || scene.trackOf(from.trackId) !== scene.trackOf(link.from.trackId)),
    );
    if (link.p >= acceptP && others.every(({ p }) => link.p - p >= CLEARLY)) accept(scene, link, journal);
    else for (const one of [link, ...others]) if (one.to === link.to) suspect(scene, one, journal);
  });
}

/**
 * Things that nobody has looked for since a like one turned up where none had been: they may be that one, moved
 * from a place that was not seen again. Only small things, and only for newcomers.
 */
function unverified(scene: Scene, begun: readonly Thing[]): Thing[] {
  const fresh = begun.filter(
    (thing) => thing.type === "object" && thing.diagonalM < CARRIED_M && thing.cameAfterUs !== undefined,
  );
  if (fresh.length === 0) return [];
  const found: Thing[] = [];
  for (const thing of scene.things.values()) {
    if (!thing.isConfirmed || thing.diagonalM >= CARRIED_M || thing.successor) continue;
    if (fresh.some((to) => thing !== to && thing.lastSeenUs < to.firstSeenUs && mayBeOne(thing, to))) {
      found.push(thing);
    }
  }
  return found;
}

/** A look at a thing where it ended: it was there all the time, or has come back. What was linked to it is undone. */
function reopen(scene: Scene, journal: Journal): void {
  for (const begun of [...scene.unlinked]) {
    if (!begun.isConfirmed || !journal.changed.has(begun.stateId)) continue;
    const old = scene.ended.find(
      (thing) =>
        thing !== begun &&
        thing.type === begun.type &&
        begun.firstSeenUs - (thing.endedUs ?? 0) <= REOPEN_US &&
        begun.firstSeenUs > thing.lastSeenUs &&
        thing.words.category === begun.words.category &&
        thing.words.attributeBalance(begun.words, isFluent).conflict === 0 &&
        ["one-body", "same-place"].includes(nearness(thing, begun, true)),
    );
    if (!old || begun.type !== "object") continue;
    if (old.successor) undo(scene, old.successor, journal);
    accept(scene, { from: old, to: begun, p: 0.9, cause: undefined }, journal, "back");
  }
}

function undo(scene: Scene, thing: Thing, journal: Journal): void {
  const from = thing.movedFrom && scene.byState.get(thing.movedFrom.stateId);
  if (from) from.successor = undefined;
  thing.movedFrom = undefined;
  const entry = scene.tracks.get(thing.ownTrackId);
  if (entry) entry.mergedInto = undefined;
  thing.trackId = thing.ownTrackId;
  writeThing(scene, thing, journal);
}

function mayBeOne(from: Thing, to: Thing): boolean {
  return (
    from !== to &&
    from.type === to.type &&
    wasGoneBefore(from, to) &&
    from.words.category === to.words.category &&
    from.labels.length === to.labels.length &&
    from.labels.every((label) => to.labels.includes(label)) &&
    from.words.attributeBalance(to.words, isFluent).conflict === 0
  );
}

/**
 * Nothing is in two places: the one was not seen any more when the other was first seen. A look or two at what stood
 * near the old place afterwards, taken for the thing before it was known to be gone, do not keep it there.
 */
function wasGoneBefore(from: Thing, to: Thing): boolean {
  if (to.firstSeenUs > from.lastSeenUs) return true;
  const late = from.absence.looksSince(to.firstSeenUs);
  if (from.endedUs === undefined || from.type !== "object" || late === 0) return false;
  const atTheEnd = from.absence.looksSince(Math.max(to.firstSeenUs, from.endedUs - STRAYING_US));
  return late === atTheEnd && late <= MOST_STRAYS && late * STRAYS_OF <= from.detections;
}

/** §10.7's logistic. Twins that could as well be the one, ended or present, divide its certainty. */
function probability(
  scene: Scene,
  from: Thing,
  to: Thing,
  ended: readonly Thing[],
  present: readonly Thing[],
): number {
  const { moves } = scene.settings;
  const z = from.words.meaningZBetween(to.words, scene.background) ?? 4;
  const { agree } = from.words.attributeBalance(to.words, isFluent);
  // Half of a thing behind another is half its size: sizes say less than colours.
  const size = Math.exp(-Math.abs(Math.log((from.diagonalM + 0.05) / (to.diagonalM + 0.05))));
  const attributes = 0.5 * Math.min(1, agree / 2) + 0.5 * (2 * size - 1);
  const equals = new Set<string>();
  // Somebody who looks the same is the same person, unless both are about at once.
  const others = from.type === "object" ? present : [...scene.movers].filter((mover) => mover.isConfirmed);
  for (const other of from.type === "object" ? ended : [])
    if (isTwin(other, to)) equals.add(scene.trackOf(other.trackId));
  for (const other of others) {
    if (isTwin(from, other) && (from.type === "object" || mayBeOne(from, other)))
      equals.add(scene.trackOf(other.trackId));
  }
  equals.delete(scene.trackOf(from.trackId));
  equals.delete(scene.trackOf(to.trackId));
  const metres = distance(from.centre, to.centre);
  const days = Math.max(0, to.firstSeenUs - from.lastSeenUs) / SMALL_TAU_US;
  const logit =
    moves.offset +
    moves.meaning * (Math.min(z, 8) - 4) +
    moves.attributes * attributes +
    moves.unique / (1 + equals.size) -
    moves.time * Math.log(1 + days) -
    (moves.distance * metres) / moves.rangeM +
    (from.type !== "object" ? 0 : to.cameAfterUs !== undefined ? NEWCOMER_BONUS : -DISCOVERED_PENALTY) -
    (from.endedUs === undefined ? UNVERIFIED_PENALTY : 0);
  return 1 / (1 + Math.exp(-logit));
}

function isTwin(a: Thing, b: Thing): boolean {
  return a.words.category === b.words.category && a.words.attributeBalance(b.words, isFluent).conflict === 0;
}

/** The person who was near both places in between, if any. */
function causeOf(scene: Scene, from: Thing, to: Thing): string | undefined {
  for (const mover of [...scene.movers, ...scene.ended]) {
    // One who is not confirmed is not written either, and cannot be named.
    if (mover.type !== "person" || !mover.isConfirmed) continue;
    const near = (thing: Thing) =>
      mover.trail.some(
        ({ timeUs, position }) =>
          timeUs >= from.lastSeenUs - 2e6 &&
          timeUs <= to.firstSeenUs + 2e6 &&
          Math.hypot(position.x - thing.centre.x, position.y - thing.centre.y) <=
            CAUSE_M + thing.diagonalM / 2,
      );
    if (near(from) && near(to)) return scene.trackOf(mover.trackId);
  }
  return undefined;
}

/** One track goes on: elsewhere, or "back" where it was. */
function accept(
  scene: Scene,
  { from, to, p, cause }: Link,
  journal: Journal,
  how: "moved" | "back" = "moved",
): void {
  if (from.endedUs === undefined) {
    from.endedUs = Math.max(from.lastSeenUs + 1, to.firstSeenUs);
    scene.retire(from);
    writeThing(scene, from, journal);
    journal.changed.add(from.stateId);
  }
  from.successor = to;
  to.movedFrom = { stateId: from.stateId, p };
  scene.unlinked.delete(to);
  const trackId = scene.trackOf(from.trackId);
  const entry = scene.tracks.get(to.trackId);
  if (to.trackId !== trackId && entry) {
    entry.mergedInto = trackId;
    writeTrack(scene, to, journal, to.trackId);
    to.trackId = trackId;
  }
  writeThing(scene, to, journal);
  if (how === "moved") journal.counts.moved++;
  journal.changed.add(to.stateId);
  journal.put(
    eventRecord({
      type: how === "moved" ? "move" : "appear",
      sceneId: scene.sceneId,
      author: to.author,
      labels: to.labels,
      fromUs: from.lastSeenUs,
      toUs: to.firstSeenUs,
      who: [from.stateId, to.stateId, ...(cause ? [cause] : [])],
      anchor: anchorOf(to, scene.places).anchor,
      detail: { trackId, from: from.stateId, to: to.stateId, ...(cause && { cause }) },
      p,
      line: `the ${to.words.name} ${how === "moved" ? "was moved" : "is back"}`,
      regionId: to.regionId,
    }),
  );
}

function suspect(scene: Scene, { from, to, p }: Link, journal: Journal): void {
  const entry = scene.tracks.get(to.trackId);
  const id = scene.trackOf(from.trackId);
  if (!entry || id === to.trackId || entry.maybeSameAs.some((one) => one.id === id)) return;
  entry.maybeSameAs = [...entry.maybeSameAs, { id, p }].slice(-32);
  writeTrack(scene, to, journal);
}
