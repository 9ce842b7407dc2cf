import { gapBetween, inflate, intersectionVolume, iou, volumeOf } from "../geometry/index.ts";
import { thickened } from "./shape.ts";
import type { Thing } from "./thing.ts";

const MOST_RIVALS = 8;
/** Log-odds of "one thing" at which two records are merged, by how they lie: one body hardly needs any. */
const NEEDED: Readonly<Record<Nearness, number>> = {
  "one-body": 0.3,
  "same-place": 3,
  overlapping: 3,
  "one-mask": 2,
  close: 14,
  apart: Infinity,
};
export const TOUCHING_M = 0.15;
/** One look says no more than this. */
const MOST_PER_LOOK = 1.5;
const TOGETHER = 2.2;

/**
 * Two real things that stand side by side are seen side by side. Two records of one thing (a curtain's two wings,
 * a sofa met from both ends, a place revisited with drift) never are, apart from the odd split mask. So for like
 * things that overlap or nearly touch the odds are kept: a frame that shows one of two that were both in view
 * speaks for one, by how surely the other would have been reported; a frame that shows both speaks against it.
 */
export class Rivals {
  readonly #odds = new Map<Thing, number>();

  seenTogether(other: Thing): void {
    this.#add(other, -TOGETHER);
  }

  /** `missP`: how likely a detector is to overlook the other one. */
  seenWithout(other: Thing, missP: number): void {
    this.#add(other, Math.min(MOST_PER_LOOK, -Math.log(Math.max(1e-3, missP))));
  }

  oddsWith(other: Thing): number {
    return this.#odds.get(other) ?? 0;
  }

  forget(other: Thing): void {
    this.#odds.delete(other);
  }

  #add(other: Thing, odds: number): void {
    if (!this.#odds.has(other) && this.#odds.size >= MOST_RIVALS) {
      const [oldest] = this.#odds.keys();
      this.#odds.delete(oldest!);
    }
    this.#odds.set(other, (this.#odds.get(other) ?? 0) + odds);
  }
}

export type Nearness = "one-body" | "same-place" | "overlapping" | "one-mask" | "close" | "apart";

/** How two boxes lie to each other: too much in one place to be two bodies, overlapping, close to each other, or apart. */
export function nearness(a: Thing, b: Thing, areLike: boolean): Nearness {
  const [boxA, boxB] = [thickened(a.worldBox), thickened(b.worldBox)];
  if (iou(boxA, boxB) >= 0.4) {
    return areLike && iou(inflate(a.worldBox, 0.03), inflate(b.worldBox, 0.03)) >= 0.4
      ? "one-body"
      : "same-place";
  }
  if (!areLike) return "apart";
  const shared = intersectionVolume(boxA, boxB) / Math.min(volumeOf(boxA), volumeOf(boxB));
  if (shared >= 0.4) return "overlapping";
  return gapBetween(a.worldBox, b.worldBox) <= TOUCHING_M ? "close" : "apart";
}

/** Whether the odds kept by both say that the two are one thing. */
export function areOne(a: Thing, b: Thing, near: Nearness): boolean {
  return a.rivals.oddsWith(b) + b.rivals.oddsWith(a) >= NEEDED[near];
}

/** How likely a detector overlooks something that covers so many pixels (§5.5: half of those with 60). */
export function missProbability(pixels: number): number {
  const ratio = pixels / 60;
  return 1 / (1 + ratio * ratio);
}
