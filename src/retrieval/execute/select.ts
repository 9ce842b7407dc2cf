import { wordsOf } from "../../memory/lexical.ts";
import { evidenceOf, type Item, statesOf, textOf } from "../evidence.ts";
import type { StepOf } from "../plan/steps.ts";
import {
  type Ambiguity,
  ambiguityOf,
  embeddingEntropy,
  adaptiveK as kOf,
  radiusCosine,
} from "../ranking/ambiguity.ts";
import { tokensOf, withinBudget } from "../ranking/budget.ts";
import { jaccard } from "../ranking/diversify.ts";
import { serialiseItem } from "../serialise.ts";
import type { Run, StepResult } from "./run.ts";

export async function topK(step: StepOf<"topK">, run: Run): Promise<StepResult> {
  const { items, ...rest } = await run.input(step.from);
  for (const { id } of items.slice(step.k)) run.reject(id, `beyond the best ${step.k}`);
  return { items: items.slice(0, step.k), ...rest };
}

export async function chronological(step: StepOf<"chronological">, run: Run): Promise<StepResult> {
  const { items, ...rest } = await run.input(step.from);
  const sorted = (await run.read(items)).sort(
    (a, b) => a.hit.record.validFromUs - b.hit.record.validFromUs || (a.id < b.id ? -1 : 1),
  );
  return { items: sorted, ...rest };
}

/**
 * Keeps items above the background; if they are too few, the best few instead, and the result is weak
 * (docs/formulas.md#standing-out).
 */
export async function threshold(step: StepOf<"threshold">, run: Run): Promise<StepResult> {
  const { items } = await run.input(step.from);
  const values = items.map(({ score }) => score);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const least = step.minZ === undefined ? undefined : await run.cosineOfZ(step.minZ);
  const passes = (item: Item) =>
    (least === undefined || (item.scores.meaning ?? -1) >= least || (item.scores.words ?? 0) > 0) &&
    (step.minMax === undefined || (high > low ? (item.score - low) / (high - low) : 1) >= step.minMax);
  const kept = items.filter(passes);
  const strong = await standsOut(items, run);
  if (kept.length >= step.atLeast || step.otherwise === undefined) {
    for (const item of items) if (!passes(item)) run.reject(item.id, "below the threshold");
    return { items: kept, weak: !strong };
  }
  run.note(`only ${kept.length} pass; the best ${step.otherwise} instead`);
  return { items: items.slice(0, step.otherwise), weak: !strong };
}

async function standsOut(items: readonly Item[], run: Run): Promise<boolean> {
  const best = Math.max(-1, ...items.map(({ scores }) => scores.meaning ?? -1));
  const z = await run.zOf(best);
  return (
    items.length > 0 && (z === undefined || z >= 1 || items.some(({ scores }) => (scores.words ?? 0) > 0))
  );
}

/** Inside the radius that the query's ambiguity allows, and above the background (eq. 7, docs/formulas.md#ambiguity). */
export async function radius(step: StepOf<"radius">, run: Run): Promise<StepResult> {
  const { items } = await run.input(step.from);
  const { normalised } = await ambiguity(items, step, run);
  const background = (await run.cosineOfZ(step.minZ)) ?? -1;
  const least = Math.max(radiusCosine(normalised, step.alphaE), background);
  run.note(`ambiguity ${normalised.toFixed(2)}, cosine above ${least.toFixed(3)}`);
  // Items found by words alone have no cosine to compare.
  const isInside = (item: Item) => (cosineOf(item) ?? 1) > least;
  const kept = items.filter((item, n) => {
    const passes = n < step.atLeast || isInside(item);
    if (!passes) run.reject(item.id, `cosine ${cosineOf(item)!.toFixed(3)} is outside the radius`);
    return passes;
  });
  return { items: kept, weak: !kept.some(isInside) };
}

/** As many as the query's ambiguity asks for (eq. 8, docs/formulas.md#ambiguity). */
export async function adaptiveK(step: StepOf<"adaptiveK">, run: Run): Promise<StepResult> {
  const { items, ...rest } = await run.input(step.from);
  // Judged by the pool before the radius cut it: a radius that leaves two would make any query look clear.
  const below = run.step(step.from);
  const pool = below.op === "radius" ? (await run.input(below.from)).items : items;
  const { entropy } = await ambiguity(pool, step, run);
  const k = items.length === 0 ? 0 : kOf(entropy, step);
  run.note(`entropy ${entropy.toFixed(3)} nats, k = ${k}`);
  for (const { id } of items.slice(k)) run.reject(id, `beyond the best ${k}`);
  return { items: items.slice(0, k), ...rest };
}

async function ambiguity(
  items: readonly Item[],
  step: StepOf<"radius"> | StepOf<"adaptiveK">,
  run: Run,
): Promise<Ambiguity> {
  if (step.entropy === "ambiguity") return ambiguityOf(items.flatMap((item) => cosineOf(item) ?? []));
  const vector = step.text === undefined ? null : await run.vector(step.text);
  return vector === null ? { entropy: 0, normalised: 0 } : embeddingEntropy(vector, step.entropy);
}

/** Text and picture are compared separately and the better one counts (docs/formulas.md#modalities). */
function cosineOf({ scores }: Item): number | undefined {
  const { meaning, image } = scores;
  return meaning === undefined ? image : Math.max(meaning, image ?? -1);
}

/** One item a track: of several states of one thing the best; everything else is kept. */
export async function dedupeByTrack(step: StepOf<"dedupeByTrack">, run: Run): Promise<StepResult> {
  const { items, ...rest } = await run.input(step.from);
  const seen = new Set<string>();
  const kept = (await run.read(items)).filter(({ id, hit: { record } }) => {
    const track = record.kind === "state" ? record.trackId : record.kind === "track" ? record.id : undefined;
    if (track === undefined) return true;
    if (seen.has(track)) {
      run.reject(id, `another state of ${track}`);
      return false;
    }
    seen.add(track);
    return true;
  });
  return { items: kept, ...rest };
}

/** The best of each group of near-duplicates: many looks at one corner leave no room for another. */
export async function distinct(step: StepOf<"distinct">, run: Run): Promise<StepResult> {
  const { items, ...rest } = await run.input(step.from);
  const kept: { readonly item: Item; readonly shown: ReadonlySet<string> }[] = [];
  for (const item of await run.read(items)) {
    const { record } = item.hit;
    const states = statesOf(record);
    const shown = new Set(states.length > 0 ? states : wordsOf(textOf(record)));
    const like = kept.find((other) => jaccard(other.shown, shown) > step.over);
    if (like) run.reject(item.id, `shows nearly the same as ${like.item.id}`);
    else kept.push({ item, shown });
  }
  return { items: kept.map(({ item }) => item), ...rest };
}

/** The items that fit into a number of tokens when written out. */
export async function budget(step: StepOf<"budget">, run: Run): Promise<StepResult> {
  const { items: given, ...rest } = await run.input(step.from);
  const items = await run.read(given);
  const costs = items.map((item) => ({
    score: item.score,
    tokens: tokensOf(serialiseItem(evidenceOf(item, undefined), run.context.nowUs)),
  }));
  const kept = new Set(withinBudget(costs, step.tokens));
  items.forEach(({ id }, i) => {
    if (!kept.has(i)) run.reject(id, "does not fit the token budget");
  });
  return { items: items.filter((_, i) => kept.has(i)), ...rest };
}
