import { afterAll, beforeAll, expect, it } from "vitest";
import { ArrayMemory } from "../../../memory/array/array-memory.ts";
import type { ImageEmbedder } from "../../../models/index.ts";
import { openTestMemory, type TestMemory } from "../../../retrieval/testing/small-memory.ts";
import { blobRefOf, type RecordInput } from "../../../schema/index.ts";
import { supersededIn } from "./library.ts";
import { looksOf } from "./looks.ts";
import { findIn } from "./retrieval.ts";

const S = 1_000_000;
let memory: TestMemory;
beforeAll(async () => {
  memory = await openTestMemory([
    {
      kind: "view",
      id: "v2",
      observationId: "o1",
      thumb: blobRefOf(new TextEncoder().encode("thumb")),
      anchor: { submap: "world", p: { x: 8, y: 2, z: 1 } },
      validFromUs: 30 * S,
      validToUs: 30 * S + 1,
      visible: [
        { stateId: "bed", bbox: [0, 0, 30, 10], depthM: 2, fraction: 1 },
        { stateId: "lamp", bbox: [0, 0, 10, 10], depthM: 2, fraction: 1 },
      ],
    },
  ]);
});
afterAll(() => memory.close());

it("compares a picture without a vector by the kinds of things in it and the room that they take up", async () => {
  const { reader, nowUs } = memory;
  const looks = looksOf(reader, { nowUs });
  expect(await looks("Where is the stove?")).toEqual([{ id: "v1", score: 1 }]);
  // Three quarters of the visible area is the bed, one quarter the lamp.
  const [bed] = await looks("a bed");
  const [lamp] = await looks("a lamp");
  expect(bed).toMatchObject({ id: "v2", score: expect.closeTo(Math.sqrt(3 / 4)) });
  expect(lamp).toMatchObject({ id: "v2", score: expect.closeTo(Math.sqrt(1 / 4)) });
  // Both named: the cosine of the two unit vectors.
  const [both] = await looks("a bed and a lamp");
  expect(both!.score).toBeCloseTo((Math.sqrt(3 / 4) + Math.sqrt(1 / 4)) / Math.SQRT2);
  expect(await looks("a helicopter")).toEqual([]);
  expect(await looksOf(reader, { nowUs: 10 * S })("a bed")).toEqual([]);
});

it("of captions of one place that say and show nearly the same the newest stays", async () => {
  const { reader, nowUs } = memory;
  // The rooms six metres apart are two places; that the mug is gone from the kitchen leaves it nearly the same.
  expect(await supersededIn(reader, { nowUs })).toEqual(["bedroom-a", "kitchen-a"]);
  // Before the second visit nothing was said again.
  expect(await supersededIn(reader, { nowUs: 100 * S })).toEqual([]);
});

it("compares pictures by the image embedder that is given, where the memory's vectors are its own", async () => {
  const pictures = ["a window", "a stove"].map((name) => new TextEncoder().encode(name));
  const other = new ArrayMemory();
  const writer = await other.writer();
  await writer.setEmbedder("image", { id: "test-image", dim: 2 });
  await writer.write({
    blobs: pictures,
    imageVectors: pictures.map((bytes, n) => ({
      blob: blobRefOf(bytes),
      vector: Float32Array.from([1 - n, n]),
    })),
    records: pictures.flatMap((bytes, n): RecordInput[] => {
      const then = { validFromUs: n * S, validToUs: n * S + 1 };
      const anchor = { submap: "world", p: { x: 9 * n, y: 0, z: 1 } };
      const look = { kind: "observation", id: `look-${n}`, sensorId: "camera", anchor, ...then } as const;
      const view = { kind: "view", id: `view-${n}`, observationId: look.id, anchor, ...then } as const;
      const ref = blobRefOf(bytes);
      return [look, { ...view, thumb: ref, image: ref }];
    }),
  });
  await writer.close();
  const reader = await other.reader();
  const embedderOf = (id: string): ImageEmbedder => ({
    info: { id, dim: 2 },
    embed: async () => [],
    embedText: async (texts) => texts.map(() => Float32Array.from([0, 1])),
    close: async () => undefined,
  });
  const found = async (id: string) => {
    const { items } = await findIn("where one cooks", {
      reader,
      nowUs: 10 * S,
      imageEmbedder: embedderOf(id),
    });
    return items.map(({ id: view, scores }) => [view, scores.image]);
  };
  expect((await found("test-image"))[0]).toEqual(["view-1", 1]);
  // Vectors of another embedder say nothing about these, and no thing is known in them.
  expect(await found("another")).toEqual([]);
  await other.close();
});
