import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import type { RecordInput } from "../../schema/index.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";
import type { Value } from "./value.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

/** A numbered shelf with a crate in it. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-called-"));
  house = await smallHouse(folder);
  const writer = await house.engine.writer();
  await writer.write({
    records: [
      ...thing("shelf", "B-03-1", { x: 1, y: 1, z: 1 }, { x: 0.8, y: 0.5, z: 0.1 }),
      ...thing("crate", "KX-482", { x: 1, y: 1, z: 1.2 }, { x: 0.3, y: 0.3, z: 0.3 }),
    ],
  });
});
afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

function thing(
  category: string,
  label: string,
  p: { x: number; y: number; z: number },
  extent: { x: number; y: number; z: number },
): RecordInput[] {
  const id = `${category}-${label}`;
  const name = `${category} that says “${label}”`;
  const common = { name, category, validFromUs: NOW_US - 1_000_000, validToUs: null };
  const place = { author: "robot", text: [name], anchor: { submap: "world", p }, extent, attributes: {} };
  return [
    { kind: "track", id: `track-${id}`, type: "object", ...common },
    { kind: "state", id, trackId: `track-${id}`, ...place, ...common },
  ];
}

async function answerTo(expression: string): Promise<Value> {
  const memory = new Belief({
    reader: await house.engine.reader(),
    nowUs: NOW_US,
    embedder: house.embedder,
  });
  return evaluate(scan(expression), { memory, broadened: 0, question: expression });
}

test("a code is what bears it, a name a place, and what nothing bears is not known", async () => {
  expect(await answerTo('called(name: "b-03-1")')).toMatchObject({ things: [{ category: "shelf" }] });
  expect(await answerTo('called(name: "kitchen")')).toMatchObject({ kind: "rooms" });
  expect(await answerTo('place(called(name: "zz-9"))')).toMatchObject({ kind: "unknown" });
});

test("what an operator does not take is not understood, though only the memory tells what it is", async () => {
  expect(await answerTo('attribute(called(name: "kitchen"), name: "colour")')).toMatchObject({
    kind: "unknown",
    reason: "not-understood",
  });
});

test("a shelf and a room hold what is in them", async () => {
  expect(await answerTo('name(held(called(name: "b-03-1")))')).toMatchObject({
    items: [{ words: expect.stringContaining("KX-482") }],
  });
  expect(await answerTo('held(rooms(name: "kitchen"))')).toEqual(
    await answerTo('in(things(), rooms(name: "kitchen"))'),
  );
});

test("grounds are how often and when something was seen", async () => {
  const value = await answerTo('grounds(place(the(things(category: "sofa"))))');
  expect(value).toMatchObject({ kind: "words" });
  expect(value.kind === "words" && value.items[0]!.words).toMatch(/^I saw the .*sofa.* last at \d\d:\d\d/);
  const never = await answerTo('grounds(place(the(things(category: "piano"))))');
  expect(never.kind === "words" && never.items[0]!.words).toMatch(/piano/);
});

test("one robot of several is asked by its name; another is not known", async () => {
  const sofa = 'things(category: "sofa")';
  expect(await answerTo(`witnesses(${sofa})`)).toMatchObject({ items: [{ words: "robot" }] });
  expect(await answerTo(`count(witnessed(${sofa}, agent: "robot"))`)).toMatchObject({ value: 1 });
  expect(await answerTo(`exists(witnessed(${sofa}, agent: "robot 7"))`)).toMatchObject({ kind: "unknown" });
  const visits = 'room(doings(verb: "visit"))';
  expect(await answerTo(`by(${visits}, agent: "robot")`)).toEqual(await answerTo(visits));
  expect(await answerTo(`by(${visits}, agent: "robot 7")`)).toMatchObject({ kind: "unknown" });
});
