import { afterAll, beforeAll, expect, it } from "vitest";
import { openTestMemory, type TestMemory } from "../../../retrieval/testing/small-memory.ts";
import { blobRefOf } from "../../../schema/index.ts";
import { supersededIn } from "./library.ts";
import { looksOf } from "./looks.ts";

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
  // Three quarters of what is seen is the bed, one quarter the lamp.
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
