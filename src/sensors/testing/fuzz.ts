import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Random } from "../../geometry/index.ts";
import { LociError } from "../../schema/index.ts";
import type { Frame } from "../frame.ts";
import { decodeColour, decodeGrey16, encodeColour, encodeGrey16 } from "../images.ts";
import { createRecording, openRecording } from "../open.ts";
import { writeToyBag } from "./toy-bag.ts";

const START_US = 1_700_000_000_000_000;
/** Limit for reading a damaged file of a few kilobytes, which normally takes milliseconds. */
const SLOW_MS = 10_000;

/** The outcome for the damaged files. */
export interface FuzzResult {
  readonly mutations: number;
  /** Read despite the damage, whole or in part. */
  readonly read: number;
  /** Refused with one of our errors. */
  readonly refused: number;
  readonly slowestMs: number;
  /** Anything else: each is a bug. */
  readonly foreign: readonly string[];
}

/** Damages small files of every binary kind that we read, by a seed, and reads each of them. */
export async function fuzzSensors(
  mutations: number,
  seed: string,
  onProgress: (done: number) => void = () => {},
): Promise<FuzzResult> {
  const folder = await mkdtemp(join(tmpdir(), "loci-fuzz-"));
  try {
    const samples = await samplesIn(folder);
    const random = new Random(`fuzz-sensors/${seed}`);
    const foreign: string[] = [];
    let [read, refused, slowestMs] = [0, 0, 0];
    for (let n = 0; n < mutations; n++) {
      const { name, bytes, open } = samples[n % samples.length]!;
      const damaged = damage(bytes, random);
      const startedMs = performance.now();
      try {
        await open(damaged);
        read++;
      } catch (error) {
        if (error instanceof LociError) refused++;
        else foreign.push(`${name} #${n}: ${String((error as Error).stack).slice(0, 400)}`);
      }
      const tookMs = performance.now() - startedMs;
      slowestMs = Math.max(slowestMs, tookMs);
      if (tookMs > SLOW_MS) foreign.push(`${name} #${n}: took ${Math.round(tookMs)} ms`);
      if (n % 100 === 99) onProgress(n + 1);
    }
    return { mutations, read, refused, slowestMs: Math.round(slowestMs), foreign };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

interface Sample {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly open: (damaged: Uint8Array) => Promise<void>;
}

async function samplesIn(folder: string): Promise<Sample[]> {
  const frame = sampleFrame();
  const readBack = (name: string) => async (damaged: Uint8Array) => {
    const path = join(folder, name);
    await writeFile(path, damaged);
    const reader = await openRecording(path);
    try {
      for await (const item of reader.items()) void item;
    } finally {
      await reader.close();
    }
  };
  const samples: Sample[] = [];
  for (const format of ["mcap", "db3"] as const) {
    const target = join(folder, format);
    const writer = await createRecording(target, { format });
    for (let index = 0; index < 3; index++)
      await writer.writeFrame({ ...frame, index, timeUs: START_US + index * 100_000 });
    await writer.finish();
    const bytes = await readFile(join(target, `recording.${format}`));
    samples.push({ name: `own.${format}`, bytes, open: readBack(`own.${format}`) });
    // The same without our own marks, so that the reader for other tools' topics is tested too.
    samples.push({ name: `their.${format}`, bytes: disowned(bytes), open: readBack(`their.${format}`) });
  }
  samples.push({ name: "toy.bag", bytes: toyBag(), open: readBack("toy.bag") });
  const colour = async (damaged: Uint8Array) => void (await decodeColour(damaged));
  samples.push({ name: "jpeg", bytes: await encodeColour(frame.rgb!, "jpeg"), open: colour });
  samples.push({ name: "png", bytes: await encodeColour(frame.rgb!, "png"), open: colour });
  const grey = async (damaged: Uint8Array) => void (await decodeGrey16(damaged));
  samples.push({ name: "depth.png", bytes: await encodeGrey16(frame.depth!), open: grey });
  return samples;
}

/** Truncates, flips bits, overwrites lengths with extremes, repeats or removes a piece. */
function damage(bytes: Uint8Array, random: Random): Uint8Array {
  const kind = random.int(0, 5);
  if (kind === 0) return bytes.subarray(0, random.int(0, bytes.length));
  const at = random.int(0, bytes.length);
  if (kind === 1) {
    const end = Math.min(bytes.length, at + random.int(1, 64));
    return Buffer.concat([bytes.subarray(0, end), bytes.subarray(at)]);
  }
  if (kind === 2) return Buffer.concat([bytes.subarray(0, at), bytes.subarray(at + random.int(1, 64))]);
  const out = Uint8Array.from(bytes);
  if (kind === 3) {
    for (let n = random.int(1, 9); n > 0; n--) out[random.int(0, out.length)]! ^= 1 << random.int(0, 8);
    return out;
  }
  const value = random.pick([0, 1, 0x7f, 0x80, 0xff]);
  out.fill(value, at, Math.min(out.length, at + random.pick([1, 2, 4, 8])));
  return out;
}

/** The names by which our own info is found, misspelt. */
function disowned(bytes: Uint8Array): Uint8Array {
  const text = Buffer.from(bytes).toString("latin1");
  return Buffer.from(
    text.replaceAll("loci-recording", "loci-recordinG").replaceAll("loci_recording", "loci_recordinG"),
    "latin1",
  );
}

function sampleFrame(): Frame {
  const [width, height] = [16, 12];
  const pose = { p: { x: 1, y: 2, z: 1.5 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } };
  return {
    index: 0,
    timeUs: START_US,
    agentId: "robot",
    sensorId: "camera",
    intrinsics: { fx: 8, fy: 8, cx: 8, cy: 6, width, height },
    mapFrame: "world",
    worldFromCamera: pose,
    rgb: { width, height, data: Uint8Array.from({ length: width * height * 3 }, (_, i) => (i * 37) & 255) },
    depth: {
      width,
      height,
      data: Uint16Array.from({ length: width * height }, (_, i) => 900 + i),
      unitM: 0.001,
    },
  };
}

function toyBag(): Uint8Array {
  const header = (frame_id: string) => ({ seq: 0, stamp: { sec: START_US / 1e6, nsec: 0 }, frame_id });
  return writeToyBag([
    {
      topic: "/tf",
      type: "tf2_msgs/msg/TFMessage",
      timeUs: START_US,
      message: {
        transforms: [
          {
            header: header("map"),
            child_frame_id: "camera",
            transform: { translation: { x: 1, y: 2, z: 3 }, rotation: { x: 0, y: 0, z: 0, w: 1 } },
          },
        ],
      },
    },
    {
      topic: "/camera/image_raw",
      type: "sensor_msgs/msg/Image",
      timeUs: START_US,
      message: {
        header: header("camera"),
        height: 4,
        width: 4,
        encoding: "rgb8",
        is_bigendian: 0,
        step: 12,
        data: new Uint8Array(48).fill(9),
      },
    },
    {
      topic: "/lidar",
      type: "sensor_msgs/msg/PointCloud2",
      timeUs: START_US,
      message: {
        header: header("camera"),
        height: 1,
        width: 2,
        fields: ["x", "y", "z"].map((name, i) => ({ name, offset: 4 * i, datatype: 7, count: 1 })),
        is_bigendian: false,
        point_step: 12,
        row_step: 24,
        data: new Uint8Array(Float32Array.of(0, 0, 1, 0.1, 0.1, 2).buffer),
        is_dense: true,
      },
    },
  ]);
}
