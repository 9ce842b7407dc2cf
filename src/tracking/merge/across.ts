import { distance, gapBetween, inflate } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { COMMON } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { isFluent } from "../state/fluents.ts";
import { nearness } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { acrossOf, type Part, SameAcross } from "./fold.ts";
import { mergeKnown } from "./merging.ts";

const SAME = new SameAcross();

/** Whose boxes are believed where both maps have a thing: those along whose axes the house was built are the tighter. */
export type ShapesOf = "first" | "second" | "both";

/** What is known of two maps that become one. */
export interface UniteOptions {
  /** States of the second of them. */
  readonly ofSecond: ReadonlySet<string>;
  readonly shapes?: ShapesOf | undefined;
  /** Whose robot is not to be believed in what it calls things. */
  readonly doubted?: "first" | "second" | undefined;
  /** The frames that showed each state: what its robot has seen side by side is two. */
  readonly framesOf?: ReadonlyMap<string, ReadonlySet<string>> | undefined;
  /** How far the clocks of the second map's robots are ahead of the first's: which of two looks was later depends on it. */
  readonly secondAheadUs?: number | undefined;
}

/**
 * Things of two maps that were joined. First one with one, the surest first, since each robot has counted what it saw. Then
 * what is left over beside what was found to be one: pieces that one robot took for several things, and the other saw whole.
 */
export function mergeAcross(scene: Scene, options: UniteOptions, journal: Journal): void {
  const { ofSecond, shapes = "both", doubted, framesOf, secondAheadUs = 0 } = options;
  const isSecond = ({ stateId }: Thing) => ofSecond.has(stateId);
  const isDoubted = (thing: Thing) => doubted === (isSecond(thing) ? "second" : "first");
  const sides = partsOf(scene, isSecond, framesOf);
  const all = [...sides.first, ...sides.second].map(({ thing }) => thing);
  for (const { thing } of sides.second) thing.evidence.fluents.setBack(secondAheadUs);
  const partner = new Map<Part, Part>();
  for (const { part, other } of pairsAcross(sides)) {
    if (partner.has(part) || partner.has(other)) continue;
    partner.set(part, other).set(other, part);
    if (shapes === "first") other.thing.shape.become(part.thing.shape);
    if (shapes === "second") part.thing.shape.become(other.thing.shape);
    mergeKnown(scene, part.thing, other.thing, journal);
  }
  const stands = ({ thing }: Part) => scene.things.has(thing);
  for (const { part, other } of piecesAcross(sides, partner)) {
    if (!stands(part)) continue;
    const whole = [other, partner.get(other)!].find(stands);
    if (whole === undefined) continue;
    // The other robot has seen it whole.
    part.thing.shape.become(whole.thing.shape);
    mergeKnown(scene, whole.thing, part.thing, journal);
  }
  const taken = new Set([...partner.keys()].map(({ thing }) => thing));
  for (const thing of all.filter(isDoubted))
    if (!taken.has(thing)) mergeDoubted(scene, thing, (one) => taken.has(one) || !isDoubted(one), journal);
  mergePeople(scene, isSecond, journal);
}

interface Sides {
  readonly first: readonly Part[];
  readonly second: readonly Part[];
}

/** Things as they are before anything is merged. */
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

/** Those that are likelier one than two, the likeliest first. */
function pairsAcross({ first, second }: Sides): Pair[] {
  const kinds = Map.groupBy([...first, ...second], ({ thing }) => thing.words.category);
  const othersBy = (part: Part, other: Part) =>
    kinds
      .get(part.thing.words.category)!
      .filter((one) => one !== part && one !== other && isInReach(part, one)).length;
  return first
    .flatMap((part) =>
      second
        .filter((other) => mayBeOne(part, other))
        .map((other) => ({
          part,
          other,
          odds: SAME.logOdds(acrossOf(part, other, othersBy(part, other))),
        })),
    )
    .filter(({ odds }) => odds >= 0)
    .sort(surestFirst);
}

/** What is left over of either map, and things of the other map that it may be a piece of. */
function piecesAcross({ first, second }: Sides, partner: ReadonlyMap<Part, Part>): Pair[] {
  const left = (parts: readonly Part[]) => parts.filter((part) => !partner.has(part));
  const found = (parts: readonly Part[], others: readonly Part[]) =>
    left(parts).flatMap((part) =>
      others
        .filter((other) => partner.has(other) && mayBeOne(part, other))
        .map((other) => ({
          part,
          other,
          odds: SAME.logOdds(acrossOf(part, other, 0, partner.get(other))),
        })),
    );
  return [...found(first, second), ...found(second, first)].filter(({ odds }) => odds >= 0).sort(surestFirst);
}

function surestFirst(a: Pair, b: Pair): number {
  return b.odds - a.odds || (a.part.thing.stateId < b.part.thing.stateId ? -1 : 1);
}

/** Other kinds are one only where they are in one place. */
function mayBeOne(part: Part, other: Part): boolean {
  if (part.thing.words.category === other.thing.words.category) return isInReach(part, other);
  return gapBetween(part.box, other.box) <= COMMON.edgeM;
}

function isInReach({ box: a }: Part, { box: b }: Part): boolean {
  return gapBetween(a, b) <= MERGE.farthestM;
}

/** What a robot that is doubted saw a few times, in the place of what is known well, is that, whatever it calls it. */
function mergeDoubted(
  scene: Scene,
  thing: Thing,
  isKnown: (thing: Thing) => boolean,
  journal: Journal,
): void {
  if (thing.evidence.detections > 2 * COMMON.fewLooks || !scene.things.has(thing)) return;
  const [one] = [...scene.things.near(inflate(thing.worldBox, COMMON.touchM))]
    .filter(
      (other) =>
        other !== thing &&
        isKnown(other) &&
        other.evidence.detections >= COMMON.wellKnownLooks &&
        isInPlaceOf(other, thing),
    )
    .sort((a, b) => awayOf(a, thing) - awayOf(b, thing) || (a.stateId < b.stateId ? -1 : 1));
  if (one) mergeKnown(scene, one, thing, journal);
}

function isInPlaceOf(one: Thing, other: Thing): boolean {
  const near = nearness(one, other, true);
  if (near === "one-body" || near === "within") return true;
  return near === "overlapping" && one.words.category === other.words.category;
}

/**
 * People are one where they have a name of their own, or look alike where they are only called what all are called: what they
 * have in common is not where they are.
 */
function mergePeople(scene: Scene, isOther: (thing: Thing) => boolean, journal: Journal): void {
  const people = [...scene.movers].filter(({ type, isConfirmed }) => type === "person" && isConfirmed);
  const taken = new Set<Thing>();
  for (const one of people) {
    if (isOther(one)) continue;
    const alike = people.filter((other) => {
      if (!isOther(other) || taken.has(other)) return false;
      const name = properName(one);
      if (name !== undefined || properName(other) !== undefined) return name === properName(other);
      if (one.words.name !== other.words.name) return false;
      const { agree, conflict } = one.words.attributeBalance(other.words, isFluent);
      return agree > 0 && conflict === 0;
    });
    const [other] = alike;
    // Of several that look alike nobody knows which is meant.
    if (other === undefined || alike.length > 1) continue;
    taken.add(other);
    mergeKnown(scene, one, other, journal);
  }
}

/** The name that somebody has, beside the words for what can be seen of them. */
function properName({ words }: Thing): string | undefined {
  return words.name.match(/\p{Lu}[\p{L}'’-]*/gu)?.join(" ");
}

/** Kinds come before distances: a chair beside a chair is that chair, not the stool between them. */
function awayOf(one: Thing, other: Thing): number {
  const awayM = distance(one.centre, other.centre);
  return one.words.category === other.words.category ? awayM : awayM + 2 * MERGE.farthestM;
}
