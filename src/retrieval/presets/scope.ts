import { FUSION_WEIGHTS } from "../../memory/fusion.ts";
import type { RecordKind } from "../../schema/core.ts";
import type { PlanBuilder } from "../plan/plan.ts";
import type { Asked } from "../question/question.ts";

/** The weights of meaning and words in a sum: the memory's own shares. */
const WEIGHTS = [FUSION_WEIGHTS.meaning, FUSION_WEIGHTS.words];

/** The keys of R⁴ that a plan may use: what, where, when. */
export interface Keys {
  readonly meaning: boolean;
  readonly space: boolean;
  readonly time: boolean;
}

export const ALL_KEYS: Keys = { meaning: true, space: true, time: true };

/** Puts what is known of where and when on top of a source, so that the engine applies it before it ranks. */
export function scoped(b: PlanBuilder, source: string, { question }: Asked, keys: Keys = ALL_KEYS): string {
  let at = source;
  if (keys.time && question.during !== undefined) {
    const { fromUs, toUs } = question.during;
    at =
      toUs === null
        ? b.add({ op: "since", from: at, time: fromUs })
        : b.add({ op: "during", from: at, start: fromUs, end: toUs });
  }
  if (keys.space && question.near !== undefined) {
    const { centre, radiusM } = question.near;
    at = b.add({ op: "near", from: at, at: centre, radiusM });
  }
  if (keys.space && question.regionId !== undefined)
    at = b.add({ op: "inRegion", from: at, region: question.regionId });
  if (keys.meaning && question.categories !== undefined)
    at = b.add({ op: "where", from: at, category: [...question.categories] });
  return at;
}

export interface HybridOptions {
  readonly keys?: Keys;
  readonly pool?: number;
  readonly minZ?: number;
}

/** Meaning and words together: the best line by vector, and the words concept by concept, added up as z-scores. */
export function hybrid(
  b: PlanBuilder,
  kinds: RecordKind[],
  asked: Asked,
  options: HybridOptions = {},
): string {
  const { cues } = asked;
  const { keys = ALL_KEYS, pool = 100, minZ } = options;
  const sem = scoped(
    b,
    b.add({ op: "sem", kinds, text: cues.query, k: pool, ...(minZ === undefined ? {} : { minZ }) }),
    asked,
    keys,
  );
  if (cues.concepts.length === 0) return sem;
  const concepts = cues.concepts.map(({ words, same, kinds: sorts }) => ({
    words,
    same: [...same],
    kinds: [...sorts],
  }));
  const lex = scoped(b, b.add({ op: "concepts", kinds, concepts, k: pool }), asked, keys);
  return b.add({ op: "weighted", of: [sem, lex], weights: WEIGHTS, normalise: "zscore" });
}

/** The weight of a leaf's own words in a descent: highest for a thing, lowest for the place as a whole. */
const LEAF_SHARE = { explicit: 0.6, implicit: 0.4, global: 0.2 } as const;

/** Down the forest to the k best leaves. */
export function descent(b: PlanBuilder, { cues }: Asked, k: number, hasPose: boolean | undefined): string {
  return b.add({
    op: "descend",
    text: cues.query,
    k,
    leafShare: LEAF_SHARE[cues.level],
    tags: cues.concepts.flatMap(({ words, kinds }) => [words, ...kinds]).slice(0, 32),
    ...(cues.nearest && hasPose ? { near: "here" as const } : {}),
  });
}

/**
 * STaR's reduction of a pool of captions to the few that cover it (docs/formulas.md#bottleneck). The pool is cut at 35
 * % of its own range, as the released code does it: on two-hour memories that kept more of the evidence than a
 * calibrated threshold, which templated texts push up; so does α at half a z. `weak` is still judged by z.
 */
export function distilled(b: PlanBuilder, pool: string, { cues }: Asked, k: number): string {
  const phrases = cues.phrases.length > 0 ? [...cues.phrases] : [cues.query];
  const best = b.add({ op: "topK", from: pool, k: 100 });
  const kept = b.add({ op: "threshold", from: best, minMax: 0.35, atLeast: 12, otherwise: 10 });
  const things = b.add({ op: "join", from: kept, along: "caption-state" });
  const clusters = b.add({ op: "ib", from: things, cues: phrases, alphaZ: 0.5 });
  const prefer = cues.order === "first" ? "oldest" : "newest";
  return b.add({ op: "cover", from: kept, clusters, k, temporal: cues.temporal, prefer, fillZ: -100 });
}
