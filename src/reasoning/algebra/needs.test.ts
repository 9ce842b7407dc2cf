import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import type { RecordInput } from "../../schema/index.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";
import type { Value } from "./value.ts";

/**
 * A door in the wall between the kitchen and the living room, and one that leads to the bedroom; a fan of unknown power
 * state, and an air conditioner that is off.
 */
const MORE: readonly RecordInput[] = [
  thing("door-1", "door", [5.5, 1, 1]),
  thing("door-2", "door", [10.5, 4, 1]),
  thing("fan", "fan", [8, 1, 1]),
  thing("air-conditioner", "air conditioner", [8, 2, 1], "off"),
];

function thing(
  id: string,
  category: string,
  [x, y, z]: readonly [number, number, number],
  power?: string,
): RecordInput {
  const lastUs = NOW_US - 500_000_000;
  return {
    kind: "state",
    id,
    trackId: `track-${id}`,
    author: "robot",
    name: category,
    category,
    text: [category],
    validFromUs: NOW_US - 500_000_000,
    validToUs: null,
    anchor: { submap: "world", p: { x, y, z } },
    extent: { x: 0.1, y: 0.9, z: 2 },
    attributes: power === undefined ? {} : { power: { value: power, p: 0.9, support: 3, lastUs } },
  };
}

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-needs-"));
  house = await smallHouse(folder);
  const writer = await house.engine.writer();
  const names = MORE.map((record) => (record.kind === "state" ? record.category : ""));
  const tracks = MORE.map(({ id, validFromUs }, n) => ({
    kind: "track" as const,
    id: `track-${id}`,
    type: "object" as const,
    name: names[n]!,
    category: names[n]!,
    validFromUs,
    validToUs: null,
  }));
  const texts = [...new Set(names)];
  const vectors = await house.embedder.embed(texts);
  await writer.write({
    records: [...tracks, ...MORE],
    vectors: texts.map((text, n) => ({ text, vector: vectors[n]! })),
  });
  await writer.close();
});

afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function carriedOut(text: string): Promise<Value> {
  const memory = new Belief({
    reader: await house.engine.reader(),
    embedder: house.embedder,
    nowUs: NOW_US,
  });
  const pose = await memory.poseAt(NOW_US - 2_000_000, "robot");
  return evaluate(scan(text), { memory, agentId: "robot", pose, broadened: 0, question: text });
}

/** A value on one line, for comparison. */
function said(value: Value): string {
  switch (value.kind) {
    case "things":
      return value.things.map(({ category }) => category).join(", ");
    case "rooms":
      return value.rooms.map(({ name }) => name).join(", ");
    case "words":
      return value.items
        .map(({ words, thing }) => `${words}${thing ? ` [${thing.category}]` : ""}`)
        .join(" ");
    case "truth":
      return String(value.truth);
    case "number":
      return `${value.value} ${value.unit}`;
    case "route":
      return `${value.rooms.map(({ name }) => name).join(" > ")} by ${value.doors.length} doors, ${value.lengthM.toFixed(1)} m`;
    case "unknown":
      return `unknown: ${value.reason}`;
    default:
      return value.kind;
  }
}

describe("what serves a need", () => {
  test.each([
    ['serves(purpose: "watch television")', /^television/],
    ['serves(purpose: "take a nap")', /^bed/],
    ['serves(house(), purpose: "get some rest")', /^bed/],
    ['serves(rooms(name: "living room"), purpose: "sleep")', /^sofa/],
    ['serves(purpose: "a cosy place", room: true)', /^(?:bedroom|living room)/],
    ['serves(purpose: "cook dinner", room: true)', /^kitchen/],
    ['serves(purpose: "fly to the moon")', /^unknown: never-seen/],
    ['action(purpose: "It is cold in here.")', /^turn on \[radiator\]$/],
    ['action(purpose: "I am sweating.")', /^turn on \[fan\]$/],
    ['action(purpose: "I want to see the news.")', /^turn on \[television\]$/],
    ['place(serves(purpose: "keep milk cold"))', /^the fridge in the kitchen.* \[fridge\]$/],
  ])("%s", async (expression, expected) => {
    expect(said(await carriedOut(expression))).toMatch(expected);
  });

  test("company is people and no room", async () => {
    expect(said(await carriedOut('serves(purpose: "I want to talk to somebody", room: true)'))).toBe(
      "person",
    );
  });

  test("what takes no rooms says so in one line", async () => {
    const value = await carriedOut(
      'is(serves(purpose: "cook dinner", room: true), attribute: "colour", value: "red")',
    );
    expect(value).toMatchObject({ kind: "unknown", reason: "not-understood" });
  });
});

describe("room that is left", () => {
  test("at a table people sit on the chairs around it that are free", async () => {
    const value = await carriedOut('capacity(the(things(category: "table")), verb: "sit")');
    expect(said(value)).toBe("1 things");
    expect(value.evidence.map(({ why }) => why)).toEqual([expect.stringContaining("chair")]);
  });

  test.each([
    ['capacity(house(), verb: "sit")', "3 things"],
    ['capacity(rooms(name: "kitchen"), verb: "sit")', "1 things"],
    ['capacity(house(), verb: "sleep")', "2 things"],
    ['capacity(the(things(category: "sofa")), verb: "sit")', "2 things"],
    ['fits(the(things(category: "table")), the(things(category: "vase")))', "true"],
    ['fits(the(things(category: "table")), the(things(category: "bed")))', "false"],
    ['fits(the(things(category: "fridge")), the(things(category: "bowl")), relation: "in")', "true"],
    ['fits(the(things(category: "fridge")), the(things(category: "sofa")), relation: "in")', "false"],
    ['fits(things(category: "door"), the(things(category: "sofa")), relation: "through")', "true"],
    ['fits(rooms(name: "bedroom"), the(things(category: "sofa")))', "true"],
    ['fits(rooms(name: "living room"), the(things(category: "piano")))', "unknown: never-seen"],
  ])("%s: %s", async (expression, expected) => {
    expect(said(await carriedOut(expression))).toBe(expected);
  });

  test("fewer large things than small ones", async () => {
    const bowls = await carriedOut('capacity(the(things(category: "table")), the(things(category: "bowl")))');
    const mugs = await carriedOut('capacity(the(things(category: "table")), the(things(category: "mug")))');
    if (bowls.kind !== "number" || mugs.kind !== "number") throw new Error("expected numbers");
    expect(mugs.value).toBeGreaterThan(bowls.value);
    expect(bowls.value).toBeGreaterThan(0);
  });
});

describe("ways", () => {
  test.each([
    [
      'route(rooms(name: "kitchen"), rooms(name: "bedroom"))',
      /^kitchen > living room > bedroom by 2 doors, 12\.\d m$/,
    ],
    ['route(the(things(category: "bed")))', /^living room > bedroom by 1 doors, /],
    ['route(the(things(category: "sofa")))', /^living room by 0 doors, 1\.5 m$/],
    ['neighbours(rooms(name: "living room"))', /^bedroom, kitchen$|^kitchen, bedroom$/],
    ['neighbours(rooms(name: "bedroom"))', /^living room$/],
    ['reachable(the(things(category: "mug")))', /^true$/],
    ['route(things(category: "piano"))', /^unknown: /],
  ])("%s", async (expression, expected) => {
    expect(said(await carriedOut(expression))).toMatch(expected);
  });
});

describe("descriptions", () => {
  test("the whole names every room once, a room what it holds, a thing how it looks and where it is", async () => {
    const whole = said(await carriedOut("describe()"));
    for (const name of ["kitchen", "living room", "bedroom"]) expect(whole).toContain(`The ${name} has`);
    expect(said(await carriedOut('describe(rooms(name: "bedroom"))'))).toBe(
      "The bedroom has a bed, a door and a vase.",
    );
    expect(said(await carriedOut('describe(the(things(category: "box")))'))).toMatch(
      /^A brown cardboard moving box in the kitchen, 50 × 40 cm and 40 cm high, full, that says “BOOKS”\./,
    );
    expect(said(await carriedOut('describe(house(), about: "storage")'))).toContain("bookcase");
  });

  test.each([
    ['place(belongs(the(things(category: "mug"))))', "on the dining table in the kitchen [mug]"],
    ['place(belongs(things(category: "pillow")))', "in the bedroom"],
    ['belongs(things(category: "toothbrush"))', "unknown: never-seen"],
    ['refuse(reason: "cannot-act")', "unknown: cannot-act"],
    ['parity(count(things(category: "chair")))', "even"],
  ])("%s: %s", async (expression, expected) => {
    expect(said(await carriedOut(expression))).toBe(expected);
  });
});
