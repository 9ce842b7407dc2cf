import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { NOW_US, smallHouse } from "../reasoning/testing/small-house.ts";
import { listMemory } from "./ask.ts";
import { type Memory, openMemory } from "./memory.ts";

let folder: string;
let memory: Memory;

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-listings-"));
  const { engine, reader } = await smallHouse(folder);
  await reader.close();
  await engine.close();
  memory = await openMemory(join(folder, "memory"), { embedder: "hashing:64" });
});
afterAll(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

const changes = async (since?: number | string) =>
  (await listMemory(memory, { what: "changes", ...(since !== undefined && { since }) }, { now: NOW_US }))
    .rows;

describe("changes since a time", () => {
  it("take the time in words, as a question does, in ISO 8601 or in microseconds", async () => {
    const all = await changes();
    const fourMinutesAgo = NOW_US - 240_000_000;
    const late = await changes(fourMinutesAgo);
    expect(late.length).toBeGreaterThan(0);
    expect(late.length).toBeLessThan(all.length);
    expect(await changes("4 minutes ago")).toEqual(late);
    expect(await changes("Since four minutes ago")).toEqual(late);
    expect(await changes(new Date(fourMinutesAgo / 1000).toISOString())).toEqual(late);
    expect(await changes("yesterday")).toEqual(all);
  });

  it("say what a time looks like where the words are none", async () => {
    for (const since of ["the kettle", "yesterday in the kitchen", " ", "2026-99-99"])
      await expect(changes(since), since).rejects.toMatchObject({ code: "invalid-input" });
  });
});
