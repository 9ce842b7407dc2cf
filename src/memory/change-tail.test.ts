import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { Random } from "../geometry/index.ts";
import { ChangeTail } from "./change-tail.ts";
import { EmbeddedEngine } from "./embedded/engine.ts";
import type { MemoryReader, MemoryWriter } from "./port.ts";
import { SqliteEngine } from "./sqlite/engine.ts";

const caption = (id: string, labels: string[] = []) => ({
  kind: "caption" as const,
  id,
  source: "human" as const,
  validFromUs: 0,
  validToUs: 1,
  labels,
});

async function withMemory(
  work: (tools: { reader: MemoryReader; writer: MemoryWriter; engine: SqliteEngine }) => Promise<void>,
) {
  const folder = mkdtempSync(join(tmpdir(), "loci-tail-"));
  const engine = await SqliteEngine.open({ folder: join(folder, "memory") });
  try {
    await work({ engine, reader: await engine.reader(), writer: await engine.writer() });
  } finally {
    await engine.close();
    rmSync(folder, { recursive: true, force: true });
  }
}

describe("the tail of a memory", () => {
  it("tells everybody every commit after their own starting point once and in order, however slow they are", async () => {
    await withMemory(async ({ reader, writer }) => {
      const random = new Random("tail");
      const tail = new ChangeTail(async () => reader);
      const commits: number[] = [];
      const write = async () => {
        const { commitUs } = await writer.write({ records: [caption(`c${commits.length}`)] });
        commits.push(commitUs);
      };
      for (let n = 0; n < 100; n++) await write();
      const stop = new AbortController();
      const total = 400;
      const followers = [0, 0, 5, 50, 98, 99].map(async (from, n) => {
        const got: number[] = [];
        for await (const { commitUs } of tail.after(commits[from], stop.signal)) {
          got.push(commitUs);
          // Some rest so long that what is kept runs away from them, and read on from the memory.
          if (n % 2 === 0 && got.length % 40 === 0)
            await new Promise((go) => setTimeout(go, 40 * random.next()));
          if (got.length === total - from - 1) break;
        }
        return { from, got };
      });
      while (commits.length < total) await write();
      for (const { from, got } of await Promise.all(followers)) expect(got).toEqual(commits.slice(from + 1));
      stop.abort();
    });
  });

  it("begins now where nobody says when, shows nobody more than his reader, and ends with the signal", async () => {
    await withMemory(async ({ engine, writer }) => {
      await writer.write({ records: [caption("before")] });
      const guest = await engine.reader({ principal: { id: "guest", labels: [] } });
      const stop = new AbortController();
      const seen: string[] = [];
      const started = Promise.withResolvers<void>();
      const tail = new ChangeTail(async () => {
        started.resolve();
        return guest;
      });
      const following = (async () => {
        for await (const { put } of tail.after(undefined, stop.signal)) {
          seen.push(...put.map(({ id }) => id));
          if (seen.includes("last")) stop.abort();
        }
      })();
      await started.promise;
      await guest.stats();
      await writer.write({ records: [caption("secret", ["private"]), caption("open")] });
      await writer.write({ records: [caption("more", ["private"])] });
      await writer.write({ records: [caption("last")] });
      await following;
      expect(seen).toEqual(["open", "last"]);
    });
  });

  it("begins without counting what there is", async () => {
    await withMemory(async ({ reader, writer }) => {
      await writer.write({ records: [caption("before")] });
      const counted = new Proxy(reader, {
        get: (target, name) => {
          if (name === "stats") throw new Error("counted");
          const value = target[name as keyof MemoryReader] as unknown;
          return typeof value === "function" ? value.bind(target) : value;
        },
      });
      const stop = new AbortController();
      const told: unknown[] = [];
      const following = new ChangeTail(async () => counted).after(undefined, stop.signal).next();
      void following.then(({ value }) => told.push(value));
      await expect
        .poll(async () => {
          await writer.write({ records: [caption(`c${Math.random()}`)] });
          return told.length;
        })
        .toBe(1);
      stop.abort();
    });
  });

  it("tells of a commit when a search finds it", async () => {
    const folder = mkdtempSync(join(tmpdir(), "loci-tail-"));
    const engine = await EmbeddedEngine.open({ folder: join(folder, "memory") });
    try {
      const [reader, writer] = [await engine.reader(), await engine.writer()];
      const stop = new AbortController();
      const missed: string[] = [];
      const following = (async () => {
        let n = 0;
        for await (const { put } of new ChangeTail(async () => reader).after(-1, stop.signal)) {
          const ids = put.map(({ id }) => id);
          if ((await reader.count({ where: { ids } })) < ids.length) missed.push(...ids);
          if (++n === 200) return;
        }
      })();
      // Not awaited one by one: the truth runs ahead of the index.
      await Promise.all(Array.from({ length: 200 }, (_, n) => writer.write({ records: [caption(`c${n}`)] })));
      await following;
      expect(missed).toEqual([]);
    } finally {
      await engine.close();
      rmSync(folder, { recursive: true, force: true });
    }
  });
});
