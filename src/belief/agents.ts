import { keptUntilCommit } from "./kept.ts";
import type { MemorySearch } from "./memory-search.ts";
import { SEARCH } from "./settings/search.ts";

/** Whether a memory holds any thing that was seen. */
export function holdsThings(memory: MemorySearch): Promise<boolean> {
  const { reader, sceneId } = memory.options;
  return keptUntilCommit(
    reader,
    `holds things ${sceneId ?? ""}`,
    async () => (await memory.search({ kinds: ["state"], rank: "latest", limit: 1 })).length > 0,
    (record, known) => record.kind === "state" && !known,
  );
}

/** The robots whose observations a memory holds, by their ids. */
export function agentsOf(memory: MemorySearch): Promise<readonly string[]> {
  const { reader, sceneId } = memory.options;
  return keptUntilCommit(
    reader,
    `agents ${sceneId ?? ""}`,
    async () => {
      const looks = await Promise.all(
        (["earliest", "latest"] as const).map((rank) =>
          memory.search({ kinds: ["observation"], rank, limit: SEARCH.mostLookedAt }),
        ),
      );
      return [...new Set(looks.flat().map(({ record }) => record.author))].sort();
    },
    // Further observations by robots that are already known add nothing.
    (record, known) => record.kind === "observation" && !known.includes(record.author),
  );
}
