import { once } from "node:events";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { FoxgloveClient } from "@foxglove/ws-protocol";
import { afterAll, afterEach, beforeAll, expect, it } from "vitest";
import { WebSocket } from "ws";
import { openReplay, simulate } from "../src/compose.ts";
import { type ReplayOptions, type RunningReplay, startReplay } from "../src/interfaces/live/replay-server.ts";
import type { Frame } from "../src/sensors/frame.ts";
import { describeSource, openRecording, openSource } from "../src/sensors/open.ts";
import type { ReadOptions } from "../src/sensors/options.ts";

let folder: string;
let bag: string;
const running: RunningReplay[] = [];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "loci-replay-"));
  bag = join(folder, "bag");
  await simulate({
    ...{ family: "house", seed: 5, minutes: 0.1, fps: 3, size: "96x72", rooms: 4, objects: 60 },
    ...{ format: "mcap", plain: true, out: bag, workers: 0 },
  });
}, 60_000);
afterAll(() => rmSync(folder, { recursive: true, force: true }));
afterEach(async () => {
  for (const one of running.splice(0)) await one.close();
});

async function replayed(options: ReplayOptions = {}): Promise<RunningReplay> {
  const replay = await openReplay(bag);
  const one = await startReplay(replay, { port: 0, speed: 4, wait: true, ...options });
  void one.done.finally(() => replay.close());
  running.push(one);
  return one;
}

const address = ({ port }: { port: number }) => `foxglove://127.0.0.1:${port}`;

async function framesOf(source: string, options: ReadOptions = {}): Promise<Frame[]> {
  const reader = await openRecording(source, options);
  const frames: Frame[] = [];
  try {
    for await (const item of reader.items()) if (item.kind === "frame") frames.push(item.frame);
  } finally {
    await reader.close();
  }
  return frames;
}

it("a live robot gives the frames that its bag gives: stamps, poses, cameras and pixels", async () => {
  const expected = await framesOf(bag);
  expect(expected).toHaveLength(18);
  expect(expected.every(({ worldFromCamera, depth, rgb }) => worldFromCamera && depth && rgb)).toBe(true);
  const heard = await framesOf(address(await replayed()), { rateHz: 60 });
  expect(heard.map(({ timeUs }) => timeUs)).toEqual(expected.map(({ timeUs }) => timeUs));
  for (const [i, frame] of heard.entries()) {
    const { worldFromCamera, ...rest } = frame;
    const { worldFromCamera: from, ...others } = expected[i]!;
    expect(rest).toEqual(others);
    expect(worldFromCamera!.p.x).toBeCloseTo(from!.p.x, 9);
    expect(worldFromCamera!.p.y).toBeCloseTo(from!.p.y, 9);
    expect(worldFromCamera!.q.w).toBeCloseTo(from!.q.w, 9);
  }
}, 30_000);

it("its plan names streams with their rates, the camera's frame and the clock that it offers", async () => {
  const one = await replayed({ speed: 1 });
  const plan = await describeSource(address(one));
  expect(plan).toMatchObject({
    format: "foxglove",
    missing: [],
    poses: { from: expect.stringContaining("TF from map") },
  });
  const tf = plan.streams.find(({ name }) => name === "/tf")!;
  expect(tf.rateHz).toBeGreaterThan(30);
  expect(plan.conventions.join(" ")).toMatch(/calls itself "loci replay" and offers its clock.*QoS/);
}, 30_000);

it("two pictures a second are used of more, and the rest is not waited for", async () => {
  const frames = await framesOf(address(await replayed()), { rateHz: 1 });
  expect(frames.length).toBeGreaterThanOrEqual(6);
  expect(frames.length).toBeLessThanOrEqual(7);
}, 30_000);

it("a bridge that dies and comes back is heard on: nothing is lost and nothing comes twice", async () => {
  const first = await replayed({ speed: 1 });
  const source = await openSource(address(first), { rateHz: 60 });
  const stamps: number[] = [];
  const reading = (async () => {
    for await (const item of source.items()) {
      if (item.kind !== "frame") continue;
      stamps.push(item.frame.timeUs);
      if (stamps.length === 5) {
        await first.close();
        // From the beginning again, so that what was heard comes a second time.
        await replayed({ port: first.port, speed: 4 });
      }
    }
  })();
  await reading;
  expect(source.live!()).toMatchObject({ reconnects: 1, frames: stamps.length, dropped: 0 });
  expect(source.live!().repeated).toBeGreaterThan(0);
  expect(new Set(stamps).size).toBe(stamps.length);
  expect(stamps).toEqual((await framesOf(bag)).map(({ timeUs }) => timeUs));
}, 40_000);

it("the official client reads what is replayed: schemas, bytes and time", async () => {
  const one = await replayed({ speed: 20 });
  const client = new FoxgloveClient({
    ws: new WebSocket(one.url, [FoxgloveClient.SUPPORTED_SUBPROTOCOL]) as never,
  });
  const topics = new Map<number, string>();
  const counts = new Map<string, number>();
  let times = 0;
  client.on("advertise", (channels) => {
    for (const { id, topic, encoding, schemaName, schema } of channels) {
      expect(encoding).toBe("cdr");
      expect(schema).toContain(
        schemaName === "tf2_msgs/msg/TFMessage" ? "TransformStamped[] transforms" : "header",
      );
      topics.set(client.subscribe(id), topic);
    }
  });
  client.on("message", ({ subscriptionId, timestamp }) => {
    expect(timestamp).toBeGreaterThan(1_700_000_000_000_000_000n);
    const topic = topics.get(subscriptionId)!;
    counts.set(topic, (counts.get(topic) ?? 0) + 1);
  });
  client.on("time", () => times++);
  const { messages, sent } = await one.done;
  expect(sent).toBe(messages);
  expect(counts.get("/camera/color/image_raw/compressed")).toBe(18);
  expect(counts.get("/tf_static")).toBe(1);
  expect(times).toBeGreaterThan(0);
}, 30_000);

it("one who comes late gets the fixed transforms, and a page of another site gets nothing", async () => {
  const one = await replayed({ wait: false, speed: 1 });
  const [frame] = await framesOf(address(one), { maxFrames: 1 });
  expect(frame!.worldFromCamera).toBeDefined();
  const stranger = new WebSocket(one.url, ["foxglove.sdk.v1"], { origin: "https://elsewhere.example" });
  const [error] = await once(stranger, "error");
  expect(String(error)).toMatch(/403/);
}, 30_000);

it("what is no recording, and a port that is taken, are errors of one line", async () => {
  const junk = join(folder, "junk.mcap");
  writeFileSync(junk, "this is no recording");
  await expect(openReplay(junk)).rejects.toThrow(/expected an MCAP (file|recording).*junk\.mcap/);
  await expect(openReplay(join(folder, "nothing.mcap"))).rejects.toThrow(/nothing is at .*nothing\.mcap/);
  const { port } = await replayed();
  const second = await openReplay(bag);
  await expect(startReplay(second, { port })).rejects.toThrow(
    /cannot listen on 127\.0\.0\.1:\d+.*EADDRINUSE/,
  );
  await second.close();
});
