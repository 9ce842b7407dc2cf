import { type ChildProcess, spawn } from "node:child_process";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import type { Job } from "./jobs.ts";
import type { Probe } from "./probe.ts";

const CHILD = fileURLToPath(new URL("./child.ts", import.meta.url));
const PROBE = fileURLToPath(new URL("./probe.mjs", import.meta.url));
const SAID_CHARS = 4_000;
const PROBE_LIMIT_MS = 120_000;
/** A job that says nothing for so long hangs; building an index may be silent for much longer than a question. */
const SILENT_LIMIT_MS = { building: 3_600_000, asking: 900_000 };

/** One thread for questions, wherever an engine can be told so. Writing may use all: LanceDB hangs on one. */
const ONE_THREAD = {
  LANCE_CPU_THREADS: "1",
  LANCE_IO_THREADS: "1",
  RAYON_NUM_THREADS: "1",
  TOKIO_WORKER_THREADS: "1",
  OMP_NUM_THREADS: "1",
};

export interface RunControl {
  readonly signal?: AbortSignal | undefined;
  readonly onProgress?: ((said: string) => void) | undefined;
}

/** A job in a process of its own; `ready` settles when the job says that it waits for its parent's word. */
export interface RunningJob<T> {
  readonly result: Promise<T>;
  readonly ready: Promise<void>;
  tell(): void;
}

export function startJob<T>(job: Job, control: RunControl): RunningJob<T> {
  const asks = job.job === "query" || job.job === "read-while-written";
  const building = job.job === "load" || job.job === "truth";
  const child = spawn(process.execPath, ["--max-old-space-size=8192", CHILD, JSON.stringify(job)], {
    stdio: ["ignore", "pipe", "pipe", "ipc"],
    env: { ...process.env, ...(asks ? ONE_THREAD : {}) },
  });
  const said = sayings(child);
  let becameReady: () => void = () => {};
  const ready = new Promise<void>((resolve) => {
    becameReady = resolve;
  });
  const result = new Promise<T>((resolve, reject) => {
    let outcome: { value: T } | undefined;
    let hung = false;
    const silence = setTimeout(
      () => {
        hung = true;
        child.kill("SIGKILL");
      },
      building ? SILENT_LIMIT_MS.building : SILENT_LIMIT_MS.asking,
    );
    const abort = () => child.kill();
    control.signal?.addEventListener("abort", abort, { once: true });
    child.on("message", (message: { progress?: string; ready?: boolean; result?: T }) => {
      silence.refresh();
      if (message.progress !== undefined) control.onProgress?.(message.progress);
      if (message.ready) becameReady();
      if (message.result !== undefined) outcome = { value: message.result };
    });
    child.on("error", reject);
    child.on("close", (status, killed) => {
      clearTimeout(silence);
      control.signal?.removeEventListener("abort", abort);
      becameReady();
      if (control.signal?.aborted) reject(control.signal.reason);
      else if (outcome) resolve(outcome.value);
      else {
        const how = hung ? "was ended after a long silence" : `ended with ${killed ?? status}`;
        reject(new Error(`bench job ${job.job} ${how}: ${said()}`));
      }
    });
  });
  // Whoever waits for `ready` first must not leave this rejection unheard.
  result.catch(() => {});
  return { result, ready, tell: () => child.connected && child.send({ go: true }) };
}

export function runJob<T>(job: Job, control: RunControl): Promise<T> {
  return startJob<T>(job, control).result;
}

/** Milliseconds from starting node to the first answer. */
export function firstAnswerMs(probe: Probe, folder: string, control: RunControl): Promise<number> {
  const file = join(folder, `probe-${probe.kind}.json`);
  writeFileSync(file, JSON.stringify(probe));
  return new Promise((resolve, reject) => {
    const start = performance.now();
    const child = spawn(process.execPath, [PROBE, file], {
      stdio: ["ignore", "pipe", "pipe"],
      env: { ...process.env, ...ONE_THREAD },
      timeout: PROBE_LIMIT_MS,
      ...(control.signal ? { signal: control.signal } : {}),
    });
    let ms: number | undefined;
    child.stdout!.once("data", () => {
      ms = performance.now() - start;
    });
    const said = sayings(child);
    child.on("error", reject);
    child.on("close", (status) => {
      if (ms !== undefined && status === 0) resolve(ms);
      else reject(new Error(`probe of ${probe.engine} (${probe.kind}) ended with ${status}: ${said()}`));
    });
  });
}

/** The last that a child wrote, for its obituary. */
function sayings(child: ChildProcess): () => string {
  let text = "";
  for (const stream of [child.stdout, child.stderr]) {
    stream?.on("data", (chunk: Buffer) => {
      text = (text + chunk.toString()).slice(-SAID_CHARS);
    });
  }
  return () => text.trim();
}
