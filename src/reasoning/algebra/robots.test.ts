import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { Belief } from "../../belief/belief.ts";
import { robotCalled } from "../../belief/robots.ts";
import type { RecordInput } from "../../schema/index.ts";
import { withArticle, withThe } from "../say/grammar.ts";
import { addTo, NOW_US, smallHouse } from "../testing/small-house.ts";
import { evaluate } from "./evaluate.ts";
import { scan } from "./notation.ts";
import type { Value } from "./value.ts";

const START_US = NOW_US - 600_000_000;
/** When the second robot sees the television, which was switched off before. */
const SEEN_OFF_US = START_US + 450_000_000;
let folder: string;
let house: Awaited<ReturnType<typeof smallHouse>>;

/** A second robot, which stands in the kitchen all the time and sees the mug last. */
function looks(): RecordInput[] {
  return Array.from({ length: 300 }, (_, n) => ({
    kind: "observation",
    id: `other-look-${n}`,
    author: "robot-2",
    sensorId: "camera",
    validFromUs: START_US + n * 2_000_000,
    validToUs: START_US + n * 2_000_000 + 1,
    anchor: { submap: "world", p: { x: 3, y: 3, z: 1.5 }, q: { w: 1, x: 0, y: 0, z: 0 } },
  }));
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-robots-"));
  house = await smallHouse(folder);
  const mug = { stateId: "mug", outcome: "seen" as const, agentId: "robot-2" };
  await addTo(house, looks(), [
    { ...mug, timeUs: START_US + 550_000_000, observationId: "other-look-275" },
    { ...mug, stateId: "tv", timeUs: SEEN_OFF_US, observationId: "other-look-225" },
  ]);
});
afterAll(async () => {
  await house.engine.close();
  await rm(folder, { recursive: true, force: true });
});

async function memory(): Promise<Belief> {
  return new Belief({ reader: await house.engine.reader(), nowUs: NOW_US, embedder: house.embedder });
}

async function valueFor(expression: string): Promise<Value> {
  return evaluate(scan(expression), { memory: await memory(), broadened: 0, question: expression });
}

async function who(expression: string): Promise<readonly string[]> {
  const value = await valueFor(expression);
  return value.kind === "things" ? value.things.map(({ name }) => name) : [value.kind];
}

describe("which robot", () => {
  test("the robots are members of a set, each asked for itself", async () => {
    expect(await who("robots()")).toEqual(["robot", "robot-2"]);
    const visited = (room: string) =>
      who(`filter(robots(), by(exists(doings(rooms(name: "${room}"), verb: "visit")), it()))`);
    expect(await visited("kitchen")).toEqual(["robot", "robot-2"]);
    expect(await visited("bedroom")).toEqual(["robot"]);
    expect(await who("most(robots(), by(travelled(), it()))")).toEqual(["robot"]);
  });

  test("none of them is an answer, and what none of them knows is said", async () => {
    const inBedroom = 'name(filter(robots(), by(within(self(), rooms(name: "bedroom")), it())))';
    expect(await valueFor(inBedroom)).toMatchObject({
      kind: "words",
      items: [{ words: "neither" }],
    });
    const lastSeen = 'most(robots(), by(seen(the(things(name: "boris")), which: "last"), it()))';
    expect(await valueFor(lastSeen)).toMatchObject({
      kind: "unknown",
      says: expect.stringMatching(/boris/i),
    });
  });

  test("what one robot saw itself is told from what all know", async () => {
    const last = 'most(robots(), by(seen(the(things(category: "mug")), which: "last"), it()))';
    expect(await who(last)).toEqual(["robot-2"]);
    expect(await who('filter(robots(), by(exists(things(category: "bed")), it()))')).toEqual(["robot"]);
    expect(await who('witnessed(things(category: "mug"), agent: "the second robot")')).toEqual([
      "red ceramic mug",
    ]);
  });

  test("where one of them ever saw somebody is told by its own looks", async () => {
    const rooms = ["kitchen", "bedroom", "living room", "hallway", "study"];
    const ever = async (agent: string) => {
      const told = rooms.map((room) =>
        valueFor(
          `by(ever(within(the(things(category: "person")), rooms(name: "${room}"))), agent: "${agent}")`,
        ),
      );
      return (await Promise.all(told)).some((value) => value.kind === "truth" && value.truth);
    };
    expect(await ever("robot")).toBe(true);
    expect(await ever("robot-2")).toBe(false);
  });

  test("a robot notices a change when it looks at the thing again itself", async () => {
    const off = 'changes(the(things(category: "television")), kinds: ["switched-off"])';
    expect(await valueFor(`by(when(${off}, which: "first"), agent: "robot-2")`)).toMatchObject({
      kind: "times",
      spans: [{ fromUs: SEEN_OFF_US }],
    });
  });

  test("a robot ever saw a thing in a state when it looked while the thing was in it", async () => {
    const saw = (power: string) =>
      who(`filter(robots(), by(ever(exists(things(category: "television", power: "${power}"))), it()))`);
    expect(await saw("off")).toContain("robot-2");
    expect(await saw("on")).toEqual(["robot"]);
  });

  test("they were somewhere together when each of them was there at one time", async () => {
    const together = (room: string) =>
      valueFor(`ever(all(robots(), by(within(self(), rooms(name: "${room}")), it())))`);
    expect(await together("kitchen")).toMatchObject({ kind: "truth", truth: true });
    expect(await together("bedroom")).toMatchObject({ kind: "truth", truth: false });
  });

  test("people call them by number, by turn or by name", async () => {
    const known = await memory();
    expect(await robotCalled("robot 2", known)).toBe("robot-2");
    expect(await robotCalled("the second robot", known)).toBe("robot-2");
    expect(await robotCalled("robot-7", known)).toBeUndefined();
    expect(await robotCalled("the other robot", known, "robot")).toBe("robot-2");
    expect(await robotCalled("the other one", known)).toBeUndefined();
  });

  test("what is asked again of another robot is of that one", async () => {
    const own = await valueFor('by(often(stay(rooms(name: "bedroom"))), agent: "robot-2")');
    expect(own).toMatchObject({ kind: "number", value: 0 });
    const again = 'by(by(often(stay(rooms(name: "bedroom"))), agent: "robot"), agent:';
    expect(await valueFor(`${again} "robot-2")`)).toMatchObject({ kind: "number", value: 0 });
    expect(await valueFor(`${again} "the other robot")`)).toMatchObject({ kind: "number", value: 0 });
    expect(await valueFor('by(often(stay(rooms(name: "bedroom"))), agent: "robot")')).not.toMatchObject({
      value: 0,
    });
  });
});

test("a name of a robot takes no article", () => {
  expect([withArticle("robot-2"), withThe("robot-2"), withArticle("robot")]).toEqual([
    "robot-2",
    "robot-2",
    "a robot",
  ]);
});
