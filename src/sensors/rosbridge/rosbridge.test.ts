import fc from "fast-check";
import { afterEach, describe, expect, test } from "vitest";
import type { Frame } from "../frame.ts";
import { encodeColour, encodeGrey16 } from "../images.ts";
import { describeSource, openRecording } from "../open.ts";
import type { ReadOptions, Skip } from "../options.ts";
import { encodeCbor, startToyBridge, type ToyBridge, type ToyRobot } from "../testing/toy-bridge.ts";
import { decodeCbor } from "./cbor.ts";
import { RosbridgeLink } from "./link.ts";

const T0 = 1_700_000_000;
const header = (seconds: number, frame_id: string) => ({
  stamp: { sec: Math.floor(seconds), nanosec: Math.round((seconds % 1) * 1e9) },
  frame_id,
});
const jpeg = await encodeColour(
  { width: 32, height: 24, data: new Uint8Array(32 * 24 * 3).fill(120) },
  "jpeg",
);
const png = await encodeGrey16({ width: 32, height: 24, data: new Uint16Array(32 * 24).fill(2_000) });
const topics = {
  "/camera/color/image_raw": "sensor_msgs/msg/Image",
  "/camera/color/image_raw/compressed": "sensor_msgs/msg/CompressedImage",
  "/camera/depth/image_rect_raw/compressedDepth": "sensor_msgs/msg/CompressedImage",
  "/camera/color/camera_info": "sensor_msgs/msg/CameraInfo",
  "/tf": "tf2_msgs/msg/TFMessage",
  "/tf_static": "tf2_msgs/msg/TFMessage",
  "/rosout": "rcl_interfaces/msg/Log",
};
const identity = { x: 0, y: 0, z: 0, w: 1 };

/** A robot that drives along +X at one metre a second and takes a picture each half second. */
function publishDrive(send: (topic: string, message: unknown) => void, from: number, pictures: number): void {
  const k = Float64Array.of(30, 0, 16, 0, 30, 12, 0, 0, 1);
  send("/camera/color/camera_info", {
    header: header(T0, "eye"),
    width: 32,
    height: 24,
    k: [...k],
    d: [],
    p: [],
  });
  send("/tf_static", {
    transforms: [
      {
        header: header(T0, "base_link"),
        child_frame_id: "camera_optical_frame",
        transform: { translation: { x: 0, y: 0, z: 1 }, rotation: { x: -0.5, y: 0.5, z: -0.5, w: 0.5 } },
      },
    ],
  });
  for (let i = from; i < from + pictures; i++) {
    const at = T0 + i / 2;
    send("/camera/color/image_raw/compressed", {
      header: header(at, "camera_optical_frame"),
      format: "jpeg",
      data: jpeg,
    });
    send("/camera/depth/image_rect_raw/compressedDepth", {
      header: header(at + 0.01, "camera_optical_frame"),
      format: "16UC1; compressedDepth png",
      data: Buffer.concat([Buffer.alloc(12), png]),
    });
    for (const ahead of [-0.05, 0.05])
      send("/tf", {
        transforms: [
          {
            header: header(at + ahead, "odom"),
            child_frame_id: "base_link",
            transform: { translation: { x: i / 2 + ahead, y: 0, z: 0 }, rotation: identity },
          },
        ],
      });
  }
}

let bridge: ToyBridge | undefined;
afterEach(() => bridge?.close());

async function framesFrom(robot: ToyRobot, options: ReadOptions, signal?: AbortSignal): Promise<Frame[]> {
  bridge = await startToyBridge(robot);
  const reader = await openRecording(bridge.url, options);
  const frames: Frame[] = [];
  for await (const item of reader.items({ signal })) if (item.kind === "frame") frames.push(item.frame);
  await reader.close();
  return frames;
}

describe("a live robot through rosbridge", () => {
  for (const hasCbor of [false, true]) {
    test(`frames have colour, depth, intrinsics and the pose of their moment (${hasCbor ? "CBOR" : "JSON"})`, async () => {
      const frames = await framesFrom(
        { topics, hasCbor, publish: (send) => publishDrive(send, 1, 3) },
        { maxFrames: 3, rateHz: 5 },
      );
      expect(frames.map(({ timeUs }) => timeUs - T0 * 1e6)).toEqual([500_000, 1_000_000, 1_500_000]);
      const [first] = frames;
      expect(first).toMatchObject({ agentId: "robot", intrinsics: { fx: 30, cx: 16.5, width: 32 } });
      expect(first!.rgb!.data[0]).toBeCloseTo(120, -1);
      expect(first!.depth!.data[100]).toBe(2_000);
      for (const [i, frame] of frames.entries()) {
        expect(frame.worldFromCamera!.p.x).toBeCloseTo((i + 1) / 2, 3);
        expect(frame.worldFromCamera!.p.z).toBe(1);
      }
      const asked = bridge!.asked.filter(({ op }) => op === "subscribe");
      expect(asked.map(({ topic }) => topic)).not.toContain("/camera/color/image_raw");
      expect(asked.find(({ topic }) => topic?.endsWith("/compressed"))!.throttle_rate).toBe(200);
    });
  }

  test("a lost connection is taken up again, and damaged messages are left out and told of", async () => {
    const skips: Skip[] = [];
    const frames = await framesFrom(
      {
        topics,
        dropsAfter: (connection) => connection === 0,
        publish: (send, connection) => {
          if (connection === 0) {
            send("/camera/color/image_raw/compressed", { header: 7 });
            send("/tf", { transforms: "none" });
          }
          publishDrive(send, 1 + 2 * connection, 2);
        },
      },
      { maxFrames: 4, onSkip: (skip) => skips.push(skip) },
    );
    expect(frames).toHaveLength(4);
    expect(skips.map(({ what }) => what)).toEqual([
      "a message on /camera/color/image_raw/compressed",
      "a message on /tf",
    ]);
  });

  test("a signal ends it without an error, with the frames until then", async () => {
    const stop = new AbortController();
    const frames = await framesFrom(
      {
        topics,
        publish: (send) => {
          publishDrive(send, 1, 2);
          setTimeout(() => stop.abort(), 100);
        },
      },
      {},
      stop.signal,
    );
    expect(frames).toHaveLength(2);
  });

  test("the plan says what there is; a robot without cameras is an error that says so", async () => {
    bridge = await startToyBridge({ topics, publish: () => {} });
    const plan = await describeSource(bridge.url);
    expect(plan).toMatchObject({ format: "rosbridge", missing: [] });
    expect(plan.streams.find(({ use }) => use === "depth")!.name).toMatch(/compressedDepth$/);
    await bridge.close();
    bridge = await startToyBridge({ topics: { "/tf": topics["/tf"] }, publish: () => {} });
    await expect(openRecording(bridge.url)).rejects.toThrow(/No camera/);
  });

  test("where nobody answers, one line says what to start, after a bounded number of tries", async () => {
    const timers = () => process.getActiveResourcesInfo().filter((what) => what === "Timeout").length;
    const before = timers();
    const link = new RosbridgeLink({ url: "ws://127.0.0.1:9", tries: 2, pauseMs: 1 });
    await expect(link.call("/rosapi/topics")).rejects.toThrow(
      /rosbridge server at ws:\/\/127.0.0.1:9, got no connection in 2/,
    );
    // No request is left waiting: it would fail unhandled and end the process.
    expect(timers()).toBeLessThanOrEqual(before);
  });
});

test("CBOR: what is encoded is decoded, and any bytes are a value or an error of ours", () => {
  const json = fc.jsonValue({ maxDepth: 4 });
  fc.assert(
    fc.property(json, (value) => {
      expect(decodeCbor(encodeCbor(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
  expect(decodeCbor(encodeCbor({ k: Float64Array.of(1.5, -2) }))).toEqual({ k: [1.5, -2] });
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
      try {
        decodeCbor(bytes);
      } catch (error) {
        expect((error as { code?: string }).code).toBe("invalid-input");
      }
    }),
    { numRuns: 2_000 },
  );
});
