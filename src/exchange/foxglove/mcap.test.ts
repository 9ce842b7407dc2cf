import { mkdtempSync, rmSync } from "node:fs";
import { open } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { CompressedImage, FrameTransform, Log, PointCloud, SceneUpdate } from "@foxglove/schemas";
import { McapIndexedReader } from "@mcap/core";
import { loadDecompressHandlers } from "@mcap/support";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { z } from "zod";
import { apply, compose } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import { exportReader } from "../export.ts";
import {
  openTestHouse,
  SECRET,
  START_US,
  type TestHouse,
  thing,
  WORLD_FROM_HOUSE,
} from "../testing/small-house.ts";
import { readCloud } from "../world/cloud.ts";
import { readWorld } from "../world/read-world.ts";
import { historyOf } from "./history.ts";
import type { Told } from "./topics.ts";

let house: TestHouse;
let out: string;
beforeAll(async () => {
  house = await openTestHouse();
  out = mkdtempSync(join(tmpdir(), "loci-mcap-"));
});
afterAll(async () => {
  await house?.close();
  rmSync(out, { recursive: true, force: true });
});

interface Message {
  readonly topic: string;
  readonly timeUs: number;
  readonly value: unknown;
}

/** Every message of a file in order of time, each checked against the schema in the file. */
async function readBack(path: string): Promise<Message[]> {
  const file = await open(path, "r");
  try {
    const reader = await McapIndexedReader.Initialize({
      readable: {
        size: async () => BigInt((await file.stat()).size),
        read: async (offset, size) => {
          const bytes = new Uint8Array(Number(size));
          await file.read(bytes, 0, bytes.length, Number(offset));
          return bytes;
        },
      },
      decompressHandlers: await loadDecompressHandlers(),
    });
    const checks = new Map(
      Array.from(reader.schemasById.values(), ({ id, data, encoding }) => {
        expect(encoding).toBe("jsonschema");
        return [id, z.fromJSONSchema(JSON.parse(new TextDecoder().decode(data)))];
      }),
    );
    const messages: Message[] = [];
    for await (const { channelId, logTime, data } of reader.readMessages()) {
      const { topic, schemaId, messageEncoding } = reader.channelsById.get(channelId)!;
      expect(messageEncoding).toBe("json");
      const value: unknown = JSON.parse(new TextDecoder().decode(data));
      checks.get(schemaId)!.parse(value);
      messages.push({ topic, timeUs: Number(logTime / 1_000n), value });
    }
    expect(messages.map(({ timeUs }) => timeUs)).toEqual(
      messages.map(({ timeUs }) => timeUs).sort((a, b) => a - b),
    );
    return messages;
  } finally {
    await file.close();
  }
}

async function exported(reader: MemoryReader = house.reader, atUs?: number): Promise<Message[]> {
  const path = join(out, "house.mcap");
  await exportReader(reader, path, atUs === undefined ? {} : { atUs });
  return readBack(path);
}

const on = (messages: readonly Message[], topic: string) => messages.filter((each) => each.topic === topic);
const lastBy = (messages: readonly Message[], topic: string, timeUs: number) =>
  on(messages, topic).findLast((each) => each.timeUs <= timeUs)?.value;

describe("a memory as MCAP", () => {
  it("shows, from the last message alone, what there was at any moment", async () => {
    const messages = await exported();
    for (const second of [0, 5, 9.9, 10, 11, 12, 20]) {
      const atUs = START_US + second * 1e6;
      const { things } = await readWorld(house.reader, { atUs });
      const { entities } = lastBy(messages, "/loci/things", atUs) as SceneUpdate;
      const still = things.filter(({ type }) => type === "object");
      expect(entities.map(({ id }) => id).sort(), `${second} s`).toEqual(still.map(({ id }) => id).sort());
      for (const { id, worldFromBox, sizeM } of still) {
        const [cube] = entities.find((entity) => entity.id === id)!.cubes;
        expect(cube!.pose.position).toEqual(worldFromBox.p);
        expect(cube!.size).toEqual(sizeM);
      }
    }
    const rooms = on(messages, "/loci/rooms").at(-1)!.value as SceneUpdate;
    expect(rooms.entities.map(({ id }) => id).sort()).toEqual(
      (await readWorld(house.reader)).rooms.map(({ id }) => id).sort(),
    );
  });

  it("has the points, the pictures, where cameras and people were, and what happened", async () => {
    const messages = await exported();
    const cloud = (await readCloud(house.reader, await house.reader.frames(), { most: 1e6 })).points();
    const told = on(messages, "/loci/surface").at(-1)!.value as PointCloud;
    const bytes = Buffer.from(told.data as unknown as string, "base64");
    expect(bytes.length).toBe(cloud.count * told.point_stride);
    const last = cloud.count - 1;
    expect(bytes.readFloatLE(last * 16 + 4)).toBe(cloud.positions[last * 3 + 1]);
    expect(bytes[last * 16 + 14]).toBe(cloud.colours[last * 3 + 2]);

    const [image] = on(messages, "/loci/robot/camera/image").map(({ value }) => value as CompressedImage);
    const [view] = await house.reader.get(["view-0"]);
    const thumb = await house.reader.blob(view?.kind === "view" ? view.thumb : "");
    expect(image!.format).toBe("jpeg");
    expect(Buffer.from(image!.data as unknown as string, "base64").equals(thumb!)).toBe(true);

    const [pose] = on(messages, "/loci/robot/camera/pose").map(({ value }) => value as FrameTransform);
    const [look] = await house.reader.get(["look-0"]);
    const { p, q } = look!.anchor!;
    expect(pose).toMatchObject({ parent_frame_id: "world", child_frame_id: image!.frame_id });
    expect(pose!.translation).toEqual(compose(WORLD_FROM_HOUSE, { p, q: q! }).p);

    const people = on(messages, "/loci/people").map(({ value }) => (value as SceneUpdate).entities[0]!);
    expect(people.map(({ cubes }) => cubes[0]!.pose.position)).toEqual(
      [1, 2, 3].map((x) => apply(WORLD_FROM_HOUSE, { x, y: 1, z: 0.9 })),
    );
    expect(on(messages, "/loci/events").map(({ value }) => (value as Log).message)).toEqual([
      "the mug was moved",
    ]);
  });

  it("ends at the moment asked for", async () => {
    const messages = await exported(house.reader, START_US + 11e6);
    expect(Math.max(...messages.map(({ timeUs }) => timeUs))).toBeLessThanOrEqual(START_US + 11e6);
    const { entities } = on(messages, "/loci/things").at(-1)!.value as SceneUpdate;
    expect(entities.map(({ id }) => id)).not.toContain("mug-before");
    expect(on(messages, "/loci/events")).toEqual([]);
  });

  it("tells a guest nothing of what is secret", async () => {
    const guest = await house.engine.reader({ principal: { id: "guest", labels: [] } });
    expect(JSON.stringify(await exported())).toContain(SECRET);
    expect(JSON.stringify(await exported(guest))).not.toContain(SECRET);
    await guest.close();
  });

  it("tells a long history in fewer scenes, still whole at the end", async () => {
    const busy = await openTestHouse();
    try {
      const names = Array.from({ length: 300 }, (_, n) => n);
      await busy.write({
        records: names.flatMap((n) =>
          thing(`thing-${n}`, { x: 1, y: 1, z: 1 }, { fromS: n, ...(n % 2 === 0 && { toS: n + 50 }) }),
        ),
      });
      const scenesWithin = async (sceneBytes: number) => {
        const scenes: Told[] = [];
        for await (const told of historyOf(busy.reader, { sceneBytes }))
          if (told.topic === "/loci/things") scenes.push(told);
        return scenes;
      };
      const all = await scenesWithin(Number.MAX_SAFE_INTEGER);
      const few = await scenesWithin(4_000_000);
      expect(few.reduce((sum, { json }) => sum + json.length, 0)).toBeLessThan(4_000_000);
      expect(few.length).toBeLessThan(all.length / 5);
      expect(few.at(-1)).toEqual(all.at(-1));
      for (const scene of few) expect(all).toContainEqual(scene);
    } finally {
      await busy.close();
    }
  });
});
