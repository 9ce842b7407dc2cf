import type { MemoryReader } from "../memory/index.ts";
import { keptUntilCommit } from "./kept.ts";
import { SEARCH } from "./settings/search.ts";

/** Resolves merges: adds to `tracks` the surviving track of each, and of each one on the way. */
export async function followMerges(
  reader: MemoryReader,
  tracks: Map<string, string>,
  trackIds: readonly string[],
): Promise<void> {
  let unknown = [...new Set(trackIds)].filter((id) => !tracks.has(id));
  for (let hops = 0; unknown.length > 0 && hops < SEARCH.mostHops; hops++) {
    const into = await mergedInto(reader, unknown);
    const next: string[] = [];
    for (const [n, id] of unknown.entries()) {
      const other = into[n]!;
      tracks.set(id, other);
      if (other !== id && !tracks.has(other)) next.push(other);
    }
    unknown = next;
  }
  for (const id of trackIds) {
    let at = id;
    for (let hops = 0; hops < SEARCH.mostHops && tracks.get(at) !== at && tracks.has(at); hops++)
      at = tracks.get(at)!;
    tracks.set(id, at);
  }
}

/** The track that each track was merged into, or itself; read once for each state of the memory. */
async function mergedInto(reader: MemoryReader, trackIds: readonly string[]): Promise<string[]> {
  const known = await keptUntilCommit(
    reader,
    "merged tracks",
    async () => new Map<string, string>(),
    (record) => record.kind === "track" && record.mergedInto !== undefined,
  );
  const unread = trackIds.filter((id) => !known.has(id));
  const records = unread.length > 0 ? await reader.get(unread) : [];
  const read = new Map(
    unread.map((id, n) => {
      const record = records[n];
      return [id, (record?.kind === "track" ? record.mergedInto : undefined) ?? id];
    }),
  );
  const into = trackIds.map((id) => known.get(id) ?? read.get(id)!);
  if (known.size + read.size > SEARCH.mostKnown) known.clear();
  for (const [id, other] of read) known.set(id, other);
  return into;
}
