/**
 * An hour of recording into one memory: how large the process is at minute 10, 20 … 60, as it runs and after everything
 * that may go is gone (garbage, and the pages that V8 keeps for its next garbage, more than a hundred megabytes), and
 * what the hour costs. The recording is simulated by a process of its own, so that the size is the pipeline's alone.
 * node --expose-gc bench/hour.bench.ts [--minutes 60] [--fps 1] [--seed 7] [--noise 0.5] [--recording DIR] [--every 10]
 */
import { spawnSync } from "node:child_process";
import { existsSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ingestInto, openMemory } from "../src/compose.ts";
import { openRecording, type RecordingReader } from "../src/sensors/index.ts";

const { values } = parseArgs({
  options: {
    minutes: { type: "string", default: "60" },
    fps: { type: "string", default: "1" },
    seed: { type: "string", default: "7" },
    noise: { type: "string", default: "0.5" },
    every: { type: "string", default: "10" },
    recording: { type: "string" },
  },
});
const MEGABYTE = 1024 * 1024;
const MINUTE_US = 60_000_000;

interface Size {
  readonly minute: number;
  /** Before anything is collected. */
  readonly runningMB: number;
  readonly residentMB: number;
  /** Without files that are mapped into the process, the memory's own above all: the system may take those back. */
  readonly ownMB: number;
  readonly heapMB: number;
  readonly externalMB: number;
  readonly buffersMB: number;
  readonly cpuS: number;
}

/** What is left after everything that may go is gone; resident pages are given back a little later than the heap. */
async function sizeAt(minute: number): Promise<Size> {
  const running = process.memoryUsage().rss;
  for (let i = 0; i < 4; i++) {
    globalThis.gc?.({ type: "major", execution: "sync", flavor: "last-resort" });
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  const { rss, heapUsed, external, arrayBuffers } = process.memoryUsage();
  const { user, system } = process.cpuUsage();
  return {
    minute,
    runningMB: running / MEGABYTE,
    residentMB: rss / MEGABYTE,
    ownMB: ownBytes(rss) / MEGABYTE,
    heapMB: heapUsed / MEGABYTE,
    externalMB: external / MEGABYTE,
    buffersMB: arrayBuffers / MEGABYTE,
    cpuS: (user + system) / 1e6,
  };
}

function ownBytes(rss: number): number {
  const status = "/proc/self/status";
  const own = existsSync(status)
    ? /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(status, "utf8"))?.[1]
    : undefined;
  return own === undefined ? rss : Number(own) * 1024;
}

/** The same recording, with a look at the process whenever so many minutes of it have passed. */
function measured(recording: RecordingReader, everyMinutes: number, sizes: Size[]): RecordingReader {
  return {
    format: recording.format,
    info: recording.info,
    close: () => recording.close(),
    async *items(options) {
      let startUs: number | undefined;
      let next = everyMinutes;
      for await (const item of recording.items(options)) {
        if (item.kind === "frame") {
          startUs ??= item.frame.timeUs;
          if (item.frame.timeUs - startUs >= next * MINUTE_US) {
            sizes.push(await sizeAt(next));
            print(sizes.at(-1)!);
            next += everyMinutes;
          }
        }
        yield item;
      }
    },
  };
}

function print({ minute, runningMB, residentMB, ownMB, heapMB, externalMB, buffersMB, cpuS }: Size): void {
  const mb = (value: number) => value.toFixed(1).padStart(7);
  console.log(
    `minute ${String(minute).padStart(3)}: resident ${mb(runningMB)} MB, collected ${mb(residentMB)}, without mapped files ${mb(ownMB)}, heap ${mb(heapMB)}, external ${mb(externalMB)}, buffers ${mb(buffersMB)}, processor ${cpuS.toFixed(0)} s`,
  );
}

if (globalThis.gc === undefined) console.log("run with --expose-gc: without it garbage is counted as well");
const folder = mkdtempSync(join(tmpdir(), "loci-hour-"));
try {
  const path = values.recording ?? join(folder, "recording");
  if (values.recording === undefined) {
    const { minutes, fps, seed, noise } = values;
    const simulate = [
      "bin/loci.mjs",
      "simulate",
      "house",
      "--seed",
      seed,
      "--minutes",
      minutes,
      "--fps",
      fps,
    ];
    const { status } = spawnSync(process.execPath, [...simulate, "--noise", noise, "--out", path], {
      stdio: "inherit",
    });
    if (status !== 0) throw new Error(`simulate ended with ${status}`);
  }
  const memory = await openMemory(join(folder, "memory"));
  const recording = await openRecording(path);
  const sizes: Size[] = [];
  const summary = await ingestInto(memory, measured(recording, Number(values.every), sizes));
  sizes.push(await sizeAt(Number(values.minutes)));
  print(sizes.at(-1)!);
  await recording.close();
  const { bytes } = await memory.stats();
  await memory.close();
  const [first, last] = [sizes[0]!, sizes.at(-1)!];
  console.log(
    `${summary.written} frames; minute ${last.minute} / minute ${first.minute}: resident × ${(last.runningMB / first.runningMB).toFixed(3)}, collected × ${(last.residentMB / first.residentMB).toFixed(3)}, without mapped files × ${(last.ownMB / first.ownMB).toFixed(3)}, heap × ${(last.heapMB / first.heapMB).toFixed(3)}; memory on disk ${(bytes / MEGABYTE).toFixed(1)} MB`,
  );
} finally {
  rmSync(folder, { recursive: true, force: true });
}
