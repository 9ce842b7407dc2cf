import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import type { RecordInput } from "../../schema/index.ts";
import { listingOf } from "../listings.ts";
import { say } from "../say/say.ts";
import { CONTEXT } from "../testing/made-values.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

/**
 * One aisle of two bays on either side and three levels, far from the house; cartons in some of its slots, two on a
 * pallet.
 */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-slots-"));
  house = await smallHouse(folder);
  const writer = await house.engine.writer();
  const boards = [1, 2, 3, 4].flatMap((bay) =>
    [1, 2, 3].flatMap((level) => {
      const at = { ...middleOf(bay, level), z: 0.1 + 0.8 * (level - 1) };
      return thing("shelf", `K-0${bay}-${level}`, at, { x: 0.9, y: 1.2, z: 0.14 });
    }),
  );
  const carton = (code: string, bay: number, level: number) =>
    thing("box", code, middleOf(bay, level), { x: 0.4, y: 0.4, z: 0.4 });
  await writer.write({
    records: [
      aisle("aisle-k", "aisle", [50, 53]),
      aisle("aisle-m", "storage", [53, 60]),
      ...boards,
      ...carton("AB-101", 1, 1),
      ...carton("AB-202", 1, 2),
      ...carton("AB-303", 2, 1),
      ...carton("AB-404", 3, 1),
      // The map drew the next aisle over this side of the rack.
      ...carton("DN-623", 4, 3).map((one) => (one.kind === "state" ? { ...one, regionId: "aisle-m" } : one)),
      ...thing("pallet", undefined, { x: 60, y: 60, z: 0.07 }, { x: 0.8, y: 1.1, z: 0.14 }),
      ...thing("box", "HE-623", { x: 59.8, y: 60.2, z: 0.35 }, { x: 0.4, y: 0.4, z: 0.4 }),
      ...thing("box", "LX-620", { x: 60.5, y: 60.2, z: 0.35 }, { x: 0.4, y: 0.4, z: 0.4 }),
      ...thing("person", undefined, { x: 60, y: 60.9, z: 2.8 }, { x: 1.9, y: 0.1, z: 0.4 }),
    ],
  });
});
afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

/** A strip of floor between two racks. */
function aisle(id: string, name: string, [from, to]: readonly [number, number]): RecordInput {
  const corners = [
    [from, 50],
    [to, 50],
    [to, 54],
    [from, 54],
  ] as const;
  return {
    kind: "region",
    id,
    type: "room",
    level: 2,
    name,
    text: [name],
    validFromUs: NOW_US - 1_000_000,
    validToUs: null,
    coverage: 1,
    anchor: { submap: "world", p: { x: (from + to) / 2, y: 52, z: 0 } },
    hull: corners.map(([x, y]) => ({ x, y, z: 0 })),
  };
}

function middleOf(bay: number, level: number) {
  return { x: 50 + (bay % 2 === 0 ? 3.7 : 0), y: 50 + 1.3 * Math.ceil(bay / 2), z: 0.4 + 0.8 * (level - 1) };
}

function thing(
  category: string,
  label: string | undefined,
  p: { x: number; y: number; z: number },
  extent: { x: number; y: number; z: number },
): RecordInput[] {
  const id = `${category}-${label ?? "unread"}`;
  const name = label === undefined ? category : `${category} that says “${label}”`;
  const common = { name, category, validFromUs: NOW_US - 1_000_000, validToUs: null };
  return [
    { kind: "track", id: `track-${id}`, type: "object", ...common },
    {
      kind: "state",
      id,
      trackId: `track-${id}`,
      author: "robot",
      text: [name],
      anchor: { submap: "world", p },
      extent,
      attributes: {},
      ...common,
    },
  ];
}

async function rowsOf(what: "things" | "rooms") {
  const { engine, embedder } = house;
  const memory = new Belief({ reader: await engine.reader(), nowUs: NOW_US, embedder });
  return (await listingOf({ what }, { memory, broadened: 0, question: "" })).rows;
}

async function answerTo(expression: string): Promise<string> {
  const memory = new Belief({
    reader: await house.engine.reader(),
    nowUs: NOW_US,
    embedder: house.embedder,
  });
  const asked = scan(expression);
  const value = await evaluate(asked, { memory, broadened: 0, question: expression });
  return (await say(asked, value, CONTEXT)).text;
}

test("a room that is asked for as a floor is that room", async () => {
  const inside = (op: string) => answerTo(`count(in(things(), ${op}(name: "living room")))`);
  expect(await inside("floors")).toBe(await inside("rooms"));
});

describe("slots", () => {
  test.each([
    ['count(things(category: "slot"))', "12$"],
    ['count(things(category: "slot", fill: "empty"))', "7$"],
    ['name(things(category: "bay", fill: "in part"))', "K-01, K-02, K-03 and K-04"],
    ['name(things(category: "level", fill: "empty", words: ["ground"]))', "K-04-1"],
    [
      'name(relate(things(category: "slot", openness: "open"), called(name: "k-1"), relation: "in"))',
      "K-01-3",
    ],
    ['name(holder(called(name: "ab-202")))', "K-01-2"],
    ['attribute(relate(things(), called(name: "ab-101"), relation: "above"), name: "text")', "“AB-202”"],
    ['attribute(relate(things(), called(name: "ab-101"), relation: "on"), name: "text")', "“AB-202”"],
    ['attribute(relate(things(), called(name: "ab-101"), relation: "opposite"), name: "text")', "“AB-303”"],
    ['attribute(relate(things(), called(name: "k-01-1"), relation: "beside"), name: "text")', "“AB-404”"],
    ['name(relate(things(category: "slot"), called(name: "ab-303"), relation: "above"))', "K-02-2"],
    ['attribute(held(called(name: "k-03-1")), name: "text")', "“AB-404”"],
    ['is(called(name: "k-03-2"), attribute: "fill", value: "empty")', "yes"],
    ['count(relate(things(category: "box"), things(category: "pallet"), relation: "on"))', "2 boxes"],
    ['name(holder(called(name: "lx-620")))', "pallet"],
    ['place(called(name: "dn-623"))', "in K-04-3"],
    ['same(called(name: "ab-101"), called(name: "ab-202"), measure: "bay")', "yes"],
    ['same(called(name: "ab-101"), called(name: "ab-404"), measure: "bay")', "no"],
    ['same(called(name: "ab-101"), called(name: "ab-404"), measure: "level")', "yes"],
    ['same(called(name: "ab-202"), called(name: "ab-404"), measure: "level")', "no"],
    ['count(things(category: "slot", words: ["lvl 2"]))', "4$"],
  ])("%s: %s", async (expression, said) => {
    expect(await answerTo(expression)).toMatch(new RegExp(`^${said}`));
  });

  test("what lies in the racks of an aisle is in it, however the map drew the aisles", async () => {
    expect(await answerTo('place(called(name: "dn-623"))')).toBe("in K-04-3 in aisle K");
    const boxes = 'count(in(things(category: "box"), rooms(name: "aisle K")))';
    expect(await answerTo(boxes)).toMatch(/^5 boxes/);
    const inAisle = (await rowsOf("things")).filter(({ room }) => room === "aisle K").length;
    const things = 'count(in(things(), rooms(name: "aisle K")))';
    expect(await answerTo(things)).toBe(String(inAisle));
    const [counted] = (await rowsOf("rooms")).filter(({ name }) => name === "aisle K");
    expect(counted?.["things"]).toBe(inAisle);
  });

  test("an aisle is clear where nothing was put on its floor, whatever its racks hold", async () => {
    expect(await answerTo('is(rooms(name: "aisle K"), attribute: "occupancy", value: "free")')).toMatch(
      /^yes/,
    );
    expect(await answerTo('is(rooms(name: "storage"), attribute: "fill", value: "empty")')).toMatch(/^yes/);
    expect(await answerTo('is(rooms(name: "living room"), attribute: "occupancy", value: "free")')).toMatch(
      /^no/,
    );
  });

  test("what hangs in the air is nobody", async () => {
    const asked = 'exists(relate(things(category: "person"), called(name: "lx-620"), relation: "near"))';
    expect(await answerTo(asked)).toMatch(/^no/);
  });
});
