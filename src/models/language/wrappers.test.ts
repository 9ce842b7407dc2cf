import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { budgeted } from "./budget.ts";
import type { Generated, GenerateRequest, LanguageModel } from "./language-model.ts";
import { parseLanguageModelSpec } from "./registry.ts";
import { cachedModel } from "./response-cache.ts";

/** A model that counts its calls and returns their number. */
function counting(more: Partial<Generated> = {}, waitMs = 0): LanguageModel & { calls: number } {
  const model = {
    id: "fake:one",
    capabilities: { vision: true, tools: true },
    calls: 0,
    async generate(_request: GenerateRequest, options: { signal?: AbortSignal | undefined } = {}) {
      model.calls++;
      if (waitMs > 0) {
        await new Promise((resolve, reject) => {
          const timer = setTimeout(resolve, waitMs);
          options.signal?.addEventListener("abort", () => {
            clearTimeout(timer);
            reject(new Error("cut"));
          });
        });
      }
      const usage = { inputTokens: 100, outputTokens: 50 };
      return { text: `answer ${model.calls}`, toolCalls: [], usage, finish: "stop" as const, ...more };
    },
    close: async () => undefined,
  };
  return model;
}

const ask = (text: string, more: Partial<GenerateRequest> = {}): GenerateRequest => ({
  messages: [{ role: "user", parts: [{ type: "text", text }] }],
  maxTokens: 8,
  ...more,
});

describe("a budget", () => {
  it.each([
    ["calls", { calls: 2 }],
    ["tokens", { tokens: 300 }],
    ["dollars", { costUsd: 0.0004 }],
  ])("stops at its %s", async (_name, budget) => {
    const inner = counting();
    const model = budgeted(inner, budget, { inputUsd: 1, outputUsd: 2 });
    await model.generate(ask("a"));
    await model.generate(ask("b"));
    await expect(model.generate(ask("c"))).rejects.toMatchObject({ code: "limit-exceeded" });
    expect(inner.calls).toBe(2);
    expect(model.spent()).toMatchObject({ calls: 2, inputTokens: 200, outputTokens: 100 });
    expect(model.spent().costUsd).toBeCloseTo(0.0004, 9);
  });

  it("cuts off a call that outlasts it", async () => {
    const model = budgeted(counting({}, 60_000), { timeMs: 10 });
    await expect(model.generate(ask("a"))).rejects.toMatchObject({ code: "limit-exceeded" });
  });
});

describe("the response cache", () => {
  let folder: string;
  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), "loci-cache-"));
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  it("answers the same request once, over processes, and tells samples and pictures apart", async () => {
    const inner = counting();
    const model = await cachedModel(inner, { folder });
    const first = await model.generate(ask("a secret question"));
    expect((await model.generate(ask("a secret question"))).text).toBe(first.text);
    const again = await cachedModel(inner, { folder });
    expect(await again.generate(ask("a secret question"))).toMatchObject({
      text: first.text,
      usage: { costUsd: 0 },
    });
    expect(inner.calls).toBe(1);
    await model.generate(ask("a secret question", { sample: 1 }));
    const withImage = (byte: number) => ({
      ...ask("x"),
      messages: [
        { role: "user" as const, parts: [{ type: "image" as const, image: { bytes: Uint8Array.of(byte) } }] },
      ],
    });
    await model.generate(withImage(1));
    await model.generate(withImage(2));
    expect(inner.calls).toBe(4);
    for (const name of readdirSync(folder))
      expect(readFileSync(join(folder, name), "utf8")).not.toContain("secret");
  });

  it("asks anew where a file is damaged", async () => {
    for (const name of readdirSync(folder)) writeFileSync(join(folder, name), "{");
    const inner = counting();
    const model = await cachedModel(inner, { folder });
    expect((await model.generate(ask("a secret question"))).text).toBe("answer 1");
  });

  it("keeps no refused answer, and no more bytes than it may", async () => {
    const small = mkdtempSync(join(tmpdir(), "loci-cache-"));
    const refusing = await cachedModel(counting({ finish: "refused" }), { folder: small });
    await refusing.generate(ask("a"));
    expect(readdirSync(small)).toEqual([]);
    const inner = counting();
    const model = await cachedModel(inner, { folder: small, maxBytes: 250 });
    for (const text of ["a", "b", "c", "d"]) await model.generate(ask(text));
    const bytes = readdirSync(small).reduce((sum, name) => sum + readFileSync(join(small, name)).length, 0);
    expect(bytes).toBeLessThanOrEqual(250);
    // The newest stays.
    await model.generate(ask("d"));
    expect(inner.calls).toBe(4);
    rmSync(small, { recursive: true });
  });
});

describe("the choice of a model", () => {
  it("reads names, addresses and settings", () => {
    expect(
      parseLanguageModelSpec("openai:qwen:7b@http://127.0.0.1:11434/v1", { LOCI_MODEL_TOOLS: "off" }),
    ).toEqual({
      vendor: "openai",
      model: "qwen:7b",
      baseUrl: "http://127.0.0.1:11434/v1",
      tools: false,
    });
    expect(parseLanguageModelSpec("anthropic:some-model", { ANTHROPIC_API_KEY: "k" })).toMatchObject({
      apiKey: "k",
    });
  });

  it("sends a vendor's key to that vendor only", () => {
    const keys = { OPENAI_API_KEY: "openai-key", ANTHROPIC_API_KEY: "anthropic-key" };
    expect(parseLanguageModelSpec("openai:x@http://elsewhere.test/v1", keys).apiKey).toBeUndefined();
    expect(parseLanguageModelSpec("openai:x", keys).apiKey).toBe("openai-key");
    expect(parseLanguageModelSpec("google:x", keys).apiKey).toBeUndefined();
    expect(
      parseLanguageModelSpec("openai:x@http://elsewhere.test/v1", { ...keys, LOCI_MODEL_API_KEY: "own" })
        .apiKey,
    ).toBe("own");
  });

  it.each(["", "openai:", "gpt", "x".repeat(2_000), "openai:a@http://"])("refuses %j", (choice) => {
    expect(() => parseLanguageModelSpec(choice)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });
});
