import { wordsOf } from "../../memory/lexical.ts";
import { type Item, type ReadItem, statesOf, textOf } from "../evidence.ts";
import type { StepOf } from "../plan/steps.ts";
import { jaccard, maximalMarginalRelevance } from "../ranking/diversify.ts";
import { reciprocalRank, type ScoredList, weightedSum } from "../ranking/fuse.ts";
import { compile } from "./compile.ts";
import { byScore, searchCompiled } from "./compiled.ts";
import type { Run, StepResult } from "./run.ts";

/** The first proposes; each other one must accept what is left, by its own thresholds and over that set only. */
export async function and(step: StepOf<"and">, run: Run): Promise<StepResult> {
  const [first, ...others] = step.of;
  let { items } = await run.input(first!);
  for (const name of others) {
    const accepted = new Map((await among(name, items, run)).map((item) => [item.id, item]));
    items = items.flatMap((item) => {
      const other = accepted.get(item.id);
      if (other) return [{ ...item, scores: { ...other.scores, ...item.scores }, why: [...item.why, name] }];
      run.reject(item.id, `not in "${name}"`);
      return [];
    });
  }
  return { items };
}

/**
 * The results of a step among these items: a search restricted to them where it is a search, else a comparison of
 * lists.
 */
async function among(name: string, items: readonly Item[], run: Run): Promise<readonly Item[]> {
  const compiled = await compile(name, run);
  if (compiled.items || compiled.spread !== undefined) return (await run.input(name)).items;
  const ids = items.map(({ id }) => id);
  const known = compiled.request.where?.ids;
  const where = { ...compiled.request.where, ids: known ? ids.filter((id) => known.includes(id)) : ids };
  const request = { ...compiled.request, where, limit: Math.max(1, ids.length) };
  return searchCompiled({ ...compiled, request }, run.step(name), run);
}

/** All of them together, each once, with its best score. */
export async function or(step: StepOf<"or">, run: Run): Promise<StepResult> {
  const lists = await inputs(step.of, run);
  const found = new Map<string, Item>();
  for (const { items } of lists)
    for (const item of items) {
      const known = found.get(item.id);
      found.set(item.id, known ? merged(known, item, Math.max(known.score, item.score)) : item);
    }
  return { items: [...found.values()].sort(byScore), weak: lists.every(({ weak }) => weak === true) };
}

export async function minus(step: StepOf<"minus">, run: Run): Promise<StepResult> {
  const { items, weak } = await run.input(step.from);
  const without = new Set((await run.input(step.without)).items.map(({ id }) => id));
  const kept = items.filter(({ id }) => {
    if (without.has(id)) run.reject(id, `in "${step.without}"`);
    return !without.has(id);
  });
  return { items: kept, ...(weak ? { weak } : {}) };
}

export async function rrf(step: StepOf<"rrf">, run: Run): Promise<StepResult> {
  return fused(step.of, run, (lists) =>
    reciprocalRank(lists, { constant: step.constant, ...(step.weights ? { weights: step.weights } : {}) }),
  );
}

/**
 * Sum of scores on one scale. A list from a search is completed first: each record that another list found is scored by
 * this search too, so that truncation does not lower its rank.
 */
export async function weighted(step: StepOf<"weighted">, run: Run): Promise<StepResult> {
  return fused(step.of, run, (lists) => weightedSum(lists, step.weights, step.normalise), true);
}

async function fused(
  names: readonly string[],
  run: Run,
  fuse: (lists: readonly ScoredList[]) => { id: string; score: number }[],
  complete = false,
): Promise<StepResult> {
  const results = await inputs(names, run);
  const all = new Map<string, Item>();
  const collect = (items: readonly Item[]) => {
    for (const item of items) {
      const known = all.get(item.id);
      all.set(item.id, known ? merged(known, item, known.score) : item);
    }
  };
  for (const { items } of results) collect(items);
  const lists: (readonly Item[])[] = [];
  for (const [i, { items }] of results.entries()) {
    const found = new Set(items.map(({ id }) => id));
    const missing = complete ? [...all.values()].filter(({ id }) => !found.has(id)) : [];
    const added = missing.length > 0 ? await unboundedAmong(names[i]!, missing, run) : [];
    collect(added);
    lists.push([...items, ...added]);
  }
  const items = fuse(lists).map(({ id, score }) => ({ ...all.get(id)!, score }));
  return { items, weak: results.every(({ weak }) => weak === true) };
}

/** Scores of a search for records that it cut off: the same search over just these, without its threshold. */
async function unboundedAmong(name: string, items: readonly Item[], run: Run): Promise<readonly Item[]> {
  const compiled = await compile(name, run);
  const { meaning } = compiled.request;
  if (compiled.items || compiled.nothing !== undefined) return [];
  if (meaning === undefined && compiled.sayings === undefined) return [];
  const { minCosine: _, ...key } = meaning ?? {};
  const where = { ...compiled.request.where, ids: items.map(({ id }) => id) };
  const request = { ...compiled.request, ...(meaning ? { meaning: key } : {}), where, limit: items.length };
  const found = await searchCompiled({ ...compiled, request }, run.step(name), run);
  if (meaning?.vector || meaning?.image) return found;
  // By words, a record that the completed search does not find scores zero.
  const known = new Set(found.map(({ id }) => id));
  return [...found, ...items.filter(({ id }) => !known.has(id)).map((item) => ({ ...item, score: 0 }))];
}

/** Relevance against likeness; likeness by shared words, by shared things, or by the texts' vectors. */
export async function mmr(step: StepOf<"mmr">, run: Run): Promise<StepResult> {
  const { items: given, weak } = await run.input(step.from);
  const items = await run.read(given);
  const likeness = await likenessOf(items, step.by, run);
  const taken = maximalMarginalRelevance(
    items.map(({ score }) => score),
    likeness,
    { lambda: step.lambda, k: step.k },
  );
  const chosen = new Set(taken);
  items.forEach(({ id }, i) => {
    if (!chosen.has(i)) run.reject(id, "too like what was taken, or too little relevant");
  });
  return { items: taken.map((i) => items[i]!), ...(weak ? { weak } : {}) };
}

async function likenessOf(
  items: readonly ReadItem[],
  by: StepOf<"mmr">["by"],
  run: Run,
): Promise<(a: number, b: number) => number> {
  if (by === "vectors") {
    const vectors: (Float32Array | null)[] = [];
    for (const {
      hit: { record },
    } of items)
      vectors.push(record.text.length > 0 ? await run.vector(textOf(record).slice(0, 2_000)) : null);
    return (a, b) => Math.max(0, dot(vectors[a], vectors[b]));
  }
  const sets = items.map(
    ({ hit: { record } }) => new Set(by === "states" ? statesOf(record) : wordsOf(textOf(record))),
  );
  return (a, b) => jaccard(sets[a]!, sets[b]!);
}

function dot(a: Float32Array | null | undefined, b: Float32Array | null | undefined): number {
  if (!a || !b) return 0;
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function merged(known: Item, other: Item, score: number): Item {
  return {
    ...other,
    ...known,
    score,
    scores: { ...other.scores, ...known.scores },
    why: [...new Set([...known.why, ...other.why])],
  };
}

async function inputs(names: readonly string[], run: Run): Promise<StepResult[]> {
  const results: StepResult[] = [];
  for (const name of names) results.push(await run.input(name));
  return results;
}
