/**
 * Many clients on one stream of changes, half of which stop reading: the server's memory, and what the others get.
 * Usage: npx node bench/sse.bench.ts [--clients 500] [--seconds 120] [--rate 20] [--bytes 4000]
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { cpus, tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { parseArgs } from "node:util";

const { values } = parseArgs({
  options: {
    clients: { type: "string", default: "500" },
    seconds: { type: "string", default: "120" },
    rate: { type: "string", default: "20" },
    bytes: { type: "string", default: "4000" },
  },
});
const [clients, seconds, rate, bytes] = [values.clients, values.seconds, values.rate, values.bytes].map(
  Number,
) as [number, number, number, number];
const WARM_S = 20;

interface Client {
  readonly socket: Socket;
  readonly isReading: boolean;
  readonly ids: number[];
  rest: string;
}

const folder = mkdtempSync(join(tmpdir(), "loci-sse-bench-"));
const loci = resolve(import.meta.dirname, "../bin/loci.mjs");
const server = spawn(
  process.execPath,
  [loci, "serve", "--memory", folder, "--port", "0", "--json", "--log", "error"],
  {
    stdio: ["ignore", "pipe", "inherit"],
  },
);
try {
  const line = await new Promise<string>((done) =>
    createInterface({ input: server.stdout! }).once("line", done),
  );
  const { url } = JSON.parse(line) as { url: string };
  await post(url, 0);
  const port = Number(new URL(url).port);
  const all = await Promise.all(Array.from({ length: clients }, (_, n) => open(port, n % 2 === 0)));
  const samples: { second: number; rssMb: number; open: number }[] = [];
  const began = performance.now();
  let written = 0;
  for (let second = 0; second <= seconds; second++) {
    while (written < second * rate) await post(url, ++written);
    samples.push({ second, rssMb: rssMb(server.pid!), open: await kept(url) });
    const wait = (second + 1) * 1_000 - (performance.now() - began);
    if (wait > 0) await new Promise((go) => setTimeout(go, wait));
  }
  await new Promise((go) => setTimeout(go, 2_000));
  report(all, samples, written);
} finally {
  server.kill("SIGKILL");
  rmSync(folder, { recursive: true, force: true });
  process.exit();
}

async function post(url: string, n: number): Promise<void> {
  const records = [
    {
      kind: "caption",
      id: `c${n}`,
      source: "human",
      text: [`Note ${n}.`],
      path: Array.from({ length: Math.ceil(bytes / 60) }, (_, at) => ({
        x: n + at / 7,
        y: at / 3,
        z: 0.123456,
      })),
      validFromUs: n,
      validToUs: n + 1,
    },
  ];
  const body = JSON.stringify({ records });
  const headers = { "content-type": "application/json" };
  const response = await fetch(`${url}/v1/records`, { method: "POST", headers, body });
  if (response.status !== 200)
    throw new Error(`the server answered ${response.status}: ${await response.text()}`);
  await response.arrayBuffer();
}

/** A plain socket: one that stops reading after the headers, or one that takes everything. */
function open(port: number, isReading: boolean): Promise<Client> {
  return new Promise((done, fail) => {
    const socket = connect(port, "127.0.0.1");
    const client: Client = { socket, isReading, ids: [], rest: "" };
    socket.once("error", fail);
    socket.once("data", () => {
      if (!isReading) socket.pause();
      socket.off("error", fail).on("error", () => undefined);
      done(client);
    });
    socket.on("data", (part) => isReading && take(client, String(part)));
    socket.write("GET /v1/changes?after=0&records=true HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n");
  });
}

/** Only the ids are of interest; chunks may cut them anywhere. */
function take(client: Client, part: string): void {
  const text = client.rest + part;
  const end = text.lastIndexOf("\n");
  client.rest = text.slice(end + 1);
  for (const [, id] of text.slice(0, end + 1).matchAll(/^id: (\d+)$/gm)) client.ids.push(Number(id));
}

function rssMb(pid: number): number {
  const [, kb] = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8")) ?? [];
  return Number(kb) / 1024;
}

/** Streams that the server still keeps, as it says itself. */
async function kept(url: string): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  return Number(/^loci_http_connections (\d+)$/m.exec(text)?.[1] ?? Number.NaN);
}

function report(
  all: readonly Client[],
  samples: readonly { second: number; rssMb: number; open: number }[],
  written: number,
): void {
  const readers = all.filter(({ isReading }) => isReading);
  const [first] = readers;
  const inOrder = readers.every(({ ids }) => ids.every((id, n) => n === 0 || id > ids[n - 1]!));
  const same = readers.every(({ ids }) => ids.length === written + 1 && ids.at(-1) === first!.ids.at(-1));
  const warm = samples.find(({ second }) => second === Math.min(WARM_S, seconds))!;
  const last = samples.at(-1)!;
  const most = Math.max(
    ...samples.filter(({ second }) => second >= warm.second).map((sample) => sample.rssMb),
  );
  console.log(`machine: ${cpus().length} × ${cpus()[0]?.model ?? "?"}, node ${process.version}`);
  console.log(
    `${clients} clients, half of which stop reading; ${written} commits of about ${bytes} bytes in ${seconds} s`,
  );
  for (const { second, rssMb: mb, open } of samples.filter(({ second }) => second % 10 === 0))
    console.log(`  ${String(second).padStart(4)} s  ${mb.toFixed(0)} MB  ${open} connections`);
  console.log(
    `memory at ${warm.second} s ${warm.rssMb.toFixed(0)} MB, at the end ${last.rssMb.toFixed(0)} MB (${(last.rssMb / warm.rssMb).toFixed(2)}×), at most ${most.toFixed(0)} MB`,
  );
  console.log(`readers: ${readers.length}, each commit once and in order: ${inOrder && same ? "yes" : "NO"}`);
}
