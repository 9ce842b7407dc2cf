import { assign, distance } from "../../geometry/index.ts";
import { NAMELESS } from "../../schema/core.ts";
import { merge } from "../merge/merging.ts";
import type { Journal } from "../records/journal.ts";
import { close, giveTo, reopen, takeBack } from "../records/stays.ts";
import { anchorOf, eventRecord } from "../records/thing-records.ts";
import { writeThing, writeTrack } from "../records/writing.ts";
import { ASSOCIATE } from "../settings/associate.ts";
import { COMMON, NEARLY_ALL } from "../settings/common.ts";
import { MOVES } from "../settings/moves.ts";
import { RECORDS } from "../settings/records.ts";
import { isFluent } from "../state/fluents.ts";
import { isNamedOtherwise } from "../state/given-name.ts";
import { areTwins, nearness } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import type { Words } from "../state/words.ts";
import { isClear, type PossibleLink } from "./link-account.ts";
import { presumedMoves } from "./presumed.ts";

/** As far above the background as names of one kind are. */
const KIND_Z = 2 * ASSOCIATE.minZ;

interface Link extends PossibleLink {
  readonly cause: string | undefined;
}

/**
 * Finds stays that ended in one place and began in another: the same thing, moved (docs/formulas.md#moved). Runs
 * whenever a stay ends or begins, since either may be noticed first; older stays are checked again at the end.
 */
export function linkMoves(scene: Scene, journal: Journal, everything = false): void {
  const parted = backAgain(scene, journal);
  linkStays(scene, journal);
  for (const link of presumedMoves(scene, everything)) {
    if (link.from.links.successor || link.to.links.movedFrom) continue;
    accept(scene, { ...link, cause: causeOf(scene, link.from, link.to) }, journal);
  }
  for (const link of parted) {
    if (link.from.links.successor || link.to.links.movedFrom) continue;
    accept(scene, link, journal, isSamePlace(link.from, link.to) ? "back" : "moved");
  }
}

/** Selects the links that explain most of the ended and begun stays, as far as the result is unambiguous. */
function linkStays(scene: Scene, journal: Journal): void {
  const { acceptP, maybeP } = MOVES;
  const ended = scene.ended
    .filter(
      (thing) =>
        thing.links.successor === undefined && scene.latestUs - thing.evidence.lastSeenUs <= COMMON.dayUs,
    )
    .slice(-MOVES.maxCandidates);
  // A stay may end before its beginning is explained: an arrival is noticed at once, a departure only when the thing is
  // missed.
  const passed = scene.ended.filter(({ type, links }) => type === "object" && links.movedFrom === undefined);
  const begun = [...new Set([...passed, ...scene.unlinked])]
    .filter((thing) => thing.isConfirmed)
    .slice(-MOVES.maxCandidates);
  if (ended.length === 0) return;
  const links = new Map<number, Link>();
  const mayBe = remembering(mayBeOne);
  const byKind = Map.groupBy(begun, ({ words }) => words.category);
  const rows = ended.filter((from) => byKind.get(from.words.category)?.some((to) => mayBe(from, to)));
  if (rows.length === 0) return;
  const present = [...scene.things.values()].filter(({ isConfirmed }) => isConfirmed);
  const presentOf = Map.groupBy(present, ({ words }) => words.category);
  const columns = begun.length + rows.length;
  const costs = new Float64Array(rows.length * columns).fill(Infinity);
  rows.forEach((from, row) => {
    begun.forEach((to, column) => {
      if (!mayBe(from, to)) return;
      const cause = causeOf(scene, from, to);
      const p = Math.min(
        1 - COMMON.minErrorP,
        probability(scene, mayBe, from, to, ended, [...begun, ...(presentOf.get(to.words.category) ?? [])]),
      );
      if (p < maybeP) return;
      costs[row * columns + column] = 1 - p;
      links.set(row * columns + column, { from, to, p, cause });
    });
    costs[row * columns + begun.length + row] = 1 - maybeP;
  });
  const all = [...links.values()];
  assign(costs, rows.length, columns).forEach((column, row) => {
    const link = links.get(row * columns + column);
    if (!link) return;
    if (link.p >= acceptP && isClear(scene, link, all, maybeP)) accept(scene, link, journal);
    else for (const one of all) if (one.to === link.to) suspect(scene, one, journal);
  });
}

/**
 * Handles an observation of a thing where its stay had ended: it was there all the time, or has come back. Links from
 * that stay are undone. Where the thing may have been elsewhere meanwhile, the pair is returned, to be joined if no
 * better link is found.
 */
function backAgain(scene: Scene, journal: Journal): Link[] {
  const open: Link[] = [];
  for (const begun of [...scene.unlinked]) {
    if (!begun.isConfirmed || !journal.changed.has(begun.stateId)) continue;
    const old = scene.ended.find(
      (thing) =>
        thing !== begun &&
        thing.type === begun.type &&
        begun.evidence.firstSeenUs - (thing.identity.endedUs ?? 0) <= MOVES.reopenUs &&
        begun.evidence.firstSeenUs > thing.evidence.lastSeenUs &&
        thing.words.category === begun.words.category &&
        thing.words.attributeBalance(begun.words, isFluent).conflict === 0 &&
        isSamePlace(thing, begun),
    );
    if (!old || begun.type !== "object") continue;
    if (old.links.successor && hasLeft(old.links.successor, begun)) continue;
    if (old.links.successor) undo(scene, old.links.successor, journal);
    if (old.links.isPresumedGone) {
      stayed(scene, old, begun, journal);
      continue;
    }
    const back = { from: old, to: begun, p: NEARLY_ALL, cause: undefined };
    if (scene.ended.some((thing) => isBetween(thing, old, begun))) open.push(back);
    else accept(scene, back, journal, "back");
  }
  return open;
}

/** A thing presumed gone because a like one was detected elsewhere is still in its place: they are two. */
function stayed(scene: Scene, old: Thing, begun: Thing, journal: Journal): void {
  old.links.isPresumedGone = false;
  reopen(scene, old);
  old.seenAt(begun.evidence.lastSeenUs);
  merge(scene, old, begun, journal);
  if (!old.links.movedFrom) scene.watchFor(old);
}

/** Whether an unexplained stay elsewhere may be where a thing was before it came back. */
function isBetween(thing: Thing, from: Thing, to: Thing): boolean {
  return !thing.links.successor && !thing.links.movedFrom && mayBeOne(from, thing) && mayBeOne(thing, to);
}

function isSamePlace(a: Thing, b: Thing): boolean {
  return ["one-body", "same-place"].includes(nearness(a, b, true));
}

/**
 * Whether the moved thing had left its second place, too, before this observation: it came back, and was moved twice.
 */
function hasLeft(successor: Thing, begun: Thing): boolean {
  let last = successor;
  for (let n = 0; last.links.successor && last.links.successor !== begun && n < MOVES.maxCandidates; n++)
    last = last.links.successor;
  return last.identity.endedUs !== undefined && wasGoneBefore(last, begun);
}

function undo(scene: Scene, thing: Thing, journal: Journal): void {
  const from = thing.links.movedFrom && scene.byState.get(thing.links.movedFrom.stateId);
  if (from) from.links.successor = undefined;
  thing.links.movedFrom = undefined;
  takeBack(scene, thing, journal);
}

type PairTest = (from: Thing, to: Thing) => boolean;

/** Caches the result for each pair: with hundreds of like boxes, every link asks about all of them. */
function remembering(test: PairTest): PairTest {
  const known = new Map<Thing, Map<Thing, boolean>>();
  return (from, to) => {
    const row = known.get(from) ?? new Map<Thing, boolean>();
    known.set(from, row);
    const answer = row.get(to) ?? test(from, to);
    row.set(to, answer);
    return answer;
  };
}

function mayBeOne(from: Thing, to: Thing): boolean {
  return (
    from !== to &&
    from.type === to.type &&
    wasGoneBefore(from, to) &&
    from.words.category === to.words.category &&
    (from.type === "object" || !isNamedOtherwise(from, to.words.name)) &&
    // Two unlabelled things have only a colour in common.
    (from.type !== "object" || from.words.category !== NAMELESS) &&
    from.labels.length === to.labels.length &&
    from.labels.every((label) => to.labels.includes(label)) &&
    knownWords(from).attributeBalance(knownWords(to), isFluent).conflict === 0
  );
}

/** The descriptions of a thing before observations began to say that another stands in its place. */
function knownWords({ evidence: { words, contrary } }: Thing): Words {
  return contrary?.before ?? words;
}

/**
 * A thing cannot be in two places: one was last seen before the other was first seen. When a thing is pushed aside, one
 * observation or half a mask may still be assigned to the wrong place, so a single one does not count.
 */
function wasGoneBefore(from: Thing, to: Thing): boolean {
  const [old, young] = [from.evidence, to.evidence];
  if (young.firstSeenUs > old.lastSeenUs) return true;
  return (
    (young.seenAgainUs > old.lastSeenUs || young.firstSeenUs > old.seenBeforeUs) &&
    old.firstSeenUs < young.firstSeenUs &&
    distance(from.centre, to.centre) < COMMON.handyM &&
    !areTwins(from, to)
  );
}

/**
 * The logistic of docs/formulas.md#moved. Other stays that could equally be the one, ended or present, divide its
 * certainty.
 */
function probability(
  scene: Scene,
  mayBe: PairTest,
  from: Thing,
  to: Thing,
  ended: readonly Thing[],
  present: readonly Thing[],
): number {
  const z = from.words.meaningZBetween(to.words, scene.background) ?? KIND_Z;
  // With few kinds in a memory, even equal words are few deviations above the rest, so this is the maximum possible.
  const mostZ = (1 - scene.background.mean) / Math.max(scene.background.sd, 1e-3);
  const meaning = Math.min(2 * KIND_Z, z * Math.max(1, (2 * KIND_Z) / Math.max(1, mostZ)));
  const { agree } = from.words.attributeBalance(to.words, isFluent);
  // A half-occluded thing seems half as large, so size counts for less than colour.
  const size = Math.exp(-Math.abs(Math.log((from.diagonalM + COMMON.edgeM) / (to.diagonalM + COMMON.edgeM))));
  const attributes = 0.5 * Math.min(1, agree / 2) + 0.5 * (2 * size - 1);
  const equals = new Set<string>();
  // A person with the same look is the same person, unless both are present at once. A like thing counts as a rival if
  // it could have been the origin or the destination; not if it was seen in its place throughout.
  const others = from.type === "object" ? present : [...scene.movers].filter((mover) => mover.isConfirmed);
  for (const other of from.type === "object" ? ended : [])
    if (mayBe(other, to) && !mayBe(other, from)) equals.add(scene.trackOf(other.trackId));
  for (const other of others) {
    const isOpen =
      other.links.movedFrom === undefined &&
      other.evidence.firstSeenUs > from.evidence.lastSeenUs &&
      !(to.identity.endedUs !== undefined && mayBe(to, other));
    if (mayBe(from, other) ? from.type !== "object" || isOpen : from.type === "object" && mayBe(other, to))
      equals.add(scene.trackOf(other.trackId));
  }
  equals.delete(scene.trackOf(from.trackId));
  equals.delete(scene.trackOf(to.trackId));
  const metres = distance(from.centre, to.centre);
  const days = Math.max(0, to.evidence.firstSeenUs - from.evidence.lastSeenUs) / COMMON.dayUs;
  const logit =
    MOVES.offset +
    MOVES.meaning * (meaning - KIND_Z) +
    MOVES.attributes * attributes +
    MOVES.unique / (1 + equals.size) -
    MOVES.time * Math.log(1 + days) -
    MOVES.perMetre * metres +
    (from.type !== "object"
      ? 0
      : to.doubts.cameAfterUs !== undefined
        ? MOVES.newcomerBonus
        : -MOVES.discoveredPenalty);
  return 1 / (1 + Math.exp(-logit));
}

/** The person who was near both places in between, if any. */
function causeOf(scene: Scene, from: Thing, to: Thing): string | undefined {
  for (const mover of [...scene.movers, ...scene.ended]) {
    // An unconfirmed person is not written and cannot be referred to.
    if (mover.type !== "person" || !mover.isConfirmed) continue;
    const near = (thing: Thing) =>
      mover.shape.trail.some(
        ({ timeUs, position }) =>
          timeUs >= from.evidence.lastSeenUs - COMMON.momentUs &&
          timeUs <= to.evidence.firstSeenUs + COMMON.momentUs &&
          Math.hypot(position.x - thing.centre.x, position.y - thing.centre.y) <=
            COMMON.largeM + thing.diagonalM / 2,
      );
    if (near(from) && near(to)) return scene.trackOf(mover.trackId);
  }
  return undefined;
}

/** Continues a track: in another place, or "back" where it was. */
function accept(
  scene: Scene,
  { from, to, p, cause }: Link,
  journal: Journal,
  how: "moved" | "back" = "moved",
): void {
  if (from.identity.endedUs === undefined) {
    from.links.isPresumedGone = true;
    close(scene, from, Math.max(from.evidence.lastSeenUs + 1, to.evidence.firstSeenUs), journal);
    journal.changed.add(from.stateId);
  }
  from.links.successor = to;
  to.links.movedFrom = { stateId: from.stateId, p };
  scene.unlinked.delete(to);
  const trackId = scene.trackOf(from.trackId);
  giveTo(scene, to, trackId, journal);
  writeThing(scene, to, journal);
  if (how === "moved") journal.counts.moved++;
  journal.changed.add(to.stateId);
  journal.put(
    eventRecord({
      type: how === "moved" ? "move" : "appear",
      sceneId: scene.sceneId,
      author: to.author,
      labels: to.labels,
      fromUs: from.evidence.lastSeenUs,
      toUs: Math.max(from.evidence.lastSeenUs, to.evidence.firstSeenUs),
      who: [from.stateId, to.stateId, ...(cause ? [cause] : [])],
      anchor: anchorOf(to, scene.places).anchor,
      detail: { trackId, from: from.stateId, to: to.stateId, ...(cause && { cause }) },
      p,
      line: `the ${to.words.name} ${how === "back" ? "is back" : to.type === "object" ? "was moved" : "is elsewhere"}`,
      regionId: to.links.regionId,
    }),
  );
}

function suspect(scene: Scene, { from, to, p }: Link, journal: Journal): void {
  const entry = scene.tracks.get(to.trackId);
  const id = scene.trackOf(from.trackId);
  if (!entry || id === to.trackId || entry.maybeSameAs.some((one) => one.id === id)) return;
  entry.maybeSameAs = [...entry.maybeSameAs, { id, p }].slice(-RECORDS.maxMaybes);
  writeTrack(scene, to, journal);
}
