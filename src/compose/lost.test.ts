import { copyFileSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { openMemory } from "./memory.ts";

it("answers say that writes are missing, from before verify is asked until it is repaired", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-lost-"));
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }));
  const database = join(folder, "memory.db");
  const remember = async (text: string) => {
    const memory = await openMemory(folder, { embedder: "hashing:16" });
    await memory.remember(text);
    expect(await memory.unfinished()).toEqual([]);
    await memory.close();
  };
  await remember("First.");
  copyFileSync(database, join(folder, "older"));
  await remember("Second.");
  copyFileSync(join(folder, "older"), database);
  for (const isWritten of [false, true]) {
    const memory = await openMemory(folder, { embedder: "hashing:16" });
    if (isWritten) await memory.remember("Third.");
    expect(await memory.unfinished()).toEqual([
      expect.stringContaining("writes that were acknowledged are missing"),
    ]);
    await memory.close();
  }
});
