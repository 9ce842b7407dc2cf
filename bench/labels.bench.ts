/**
 * What labels, checks and shares cost: the same batches and searches with and without them, one after the other in the same
 * run, by processor time, so that what else the machine does counts for both alike. Medians of the ratios
 * of rounds.
 * npx node bench/labels.bench.ts [--n 20000] [--rounds 40]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { localFace } from "../src/compose.ts";
import { type Memory, openMemory } from "../src/index.ts";
import type { Caller } from "../src/interfaces/http/access.ts";
import { fairFace, queuesOf } from "../src/interfaces/http/fair-face.ts";
import { SERVER_LIMITS } from "../src/interfaces/http/limits.ts";

import type { RecordInput } from "../src/schema/index.ts";
import { ownLayer } from "../src/sharing/own-layer.ts";
import { Town } from "./serve/town.ts";

const { values } = parseArgs({
  options: { n: { type: "string", default: "20000" }, rounds: { type: "string", default: "40" } },
});
const [N, ROUNDS] = [Number(values.n), Number(values.rounds)];
const SEARCHES = 600;
const BATCHES = 10;
const PER_BATCH = 100;
const SECRET = "secret";

const folder = mkdtempSync(join(tmpdir(), "loci-labels-bench-"));
const town = new Town("labels");

/** A tenth of it under a label. */
async function fill(memory: Memory): Promise<void> {
  for (let from = 0; from < N; from += 2_000) {
    const rows = Math.min(2_000, N - from);
    const records = Array.from({ length: rows }, (_, i) => ({
      ...town.record(from + i, N),
      labels: i % 10 === 0 ? [SECRET] : [],
    }));
    await memory.write({ records });
  }
  await memory.calibrate();
}

type Way = () => Promise<void>;

/** Processor milliseconds of each way, round by round, the order turned about each time. */
async function compared(ways: Readonly<Record<string, Way>>): Promise<Record<string, number[]>> {
  const names = Object.keys(ways);
  const took: Record<string, number[]> = Object.fromEntries(names.map((name) => [name, []]));
  for (let round = -2; round < ROUNDS; round++)
    for (const name of round % 2 === 0 ? names : names.toReversed()) {
      const before = process.cpuUsage();
      await ways[name]!();
      const { user, system } = process.cpuUsage(before);
      // The first two rounds compile.
      if (round >= 0) took[name]!.push((user + system) / 1000);
    }
  return took;
}

const median = (ms: readonly number[]): number => ms.toSorted((a, b) => a - b)[ms.length >> 1]!;

function told(took: Record<string, number[]>, of: number) {
  const [first] = Object.values(took);
  return Object.fromEntries(
    Object.entries(took).map(([name, ms]) => [
      name,
      // Ways of one round are neighbours in time: whatever else the machine does changes between rounds.
      { msEach: median(ms) / of, ratio: median(ms.map((one, round) => one / first![round]!)) },
    ]),
  );
}

const memory = await openMemory(join(folder, "memory"));
try {
  await fill(memory);
  const caller: Caller = { actor: { id: "bench", labels: [SECRET] }, scopes: ["read"] };
  const plain = localFace(memory);
  const labelled = localFace(memory, caller.actor);
  const fair = fairFace(labelled, caller, queuesOf(SERVER_LIMITS), SERVER_LIMITS);
  const queries = Array.from({ length: SEARCHES }, (_, n) => town.query(n));
  const searching =
    (face: Pick<typeof plain, "search">): Way =>
    async () => {
      for (const query of queries) await face.search(query);
    };
  const searches = await compared({
    owner: searching(plain),
    "with labels": searching(labelled),
    "with labels, turns and shares": searching(fair),
  });

  let made = 0;
  const batch = (): RecordInput[] =>
    Array.from({ length: PER_BATCH }, () => ({ ...town.record(N + made, N), id: `w${made++}`, labels: [] }));
  const writing =
    (write: (records: RecordInput[]) => Promise<unknown>): Way =>
    async () => {
      for (let n = 0; n < BATCHES; n++) await write(batch());
    };
  const batches = await compared({
    plain: writing((records) => memory.write({ records })),
    "what belongs to others left alone": writing(async (records) =>
      memory.write(await ownLayer({ records }, [], await memory.reader())),
    ),
  });
  const report = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, Node ${process.versions.node}`,
    ...{ records: N, rounds: ROUNDS },
    searches: told(searches, SEARCHES),
    batchesOf100: told(batches, BATCHES),
  };
  console.log(JSON.stringify(report, (_, v) => (typeof v === "number" ? Math.round(v * 1000) / 1000 : v), 2));
} finally {
  await memory.close();
  rmSync(folder, { recursive: true, force: true });
}
