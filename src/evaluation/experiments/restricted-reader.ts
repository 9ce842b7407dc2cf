import type { MemoryReader, SearchRequest, SearchResult } from "../../memory/index.ts";
import { LIMITS, RECORD_KINDS, type RecordKind } from "../../schema/core.ts";
import type { Strategy } from "../runner/strategy.ts";
import { windowedReader } from "../runner/windowed-reader.ts";

/** A memory restricted to some kinds of records: captions alone, or things alone. Sightings belong to states. */
export function onlyKinds(reader: MemoryReader, kinds: ReadonlySet<RecordKind>): MemoryReader {
  const narrow = (request: SearchRequest): SearchRequest | undefined => {
    const left = (request.kinds ?? RECORD_KINDS).filter((kind) => kinds.has(kind));
    return left.length === 0 ? undefined : { ...request, kinds: left };
  };
  const search: MemoryReader["search"] = async (request, options) => {
    const narrowed = narrow(request);
    return narrowed ? reader.search(narrowed, options) : nothing(request);
  };
  const hasStates = kinds.has("state");
  return {
    ...windowedReader(reader, { fromUs: -LIMITS.timeUs, toUs: null }),
    search,
    searchMany: (requests, options) => Promise.all(requests.map((request) => search(request, options))),
    async searchIds(request, options) {
      const narrowed = narrow(request);
      return narrowed ? reader.searchIds(narrowed, options) : [];
    },
    async count(request, options) {
      const narrowed = narrow(request);
      return narrowed ? reader.count(narrowed, options) : 0;
    },
    get: async (ids) =>
      (await reader.get(ids)).map((record) => (record && kinds.has(record.kind) ? record : undefined)),
    history: async (id) => (await reader.history(id)).filter(({ kind }) => kinds.has(kind)),
    sightings: async (query) => (hasStates ? reader.sightings(query) : []),
    presence: async (ids) => (hasStates ? reader.presence(ids) : []),
  };
}

function nothing(request: SearchRequest): SearchResult {
  const steps = [{ step: "not in this memory", left: 0 }];
  return { hits: [], plan: { engine: "restricted", driver: "kinds", rank: request.rank ?? "latest", steps } };
}

const restricted = new WeakMap<MemoryReader, Map<string, Promise<MemoryReader>>>();

/** The same strategy on a restricted memory; `name` says what is left of it. */
export function asking(
  strategy: Strategy,
  name: string,
  restrict: (reader: MemoryReader) => MemoryReader | Promise<MemoryReader>,
): Strategy {
  return {
    ...strategy,
    settings: { ...strategy.settings, memory: name },
    async answer(question, context) {
      const known = restricted.get(context.reader) ?? new Map<string, Promise<MemoryReader>>();
      restricted.set(context.reader, known);
      const reader = known.get(name) ?? Promise.resolve(restrict(context.reader));
      known.set(name, reader);
      return strategy.answer(question, { ...context, reader: await reader });
    },
  };
}

export function named(id: string, strategy: Strategy): Strategy {
  return { ...strategy, id };
}
