import { type Interval, mergeIntervals } from "../../geometry/index.ts";
import { wordsOf } from "../../memory/lexical.ts";
import { isKindOf } from "../../ontology/index.ts";
import { type BottleneckOptions, bottleneck } from "../bottleneck/bottleneck.ts";
import { neighbourEdges } from "../bottleneck/neighbours.ts";
import { type EvidenceCluster, type Item, type ReadItem, statesOf, textOf } from "../evidence.ts";
import type { StepOf } from "../plan/steps.ts";
import { greedyCover } from "../ranking/cover.ts";
import { jaccard, maximalMarginalRelevance } from "../ranking/diversify.ts";
import { byScore } from "./compiled.ts";
import type { Run, StepResult } from "./run.ts";

/** Touch everything, so they would join everything. */
const STRUCTURAL = ["floor", "wall", "ceiling", "rug"];
const SOFT_TEMPERATURE = { least: 0.01, most: 0.1, unknown: 0.03 } as const;
const RAW_ALPHA = 0.23;
const MAX_SIGHTINGS = 2_000;
const MAX_ALSO_SEEN = 6;
const SIGHTING_GAP_US = 2e6;

/** Groups things that are next to each other and alike in what the cues ask for; drops what they do not ask for. */
export async function ib(step: StepOf<"ib">, run: Run): Promise<StepResult> {
  const { items } = await run.input(step.from);
  const ids = items.map(({ id }) => id).sort();
  if (ids.length === 0) {
    run.note("there are no things to group");
    return { items: [], clusters: [], weak: true };
  }
  const columns = await cueColumns(ids, step, run);
  if (columns.length === 0) {
    run.note("no cue has a meaning to compare with");
    return { items, clusters: [], weak: true };
  }
  const options = await bottleneckOptions(step, run);
  const states = await mostRelevant(items, columns, step, leastScore(step, options), run);
  const scores = scoresOf(states, columns);
  const edges = neighbourEdges(
    states.map(({ hit: { box, position, record } }) => ({
      box: box ?? { min: position ?? FAR, max: position ?? FAR },
      presence: { fromUs: record.validFromUs, toUs: record.validToUs },
      structural: position === undefined || (record.kind === "state" && isStructural(record.category)),
    })),
    step.neighbours,
  );
  const result = bottleneck({ scores: scores.values, cues: scores.cues, edges }, options);
  run.note(
    `${states.length} things, ${edges.length / 2} edges, ${result.merges.length} merges, ${result.clusters.length} clusters, I₀ ${result.information.toFixed(3)} bits`,
  );
  const clusters: EvidenceCluster[] = [];
  for (const { members, relevance, score, isNull } of result.clusters) {
    if (isNull) for (const i of members) run.reject(states[i]!.id, "nothing that was asked for");
    else clusters.push({ states: members.map((i) => states[i]!.id), score, relevance: 1 - relevance[0]! });
  }
  clusters.sort((a, b) => b.score - a.score || (a.states[0]! < b.states[0]! ? -1 : 1));
  const byId = new Map(states.map((state, i) => [state.id, { state, best: bestOf(scores, i) }]));
  const kept = clusters.flatMap((cluster) =>
    cluster.states
      .map((id) => byId.get(id)!)
      .map(({ state, best }) => ({
        ...state,
        score: best,
        scores: { ...state.scores, meaning: best },
        why: [...state.why, step.as],
      })),
  );
  return { items: kept.sort(byScore), clusters, weak: clusters.length === 0 };
}

const FAR = { x: 0, y: 0, z: 0 };

interface CueScores {
  readonly values: Float64Array;
  readonly cues: number;
}

/**
 * Exact cosines with each cue that has a meaning, by the engine and without reading a record; of each cue only the
 * best, since what no cue likes is not going to take part.
 */
async function cueColumns(
  ids: readonly string[],
  { cues, most }: StepOf<"ib">,
  run: Run,
): Promise<ReadonlyMap<string, number>[]> {
  const columns: ReadonlyMap<string, number>[] = [];
  for (const cue of cues) {
    const vector = await run.vector(cue);
    if (vector === null) continue;
    const hits = await run.searchIds({
      kinds: ["state"],
      where: { ids },
      meaning: { vector },
      rank: "meaning",
      limit: Math.min(ids.length, most),
    });
    columns.push(new Map(hits.map(({ id, score }) => [id, score])));
  }
  return columns;
}

/** A score this many temperatures below α counts as null: against one such cue the null has 1 / (1 + e⁻¹) = 73 %. */
const NULL_TEMPERATURES = 1;

/**
 * The least cue score of a thing that is not null. With Clio's distribution α itself is the bar, but paper mode reads
 * all.
 */
function leastScore(step: StepOf<"ib">, { alpha, temperature = 0 }: BottleneckOptions): number {
  return step.nullMode === "clio" ? Number.NEGATIVE_INFINITY : alpha - NULL_TEMPERATURES * temperature;
}

/**
 * The things with the best cue scores, read. The others would end in null clusters, which are dropped, and the
 * scale-free threshold does not depend on their number: reading them would only cost time.
 */
async function mostRelevant(
  items: readonly Item[],
  columns: readonly ReadonlyMap<string, number>[],
  step: StepOf<"ib">,
  least: number,
  run: Run,
): Promise<ReadItem[]> {
  const best = (id: string) => Math.max(...columns.map((column) => column.get(id) ?? 0));
  const ranked = items
    .map((item) => ({ item, score: best(item.id) }))
    .sort((a, b) => b.score - a.score || (a.item.id < b.item.id ? -1 : 1));
  const taken = ranked.slice(0, step.most).filter(({ score }) => score >= least);
  for (const { item } of ranked.slice(taken.length)) run.reject(item.id, "nothing that was asked for");
  const read = await run.read(taken.map(({ item }) => item));
  return read.filter(({ hit }) => hit.record.kind === "state").sort((a, b) => (a.id < b.id ? -1 : 1));
}

function scoresOf(states: readonly Item[], columns: readonly ReadonlyMap<string, number>[]): CueScores {
  const values = new Float64Array(states.length * columns.length);
  states.forEach(({ id }, i) => {
    columns.forEach((column, j) => {
      values[i * columns.length + j] = column.get(id) ?? 0;
    });
  });
  return { values, cues: columns.length };
}

function bestOf({ values, cues }: CueScores, i: number): number {
  return Math.max(...values.subarray(i * cues, (i + 1) * cues));
}

async function bottleneckOptions(step: StepOf<"ib">, run: Run): Promise<BottleneckOptions> {
  const background = await run.background();
  const { least, most, unknown } = SOFT_TEMPERATURE;
  return {
    alpha: step.alpha ?? (await run.cosineOfZ(step.alphaZ)) ?? RAW_ALPHA,
    nullMode: step.nullMode,
    temperature: background ? Math.min(most, Math.max(least, background.sd)) : unknown,
    topK: step.topK,
    cumulative: step.cumulative,
    ...(step.deltaN === undefined ? {} : { deltaN: step.deltaN }),
    ...(step.delta === undefined ? {} : { delta: step.delta }),
  };
}

/**
 * The captions that cover most of the clusters in fewest words (docs/formulas.md#cover), each with the other times at
 * which its things were seen (docs/formulas.md#cover). Without a cluster: the best captions that differ from each
 * other, marked weak (docs/formulas.md#bottleneck).
 */
export async function cover(step: StepOf<"cover">, run: Run): Promise<StepResult> {
  const items = await run.read((await run.input(step.from)).items);
  const { clusters = [], weak } = await run.input(step.clusters);
  const clusterOf = new Map(clusters.flatMap(({ states }, c) => states.map((id) => [id, c] as const)));
  const speaking = items.map((item) => [
    ...new Set(statesOf(item.hit.record).flatMap((id) => clusterOf.get(id) ?? [])),
  ]);
  if (clusters.length === 0 || speaking.every((list) => list.length === 0)) {
    run.note("no cluster to cover: the best that differ");
    return { items: different(items, step.k).map((i) => items[i]!), clusters, weak: true };
  }
  const chosen = step.representatives
    ? representatives(items, speaking, step.k)
    : greedyCover(
        items.map((item, i) => ({
          clusters: speaking[i]!,
          fit: fitOf(items, item),
          timeUs: item.hit.record.validFromUs,
        })),
        clusters.map(({ relevance }) => relevance),
        {
          k: step.k,
          ...(step.temporal ? { extraPerCluster: 2 } : {}),
          ...(step.prefer === "best" ? {} : { prefer: step.prefer }),
        },
      ).map(({ index }) => index);
  const filled = await fill(items, chosen, step, run);
  const seen = await sightingsOf(
    clusters,
    filled.flatMap((i) => speaking[i]!),
    run,
  );
  const covered = filled.map((i) => {
    const also = mergeIntervals(
      speaking[i]!.flatMap((c) => seen.get(c) ?? []),
      SIGHTING_GAP_US,
    )
      .reverse()
      .slice(0, MAX_ALSO_SEEN);
    return { ...items[i]!, why: [...items[i]!.why, step.as], ...(also.length > 0 ? { alsoSeen: also } : {}) };
  });
  const kept = new Set(filled);
  items.forEach(({ id }, i) => {
    if (!kept.has(i))
      run.reject(id, speaking[i]!.length === 0 ? "names nothing that was asked for" : "tells nothing new");
  });
  return { items: covered, clusters, ...(weak ? { weak } : {}) };
}

/** Remaining places go to captions above the background (docs/formulas.md#cover) that differ from those taken. */
async function fill(
  items: readonly ReadItem[],
  chosen: readonly number[],
  step: StepOf<"cover">,
  run: Run,
): Promise<number[]> {
  const room = step.k - chosen.length;
  if (room <= 0) return [...chosen];
  const least = (await run.cosineOfZ(step.fillZ)) ?? -1;
  const taken = new Set(chosen);
  const able = [...items.keys()].filter((i) => taken.has(i) || (items[i]!.scores.meaning ?? -1) >= least);
  const added = different(
    able.map((i) => items[i]!),
    room,
    able.flatMap((i, at) => (taken.has(i) ? [at] : [])),
  );
  return [...chosen, ...added.map((at) => able[at]!)];
}

/**
 * The paper's method (eqs. 8–10): for each cluster the caption ĉ most like the question, then the k of those with the
 * best φ(ĉ, Q).
 */
function representatives(
  items: readonly Item[],
  speaking: readonly (readonly number[])[],
  k: number,
): number[] {
  const best = new Map<number, number>();
  items.forEach((item, i) => {
    for (const c of speaking[i]!) {
      const known = best.get(c);
      if (known === undefined || items[known]!.score < item.score) best.set(c, i);
    }
  });
  const ranked = [...new Set(best.values())].sort((a, b) => items[b]!.score - items[a]!.score || a - b);
  return ranked.slice(0, k);
}

const DIFFERENT = 0.7;

/** The indices of k items that are relevant and unlike each other and those taken. */
function different(items: readonly ReadItem[], k: number, taken: readonly number[] = []): number[] {
  const sets = items.map(({ hit: { record } }) => new Set(wordsOf(textOf(record))));
  const scores = items.map(({ score }) => score);
  return maximalMarginalRelevance(scores, (a, b) => jaccard(sets[a]!, sets[b]!), {
    lambda: DIFFERENT,
    k,
    taken,
  });
}

function fitOf(items: readonly Item[], { score }: Item): number {
  let [low, high] = [Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY];
  for (const item of items) {
    low = Math.min(low, item.score);
    high = Math.max(high, item.score);
  }
  return high > low ? (score - low) / (high - low) : 1;
}

async function sightingsOf(
  clusters: readonly EvidenceCluster[],
  wanted: readonly number[],
  run: Run,
): Promise<Map<number, Interval[]>> {
  const clusterOf = new Map(
    [...new Set(wanted)].flatMap((c) => clusters[c]!.states.map((id) => [id, c] as const)),
  );
  const found = new Map<number, Interval[]>();
  if (clusterOf.size === 0) return found;
  const sightings = await run.context.reader.sightings({
    stateIds: [...clusterOf.keys()].slice(0, 1_000),
    outcomes: ["seen"],
    order: "latest",
    limit: MAX_SIGHTINGS,
  });
  for (const { stateId, timeUs } of sightings) {
    const c = clusterOf.get(stateId)!;
    const list = found.get(c);
    if (list) list.push({ fromUs: timeUs, toUs: timeUs + 1 });
    else found.set(c, [{ fromUs: timeUs, toUs: timeUs + 1 }]);
  }
  return found;
}

function isStructural(category: string): boolean {
  return STRUCTURAL.some((kind) => isKindOf(category, kind));
}
