import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import type { RecordInput } from "../../schema/index.ts";
import { ask } from "../ask.ts";
import { addTo, NOW_US, smallHouse } from "../testing/small-house.ts";
import { scan } from "./notation.ts";

/**
 * In addition to the small house: a storey above the kitchen, a door and a closed front door in the living room, a bag
 * on the sofa without a record that says so.
 */
const MORE: readonly RecordInput[] = [
  region("upper", "floor", "upper floor"),
  region("attic", "room", "attic", "upper"),
  ...thing("harp", [4, 2.5, 3.6], [0.6, 0.6, 1.2], "attic", ["harp", "brown wardrobe"]),
  ...thing("stool", [4, 2.5, 0.4], [0.4, 0.4, 0.8], "kitchen"),
  ...thing("door", [8, 4.9, 1], [0.9, 0.1, 2], "living"),
  ...thing("front door", [8.5, 0.05, 1], [0.9, 0.1, 2], "living", ["front door"], { openness: "closed" }),
  ...thing("backpack", [8.4, 1, 0.55], [0.3, 0.3, 0.4], "living"),
];

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-standing-"));
  house = await smallHouse(folder);
  await addTo(house, MORE);
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function said(
  expression: string,
  [x, y]: readonly [number, number],
  yawRad: number,
  question = "What is around me?",
) {
  return (await answer(expression, [x, y], yawRad, question)).text;
}

async function answer(
  expression: string,
  [x, y]: readonly [number, number],
  yawRad: number,
  question: string,
) {
  return ask(question, {
    reader: await house.engine.reader(),
    embedder: house.embedder,
    nowUs: NOW_US,
    agentId: "robot",
    pose: { position: { x, y, z: 1.5 }, yawRad },
    navigate: false,
    read: async () => [{ parts: [scan(expression)], p: 1, cost: 0, notes: [] }],
  });
}

it("has not looked behind a closed door that leads to no known room", async () => {
  const behind = (door: string) =>
    `name(relate(things(), the(things(category: "${door}")), relation: "behind"))`;
  expect(await said(behind("front door"), [8, 2.5], 0)).toBe("I have not looked behind the front door.");
  expect(await said(behind("harp"), [8, 2.5], 0)).not.toMatch(/not looked behind/);
});

it("sees nothing of what stands on another storey", async () => {
  const seen = (category: string) =>
    said(
      `exists(relate(things(category: "${category}"), self(), relation: "front"))`,
      [2.5, 2.5],
      0,
      "What is in front of you?",
    );
  expect(await seen("stool")).toMatch(/^yes/);
  expect(await seen("harp")).toMatch(/^no/);
});

it("tells a storey by the words that it is offered", async () => {
  const floor = (category: string) =>
    said(`name(floor(the(things(category: "${category}"))), among: ["upstairs", "downstairs"])`, [8, 2.5], 0);
  expect(await floor("harp")).toBe("upstairs");
  expect(await floor("stool")).toBe("downstairs");
  const short = `name(floor(the(things(category: "stool"))), among: ["up", "down"])`;
  expect(await said(short, [8, 2.5], 0)).toBe("downstairs");
});

it("asks back where nothing is called so and one thing was once taken for it", async () => {
  const where = await answer(`place(the(things(category: "wardrobe")))`, [8, 2.5], 0, "Where is it?");
  expect(where.text).toMatch(/^If you mean the harp: /);
  expect(where.confidence).toBeLessThanOrEqual(0.5);
  expect(await said(`exists(things(category: "wardrobe"))`, [8, 2.5], 0)).toMatch(/^no/);
  const pink = `place(the(things(category: "wardrobe", colour: "pink")))`;
  expect(await said(pink, [8, 2.5], 0)).toMatch(/^I have not seen a wardrobe/);
});

it("says on which side what is in the same room lies, and takes a door for the exit", async () => {
  expect(await said(`route(the(things(category: "exit")))`, [8, 2.5], 0)).toMatch(
    /door is in the living room, where you start, to your left/,
  );
  expect(await said(`route(the(things(category: "exit")))`, [8, 2.5], Math.PI)).toMatch(/to your right/);
  expect(await said(`route(the(things(category: "bed")))`, [8, 2.5], 0)).not.toMatch(/to your|of you/);
});

it("takes what rests on the cushions to be on the sofa, though it stands by nothing itself", async () => {
  expect(
    await said(`name(relate(things(), the(things(category: "sofa")), relation: "on"))`, [8, 2.5], 0),
  ).toBe("backpack");
  const behind = `name(relate(relate(things(), things(category: "sofa"), relation: "on"), self(), relation: "behind"))`;
  expect(await said(behind, [8, 2.5], Math.PI / 2)).toMatch(/^backpack/);
});

function region(id: string, type: "floor" | "room", name: string, parent?: string): RecordInput {
  const corner = (x: number, y: number) => ({ x, y, z: 3 });
  return {
    kind: "region",
    id,
    type,
    level: type === "floor" ? 3 : 2,
    name,
    text: [name],
    validFromUs: NOW_US - 600_000_000,
    validToUs: null,
    coverage: 1,
    ...(parent !== undefined && { parent }),
    anchor: { submap: "world", p: corner(2.5, 2.5) },
    hull: [corner(0, 0), corner(5, 0), corner(5, 5), corner(0, 5)],
  };
}

function thing(
  category: string,
  [x, y, z]: readonly [number, number, number],
  [width, depth, height]: readonly [number, number, number],
  regionId: string,
  text: string[] = [category],
  states: Readonly<Record<string, string>> = {},
): RecordInput[] {
  const seen = { p: 0.95, support: 10, lastUs: NOW_US };
  const common = { name: category, category, validFromUs: NOW_US - 500_000_000, validToUs: null };
  return [
    { ...common, kind: "track", id: `track-${category.replaceAll(" ", "-")}`, type: "object" },
    {
      ...common,
      kind: "state",
      id: category.replaceAll(" ", "-"),
      trackId: `track-${category.replaceAll(" ", "-")}`,
      author: "robot",
      text,
      anchor: { submap: "world", p: { x, y, z } },
      extent: { x: width, y: depth, z: height },
      attributes: Object.fromEntries(
        Object.entries({ colour: "brown", ...states }).map(([name, value]) => [name, { value, ...seen }]),
      ),
      regionId,
    },
  ];
}
