import fc from "fast-check";
import { expect, it } from "vitest";
import { LociError } from "../schema/index.ts";
import { cached } from "./cached.ts";
import type { TextEmbedder } from "./embedder.ts";
import { textEmbedder } from "./embedder-rules.ts";
import { openHashing } from "./hashing/hashing.ts";
import { describeTextEmbedder } from "./testing/text-embedder-contract.ts";

describeTextEmbedder("cached", { open: async () => cached(openHashing(64)) });

/** Records its calls and answers them on request. */
function recorder(batchSize = 4) {
  const calls: {
    texts: readonly string[];
    signal: AbortSignal | undefined;
    answer: () => void;
    fail: () => void;
  }[] = [];
  const inner = openHashing(16);
  const embedder: TextEmbedder = textEmbedder({
    info: inner.info,
    batchSize,
    embedBatch: (texts, { signal }) => {
      const { promise, resolve, reject } = Promise.withResolvers<(Float32Array | null)[]>();
      const answer = () => inner.embed(texts).then(resolve);
      const fail = () => reject(new LociError("model-failed", "on purpose"));
      signal?.addEventListener("abort", () => reject(new LociError("aborted", "inner")));
      calls.push({ texts, signal, answer, fail });
      return promise;
    },
    close: async () => {},
  });
  return { embedder, calls };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

it("asks once for a text, however often it comes", async () => {
  const { embedder, calls } = recorder();
  const cache = cached(embedder);
  const first = cache.embed(["mug", "mug", "", "lamp"]);
  const second = cache.embed(["lamp", "chair"]);
  await turn();
  expect(calls.map(({ texts }) => texts)).toEqual([["mug", "lamp"], ["chair"]]);
  for (const call of calls) call.answer();
  const [mug, again, blank, lamp] = await first;
  expect(again).toEqual(mug);
  expect(again).not.toBe(mug);
  expect(blank).toBeNull();
  expect((await second)[0]).toEqual(lamp);
  await cache.embed(["chair", "lamp", "mug"]);
  expect(calls.length).toBe(2);
});

it("sends one batch after another, and keeps those that came back when a later one fails", async () => {
  const { embedder, calls } = recorder(2);
  const cache = cached(embedder);
  const call = cache.embed(["a", "b", "c", "d", "e"]);
  const failing = expect(call).rejects.toMatchObject({ code: "model-failed" });
  await turn();
  expect(calls.length).toBe(1);
  calls[0]!.answer();
  await turn();
  calls[1]!.fail();
  await failing;
  await turn();
  expect(calls.map(({ texts }) => texts.join(""))).toEqual(["ab", "cd"]);
  const retry = cache.embed(["a", "b", "c"]);
  await turn();
  expect(calls[2]?.texts).toEqual(["c"]);
  calls[2]!.answer();
  expect((await retry).every((vector) => vector !== null)).toBe(true);
});

it("cancels the model only when everyone who waits has gone", async () => {
  const { embedder, calls } = recorder();
  const cache = cached(embedder);
  const impatient = new AbortController();
  const leaving = cache.embed(["mug"], { signal: impatient.signal });
  const staying = cache.embed(["mug"]);
  await turn();
  impatient.abort();
  await expect(leaving).rejects.toMatchObject({ code: "aborted" });
  expect(calls[0]?.signal?.aborted).toBe(false);
  calls[0]!.answer();
  expect((await staying)[0]).not.toBeNull();

  const last = new AbortController();
  const alone = cache.embed(["lamp"], { signal: last.signal });
  await turn();
  last.abort();
  await expect(alone).rejects.toMatchObject({ code: "aborted" });
  expect(calls[1]?.signal?.aborted).toBe(true);
  const after = cache.embed(["lamp"]);
  await turn();
  calls[2]!.answer();
  expect((await after)[0]).not.toBeNull();
});

it("forgets what was not asked for longest, and never takes more than its bytes", async () => {
  const { embedder, calls } = recorder();
  const entryBytes = 2 + 16 * 4 + 128;
  const cache = cached(embedder, { maxBytes: 2 * entryBytes });
  const ask = async (text: string) => {
    const before = calls.length;
    const call = cache.embed([text]);
    await turn();
    if (calls.length > before) calls.at(-1)!.answer();
    await call;
    return calls.length > before;
  };
  expect(await ask("a")).toBe(true);
  expect(await ask("b")).toBe(true);
  expect(await ask("a")).toBe(false);
  expect(await ask("c")).toBe(true);
  expect(await ask("a")).toBe(false);
  expect(await ask("b")).toBe(true);
});

it("gives what the embedder itself gives, for any calls at any time", async () => {
  const plain = openHashing(8);
  const line = fc.constantFrom("", "mug", "lamp", "red mug", "a b c", "...", "7");
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(line, { maxLength: 9 }), { maxLength: 6 }),
      fc.integer({ min: 1, max: 600 }),
      async (all, maxBytes) => {
        const cache = cached({ ...plain, batchSize: 2 }, { maxBytes });
        const got = await Promise.all(all.map((lines) => cache.embed(lines)));
        expect(got).toEqual(await Promise.all(all.map((lines) => plain.embed(lines))));
      },
    ),
    { numRuns: 200 },
  );
});
