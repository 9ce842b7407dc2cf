/**
 * The server under load from this process: hybrid searches at a fixed rate while detections are written, each search
 * timed from the moment it was due, so that a stall counts for everything that waited behind it.
 * With --asks questions are asked beside them, with --hostile another caller does his worst with a token to read.
 * npx node bench/serve.bench.ts [--n 100000] [--seconds 60] [--searches 500] [--detections 1000] [--asks 1] [--hostile]
 *   [--keep DIR] [--profile DIR]
 */
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { Agent, request } from "node:http";
import { cpus, tmpdir } from "node:os";
import { join } from "node:path";
import { monitorEventLoopDelay } from "node:perf_hooks";
import { parseArgs } from "node:util";
import { openMemory } from "../src/index.ts";
import { Access } from "../src/interfaces/http/access.ts";
import { hostile } from "./serve/hostile.ts";
import { idler } from "./serve/idler.ts";
import { startServer } from "./serve/process.ts";
import { Town } from "./serve/town.ts";

const { values } = parseArgs({
  options: {
    n: { type: "string", default: "100000" },
    seconds: { type: "string", default: "60" },
    searches: { type: "string", default: "500" },
    detections: { type: "string", default: "1000" },
    asks: { type: "string", default: "0" },
    hostile: { type: "boolean", default: false },
    connections: { type: "string", default: "32" },
    keep: { type: "string" },
    profile: { type: "string" },
  },
});
const [N, SECONDS, SEARCHES, DETECTIONS] = [values.n, values.seconds, values.searches, values.detections].map(
  Number,
) as [number, number, number, number];
const ASKS_PER_S = Number(values.asks);
const QUESTIONS = ["Where is the sofa?", "How many chairs are in the kitchen?", "What is near the door?"];
/** Writes come ten times a second, in looks of ten detections. */
const WRITES_PER_S = 10;
const PER_LOOK = 10;
interface ProbeOptions {
  readonly keepAlive: boolean;
  /** Between an answer and the next request. */
  readonly everyMs: number;
}
const PAUSES: ProbeOptions = { keepAlive: true, everyMs: 10 };
const NEW_CLIENTS: ProbeOptions = { keepAlive: false, everyMs: 1_000 };

const folder = values.keep ?? mkdtempSync(join(tmpdir(), "loci-serve-"));
const town = new Town("serve");
const agent = new Agent({ keepAlive: true, maxSockets: Number(values.connections) });

async function fill(): Promise<void> {
  if (existsSync(join(folder, "memory.db"))) return;
  const memory = await openMemory(folder);
  for (let from = 0; from < N; from += 2_000) {
    const rows = Math.min(2_000, N - from);
    await memory.write({ records: Array.from({ length: rows }, (_, i) => town.record(from + i, N)) });
  }
  await memory.calibrate();
  await memory.close();
}

interface Counted {
  readonly ms: number[];
  errors: number;
  hits: number;
  bytes: number;
}

/** Sends one request; milliseconds from when it was due. */
function post(url: string, path: string, body: string, dueMs: number, into: Counted): void {
  const fail = () => void into.errors++;
  const sent = request(
    url + path,
    {
      method: "POST",
      agent,
      headers: {
        authorization: `Bearer ${own}`,
        "content-type": "application/json",
        "content-length": Buffer.byteLength(body),
      },
    },
    (response) => {
      const parts: Buffer[] = [];
      response.on("data", (part: Buffer) => parts.push(part));
      response.on("end", () => {
        into.ms.push(performance.now() - dueMs);
        if (response.statusCode !== 200) return fail();
        for (const part of parts) into.bytes += part.length;
        const text = Buffer.concat(parts).toString();
        if (path === "/v1/search" && text.startsWith('{"hits":[{')) into.hits++;
      });
      response.on("error", fail);
    },
  );
  sent.on("error", fail);
  sent.end(body);
}

/** Asks whether the server is there: over one connection, how long the server stops; over new ones, also how long a new client waits. */
function probe(url: string, waits: number[], { keepAlive, everyMs }: ProbeOptions): () => void {
  const own = new Agent({ keepAlive, maxSockets: 1 });
  let isOver = false;
  const again = (): void => {
    if (isOver) return;
    const fromMs = performance.now();
    const sent = request(`${url}/health`, { agent: own }, (response) => {
      response.resume().on("end", () => {
        waits.push(performance.now() - fromMs);
        setTimeout(again, everyMs);
      });
    });
    sent.on("error", () => setTimeout(again, everyMs));
    sent.end();
  };
  again();
  return () => {
    isOver = true;
    own.destroy();
  };
}

const rssMb = (pid: number): number =>
  Number(/VmRSS:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1]) / 1024;

/** Processor seconds of a process so far, in ticks of a hundredth. */
const cpuS = (pid: number): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / 100;
};

/** Megabytes of files that the machine had dropped from its memory and read again so far, by whatever program. */
const refaultedMb = (): number =>
  (Number(/workingset_refault_file (\d+)/.exec(readFileSync("/proc/vmstat", "utf8"))?.[1] ?? 0) * 4) / 1024;

const at = (sorted: readonly number[], share: number): number =>
  sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN;

/** This process's own beginning is not the server's: its client is compiled and connected before the clock runs. */
async function warmUp(url: string): Promise<void> {
  for (let n = 0; n < 1_000; n++) await (await fetch(`${url}/health`)).arrayBuffer();
  const uncounted: Counted = { ms: [], errors: 0, hits: 0, bytes: 0 };
  for (let n = 0; n < 1_000; n++) {
    post(url, "/health", "", 0, uncounted);
    if (n % 100 === 0) await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

const tenths = (ms: readonly number[]): number[][] =>
  Array.from({ length: 10 }, (_, n) =>
    ms.slice((n * ms.length) / 10, ((n + 1) * ms.length) / 10).toSorted((a, b) => a - b),
  );

async function load(url: string, pid: number) {
  const searches: Counted = { ms: [], errors: 0, hits: 0, bytes: 0 };
  const writes: Counted = { ms: [], errors: 0, hits: 0, bytes: 0 };
  const asks: Counted = { ms: [], errors: 0, hits: 0, bytes: 0 };
  const queries = Array.from({ length: 3_000 }, (_, n) => JSON.stringify(town.query(n)));
  const batches = Array.from({ length: DETECTIONS > 0 ? SECONDS * WRITES_PER_S + 1 : 0 }, () =>
    JSON.stringify({
      looks: Array.from({ length: DETECTIONS / WRITES_PER_S / PER_LOOK }, () => town.look(PER_LOOK)),
    }),
  );
  const rss: number[] = [];
  await warmUp(url);
  const waits: number[] = [];
  const newWaits: number[] = [];
  const endProbes = [probe(url, waits, PAUSES), probe(url, newWaits, NEW_CLIENTS)];
  await new Promise((resolve) => setTimeout(resolve, 100));
  const end = values.hostile ? hostile(url, other) : undefined;
  const endIdling = idler();
  const late = monitorEventLoopDelay({ resolution: 5 });
  late.enable();
  const [beganMs, cpuBefore, refaultedBefore] = [performance.now(), cpuS(pid), refaultedMb()];
  let [searched, written, asked, seconds] = [0, 0, 0, 0];
  await new Promise<void>((resolve) => {
    const timer = setInterval(() => {
      const passedS = (performance.now() - beganMs) / 1000;
      for (; searched < Math.min(passedS, SECONDS) * SEARCHES; searched++) {
        const dueMs = beganMs + (searched / SEARCHES) * 1000;
        post(url, "/v1/search", queries[searched % queries.length]!, dueMs, searches);
      }
      for (; DETECTIONS > 0 && written < Math.min(passedS, SECONDS) * WRITES_PER_S; written++) {
        const dueMs = beganMs + (written / WRITES_PER_S) * 1000;
        post(url, "/v1/detections", batches[written]!, dueMs, writes);
      }
      for (; asked < Math.min(passedS, SECONDS) * ASKS_PER_S; asked++) {
        const question = QUESTIONS[asked % QUESTIONS.length]!;
        post(url, "/v1/ask", JSON.stringify({ question }), beganMs + (asked / ASKS_PER_S) * 1000, asks);
      }
      for (; seconds < passedS; seconds++) rss.push(rssMb(pid));
      if (passedS > SECONDS + 10 || (passedS > SECONDS && searches.ms.length + searches.errors >= searched)) {
        clearInterval(timer);
        resolve();
      }
    }, 2);
  });
  for (const endProbe of endProbes) endProbe();
  late.disable();
  return {
    idleLateMs: await endIdling(),
    refaultedMb: refaultedMb() - refaultedBefore,
    clientLateMs: { p99: late.percentile(99) / 1e6, longest: late.max / 1e6 },
    searches,
    writes,
    asks,
    waits,
    newWaits,
    hostile: end?.(),
    searched,
    written,
    rss,
    cpuS: cpuS(pid) - cpuBefore,
    tookS: (performance.now() - beganMs) / 1000,
  };
}

await fill();
const access = new Access(folder);
for (const { name } of access.list()) if (name.startsWith("bench-")) access.remove(name);
const own = access.add({ name: "bench-own", scopes: ["admin"], labels: "*" }, 0);
const other = access.add({ name: "bench-hostile", scopes: ["read"], labels: "*" }, 0);
const server = await startServer(
  folder,
  values.profile ? ["--cpu-prof", `--cpu-prof-dir=${values.profile}`] : [],
);
try {
  const run = await load(server.url, server.pid);
  const { searches, writes, asks, waits, newWaits, searched, written, rss, tookS, cpuS } = run;
  const waited = waits.toSorted((a, b) => a - b);
  const newWaited = newWaits.toSorted((a, b) => a - b);
  const asksSorted = asks.ms.toSorted((a, b) => a - b);
  const sorted = searches.ms.toSorted((a, b) => a - b);
  const writesSorted = writes.ms.toSorted((a, b) => a - b);
  const report = {
    machine: `${cpus().length} × ${cpus()[0]?.model ?? process.arch}, Node ${process.versions.node}`,
    records: N,
    seconds: SECONDS,
    searchesPerS: Math.round(searches.ms.length / Math.max(SECONDS, tookS)),
    searchMs: { p50: at(sorted, 0.5), p90: at(sorted, 0.9), p99: at(sorted, 0.99), max: at(sorted, 1) },
    /** In the order in which they were answered. */
    p99ByTenth: tenths(searches.ms).map((part) => at(part, 0.99)),
    /** How long /health waited: the longest is the longest pause. */
    pauseMs: { p50: at(waited, 0.5), p99: at(waited, 0.99), longest: at(waited, 1) },
    /** How long a new client waits for its first answer, its connection included. */
    newClientMs: { p50: at(newWaited, 0.5), longest: at(newWaited, 1) },
    /** How late this process itself was: what it measures is no better than that. */
    clientLateMs: run.clientLateMs,
    /** How late a thread of it was that does nothing: pauses of the machine, of which no program is the cause. */
    idleLateMs: run.idleLateMs,
    /** What was read from the disk a second time: whoever asks for it waits for the disk. */
    refaultedMb: run.refaultedMb,
    withHits: searches.hits,
    answerKb: searches.bytes / searches.ms.length / 1024,
    detectionsPerS: Math.round((writes.ms.length * (DETECTIONS / WRITES_PER_S)) / SECONDS),
    writeMs: { p50: at(writesSorted, 0.5), p99: at(writesSorted, 0.99) },
    ...(ASKS_PER_S > 0 && { askMs: { p50: at(asksSorted, 0.5), p99: at(asksSorted, 0.99) } }),
    /** How the other caller was answered, by status. */
    ...(run.hostile && { hostile: run.hostile }),
    sent: { searched, written },
    /** Of the server, by second: of this it needs at least so much processor. */
    cpuPerS: { server: cpuS / tookS, client: process.cpuUsage().user / 1e6 / tookS },
    errors: searches.errors + writes.errors + asks.errors,
    rssMb: {
      second20: rss[20],
      end: rss.at(-1),
      ratio: (rss.at(-1) ?? 0) / (rss[20] ?? 1),
      byMinute: rss.filter((_, second) => second % 60 === 0),
    },
  };
  console.log(JSON.stringify(report, (_, v) => (typeof v === "number" ? Math.round(v * 1000) / 1000 : v), 2));
} finally {
  await server.end();
  agent.destroy();
  if (values.keep === undefined) rmSync(folder, { recursive: true, force: true });
}
