import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import type { RecordInput, SightingInput } from "../../schema/core.ts";
import { say } from "../say/say.ts";
import { CONTEXT } from "../testing/made-values.ts";
import { NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";

const S = 1_000_000;
const START_US = NOW_US - 300 * S;
let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

interface Seen {
  readonly category: string;
  readonly label?: string;
  readonly colour?: string;
  readonly at: { readonly x: number; readonly y: number; readonly z: number };
  /** Seconds after the start at which it was seen. */
  readonly seenS: readonly number[];
}

/** A rack of four bays and three levels, and a pallet from which two of the boxes were carried while no robot looked. */
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-carried-"));
  house = await smallHouse(folder);
  const boards = [1, 2, 3, 4].flatMap((bay) =>
    [1, 2, 3].map((level): Seen => {
      const at = { ...middleOf(bay, level), z: 0.1 + 0.8 * (level - 1) };
      return { category: "shelf", label: `K-0${bay}-${level}`, at, seenS: [5, 200] };
    }),
  );
  const seen: Seen[] = [
    ...boards,
    { category: "pallet", at: { x: 60, y: 60, z: 0.07 }, seenS: [10, 11, 12] },
    { category: "box", label: "ZX-100", colour: "grey", at: { x: 59.7, y: 60, z: 0.3 }, seenS: [10, 11, 12] },
    {
      category: "box",
      label: "ZX-100",
      colour: "brown",
      at: { x: 60.3, y: 60, z: 0.3 },
      seenS: [10, 11, 12],
    },
    { category: "box", label: "ZX-100", colour: "grey", at: middleOf(2, 1), seenS: [200, 201, 202] },
    // Twins on a pallet: which of them was put away is open.
    { category: "box", label: "TW-200", colour: "beige", at: { x: 59.7, y: 60.6, z: 0.3 }, seenS: [10, 11] },
    { category: "box", label: "TW-200", colour: "beige", at: { x: 60.3, y: 60.6, z: 0.3 }, seenS: [10, 11] },
    { category: "box", label: "TW-200", colour: "beige", at: middleOf(4, 1), seenS: [200, 201] },
    // Two of one kind far apart, each seen on its own: they were there all the time.
    { category: "box", label: "ST-300", colour: "grey", at: middleOf(1, 2), seenS: [20, 21] },
    { category: "box", label: "ST-300", colour: "grey", at: middleOf(3, 3), seenS: [200, 201] },
  ];
  const writer = await house.engine.writer();
  await writer.write({ records: seen.flatMap(recordsOf), sightings: seen.flatMap(sightingsOf) });
});
afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

function middleOf(bay: number, level: number) {
  return { x: 50 + (bay % 2 === 0 ? 3.7 : 0), y: 50 + 1.3 * Math.ceil(bay / 2), z: 0.4 + 0.8 * (level - 1) };
}

function idOf({ category, label, at }: Seen): string {
  return `${category}-${label ?? "none"}-${at.x}-${at.y}-${at.z.toFixed(1)}`.replaceAll(".", "_");
}

function recordsOf(seen: Seen): RecordInput[] {
  const { category, label, colour, at, seenS } = seen;
  const name = [colour, label === undefined ? category : `${category} that says “${label}”`]
    .filter((word) => word !== undefined)
    .join(" ");
  const common = { name, category, validFromUs: START_US + seenS[0]! * S, validToUs: null };
  const said = colour === undefined ? {} : { colour: { value: colour, p: 1, support: 3, lastUs: NOW_US } };
  return [
    { kind: "track", id: `track-${idOf(seen)}`, type: "object", ...common },
    {
      kind: "state",
      id: idOf(seen),
      trackId: `track-${idOf(seen)}`,
      author: "robot",
      text: [name],
      anchor: { submap: "world", p: at },
      extent: category === "box" ? { x: 0.4, y: 0.4, z: 0.4 } : { x: 0.9, y: 1.2, z: 0.14 },
      attributes: said,
      ...common,
    },
  ];
}

function sightingsOf(seen: Seen): SightingInput[] {
  return seen.seenS.map((second) => ({
    stateId: idOf(seen),
    timeUs: START_US + second * S,
    outcome: "seen",
    agentId: "robot",
  }));
}

async function answer(expression: string): Promise<string> {
  const { engine, embedder } = house;
  const memory = new Belief({ reader: await engine.reader(), nowUs: NOW_US, embedder });
  const asked = scan(expression);
  const value = await evaluate(asked, { memory, broadened: 0, question: expression });
  return (await say(asked, value, CONTEXT)).text;
}

const GREY = 'the(things(category: "box", colour: "grey", text: "ZX-100"))';

test("a box that was carried from a pallet into a rack is one box, in its slot", async () => {
  expect(await answer(`count(things(category: "box", text: "ZX-100"))`)).toBe("2 boxes");
  expect(await answer(`place(${GREY})`)).toContain("K-02-1");
  expect(
    await answer(
      `count(relate(things(category: "box", text: "ZX-100"), the(things(category: "pallet")), relation: "on"))`,
    ),
  ).toBe("1 box");
});

test("where it stood before is known, and when it was moved as far as it was seen", async () => {
  const moved = `when(changes(${GREY}, kinds: ["moved"]), which: "last")`;
  expect(await answer(`at(place(${GREY}), before(${moved}))`)).toContain("pallet");
  expect(await answer(`exists(changes(${GREY}, kinds: ["moved"]))`)).toMatch(/^yes/);
});

test("of twins none is taken for the one that was put away, and stock in two bays was not moved", async () => {
  expect(await answer(`count(things(category: "box", text: "TW-200"))`)).toBe("3 boxes");
  expect(await answer(`count(things(category: "box", text: "ST-300"))`)).toBe("2 boxes");
});

test("a slot was filled by the box that came into it", async () => {
  const changed = (kind: string) =>
    answer(`name(affected(changes(things(category: "slot"), kinds: ["${kind}"])))`);
  expect(await changed("filled")).toBe("K-02-1");
  expect(await changed("emptied")).toBe("nothing that I noticed");
});
