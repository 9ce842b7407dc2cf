import { expect, it } from "vitest";
import type { MemoryReader } from "../memory/index.ts";
import { followMerges } from "./merges.ts";

/** A reader of tracks merged in this way, which records its requests. */
function readerOf(into: Record<string, string | undefined>) {
  const asked: string[][] = [];
  let revision = 0;
  const reader = {
    revision: () => String(revision),
    stats: async () => ({ lastCommitUs: revision }),
    changes: async function* () {
      yield { commitUs: revision, put: [], sightings: [], frames: 1, forgotten: [] };
    },
    get: async (ids: readonly string[]) => {
      asked.push([...ids]);
      return ids.map((id) => (id in into ? { kind: "track", id, mergedInto: into[id] } : undefined));
    },
  } as unknown as MemoryReader;
  const merge = (id: string, other: string) => {
    into[id] = other;
    revision++;
  };
  return { reader, asked, merge };
}

const followed = async (reader: MemoryReader, ids: readonly string[]) => {
  const tracks = new Map<string, string>();
  await followMerges(reader, tracks, ids);
  return ids.map((id) => tracks.get(id));
};

it("leads to the last of several, and is read once until something is written", async () => {
  const { reader, asked, merge } = readerOf({ a: "b", b: "c", c: undefined, d: undefined });
  expect(await followed(reader, ["a", "d", "x"])).toEqual(["c", "d", "x"]);
  const reads = asked.length;
  expect(await followed(reader, ["d", "a", "b"])).toEqual(["d", "c", "c"]);
  expect(asked.length).toBe(reads);
  merge("c", "d");
  expect(await followed(reader, ["a", "d"])).toEqual(["d", "d"]);
  expect(asked.length).toBeGreaterThan(reads);
});

it("ends where tracks were merged in a circle", async () => {
  const { reader } = readerOf({ a: "b", b: "a" });
  expect((await followed(reader, ["a"]))[0]).toMatch(/^[ab]$/);
});
