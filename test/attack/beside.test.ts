import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, relative } from "node:path";
import { gunzipSync } from "node:zlib";
import { afterEach, beforeEach, expect, it } from "vitest";
import { BESIDE, keepBefore } from "../../src/compose/beside.ts";
import { localPeer, openWatches } from "../../src/compose.ts";
import { type Memory, openMemory } from "../../src/index.ts";
import { testServer } from "../../src/interfaces/testing/test-server.ts";
import { seal } from "../../src/sharing/sync/segment.ts";

let folder: string;
let memory: Memory;
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-beside-"));
  memory = await openMemory(folder, { embedder: "hashing:16" });
});
afterEach(async () => {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
});

const since = { validFromUs: 1, validToUs: null };
const at = { anchor: { submap: "world", p: { x: 1, y: 2, z: 0.5 } } };
const THING = "t-zebraquux-1";
const NAME = "Zebraquux";
const TRACES = /zebraquux/i;

const thing = (id: string, name: string) => [
  { kind: "track" as const, id, name, category: "bookcase", text: [name], ...since },
  {
    kind: "state" as const,
    id: `s-${id}`,
    trackId: id,
    name,
    category: "bookcase",
    text: [`${name} in the hall`],
    ...at,
    ...since,
  },
];

function filesUnder(path: string): string[] {
  return readdirSync(path, { withFileTypes: true }).flatMap((entry) => {
    const inner = join(path, entry.name);
    return entry.isDirectory() ? [inner, ...filesUnder(inner)] : [inner];
  });
}

/** The bytes of a file, and those of every gzip stream inside it. */
function unpacked(path: string): string {
  const bytes = readFileSync(path);
  const parts = [bytes.toString("latin1")];
  for (
    let i = bytes.indexOf("\x1f\x8b\x08", 0, "latin1");
    i >= 0;
    i = bytes.indexOf("\x1f\x8b\x08", i + 1, "latin1")
  )
    try {
      parts.push(gunzipSync(bytes.subarray(i), { finishFlush: 2 }).toString("latin1"));
    } catch {
      // Three bytes that look like the beginning of one.
    }
  return parts.join("\n");
}

const traces = (): string[] =>
  filesUnder(folder)
    .filter((path) => statSync(path).isFile() && TRACES.test(unpacked(path)))
    .map((path) => relative(folder, path));

/** Everything that can lie beside a memory, telling of the thing. */
async function surrounded(memory: Memory): Promise<void> {
  const { folder } = memory;
  await memory.write({ records: [...thing(THING, NAME), ...thing("t-2", "red chair")] });
  const watches = await openWatches(memory);
  const owner = { id: "owner", labels: "*" } as const;
  await watches.watch({ expression: 'things(category: "bookcase")' }, owner);
  await watches.watch({ expression: `things(name: "${NAME.toLowerCase()}")` }, owner);
  await watches.close();
  const line = (value: unknown) => `${JSON.stringify(value)}\n`;
  mkdirSync(join(folder, "runs"));
  writeFileSync(
    join(folder, "runs", "run-1.jsonl"),
    line({ kind: "run", id: "run-1", question: `Where is ${NAME}?` }) +
      line({
        kind: "step",
        seen: [
          { id: THING, name: NAME },
          { id: "t-2", name: "red chair" },
        ],
      }),
  );
  const peer = await localPeer(memory, "here");
  const { told } = await peer.status();
  const { name, bytes } = (await peer.give({ heard: {}, told }))!;
  for (const [kind, file] of [
    ["parts", `${name}.part`],
    ["aside", `${name}.segment`],
  ] as const) {
    mkdirSync(join(folder, "sync", kind), { recursive: true });
    writeFileSync(join(folder, "sync", kind, file), bytes);
  }
  const bad = [{ ...thing(THING, NAME)[0], kind: "caption" as const }];
  const batch = { from: { memory: "f".repeat(32), atUs: 9 }, derived: false };
  const refused = seal({
    sender: "f".repeat(32),
    assumes: {},
    reaches: {},
    told,
    batches: [{ ...batch, records: bad as never, sightings: [], frames: [], imageVectors: [] }],
    blobs: new Map(),
  });
  expect(await peer.take(refused)).toMatchObject({ refused: 1 });
  await peer.close();
}

it("what lies beside a memory forgets with it, in every file, packed or not", async () => {
  await surrounded(memory);
  expect(traces().map((path) => path.split("/")[0])).toEqual(
    expect.arrayContaining(["runs", "sync", "watches"]),
  );
  await memory.forget([THING], "asked to");
  // Ids stay in two logs, so that forgetting can be shown and what was forgotten does not come back.
  expect(traces().filter((path) => !/^(audit\.jsonl|memory\.db.*)$/.test(path))).toEqual([]);
  for (const path of filesUnder(folder))
    if (statSync(path).isFile()) expect(unpacked(path)).not.toContain(NAME);
  const run = readFileSync(join(folder, "runs", "run-1.jsonl"), "utf8");
  expect(run).toContain("red chair");
});

it("by the command line leaves a line in the audit, and is no news for those who watch", async () => {
  await surrounded(memory);
  await memory.forget([THING], "asked to", { who: "command line" });
  const audit = readFileSync(join(folder, "audit.jsonl"), "utf8").trim().split("\n");
  expect(audit.map((line) => JSON.parse(line))).toMatchObject([
    { who: "command line", act: "forget", ids: [THING], reason: "asked to" },
  ]);
  const watches = await openWatches(memory);
  await watches.start();
  // The one that asked for it by name is no more; the other holds what is left.
  const [left, ...more] = await watches.list({ id: "owner", labels: "*" });
  expect(more).toEqual([]);
  expect(left).toMatchObject({ events: 0, holds: [{ id: "t-2" }] });
  await watches.close();
});

it("nothing lies in a memory's folder of which is not said how it forgets", async () => {
  const server = await testServer({
    memory: { embedder: "hashing:16" },
    tokens: [{ name: "boss", scopes: ["admin"], labels: "*" }],
  });
  await surrounded(server.memory);
  await keepBefore(server.memory, 1);
  await server.memory.forget(["t-2"], "asked to", { isOwn: false });
  const { folder: served } = server.memory;
  const all = filesUnder(served).map((path) => relative(served, path));
  expect(all).toEqual(expect.arrayContaining(["access.json", "audit.jsonl", "sync/before/1/memory.db"]));
  expect(all.filter((path) => BESIDE.filter((one) => one.path.test(path)).length !== 1)).toEqual([]);
  await server.close();
});
