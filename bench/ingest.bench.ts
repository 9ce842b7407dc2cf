/** Where the time of durable ingest goes, per record, on one thread. npx node bench/ingest.bench.ts [--n N] [--dim D] */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../src/geometry/index.ts";
import { Follower } from "../src/memory/embedded/follower.ts";
import type { WriteBatch } from "../src/memory/port.ts";
import { commitBatch, kindsOf } from "../src/memory/sqlite/commit.ts";
import { Connection } from "../src/memory/sqlite/connection.ts";
import { createMemory, filesOf, openForWriting } from "../src/memory/sqlite/files.ts";
import { prepareBatch } from "../src/memory/sqlite/prepare-batch.ts";
import { unitVector } from "../src/memory/vectors.ts";
import type { RecordInput } from "../src/schema/index.ts";

const { values } = parseArgs({
  options: { n: { type: "string", default: "50000" }, dim: { type: "string", default: "384" } },
});
const n = Number(values.n);
const dim = Number(values.dim);
const BATCH = 100;
const WARM_SHARE = 0.2;
const folder = mkdtempSync(join(tmpdir(), "loci-ingest-"));
const random = new Random("ingest");
const vocabulary = Array.from({ length: 3_000 }, (_, i) => `word${i.toString(36).replace(/\d/g, "x")}`);

createMemory(folder);
const connection = new Connection(openForWriting(folder), filesOf(folder).database, true);
connection.writing(() => connection.setMeta("embedder:text", { id: "bench", dim }));
const follower = Follower.build(connection);
const spent = new Map<string, { wallMs: number; cpuMs: number }>();

function timed<T>(part: string, work: () => T): T {
  const known = spent.get(part) ?? { wallMs: 0, cpuMs: 0 };
  const began = performance.now();
  const before = process.cpuUsage();
  const result = work();
  const { user, system } = process.cpuUsage(before);
  spent.set(part, {
    wallMs: known.wallMs + performance.now() - began,
    cpuMs: known.cpuMs + (user + system) / 1_000,
  });
  return result;
}

function randomUnit(): Float32Array {
  return unitVector(
    Float32Array.from({ length: dim }, () => random.normal()),
    dim,
    "bench",
  );
}

function batchFrom(first: number): WriteBatch {
  const records = Array.from({ length: BATCH }, (_, k): RecordInput & { text: string[] } => {
    const words = Array.from(
      { length: 12 },
      () => vocabulary[Math.floor(random.next() ** 3 * vocabulary.length)],
    );
    return {
      kind: "caption",
      id: `r${String(first + k).padStart(8, "0")}`,
      source: "vlm",
      text: [`${words.join(" ")} ${first + k}`],
      validFromUs: first + k,
      validToUs: first + k + 5_000_000,
      anchor: {
        submap: "world",
        p: { x: random.range(0, 2_000), y: random.range(0, 2_000), z: random.range(0, 20) },
      },
    };
  });
  const vectors = records.map(({ text }) => ({
    text: text[0]!,
    vector: randomUnit(),
  }));
  return { records, vectors };
}

const warm = Math.floor((n * WARM_SHARE) / BATCH) * BATCH;
for (let at = 0; at < n; at += BATCH) {
  if (at === warm) spent.clear();
  const batch = batchFrom(at);
  const received = timed("clone", () => structuredClone(batch));
  const prepared = timed("check", () =>
    prepareBatch(received, {
      kindsOf: (ids) => kindsOf(connection, ids),
      hasBlob: () => false,
      embedder: (space) => connection.embedder(space),
      frameGraph: () => connection.frameGraph(undefined),
    }),
  );
  connection.db.exec("BEGIN IMMEDIATE");
  const rows = timed("SQL", () => commitBatch(connection, prepared, at + 1));
  timed("COMMIT", () => connection.db.exec("COMMIT"));
  timed("index", () => follower.applyCommit(rows));
}
for (const [part, { wallMs, cpuMs }] of spent) {
  const each = (ms: number) => ((ms * 1_000) / (n - warm)).toFixed(1).padStart(6);
  console.log(`${part.padEnd(8)} ${each(wallMs)} µs a record, ${each(cpuMs)} of the processor`);
}
connection.close();
rmSync(folder, { recursive: true });
