import { z } from "zod";
import type { FoundHit } from "../compose/believed.ts";
import type { Memory } from "../compose/memory.ts";
import type { SearchPlan } from "../memory/port.ts";
import type { MemoryQuery } from "../memory/query.ts";
import { hitSchema, type SearchQuery, searchQuerySchema } from "../schema/index.ts";
import { defined, withView } from "./context.ts";
import { operation } from "./operation.ts";

/** Search hits, best first. */
export interface Found {
  readonly hits: readonly FoundHit[];
  readonly plan: SearchPlan;
}

/** Reading and serialising more hits than this takes as long as a question. */
const MANY_HITS = 100;

export const search = operation({
  summary: "Search by meaning, place and time at once",
  scope: "read",
  cost: ({ limit = 0 }) => (limit > MANY_HITS ? "question" : "search"),
  input: searchQuerySchema,
  output: z.object({ hits: z.array(hitSchema), plan: z.looseObject({ driver: z.string() }) }),
  http: {
    method: "post",
    path: "/v1/search",
    says: "What was found, best first",
    relies: ["hits"],
  },
  run: (context, query, call): Promise<Found> =>
    withView(context, query, async (view) => {
      const found = await queryOf(view, query).explain(query.limit, call);
      if (!query.believed) return found;
      const { withBelief } = await import("../compose/believed.ts");
      return { ...found, hits: await withBelief(await view.reader(), found.hits, query.scene) };
    }),
});

function queryOf(memory: Memory, query: SearchQuery): MemoryQuery {
  let made: MemoryQuery = memory.records(...(query.kinds ?? []));
  if (query.text !== undefined) {
    const { by = "both" } = query;
    made =
      by === "both"
        ? made.like(query.text)
        : by === "words"
          ? made.words(query.text)
          : made.meaning(query.text);
  }
  if (query.vector) made = made.byVector(Float32Array.from(query.vector));
  if (query.box) made = made.inBox(query.box);
  if (query.near)
    made = query.within === undefined ? made.nearest(query.near) : made.near(query.near, query.within);
  if (query.from !== undefined || query.to !== undefined)
    made = made.during(query.from ?? Number.MIN_SAFE_INTEGER, query.to ?? null);
  const where = {
    ...defined({
      ids: query.ids,
      category: query.category,
      owner: query.owner,
      regionId: query.region,
      sceneId: query.scene === undefined ? undefined : [query.scene],
      author: query.author === undefined ? undefined : [query.author],
    }),
  };
  if (Object.keys(where).length > 0) made = made.where(where);
  return query.rank === undefined ? made : made.rankedBy(query.rank);
}
