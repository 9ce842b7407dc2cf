import { areTwins } from "../state/nearness.ts";
import type { Scene } from "../state/scene.ts";
import type { Thing } from "../state/thing.ts";
import { FEATURES, type Feature, pairOf } from "./features.ts";
import { WEIGHTS } from "./weights.ts";

/**
 * Whether two records are of one thing, as natural log of the odds: one weighted sum over one table of features. Other
 * evidence about a pair (another robot's label, the source of a name, the votes of a detector) is added as one more
 * feature with its weight.
 */
export class SameThing {
  readonly #terms: readonly { readonly feature: Feature; readonly weight: number }[];

  constructor(weights: Readonly<Record<string, number>> = WEIGHTS) {
    this.#terms = Object.entries(FEATURES).flatMap(([name, feature]) => {
      const weight = weights[name] ?? 0;
      return weight === 0 ? [] : [{ feature, weight }];
    });
  }

  /** Two things that were seen side by side too often are two, whatever the score. */
  logOdds(scene: Scene, a: Thing, b: Thing): number {
    if (areTwins(a, b)) return -Infinity;
    const pair = pairOf(scene, a, b);
    let sum = 0;
    for (const { feature, weight } of this.#terms) sum += weight * feature(pair);
    return sum;
  }
}
