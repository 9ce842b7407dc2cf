/** Where the time of durable ingest goes, per record, on one thread. npx node bench/ingest.bench.ts [--n N] [--dim D] */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../src/geometry/index.ts";
import { Follower } from "../src/memory/embedded/follower.ts";
import { packBatch, unpackBatch } from "../src/memory/embedded/packed-batch.ts";
import type { WriteBatch } from "../src/memory/port.ts";
import { prepareBatch } from "../src/memory/rows/prepare-batch.ts";
import { commitBatch, kindsOf } from "../src/memory/sqlite/commit.ts";
import { Connection } from "../src/memory/sqlite/connection.ts";
import { createMemory, filesOf, openForWriting } from "../src/memory/sqlite/files.ts";
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
const spent = new Map<string, number[]>();

function timed<T>(part: string, work: () => T): T {
  const began = performance.now();
  const result = work();
  const times = spent.get(part) ?? [];
  times.push(performance.now() - began);
  spent.set(part, times);
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
  const received = timed("send", () => {
    const packed = packBatch(batch);
    return unpackBatch(structuredClone(packed, { transfer: packed.vectors ? [packed.vectors.buffer] : [] }));
  });
  const prepared = timed("check", () =>
    prepareBatch(received, {
      kindsOf: (ids) => follower.kindsOf(ids) ?? kindsOf(connection, ids),
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
/** On a machine with other work the best tenth says what the part itself takes. */
const quantileUs = (times: number[], q: number) =>
  ((times.sort((a, b) => a - b)[Math.floor(times.length * q)]! * 1_000) / BATCH).toFixed(1).padStart(6);
console.log("µs a record          median   best tenth");
for (const [part, times] of spent)
  console.log(`${part.padEnd(18)} ${quantileUs(times, 0.5)}       ${quantileUs(times, 0.1)}`);
connection.close();
rmSync(folder, { recursive: true });
