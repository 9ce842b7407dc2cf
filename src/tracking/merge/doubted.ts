import { distance, inflate } from "../../geometry/index.ts";
import type { Journal } from "../records/journal.ts";
import { close } from "../records/stays.ts";
import { COMMON, NEARLY_ALL } from "../settings/common.ts";
import { MERGE } from "../settings/merge.ts";
import { nearness } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { mergeKnown } from "./merging.ts";

/** A map whose robot often calls one thing by several names: what it calls things is evidence, and weaker than another's. */
export interface Doubted {
  readonly map: "first" | "second";
  /** Of each of its tracks: natural log of how much likelier its looks are if it is of a kind than if of one that none of them named. */
  readonly nats: ReadonlyMap<string, ReadonlyMap<string, number>>;
  /** The same of one look of a robot that is believed. */
  readonly lookNats: number;
  /** How many kinds of things there are. */
  readonly kinds: number;
}

/** What a robot's looks at its things called them, weighed by how far it is believed. */
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

  /** Names a thing by its looks: as many votes as looks of a robot that is believed would say as much. */
  weigh(thing: Thing): void {
    const nats = this.#natsOf(thing);
    if (!this.#doubted || !nats || nats.size === 0) return;
    // A look of a stored thing counts half a vote (records/resume.ts).
    const perVote = 2 * this.#doubted.lookNats;
    thing.words.nameBy([...nats].map(([category, own]) => [category, own / perVote]));
  }

  /** How likely a thing is of a kind: 1 or 0 where its name is believed. */
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
 * What only a robot that is doubted has: in the place of what is known well it is that, whatever it was called; elsewhere it
 * is believed where its looks agree on what it is.
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
      // In the instant it began: nobody stands by it, and an earlier reading of the memory still shows it.
      close(scene, thing, thing.evidence.firstSeenUs + 1, journal);
  }
}

/** What is known far better than a thing of few looks, in its place. */
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

/** Kinds come before distances: a chair beside a chair is that chair, not the stool between them. */
function awayOf(one: Thing, other: Thing): number {
  const awayM = distance(one.centre, other.centre);
  return one.words.category === other.words.category ? awayM : awayM + 2 * MERGE.farthestM;
}
