import {
  copyFileSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { contentDigest } from "../dump-json.ts";
import { SqliteEngine } from "./engine.ts";
import { SCHEMA_VERSION } from "./tables.ts";

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-files-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const caption = (id: string, text: string) => ({
  kind: "caption" as const,
  id,
  source: "human" as const,
  text: [text],
  validFromUs: 0,
  validToUs: 1,
});

describe("what lies in a memory's folder", () => {
  it("is its owner's alone", async () => {
    const made = join(folder, "house", "memory");
    const mask = process.umask(0o022);
    try {
      const engine = await SqliteEngine.open({ folder: made });
      const writer = await engine.writer();
      await writer.write({ records: [caption("a", "the safe is behind the picture")] });
      const modes = readdirSync(made).map((name) => [name, statSync(join(made, name)).mode & 0o777] as const);
      expect(modes.map(([name]) => name)).toEqual(
        expect.arrayContaining(["memory.db", "memory.db-wal", "memory.db-shm", "writer.lock", "head"]),
      );
      expect(modes.filter(([, mode]) => (mode & 0o077) !== 0)).toEqual([]);
      expect(statSync(made).mode & 0o777).toBe(0o700);
      await writer.close();
      await engine.close();
    } finally {
      process.umask(mask);
    }
  });
});

describe("an older memory", () => {
  it("of version 1 is brought up to date with everything it held", async () => {
    copyFileSync(join(import.meta.dirname, "../testing/fixtures/memory-v1.db"), join(folder, "memory.db"));
    const engine = await SqliteEngine.open({ folder, create: false });
    const reader = await engine.reader();
    expect((await reader.stats()).records).toMatchObject({ caption: 2, track: 1, state: 1 });
    expect((await reader.history("note")).map((version) => version.text)).toEqual([["first"], ["second"]]);
    expect((await reader.presence(["mug-1"]))[0]).toMatchObject({ firstSeenUs: 10, lastSeenUs: 20 });
    expect(
      (await reader.search({ meaning: { vector: new Float32Array([1, 0, 0, 0]) } })).hits[0]?.record.id,
    ).toBe("mug-1");
    const writer = await engine.writer();
    await writer.write({ records: [caption("new", "written by this version")] });
    await writer.forget({ ids: ["other"], reason: "test" });
    expect((await engine.verify()).problems).toEqual([]);
    await engine.close();
    const db = new DatabaseSync(join(folder, "memory.db"));
    expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: SCHEMA_VERSION });
    db.close();
  });
});

describe("a memory of version 2", () => {
  it("keeps its texts, their numbers and its images, and finds texts by content again", async () => {
    copyFileSync(join(import.meta.dirname, "../testing/fixtures/memory-v2.db"), join(folder, "memory.db"));
    const engine = await SqliteEngine.open({ folder, create: false });
    const reader = await engine.reader();
    expect(await reader.stats()).toMatchObject({ texts: 4, vectors: 3, blobs: 1, versions: 3 });
    expect((await reader.history("note")).map((version) => version.text)).toEqual([
      ["first"],
      ["second", "and a second line: ünïcode 北京"],
    ]);
    const byImage = await reader.search({ meaning: { image: new Float32Array([0, 1]) } });
    expect(byImage.hits.map(({ record, scores }) => [record.id, scores.image])).toEqual([["shown", 1]]);
    const writer = await engine.writer();
    expect(await writer.knownTexts(["first", "second", "a picture of a mug", "new"])).toEqual([
      true,
      true,
      false,
      false,
    ]);
    await writer.write({ records: [caption("again", "first"), caption("new", "a new text")] });
    expect((await reader.stats()).texts).toBe(5);
    expect((await engine.verify()).problems).toEqual([]);
    await engine.close();
    const db = new DatabaseSync(join(folder, "memory.db"));
    // Number 6 belonged to what was forgotten; it is never used again.
    expect(db.prepare("SELECT max(id) AS last FROM meaning").get()).toEqual({ last: 7 });
    db.close();
  });
});

describe("a memory of version 3", () => {
  it("gets its checksums, answers the same and verifies; an older program would be told that it is newer", async () => {
    const fixture = readFileSync(join(import.meta.dirname, "../testing/fixtures/memory-v3.db.gz"));
    writeFileSync(join(folder, "memory.db"), gunzipSync(fixture));
    const engine = await SqliteEngine.open({ folder, create: false });
    const reader = await engine.reader();
    expect(await reader.stats()).toMatchObject({
      versions: 11,
      sightings: 2,
      frames: 2,
      texts: 6,
      vectors: 6,
      blobs: 2,
      mapRevision: 1,
    });
    const found = await reader.search({ meaning: { words: "red mug" }, rank: "words" });
    expect(found.hits.map(({ record }) => record.id)).toEqual(["e-1", "t-mug", "v-1", "s-mug"]);
    const [mug] = (await reader.search({ kinds: ["state"], where: { category: ["mug"] } })).hits;
    expect(mug).toMatchObject({ record: { id: "s-mug", version: 2 }, position: { x: 5, y: 3, z: 0.5 } });
    expect((await reader.presence(["s-mug"]))[0]).toMatchObject({ firstSeenUs: 5, firstAbsentAfterUs: 9 });
    expect((await engine.verify()).problems).toEqual([]);
    const writer = await engine.writer();
    await writer.write({ records: [caption("new", "written by this version")] });
    await writer.forget({ ids: ["t-mug"], reason: "test" });
    expect((await engine.verify()).problems).toEqual([]);
    await engine.close();
    const db = new DatabaseSync(join(folder, "memory.db"));
    expect(db.prepare("PRAGMA user_version").get()).toEqual({ user_version: SCHEMA_VERSION });
    db.exec(`PRAGMA user_version = ${SCHEMA_VERSION + 1}`);
    db.close();
    await expect(SqliteEngine.open({ folder, create: false })).rejects.toMatchObject({
      code: "memory-newer",
    });
  });
});

describe("a memory of version 4", () => {
  it("knew no other memories, and takes their batches from now on", async () => {
    const before = await SqliteEngine.open({ folder });
    const first = await before.writer();
    await first.write({ records: [caption("old", "written before there was a sync")] });
    await before.close();
    const db = new DatabaseSync(join(folder, "memory.db"));
    db.exec(`DROP TABLE heard; PRAGMA user_version = 4;
      UPDATE meta SET value = json_remove(value, '$.totals.heard') WHERE key = 'head'`);
    db.close();
    const engine = await SqliteEngine.open({ folder, create: false });
    expect((await engine.verify()).problems).toEqual([]);
    const writer = await engine.writer();
    await writer.write({ records: [caption("new", "a robot's")], from: { memory: "robot", atUs: 5 } });
    expect((await engine.verify()).problems).toEqual([]);
    const log = await engine.log();
    expect((await log.heard()).get("robot")).toBe(5);
    await engine.close();
  });
});

describe("a backup", () => {
  it("is whole and consistent although the writer goes on", async () => {
    const engine = await SqliteEngine.open({ folder });
    const writer = await engine.writer();
    for (let i = 0; i < 20; i++)
      await writer.write({
        records: [caption(`a${i}`, "x".repeat(5_000) + i), caption(`b${i}`, `pair ${i}`)],
      });
    const target = join(folder, "copy");
    let going = true;
    const writing = (async () => {
      for (let i = 20; going; i++) {
        await writer.write({ records: [caption(`a${i}`, `more ${i}`), caption(`b${i}`, `pair ${i}`)] });
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await engine.backup(target);
    going = false;
    await writing;
    await expect(engine.backup(target)).rejects.toMatchObject({ code: "memory-exists" });
    await engine.close();
    const copy = await SqliteEngine.open({ folder: target, create: false });
    expect((await copy.verify()).problems).toEqual([]);
    const { caption: count } = (await (await copy.reader()).stats()).records;
    expect(count).toBeGreaterThanOrEqual(40);
    expect(count % 2).toBe(0);
    await copy.close();
  });
});

describe("creating", () => {
  it("leaves nothing half-made behind and refuses a file in the way", async () => {
    mkdirSync(join(folder, "m"));
    const engine = await SqliteEngine.open({ folder: join(folder, "m") });
    await engine.close();
    expect(readdirSync(join(folder, "m")).filter((name) => name.endsWith(".new"))).toEqual([]);
    await expect(SqliteEngine.open({ folder: join(folder, "m", "memory.db", "x") })).rejects.toMatchObject({
      code: "invalid-input",
    });
    expect(existsSync(join(folder, "m", "memory.db"))).toBe(true);
  });
});

describe("verify", () => {
  it("refuses a number that no JavaScript number can hold, whoever reads it", async () => {
    const engine = await SqliteEngine.open({ folder });
    const writer = await engine.writer();
    await writer.write({ records: [caption("a", "one")] });
    await writer.close();
    const db = new DatabaseSync(join(folder, "memory.db"));
    db.exec("UPDATE record SET valid_from = 290025293559384744");
    db.close();
    const reader = await engine.reader();
    const corrupt = expect.objectContaining({ code: "memory-corrupt" });
    await expect(contentDigest(reader)).rejects.toEqual(corrupt);
    await expect(reader.get(["a"])).rejects.toEqual(corrupt);
    expect((await engine.verify()).problems.join()).toContain("a number that was never written");
    await engine.close();
  });

  it("finds what breaks the rules and mends only what can be made again", async () => {
    const engine = await SqliteEngine.open({ folder });
    const writer = await engine.writer();
    await writer.write({ records: [caption("a", "one"), caption("b", "two")] });
    await writer.close();
    const db = new DatabaseSync(join(folder, "memory.db"));
    db.exec("INSERT INTO meaning (hash, text) VALUES (0, 'nobody says this')");
    expect((await engine.verify()).problems).toEqual([expect.stringContaining("does not match its address")]);
    db.exec(
      "UPDATE meaning SET text = 'changed' WHERE text = 'two'; UPDATE record SET superseded_at = 1 WHERE id = 'a'",
    );
    db.close();
    const { problems, repaired } = await engine.verify({ repair: true });
    expect(problems).toHaveLength(5);
    expect(problems.join()).toContain("record a: has no current version");
    expect(problems.join()).toContain("record a version 1: its row is not what was written");
    expect(repaired).toEqual(["1 texts, 0 vectors and 0 blobs that nothing used"]);
    expect((await engine.verify()).problems).toHaveLength(4);
    await engine.close();
  });
});
