import { mkdtemp, readdir, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import fc from "fast-check";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import { isLociError } from "../schema/index.ts";
import type { Frame } from "./frame.ts";
import { loadMcap } from "./mcap/packages.ts";
import { createRecording, openRecording } from "./open.ts";
import { decodePng, encodePng } from "./png.ts";
import { RECORDING_FORMATS, type RecordingItem, type TimedEdge } from "./recording.ts";
import { definitionsOf, type RosType } from "./ros/ros-types.ts";

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-sensors-"));
});
afterEach(() => rm(folder, { recursive: true, force: true }));

const pose = { p: { x: 1.25, y: -0.1, z: 1.5 }, q: { w: 0.5, x: -0.5, y: 0.5, z: -0.5 } };

function sampleFrame(index: number, width = 7, height = 5): Frame {
  const pixels = width * height;
  return {
    index,
    timeUs: 1_750_000_000_123_456 + index * 1_000_000,
    receivedAtUs: 1_750_000_000_200_000 + index * 1_000_000,
    agentId: `robot-${index % 2}`,
    sensorId: "camera",
    intrinsics: { fx: 4.123456789, fy: 4.1, cx: width / 2, cy: height / 2, width, height },
    mapFrame: "robot-0.map",
    worldFromCamera: pose,
    submap: { frame: "robot-0.submap-0", submapFromCamera: pose },
    odometry: { frame: "robot-0.odom", odomFromBody: pose },
    rgb: {
      width,
      height,
      data: Uint8Array.from({ length: pixels * 3 }, (_, i) => (i * 37 + index * 11) & 255),
    },
    depth: {
      width,
      height,
      data: Uint16Array.from({ length: pixels }, (_, i) => (i * 1871) & 65_535),
      unitM: 0.001,
    },
    masks: { width, height, data: Uint16Array.from({ length: pixels }, (_, i) => i % 3) },
    scan: { startRad: -Math.PI, stepRad: 0.1, rangesMm: Uint16Array.of(0, 1200, 65_535) },
    detections: [
      {
        mask: 1,
        bbox: [0, 1, 4, 5],
        score: 0.9,
        label: "mug",
        text: "a red mug – “ANNA”",
        attributes: { colour: "red" },
      },
    ],
    captions: ["A kitchen with a red mug."],
  };
}

const edge: TimedEdge = {
  receivedAtUs: 1_750_000_001_500_000,
  edge: {
    parent: "world",
    child: "robot-0.submap-0",
    stampUs: null,
    transform: pose,
    kind: "loop",
    revision: 1,
  },
};

async function readAll(path: string): Promise<RecordingItem[]> {
  const reader = await openRecording(path);
  const items: RecordingItem[] = [];
  for await (const item of reader.items()) items.push(item);
  await reader.close();
  return items;
}

describe.each(RECORDING_FORMATS)("a recording as %s", (format) => {
  test("gives back every field and every pixel, in order of arrival", async () => {
    const path = join(folder, "made", "on", "demand");
    const writer = await createRecording(path, { format, source: "a test" });
    const frames = [0, 1, 2].map((index) => sampleFrame(index));
    await writer.writeFrame(frames[0]!);
    await writer.writeFrame(frames[1]!);
    await writer.writeEdge(edge);
    await writer.writeFrame(frames[2]!);
    expect(await readdir(join(folder, "made", "on"))).not.toContain("demand");
    await writer.finish();
    const reader = await openRecording(path);
    expect(reader.info).toMatchObject({
      frames: 3,
      edges: 1,
      agents: ["robot-0", "robot-1"],
      source: "a test",
    });
    await reader.close();
    const items = await readAll(path);
    expect(items).toEqual([
      { kind: "frame", frame: frames[0] },
      { kind: "frame", frame: frames[1] },
      { kind: "edge", edge },
      { kind: "frame", frame: frames[2] },
    ]);
  });

  test("leaves nothing when aborted, not even folders made on the way", async () => {
    const writer = await createRecording(join(folder, "a", "b"), { format });
    await writer.writeFrame(sampleFrame(0));
    await writer.abort();
    expect(await readdir(folder)).toEqual([]);
  });

  test("keeps a frame that is only a time and a place", async () => {
    const path = join(folder, "bare");
    const { index, timeUs, agentId, sensorId, intrinsics } = sampleFrame(0);
    const bare: Frame = { index, timeUs, agentId, sensorId, intrinsics, mapFrame: "world" };
    const writer = await createRecording(path, { format });
    await writer.writeFrame(bare);
    await writer.finish();
    expect(await readAll(path)).toEqual([{ kind: "frame", frame: bare }]);
  });

  test("stores JPEG when asked, close to the original", async () => {
    const path = join(folder, "jpeg");
    const frame = sampleFrame(0, 32, 24);
    const flat = { ...frame, rgb: { ...frame.rgb!, data: new Uint8Array(32 * 24 * 3).fill(120) } };
    const writer = await createRecording(path, { format, colour: "jpeg" });
    await writer.writeFrame(flat);
    await writer.finish();
    const [item] = await readAll(path);
    const data = item?.kind === "frame" ? item.frame.rgb!.data : new Uint8Array(0);
    expect(Math.max(...data.map((value) => Math.abs(value - 120)))).toBeLessThan(4);
  });

  test("refuses a folder with files in it and a file in the way, and touches neither", async () => {
    await writeFile(join(folder, "kept.txt"), "mine");
    await expect(createRecording(folder, { format })).rejects.toSatisfy((e) =>
      isLociError(e, "invalid-input"),
    );
    await expect(createRecording(join(folder, "kept.txt", "x"), { format })).rejects.toSatisfy((e) =>
      isLociError(e, "invalid-input"),
    );
    expect(await readdir(folder)).toEqual(["kept.txt"]);
  });
});

test("an MCAP file is one that ROS tools read: standard types, whole schemas, stamps and frames", async () => {
  const path = join(folder, "ros");
  const writer = await createRecording(path, { format: "mcap" });
  await writer.writeFrame(sampleFrame(0));
  await writer.finish();
  const bytes = await readFile(join(path, "recording.mcap"));
  const { core, support, cdr } = await loadMcap();
  const reader = new core.McapStreamReader({ decompressHandlers: await support.loadDecompressHandlers() });
  reader.append(bytes);
  const types = new Map<number, string>();
  const topics = new Map<number, { topic: string; type: string }>();
  const decoded = new Map<string, unknown>();
  for (let record = reader.nextRecord(); record; record = reader.nextRecord()) {
    if (record.type === "Schema") {
      types.set(record.id, record.name);
      const text = new TextDecoder().decode(record.data);
      for (const [, used] of text.matchAll(/^(\w+\/\w+)/gm)) expect(text).toContain(`MSG: ${used}`);
    }
    if (record.type === "Channel")
      topics.set(record.id, { topic: record.topic, type: types.get(record.schemaId)! });
    if (record.type === "Message") {
      const { topic, type } = topics.get(record.channelId)!;
      decoded.set(topic, new cdr.MessageReader(definitionsOf(type as RosType)).readMessage(record.data));
    }
  }
  const header = { stamp: { sec: 1_750_000_000, nanosec: 123_456_000 }, frame_id: "robot-0/camera" };
  expect(decoded.get("/robot-0/camera/camera_info")).toMatchObject({ header, width: 7, height: 5 });
  expect(decoded.get("/robot-0/camera/depth/image")).toMatchObject({ header, encoding: "16UC1", step: 14 });
  expect(decoded.get("/robot-0/camera/color/compressed")).toMatchObject({ header, format: "png" });
  expect(decoded.get("/tf")).toMatchObject({
    transforms: [
      {
        header: { frame_id: "robot-0.map" },
        child_frame_id: "robot-0/camera",
        transform: { translation: pose.p, rotation: pose.q },
      },
    ],
  });
  expect(decoded.get("/robot-0/camera/pose")).toMatchObject({
    pose: { position: pose.p, orientation: pose.q },
  });
});

test("a folder of the 7-Scenes layout without our files is read, lost tracking and missing depth included", async () => {
  const colour = await encodePng({ width: 2, height: 1, channels: 3, data: Uint8Array.of(1, 2, 3, 4, 5, 6) });
  const depth = await encodePng({ width: 2, height: 1, channels: 1, data: Uint16Array.of(65_535, 1500) });
  await writeFile(join(folder, "camera-intrinsics.txt"), "5.85e+02 0 3.2e+02\n0 5.85e+02 2.4e+02\n0 0 1\n");
  for (const n of ["000008", "000000"]) {
    await writeFile(join(folder, `frame-${n}.color.png`), colour);
    await writeFile(join(folder, `frame-${n}.depth.png`), depth);
  }
  await writeFile(join(folder, "frame-000000.pose.txt"), "0 0 1 2\n-1 0 0 3\n0 -1 0 1.5\n0 0 0 1\n");
  await writeFile(
    join(folder, "frame-000008.pose.txt"),
    "-inf -inf -inf -inf\n".repeat(4).replaceAll("-inf", "-1.#INF"),
  );
  const items = await readAll(folder);
  const frames = items.flatMap((item) => (item.kind === "frame" ? [item.frame] : []));
  expect(frames.map((frame) => frame.timeUs)).toEqual([0, 8 * 33_333]);
  expect(frames[0]!.worldFromCamera!.p).toEqual({ x: 2, y: 3, z: 1.5 });
  expect(frames[0]!.intrinsics.cx).toBe(320.5);
  expect(frames[1]!.worldFromCamera).toBeUndefined();
  expect([...frames[1]!.depth!.data]).toEqual([0, 1500]);
});

test("a folder that we write is one that 7-Scenes tools read", async () => {
  const path = join(folder, "out");
  const writer = await createRecording(path, { format: "folder" });
  await writer.writeFrame(sampleFrame(0));
  await writer.finish();
  const names = await readdir(path);
  expect(names).toEqual(expect.arrayContaining(["frame-000000.color.png", "frame-000000.depth.png"]));
  const matrix = (await readFile(join(path, "frame-000000.pose.txt"), "utf8"))
    .trim()
    .split(/\s+/)
    .map(Number);
  expect(matrix).toEqual([0, 0, 1, 1.25, -1, 0, 0, -0.1, 0, -1, 0, 1.5, 0, 0, 0, 1]);
});

test("PNG keeps every sample of grey and colour, 8 and 16 bits", async () => {
  const sizes = fc.record({
    width: fc.integer({ min: 1, max: 9 }),
    height: fc.integer({ min: 1, max: 9 }),
    seed: fc.nat(),
    channels: fc.constantFrom(1, 3),
    wide: fc.boolean(),
  });
  await fc.assert(
    fc.asyncProperty(sizes, async ({ width, height, seed, channels, wide }) => {
      const length = width * height * channels;
      const value = (i: number) => (Math.imul(i + 1, seed | 1) >>> 7) & 65_535;
      const data = wide
        ? Uint16Array.from({ length }, (_, i) => value(i))
        : Uint8Array.from({ length }, (_, i) => value(i));
      expect(await decodePng(await encodePng({ width, height, channels, data }))).toEqual({
        width,
        height,
        channels,
        data,
      });
    }),
  );
});

test("damaged images are an error, never a crash or a flood of memory", async () => {
  const whole = await encodePng({
    width: 40,
    height: 30,
    channels: 1,
    data: new Uint16Array(1200).fill(999),
  });
  for (let i = 8; i < whole.length; i++) {
    const broken = Uint8Array.from(whole);
    broken[i]! ^= 0x5b;
    await decodePng(broken).catch((error: unknown) => expect(isLociError(error, "invalid-input")).toBe(true));
    await decodePng(whole.subarray(0, i)).catch((error: unknown) =>
      expect(isLociError(error, "invalid-input")).toBe(true),
    );
  }
});
