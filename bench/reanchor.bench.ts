/** Re-anchoring: how long a new frame-graph revision takes until searches use it. node bench/reanchor.bench.ts [--n N] */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../src/geometry/index.ts";
import { EmbeddedEngine } from "../src/memory/index.ts";
import type { RecordInput } from "../src/schema/index.ts";

const { values } = parseArgs({ options: { n: { type: "string", default: "100000" } } });
const n = Number(values.n);
const SUBMAPS = 200;
const BATCH = 5_000;
const folder = mkdtempSync(join(tmpdir(), "loci-reanchor-"));
const random = new Random("reanchor");
const engine = await EmbeddedEngine.open({ folder });
const writer = await engine.writer();
const reader = await engine.reader();

const edges = (revision: number) =>
  Array.from({ length: SUBMAPS }, (_, i) => ({
    parent: "world",
    child: `map-${i}`,
    transform: { p: { x: i * 10 + revision, y: 0, z: 0 }, q: { w: 1, x: 0, y: 0, z: 0 } },
    kind: "loop" as const,
    revision,
  }));

await writer.write({
  frames: edges(1),
  records: [{ kind: "track", id: "t", name: "thing", category: "thing", validFromUs: 0, validToUs: null }],
});
for (let at = 0; at < n; at += BATCH) {
  const records = Array.from(
    { length: Math.min(BATCH, n - at) },
    (_, k): RecordInput => ({
      kind: "state",
      id: `s${at + k}`,
      trackId: "t",
      name: "thing",
      category: "thing",
      validFromUs: at + k,
      validToUs: null,
      anchor: {
        submap: `map-${random.int(0, SUBMAPS)}`,
        p: { x: random.range(0, 10), y: random.range(0, 10), z: random.range(0, 3) },
      },
      extent: { x: 0.3, y: 0.3, z: 0.3 },
    }),
  );
  await writer.write({ records });
}

const where = async () =>
  (await reader.search({ where: { ids: ["s7"] } })).hits[0]?.position?.x ?? Number.NaN;
const before = await where();
const began = performance.now();
await writer.write({ frames: edges(2) });
const after = await where();
const ms = performance.now() - began;
const old = await engine.reader({ mapRevision: 1 });
const then = (await old.search({ where: { ids: ["s7"] } })).hits[0]?.position?.x;
console.log(
  `${n} states in ${SUBMAPS} submaps re-anchored in ${ms.toFixed(0)} ms; one of them went from x ${before.toFixed(2)} to ${after.toFixed(2)}, and is at ${then?.toFixed(2)} by the old revision`,
);
await engine.close();
rmSync(folder, { recursive: true });
