import {
  copyFileSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { basename, join } from "node:path";
import { afterAll, afterEach, beforeAll, describe, expect, it } from "vitest";
import { blobRefOf, type RecordInput } from "../../schema/index.ts";
import { EmbeddedEngine } from "../embedded/engine.ts";
import type { ReaderOptions, WriteBatch } from "../port.ts";
import type { SearchRequest } from "../request.ts";
import { mulberry, unit } from "../testing/index-rows.ts";
import { hasUsearch } from "./usearch.ts";

const DIM = 32;
const ROWS = 2_000;
const GRAPH = "approximate, hnsw";

const base = mkdtempSync(join(tmpdir(), "loci-hnsw-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const opened: EmbeddedEngine[] = [];
afterEach(async () => {
  for (const engine of opened.splice(0)) await engine.close();
});

/** Fifty clouds of vectors, so that there is something to be near to. */
function vectorOf(i: number, seed = 1): Float32Array {
  const centre = unit(mulberry((i % 50) + 1_000), DIM);
  const noise = unit(mulberry(i * 7 + seed), DIM);
  const sum = centre.map((x, d) => x + 0.8 * noise[d]!);
  const length = Math.hypot(...sum);
  return sum.map((x) => x / length);
}

function batch(from: number, count: number, more: Partial<RecordInput> = {}): WriteBatch {
  const records = Array.from({ length: count }, (_, k) => ({
    kind: "caption" as const,
    id: `r${from + k}`,
    source: "human" as const,
    text: [`thing number ${from + k}`],
    validFromUs: from + k,
    validToUs: null,
    ...more,
  })) as RecordInput[];
  return { records, vectors: records.map((r, k) => ({ text: r.text![0]!, vector: vectorOf(from + k) })) };
}

async function open(folder: string, options: { approximate?: boolean; from?: number } = {}) {
  const engine = await EmbeddedEngine.open({
    folder,
    approximate: options.approximate ?? true,
    approximateFrom: options.from ?? ROWS,
  });
  opened.push(engine);
  return engine;
}

async function write(folder: string, batches: readonly WriteBatch[]): Promise<void> {
  const engine = await open(folder);
  const writer = await engine.writer();
  await writer.setEmbedder("text", { id: "test", dim: DIM });
  for (const batch of batches) await writer.write(batch);
  await engine.close();
}

/** Two thousand records, with their graph where there can be one; tests work on copies. */
const good = join(base, "good");
beforeAll(async () => {
  await write(good, [batch(0, ROWS)]);
  const engine = await open(good);
  if (hasUsearch()) expect(await engine.approximateReady()).toEqual({ ready: true });
  await engine.close();
});

function copyOf(name: string, { graph = true } = {}): string {
  const folder = join(base, name);
  cpSync(good, folder, { recursive: true, filter: (path) => graph || !basename(path).startsWith("hnsw-") });
  return folder;
}

/** A copy, open, with the graph mapped. */
async function ready(name: string): Promise<{ folder: string; engine: EmbeddedEngine }> {
  const folder = copyOf(name);
  const engine = await open(folder);
  expect(await engine.approximateReady()).toEqual({ ready: true });
  return { folder, engine };
}

const semantic = (i: number, more: Partial<SearchRequest> = {}): SearchRequest => ({
  meaning: { vector: vectorOf(i, 99) },
  ...more,
});

async function ask(engine: EmbeddedEngine, request: SearchRequest, options: ReaderOptions = {}) {
  const reader = await engine.reader(options);
  const { hits, plan } = await reader.search(request);
  await reader.close();
  return {
    ids: hits.map(({ record }) => record.id),
    scores: hits.map(({ score }) => score),
    driver: plan.driver,
  };
}

/** The share of the exact best ten that approximate searches find, over many questions. */
async function recall(engine: EmbeddedEngine, questions = 40): Promise<number> {
  let found = 0;
  for (let i = 0; i < questions; i++) {
    const near = await ask(engine, semantic(i));
    const exact = await ask(engine, semantic(i, { approximate: false }));
    expect([near.driver, exact.driver]).toEqual([GRAPH, "vectors"]);
    const best = new Map(exact.ids.map((id, k) => [id, exact.scores[k]]));
    near.ids.forEach((id, k) => {
      if (best.get(id) === near.scores[k]) found++;
    });
  }
  return found / questions / 10;
}

const filesOf = (folder: string) => readdirSync(folder).filter((name) => name.startsWith("hnsw-"));
const binOf = (folder: string) => join(folder, filesOf(folder).find((name) => name.endsWith(".bin"))!);

describe("without being asked", () => {
  it("is exact, and nothing is built", async () => {
    const folder = copyOf("off", { graph: false });
    const quiet = await open(folder, { approximate: false });
    expect((await ask(quiet, semantic(1))).driver).toBe("vectors");
    expect((await ask(await open(folder), semantic(1, { approximate: false }))).driver).toBe("vectors");
    expect(filesOf(folder)).toEqual([]);
  });

  it("refuses what is neither true nor false", async () => {
    const engine = await open(copyOf("flag"));
    await expect(ask(engine, semantic(1, { approximate: "yes" as never }))).rejects.toMatchObject({
      code: "invalid-input",
    });
  });
});

describe.skipIf(!hasUsearch())(`the graph${hasUsearch() ? "" : " (needs usearch)"}`, () => {
  it("answers exactly until it is there, then nearly so, with exact scores", async () => {
    const engine = await open(copyOf("build", { graph: false }));
    expect((await ask(engine, semantic(3))).driver).toBe("vectors");
    expect(await engine.approximateReady()).toEqual({ ready: true });
    expect(await recall(engine)).toBeGreaterThan(0.97);
  });

  it("is asked for by a single request too", async () => {
    const engine = await open(copyOf("one"), { approximate: false });
    await engine.approximateReady();
    expect((await ask(engine, semantic(3))).driver).toBe("vectors");
    expect((await ask(engine, semantic(3, { approximate: true }))).driver).toBe(GRAPH);
  });

  it("begins at the size that was asked for", async () => {
    const folder = copyOf("small", { graph: false });
    const engine = await open(folder, { from: ROWS + 1 });
    expect(await engine.approximateReady()).toEqual({ ready: false, reason: "it begins at 2,001 vectors" });
    expect((await ask(engine, semantic(3))).driver).toBe("vectors");
    expect(filesOf(folder)).toEqual([]);
  });

  it("serves nothing but meaning alone", async () => {
    const { engine } = await ready("pure");
    for (const more of [
      { time: { after: 100 } },
      { where: { ids: ["r1", "r2"] } },
      { where: { attributes: { a: 1 } } },
      { space: { type: "nearest", point: { x: 0, y: 0, z: 0 } } },
      { rank: "latest" },
      { meaning: { vector: vectorOf(1), words: "thing" } },
    ] satisfies Partial<SearchRequest>[])
      expect((await ask(engine, semantic(1, more))).driver).not.toBe(GRAPH);
    expect((await ask(engine, semantic(1), { asOfWorldUs: 50 })).driver).not.toBe(GRAPH);
  });

  it("finds what was written after it at once, and not what was replaced", async () => {
    const { engine } = await ready("tail");
    const writer = await engine.writer();
    await writer.write(batch(ROWS, 10));
    const newest = await ask(engine, { meaning: { vector: vectorOf(ROWS + 4) }, limit: 1 });
    expect(newest).toMatchObject({ ids: [`r${ROWS + 4}`], driver: GRAPH });
    // The same record with another text: its old meaning is in the graph and leads nowhere.
    const { records, vectors } = batch(ROWS + 50, 1);
    await writer.write({ records: [{ ...records![0]!, id: "r7" }], vectors: vectors! });
    const request = { meaning: { vector: vectorOf(7) }, limit: 5 };
    const near = await ask(engine, request);
    expect(near.scores[0]).toBeLessThan(0.9999);
    expect(near).toEqual({ ...(await ask(engine, { ...request, approximate: false })), driver: GRAPH });
  });

  it("takes the tail in when it has grown long, in the background", async () => {
    const { folder, engine } = await ready("extend");
    const before = binOf(folder);
    const writer = await engine.writer();
    await writer.write(batch(ROWS, 2_500));
    expect((await ask(engine, semantic(2))).driver).toBe(GRAPH);
    await until(() => factsOf(folder)["record"] === ROWS + 2_500 && !existsSync(before));
    expect(factsOf(folder)).toMatchObject({ vectors: ROWS + 2_500 });
    expect(await recall(engine, 20)).toBeGreaterThan(0.97);
  });

  it("finds every record of a line that many share, smallest ids first", async () => {
    const folder = copyOf("shared", { graph: false });
    const line = "the same line";
    const records = batch(ROWS, 500).records!.map((record) => ({ ...record, text: [line] }));
    await write(folder, [{ records, vectors: [{ text: line, vector: vectorOf(5, 99) }] }]);
    const engine = await open(folder);
    await engine.approximateReady();
    const near = await ask(engine, semantic(5, { limit: 20 }));
    const exact = await ask(engine, semantic(5, { limit: 20, approximate: false }));
    expect(near).toEqual({ ...exact, driver: GRAPH });
    expect(near.ids[0]).toBe(`r${ROWS}`);
  });

  it("asks for more where kinds leave few", async () => {
    const folder = copyOf("kinds", { graph: false });
    await write(folder, [batch(ROWS, 60, { kind: "event", type: "custom" } as Partial<RecordInput>)]);
    const engine = await open(folder);
    await engine.approximateReady();
    const near = await ask(engine, semantic(6, { kinds: ["event"] }));
    const exact = await ask(engine, semantic(6, { kinds: ["event"], approximate: false }));
    expect(near).toEqual({ ...exact, driver: GRAPH });
    expect(near.ids).toHaveLength(10);
    // Beyond what is worth asking for, the scan has the word.
    const many = await ask(engine, semantic(6, { limit: 1_500 }));
    expect(many.ids).toHaveLength(1_500);
    expect(many.driver).toBe("vectors");
  });

  it("keeps thresholds", async () => {
    const { engine } = await ready("threshold");
    const meaning = { vector: vectorOf(8, 99), minCosine: 0.68 };
    const near = await ask(engine, { meaning, limit: 100 });
    const exact = await ask(engine, { meaning, limit: 100, approximate: false });
    expect(exact.ids.length).toBeGreaterThan(3);
    expect(exact.ids.length).toBeLessThan(100);
    expect(near).toEqual({ ...exact, driver: GRAPH });
  });

  it("is exact for readers who may not see everything, and shows them nothing hidden", async () => {
    const folder = copyOf("labels");
    await write(folder, [batch(ROWS, 50, { labels: ["secret"] } as Partial<RecordInput>)]);
    const engine = await open(folder);
    await engine.approximateReady();
    const request = { meaning: { vector: vectorOf(ROWS) } };
    expect((await ask(engine, request)).ids[0]).toBe(`r${ROWS}`);
    const guest = await ask(engine, request, { principal: { id: "guest", labels: [] } });
    expect(guest.driver).toBe("index");
    expect(guest.ids.filter((id) => Number(id.slice(1)) >= ROWS)).toEqual([]);
    expect(guest.ids).toHaveLength(10);
  });

  it("lets go of what was forgotten, on disk at once, and is built anew", async () => {
    const folder = copyOf("forget", { graph: false });
    await write(folder, [batch(ROWS, 5)]);
    const engine = await open(folder);
    await engine.approximateReady();
    const forgotten = { meaning: { vector: vectorOf(11) } };
    expect((await ask(engine, forgotten)).ids[0]).toBe("r11");
    await (await engine.writer()).forget({ ids: ["r11"], reason: "asked" });
    expect(filesOf(folder)).toEqual([]);
    const after = await ask(engine, forgotten);
    expect(after.driver).toBe("vectors");
    expect(await engine.approximateReady()).toEqual({ ready: true });
    expect(await ask(engine, forgotten)).toEqual({ ...after, driver: GRAPH });
    expect(after.ids).not.toContain("r11");
    expect(factsOf(folder)).toMatchObject({ vectors: ROWS + 4, forgotten: 1 });
  });

  it("is built anew for another embedder", async () => {
    const { folder, engine } = await ready("reembed");
    await (await engine.writer()).reembed({ id: "other", dim: 16 }, async (lines) =>
      lines.map((line) => unit(mulberry(Number(line.split(" ").at(-1)) + 1), 16)),
    );
    const request = { meaning: { vector: unit(mulberry(78), 16) }, limit: 1 };
    expect(await ask(engine, request)).toMatchObject({ ids: ["r77"], driver: "vectors" });
    await engine.approximateReady();
    expect(await ask(engine, request)).toMatchObject({ ids: ["r77"], driver: GRAPH });
    expect(factsOf(folder)).toMatchObject({ dim: 16 });
  });

  it("serves image vectors by a graph of their own", async () => {
    const folder = copyOf("images");
    const engine = await open(folder, { from: 300 });
    const writer = await engine.writer();
    await writer.setEmbedder("image", { id: "test-image", dim: DIM });
    const blobs = Array.from({ length: 300 }, (_, i) => new TextEncoder().encode(`picture ${i}`));
    const refs = blobs.map(blobRefOf);
    await writer.write({
      blobs,
      imageVectors: refs.map((blob, i) => ({ blob, vector: vectorOf(i, 5) })),
      records: refs.map((thumb, i) => ({ ...pictured, id: `v${i}`, thumb, image: thumb })) as RecordInput[],
    });
    expect(await engine.approximateReady("image")).toEqual({ ready: true });
    const found = await ask(engine, { meaning: { image: vectorOf(42, 5) }, limit: 1 });
    expect(found).toMatchObject({ ids: ["v42"], driver: GRAPH });
  });

  it("can be waited for with an end to it, and leaves nothing behind when it is stopped", async () => {
    const folder = copyOf("stopped", { graph: false });
    const engine = await open(folder);
    const seen: number[] = [];
    const ending = new AbortController();
    const waiting = engine.approximateReady("text", {
      signal: ending.signal,
      onProgress: (done) => seen.push(done),
    });
    ending.abort();
    await expect(waiting).rejects.toMatchObject({ code: "aborted" });
    await engine.close();
    expect(filesOf(folder).filter((name) => name.endsWith(".partial"))).toEqual([]);
  });
});

describe.skipIf(!hasUsearch())(`the graph's file${hasUsearch() ? "" : " (needs usearch)"}`, () => {
  /** Whether the file that lies in a folder is used as it is. */
  async function isKept(folder: string): Promise<boolean> {
    const madeAt = () => statSync(binOf(folder), { bigint: true }).mtimeNs;
    const before = madeAt();
    const engine = await open(folder);
    expect(await engine.approximateReady()).toEqual({ ready: true });
    expect(await recall(engine, 5)).toBeGreaterThan(0.9);
    await engine.close();
    return madeAt() === before;
  }

  it("serves the next process, a tail behind it too", async () => {
    const folder = copyOf("kept");
    expect(await isKept(folder)).toBe(true);
    await write(folder, [batch(ROWS, 100)]);
    expect(await isKept(folder)).toBe(true);
  });

  it.each<[string, (folder: string) => void]>([
    ["torn", (folder) => truncateSync(binOf(folder), 100_000)],
    ["changed in one byte", (folder) => flip(binOf(folder))],
    ["without facts", (folder) => writeFileSync(join(folder, "hnsw-text.json"), "{")],
    ["with facts that claim more", (folder) => claim(folder, { record: 1 })],
    ["with facts that lead elsewhere", (folder) => claim(folder, { file: "../memory.db" })],
  ])("is built anew when it is %s", async (name, damage) => {
    const folder = copyOf(name.replaceAll(" ", "-"));
    damage(folder);
    expect(await isKept(folder)).toBe(false);
  });

  it("is built anew when it is another memory's", async () => {
    const folder = join(base, "foreign");
    await write(folder, [batch(0, ROWS)]);
    for (const name of filesOf(good)) copyFileSync(join(good, name), join(folder, name));
    expect(await isKept(folder)).toBe(false);
  });

  it("is the same again for the same memory", async () => {
    const folder = copyOf("again", { graph: false });
    await (await open(folder)).approximateReady();
    expect(factsOf(folder)).toEqual(factsOf(good));
  });
});

const pictured = { kind: "view", observationId: "r0", validFromUs: 1, validToUs: 2 };

function flip(path: string): void {
  const bytes = readFileSync(path);
  bytes[bytes.length >> 1]! ^= 0x10;
  writeFileSync(path, bytes);
}

function claim(folder: string, facts: Record<string, unknown>): void {
  writeFileSync(join(folder, "hnsw-text.json"), JSON.stringify({ ...factsOf(folder), ...facts }));
}

function factsOf(folder: string): Record<string, unknown> {
  return JSON.parse(readFileSync(join(folder, "hnsw-text.json"), "utf8"));
}

async function until(condition: () => boolean): Promise<void> {
  for (let i = 0; i < 2_000 && !condition(); i++) await new Promise((resolve) => setTimeout(resolve, 20));
  expect(condition()).toBe(true);
}
