import { type ChildProcessByStdio, spawn } from "node:child_process";
import type { Readable } from "node:stream";
import { LociError, throwIfAborted } from "../../schema/index.ts";
import { IMAGE_SIDE_PX, type RgbImage } from "../frame.ts";
import type { ReadOptions } from "../options.ts";
import { infoOf, type SourcePlan } from "../plan.ts";
import type { RecordingItem } from "../recording.ts";
import type { OpenSource } from "../source.ts";

/** Pictures per second taken from a video, by default. */
const RATE_HZ = 2;
const PROBE_BYTES = 65_536;
const PROBE_MS = 30_000;
/** A PPM header with comments is never longer. */
const HEADER_BYTES = 256;

/**
 * The pictures of a video file, decoded by ffmpeg if it is installed: no depth, no pose, and times that count from
 * its start. They stream through a pipe one at a time and leave nothing on disk.
 */
export async function openVideo(path: string, options: ReadOptions, ffmpeg = "ffmpeg"): Promise<OpenSource> {
  const said = await probe(ffmpeg, path);
  const [, hours, minutes, seconds] = /Duration: (\d+):(\d+):(\d+(?:\.\d+)?)/.exec(said) ?? [];
  if (!/Stream #.*Video:/.test(said) || seconds === undefined)
    throw new LociError("invalid-input", `expected a video in ${path}, ffmpeg finds none`);
  const durationS = Number(hours) * 3_600 + Number(minutes) * 60 + Number(seconds);
  const rateHz = options.rateHz ?? RATE_HZ;
  const startUs = options.startUs ?? 0;
  const frames = Math.max(1, Math.round(durationS * rateHz));
  const plan: SourcePlan = {
    path,
    format: "video",
    streams: [{ name: "video", type: "ffmpeg", count: frames, rateHz, use: "colour" }],
    frames,
    captions: 0,
    graphs: 0,
    startUs,
    endUs: startUs + Math.round(durationS * 1e6),
    poses: null,
    conventions: [
      `${rateHz} pictures a second are taken of it${options.startUs === undefined ? "; --start says when it began" : ""}.`,
    ],
    missing: ["No poses: pictures are found by text and time only.", "No depth: nothing gets a place."],
  };
  const agentId = options.agentId ?? "camera";
  async function* items({
    signal,
  }: {
    signal?: AbortSignal | undefined;
  } = {}): AsyncGenerator<RecordingItem> {
    let index = 0;
    for await (const rgb of picturesOf(ffmpeg, path, rateHz)) {
      throwIfAborted(signal);
      const { width, height } = rgb;
      const camera = options.intrinsics;
      yield {
        kind: "frame",
        frame: {
          index,
          timeUs: startUs + Math.round((index++ * 1e6) / rateHz),
          agentId,
          sensorId: options.sensorId ?? "camera",
          mapFrame: options.mapFrame ?? "world",
          intrinsics: camera
            ? { ...camera, cx: camera.cx + 0.5, cy: camera.cy + 0.5, width, height }
            : { fx: width, fy: width, cx: width / 2, cy: height / 2, width, height },
          rgb,
        },
      };
      if (index >= (options.maxFrames ?? Infinity)) return;
    }
  }
  return { plan, info: infoOf(plan, [agentId]), items, close: async () => {} };
}

/** ffmpeg's description of a file; without an output it always fails, and prints this on stderr. */
async function probe(ffmpeg: string, path: string): Promise<string> {
  const child = spawn(ffmpeg, ["-hide_banner", "-nostdin", "-i", path], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  const timer = setTimeout(() => child.kill("SIGKILL"), PROBE_MS);
  let said = "";
  child.stderr.on("data", (part: Buffer) => {
    if (said.length < PROBE_BYTES) said += part.toString("utf8");
  });
  return new Promise((resolve, reject) => {
    child.on("error", (cause: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      reject(
        new LociError(
          "not-supported",
          cause.code === "ENOENT"
            ? `${path} is a video, and reading one needs ffmpeg, which is not installed (apt install ffmpeg); or extract its frames elsewhere: ffmpeg -i IN -r 5 frames/%06d.jpg`
            : `ffmpeg does not start: ${cause.message}`,
          { cause },
        ),
      );
    });
    child.on("close", () => {
      clearTimeout(timer);
      resolve(said);
    });
  });
}

/** Pictures as PPM (P6) from a pipe; ending the iteration ends ffmpeg. */
async function* picturesOf(ffmpeg: string, path: string, rateHz: number): AsyncGenerator<RgbImage> {
  const output = ["-vf", `fps=${rateHz}`, "-f", "image2pipe", "-c:v", "ppm", "-"];
  const child: ChildProcessByStdio<null, Readable, null> = spawn(
    ffmpeg,
    ["-hide_banner", "-nostdin", "-v", "error", "-i", path, ...output],
    { stdio: ["ignore", "pipe", "ignore"] },
  );
  child.on("error", () => child.stdout.destroy());
  try {
    let parts: Buffer[] = [];
    let bytes = 0;
    let wanted = 1;
    for await (const part of child.stdout as AsyncIterable<Buffer>) {
      parts.push(part);
      bytes += part.length;
      // Joined only once a whole picture may be there: a large one arrives in hundreds of parts.
      while (bytes >= wanted) {
        const all: Buffer = parts.length === 1 ? parts[0]! : Buffer.concat(parts);
        const head = headerOf(all);
        wanted = head ? head.at + head.width * head.height * 3 : bytes + 1;
        parts = [all];
        if (!head || bytes < wanted) break;
        yield {
          width: head.width,
          height: head.height,
          data: Uint8Array.from(all.subarray(head.at, wanted)),
        };
        parts = [all.subarray(wanted)];
        bytes -= wanted;
        wanted = 1;
      }
    }
  } finally {
    child.kill("SIGKILL");
  }
}

/** The size in a PPM header and the start of its pixels; undefined until all of it has arrived. */
function headerOf(bytes: Buffer): { width: number; height: number; at: number } | undefined {
  const text = bytes.subarray(0, HEADER_BYTES).toString("latin1");
  const found = /^P6\s+(\d+)\s+(\d+)\s+255\s/.exec(text);
  if (!found) {
    if (bytes.length < HEADER_BYTES) return undefined;
    throw new LociError("invalid-input", "expected pictures from ffmpeg, got something else");
  }
  const [width, height] = [Number(found[1]), Number(found[2])];
  if (!(width > 0 && height > 0) || Math.max(width, height) > IMAGE_SIDE_PX)
    throw new LociError(
      "limit-exceeded",
      `a video of ${width}×${height}: a side is over ${IMAGE_SIDE_PX} pixels`,
    );
  return { width, height, at: found[0].length };
}
