import { execFile } from "node:child_process";
import { inspect, promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { openEmbedder, openImageEmbedder, parseEmbedderSpec } from "./index.ts";

describe("a choice of embedder", () => {
  it.each([
    ["loci", { adapter: "loci" }],
    ["hashing", { adapter: "hashing", dim: 256 }],
    ["hashing:64", { adapter: "hashing", dim: 64 }],
    ["use-lite", { adapter: "use-lite" }],
    ["transformers:./models/minilm", { adapter: "transformers", model: "./models/minilm" }],
    ["transformers:Xenova/bge-small-en", { adapter: "transformers", model: "Xenova/bge-small-en" }],
    ["openai:m", { adapter: "openai", model: "m", baseUrl: "https://api.openai.com/v1" }],
    [
      "openai:nomic-embed-text:latest@http://127.0.0.1:11434/v1",
      { adapter: "openai", model: "nomic-embed-text:latest", baseUrl: "http://127.0.0.1:11434/v1" },
    ],
    ["openai:@cf/bge@https://x.org/v1", { adapter: "openai", model: "@cf/bge", baseUrl: "https://x.org/v1" }],
  ])("reads %s", (choice, spec) => {
    expect(parseEmbedderSpec(choice)).toEqual(spec);
  });

  it.each([
    "",
    "locy",
    "loci:2",
    "hashing:",
    "hashing:x",
    "hashing:1.5",
    "hashing:1e9",
    "use-lite:1",
    "transformers",
    "transformers:",
    "openai",
    "openai:",
    "openai:m@http://",
    "x".repeat(2_000),
  ])("refuses %s", (choice) => {
    expect(() => parseEmbedderSpec(choice)).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });

  it("lists the choices when it knows none", () => {
    expect(() => parseEmbedderSpec("word2vec")).toThrow(
      'unknown embedder "word2vec"; choose loci, hashing[:DIM], use-lite, transformers:FOLDER_OR_NAME, openai:MODEL[@BASE_URL]',
    );
  });

  it("sends OpenAI's key to OpenAI only, and our own wherever it is told to", () => {
    const keyOf = (choice: string, environment: Record<string, string>) => {
      const spec = parseEmbedderSpec(choice, environment);
      return spec.adapter === "openai" ? spec.apiKey : "";
    };
    expect(keyOf("openai:m", { OPENAI_API_KEY: "a" })).toBe("a");
    expect(keyOf("openai:m@https://api.openai.com.evil.org/v1", { OPENAI_API_KEY: "a" })).toBeUndefined();
    expect(keyOf("openai:m@http://api.openai.com/v1", { OPENAI_API_KEY: "a" })).toBeUndefined();
    expect(keyOf("openai:m@http://localhost/v1", { OPENAI_API_KEY: "a", LOCI_EMBED_API_KEY: "b" })).toBe("b");
  });

  it("reads the environment by schema", () => {
    expect(parseEmbedderSpec("openai:m", { LOCI_EMBED_DIMENSIONS: "256" })).toMatchObject({
      dimensions: 256,
    });
    expect(parseEmbedderSpec("use-lite", { LOCI_PACKAGES: "/opt/x" })).toMatchObject({
      packagesFrom: "/opt/x",
    });
    const wrong = () => parseEmbedderSpec("openai:m", { LOCI_EMBED_DIMENSIONS: "many" });
    expect(wrong).toThrow(expect.objectContaining({ code: "invalid-input" }));
  });

  it("never quotes an address, which may hold a password", () => {
    for (const choice of ["opnai:m@http://u:hunter2@x/v1", "openai:m@http://u:hunter2@"]) {
      let said = "";
      try {
        parseEmbedderSpec(choice);
      } catch (error) {
        said = inspect(error, { depth: 9 });
      }
      expect(said).toContain("embedder");
      expect(said).not.toContain("hunter2");
    }
  });
});

it("opens what was chosen", async () => {
  const embedder = await openEmbedder(parseEmbedderSpec("hashing:32"));
  expect(embedder.info).toEqual({ id: "hashing-v1-32", dim: 32 });
  await embedder.close();
  const folder = parseEmbedderSpec("transformers:/nowhere/at/all");
  await expect(openEmbedder(folder)).rejects.toMatchObject({ code: "model-unavailable" });
  await expect(openImageEmbedder(folder)).rejects.toMatchObject({ code: "model-unavailable" });
  await expect(openImageEmbedder(parseEmbedderSpec("loci"))).rejects.toMatchObject({ code: "invalid-input" });
});

it("loads no adapter until one is opened", async () => {
  const script = `
    import { registerHooks } from "node:module";
    const loaded = [];
    registerHooks({ load: (url, context, next) => { loaded.push(url); return next(url, context); } });
    await import(${JSON.stringify(new URL("./index.ts", import.meta.url).href)});
    console.log(JSON.stringify(loaded));`;
  const { stdout } = await promisify(execFile)(process.execPath, ["--input-type=module", "-e", script]);
  const loaded = JSON.parse(stdout) as string[];
  expect(loaded.some((url) => url.endsWith("/models/registry.ts"))).toBe(true);
  // The language models' port, registry, budget and roles are lightweight; their adapters are not.
  const heavy =
    /\/models\/(?!language\/(?:budget|extra-body|language-model|registry)\.ts|roles\/role\.ts)[^/]+\/|node_modules\/(?!zod\/)|worker_threads/;
  expect(loaded.filter((url) => heavy.test(url))).toEqual([]);
});
