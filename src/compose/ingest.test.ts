import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { createRecording, encodeColour, RECORDING_FORMATS, type RecordingFormat } from "../sensors/index.ts";
import { startToyBridge } from "../sensors/testing/toy-bridge.ts";
import { ingestRecording, odometryFor } from "./ingest.ts";
import { type Memory, openMemory } from "./memory.ts";

let folder: string;
let memory: Memory;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-ingest-"));
  memory = await openMemory(join(folder, "memory"), { embedder: "hashing:32" });
});
afterEach(async () => {
  await memory.close();
  await rm(folder, { recursive: true });
});

const SIZE = { width: 64, height: 48 };
const intrinsics = { fx: 40, fy: 40, cx: 32, cy: 24, ...SIZE };

/** A corner of a room that a camera slowly approaches; no poses. */
async function writeRun(
  path: string,
  frames: number,
  { depth = true, format = "folder" as RecordingFormat } = {},
): Promise<void> {
  const writer = await createRecording(path, { format });
  for (let index = 0; index < frames; index++) {
    const data = new Uint16Array(SIZE.width * SIZE.height);
    const rgb = new Uint8Array(SIZE.width * SIZE.height * 3);
    for (let at = 0; at < data.length; at++) {
      const [u, v] = [at % SIZE.width, Math.floor(at / SIZE.width)];
      const [x, y] = [(u + 0.5 - 32) / 40, (v + 0.5 - 24) / 40];
      // A wall ahead, one to the right and the floor.
      const z = Math.min(3 - 0.02 * index, x > 0 ? 1.2 / x : Infinity, y > 0 ? 1 / y : Infinity);
      data[at] = Math.round(z * 1000);
      rgb.fill(128 + 60 * Math.sin(5 * x * z) * Math.cos(4 * y * z), at * 3, at * 3 + 3);
    }
    await writer.writeFrame({
      index,
      timeUs: 1_700_000_000_000_000 + index * 1_500_000,
      agentId: "robot",
      sensorId: "eye",
      intrinsics,
      mapFrame: "world",
      rgb: { ...SIZE, data: rgb },
      ...(depth && { depth: { ...SIZE, data, unitM: 0.001 } }),
      detections: [{ bbox: [4, 4, 30, 30], score: 0.9, label: "cupboard" }],
      captions: [`the corner at step ${index}`],
    });
  }
  await writer.finish();
}

test("a recording without poses is placed by odometry where it has depth", async () => {
  await writeRun(join(folder, "run"), 6);
  const summary = await ingestRecording(memory, join(folder, "run"));
  expect(summary).toMatchObject({ frames: 6, written: 6 });
  expect(summary.skipped).toEqual({});
});

test("one run gives the same memory as a folder, an MCAP and a .db3", async () => {
  const digests: unknown[] = [];
  for (const format of RECORDING_FORMATS) {
    await writeRun(join(folder, format), 5, { format });
    const own = await openMemory(join(folder, `${format}-memory`), {
      embedder: "hashing:32",
      nowUs: () => 1,
    });
    await ingestRecording(own, join(folder, format));
    digests.push((await own.verify({ deep: true })).digest);
    await own.close();
  }
  expect(digests[0]).toMatch(/./);
  expect(new Set(digests).size).toBe(1);
});

test("without depth or pose its views float: found by text and time, nowhere in space", async () => {
  await writeRun(join(folder, "run"), 4, { depth: false });
  const summary = await ingestRecording(memory, join(folder, "run"));
  expect(summary).toMatchObject({ frames: 4, written: 0, skipped: { "no-pose": 4 }, views: 4 });
  const reader = await memory.reader();
  const { hits } = await reader.search({
    kinds: ["view"],
    meaning: { words: "step" },
    time: { overlaps: { fromUs: 1_700_000_002_000_000, toUs: 1_700_000_004_000_000 } },
    limit: 5,
  });
  expect(hits.map(({ record }) => record.text?.[0])).toEqual(["the corner at step 2"]);
  expect(hits[0]!.record.anchor).toBeUndefined();
});

test("odometry can be left out, and unknown choices are told", async () => {
  await writeRun(join(folder, "run"), 3);
  await expect(ingestRecording(memory, join(folder, "run"), { odometry: "magic" })).rejects.toThrow(
    /auto, icp, none or the address/,
  );
  const summary = await ingestRecording(memory, join(folder, "run"), { odometry: "none" });
  expect(summary.skipped).toEqual({ "no-pose": 3 });
  await expect(
    ingestRecording(memory, join(folder, "run"), {
      detector: "coco",
      environment: { LOCI_PACKAGES: folder },
    }),
  ).rejects.toThrow(/npm install/);
});

test("poses of the recording's own are used as they are", () => {
  const plan = { poses: { from: "pose.txt", count: 3 }, streams: [{ use: "depth" }] } as never;
  expect(odometryFor(plan)).toBe("recorded");
  expect(odometryFor(plan, "icp")).toBe("icp");
});

test("a live robot is taken in until it is told to stop, which is no error", async () => {
  const jpeg = await encodeColour({ ...SIZE, data: new Uint8Array(64 * 48 * 3).fill(99) }, "jpeg");
  const stop = new AbortController();
  const bridge = await startToyBridge({
    topics: { "/eye/image/compressed": "sensor_msgs/msg/CompressedImage" },
    publish: (send) => {
      for (let sec = 1; sec <= 3; sec++)
        send("/eye/image/compressed", {
          header: { stamp: { sec, nanosec: 0 }, frame_id: "eye" },
          format: "jpeg",
          data: jpeg,
        });
      setTimeout(() => stop.abort(), 300);
    },
  });
  try {
    const summary = await ingestRecording(memory, bridge.url, {}, { signal: stop.signal });
    // What waits for its pose when the stream is stopped is handed on as it is.
    expect(summary).toMatchObject({ frames: 3, skipped: { "no-pose": 3 }, views: 3 });
    // It was inspected once, for planning its placement and detection as well as for reading it.
    expect(bridge.asked.filter(({ op }) => op === "call_service")).toHaveLength(1);
  } finally {
    await bridge.close();
  }
});
