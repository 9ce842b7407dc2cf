import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import type { RecordInput } from "../../schema/index.ts";
import { ask } from "../ask.ts";
import { addTo, NOW_US, smallHouse } from "../testing/small-house.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

/** Plants in the kitchen, in the living room and in the bedroom. */
const PLANTS: readonly RecordInput[] = [
  ...plant("kitchen", 4, 0.9),
  ...plant("living", 7, 1),
  ...plant("bedroom", 14, 2),
];

function plant(regionId: string, x: number, y: number): RecordInput[] {
  const common = {
    author: "robot",
    name: "plant",
    category: "plant",
    text: ["plant"],
    validFromUs: NOW_US - 1e8,
    validToUs: null,
  };
  const trackId = `track-plant-${regionId}`;
  return [
    { ...common, kind: "track", id: trackId },
    {
      ...common,
      kind: "state",
      id: `plant-${regionId}`,
      trackId,
      regionId,
      anchor: { submap: "world", p: { x, y, z: 0.5 } },
      extent: { x: 0.3, y: 0.3, z: 0.6 },
    },
  ];
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-described-"));
  house = await smallHouse(folder);
  await addTo(house, PLANTS);
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function foundBy(description: string) {
  const answer = await ask(description, {
    reader: await house.engine.reader(),
    embedder: house.embedder,
    nowUs: NOW_US,
  });
  return { ...answer, state: answer.evidence[0]?.ref };
}

test("a description finds its thing by all that it mentions", async () => {
  const found = await foundBy("Find the plant. It is located near the fridge and next to the table.");
  expect(found).toMatchObject({ status: "answered", state: "plant-kitchen" });
});

test("what was never seen tells by the kind of room, and what is said wrongly rules nothing out", async () => {
  const beside = await foundBy(
    "Find the blue plant. It is located to the left of a wardrobe and a nightstand.",
  );
  expect(beside).toMatchObject({ status: "answered", state: "plant-bedroom" });
});

test("what one will find there is not to come, and where it stands is not where one is", async () => {
  const found = await foundBy(
    "Find the plant in the living room. Next to the plant you will find a television. There is a lamp on the left side.",
  );
  expect(found).toMatchObject({ status: "answered", state: "plant-living" });
});

test("where nothing tells them apart the likeliest is named and the others are told, less sure", async () => {
  const [told, untold] = [
    await foundBy("Find the plant. It is located near the fridge and next to the table."),
    await foundBy("Find the plant. It is located near a trapeze and a unicycle."),
  ];
  expect(untold.status).toBe("answered");
  expect(untold.text).toContain("or else");
  expect(untold.confidence).toBeLessThan(told.confidence);
});
