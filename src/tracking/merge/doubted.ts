import { distance, inflate } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { close } from "../records/stays.ts";
import { COMMON, NEARLY_ALL } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { nearness } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { mergeKnown } from "./merging.ts";

/** A map whose robot often labels one thing differently: its labels are weaker evidence than another's. */
export interface Doubted {
  readonly map: "first" | "second";
  /**
   * For each of its tracks: natural log of how much likelier its observations are if it is of a kind than if of one
   * that none of them named.
   */
  readonly nats: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The same for one observation by a reliable robot. */
  readonly lookNats: number;
  /** The number of kinds of things. */
  readonly kinds: number;
}

/** The labels in a robot's observations of its things, weighted by its reliability. */
export class Hearsay {
  readonly #doubted: Doubted | undefined;
  readonly #isSecond: (thing: Thing) => boolean;

  constructor(doubted: Doubted | undefined, isSecond: (thing: Thing) => boolean) {
    this.#doubted = doubted;
    this.#isSecond = isSecond;
  }

  isDoubted(thing: Thing): boolean {
    return this.#doubted?.map === (this.#isSecond(thing) ? "second" : "first");
  }

  /** Sets the label votes of a thing to the number of reliable observations with the same information. */
  weigh(thing: Thing): void {
    const nats = this.#natsOf(thing);
    if (!this.#doubted || !nats || nats.size === 0) return;
    // An observation of a stored thing counts half a vote (records/resume.ts).
    const perVote = 2 * this.#doubted.lookNats;
    thing.words.nameBy([...nats].map(([category, own]) => [category, own / perVote]));
  }

  /** The probability that a thing is of a kind: 1 or 0 where its label is reliable. */
  chanceOf(thing: Thing, category: string): number {
    const nats = this.#natsOf(thing);
    if (!this.#doubted || !nats || nats.size === 0) return thing.words.category === category ? 1 : 0;
    const most = Math.max(...nats.values());
    const unsaid = Math.max(0, this.#doubted.kinds - nats.size);
    let sum = unsaid * Math.exp(-most);
    for (const own of nats.values()) sum += Math.exp(own - most);
    return Math.exp((nats.get(category) ?? 0) - most) / sum;
  }

  #natsOf(thing: Thing): ReadonlyMap<string, number> | undefined {
    return this.isDoubted(thing) ? this.#doubted!.nats.get(thing.trackId) : undefined;
  }
}

/**
 * Settles things that only the less reliable robot saw: in the place of a well-known thing they belong to that thing,
 * whatever their label; elsewhere they are kept if their observations agree on the label.
 */
export function settleDoubted(
  scene: Scene,
  things: readonly Thing[],
  hearsay: Hearsay,
  isKnown: (thing: Thing) => boolean,
  journal: Journal,
): void {
  for (const thing of things) {
    if (!scene.things.has(thing)) continue;
    const stands = standsThere(scene, thing, isKnown);
    if (stands) mergeKnown(scene, stands, thing, journal);
    else if (hearsay.chanceOf(thing, thing.words.category) < NEARLY_ALL)
      // Closed at the instant it began: no thing is merged with it, and an earlier reading of the memory still shows
      // it.
      close(scene, thing, thing.evidence.firstSeenUs + 1, journal);
  }
}

/** A much better known thing in the place of a thing with few observations. */
function standsThere(scene: Scene, thing: Thing, isKnown: (thing: Thing) => boolean): Thing | undefined {
  if (thing.evidence.detections > 2 * COMMON.fewLooks) return undefined;
  const [one] = [...scene.things.near(inflate(thing.worldBox, COMMON.touchM))]
    .filter(
      (other) =>
        other !== thing &&
        isKnown(other) &&
        other.evidence.detections >= COMMON.wellKnownLooks &&
        isInPlaceOf(other, thing),
    )
    .sort((a, b) => awayOf(a, thing) - awayOf(b, thing) || (a.stateId < b.stateId ? -1 : 1));
  return one;
}

function isInPlaceOf(one: Thing, other: Thing): boolean {
  const near = nearness(one, other, true);
  if (near === "one-body" || near === "within") return true;
  return near === "overlapping" && one.words.category === other.words.category;
}

/** Kind has priority over distance: a chair beside a chair is that chair, not the stool between them. */
function awayOf(one: Thing, other: Thing): number {
  const awayM = distance(one.centre, other.centre);
  return one.words.category === other.words.category ? awayM : awayM + 2 * MERGE.farthestM;
}
