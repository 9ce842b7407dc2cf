import { LIMITS, type RecordKind } from "../schema/core.ts";
import type { MemoryReader } from "./port.ts";
import type { HitOf } from "./query.ts";
import type { SearchRequest } from "./request.ts";

/**
 * Every record of a kind that a reader can see, in order of the time at which it began, page after page: for full scans
 * rather than the best hits. If more records than one page begin at the same moment, time cannot page through them and
 * the rest of them is left out.
 */
export async function* eachHit<K extends RecordKind>(
  reader: MemoryReader,
  kind: K,
  conditions: Pick<SearchRequest, "where" | "time"> = {},
): AsyncGenerator<HitOf<K>> {
  let atLast = new Set<string>();
  let after = conditions.time?.after;
  for (;;) {
    const { hits } = await reader.search({
      ...conditions,
      kinds: [kind],
      rank: "earliest",
      limit: LIMITS.hitsPerSearch,
      time: { ...conditions.time, ...(after !== undefined && { after }) },
    });
    const fresh = hits.filter(({ record }) => !atLast.has(record.id));
    yield* fresh as HitOf<K>[];
    if (hits.length < LIMITS.hitsPerSearch || fresh.length === 0) return;
    after = hits.at(-1)!.record.validFromUs;
    atLast = new Set(
      hits.filter(({ record }) => record.validFromUs === after).map(({ record }) => record.id),
    );
  }
}
