import { once } from "node:events";
import type { CompressedImage, FrameTransform, PointCloud, SceneUpdate } from "@foxglove/schemas";
import { afterAll, beforeAll, expect, it } from "vitest";
import WebSocket from "ws";
import { type Memory, openMemory } from "../src/compose.ts";
import {
  openTestHouse,
  START_US,
  type TestHouse,
  WORLD_FROM_HOUSE,
} from "../src/exchange/testing/small-house.ts";
import { readCloud } from "../src/exchange/world/cloud.ts";
import { apply } from "../src/geometry/index.ts";
import { type RunningFoxglove, startFoxglove } from "../src/interfaces/live/foxglove-server.ts";

let house: TestHouse;
let memory: Memory;
let server: RunningFoxglove;
let socket: WebSocket;
const last = new Map<string, unknown>();
beforeAll(async () => {
  house = await openTestHouse();
  // Another reads what the house's own writer writes.
  memory = await openMemory(house.folder, { create: false });
  server = await startFoxglove(memory, { port: 0 });
  socket = new WebSocket(server.url, "foxglove.sdk.v1");
  const topics = new Map<number, string>();
  socket.on("message", (data: Buffer, isBinary) => {
    if (isBinary) {
      last.set(topics.get(data.readUInt32LE(1))!, JSON.parse(data.subarray(13).toString()));
      return;
    }
    const { op, channels } = JSON.parse(String(data)) as {
      op: string;
      channels: { id: number; topic: string }[];
    };
    if (op !== "advertise") return;
    for (const { id, topic } of channels) topics.set(id, topic);
    const subscriptions = channels.map(({ id }) => ({ id, channelId: id }));
    socket.send(JSON.stringify({ op: "subscribe", subscriptions }));
  });
});
afterAll(async () => {
  socket?.terminate();
  await server?.close();
  await memory?.close();
  await house?.close();
});

async function until<T>(topic: string, isSo: (value: T) => boolean = () => true): Promise<T> {
  for (;;) {
    const value = last.get(topic) as T | undefined;
    if (value !== undefined && isSo(value)) return value;
    await once(socket, "message");
  }
}

it("shows whoever comes late the rooms, the points, and the last of every camera", async () => {
  const rooms = await until<SceneUpdate>("/loci/rooms");
  expect(rooms.entities).toHaveLength(2);
  const { point_stride, data } = await until<PointCloud>("/loci/surface");
  const { count } = await readCloud(house.reader, await house.reader.frames(), { most: 1e6 });
  expect(Buffer.from(data as unknown as string, "base64").length).toBe(count * point_stride);
  const image = await until<CompressedImage>("/loci/robot/camera/image");
  expect(image.format).toBe("jpeg");
  expect(image.timestamp).toEqual({ sec: START_US / 1e6 + 1, nsec: 0 });
});

it("follows a camera and somebody who walks", async () => {
  const timeUs = START_US + 30e6;
  const at = { x: 2, y: 1.5, z: 1.2 };
  await house.write({
    records: [
      {
        kind: "observation",
        id: "look-new",
        sensorId: "camera",
        author: "robot",
        validFromUs: timeUs,
        validToUs: timeUs + 1,
        anchor: { submap: "sub-0", p: at, q: { w: 1, x: 0, y: 0, z: 0 } },
      },
    ],
    sightings: [{ stateId: "ann-state", timeUs, outcome: "seen", anchor: { submap: "sub-0", p: at } }],
  });
  const there = apply(WORLD_FROM_HOUSE, at);
  const pose = await until<FrameTransform>(
    "/loci/robot/camera/pose",
    ({ timestamp }) => timestamp.sec === timeUs / 1e6,
  );
  expect(pose.translation).toEqual(there);
  const people = await until<SceneUpdate>("/loci/people", ({ entities }) => entities.length > 0);
  expect(people.entities[0]).toMatchObject({ id: "ann", lifetime: { sec: 3 } });
  expect(people.entities[0]!.cubes[0]!.pose.position).toEqual(there);
});

it("moves everything when the map is corrected", async () => {
  const xOf = ({ entities }: SceneUpdate) =>
    entities.find(({ id }) => id === "bed-state")!.cubes[0]!.pose.position.x;
  const before = xOf(await until<SceneUpdate>("/loci/things"));
  const moved = { ...WORLD_FROM_HOUSE, p: { ...WORLD_FROM_HOUSE.p, x: WORLD_FROM_HOUSE.p.x + 5 } };
  await house.write({
    frames: [{ parent: "world", child: "sub-0", kind: "submap", transform: moved, revision: 1 }],
  });
  const after = await until<SceneUpdate>("/loci/things", (scene) => xOf(scene) !== before);
  expect(xOf(after)).toBeCloseTo(before + 5);
});
