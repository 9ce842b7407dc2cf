/**
 * Whether time tells what a token may not see: the same request for something hidden and for something that was never
 * there, in random order over one connection. AUC is the chance that a hidden one took longer; .5 tells nothing.
 * npx node bench/serve-timing.ts [--rounds 2000]
 */
import { mkdtempSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { Random } from "../src/geometry/index.ts";
import { openMemory } from "../src/index.ts";
import { Access } from "../src/interfaces/http/access.ts";
import { blobRefOf, type RecordInput } from "../src/schema/index.ts";
import { startServer } from "./serve/process.ts";
import { Town } from "./serve/town.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "2000" } } });
const ROUNDS = Number(values.rounds);
const START_US = 1_767_225_600_000_000;
const random = new Random("timing");
const bytesOf = (n: number) =>
  Uint8Array.from([0xff, 0xd8, 0xff, ...Array.from({ length: 4_000 }, (_, i) => (i * n) % 251)]);

/** Things that only the family may see, each with a picture, at a place of their own. */
function secrets(n: number): RecordInput[] {
  const common = {
    labels: ["family"],
    validFromUs: START_US,
    anchor: { submap: "world", p: { x: -500 - n, y: -500, z: 0 } },
  };
  return [
    { kind: "observation", id: `look-${n}`, sensorId: "camera", validToUs: START_US + 1, ...common },
    {
      kind: "view",
      id: `view-${n}`,
      observationId: `look-${n}`,
      thumb: blobRefOf(bytesOf(n + 2)),
      validToUs: START_US + 1,
      ...common,
    },
    {
      kind: "track",
      id: `safe-${n}`,
      name: "safe",
      category: "safe",
      text: ["safe"],
      validToUs: null,
      ...common,
    },
    {
      kind: "state",
      id: `state-${n}`,
      trackId: `safe-${n}`,
      name: "safe",
      category: "safe",
      text: ["safe"],
      validToUs: null,
      ...common,
    },
  ];
}

type Ask = (n: number) => { readonly path: string; readonly body?: object };

/** What is hidden, and what was never there, asked for in the same words. */
const PAIRS: Readonly<Record<string, readonly [hidden: Ask, absent: Ask]>> = {
  record: [(n) => ({ path: `/v1/records/safe-${n}` }), (n) => ({ path: `/v1/records/sofa-${n}` })],
  history: [
    (n) => ({ path: `/v1/records/safe-${n}/history` }),
    (n) => ({ path: `/v1/records/sofa-${n}/history` }),
  ],
  blob: [
    (n) => ({ path: `/v1/blobs/${blobRefOf(bytesOf(n + 2))}` }),
    (n) => ({ path: `/v1/blobs/${blobRefOf(Uint8Array.of(n, 1, 2))}` }),
  ],
  picture: [
    (n) => ({ path: `/v1/views/view-${n}/picture` }),
    (n) => ({ path: `/v1/views/vief-${n}/picture` }),
  ],
  words: [
    () => ({ path: "/v1/search", body: { text: "safe", by: "words" } }),
    () => ({ path: "/v1/search", body: { text: "yacht", by: "words" } }),
  ],
  place: [
    (n) => ({ path: "/v1/search", body: { near: { x: -500 - n, y: -500, z: 0 }, within: 5 } }),
    (n) => ({ path: "/v1/search", body: { near: { x: -900 - n, y: -900, z: 0 }, within: 5 } }),
  ],
  ids: [
    (n) => ({ path: "/v1/search", body: { ids: [`safe-${n}`] } }),
    (n) => ({ path: "/v1/search", body: { ids: [`sofa-${n}`] } }),
  ],
  question: [
    () => ({ path: "/v1/ask", body: { question: "Where is the safe?" } }),
    () => ({ path: "/v1/ask", body: { question: "Where is the yacht?" } }),
  ],
};

const agent = new Agent({ keepAlive: true, maxSockets: 1 });

function timed(url: string, token: string, { path, body }: ReturnType<Ask>): Promise<number> {
  const text = body && JSON.stringify(body);
  const headers = {
    authorization: `Bearer ${token}`,
    ...(text && { "content-type": "application/json", "content-length": Buffer.byteLength(text) }),
  };
  return new Promise((resolve, reject) => {
    const beganMs = performance.now();
    const sent = request(url + path, { method: text ? "POST" : "GET", agent, headers }, (response) => {
      response.resume();
      response.on("end", () => resolve(performance.now() - beganMs));
    });
    sent.on("error", reject);
    sent.end(text);
  });
}

/** The chance that one of the first is longer than one of the second. */
function auc(ones: readonly number[], others: readonly number[]): number {
  const all = [...ones.map((ms) => ({ ms, one: 1 })), ...others.map((ms) => ({ ms, one: 0 }))].sort(
    (a, b) => a.ms - b.ms,
  );
  let [ranks, n] = [0, 0];
  for (const { one } of all) ranks += one * ++n;
  return (ranks - (ones.length * (ones.length + 1)) / 2) / (ones.length * others.length);
}

const folder = mkdtempSync(join(tmpdir(), "loci-timing-"));
const memory = await openMemory(folder);
const town = new Town("timing");
await memory.write({ records: Array.from({ length: 2_000 }, (_, n) => town.record(n, 2_000)) });
await memory.write({
  records: Array.from({ length: 100 }, (_, n) => secrets(n)).flat(),
  blobs: Array.from({ length: 100 }, (_, n) => bytesOf(n + 2)),
});
await memory.close();
const token = new Access(folder).add({ name: "guest", scopes: ["read"], labels: [] }, 0);
const server = await startServer(folder);
try {
  console.log(
    `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, Node ${process.versions.node}, ${ROUNDS} pairs`,
  );
  for (const [name, pair] of Object.entries(PAIRS)) {
    const rounds = name === "question" ? Math.ceil(ROUNDS / 5) : ROUNDS;
    const times: [number[], number[]] = [[], []];
    // Made beforehand, so that making them has no part in the times.
    const asks = pair.map((ask) => Array.from({ length: 100 }, (_, n) => ask(n)));
    for (let n = -50; n < rounds; n++) {
      const first = random.int(0, 2);
      for (const which of [first, 1 - first]) {
        const ms = await timed(server.url, token, asks[which]![Math.abs(n) % 100]!);
        if (n >= 0) times[which as 0 | 1].push(ms);
      }
    }
    const value = auc(times[0], times[1]);
    const sd = Math.sqrt(1 / (6 * rounds));
    const median = times.map((list) => list.toSorted((a, b) => a - b)[rounds >> 1]!.toFixed(3));
    console.log(
      `${name.padEnd(9)} AUC ${value.toFixed(3)} ± ${(1.96 * sd).toFixed(3)}  median ms ${median.join(" / ")}`,
    );
  }
} finally {
  await server.end();
  agent.destroy();
  rmSync(folder, { recursive: true, force: true });
}
