import type { Vec3 } from "../../geometry/index.ts";
import { LIMITS } from "../../schema/core.ts";
import type { Item } from "../evidence.ts";
import { descend as descendForest } from "../forest/descend.ts";
import { chainOf, type SearchForest } from "../forest/search-forest.ts";
import { embeddingScorer, type NodeMeaning, selectorScorer } from "../forest/selector.ts";
import type { StepOf } from "../plan/steps.ts";
import { byScore } from "./compiled.ts";
import { resolvePlace } from "./references.ts";
import type { Run, StepResult } from "./run.ts";

const LEAF_HITS = 32;
/** A caption farther than this from every place belongs to none. */
const PLACE_M = 25;

/** k leaves of the forest, each with its chain of regions (docs/formulas.md#forest). */
export async function descend(step: StepOf<"descend">, run: Run): Promise<StepResult> {
  const { forest, selector, signal } = run.context;
  if (forest === undefined) {
    run.note("this memory has no forest");
    return { items: [], weak: true };
  }
  const [near] = step.near === undefined ? [] : await resolvePlace(step.near, step, run);
  const scorer = embeddingScorer({
    forest,
    meaning: nodeMeaning(step.text, forest, run),
    leafHits: await leafHits(step.text, forest, run),
    tags: step.tags,
    leafShare: step.leafShare,
    ...(near ? { near: near.point } : {}),
  });
  const chosen = selector ? selectorScorer(step.text, selector, forest, scorer) : scorer;
  const { leaves, opened, scored } = await descendForest(forest, chosen, {
    k: step.k,
    mode: step.mode,
    temperature: step.temperature,
    ...(signal ? { signal } : {}),
  });
  run.note(`${opened} nodes opened, ${scored} scored`);
  const items = leaves.map(({ id, logScore, chain }) => ({
    id,
    score: Math.exp(logScore),
    scores: {},
    why: [step.as],
    chain: chain.slice(1),
  }));
  return { items };
}

/** z of a node's text: by the vectors in the memory, or by encoding the text where the memory has none. */
function nodeMeaning(text: string, forest: SearchForest, run: Run): NodeMeaning {
  return async (ids) => {
    const vector = await run.vector(text);
    if (vector === null) return ids.map(() => undefined);
    const hits = await run.searchIds({
      where: { ids },
      meaning: { vector },
      rank: "meaning",
      limit: Math.max(1, ids.length),
    });
    const cosines = new Map(hits.map(({ id, score }) => [id, score]));
    const out: (number | undefined)[] = [];
    for (const id of ids)
      out.push(await run.zOf(cosines.get(id) ?? (await encoded(vector, forest.text(id), run))));
    return out;
  };
}

async function encoded(query: Float32Array, lines: readonly string[], run: Run): Promise<number | undefined> {
  let best: number | undefined;
  for (const line of lines) {
    const vector = line === "" ? null : await run.vector(line.slice(0, LIMITS.lineChars));
    if (vector === null) continue;
    let cosine = 0;
    for (let i = 0; i < vector.length; i++) cosine += vector[i]! * query[i]!;
    best = Math.max(best ?? -1, cosine);
  }
  return best;
}

/**
 * The best places and captions by a flat search: a bound on the leaves below each node
 * (docs/formulas.md#forest-scores). A caption outside the forest counts for the place nearest to its position.
 */
async function leafHits(text: string, forest: SearchForest, run: Run): Promise<{ id: string; z: number }[]> {
  const vector = await run.vector(text);
  if (vector === null) return [];
  const hits = await run.search({
    kinds: ["place", "caption"],
    meaning: { vector },
    rank: "meaning",
    limit: LEAF_HITS,
  });
  const found: { id: string; z: number }[] = [];
  for (const { record, score, position } of hits) {
    const known = forest.leafOf?.(record.id) ?? (forest.leafCount(record.id) === 1 ? record.id : undefined);
    const leaf = known ?? (position && (await nearestPlace(position, run)));
    const z = await run.zOf(score);
    if (leaf !== undefined && z !== undefined && forest.leafCount(leaf) > 0) found.push({ id: leaf, z });
  }
  return found;
}

async function nearestPlace(point: Vec3, run: Run): Promise<string | undefined> {
  const space = { type: "nearest", point, maxM: PLACE_M } as const;
  const [nearest] = await run.searchIds({ kinds: ["place"], space, rank: "distance", limit: 1 });
  return nearest?.id;
}

/** The leaves with their ancestors, each ancestor once: children right below their parents (docs/formulas.md#forest). */
export async function chains(step: StepOf<"chains">, run: Run): Promise<StepResult> {
  const { items, weak } = await run.input(step.from);
  const { forest } = run.context;
  if (forest === undefined) return { items, ...(weak ? { weak } : {}) };
  const leaves = new Map(items.map((item) => [item.id, item]));
  const above = [...new Set(items.flatMap(({ id }) => chainOf(forest, id).slice(1)))];
  const scoreOf = (id: string) =>
    Math.max(...items.filter((item) => chainOf(forest, item.id).includes(id)).map(({ score }) => score));
  const regions = new Map(
    above.map((id) => [id, { id, score: scoreOf(id), scores: {}, why: [step.as] }] as const),
  );
  const wanted = new Map<string, Item>([...regions, ...leaves]);
  const tree: Item[] = [];
  const placed = new Set<string>();
  const visit = (id: string) => {
    const item = wanted.get(id);
    if (placed.has(id)) return;
    placed.add(id);
    if (item) tree.push(item);
    const below = forest.children(id).flatMap((child) => wanted.get(child) ?? []);
    for (const child of below.sort(byScore)) visit(child.id);
  };
  for (const item of [...items].sort(byScore)) visit(chainOf(forest, item.id).at(-1)!);
  // An ancestor that the memory does not hold must not hide the leaves below it.
  for (const item of items) visit(item.id);
  return { items: tree, ...(weak ? { weak } : {}) };
}

/** Regions from a level upwards, by meaning where a text is given, else the largest first. */
export async function summary(step: StepOf<"summary">, run: Run): Promise<StepResult> {
  const hits = await run.search({ kinds: ["region"], rank: "id", limit: LIMITS.hitsPerSearch });
  const high = hits.filter(
    ({ record }) => record.kind === "region" && record.type !== "map" && record.level >= step.minLevel,
  );
  const ids = high.map(({ record }) => record.id);
  const vector = step.text === undefined ? null : await run.vector(step.text);
  if (vector === null) {
    const leavesOf = new Map(
      high.map(({ record }) => [record.id, record.kind === "region" ? record.leaves : 0]),
    );
    const largest = [...ids]
      .sort((a, b) => leavesOf.get(b)! - leavesOf.get(a)! || (a < b ? -1 : 1))
      .slice(0, step.k);
    return { items: largest.map((id) => ({ id, score: leavesOf.get(id)!, scores: {}, why: [step.as] })) };
  }
  const best = await run.searchIds({ where: { ids }, meaning: { vector }, rank: "meaning", limit: step.k });
  return { items: best.map(({ id, score, scores }) => ({ id, score, scores, why: [step.as] })) };
}
