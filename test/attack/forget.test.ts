import { spawn } from "node:child_process";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { setTimeout } from "node:timers/promises";
import sharp from "sharp";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { type Memory, openMemory } from "../../src/index.ts";
import { NAMED } from "../../src/memory/sqlite/forget.ts";
import { withoutParts } from "../../src/memory/traces.ts";
import {
  blobRefOf,
  blobsOf,
  GOES_WITH,
  type LociRecord,
  type RecordInput,
  recordSchema,
  referencesOf,
} from "../../src/schema/index.ts";

let folder: string;
let memory: Memory;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-forget-"));
  memory = await openMemory(folder);
});
afterEach(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

/** What of the thing is in which file: words that nothing else uses, its crop, its vectors. */
function grep(pattern: RegExp): Record<string, string[]> {
  const found: Record<string, string[]> = {};
  for (const name of readdirSync(folder)) {
    const all = readFileSync(join(folder, name)).toString("latin1").match(pattern) ?? [];
    if (all.length > 0) found[name] = [...new Set(all)];
  }
  return found;
}

const at = (x: number) => ({ anchor: { submap: "world", p: { x, y: 2, z: 0.5 } } });
const since = { validFromUs: 1, validToUs: null };
const then = { validFromUs: 5, validToUs: 6 };
const mask = new TextEncoder().encode("BLOBSECRET".repeat(40));

/** A picture with a bright square where the zebra stands. */
async function photo(): Promise<Uint8Array> {
  const [width, height] = [160, 120];
  const data = Buffer.alloc(width * height * 3, 90);
  for (let y = 30; y < 60; y++) data.fill(250, (y * width + 40) * 3, (y * width + 80) * 3);
  return new Uint8Array(
    await sharp(data, { raw: { width, height, channels: 3 } })
      .jpeg()
      .toBuffer(),
  );
}

async function remembered(): Promise<Uint8Array> {
  const thumb = await photo();
  const background = Array.from(
    { length: 1_500 },
    (_, i): RecordInput => ({
      kind: "caption",
      id: `bg-${i}`,
      source: "human",
      text: [`ordinary line ${i} about chairs`],
      ...then,
    }),
  );
  await memory.write({ records: background });
  const thing = (id: string, name: string, category: string): RecordInput[] => [
    { kind: "track", id: `t-${id}`, name, category, aliases: [`${name}ish`], text: [name], ...since },
    {
      kind: "state",
      id: `s-${id}`,
      trackId: `t-${id}`,
      name,
      category,
      text: [`a ${name} in the hall`],
      attributes: { [`${name}attr`]: { value: `${name}value`, p: 1, support: 1, lastUs: 1 } },
      ...at(1),
      ...since,
    },
  ];
  const intrinsics = { fx: 100, fy: 100, cx: 80, cy: 60, width: 320, height: 240 };
  await memory.write({
    blobs: [thumb, mask],
    records: [
      ...thing("1", "zebranorth", "zebrakind"),
      ...thing("2", "chair", "seat"),
      { kind: "observation", id: "o-1", sensorId: "eye", intrinsics, ...then },
      {
        kind: "detection",
        id: "d-1",
        observationId: "o-1",
        stateId: "s-1",
        category: "zebrakind",
        score: 1,
        bbox: [80, 60, 160, 120],
        mask: blobRefOf(mask),
        ...then,
      },
      { kind: "detection", id: "d-2", observationId: "o-1", category: "zebrakind", score: 1, ...then },
      { kind: "detection", id: "d-3", observationId: "o-1", category: "zebracast", score: 1, ...then },
      {
        kind: "view",
        id: "v-1",
        observationId: "o-1",
        thumb: blobRefOf(thumb),
        overlay: blobRefOf(thumb),
        text: ["hall: zebranorth, chair", "a zebranorth in the hall"],
        visible: [
          { stateId: "s-1", bbox: [80, 60, 160, 120], depthM: 1, fraction: 1 },
          { stateId: "s-2", bbox: [0, 0, 20, 20], depthM: 1, fraction: 1 },
        ],
        ...then,
      },
      {
        kind: "caption",
        id: "c-1",
        source: "template",
        text: ["I see a chair and a zebranorth in the hall."],
        states: ["s-1", "s-2"],
        ...then,
      },
      { kind: "event", id: "e-1", type: "move", who: ["t-1"], text: ["the zebranorth moved"], ...then },
      {
        kind: "event",
        id: "e-2",
        type: "custom",
        detail: { from: "s-1", note: "zebradetail" },
        text: ["something zebraeventful"],
        ...then,
      },
      {
        kind: "region",
        id: "room",
        type: "room",
        level: 1,
        name: "hall",
        text: ["hall", "The hall has a chair, a zebrakind and a zebranorth."],
        relationships: ["zebranorth and chair lie together"],
        ...since,
      },
      {
        kind: "region",
        id: "cluster",
        type: "cluster",
        level: 2,
        name: "around the zebrakind",
        text: ["around the zebrakind"],
        parent: "room",
        ...since,
      },
      {
        kind: "place",
        id: "p-1",
        yawRad: 0,
        text: ["a zebranorth in the hall", "the chair is old"],
        ...since,
      },
      { kind: "relation", id: "r-1", subject: "s-2", predicate: "near", object: "s-1", ...since },
    ],
    sightings: [
      { stateId: "s-1", timeUs: 5, outcome: "seen", detectionId: "d-3", agentId: "local" },
      { stateId: "s-2", timeUs: 5, outcome: "seen", detectionId: "d-1", agentId: "local" },
    ],
  });
  // Versions of the past have words of their own.
  for (const version of ["zebraone", "zebratwo"])
    await memory.write({
      records: [
        {
          kind: "state",
          id: "s-1",
          trackId: "t-1",
          name: version,
          category: `${version}kind`,
          text: [`a ${version}`],
          ...at(1),
          ...since,
        },
      ],
    });
  return thumb;
}

const TRACE = /zebra[a-z]*|BLOBSECRET/gi;

describe("forgetting a thing", () => {
  it("leaves no word, crop or vector of it in any file, and says what went and what was rewritten", async () => {
    const thumb = await remembered();
    const embedder = await memory.embedder();
    const [vector] = await embedder.embed(["a zebranorth in the hall"]);
    const bytes = Buffer.from(vector!.buffer, vector!.byteOffset, vector!.byteLength).toString("latin1");
    const inFiles = (needle: string) =>
      readdirSync(folder).filter((name) =>
        readFileSync(join(folder, name)).toString("latin1").includes(needle),
      );
    expect(Object.keys(grep(TRACE)).length).toBeGreaterThan(0);
    expect(inFiles(bytes).length).toBeGreaterThan(0);
    const report = await memory.forget(["t-1"], "asked to");
    expect(report.forgotten.map(({ id }) => id).sort()).toEqual(
      ["d-1", "d-2", "d-3", "e-1", "e-2", "r-1", "s-1", "t-1"].sort(),
    );
    expect(report.rewritten.map(({ id }) => id).sort()).toEqual(["c-1", "cluster", "p-1", "room", "v-1"]);
    expect(report.wiped).toBe(true);
    expect(grep(TRACE)).toEqual({});
    expect(inFiles(bytes)).toEqual([]);
    expect(inFiles(Buffer.from(thumb).toString("latin1"))).toEqual([]);
    const reader = await memory.reader();
    const [view, caption, room, cluster, place] = await reader.get(["v-1", "c-1", "room", "cluster", "p-1"]);
    expect(view).toMatchObject({ text: ["hall: chair"], visible: [{ stateId: "s-2" }] });
    expect(caption).toMatchObject({ text: ["I see a chair"], states: ["s-2"] });
    expect(room).toMatchObject({ name: "hall", text: ["hall", "The hall has a chair"], relationships: [] });
    expect(cluster).toMatchObject({ name: "cluster", text: [], dirty: true });
    expect(place).toMatchObject({ text: ["the chair is old"] });
    expect((await memory.search({ meaning: { words: "zebranorth zebrakind" } })).hits).toEqual([]);
    expect((await memory.verify()).problems).toEqual([]);
    // The word may come back, and is found again by whoever looked it up before.
    await memory.remember("The zebranorth came back.", { topic: "zebrakind" });
    expect((await memory.search({ where: { category: ["zebrakind"] } })).hits).toHaveLength(1);
    await memory.close();
    memory = await openMemory(folder);
    expect((await memory.search({ where: { category: ["zebrakind"] } })).hits).toHaveLength(1);
  });

  it("blackens pictures that show others too where it was, or gives them up, as one chooses", async () => {
    await remembered();
    await memory.forget(["t-1"], "asked to");
    const reader = await memory.reader();
    const [view] = await reader.get(["v-1"]);
    const kept = await reader.blob((view as LociRecord & { thumb: string }).thumb);
    const { data, info } = await sharp(kept!).raw().toBuffer({ resolveWithObject: true });
    const pixel = (x: number, y: number) => data[(y * info.width + x) * info.channels]!;
    expect([info.width, info.height]).toEqual([160, 120]);
    expect(pixel(60, 45)).toBeLessThan(12);
    expect(pixel(120, 90)).toBeGreaterThan(80);
    expect(view).not.toHaveProperty("overlay");
    await memory.close();
    rmSync(folder, { recursive: true, force: true });
    memory = await openMemory(folder);
    await remembered();
    const report = await memory.forget(["t-1"], "asked to", { pictures: "give up" });
    expect(report.forgotten.map(({ id }) => id)).toContain("v-1");
    expect((await memory.stats()).blobs).toBe(0);
  });

  it("waits for readers of the state before, names them, and does not report success until they are done", async () => {
    await remembered();
    const script = `import { DatabaseSync } from "node:sqlite";
      const db = new DatabaseSync(${JSON.stringify(join(folder, "memory.db"))}, { readOnly: true });
      db.exec("BEGIN"); db.prepare("SELECT count(*) FROM record").get(); console.log("reading");
      process.stdin.once("data", () => process.exit(0));`;
    const reader = spawn(process.execPath, ["--input-type=module", "-e", script], {
      stdio: ["pipe", "pipe", "inherit"],
    });
    await new Promise((resolve) => reader.stdout.once("data", resolve));
    await expect(memory.forget(["e-2"], "asked to", { waitMs: 200 })).rejects.toMatchObject({
      code: "memory-busy",
      message: expect.stringContaining(process.platform === "linux" ? `process ${reader.pid}` : "process"),
    });
    expect((await memory.verify()).problems).toEqual([expect.stringContaining("forgotten may still be in")]);
    const waited: string[] = [];
    let done = false;
    let released: Promise<{ done: boolean; traces: number }> | undefined;
    const forgetting = memory
      .forget(["t-1"], "asked to", {
        // Said again every so often while it waits: the reader is let go once, after the first time.
        onWaiting: (who) => {
          waited.push(...who);
          released ??= setTimeout(300).then(() => {
            const before = { done, traces: Object.keys(grep(TRACE)).length };
            reader.stdin.write("go\n");
            return before;
          });
        },
      })
      .then((report) => {
        done = true;
        return report;
      });
    expect((await forgetting).wiped).toBe(true);
    expect(await released).toEqual({ done: false, traces: expect.any(Number) });
    expect((await released)!.traces).toBeGreaterThan(0);
    expect(waited.join()).toContain(process.platform === "linux" ? String(reader.pid) : "process");
    expect(grep(TRACE)).toEqual({});
    expect((await memory.verify()).problems).toEqual([]);
  });
});

describe("the closure of forgetting, held against the schema", () => {
  /** Fields that hold ids of something other than records. */
  const OTHER_IDS = ["id", "sceneId", "author", "sensorId", "bodyFrame", "submap"];

  type Node = { _zod: { def: Record<string, unknown> } };
  const def = (node: Node) => node._zod.def;
  const kinds = (def(recordSchema as unknown as Node)["options"] as Node[]).map((option) => {
    const shape = def(option)["shape"] as Record<string, Node>;
    return { kind: (def(shape["kind"]!)["values"] as string[])[0] as LociRecord["kind"], shape };
  });

  /** The paths under a schema at which a string of some form may stand. */
  function places(node: Node, is: (node: Node) => boolean, path: string[] = []): string[][] {
    if (is(node)) return [path];
    const { innerType, element, shape, valueType, in: input } = def(node) as Record<string, Node>;
    const inner = [innerType, element, valueType, input].filter((one) => one !== undefined);
    return [
      ...inner.flatMap((one) => places(one, is, path)),
      ...Object.entries((shape ?? {}) as unknown as Record<string, Node>).flatMap(([key, one]) =>
        places(one, is, [...path, key]),
      ),
    ];
  }
  const patternOf = (node: Node) =>
    ((def(node)["checks"] ?? []) as { _zod: { def: { pattern?: RegExp; error?: () => string } } }[]).map(
      ({ _zod }) => String(_zod.def.pattern),
    );
  const isId = (node: Node) => patternOf(node).some((pattern) => pattern.includes("A-Za-z0-9_.:-"));
  const isBlob = (node: Node) => patternOf(node).some((pattern) => pattern.includes("{64}"));

  it("finds ids and blobs in the schema at all", () => {
    expect(kinds).toHaveLength(11);
    expect(
      kinds.flatMap(({ shape }) => Object.values(shape).flatMap((one) => places(one, isId))).length,
    ).toBeGreaterThan(40);
  });

  it.each(kinds)("every id that a $kind may hold is one that forgetting follows", ({ kind, shape }) => {
    const sample: Record<string, unknown> = {};
    const expected: string[] = [];
    for (const [field, node] of Object.entries(shape)) {
      const found = places(node, isId).filter((path) => !OTHER_IDS.includes(path.at(-1) ?? field));
      if (OTHER_IDS.includes(field) || found.length === 0) continue;
      expected.push(field);
      const path = found[0]!;
      const value = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), `named-${field}`);
      sample[field] = isList(node) ? [value] : value;
    }
    const lists = Object.entries(shape).filter(([, node]) => isList(node));
    const record = { ...Object.fromEntries(lists.map(([key]) => [key, []])), kind, ...sample } as never;
    expect(
      referencesOf(record)
        .map(({ field }) => field)
        .sort(),
    ).toEqual(expected.sort());
    for (const field of GOES_WITH[kind]) expect([...expected, "detail"]).toContain(field);
  });

  it.each(kinds)("every blob that a $kind may hold is one that forgetting drops", ({ kind, shape }) => {
    const sample: Record<string, unknown> = {};
    for (const [field, node] of Object.entries(shape)) {
      const [path] = places(node, isBlob);
      if (path === undefined) continue;
      const value = path.reduceRight<unknown>((inner, key) => ({ [key]: inner }), field);
      sample[field] = isList(node) ? [value] : value;
    }
    expect(blobsOf({ kind, ...sample } as never).sort()).toEqual(Object.keys(sample).sort());
  });

  it("every number of a name that a table holds keeps that name, and nothing else does", async () => {
    await memory.remember("Anything.");
    const db = new DatabaseSync(join(folder, "memory.db"), { readOnly: true });
    const tables = db.prepare("SELECT name FROM sqlite_schema WHERE type = 'table'").all();
    const known = Object.values(NAMED).flatMap((byTable) =>
      Object.entries(byTable).flatMap(([table, columns]) =>
        (columns as readonly string[]).map((column) => `${table}.${column}`),
      ),
    );
    // Integers that are no names: a new column must be put here or there.
    const OTHER =
      /\.(row|id|version|.*_at|at|valid_from|valid_to|kind|image|hash|meaning|blob|head|sum|time|outcome|stamp|revision|commit_us|derived)$/;
    for (const { name } of tables) {
      if (["sqlite_sequence"].includes(String(name))) continue;
      for (const { name: column, type } of db.prepare(`PRAGMA table_info(${name})`).all()) {
        const full = `${name}.${column}`;
        if (type === "INTEGER" && !OTHER.test(full)) expect(known).toContain(full);
      }
    }
    db.close();
  });

  function isList(node: Node): boolean {
    const { type, innerType } = def(node) as { type: string; innerType?: Node };
    return type === "array" || (innerType !== undefined && isList(innerType));
  }
});

it.each([
  ["kitchen: counter, 2 chairs, zebra on the counter", "kitchen: counter, 2 chairs"],
  ["kitchen: zebra, 2 chairs", "kitchen: 2 chairs"],
  ["kitchen: zebra", undefined],
  ["A zebra.", undefined],
  ["The hall has a zebra and a chair. It holds boxes.", "The hall has a chair. It holds boxes."],
  ["no trace", "no trace"],
])("takes the parts of %j that tell of it out", (line, rest) => {
  expect(withoutParts(line, (part) => part.includes("zebra"))).toBe(rest);
});
