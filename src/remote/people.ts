import type { PeopleFace } from "../compose/face-people.ts";
import type { MemoryStats } from "../memory/port.ts";
import { type Correction, LociError, type MemoryChange, type WatchEvent } from "../schema/index.ts";
import { events } from "./event-stream.ts";
import type { HttpClient } from "./http-client.ts";
import { shaped, shapes } from "./shape.ts";

/** Corrections, changes and watches, over HTTP. */
export function remotePeople(client: HttpClient): PeopleFace {
  const post = (path: string, body?: unknown) => client.json({ method: "POST", path, body });
  const corrections: PeopleFace["corrections"] = (query = {}) =>
    shaped(client.json({ method: "GET", path: "/v1/corrections", query }), shapes.list);
  return {
    correct: (request) => shaped(post("/v1/corrections", request), shapes.correction),
    name: (request) => shaped(post("/v1/names", request), shapes.correction),
    undo: async (id) => {
      const said = id ?? lastOf(await corrections({}));
      return shaped(post(`/v1/corrections/${encodeURIComponent(said)}/undo`), shapes.correction);
    },
    corrections,
    changes: async function* ({ after, kinds, records } = {}, { signal } = {}) {
      // Fixed before the first connection, so that writes during a lost connection come after it.
      const from = after ?? (await lastCommitUs(client));
      const query = { after: from, kinds: kinds?.join(","), records };
      for await (const { data } of events(client, { method: "GET", path: "/v1/changes", query }, { signal }))
        yield await shaped<MemoryChange>(Promise.resolve(JSON.parse(data)), shapes.commit);
    },
    watch: (request) => shaped(post("/v1/watches", request), shapes.named),
    watches: () => shaped(client.json({ method: "GET", path: "/v1/watches" }), shapes.list),
    unwatch: (id) =>
      // Not idempotent: the second call would find nothing to end.
      shaped(
        client.json({ method: "DELETE", path: `/v1/watches/${encodeURIComponent(id)}`, isRepeatable: false }),
        shapes.named,
      ),
    watchEvents: async function* (id, { after } = {}, { signal } = {}) {
      const path = `/v1/watches/${encodeURIComponent(id)}/events`;
      for await (const { data } of events(client, { method: "GET", path, query: { after } }, { signal }))
        yield await shaped<WatchEvent>(Promise.resolve(JSON.parse(data)), shapes.event);
    },
  };
}

async function lastCommitUs(client: HttpClient): Promise<number | undefined> {
  const stats = await shaped<MemoryStats>(client.json({ method: "GET", path: "/v1/stats" }), shapes.object);
  return stats.lastCommitUs ?? undefined;
}

function lastOf(said: readonly Correction[]): string {
  const last = said.find(({ undone }) => undone === undefined);
  if (last === undefined)
    throw new LociError("unknown-id", "nothing was corrected or named that could be undone");
  return last.id;
}
