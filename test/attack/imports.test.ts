import { execFileSync, spawnSync } from "node:child_process";
import {
  appendFileSync,
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
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { importMemory } from "../../src/compose/import.ts";
import { openMemory } from "../../src/index.ts";
import { LIMITS } from "../../src/schema/index.ts";

const base = mkdtempSync(join(tmpdir(), "loci-imports-"));
afterAll(() => rmSync(base, { recursive: true, force: true }));
const target = join(base, "memory");
const file = join(base, "dump.jsonl");
afterEach(() => rmSync(target, { recursive: true, force: true }));

const head = { type: "memory", format: 1, embedder: null, imageEmbedder: null, calibrations: [] };
const note = {
  kind: "caption",
  id: "c1",
  source: "human",
  text: ["a red mug"],
  validFromUs: 1,
  validToUs: 2,
  labels: [],
  version: 1,
  recordedAtUs: 10,
  supersededAtUs: null,
};
const rec = (over: object = {}) => ({ type: "record", record: { ...note, ...over } });
const edge = (parent: string, child: string) => ({
  type: "frame",
  recordedAtUs: 1,
  edge: {
    parent,
    child,
    kind: "submap",
    revision: 0,
    stampUs: null,
    transform: { p: { x: 0, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
  },
});
const event = (detail: string) =>
  JSON.stringify(rec({ kind: "event", type: "custom", source: undefined, detail: 0 })).replace(
    '"detail":0',
    `"detail":${detail}`,
  );
const state = {
  kind: "state",
  id: "s1",
  trackId: "t1",
  name: "n",
  category: "c",
  source: undefined,
  text: [],
};
const vector = (...numbers: number[]) => Buffer.from(new Float32Array(numbers).buffer).toString("base64");
const H = "a".repeat(64);
const deep = (n: number) => "[".repeat(n) + "]".repeat(n);

/** What comes in, which line is to blame, and in which words. */
const HOSTILE: Record<string, [(object | string)[], number, RegExp]> = {
  "a reference to nothing": [[head, rec(state)], 2, /names "t1", which is not in the dump/],
  "two current versions": [
    [head, rec(), rec({ version: 2, recordedAtUs: 20 })],
    3,
    /c1 has two current versions/,
  ],
  "no current version": [[head, rec({ supersededAtUs: 20 })], 2, /c1 has no current version/],
  "a version twice": [[head, rec(), rec()], 3, /came before/],
  "versions with a gap": [
    [head, rec({ supersededAtUs: 15 }), rec({ version: 2, recordedAtUs: 20 })],
    3,
    /do not follow each other/,
  ],
  "a version that ends before it begins": [
    [head, rec({ supersededAtUs: 5 })],
    2,
    /ends after it was recorded/,
  ],
  "a record that changes its kind": [
    [
      head,
      rec({ supersededAtUs: 20 }),
      rec({ kind: "agent", name: "n", bodyFrame: "b", version: 2, recordedAtUs: 20 }),
    ],
    3,
    /is a caption, it cannot become a agent/,
  ],
  "times that go back": [
    [head, rec({ recordedAtUs: 100 }), rec({ id: "c2", recordedAtUs: 5 })],
    3,
    /recorded before/,
  ],
  "the end of time": [[head, rec({ recordedAtUs: Number.MAX_SAFE_INTEGER })], 2, /memory times are from 0/],
  "half a character": [
    [head, JSON.stringify(rec()).replace("a red mug", "a\\ud800b")],
    2,
    /whole characters/,
  ],
  "half a character in a category": [
    [head, JSON.stringify(rec({ topic: "X" })).replace('"X"', '"c\\udc00"')],
    2,
    /whole characters/,
  ],
  "a dimension of a billion": [[{ ...head, embedder: { id: "x", dim: 1e9 } }, rec()], 1, /embedder\.dim/],
  "a cycle of frames": [[head, edge("a", "b"), edge("b", "c"), edge("c", "a"), rec()], 4, /frame: .*/],
  "nesting 10,000 deep": [[head, event(`{"a":${deep(10_000)}}`)], 2, /levels/],
  "nesting a million deep": [[head, deep(1_000_000)], 2, /levels/],
  "a vector of another length": [
    [
      { ...head, embedder: { id: "x", dim: 4 } },
      { type: "text", text: "a", vector: vector(1, 0) },
    ],
    2,
    /expected a vector of 4/,
  ],
  "a vector of nothing": [
    [
      { ...head, embedder: { id: "x", dim: 2 } },
      { type: "text", text: "a", vector: vector(Number.NaN, 0) },
    ],
    2,
    /finite/,
  ],
  "a vector by nobody": [
    [head, { type: "text", text: "a", vector: vector(1, 0) }],
    2,
    /names no text embedder/,
  ],
  "an end that counts more rows": [[head, rec(), '{"type":"end","rows":3}'], 3, /counts 3 rows, got 2/],
  "a row behind the end": [[head, '{"type":"end","rows":1}', rec()], 3, /ended at line 2/],
  "a missing blob": [[head, rec({ image: H })], 2, /names blob/],
  "a vector of a missing blob": [
    [
      { ...head, imageEmbedder: { id: "x", dim: 2 } },
      { type: "image-vector", blob: H, vector: vector(1, 0) },
    ],
    2,
    /is not there/,
  ],
  "a path for a blob": [
    [
      { ...head, imageEmbedder: { id: "x", dim: 2 } },
      { type: "image-vector", blob: "../../etc/passwd", vector: vector(1, 0) },
    ],
    2,
    /sha256/,
  ],
  "a sighting of nobody": [
    [
      head,
      {
        type: "sighting",
        recordedAtUs: 1,
        sighting: { stateId: "nobody", timeUs: 1, outcome: "seen", labels: [] },
      },
    ],
    2,
    /not a state of the dump/,
  ],
  "a calibration without spread": [
    [{ ...head, calibrations: [{ space: "text", embedder: "x", mean: 0, sd: 0, pairs: 1 }] }, rec()],
    1,
    /calibrations/,
  ],
  "no header": [[rec()], 1, /begins with its memory row/],
  "two headers": [[head, head], 2, /one memory row/],
  "a newer format": [[{ ...head, format: 2 }], 1, /format/],
  "an unknown row": [[head, { type: "virus" }], 2, /type/],
  "a line that is cut": [[head, JSON.stringify(rec()).slice(0, 60)], 2, /expected|invalid/i],
};

describe("a hostile dump", () => {
  it.each(Object.keys(HOSTILE))("with %s is refused by its line, and nothing is kept", async (name) => {
    const [rows, line, words] = HOSTILE[name]!;
    writeFileSync(
      file,
      `${rows.map((row) => (typeof row === "string" ? row : JSON.stringify(row))).join("\n")}\n`,
    );
    const failure = await importMemory(target, file).catch((error: Error) => error);
    expect(failure).toMatchObject({ name: "LociError", message: expect.stringMatching(words) });
    expect((failure as Error).message).toMatch(new RegExp(`^${file}: line ${line}\\b`));
    expect((failure as Error).message).not.toContain("\n");
    expect(existsSync(target)).toBe(false);
  });

  it("with a blob over the limit or a line without end is refused without being read to its end", async () => {
    const quarter = Buffer.alloc(1024 * 1024, 65);
    writeFileSync(file, `${JSON.stringify(head)}\n{"type":"blob","bytes":"`);
    for (let written = 0; written < (LIMITS.blobBytes * 4) / 3 + 2e6; written += quarter.length)
      appendFileSync(file, quarter);
    appendFileSync(file, '"}\n');
    await expect(importMemory(target, file)).rejects.toMatchObject({
      code: "limit-exceeded",
      message: expect.stringContaining("line 2"),
    });
    // 700 MB that take no room: a hole is a line too.
    rmSync(file);
    writeFileSync(file, `${JSON.stringify(head)}\n`);
    execFileSync("truncate", ["-s", "700M", file]);
    expect(statSync(file).size).toBeGreaterThan(7e8);
    await expect(importMemory(target, file)).rejects.toMatchObject({
      code: "limit-exceeded",
      message: expect.stringContaining("line 2: longer than"),
    });
    expect(existsSync(target)).toBe(false);
    rmSync(file);
  });

  it("that is a pipe, a folder or not there is refused at once", async () => {
    const pipe = join(base, "pipe");
    execFileSync("mkfifo", [pipe]);
    for (const [path, words] of [
      [pipe, /is not a file/],
      [base, /is not a file/],
      [join(base, "nothing"), /no such file/],
    ] as const)
      await expect(importMemory(target, path)).rejects.toMatchObject({
        message: expect.stringMatching(words),
      });
  });
});

describe("a whole dump", () => {
  it("comes in as it was; cut at any line it is refused, and a killed import leaves no memory", async () => {
    const source = join(base, "source");
    const memory = await openMemory(source);
    for (let i = 0; i < 20; i++) await memory.remember(`Chair number ${i} stands here.`);
    await memory.exportJsonl(file);
    await memory.close();
    await importMemory(target, file);
    const digest = async (folder: string) => {
      const opened = await openMemory(folder, { create: false });
      try {
        const { digest: found, problems } = await opened.verify({ deep: true });
        return { found, problems };
      } finally {
        await opened.close();
      }
    };
    expect(await digest(target)).toEqual(await digest(source));
    expect(readdirSync(target)).not.toContain("importing");
    const lines = readFileSync(file, "utf8").trimEnd().split("\n");
    for (const kept of [1, 5, lines.length - 1]) {
      rmSync(target, { recursive: true });
      writeFileSync(join(base, "cut.jsonl"), `${lines.slice(0, kept).join("\n")}\n`);
      await expect(importMemory(target, join(base, "cut.jsonl"))).rejects.toMatchObject({
        message: expect.stringMatching(/the end is missing/),
      });
      mkdirSync(target);
    }
    // A dump that stops half-way, and a process that is killed while it waits for the rest.
    const script = `import { importMemory } from ${JSON.stringify(join(import.meta.dirname, "../../src/compose/import.ts"))};
      await importMemory(${JSON.stringify(target)}, ${JSON.stringify(file)}, {
        onProgress: () => process.kill(process.pid, "SIGKILL"),
      });`;
    const many = lines
      .slice(1, -1)
      .flatMap((line) => Array.from({ length: 100 }, (_, i) => line.replace(/"id":"/g, `"id":"x${i}-`)));
    writeFileSync(file, `${[lines[0], ...many].join("\n")}\n`);
    const child = join(base, "child.mjs");
    writeFileSync(child, script);
    const killed = spawnSync(process.execPath, [child], { stdio: "pipe" });
    expect([killed.stderr.toString(), killed.signal]).toEqual(["", "SIGKILL"]);
    await expect(openMemory(target, { create: false })).rejects.toMatchObject({ code: "memory-not-found" });
  });
});
