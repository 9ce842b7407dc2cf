import { type Cone, coneScore } from "../../geometry/index.ts";
import type { Hit, IdHit, KeyScores, MemoryReader, SearchRequest, SpaceKey } from "../../memory/index.ts";
import { LIMITS, LociError } from "../../schema/core.ts";
import type { Item } from "../evidence.ts";
import type { Step } from "../plan/steps.ts";
import type { Run } from "./run.ts";

/**
 * A source with every constraint above it as one search. Several candidate places give several alternatives, each a
 * list of shapes that must all hold. A chain that ends in another step filters that step's items, by their ids and in
 * the same engine.
 */
export interface Compiled {
  readonly reader: MemoryReader;
  readonly request: SearchRequest & { readonly limit: number };
  readonly alternatives: readonly (readonly SpaceKey[])[];
  /** The items to filter, where the chain ends in a list and not in a source. */
  readonly items?: readonly Item[];
  /** Directions are ranked by the cone unless meaning ranks. */
  readonly cone?: Cone;
  /** Alternative phrasings of the request, searched by words one by one. */
  readonly sayings?: readonly Saying[];
  /** How many of the passing records to return, spread evenly over time. */
  readonly spread?: number;
  /** Why nothing can pass: a reference found nothing, or two times exclude each other. */
  readonly nothing?: string;
}

/** One way of saying one concept. */
export interface Saying {
  readonly words: string;
  readonly concept: number;
  /** Whether it is the question's own word and not a substitute. */
  readonly own: boolean;
  readonly weight: number;
}

/** The search below restricted to any of these shapes; empty if there are none, because a place is unknown. */
export function inShapes(below: Compiled, shapes: readonly SpaceKey[]): Compiled {
  if (shapes.length === 0) return { ...below, nothing: "its place is not known" };
  const alternatives = below.alternatives.flatMap((both) => shapes.map((shape) => [...both, shape]));
  return { ...below, alternatives };
}

/** Runs what was compiled; never more than one record twice, best first. */
export async function searchCompiled(compiled: Compiled, step: Step, run: Run): Promise<Item[]> {
  if (compiled.nothing !== undefined) {
    run.note(compiled.nothing);
    return [];
  }
  if (compiled.spread !== undefined) return searchSpread(compiled, compiled.spread, step, run);
  if (compiled.sayings !== undefined) return searchSayings(compiled, compiled.sayings, step, run);
  const found = new Map<string, Item>();
  for (const shapes of compiled.alternatives) {
    for (const evidence of await searchOne(compiled, shapes, step, run)) {
      const known = found.get(evidence.id);
      if (known === undefined || evidence.score > known.score) found.set(evidence.id, evidence);
    }
  }
  const items = compiled.items ? keptItems(compiled.items, found, step, run) : [...found.values()];
  if (compiled.alternatives.length > 1 && !compiled.items) items.sort(byScore);
  return items.slice(0, compiled.request.limit);
}

async function searchOne(
  compiled: Compiled,
  shapes: readonly SpaceKey[],
  step: Step,
  run: Run,
): Promise<Item[]> {
  const request = await fullRequest(compiled, shapes, step, run);
  // The past is read at once, by its own reader; directions need the place to be scored by.
  if (compiled.reader !== run.context.reader || compiled.cone !== undefined) {
    const hits = await run.search(request, compiled.reader);
    return hits.map((hit, i) => ({
      ...leadOf(hit.record.id, hit, i, hits.length, step, request),
      ...coneScored(hit, request, compiled.cone),
      hit,
    }));
  }
  const hits = await run.searchIds(request);
  return hits.map((hit, i) => leadOf(hit.id, hit, i, hits.length, step, request));
}

/** From this many records on, a word needs no substitutes. */
const COMMON = 100;

/**
 * Each saying searched on its own; a record's score is the sum over concepts of the best of a concept's sayings. Common
 * words are then searched together, since the best of each alone mean little: of ten thousand red things and a thousand
 * heaters, the red heaters are wanted. A truncated list is completed with the records that the others found, so that
 * the scores are exact.
 */
async function searchSayings(
  compiled: Compiled,
  sayings: readonly Saying[],
  step: Step,
  run: Run,
): Promise<Item[]> {
  const { limit, kinds } = compiled.request;
  const most = Math.max(COMMON, limit);
  const requests: SearchRequest[] = [];
  for (const shapes of compiled.alternatives) requests.push(await fullRequest(compiled, shapes, step, run));
  const search = async (words: string) => {
    const list = new Map<string, number>();
    for (const request of requests)
      for (const { id, score } of await run.searchIds(
        { ...request, meaning: { words }, rank: "words", limit: most },
        compiled.reader,
      ))
        list.set(id, score);
    return list;
  };
  const lists = new Map<Saying, Map<string, number>>();
  const common = run.commonConcepts(step.as);
  const cut: Saying[] = [];
  for (const saying of sayings) {
    if (!saying.own && common.has(saying.concept)) continue;
    const list = await search(saying.words);
    lists.set(saying, list);
    if (list.size < most) continue;
    cut.push(saying);
    if (saying.own) common.add(saying.concept);
  }
  const together = cut.filter(({ own }) => own);
  const joined: Saying = {
    words: together.map(({ words }) => words).join(" "),
    concept: -1,
    own: true,
    weight: 1,
  };
  if (together.length > 1) {
    for (const saying of together) lists.delete(saying);
    lists.set(joined, await search(joined.words));
  }
  const found = new Set([...lists.values()].flatMap((list) => [...list.keys()]));
  for (const saying of together.length > 1 ? [joined, ...cut.filter(({ own }) => !own)] : cut) {
    const list = lists.get(saying)!;
    const ids = [...found].filter((id) => !list.has(id));
    // The weight of a word depends on the requested kinds, so the rest is searched with the same kinds.
    const rest = { ...(kinds ? { kinds } : {}), where: { ids }, limit: Math.max(1, ids.length) };
    const meaning = { words: saying.words };
    for (const { id, score } of await run.searchIds({ ...rest, meaning, rank: "words" }, compiled.reader))
      list.set(id, score);
  }
  return summed(lists, found, step).slice(0, limit);
}

function summed(
  lists: ReadonlyMap<Saying, ReadonlyMap<string, number>>,
  found: ReadonlySet<string>,
  step: Step,
): Item[] {
  const concepts = [...Map.groupBy(lists.keys(), ({ concept }) => concept).values()];
  const items = [...found].map((id): Item => {
    let score = 0;
    for (const members of concepts)
      score += Math.max(...members.map((saying) => saying.weight * (lists.get(saying)!.get(id) ?? 0)));
    return { id, score, scores: { words: score }, why: [step.as] };
  });
  return items.sort(byScore);
}

/** Sampled by time among all that passes, evenly by number; beyond the limit of one search, evenly by time. */
async function searchSpread(compiled: Compiled, k: number, step: Step, run: Run): Promise<Item[]> {
  const ids = new Map<string, number>();
  for (const shapes of compiled.alternatives) {
    const request = await fullRequest(compiled, shapes, step, run);
    const hits = await run.searchIds(request, compiled.reader);
    const spread = hits.length < request.limit! ? hits : await atEvenTimes(request, k, compiled.reader, run);
    for (const { id, score } of spread) ids.set(id, score);
  }
  const ordered = [...ids].sort((a, b) => a[1] - b[1] || (a[0] < b[0] ? -1 : 1)).map(([id]) => id);
  const count = Math.min(k, ordered.length);
  const chosen = Array.from(
    { length: count },
    (_, i) => ordered[Math.floor(((i + 0.5) * ordered.length) / count)]!,
  );
  return chosen.map((id) => ({ id, score: 1, scores: {}, why: [step.as] }));
}

async function atEvenTimes(
  request: SearchRequest,
  k: number,
  reader: MemoryReader,
  run: Run,
): Promise<IdHit[]> {
  const [first] = await run.searchIds({ ...request, rank: "earliest", limit: 1 }, reader);
  const [last] = await run.searchIds({ ...request, rank: "latest", limit: 1 }, reader);
  if (first === undefined || last === undefined) return [];
  const found: IdHit[] = [];
  for (let i = 0; i < k; i++) {
    const after = Math.max(
      request.time?.after ?? Number.NEGATIVE_INFINITY,
      first.score + Math.floor(((i + 0.5) * (last.score - first.score)) / k),
    );
    const time = { ...request.time, after };
    found.push(...(await run.searchIds({ ...request, time, rank: "earliest", limit: 1 }, reader)));
  }
  return found;
}

async function fullRequest(
  { reader, request }: Compiled,
  shapes: readonly SpaceKey[],
  step: Step,
  run: Run,
): Promise<SearchRequest> {
  let where = request.where;
  // The engine takes one shape at a time: all but the last narrow the ids first.
  for (const space of shapes.slice(0, -1)) {
    const { kinds, time } = request;
    const inside = await run.searchIds(
      {
        ...(kinds ? { kinds } : {}),
        ...(time ? { time } : {}),
        ...(where ? { where } : {}),
        space,
        rank: "id",
        limit: LIMITS.hitsPerSearch,
      },
      reader,
    );
    if (inside.length === LIMITS.hitsPerSearch)
      throw new LociError(
        "limit-exceeded",
        `step "${step.as}": over ${LIMITS.hitsPerSearch} records lie in one of several places; make it smaller`,
      );
    where = { ...where, ids: inside.map(({ id }) => id) };
  }
  const space = shapes.at(-1);
  return { ...request, ...(where ? { where } : {}), ...(space ? { space } : {}) };
}

/** Every order as a score that is higher for better. */
function leadOf(
  id: string,
  { score, scores }: { readonly score: number; readonly scores: KeyScores },
  place: number,
  count: number,
  step: Step,
  { rank, meaning }: SearchRequest,
): Item {
  const why = [step.as];
  const byMeaning = rank === "meaning" || rank === "words" || rank === "image";
  if (byMeaning || (rank === undefined && meaning !== undefined)) return { id, score, scores, why };
  const { distanceM } = scores;
  return {
    id,
    score: distanceM === undefined ? 1 - place / Math.max(1, count) : 1 / (1 + distanceM),
    scores,
    why,
  };
}

function coneScored(hit: Hit, { rank }: SearchRequest, cone: Cone | undefined): { score?: number } {
  const ranked = rank === "meaning" || rank === "words" || rank === "image";
  return cone && hit.position && !ranked ? { score: coneScore(cone, hit.position, cone.rangeM / 2) } : {};
}

/** Items of a list that passed, in the list's own order and with its own scores. */
function keptItems(items: readonly Item[], passed: ReadonlyMap<string, Item>, step: Step, run: Run): Item[] {
  return items.flatMap((item) => {
    const hit = passed.get(item.id);
    if (hit === undefined) {
      run.reject(item.id, `not ${step.op}`);
      return [];
    }
    return [{ ...item, scores: { ...item.scores, ...hit.scores }, why: [...item.why, step.as] }];
  });
}

export function byScore(a: Item, b: Item): number {
  return b.score - a.score || (a.id < b.id ? -1 : a.id > b.id ? 1 : 0);
}
