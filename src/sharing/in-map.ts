import {
  apply,
  boxFromCentre,
  FrameGraph,
  IDENTITY,
  type Transform,
  transformBox,
} from "../geometry/index.ts";
import {
  eachHit,
  type Hit,
  type MemoryReader,
  type SearchRequest,
  type SearchResult,
} from "../memory/index.ts";
import { DEFAULT_LIMIT } from "../memory/request.ts";
import { type SpaceTest, spaceTest } from "../memory/space-test.ts";
import { LIMITS, type LociRecord, WORLD_FRAME } from "../schema/core.ts";
import type { KnownMap } from "./maps.ts";

/** By which factor the number of hits grows when too many of them were of other maps. */
const WIDER = 4;

/**
 * A memory of several maps restricted to one of them: the other maps are absent, and the world is the map itself. So
 * counts, rooms and routes never mix maps whose relative pose is unknown. Exact, and as fast as the memory while the
 * map is the world; in another map places are tested one by one, since the memory's index knows world positions only.
 */
export async function readerInMap(
  reader: MemoryReader,
  maps: readonly KnownMap[],
  root: string,
): Promise<MemoryReader> {
  const graph = await reader.frames();
  const others = new Set(maps.filter((map) => map.root !== root).map((map) => map.root));
  const here = new Set(maps.filter((map) => map.root === root).flatMap(({ agents }) => agents));
  const elsewhere = new Set(
    maps.filter((map) => map.root !== root).flatMap(({ agents }) => agents.filter((id) => !here.has(id))),
  );
  const isHere = ({ anchor, author }: LociRecord) =>
    anchor === undefined ? !elsewhere.has(author) : !others.has(graph.topOf(anchor.submap));
  const isWorld = root === WORLD_FRAME;
  const frames = isWorld ? graph : asWorld(graph, root);
  const placed = (hit: Hit): Hit => (isWorld ? hit : placedIn(hit, frames));

  /** Beyond the limit of one search: full scans read in order of time. */
  const paged = async (request: SearchRequest, limit: number, accepted: (hits: readonly Hit[]) => Hit[]) => {
    const found: Hit[] = [];
    for (const kind of request.kinds ?? [])
      for await (const hit of eachHit(reader, kind, request)) {
        found.push(...accepted([hit]));
        if (found.length >= limit) break;
      }
    return found;
  };

  const search: MemoryReader["search"] = async (request, options) => {
    // Only records in the world have a position there.
    if (isWorld && request.space !== undefined) return reader.search(request, options);
    const limit = request.limit ?? DEFAULT_LIMIT;
    const test = request.space && spaceTest(request.space, frames, undefined);
    const byDistance = test?.from != null && (request.rank ?? "distance") === "distance";
    const accepted = (hits: readonly Hit[]) => {
      const kept = hits.filter(({ record }) => isHere(record)).map(placed);
      return test ? within(kept, test, byDistance) : kept;
    };
    const { space: _, ...plain } = request;
    const asked: SearchRequest = test
      ? { ...plain, ...(byDistance && { rank: "latest" as const }) }
      : request;
    for (let most = Math.min(LIMITS.hitsPerSearch, byDistance ? LIMITS.hitsPerSearch : WIDER * limit); ; ) {
      const { hits, plan }: SearchResult = await reader.search({ ...asked, limit: most }, options);
      const inside = accepted(hits);
      if (inside.length >= limit || hits.length < most) return { hits: inside.slice(0, limit), plan };
      if (most === LIMITS.hitsPerSearch)
        return { hits: asked.rank === "earliest" ? await paged(asked, limit, accepted) : inside, plan };
      most = Math.min(LIMITS.hitsPerSearch, most * WIDER);
    }
  };
  return {
    search,
    searchMany: (requests, options) => Promise.all(requests.map((request) => search(request, options))),
    searchIds: async (request, options) =>
      (await search(request, options)).hits.map(({ record, score, scores }) => ({
        id: record.id,
        score,
        scores,
      })),
    count: async (request, options) =>
      (await search({ ...request, limit: LIMITS.hitsPerSearch }, options)).hits.length,
    get: async (ids) =>
      (await reader.get(ids)).map((record) => (record && isHere(record) ? record : undefined)),
    history: async (id) => (await reader.history(id)).filter(isHere),
    frames: async () => frames,
    sightings: (query) => reader.sightings(query),
    presence: (stateIds) => reader.presence(stateIds),
    blob: (ref) => reader.blob(ref),
    embedder: (space) => reader.embedder(space),
    calibration: (space) => reader.calibration(space),
    stats: () => reader.stats(),
    ...(reader.logEndUs && { logEndUs: () => reader.logEndUs!() }),
    unfinished: () => reader.unfinished(),
    changes: (options) => reader.changes(options),
    dump: () => reader.dump(),
    ...(reader.revision && { revision: () => reader.revision!() }),
    // The memory belongs to the caller that opened it.
    close: async () => {},
  };
}

/** The frames of one map alone, with its root as the world. */
function asWorld(graph: FrameGraph, root: string): FrameGraph {
  const own = graph.frames().filter((frame) => frame !== root && graph.topOf(frame) === root);
  const edge = (child: string, transform: Transform) => ({
    parent: WORLD_FRAME,
    child,
    transform,
    stampUs: null,
    kind: "alignment" as const,
    revision: graph.revision,
  });
  return new FrameGraph([
    edge(root, IDENTITY),
    ...own.flatMap((frame) => {
      const rootFromFrame = graph.resolve(root, frame);
      return rootFromFrame ? [edge(frame, rootFromFrame)] : [];
    }),
  ]);
}

const NO_EXTENT = { x: 0, y: 0, z: 0 };

function placedIn(hit: Hit, frames: FrameGraph): Hit {
  const { position: _, box: __, ...rest } = hit;
  const { anchor, extent = NO_EXTENT } = hit.record;
  const worldFromSubmap = anchor && frames.resolve(WORLD_FRAME, anchor.submap);
  if (!anchor || !worldFromSubmap) return rest;
  const box = transformBox(worldFromSubmap, boxFromCentre(anchor.p, extent));
  return { ...rest, position: apply(worldFromSubmap, anchor.p), box };
}

function within(hits: readonly Hit[], test: SpaceTest, byDistance: boolean): Hit[] {
  const inside = hits.flatMap((hit) => {
    if (!hit.position || !hit.box || !test.accepts(hit.position, hit.box)) return [];
    if (test.from === null) return [hit];
    const distanceM = test.distanceM(hit.position, hit.box);
    const scores = { ...hit.scores, distanceM };
    return [byDistance ? { ...hit, score: distanceM, scores } : { ...hit, scores }];
  });
  return byDistance
    ? inside.sort((a, b) => a.score - b.score || (a.record.id < b.record.id ? -1 : 1))
    : inside;
}
