import { gapBetween, inflate, intersectionVolume } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { fold } from "../records/stays.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { isFluent } from "../state/fluents.ts";
import { ownName } from "../state/given-name.ts";
import { join } from "../state/join.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { type Doubted, Hearsay, settleDoubted } from "./doubted.ts";
import { type Across, acrossOf, type Part, SameAcross } from "./fold.ts";
import { mergeKnown, mergeNamesakes, sameAccess } from "./merging.ts";

const SAME = new SameAcross();

/**
 * The map whose boxes are used where both have a thing: boxes are tighter in a map whose axes are those of the house.
 */
export type ShapesOf = "first" | "second" | "both";

/** The input to joining two maps. */
export interface UniteOptions {
  /** States of the second map. */
  readonly ofSecond: ReadonlySet<string>;
  readonly shapes?: ShapesOf | undefined;
  /** The map whose labels are less reliable than the other's. */
  readonly doubted?: Doubted | undefined;
  /** The frames that showed each state: things that one robot saw side by side are two. */
  readonly framesOf?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** The offset of the second map's clocks, positive if ahead of the first's; needed to order observations in time. */
  readonly secondAheadUs?: number | undefined;
}

/**
 * Merges things of two joined maps. First one to one, the surest first, since each robot has counted its own things.
 * Then the leftovers beside the merged things: pieces that one robot took for several things and the other saw whole.
 */
export function mergeAcross(scene: Scene, options: UniteOptions, journal: Journal): void {
  const { ofSecond, shapes = "both", doubted, framesOf, secondAheadUs = 0 } = options;
  const isSecond = ({ stateId }: Thing) => ofSecond.has(stateId);
  const hearsay = new Hearsay(doubted, isSecond);
  for (const thing of scene.things.values()) hearsay.weigh(thing);
  const sides = partsOf(scene, isSecond, framesOf);
  const all = [...sides.first, ...sides.second].map(({ thing }) => thing);
  for (const { thing } of sides.second) thing.evidence.fluents.setBack(secondAheadUs);
  const partner = new Map<Part, Part>();
  for (const { part, other } of pairsAcross(sides, hearsay)) {
    if (partner.has(part) || partner.has(other)) continue;
    partner.set(part, other).set(other, part);
    if (shapes === "first") other.thing.shape.become(part.thing.shape);
    if (shapes === "second") part.thing.shape.become(other.thing.shape);
    mergeKnown(scene, part.thing, other.thing, journal);
  }
  const stands = ({ thing }: Part) => scene.things.has(thing);
  for (const { part, other } of piecesAcross(sides, partner, hearsay)) {
    if (!stands(part)) continue;
    const whole = [other, partner.get(other)!].find(stands);
    if (whole === undefined) continue;
    // The other robot has seen it whole.
    part.thing.shape.become(whole.thing.shape);
    mergeKnown(scene, whole.thing, part.thing, journal);
  }
  const taken = new Set([...partner.keys()].map(({ thing }) => thing));
  const left = all.filter((thing) => hearsay.isDoubted(thing) && !taken.has(thing));
  settleDoubted(scene, left, hearsay, (one) => taken.has(one) || !hearsay.isDoubted(one), journal);
  for (const part of [...sides.first, ...sides.second])
    if (stands(part) && !taken.has(part.thing)) endMissed(scene, part, journal);
  mergePeople(scene, isSecond, journal);
}

/**
 * A thing that another robot found missing after this map's last observation of it: both are one, and it is gone. The
 * other map no longer has the thing, so there was none to match.
 */
function endMissed(scene: Scene, part: Part, journal: Journal): void {
  const { thing } = part;
  const missed = scene.ended
    .filter((was) => isMissed(was, thing))
    .map((was) => ({ was, odds: SAME.logOdds(acrossOf(partOf(was), part, 0)) }))
    .filter(({ odds }) => odds >= 0)
    .sort((a, b) => b.odds - a.odds || (a.was.stateId < b.was.stateId ? -1 : 1));
  const [best] = missed;
  if (best === undefined) return;
  scene.drop(thing);
  join(best.was, thing);
  fold(scene, best.was, thing, journal);
}

function isMissed(was: Thing, thing: Thing): boolean {
  const { endedUs, isConfirmed } = was.identity;
  return (
    isConfirmed &&
    endedUs !== undefined &&
    was.type === "object" &&
    was.author !== thing.author &&
    was.words.category === thing.words.category &&
    was.words.attributeBalance(thing.words, isFluent).conflict === 0 &&
    was.evidence.firstSeenUs <= thing.evidence.lastSeenUs &&
    thing.evidence.lastSeenUs < endedUs &&
    intersectionVolume(inflate(was.worldBox, COMMON.edgeM), inflate(thing.worldBox, COMMON.edgeM)) > 0 &&
    sameAccess(was, thing)
  );
}

function partOf(thing: Thing): Part {
  return { thing, box: thing.worldBox, diagonalM: thing.diagonalM, frames: new Set() };
}

interface Sides {
  readonly first: readonly Part[];
  readonly second: readonly Part[];
}

/** Things as they are before any merge. */
function partsOf(
  scene: Scene,
  isSecond: (thing: Thing) => boolean,
  framesOf: UniteOptions["framesOf"] = new Map(),
): Sides {
  const parts = [...scene.things.values()]
    .filter(({ isConfirmed }) => isConfirmed)
    .map((thing) => {
      const frames = framesOf.get(thing.stateId) ?? new Set<string>();
      return { thing, box: thing.worldBox, diagonalM: thing.diagonalM, frames };
    });
  return {
    first: parts.filter(({ thing }) => !isSecond(thing)),
    second: parts.filter(({ thing }) => isSecond(thing)),
  };
}

interface Pair {
  readonly part: Part;
  readonly other: Part;
  readonly odds: number;
}

/** Pairs that are more likely one thing than two, the likeliest first. */
function pairsAcross({ first, second }: Sides, hearsay: Hearsay): Pair[] {
  const kinds = Map.groupBy([...first, ...second], ({ thing }) => thing.words.category);
  const othersBy = (part: Part, other: Part) =>
    kinds
      .get(part.thing.words.category)!
      .filter((one) => one !== part && one !== other && isInReach(part, one)).length;
  return first
    .flatMap((part) =>
      second
        .filter((other) => mayBeOne(part, other, hearsay))
        .map((other) => ({
          part,
          other,
          odds: oddsOf(acrossOf(part, other, othersBy(part, other)), hearsay),
        })),
    )
    .filter(({ odds }) => odds >= 0)
    .sort(surestFirst);
}

/** The leftovers of either map, with the things of the other map that they may be pieces of. */
function piecesAcross({ first, second }: Sides, partner: ReadonlyMap<Part, Part>, hearsay: Hearsay): Pair[] {
  const left = (parts: readonly Part[]) => parts.filter((part) => !partner.has(part));
  const found = (parts: readonly Part[], others: readonly Part[]) =>
    left(parts).flatMap((part) =>
      others
        .filter((other) => partner.has(other) && mayBeOne(part, other, hearsay))
        .filter((other) => mayBePieces(part, partner.get(other)!))
        .map((other) => ({
          part,
          other,
          odds: oddsOf(acrossOf(part, other, 0, partner.get(other)), hearsay),
        })),
    );
  return [...found(first, second), ...found(second, first)].filter(({ odds }) => odds >= 0).sort(surestFirst);
}

function surestFirst(a: Pair, b: Pair): number {
  return b.odds - a.odds || (a.part.thing.stateId < b.part.thing.stateId ? -1 : 1);
}

/** The odds over both cases: the same kind, and different kinds. */
function oddsOf(across: Across, hearsay: Hearsay): number {
  const p = sameKindP(across, hearsay);
  const [same, other] = [true, false].map((sameKind) => SAME.logOdds({ ...across, sameKind })) as [
    number,
    number,
  ];
  if (p === 1 || p === 0) return p === 1 ? same : other;
  const most = Math.max(same, other);
  return most + Math.log(p * Math.exp(same - most) + (1 - p) * Math.exp(other - most));
}

/** The probability that two are of one kind: the less reliable robot's labels are tested against the other's kind. */
function sameKindP({ part, other }: Pick<Across, "part" | "other">, hearsay: Hearsay): number {
  return hearsay.isDoubted(part.thing)
    ? hearsay.chanceOf(part.thing, other.thing.words.category)
    : hearsay.chanceOf(other.thing, part.thing.words.category);
}

/** Things of different kinds are one only if they are in one place. */
function mayBeOne(part: Part, other: Part, hearsay: Hearsay): boolean {
  if (sameKindP({ part, other }, hearsay) > COMMON.hardlyShare) return isInReach(part, other);
  return gapBetween(part.box, other.box) <= COMMON.edgeM;
}

/**
 * Whether two things that one robot kept apart may be pieces of one. The boxes of things seen often are complete: with
 * a gap between them, the other robot merged two things.
 */
function mayBePieces(part: Part, rival: Part): boolean {
  const isOften = Math.min(part.frames.size, rival.frames.size) >= COMMON.wellKnownLooks;
  return gapBetween(part.box, rival.box) <= (isOften ? COMMON.flatM : MERGE.farthestM);
}

function isInReach({ box: a }: Part, { box: b }: Part): boolean {
  return gapBetween(a, b) <= MERGE.farthestM;
}

/**
 * People are one if they have the same personal name, or, with only a general name, look alike; their positions do not
 * matter.
 */
function mergePeople(scene: Scene, isOther: (thing: Thing) => boolean, journal: Journal): void {
  mergeNamesakes(scene, journal);
  const people = [...scene.movers].filter(
    ({ type, isConfirmed, words }) => type === "person" && isConfirmed && ownName(words.name) === undefined,
  );
  const taken = new Set<Thing>();
  for (const one of people) {
    if (isOther(one)) continue;
    const alike = people.filter((other) => {
      if (!isOther(other) || taken.has(other) || one.words.name !== other.words.name) return false;
      const { agree, conflict } = one.words.attributeBalance(other.words, isFluent);
      return agree > 0 && conflict === 0;
    });
    const [other] = alike;
    // With several alike candidates the match is ambiguous.
    if (other === undefined || alike.length > 1) continue;
    taken.add(other);
    mergeKnown(scene, one, other, journal);
  }
}
