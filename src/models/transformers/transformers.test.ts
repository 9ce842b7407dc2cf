import { appendFile, mkdir, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { findPackage } from "../optional-package.ts";
import { cosine, describeTextEmbedder } from "../testing/text-embedder-contract.ts";
import {
  solidPng,
  TINY_DIM,
  tinyRow,
  writeTinyImageModel,
  writeTinyTextModel,
} from "../testing/tiny-onnx-model.ts";
import { openTransformersImage, openTransformersText } from "./transformers.ts";

const installed = findPackage("@huggingface/transformers", process.env.LOCI_PACKAGES) !== null;
const skip = installed ? null : "@huggingface/transformers is installed neither here nor in LOCI_PACKAGES";
const real = process.env.LOCI_PACKAGES === undefined ? {} : { packagesFrom: process.env.LOCI_PACKAGES };

const root = await mkdtemp(join(tmpdir(), "loci-transformers-"));
const text = join(root, "tiny-text");
const fake = { packagesFrom: join(root, "fake") };

beforeAll(async () => {
  await writeTinyTextModel(text);
  await writeFakePackage(join(root, "fake"));
});
afterAll(() => rm(root, { recursive: true }));

describeTextEmbedder("transformers, a tiny ONNX model", {
  open: () => openTransformersText(text, real),
  skip,
  tolerance: 1e-5,
});
describeTextEmbedder("transformers, a fake package", { open: () => openTransformersText(text, fake) });

describe.skipIf(!installed)("transformers, text", () => {
  it("is the mean of the token vectors, padding left out", async () => {
    const embedder = await openTransformersText(text, real);
    const [mug] = await embedder.embed(["mug", "a much longer line, so that the first is padded"]);
    await embedder.close();
    const rows = ["[CLS]", "m", "##u", "##g", "[SEP]"].map(tinyRow);
    const mean = Float32Array.from({ length: TINY_DIM }, (_, i) =>
      rows.reduce((sum, row) => sum + row[i]!, 0),
    );
    expect(cosine(mug!, mean) / Math.sqrt(cosine(mean, mean))).toBeCloseTo(1, 5);
  });

  it("pools as the folder says, under an id of its own", async () => {
    const folder = join(root, "tiny-cls");
    await writeTinyTextModel(folder);
    await mkdir(join(folder, "1_Pooling"));
    await writeFile(join(folder, "1_Pooling", "config.json"), '{"pooling_mode_cls_token": true}');
    const embedder = await openTransformersText(folder, real);
    const [mug, lamp] = await embedder.embed(["mug", "lamp"]);
    await embedder.close();
    const cls = Float32Array.from(tinyRow("[CLS]"));
    expect(cosine(mug!, cls) / Math.sqrt(cosine(cls, cls))).toBeCloseTo(1, 5);
    expect(mug).toEqual(lamp);
    expect(embedder.info.id).toContain(":cls:tiny-cls");
  });

  it("says that the weights are damaged", async () => {
    const folder = join(root, "damaged");
    await writeTinyTextModel(folder);
    await writeFile(join(folder, "onnx", "model.onnx"), "not an onnx file");
    await expect(openTransformersText(folder, real)).rejects.toMatchObject({ code: "model-unavailable" });
  });
});

describe.skipIf(!installed).each(["clip", "siglip"] as const)("transformers, a tiny %s model", (type) => {
  it("puts pictures and words into one space", async () => {
    const folder = join(root, type);
    await writeTinyImageModel(folder, type);
    const embedder = await openTransformersImage(folder, real);
    try {
      expect(embedder.info.dim).toBe(TINY_DIM);
      const red = { bytes: solidPng(255, 0, 0) };
      const blue = { bytes: solidPng(0, 0, 255) };
      const many = await embedder.embed([red, { bytes: new Uint8Array() }, blue, ...new Array(9).fill(red)]);
      expect(many[1]).toBeNull();
      expect(cosine(many[0]!, many[11]!)).toBeCloseTo(1, 5);
      expect(cosine(many[0]!, many[2]!)).toBeLessThan(0.9);
      for (const vector of many) if (vector) expect(cosine(vector, vector)).toBeCloseTo(1, 5);
      const [mug, blank] = await embedder.embedText!(["red mug", " "]);
      expect(cosine(mug!, mug!)).toBeCloseTo(1, 5);
      expect(blank).toBeNull();
      const cut = { bytes: red.bytes.slice(0, 40) };
      await expect(embedder.embed([red, cut])).rejects.toMatchObject({ code: "invalid-input" });
      await expect(embedder.embed([{ bytes: Buffer.from("GIF89a") }])).rejects.toMatchObject({
        code: "invalid-input",
      });
      const crowd = new Array(257).fill(red);
      await expect(embedder.embed(crowd)).rejects.toMatchObject({ code: "limit-exceeded" });
      await expect(embedder.embed([red], { signal: AbortSignal.abort() })).rejects.toMatchObject({
        code: "aborted",
      });
      expect((await embedder.embed([red]))[0]).toEqual(many[0]);
    } finally {
      await embedder.close();
      await embedder.close();
    }
    await expect(embedder.embed([])).rejects.toMatchObject({ code: "model-unavailable" });
  });
});

describe("transformers, opening", () => {
  it("names a folder by its content, wherever it lies", async () => {
    const copy = join(root, "elsewhere", "tiny-text");
    await writeTinyTextModel(copy);
    const idOf = async (folder: string) => {
      const embedder = await openTransformersText(folder, fake);
      await embedder.close();
      return embedder.info.id;
    };
    const before = await idOf(text);
    expect(await idOf(copy)).toBe(before);
    await appendFile(join(copy, "onnx", "model.onnx"), "x");
    expect(await idOf(copy)).not.toBe(before);
  });

  it("passes names of the hub on, with what was chosen", async () => {
    const options = { ...fake, dtype: "q8", revision: "v2", cacheDir: root } as const;
    const embedder = await openTransformersText("Xenova/all-MiniLM-L6-v2", options);
    expect(embedder.info).toEqual({ id: "transformers:Xenova.all-MiniLM-L6-v2:q8:mean:v2", dim: 8 });
    await embedder.close();
  });

  it.each(["./nowhere", "/nowhere/at/all", "nowhere", "https://example.org/model"])(
    "finds no model at %s",
    async (model) => {
      await expect(openTransformersText(model, fake)).rejects.toMatchObject({ code: "model-unavailable" });
    },
  );

  it("says which file is missing", async () => {
    await expect(openTransformersImage(text, fake)).rejects.toThrow(
      /expected onnx\/text_model.onnx and onnx\/vision/,
    );
    await expect(openTransformersText(text, { ...fake, dtype: "q8" })).rejects.toThrow(
      /model_quantized.onnx/,
    );
  });

  it("says in one line what to install", async () => {
    const nothing = openTransformersText(text, { packagesFrom: join(root, "empty") });
    await expect(nothing).rejects.toMatchObject({
      code: "model-unavailable",
      message: "@huggingface/transformers is not installed; run: npm install @huggingface/transformers@4.3.1",
    });
  });

  it("calls what the package throws the model's failure", async () => {
    const embedder = await openTransformersText(text, fake);
    await expect(embedder.embed(["explode"])).rejects.toMatchObject({ code: "model-failed" });
    await expect(embedder.embed(["give NaN"])).rejects.toMatchObject({ code: "model-failed" });
    await expect(embedder.embed(["give fewer"])).rejects.toMatchObject({ code: "model-failed" });
    await embedder.close();
  });
});

/** The part of the package that we call, so that our side is tested without the real one. */
async function writeFakePackage(folder: string): Promise<void> {
  const home = join(folder, "node_modules", "@huggingface", "transformers");
  await mkdir(home, { recursive: true });
  await writeFile(join(home, "package.json"), '{"name": "@huggingface/transformers", "main": "fake.cjs"}');
  const source = `
    exports.env = {};
    exports.pipeline = async (task, model, options) => async (texts, { pooling, normalize }) => {
      if (task !== "feature-extraction" || pooling !== "mean" || !normalize) throw new Error("called wrongly");
      if (options.local_files_only === exports.env.allowRemoteModels) throw new Error("local is not local");
      if (texts.includes("explode")) throw new RangeError("out of memory");
      const data = texts.flatMap((text) => {
        const row = [1, 0, 0, 0, 0, 0, 0, 0];
        for (const letter of text.slice(0, 64)) row[letter.codePointAt(0) % 7 + 1] += text === "give NaN" ? NaN : 1;
        return row;
      });
      return { dims: [texts.includes("give fewer") ? 0 : texts.length, 8], data };
    };`;
  await writeFile(join(home, "fake.cjs"), source);
}
