/**
 * What taking a recording in costs on a small computer, by profile: `node bench/profiles.ts BAG`. The server runs on some
 * cores only (taskset) with a bounded heap (--max-old-space-size); processor seconds and the highest resident memory are the
 * kernel's own (/proc). Linux only.
 */
import { spawn } from "node:child_process";
import { mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import type { SourceStatus } from "../src/compose.ts";

const LOCI = resolve(import.meta.dirname, "../bin/loci.mjs");
/** Cores, and megabytes of heap: what is left of the machine's memory for code, pictures and the index. */
const MACHINES = [
  { machine: "1 core, 1 GB", cores: "0", heapMb: 512 },
  { machine: "2 cores, 4 GB", cores: "0,1", heapMb: 2_048 },
] as const;
/** Of the kernel's clock, by which /proc counts processor time. */
const TICKS_A_SECOND = 100;
const LOOK_MS = 500;

const [bag] = process.argv.slice(2);
if (bag === undefined) throw new Error("expected a recording: node bench/profiles.ts BAG");
const rows: object[] = [];
for (const { machine, cores, heapMb } of MACHINES)
  for (const profile of ["small", "full"])
    rows.push({ machine, profile, ...(await measured(resolve(bag), { cores, heapMb, profile })) });
console.table(rows);

async function measured(
  recording: string,
  { cores, heapMb, profile }: { readonly cores: string; readonly heapMb: number; readonly profile: string },
) {
  const folder = mkdtempSync(join(tmpdir(), "loci-profiles-"));
  const source = `${recording}?profile=${profile}`;
  const server = [
    LOCI,
    "serve",
    "--memory",
    join(folder, "memory"),
    "--port",
    "0",
    "--json",
    "--log",
    "error",
  ];
  const child = spawn(
    "taskset",
    ["-c", cores, process.execPath, `--max-old-space-size=${heapMb}`, ...server, "--ingest", source],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  const ended = new Promise((done) => child.once("exit", done));
  try {
    const line = await new Promise<string>((done, fail) => {
      createInterface({ input: child.stdout }).once("line", done);
      child.once("exit", (code) => fail(new Error(`serve ended with ${code}`)));
    });
    const { url } = JSON.parse(line) as { url: string };
    const before = secondsOf(child.pid!);
    const source = await finished(url);
    const { taken } = source.frames;
    return {
      frames: taken,
      state: source.state,
      "cpu s a frame": Number(((secondsOf(child.pid!) - before) / Math.max(1, taken)).toFixed(2)),
      "resident MB": Math.round(highestKb(child.pid!) / 1_024),
    };
  } finally {
    child.kill("SIGTERM");
    await ended;
    rmSync(folder, { recursive: true, force: true });
  }
}

async function finished(url: string): Promise<SourceStatus> {
  for (;;) {
    const [source] = (await (await fetch(`${url}/v1/sources`)).json()) as [SourceStatus];
    if (["finished", "failed", "stopped"].includes(source.state)) return source;
    await new Promise((done) => setTimeout(done, LOOK_MS));
  }
}

/** Processor seconds of a process with all of its threads. */
function secondsOf(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]!.split(" ");
  return (Number(fields[11]) + Number(fields[12])) / TICKS_A_SECOND;
}

function highestKb(pid: number): number {
  return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))![1]);
}
