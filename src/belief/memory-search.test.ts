import { expect, it } from "vitest";
import type { MemoryReader } from "../memory/index.ts";
import { MemorySearch } from "./memory-search.ts";

/** A memory without records that counts how often it is searched. */
function emptyMemory() {
  const made = { searches: 0, commits: 0 };
  const reader = {
    revision: () => String(made.commits),
    stats: async () => ({ lastCommitUs: made.commits }),
    changes: async function* () {},
    search: async () => {
      made.searches++;
      return { hits: [] };
    },
  } as unknown as MemoryReader;
  return { reader, made };
}

it("counts the same searches whether they are cached or not: a trace tells nothing of what was written since", async () => {
  const { reader, made } = emptyMemory();
  const counted = async () => {
    const search = new MemorySearch({ reader, nowUs: 0 });
    await search.searchKept({ kinds: ["state"] });
    return search.searches;
  };
  expect([await counted(), await counted()]).toEqual([1, 1]);
  expect(made.searches).toBe(1);
});
