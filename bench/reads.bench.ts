/**
 * What one request of a token that only reads holds up: for each route the longest piece of work of the server's main thread,
 * ms of its processor, once as the first of its kind, once again, and once more after a write. Asked by a caller who holds every
 * label and by one who holds none.
 * npx node bench/reads.bench.ts [--n 100000]
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openMemory } from "../src/index.ts";
import { Access } from "../src/interfaces/http/access.ts";
import { startServer } from "./serve/process.ts";
import { Town } from "./serve/town.ts";

const { values } = parseArgs({ options: { n: { type: "string", default: "100000" } } });
const N = Number(values.n);
const BATCH = 2_000;
/** A stream is left after this. */
const STREAM_MS = 1_000;
const REACHABLE = 'filter(things(), reachable(it(), rooms(name: "kitchen")))';
const LONG_QUESTION =
  "Which of the mugs that were near the door yesterday and not in the kitchen were seen by the robot before the chair was moved to the office?";

/** As many as a question may have. */
const OPTIONS = Array.from(
  { length: 26 },
  (_, n) => `the mug ${n} that was near the door before the chair was moved`,
);

const READS: readonly (readonly [path: string, body?: object])[] = [
  ["/v1/stats"],
  ["/v1/feed"],
  ["/v1/feed/states"],
  ["/v1/feed/ways"],
  ["/v1/feed/ground"],
  ["/v1/changes"],
  ["/v1/search", { limit: 1_000 }],
  ["/v1/search", { text: "red mug", limit: 1_000 }],
  ["/v1/search", { text: "red mug", by: "words", limit: 100 }],
  ["/v1/search", { near: { x: 1_000, y: 1_000, z: 0 }, within: 5_000, limit: 100 }],
  ["/v1/ask", { question: "How many things are in the kitchen?" }],
  ["/v1/ask", { question: "What has been moved since 09:00?" }],
  ["/v1/ask", { question: LONG_QUESTION }],
  ["/v1/ask", { question: "Which of these is red?", options: OPTIONS }],
  ["/v1/list", { what: "things" }],
  ["/v1/list", { what: "rooms" }],
  ["/v1/timeline", {}],
  ["/v1/coverage", {}],
  ["/v1/watches", { expression: REACHABLE }],
];

const folder = mkdtempSync(join(tmpdir(), "loci-reads-bench-"));
const place = join(folder, "memory");
const pieces = join(folder, "pieces.jsonl");
process.env["PIECES"] = pieces;

async function fill(): Promise<void> {
  const town = new Town("reads");
  const memory = await openMemory(place);
  for (let from = 0; from < N; from += BATCH) {
    const rows = Math.min(BATCH, N - from);
    const records = Array.from({ length: rows }, (_, i) => ({
      ...town.record(from + i, N),
      labels: i % 10 === 0 ? ["private"] : [],
    }));
    await memory.write({ records });
  }
  await memory.calibrate();
  await memory.close();
}

/** The longest piece of work since a moment. */
function longestSince(beganMs: number): number {
  const told = existsSync(pieces) ? readFileSync(pieces, "utf8").trim().split("\n") : [];
  const own = told.map((line) => JSON.parse(line) as { endMs: number; cpuMs: number });
  return Math.max(0, ...own.filter(({ endMs }) => endMs >= beganMs).map(({ cpuMs }) => cpuMs));
}

await fill();
const access = new Access(place);
const tokens = {
  "every label": access.add({ name: "all", scopes: ["read"], labels: "*" }, 0),
  "no label": access.add({ name: "guest", scopes: ["read"], labels: [] }, 0),
};
const writer = access.add({ name: "writer", scopes: ["write"], labels: "*" }, 0);
const server = await startServer(place, ["--import", new URL("./serve/pieces.ts", import.meta.url).href]);
const call = async (path: string, token: string, body?: object): Promise<number> => {
  const headers = { authorization: `Bearer ${token}`, ...(body && { "content-type": "application/json" }) };
  const signal = AbortSignal.timeout(path === "/v1/changes" ? STREAM_MS : 60_000);
  const init = body ? { method: "POST", body: JSON.stringify(body) } : {};
  const answer = await fetch(server.url + path, { ...init, headers, signal });
  await answer.arrayBuffer().catch(() => undefined);
  return answer.status;
};
try {
  const longest: Record<string, unknown> = {};
  for (const [who, token] of Object.entries(tokens))
    for (const [path, body] of READS) {
      const longestPieceMs: number[] = [];
      let status = 0;
      for (const round of ["first", "again", "after a write"]) {
        if (round === "after a write") await call("/v1/facts", writer, { text: `It is ${Date.now()}.` });
        await pause(100);
        const beganMs = Date.now();
        status = await call(path, token, body);
        await pause(50);
        longestPieceMs.push(Math.round(longestSince(beganMs)));
      }
      longest[`${who}: ${path} ${body ? JSON.stringify(body).slice(0, 60) : ""}`] = {
        status,
        longestPieceMs,
      };
    }
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, Node ${process.versions.node}`;
  console.log(JSON.stringify({ machine, records: N, longest }, null, 1));
} finally {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
}
