import { expect, test } from "vitest";
import { vec3 } from "../geometry/index.ts";
import type { MemoryReader } from "../memory/index.ts";
import type { ThingToDescribe } from "../models/index.ts";
import { BestLooks } from "../perception/index.ts";
import type { Percept } from "../schema/core.ts";
import { Tracker } from "../tracking/index.ts";
import { BACKGROUND, look, thing } from "../tracking/testing/toy-room.ts";
import { nameThings } from "./naming.ts";
import type { Stages } from "./stages.ts";

const EMPTY = {
  search: async () => ({ hits: [], complete: true }),
  frames: async () => [],
  get: async () => [],
  presence: async () => [],
  sightings: async () => [],
} as unknown as MemoryReader;
const THINGS = [
  thing("table", "table", [3, 0, 0.4], [1.2, 0.8, 0.8], { colour: "brown" }),
  thing("machine", "thing", [3, 0.2, 0.95], [0.3, 0.3, 0.3], { colour: "white" }),
];

/** A percept as our own eyes produce it: with a picture and their names. */
function seenByEyes(percept: Percept) {
  const { width, height } = percept.intrinsics;
  const detections = percept.detections.map((one) =>
    one.category === "thing" ? one : { ...one, namedBy: "eyes" },
  );
  const rgb = { width, height, data: new Uint8Array(3 * width * height).fill(200) };
  return { ...percept, detections, rgb, captions: [], dropped: 0 };
}

test("a model is asked once a thing, by a sheet of its looks, and what it named is not asked again", async () => {
  const tracker = await Tracker.open(EMPTY, { sceneId: "toy", background: BACKGROUND });
  const looks = new BestLooks();
  for (const [n, y] of [-1.2, -0.8, -0.3, 0.3, 0.8, 1.2].entries()) {
    const from = vec3(1, y, 1.6);
    const percept = seenByEyes(look({ timeS: 2 * n, from, at: vec3(3, 0, 0.6), things: THINGS }));
    looks.add(percept, (await tracker.observe(percept)).tracked);
  }
  await tracker.finish(1_020_000_000);
  const asked: ThingToDescribe[] = [];
  const describer = {
    id: "vision-model",
    describe: async (things: readonly ThingToDescribe[]) => {
      asked.push(...things);
      return things.map(({ label }) =>
        label?.startsWith("brown table")
          ? null
          : {
              phrase: "white coffee machine with a red light",
              kind: "coffee machine",
              isSure: true,
              attributes: { material: "plastic", power: "on" },
              text: "SENSEO",
            },
      );
    },
    close: async () => undefined,
  };
  const stages = { tracker, looks } as unknown as Stages;
  const { records } = await nameThings(stages, describer);
  expect(asked.map(({ label }) => label?.split(",")[0])).toEqual(["brown table", "white thing"]);
  expect(asked[1]!.label).toMatch(/^white thing, \d+ × \d+ × \d+ cm, on a table; several looks at it$/);
  const { bytes } = (await asked[1]!.image())!;
  expect([...bytes.subarray(0, 2)]).toEqual([0xff, 0xd8]);
  expect(records?.find(({ kind }) => kind === "state")).toMatchObject({
    category: "coffee machine",
    name: "white coffee machine with a red light",
    namedBy: "vision-model",
    attributes: { material: { value: "plastic" }, power: { value: "on" } },
  });
  await nameThings(stages, describer);
  expect(asked.map(({ label }) => label?.split(",")[0])).toEqual([
    "brown table",
    "white thing",
    "brown table",
  ]);
});

test("what the views do not show loses the names that were guessed", async () => {
  const tracker = await Tracker.open(EMPTY, { sceneId: "toy", background: BACKGROUND });
  const looks = new BestLooks();
  for (const [n, y] of [-1.2, -0.8, -0.3, 0.3, 0.8, 1.2].entries()) {
    const from = vec3(1, y, 1.6);
    const percept = seenByEyes(look({ timeS: 2 * n, from, at: vec3(3, 0, 0.6), things: THINGS }));
    looks.add(percept, (await tracker.observe(percept)).tracked);
  }
  await tracker.finish(1_020_000_000);
  const describer = {
    id: "vision-model",
    describe: async (things: readonly ThingToDescribe[]) =>
      things.map(() => ({ phrase: "grey object", isSure: false, attributes: {} })),
    close: async () => undefined,
  };
  await nameThings({ tracker, looks } as unknown as Stages, describer);
  expect([...tracker.things()].map(({ category, name }) => [category, name])).toEqual([
    ["thing", "grey object"],
    ["thing", "grey object"],
  ]);
});
