/**
 * What one long body holds up: legal writes as long as a server takes, and some that it refuses, one after another. For each
 * the longest piece of work of the server's main thread, ms of its processor. The first round compiles.
 * npx node bench/long-bodies.bench.ts [--rounds 3]
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { parseArgs } from "node:util";
import { openMemory } from "../src/index.ts";
import { startServer } from "./serve/process.ts";
import { Town } from "./serve/town.ts";

const { values } = parseArgs({ options: { rounds: { type: "string", default: "3" } } });
const ROUNDS = Number(values.rounds);
const BODY_BYTES = 8_388_608;
const START_US = 1_767_225_600_000_000;
const town = new Town("long bodies");

const words = (n: number, times: number) => `the number ${n} is here `.repeat(times);
const caption = (n: number, round: number) => ({
  ...{ kind: "caption", id: `c${round}-${n}`, source: "human", text: [`mug ${n}`], sceneId: "default" },
  ...{ author: "x", labels: [], validFromUs: 1, validToUs: 2 },
});
const many = <T>(count: number, make: (n: number) => T): T[] =>
  Array.from({ length: count }, (_, n) => make(n));
const filled = (part: string, head: string, tail: string) =>
  head + many(Math.floor((BODY_BYTES - 100) / (part.length + 1)), () => part).join(",") + tail;

const bodies: Readonly<Record<string, readonly [path: string, body: (round: number) => string]>> = {
  "1,000 captions of 7.5 kB": [
    "/v1/captions",
    (round) =>
      JSON.stringify({
        captions: many(1_000, (n) => ({ text: words(n, 330), time: START_US + round * 1e6 + n })),
      }),
  ],
  "10,000 records": [
    "/v1/records",
    (round) => JSON.stringify({ records: many(10_000, (n) => caption(n, round)) }),
  ],
  "400 records of one long line": [
    "/v1/records",
    (round) =>
      JSON.stringify({
        records: many(400, (n) => ({ ...caption(n, round), id: `l${round}-${n}`, text: [words(n, 500)] })),
      }),
  ],
  "100 looks of 99 detections": [
    "/v1/detections",
    () => JSON.stringify({ looks: many(100, () => town.look(99)) }),
  ],
  "40,000 sightings of nothing known": [
    "/v1/records",
    () =>
      JSON.stringify({
        sightings: many(40_000, (n) => ({
          stateId: `s${n}`,
          timeUs: START_US + n,
          outcome: "seen",
          labels: [],
        })),
      }),
  ],
  "objects without end": ["/v1/detections", () => filled("{}", '{"looks":[', "]}")],
  "one string": ["/v1/facts", () => JSON.stringify({ text: "x ".repeat(BODY_BYTES / 2 - 50) })],
  "a list of another kind": ["/v1/facts", () => filled("1", '{"text":[', "]}")],
};

const folder = mkdtempSync(join(tmpdir(), "loci-bodies-bench-"));
const pieces = join(folder, "pieces.jsonl");
process.env["PIECES"] = pieces;
const monitor = new URL("./serve/pieces.ts", import.meta.url).href;
const memory = await openMemory(join(folder, "memory"));
await memory.write({ records: many(2_000, (n) => town.record(n, 2_000)) });
await memory.close();
const server = await startServer(join(folder, "memory"), ["--import", monitor]);
const longest: Record<string, { status: number; bytes: number; longestPieceMs: number[] }> = {};
try {
  for (let round = 0; round <= ROUNDS; round++)
    for (const [name, [path, make]] of Object.entries(bodies)) {
      const body = make(round);
      const beganMs = Date.now();
      const headers = { "content-type": "application/json" };
      const reply = await fetch(server.url + path, { method: "POST", body, headers });
      await reply.arrayBuffer();
      await pause(100);
      const told = existsSync(pieces) ? readFileSync(pieces, "utf8").trim().split("\n") : [];
      const own = told.map((line) => JSON.parse(line) as { endMs: number; cpuMs: number });
      const most = Math.max(0, ...own.filter(({ endMs }) => endMs >= beganMs).map(({ cpuMs }) => cpuMs));
      longest[name] ??= { status: reply.status, bytes: body.length, longestPieceMs: [] };
      if (round > 0) longest[name].longestPieceMs.push(Math.round(most));
    }
  const machine = `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, Node ${process.versions.node}`;
  console.log(JSON.stringify({ machine, longest }, null, 2));
} finally {
  await server.end();
  rmSync(folder, { recursive: true, force: true });
}
