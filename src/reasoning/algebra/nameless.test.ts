import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import type { RecordInput } from "../../schema/index.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";

let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-nameless-"));
  house = await smallHouse(folder);
});
afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function shareOf(expression: string): Promise<number> {
  const memory = new Belief({
    reader: await house.engine.reader(),
    nowUs: NOW_US,
    embedder: house.embedder,
  });
  return (await evaluate(scan(expression), { memory, broadened: 0, question: expression })).complete.share;
}

async function write(records: RecordInput[]): Promise<void> {
  const writer = await house.engine.writer();
  await writer.write({ records });
  await writer.close();
}

/** An unrecognised object on the floor of the kitchen. */
function nameless(n: number): RecordInput[] {
  const common = { name: "grey thing", category: "thing", validFromUs: NOW_US - 1_000_000, validToUs: null };
  return [
    { kind: "track", id: `track-nameless-${n}`, type: "object", ...common },
    {
      kind: "state",
      id: `nameless-${n}`,
      trackId: `track-nameless-${n}`,
      author: "robot",
      text: ["grey thing"],
      anchor: { submap: "world", p: { x: 1 + n / 10, y: 1, z: 0.1 } },
      extent: { x: 0.1, y: 0.1, z: 0.1 },
      attributes: {},
      ...common,
    },
  ];
}

test("what was seen and not recognised may be what is asked for", async () => {
  const asked = 'in(things(category: "piano"), rooms(name: "kitchen"))';
  const everything = 'in(things(), rooms(name: "kitchen"))';
  const before = [await shareOf(asked), await shareOf(everything)];
  await write(Array.from({ length: 10 }, (_, n) => nameless(n)).flat());
  const after = [await shareOf(asked), await shareOf(everything)];
  expect(before).toEqual([1, 1]);
  expect(after[0]).toBeLessThan(0.7);
  expect(after[1]).toBe(1);
});

test("what only may be the shelf says nothing sure of what is on it", async () => {
  const [track, state] = nameless(77);
  const maybe = [{ category: "bathtub", p: 0.3 }];
  await write([track!, { ...state, text: ["grey thing", "bathtub?"], maybe } as RecordInput]);
  const asked = 'relate(things(), the(things(category: "bathtub")), relation: "on")';
  expect(await shareOf(asked)).toBeLessThan(0.7);
  const named = { category: "bathtub", name: "bathtub" };
  await write([track!, state!].map((record) => ({ ...record, ...named }) as RecordInput));
  expect(await shareOf(asked)).toBe(1);
});

async function given(expression: string) {
  const memory = new Belief({
    reader: await house.engine.reader(),
    nowUs: NOW_US,
    embedder: house.embedder,
  });
  return evaluate(scan(expression), { memory, broadened: 0, question: expression });
}

test("of so many, those that may be such are meant too; of fewer that are known what they are is told", async () => {
  const cup = (n: number, colour: string, more: object) =>
    nameless(n).map((record) => ({
      ...record,
      ...(record.kind === "state" && {
        text: ["cup"],
        attributes: { colour: { value: colour, p: 0.9, support: 9, lastUs: NOW_US } },
      }),
      ...more,
    })) as RecordInput[];
  const named = { category: "toothbrush cup", name: "toothbrush cup", text: ["toothbrush cup"] };
  const other = { category: "soap dispenser", name: "soap dispenser" };
  const [track, state] = cup(82, "white", { ...other, text: ["soap dispenser", "toothbrush cup?"] });
  const maybe = [{ category: "toothbrush cup", p: 0.4 }];
  await write([...cup(81, "yellow", named), track!, { ...state, maybe } as RecordInput]);
  const cups = 'things(category: "toothbrush cup")';
  const coloursOf = async (expression: string) => {
    const value = await given(`attribute(${expression}, name: "colour")`);
    return value.kind === "words" ? [value.fewer, ...value.items.map(({ words }) => words)] : value;
  };
  expect(await coloursOf(cups)).toEqual([undefined, "yellow"]);
  expect(await coloursOf(`the(${cups}, number: 2)`)).toEqual([undefined, "yellow", "white"]);
  expect(await coloursOf(`the(${cups}, number: 3)`)).toEqual([
    "I know of only 2 toothbrush cups",
    "yellow",
    "white",
  ]);
  expect(await given(`the(${cups}, number: 3)`)).toMatchObject({
    kind: "unknown",
    reason: "false-premise",
  });
});
