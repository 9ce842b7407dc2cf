import {
  copyFileSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  truncateSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { RecordInput } from "../../schema/index.ts";
import type { WriteBatch } from "../port.ts";
import { SqliteEngine } from "../sqlite/engine.ts";
import { EmbeddedEngine } from "./engine.ts";

const base = mkdtempSync(join(tmpdir(), "loci-snapshot-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));

const ROWS = 3_000;
const vectorOf = (i: number) => new Float32Array([Math.cos(i), Math.sin(i), 0, 0.1]);

function batch(from: number, count: number, word = "mug"): WriteBatch {
  const records: RecordInput[] = Array.from({ length: count }, (_, k) => ({
    kind: "caption",
    id: `r${from + k}`,
    source: "human",
    text: [`${word} number ${from + k}`],
    anchor: { submap: "world", p: { x: from + k, y: 0, z: 0 } },
    validFromUs: from + k,
    validToUs: null,
  }));
  return { records, vectors: records.map((r, k) => ({ text: r.text![0]!, vector: vectorOf(from + k) })) };
}

async function fill(
  folder: string,
  engineOf: typeof EmbeddedEngine | typeof SqliteEngine,
  from: number,
  count: number,
): Promise<void> {
  const engine = await engineOf.open({ folder });
  const writer = await engine.writer();
  await writer.setEmbedder("text", { id: "test", dim: 4 });
  await writer.write(batch(from, count));
  await engine.close();
}

/** Opens, searches by every kind of key, and says how the index came to be. */
async function ask(folder: string, expected: number): Promise<string> {
  const engine = await EmbeddedEngine.open({ folder, create: false });
  const reader = await engine.reader();
  expect(await reader.count({})).toBe(expected);
  const last = expected - 1;
  expect((await reader.search({ meaning: { vector: vectorOf(last) }, limit: 1 })).hits[0]?.score).toBeCloseTo(
    1,
    5,
  );
  expect(
    await reader.searchIds({ space: { type: "nearest", point: { x: last, y: 0, z: 0 } }, limit: 1 }),
  ).toMatchObject([{ id: `r${last}` }]);
  expect(await reader.searchIds({ meaning: { words: String(last) }, limit: 1 })).toMatchObject([
    { id: `r${last}` },
  ]);
  expect(await reader.searchIds({ limit: 1 })).toMatchObject([{ id: `r${last}` }]);
  const origin = engine.indexOrigin;
  await engine.close();
  return origin;
}

describe("the snapshot", () => {
  const good = join(base, "good");
  const snapshot = (folder: string) => join(folder, "index.bin");
  beforeAll(() => fill(good, EmbeddedEngine, 0, ROWS));

  const copyOf = (name: string) => {
    const folder = mkdtempSync(join(base, `${name}-`));
    for (const file of ["memory.db", "index.bin"]) copyFileSync(join(good, file), join(folder, file));
    return folder;
  };

  it("is read instead of building the index", async () => {
    expect(existsSync(snapshot(good))).toBe(true);
    expect(await ask(good, ROWS)).toBe("snapshot");
  });

  it("is caught up with what was written since, by any engine", async () => {
    const folder = copyOf("stale");
    await fill(folder, SqliteEngine, ROWS, 10);
    expect(await ask(folder, ROWS + 10)).toBe("snapshot");
  });

  it.each([
    ["cut short", (path: string) => truncateSync(path, statSync(path).size / 2)],
    ["emptied", (path: string) => truncateSync(path, 0)],
    [
      "damaged in the middle",
      (path: string) => {
        const bytes = readFileSync(path);
        bytes[Math.floor(bytes.length * 0.7)]! ^= 1;
        writeFileSync(path, bytes);
      },
    ],
    [
      "given another cursor",
      (path: string) => {
        const bytes = readFileSync(path);
        bytes.writeDoubleLE(10, 0);
        writeFileSync(path, bytes);
      },
    ],
  ])("is noticed and built anew when %s", async (name, change) => {
    const folder = copyOf(name.replaceAll(" ", "-"));
    change(snapshot(folder));
    expect(await ask(folder, ROWS)).toBe("built");
    expect(await ask(folder, ROWS)).toBe("snapshot");
  });

  it("of another database is not taken", async () => {
    const other = join(base, "other");
    await fill(other, EmbeddedEngine, 0, ROWS);
    copyFileSync(snapshot(good), snapshot(other));
    expect(await ask(other, ROWS)).toBe("built");
  });

  it("is of no use once the vectors are another embedder's", async () => {
    const folder = copyOf("reembedded");
    const engine = await SqliteEngine.open({ folder });
    const writer = await engine.writer();
    await writer.reembed({ id: "other", dim: 4 }, async (lines) => lines.map((_, i) => vectorOf(i)));
    await engine.close();
    const opened = await EmbeddedEngine.open({ folder, create: false });
    const reader = await opened.reader();
    expect(await reader.count({ meaning: { vector: vectorOf(0) } })).toBe(ROWS);
    expect(opened.indexOrigin).toBe("built");
    await opened.close();
  });

  it("never keeps what was forgotten", async () => {
    const folder = copyOf("forgetting");
    const engine = await EmbeddedEngine.open({ folder });
    const writer = await engine.writer();
    await writer.write(batch(ROWS, 1, "confidential"));
    await writer.forget({ ids: [`r${ROWS}`], reason: "asked to" });
    expect(existsSync(snapshot(folder))).toBe(false);
    expect(await (await engine.reader()).count({ meaning: { words: "confidential" } })).toBe(0);
    await engine.close();
    expect(readFileSync(snapshot(folder)).includes("confidenti")).toBe(false);
    expect(await ask(folder, ROWS)).toBe("snapshot");
  });
});

describe("following another writer", () => {
  it("an open reader sees every commit of another connection at its next search", async () => {
    const folder = join(base, "followed");
    await fill(folder, SqliteEngine, 0, 5);
    const reading = await EmbeddedEngine.open({ folder, create: false });
    const reader = await reading.reader();
    expect(await reader.count({})).toBe(5);
    const writing = await SqliteEngine.open({ folder });
    const writer = await writing.writer();
    for (let i = 5; i < 12; i++) {
      await writer.write(batch(i, 1));
      expect(await reader.count({})).toBe(i + 1);
      expect(await reader.searchIds({ limit: 1 })).toMatchObject([{ id: `r${i}` }]);
    }
    await writer.write({ records: [{ ...batch(3, 1).records![0]!, text: ["a spoon"] }] });
    expect(await reader.searchIds({ meaning: { words: "spoon" } })).toMatchObject([{ id: "r3" }]);
    expect(await reader.count({ meaning: { words: "3" } })).toBe(0);
    const turn = { w: Math.SQRT1_2, x: 0, y: 0, z: Math.SQRT1_2 };
    await writer.write({
      frames: [
        { parent: "world", child: "map", transform: { p: { x: 100, y: 0, z: 0 }, q: turn }, revision: 1 },
      ],
      records: [
        {
          kind: "caption",
          id: "far",
          source: "human",
          text: ["far away"],
          anchor: { submap: "map", p: { x: 1, y: 0, z: 0 } },
          validFromUs: 99,
          validToUs: null,
        },
      ],
    });
    const near = (x: number) =>
      reader.searchIds({ space: { type: "radius", centre: { x, y: 1, z: 0 }, radiusM: 0.1 } });
    expect(await near(100)).toMatchObject([{ id: "far" }]);
    await writer.write({
      frames: [
        { parent: "world", child: "map", transform: { p: { x: 200, y: 0, z: 0 }, q: turn }, revision: 2 },
      ],
    });
    expect(await near(100)).toEqual([]);
    expect(await near(200)).toMatchObject([{ id: "far" }]);
    await writer.forget({ ids: ["far", "r0"], reason: "test" });
    expect(await reader.count({})).toBe(11);
    await writing.close();
    await reading.close();
  });

  it("searches go on while the writer's thread commits, and see whole commits only", async () => {
    const folder = join(base, "threads");
    const engine = await EmbeddedEngine.open({ folder });
    const writer = await engine.writer();
    await writer.setEmbedder("text", { id: "test", dim: 4 });
    const reader = await engine.reader();
    let done = false;
    const writing = (async () => {
      for (let i = 0; i < 60; i++) await writer.write(batch(i * 50, 50));
      done = true;
    })();
    let searches = 0;
    const counts = new Set<number>();
    while (!done) {
      counts.add((await reader.count({})) % 50);
      const hits = await reader.searchIds({ meaning: { vector: vectorOf(7) }, limit: 20 });
      expect(hits.map((hit) => hit.score)).toEqual(hits.map((hit) => hit.score).sort((a, b) => b - a));
      searches++;
      await new Promise((resolve) => setImmediate(resolve));
    }
    await writing;
    expect([...counts]).toEqual([0]);
    expect(searches).toBeGreaterThan(10);
    expect(await reader.count({})).toBe(3_000);
    await engine.close();
  });
});
