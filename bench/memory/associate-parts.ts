/** Where the time of one `associate` goes, part within part: npx node bench/memory/associate-parts.ts [--n N] [--dim D] */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { checkRequest } from "../../src/memory/check-request.ts";
import { EmbeddedEngine } from "../../src/memory/embedded/engine.ts";
import { numericQuery } from "../../src/memory/embedded/numeric-query.ts";
import { SpaceCache } from "../../src/memory/embedded/space-cache.ts";
import type { SearchRequest } from "../../src/memory/request.ts";
import { Connection } from "../../src/memory/sqlite/connection.ts";
import { filesOf, openForReading } from "../../src/memory/sqlite/files.ts";
import { ReadView } from "../../src/memory/sqlite/read-view.ts";
import { batchOf } from "./engines/loci.ts";
import { quantile } from "./jobs.ts";
import { Workload } from "./workload.ts";

const { values } = parseArgs({
  options: { n: { type: "string", default: "20000" }, dim: { type: "string", default: "384" } },
});
const n = Number(values.n);
const dim = Number(values.dim);
const QUESTIONS = 200;
const ROUNDS = 30;
const BATCH = 1_000;

const workload = new Workload({ n, dim, seed: 1 });
const folder = mkdtempSync(join(tmpdir(), "loci-associate-"));
const engine = await EmbeddedEngine.open({ folder });
const writer = await engine.writer();
await writer.setEmbedder("text", { id: "bench", dim });
for (let at = 0; at < n; at += BATCH) {
  await writer.write(batchOf(workload.rows(at, Math.min(n, at + BATCH))));
}
await writer.close();

const requests = Array.from({ length: QUESTIONS }, (_, q): SearchRequest => {
  const { vector, minCosine, point, radiusM, limit } = workload.query("associate", q);
  const [x, y, z] = point!;
  return {
    meaning: { vector: vector!, minCosine: minCosine! },
    space: { type: "radius", centre: { x, y, z }, radiusM: radiusM!, metric: "centre" },
    limit,
  };
});
const reader = await engine.reader();
const connection = new Connection(openForReading(folder), filesOf(folder).database, false);
const view = new ReadView(connection, {});
const spaces = new SpaceCache(connection);
const { index } = engine.current().follower;
const checked = requests.map(checkRequest);
const numeric = (i: number) => numericQuery(connection, index, spaces, view, checked[i]!)!;
const queries = checked.map((_, i) => numeric(i));
const exact = (_: unknown, keys: readonly number[]) => connection.vectorsOf(keys)!;

await report("check the request", (i) => checkRequest(requests[i]!));
await report("in the index's numbers", numeric);
await report("is the index new enough", () => engine.current());
await report("plan", (i) => index.estimate(queries[i]!));
await report("search the index", (i) => index.search(queries[i]!, { exact }));
await report("searchIds, all of it", (i) => reader.searchIds(requests[i]!));
connection.close();
await engine.close();
rmSync(folder, { recursive: true });

/** On a machine with other work the best tenth says what the part itself takes. */
async function report(part: string, work: (i: number) => unknown): Promise<void> {
  const times: number[] = [];
  for (let round = 0; round < 2 * ROUNDS; round++) {
    for (let i = 0; i < QUESTIONS; i++) {
      const began = performance.now();
      await work(i);
      if (round >= ROUNDS) times.push(performance.now() - began);
    }
  }
  const us = (q: number) => (quantile(times, q) * 1_000).toFixed(1).padStart(6);
  console.log(`${part.padEnd(26)} p50 ${us(0.5)} µs   best tenth ${us(0.1)} µs`);
}
