/**
 * Our own eyes on a real recording of colour, depth and poses, end to end, as `loci ingest` takes it in:
 *   node bench/eyes-real.ts DIR [--parts speed,again,halves,long] [--frames N] [--rounds 4]
 * speed: frames a second, by the wall and by the processor; again: whether a second whole run gives the same memory;
 * halves: things after the even frames, and after the odd ones into the same memory; long: the size of the process
 * while the recording is taken in `rounds` times over, each later than the one before, as one recording.
 * `LOCI_PACKAGES=FOLDER` takes an onnxruntime-node that lies elsewhere. On a busy machine only processor time says anything.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { cpus, loadavg, tmpdir } from "node:os";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { ingestInto, listMemory, openEyes, openMemory } from "../src/compose.ts";
import { findPackage } from "../src/models/index.ts";
import { openRecording, type RecordingReader } from "../src/sensors/index.ts";

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    parts: { type: "string", default: "speed,again,halves,long" },
    frames: { type: "string" },
    rounds: { type: "string", default: "4" },
  },
});
const [source] = positionals;
if (source === undefined) throw new Error("expected the folder of a recording");
const wanted = new Set(values.parts.split(","));
const most = values.frames === undefined ? Number.POSITIVE_INFINITY : Number(values.frames);
const work = mkdtempSync(join(tmpdir(), "loci-eyes-real-"));
const MB = 1e6;

interface Taken {
  readonly frames: number;
  readonly wallS: number;
  readonly processorS: number;
  readonly tracks: number;
  readonly things: readonly string[];
  readonly digest: string | undefined;
}

/** Takes a recording into the memory of a folder, new or not. */
async function takeIn(
  name: string,
  recording: RecordingReader,
  only?: (index: number) => boolean,
  onFrame?: (frames: number) => void,
): Promise<Taken> {
  const memory = await openMemory(join(work, name));
  const eyes = await openEyes({ detector: "eyes", environment: process.env });
  try {
    const [wall, processor] = [performance.now(), process.cpuUsage()];
    const { frames, tracks } = await ingestInto(
      memory,
      recording,
      { eyes, ...(only && { only: ({ index }) => only(index) }) },
      { onProgress: (progress) => onFrame?.(progress.frames) },
    );
    const wallS = (performance.now() - wall) / 1_000;
    const { user, system } = process.cpuUsage(processor);
    const { rows } = await listMemory(memory, { what: "things" });
    const { digestWithoutClock: digest } = await memory.verify({ deep: true });
    const things = rows.map(({ id }) => String(id));
    return { frames, tracks, wallS, processorS: (user + system) / 1e6, things, digest };
  } finally {
    await eyes?.close();
    await memory.close();
  }
}

/** The first frames of a recording, several times over: each round begins when the one before has ended. */
function repeated(recording: RecordingReader, rounds: number): RecordingReader {
  const { startUs, endUs } = recording.info;
  const count = Math.min(most, recording.info.frames);
  const spanUs = (endUs ?? 0) - (startUs ?? 0) + 1_000_000;
  return {
    ...recording,
    info: { ...recording.info, frames: rounds * count },
    close: () => recording.close(),
    async *items(options = {}) {
      for (let round = 0; round < rounds; round++) {
        let seen = 0;
        for await (const item of recording.items(options)) {
          if (item.kind !== "frame") continue;
          if (seen++ >= count) break;
          const { frame } = item;
          const index = round * count + frame.index;
          yield { kind: "frame", frame: { ...frame, index, timeUs: frame.timeUs + round * spanUs } };
        }
      }
    },
  };
}

const recording = await openRecording(source);
const once = repeated(recording, 1);
const native = findPackage("onnxruntime-node", process.env["LOCI_PACKAGES"]) !== null;
console.log(
  `${cpus().length} × ${cpus()[0]?.model || process.arch}, Node ${process.version}, ${native ? "onnxruntime-node" : "our own kernels"}, load ${loadavg()[0]?.toFixed(1)}; ${source}`,
);
try {
  const first = wanted.has("speed") || wanted.has("again") ? await takeIn("first", once) : undefined;
  if (first) {
    const { frames, wallS, processorS, tracks, things } = first;
    console.log(
      `speed: ${frames} frames, ${(processorS / frames).toFixed(2)} s of processor a frame (${((2 * frames) / processorS).toFixed(1)} frames/s on two free cores), ${(frames / wallS).toFixed(1)} frames/s by the clock; ${tracks} tracks, ${things.length} things listed`,
    );
  }
  if (first && wanted.has("again")) {
    const { digest } = await takeIn("second", once);
    console.log(
      `again: ${digest === first.digest ? "the same memory" : "ANOTHER memory"} (${first.digest?.slice(0, 16)}, ${digest?.slice(0, 16)})`,
    );
  }
  if (wanted.has("halves")) {
    const even = await takeIn("halves", once, (index) => index % 2 === 0);
    const odd = await takeIn("halves", once, (index) => index % 2 === 1);
    const fresh = odd.things.filter((id) => !even.things.includes(id)).length;
    const more = (odd.things.length / even.things.length - 1) * 100;
    console.log(
      `halves: ${even.things.length} things after the even frames, ${odd.things.length} after the odd ones (${more.toFixed(0)} % more; ${fresh} were not there before)`,
    );
  }
  if (wanted.has("long")) {
    const rounds = Number(values.rounds);
    const count = Math.min(most, recording.info.frames);
    const peaks = new Array<number>(rounds).fill(0);
    const { things } = await takeIn("long", repeated(recording, rounds), undefined, (frames) => {
      const round = Math.min(rounds - 1, Math.floor((frames - 1) / count));
      peaks[round] = Math.max(peaks[round]!, process.memoryUsage.rss());
    });
    const told = peaks.map((bytes) => (bytes / MB).toFixed(0)).join(", ");
    console.log(
      `long: ${rounds} × ${count} frames, at most ${told} MB resident; ${things.length} things listed`,
    );
  }
} finally {
  await recording.close();
  rmSync(work, { recursive: true, force: true });
}
