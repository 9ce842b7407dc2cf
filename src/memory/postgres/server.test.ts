import { PGlite } from "@electric-sql/pglite";
import { vector } from "@electric-sql/pglite-pgvector";
import { beforeAll, describe, expect, it } from "vitest";
import { blobRefOf, isLociError, LociError } from "../../schema/core.ts";
import type { BlobStore } from "../blobs/blob-store.ts";
import { record, refuses, vectorOf } from "../testing/contract/fixtures.ts";
import { PgliteDatabase } from "../testing/pglite.ts";
import type { Database, Session } from "./database.ts";
import { PostgresEngine } from "./engine.ts";
import { failureOf } from "./failure.ts";
import { SCENE_TABLES } from "./tables.ts";
import { parsePostgresUrl } from "./url.ts";

let db: PGlite;
beforeAll(async () => {
  db = await PGlite.create({ extensions: { vector } });
  await db.exec("SET search_path TO loci, public");
});

/** A database that keeps every statement it is given. */
function listening(inner: Database): { database: Database; statements: string[] } {
  const statements: string[] = [];
  const heard = (session: Session): Session => {
    const hear = <T>(text: string, result: Promise<T>): Promise<T> => {
      statements.push(...text.split(";"));
      return result;
    };
    return {
      rows: (text, values) => hear(text, session.rows(text, values)),
      often: (text, values) => hear(text, session.often(text, values)),
      run: (text, values) => hear(text, session.run(text, values)),
      exec: (text) => hear(text, session.exec(text)),
      copy: (into, data, format) => hear(`COPY ${into}`, session.copy(into, data, format)),
    };
  };
  const database: Database = {
    what: inner.what,
    session: (work) => inner.session((session) => work(heard(session))),
    reading: (work) => inner.reading((session) => work(heard(session))),
    close: () => inner.close(),
  };
  return { database, statements };
}

/** A bit of everything that a memory does. */
async function useEverything(engine: PostgresEngine): Promise<void> {
  const writer = await engine.writer();
  await writer.setEmbedder("text", { id: "test", dim: 8 });
  const place = { anchor: { submap: "world", p: { x: 1, y: 2, z: 0 } } };
  await writer.write({
    records: [
      record("track", "t1"),
      record("state", "s1", { text: ["red mug"], ...place, labels: ["kitchen"] }),
      record("observation", "o1"),
      record("caption", "c1", { text: ["a blue chair"], ...place }),
    ],
    vectors: ["red mug", "a blue chair"].map((text) => ({ text, vector: vectorOf(text) })),
    sightings: [{ stateId: "s1", timeUs: 1, outcome: "seen" }],
    frames: [
      {
        parent: "world",
        child: "map",
        transform: { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
      },
    ],
    blobs: [new Uint8Array([1, 2, 3])],
  });
  await writer.write({ records: [record("caption", "c1", { text: ["a green chair"], ...place })] });
  await writer.calibrate("text");
  await writer.begin({ id: "w", what: "work" });
  await writer.finish("w");
  for (const options of [{}, { principal: { id: "guest", labels: [] } }, { asOfMemoryUs: 1 }]) {
    const reader = await engine.reader(options);
    const near = { type: "radius" as const, centre: { x: 1, y: 2, z: 0 }, radiusM: 2 };
    const meaning = { vector: vectorOf("red mug") };
    for (const request of [
      {},
      { meaning },
      { meaning, space: near },
      { meaning: { words: "chair mug" } },
      { meaning: { ...meaning, words: "mug" }, time: { overlaps: { fromUs: 0, toUs: 9 } } },
      { space: { type: "nearest" as const, point: { x: 0, y: 0, z: 0 } } },
    ])
      await reader.search(request);
    await reader.get(["c1"]);
    await reader.history("c1");
    await reader.sightings({});
    await reader.presence(["s1"]);
    await reader.frames();
    await reader.blob("0".repeat(64));
    await reader.stats();
    await reader.unfinished();
    for await (const _ of reader.changes({ live: false }));
    for await (const _ of reader.dump());
  }
  await engine.verify({ repair: true });
  await writer.reembed({ id: "other", dim: 8 }, async (lines) => lines.map((line) => vectorOf(line)));
  await writer.forget({ ids: ["t1"], reason: "asked to" });
}

describe("statements", () => {
  it("name the scene wherever they touch a table of scenes, so that a distributed server knows where to go", async () => {
    const { database, statements } = listening(new PgliteDatabase(db));
    const engine = await PostgresEngine.open({ database, scene: "statements", partitions: 2, resident: 0 });
    const cold = await PostgresEngine.open({ database, scene: "cold", resident: false });
    statements.length = 0;
    await useEverything(engine);
    await useEverything(cold);
    const tables = SCENE_TABLES.map((table) => `\\b(FROM|JOIN|INTO|UPDATE|COPY|USING) ${table}(_p\\d+)?\\b`);
    const touching = statements.filter((text) => tables.some((table) => new RegExp(table).test(text)));
    expect(touching.length).toBeGreaterThan(100);
    expect([...new Set(touching)].filter((text) => !text.includes("scene_id"))).toEqual([]);
  });
});

describe("the second wall", () => {
  it("hides rows from whoever reads as a restricted reader, whatever is asked, and changes no plan", async () => {
    const database = new PgliteDatabase(db);
    const engine = await PostgresEngine.open({ database, scene: "walled", partitions: 2, resident: false });
    const writer = await engine.writer();
    const at = (x: number) => ({ anchor: { submap: "world", p: { x, y: 0, z: 0 } } });
    const labels = (n: number) => (n % 2 === 0 ? { labels: ["private"] } : {});
    await writer.write({
      records: Array.from({ length: 2_000 }, (_, n) =>
        record("caption", `c${n}`, { ...at(n), ...labels(n) }),
      ),
    });
    await db.exec("ANALYZE");
    const rows = `FROM record r WHERE r.scene_id = ${engine.sceneId} AND r.superseded_at IS NULL`;
    // As a restricted reader asks, with our own filter: the wall behind it is the only difference.
    const cells = `${rows} AND r.labels <@ '{}' AND r.submap = 'world' AND r.cell BETWEEN 0 AND 140737488355328 AND r.valid_from < 5 LIMIT 3`;
    const as = (role: string, sql: string) =>
      database.session(async (session) => {
        const set = `SET LOCAL ROLE ${role}; SET LOCAL loci.labels = '{}';`;
        const found = await session.exec(`BEGIN; ${set} ${sql}`);
        await session.exec("ROLLBACK");
        return found.map(String);
      });
    expect(await as("postgres", `SELECT count(*) ${rows}`)).toEqual(["2000"]);
    expect(await as("loci_reader", `SELECT count(*) ${rows}`)).toEqual(["1000"]);
    /** How the rows are found; what the policy itself reads is no part of it. */
    const shape = (plan: string[]) =>
      plan.flatMap((line) => /\w+( \w+)? Scan using \w+|Seq Scan/.exec(line)?.[0] ?? []);
    const [owner, reader] = [
      await as("postgres", `EXPLAIN SELECT r.row ${cells}`),
      await as("loci_reader", `EXPLAIN SELECT r.row ${cells}`),
    ];
    expect(shape(owner).length).toBeGreaterThan(0);
    expect(shape(reader)).toEqual(shape(owner));
    await engine.close();
  });
});

describe("tables of an older Loci", () => {
  it("are brought up to date with what they hold", async () => {
    const schema = "older";
    const database = new PgliteDatabase(db);
    await db.exec(`SET search_path TO ${schema}, public`);
    try {
      const before = await PostgresEngine.open({ database, schema, partitions: 1 });
      await (await before.writer()).write({ records: [record("caption", "old")] });
      // What each version since brought, taken away again.
      await db.exec(`DROP TABLE heard; ALTER TABLE record DROP COLUMN reach;
        DROP TABLE blob_leaving; ALTER TABLE blob DROP COLUMN size;
        UPDATE schema_version SET version = 1`);
      const engine = await PostgresEngine.open({ database, schema, create: false });
      const writer = await engine.writer();
      await writer.write({ records: [record("caption", "new")], from: { memory: "robot", atUs: 5 } });
      expect((await (await engine.log()).heard()).get("robot")).toBe(5);
      expect((await (await engine.reader()).stats()).records.caption).toBe(2);
      const { rows } = await db.query(
        "SELECT indexdef FROM pg_indexes WHERE indexname = 'record_i2' AND schemaname = $1",
        [schema],
      );
      expect(JSON.stringify(rows)).toContain("INCLUDE");
    } finally {
      await db.exec("SET search_path TO loci, public");
    }
  });
});

describe("what goes wrong is said in one line", () => {
  it("no pgvector", async () => {
    const bare = await PGlite.create();
    await refuses("not-supported", () => PostgresEngine.open({ database: new PgliteDatabase(bare) }));
    await bare.close();
  });

  it("tables of a newer Loci, and tables that are not ours", async () => {
    await db.exec("CREATE SCHEMA other; SET search_path TO other, public; CREATE TABLE record (id text)");
    const options = { database: new PgliteDatabase(db), schema: "other", partitions: 1 };
    await refuses("memory-corrupt", () => PostgresEngine.open(options));
    await db.exec("DROP TABLE record");
    await PostgresEngine.open(options);
    await db.exec("UPDATE schema_version SET version = 99");
    await refuses("memory-newer", () => PostgresEngine.open(options));
    await db.exec("SET search_path TO loci, public");
  });

  it("a scene that is not there, where none may be made", async () => {
    const database = new PgliteDatabase(db);
    await refuses("memory-not-found", () =>
      PostgresEngine.open({ database, scene: "nobody", create: false }),
    );
  });

  it("whatever the server refuses, by its code", () => {
    for (const [code, expected] of [
      ["28P01", "access-denied"],
      ["3D000", "memory-not-found"],
      ["53300", "overloaded"],
      ["53100", "memory-full"],
      ["57014", "overloaded"],
      ["40001", "memory-busy"],
      ["ECONNREFUSED", "source-unavailable"],
    ] as const) {
      const failure = failureOf(
        Object.assign(new Error("as the server says"), { code }),
        "postgres://host/db",
      );
      expect(isLociError(failure, expected), `${code} is ${expected}`).toBe(true);
      expect((failure as Error).message).toMatch(/^postgres:\/\/host\/db.*[^.\n]$/);
    }
  });

  it("a URL that is none", () => {
    for (const url of [
      "postgres://h/d?sceen=x",
      "postgres://",
      "postgres://h:p:q/d",
      "postgres://h/d?pool=0",
      "postgres://h/d?schema=A B",
    ])
      expect(() => parsePostgresUrl(url)).toThrow(/the memory's URL/);
    expect(parsePostgresUrl("postgres://u:p%40ss@a:1,b/d?scene=x&stale=2")).toMatchObject({
      hosts: [
        { host: "a", port: 1 },
        { host: "b", port: 5432 },
      ],
      password: "p@ss",
      scene: "x",
      staleS: 2,
    });
  });
});

describe("a write whose answer was lost", () => {
  it("is done once, although it is tried again", async () => {
    const inner = new PgliteDatabase(db);
    let broken = 0;
    const database: Database = {
      what: "a breaking line",
      session: (work) =>
        inner.session(async (session) => {
          const breaking: Session = {
            ...session,
            exec: async (text) => {
              const rows = await session.exec(text);
              // The commit succeeded, but its acknowledgement is lost.
              if (text === "COMMIT" && broken++ === 0)
                throw Object.assign(new Error("gone"), { code: "ECONNRESET" });
              return rows;
            },
          };
          return work(breaking);
        }),
      reading: (work) => inner.reading(work),
      close: () => inner.close(),
    };
    const made = await PostgresEngine.open({ database: inner, scene: "lost-answer", resident: false });
    const writer = await made.writer();
    await writer.write({ records: [record("track", "t1"), record("state", "s1")] });
    const engine = await PostgresEngine.open({ database, scene: "lost-answer", resident: false });
    const look = { stateId: "s1", timeUs: 1, outcome: "seen" as const };
    const commit = await (await engine.writer()).write({
      records: [record("caption", "c")],
      sightings: [look],
    });
    expect(broken).toBe(1);
    const reader = await made.reader();
    expect((await reader.stats()).sightings).toBe(1);
    expect((await reader.get(["c"]))[0]?.recordedAtUs).toBe(commit.commitUs);
  });
});

describe("blobs in a store", () => {
  it("lie there and nowhere else, are held against their names, and leave it when they are forgotten", async () => {
    const kept = new Map<string, Uint8Array>();
    const blobs: BlobStore = {
      what: "a store",
      put: async (key, bytes) => void kept.set(key, bytes),
      get: async (key) => kept.get(key),
      delete: async (key) => void kept.delete(key),
    };
    const database = new PgliteDatabase(db);
    const open = (scene: string) =>
      PostgresEngine.open({ database, scene, partitions: 2, resident: false, blobs });
    const [engine, other] = [await open("stored"), await open("stored too")];
    const bytes = new Uint8Array([9, 8, 7]);
    const ref = blobRefOf(bytes);
    const view = { ...record("observation", "o1"), rgb: ref };
    for (const one of [engine, other]) await (await one.writer()).write({ records: [view], blobs: [bytes] });
    expect([...kept.keys()].map((key) => key.split("/")[1])).toEqual([ref, ref]);
    expect((await db.query("SELECT count(*) AS n FROM blob WHERE data IS NULL")).rows).toEqual([{ n: 2 }]);
    const reader = await engine.reader();
    expect(await reader.blob(ref)).toEqual(bytes);
    expect(await (await engine.reader({ principal: { id: "guest", labels: [] } })).blob(ref)).toEqual(bytes);
    const dumped: Uint8Array[] = [];
    for await (const row of reader.dump()) if (row.type === "blob") dumped.push(row.bytes);
    expect(dumped).toEqual([bytes]);
    expect((await engine.verify()).problems).toEqual([]);
    await (await engine.writer()).forget({ ids: ["o1"], reason: "asked to" });
    expect(kept.size).toBe(1);
    const [left] = kept.keys();
    kept.set(left!, new Uint8Array([1]));
    await refuses("memory-corrupt", async () => (await other.reader()).blob(ref));
    expect((await other.verify()).problems).toHaveLength(1);
    const blind = await PostgresEngine.open({ database, scene: "stored too", resident: false });
    await refuses("source-unavailable", async () => (await blind.reader()).blob(ref));
  });

  it("are swept away later where that was cut off, but not what was written again", async () => {
    const kept = new Map<string, Uint8Array>();
    let broken = true;
    const blobs: BlobStore = {
      what: "a store that breaks",
      put: async (key, bytes) => void kept.set(key, bytes),
      get: async (key) => kept.get(key),
      delete: async (key) => {
        if (broken) throw new LociError("source-unavailable", "gone");
        kept.delete(key);
      },
    };
    const database = new PgliteDatabase(db);
    const engine = await PostgresEngine.open({ database, scene: "swept", partitions: 2, blobs });
    const writer = await engine.writer();
    const looks = [1, 2].map((n) => ({ bytes: new Uint8Array([n]), id: `o${n}` }));
    const write = (some: typeof looks) =>
      writer.write({
        records: some.map(({ id, bytes }) => ({ ...record("observation", id), rgb: blobRefOf(bytes) })),
        blobs: some.map(({ bytes }) => bytes),
      });
    await write(looks);
    await refuses("source-unavailable", () => writer.forget({ ids: ["o1", "o2"], reason: "asked to" }));
    expect(kept.size).toBe(2);
    await write(looks.slice(0, 1));
    broken = false;
    await engine.verify({ repair: true });
    expect([...kept.values()]).toEqual([looks[0]!.bytes]);
    expect((await engine.verify()).problems).toEqual([]);
  });
});
