import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { protobufFromBinaryDescriptor } from "@mcap/support";
import { afterEach, expect, test } from "vitest";
import { WebSocketServer } from "ws";
import type { Frame } from "../frame.ts";
import { encodeColour, encodeGrey16 } from "../images.ts";
import { openSource } from "../open.ts";
import type { ReadOptions, Skip } from "../options.ts";
import { descriptorOf, FOXGLOVE_TYPES } from "../testing/foxglove-descriptor.ts";
import { type ScriptedServer, startScripted } from "../testing/scripted-foxglove.ts";
import { FoxgloveLink } from "./link.ts";
import { END_CODE, END_REASON } from "./protocol.ts";

const T0 = 1_700_000_000;
const jpeg = await encodeColour(
  { width: 32, height: 24, data: new Uint8Array(32 * 24 * 3).fill(120) },
  "jpeg",
);
const png = await encodeGrey16({ width: 32, height: 24, data: new Uint16Array(32 * 24).fill(2_000) });
const stamp = (s: number) => ({ sec: Math.floor(s), nsec: Math.round((s % 1) * 1e9) });
const json = (value: unknown) => Buffer.from(JSON.stringify(value));

const CHANNELS = [
  ["/camera/image", "foxglove.CompressedImage"],
  ["/camera/depth", "foxglove.CompressedImage"],
  ["/camera/calibration", "foxglove.CameraCalibration"],
  ["/tf", "foxglove.FrameTransforms"],
] as const;
const channels = (encoding: string, firstId = 1) =>
  CHANNELS.map(([topic, schemaName], i) => ({
    ...{ id: firstId + i, topic, encoding, schemaName, schema: "{}", schemaEncoding: "jsonschema" },
  }));

/** What a robot says in one half-second: it drives along +X at one metre a second. */
function said(at: number) {
  const timestamp = stamp(at);
  const frame_id = "camera_optical_frame";
  const move = (t: number) => ({
    timestamp: stamp(t),
    parent_frame_id: "map",
    child_frame_id: frame_id,
    translation: { x: t - T0, y: 0, z: 1 },
    rotation: { x: -0.5, y: 0.5, z: -0.5, w: 0.5 },
  });
  return [
    [
      "/camera/calibration",
      {
        timestamp,
        frame_id,
        width: 32,
        height: 24,
        distortion_model: "",
        D: [],
        K: [30, 0, 16, 0, 30, 12, 0, 0, 1],
        R: [],
        P: [],
      },
    ],
    ["/tf", { transforms: [move(at - 0.05)] }],
    ["/camera/image", { timestamp, frame_id, format: "jpeg", data: Buffer.from(jpeg).toString("base64") }],
    [
      "/camera/depth",
      { timestamp: stamp(at + 0.01), frame_id, format: "png", data: Buffer.from(png).toString("base64") },
    ],
    ["/tf", { transforms: [move(at + 0.05)] }],
  ] as const;
}

let server: ScriptedServer | undefined;
afterEach(() => server?.close());

async function framesOf(one: ScriptedServer, options: ReadOptions = {}): Promise<Frame[]> {
  server = one;
  const source = await openSource(one.url, { rateHz: 30, ...options });
  const frames: Frame[] = [];
  for await (const item of source.items()) if (item.kind === "frame") frames.push(item.frame);
  await source.close();
  return frames;
}

function expectDrive(frames: readonly Frame[], count: number): void {
  expect(frames.map(({ timeUs }) => timeUs - T0 * 1e6)).toEqual(
    Array.from({ length: count }, (_, i) => (i + 1) * 500_000),
  );
  for (const [i, { worldFromCamera, rgb, depth, intrinsics }] of frames.entries()) {
    expect(worldFromCamera!.p.x).toBeCloseTo((i + 1) / 2, 3);
    expect(rgb!.data[0]).toBeCloseTo(120, -1);
    expect(depth!.data[5]).toBe(2_000);
    expect(intrinsics).toMatchObject({ fx: 30, cx: 16.5 });
  }
}

test("Foxglove's own messages as JSON", async () => {
  const one = await startScripted(async (peer) => {
    peer.say({ op: "advertise", channels: channels("json") });
    await peer.subscribed(CHANNELS.length);
    for (let i = 1; i <= 3; i++)
      for (const [topic, message] of said(T0 + i / 2)) peer.publish(topic, T0 + i / 2, json(message));
    await peer.end(END_CODE, END_REASON);
  });
  expectDrive(await framesOf(one), 3);
});

test("depth further off than the tolerance is left out, and what is alone is counted", async () => {
  const skips: Skip[] = [];
  const one = await startScripted(async (peer) => {
    peer.say({ op: "advertise", channels: channels("json") });
    await peer.subscribed(CHANNELS.length);
    for (let i = 1; i <= 3; i++)
      for (const [topic, message] of said(T0 + i / 2)) peer.publish(topic, T0 + i / 2, json(message));
    await peer.end(END_CODE, END_REASON);
  });
  const frames = await framesOf(one, { syncToleranceUs: 5_000, onSkip: (skip) => skips.push(skip) });
  expect(frames.map(({ depth, worldFromCamera }) => [depth, worldFromCamera !== undefined])).toEqual(
    Array.from({ length: 3 }, () => [undefined, true]),
  );
  expect(skips.map(({ what }) => what)).toEqual(["the depth of 3 pictures"]);
});

test("the same as Protocol Buffers, written by another library and read by the schema that came with them", async () => {
  const descriptor = descriptorOf(FOXGLOVE_TYPES);
  const root = protobufFromBinaryDescriptor(descriptor);
  const encode = (type: string, message: object) => {
    const of = root.lookupType(type);
    return Buffer.from(of.encode(of.fromObject(protobufNames(message) as object)).finish());
  };
  const typeOf = new Map<string, string>(CHANNELS);
  const schema = Buffer.from(descriptor).toString("base64");
  const one = await startScripted(async (peer) => {
    const offered = channels("protobuf").map((channel) => ({
      ...channel,
      schema,
      schemaEncoding: "protobuf",
    }));
    peer.say({ op: "advertise", channels: offered });
    await peer.subscribed(CHANNELS.length);
    for (let i = 1; i <= 3; i++)
      for (const [topic, message] of said(T0 + i / 2))
        peer.publish(topic, T0 + i / 2, encode(typeOf.get(topic)!, message));
    await peer.end(END_CODE, END_REASON);
  });
  expectDrive(await framesOf(one), 3);
});

test("a hostile server: cut-off frames, unknown operations, reused numbers, clock jumps; the rest is read", async () => {
  const skips: Skip[] = [];
  const one = await startScripted(async (peer) => {
    peer.say({ op: "advertise", channels: channels("json") });
    await peer.subscribed(CHANNELS.length);
    peer.raw(Buffer.alloc(0));
    peer.raw(Buffer.from([1, 0, 0]));
    peer.raw(Buffer.from([2, 9]));
    peer.raw(Buffer.from([77, 1, 2, 3]));
    peer.text("{not json");
    peer.say({ op: "connectionGraphUpdate", anything: [1] });
    peer.say({ op: "advertise", channels: [{ id: -4, topic: 7 }] });
    peer.publish("/tf", T0, Buffer.from("{"));
    peer.publish("/tf", T0, json({ transforms: "none" }));
    peer.publishOn(4_000_000, T0, json({}));
    for (const [topic, message] of said(T0 + 0.5)) peer.publish(topic, T0 + 0.5, json(message));
    // Its clock is far ahead for one message, and of no sense in another; stamps are what counts.
    peer.publish("/tf", 9e9, json(said(T0 + 0.5)[4]![1]));
    peer.publishAt("/tf", 2n ** 64n - 1n, json(said(T0 + 0.5)[4]![1]));
    for (const [topic, message] of said(T0 + 1)) peer.publish(topic, T0 + 1, json(message));
    // The numbers are given to other topics without a farewell.
    peer.say({
      op: "advertise",
      channels: [...channels("json")].reverse().map((channel, i) => ({ ...channel, id: i + 1 })),
    });
    await peer.subscribed(2 * CHANNELS.length);
    for (const [topic, message] of said(T0 + 1.5)) peer.publish(topic, T0 + 1.5, json(message));
    await peer.end(END_CODE, END_REASON);
  });
  expectDrive(await framesOf(one, { onSkip: (skip) => skips.push(skip) }), 3);
  const what = skips.map(({ what: of }) => of);
  expect(what.filter((of) => of === "a message on /tf").length).toBeGreaterThanOrEqual(2);
});

test("a message beyond the limit ends the connection, which is made again", async () => {
  let connections = 0;
  const one = await startScripted(async (peer) => {
    connections++;
    peer.say({ op: "advertise", channels: channels("json", 10 * connections) });
    await peer.subscribed(1);
    if (connections === 1) peer.publish("/tf", T0, Buffer.alloc(10_000));
    else await peer.end(END_CODE, END_REASON);
  });
  server = one;
  const skips: string[] = [];
  const link = await FoxgloveLink.open({
    url: one.url.replace("foxglove:", "ws:"),
    messageBytes: 5_000,
    pauseMs: 1,
  });
  link.listen(link.topics(), { message() {}, time() {}, skip: (_, why) => skips.push(why) });
  await link.ended;
  expect(link.reconnects).toBe(1);
  expect(skips.join()).toMatch(/longer than 5000 bytes/);
  await link.close();
});

test("a silent server is lost and found again; one that does not come back is an error", async () => {
  let connections = 0;
  const one = await startScripted(async (peer) => {
    connections++;
    peer.say({ op: "advertise", channels: channels("json") });
    if (connections === 1) peer.freeze();
    else await peer.end(END_CODE, END_REASON);
  });
  server = one;
  const url = one.url.replace("foxglove:", "ws:");
  const link = await FoxgloveLink.open({ url, silenceMs: 200, pauseMs: 1 });
  await link.ended;
  expect(connections).toBe(2);
  await link.close();
  const other = await startScripted(async (peer) => {
    await peer.end(1011, "");
    await other.close();
  });
  const lost = await FoxgloveLink.open({
    url: other.url.replace("foxglove:", "ws:"),
    pauseMs: 1,
    waitMs: 50,
  });
  await expect(lost.ended).rejects.toThrow(/was lost and did not come back/);
});

test("what is no bridge, has no camera, or is encoded in another way is said in one line", async () => {
  await expect(openSource("foxglove://")).rejects.toThrow(/expected foxglove:\/\/HOST:PORT/);
  await expect(FoxgloveLink.open({ url: "ws://127.0.0.1:9", tries: 2, pauseMs: 1 })).rejects.toThrow(
    /^expected a foxglove_bridge at ws:\/\/127.0.0.1:9, got no connection \(ECONNREFUSED\).*ros2 launch/,
  );
  const web = createServer((_, response) => response.end("hello"));
  await new Promise<void>((resolve) => web.listen(0, "127.0.0.1", resolve));
  const port = (web.address() as AddressInfo).port;
  await expect(openSource(`foxglove://127.0.0.1:${port}`)).rejects.toThrow(
    /Foxglove WebSocket protocol.*another one/,
  );
  // A rosbridge knows no subprotocol.
  const bridge = new WebSocketServer({ server: web, handleProtocols: () => false });
  await expect(openSource(`foxglove://127.0.0.1:${port}`)).rejects.toThrow(/rosbridge:\/\/HOST:PORT/);
  bridge.close();
  web.close();
  web.closeAllConnections();
  server = await startScripted(async (peer) => {
    peer.say({ op: "advertise", channels: [{ ...channels("flatbuffer")[0]! }] });
  });
  const source = await openSource(server.url);
  expect(source.plan.missing.join(" ")).toMatch(
    /No camera:.*\/camera\/image .* encoded as "flatbuffer", which is not read/,
  );
  await source.close();
});

/** Timestamps of Protocol Buffers are seconds and nanos. */
function protobufNames(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(protobufNames);
  if (typeof value !== "object" || value === null) return value;
  const names: Readonly<Record<string, string>> = { sec: "seconds", nsec: "nanos" };
  return Object.fromEntries(Object.entries(value).map(([key, of]) => [names[key] ?? key, protobufNames(of)]));
}
