import type { Change } from "../memory/port.ts";
import {
  type ChangesQuery,
  categoryOf,
  changesQuerySchema,
  type MemoryChange,
  memoryChangeSchema,
} from "../schema/index.ts";
import { operation } from "./operation.ts";

export const changes = operation({
  summary: "Commits as they happen, each once and in order; Last-Event-ID resumes without gap or double",
  scope: "read",
  input: changesQuerySchema,
  output: memoryChangeSchema,
  answers: "stream",
  http: {
    method: "get",
    path: "/v1/changes",
    says: "Server-sent events “commit”; the id of each is its memory time",
    relies: ["commitUs"],
    event: { name: "commit", number: ({ commitUs }: MemoryChange) => commitUs },
  },
  run: async function* (
    { seen },
    query,
    { signal = new AbortController().signal },
  ): AsyncGenerator<MemoryChange> {
    const { tailOf } = await import("../compose/watch.ts");
    for await (const change of tailOf(seen).after(query.after, signal)) {
      const told = changeOf(change, query);
      if (told) yield told;
    }
  },
});

/** Changes by commit and query, cached because many clients follow the same. */
const told = new WeakMap<Change, Map<string, MemoryChange | undefined>>();

/** A commit as reported; undefined if it holds nothing that was asked for. */
function changeOf(change: Change, { kinds, records }: ChangesQuery): MemoryChange | undefined {
  const known = told.get(change) ?? new Map<string, MemoryChange | undefined>();
  told.set(change, known);
  const key = JSON.stringify([kinds, records]);
  if (!known.has(key)) known.set(key, made(change, kinds, records));
  return known.get(key);
}

function made(
  { commitUs, put, sightings, frames, forgotten }: Change,
  kinds: ChangesQuery["kinds"],
  records: boolean | undefined,
): MemoryChange | undefined {
  const named = kinds ? put.filter(({ kind }) => kinds.includes(kind)) : put;
  if (kinds && named.length === 0 && forgotten.length === 0) return undefined;
  return {
    commitUs,
    put: named.map((record) => {
      const { id, kind, version } = record;
      const category = categoryOf(record);
      return {
        id,
        kind,
        version,
        ...(category !== undefined && { category }),
        ...(records && { record: { ...record } }),
      };
    }),
    sightings: sightings.length,
    frames,
    forgotten: [...forgotten],
  };
}
