import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import type { RecordInput } from "../../schema/index.ts";
import { ask } from "../ask.ts";
import { addTo, NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-otherwise-"));
  house = await smallHouse(folder);
});
afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function found(expression: string): Promise<readonly string[]> {
  const reader = await house.engine.reader();
  const memory = new Belief({ reader, nowUs: NOW_US, embedder: house.embedder });
  const value = await evaluate(scan(expression), { memory, broadened: 0, question: expression });
  return value.kind === "things" ? value.things.map(({ state }) => state.id) : [];
}

function thing(
  id: string,
  category: string,
  [x, y, z]: readonly [number, number, number],
  regionId: string,
  more: Partial<Extract<RecordInput, { kind: "state" }>> = {},
): RecordInput[] {
  const common = { name: category, category, validFromUs: NOW_US - 1_000_000, validToUs: null };
  return [
    { kind: "track", id: `track-${id}`, type: "object", ...common },
    {
      kind: "state",
      id,
      trackId: `track-${id}`,
      author: "robot",
      text: [category],
      anchor: { submap: "world", p: { x, y, z } },
      extent: { x: 0.5, y: 0.5, z: 0.8 },
      attributes: {},
      regionId,
      ...common,
      ...more,
    },
  ];
}

test("a counter in the kitchen is a kitchen counter, though another thing of the house is called counter", async () => {
  await addTo(house, [
    ...thing("shop-counter", "shop counter", [8, 3, 0.4], "living"),
    ...thing("worktop", "worktop", [1, 3, 0.4], "kitchen"),
  ]);
  const asked = 'in(things(category: "counter"), rooms(name: "kitchen"))';
  expect(await found(asked)).toEqual(["worktop"]);
  // Where no such name exists, things elsewhere stay there.
  expect(await found('in(things(category: "counter"), rooms(name: "bedroom"))')).toEqual([]);
});

test("who is asked for by a name nobody told may be the one person without a name, and that is said", async () => {
  const olga = async () =>
    ask("In which room is Olga?", { reader: await house.engine.reader(), nowUs: NOW_US });
  expect((await olga()).status).toBe("not-seen");
  await addTo(house, thing("somebody", "person", [13, 3, 0.8], "bedroom"));
  const told = await olga();
  expect(told).toMatchObject({ status: "answered", text: "bedroom, if the person I saw is Olga" });
  expect(told.confidence).toBeLessThanOrEqual(0.5);
  // Anna is known by her name.
  expect((await found('things(name: "anna")'))[0]).toBe("anna");
  await addTo(house, thing("somebody-else", "person", [1, 4, 0.8], "kitchen"));
  expect((await olga()).status).toBe("not-seen");
});

test("what tracking found on the table is not on the counter whose box reaches over it", async () => {
  const on = (name: string) => found(`relate(things(), the(things(category: "${name}")), relation: "on")`);
  const size = (x: number, y: number, z: number) => ({ extent: { x, y, z } });
  const mug = size(0.1, 0.1, 0.1);
  await addTo(house, [
    // An L whose box covers the desk in its corner.
    ...thing("bar", "bar", [12.5, 3, 0.45], "bedroom", size(2, 2, 0.9)),
    ...thing("desk", "desk", [12.9, 3.4, 0.4], "bedroom", size(1, 1, 0.8)),
    ...thing("tray", "tray", [12.9, 3.4, 0.82], "bedroom", { ...size(0.4, 0.4, 0.04), supportedBy: "desk" }),
    ...thing("cup", "cup", [12.9, 3.4, 0.89], "bedroom", { ...mug, supportedBy: "tray" }),
    ...thing("jar", "jar", [11.7, 2.2, 0.95], "bedroom", { ...mug, supportedBy: "bar" }),
    ...thing("can", "can", [11.9, 2.2, 0.95], "bedroom", mug),
    ...thing("stool", "stool", [12.1, 3.8, 0.7], "bedroom", size(0.4, 0.1, 0.2)),
  ]);
  expect((await on("bar")).toSorted()).toEqual(["can", "jar"]);
  expect((await on("desk")).toSorted()).toEqual(["cup", "tray"]);
});
