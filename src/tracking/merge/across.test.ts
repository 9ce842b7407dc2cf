import { describe, expect, test } from "vitest";
import { close } from "../records/stays.ts";
import { KnownScene } from "../testing/known-scene.ts";
import { mergeAcross } from "./across.ts";
import type { Doubted } from "./doubted.ts";

const SIZE = [0.5, 0.5, 0.9] as const;

/** Observations of the second map's robot: three quarters as informative as others'. */
const DOUBTED: Doubted = {
  map: "second",
  lookNats: 4,
  kinds: 40,
  nats: new Map([
    ["track-b1", new Map([["vase", 9]])],
    ["track-b2", new Map([["vase", 9]])],
    [
      "track-b3",
      new Map([
        ["vase", 3],
        ["mug", 3],
        ["lamp", 3],
      ]),
    ],
  ]),
};

/** Things whose id begins with "b" are of the second map. */
function joined(
  known: KnownScene,
  isSecondDoubted = false,
  framesOf?: ReadonlyMap<string, ReadonlySet<string>>,
): string[] {
  const ofSecond = new Set(
    [...known.scene.things.values()].map(({ stateId }) => stateId).filter((id) => id.startsWith("state-b")),
  );
  mergeAcross(
    known.scene,
    { ofSecond, framesOf, ...(isSecondDoubted && { doubted: DOUBTED }) },
    known.journal,
  );
  return [...known.scene.things.values()].map(({ stateId }) => stateId).sort();
}

describe("things of two maps that were joined", () => {
  test("are one where both have one of a kind in a place, and stay two elsewhere", () => {
    const known = new KnownScene();
    known.thing("a1", "chair", [0, 0, 0.45], SIZE);
    known.thing("b1", "chair", [0.2, 0.1, 0.45], SIZE, { firstUs: 5 });
    known.thing("b2", "chair", [4, 0, 0.45], SIZE, { firstUs: 5 });
    expect(joined(known)).toEqual(["state-a1", "state-b2"]);
  });

  test("are one with what the other robot found to have left since, and gone", () => {
    const left = (lastUs: number, at: readonly [number, number, number] = [0.1, 0, 0.45]) => {
      const known = new KnownScene();
      const was = known.thing("a1", "chair", [0, 0, 0.45], SIZE, { lastUs: 10 });
      close(known.scene, was, 50, known.journal);
      known.thing("b1", "chair", at, SIZE, { firstUs: 20, lastUs, author: "robot-2" });
      return known;
    };
    const missed = left(30);
    expect(joined(missed)).toEqual([]);
    expect(missed.scene.mergedStates.get("state-b1")?.evidence.lastSeenUs).toBe(30);
    // A thing seen after that came back, or is another.
    expect(joined(left(60))).toEqual(["state-b1"]);
    expect(joined(left(30, [3, 0, 0.45]))).toEqual(["state-b1"]);
  });

  test("are one with one where their robot has seen them side by side", () => {
    const known = new KnownScene();
    known.thing("a1", "chair", [0, 0, 0.45], SIZE);
    known.thing("b1", "chair", [0.1, 0, 0.45], SIZE, { firstUs: 5 });
    known.thing("b2", "chair", [0.6, 0, 0.45], SIZE, { firstUs: 5 });
    const frames = new Set(["f1", "f2", "f3", "f4", "f5", "f6", "f7", "f8"]);
    const both = new Map([
      ["state-b1", frames],
      ["state-b2", frames],
    ]);
    expect(joined(known, false, both)).toEqual(["state-a1", "state-b2"]);
  });

  test("that one robot saw in pieces, and never side by side, are what the other saw whole", () => {
    const curtain = () => {
      const known = new KnownScene();
      known.thing("a1", "curtain", [0, 0, 1.5], [2, 0.1, 1.4]);
      known.thing("b1", "curtain", [-0.5, 0, 1.5], [0.8, 0.1, 1.4], { firstUs: 5 });
      known.thing("b2", "curtain", [0.7, 0, 1.5], [0.5, 0.1, 1.4], { firstUs: 5 });
      return known;
    };
    const seen = (...together: string[]) =>
      new Map([
        ["state-b1", new Set(["f1", "f2", ...together])],
        ["state-b2", new Set(["f8", ...together])],
      ]);
    expect(joined(curtain(), false, seen())).toEqual(["state-a1"]);
    expect(joined(curtain(), false, seen("f4", "f5", "f6"))).toEqual(["state-a1", "state-b2"]);
  });

  test("that lie too far from each other for pieces stay two, though the other robot took both for one", () => {
    const doors = (awayM: number) => {
      const known = new KnownScene();
      known.thing("a1", "door", [0, 0, 1], [0.1, 0.8, 2]);
      known.thing("a2", "door", [awayM, 0, 1], [0.1, 0.8, 2], { looks: 8 });
      known.thing("b1", "door", [0.5, 0, 1], [2.2, 2.4, 2.2], { firstUs: 5 });
      return known;
    };
    const looks = (count: number) =>
      new Map(
        ["a1", "a2"].map((id) => [
          `state-${id}`,
          new Set(Array.from({ length: count }, (_, n) => `${id}/${n}`)),
        ]),
      );
    expect(joined(doors(1.55), false, looks(2))).toEqual(["state-a1", "state-a2"]);
    expect(joined(doors(1), false, looks(2))).toEqual(["state-a1"]);
    expect(joined(doors(1), false, looks(4))).toEqual(["state-a1", "state-a2"]);
  });

  test("may differ in colour where they are the only ones of their kind, and not where there are others", () => {
    const alone = new KnownScene();
    alone.thing("a1", "toilet", [0, 0, 0.45], SIZE, { colour: "white" });
    alone.thing("b1", "toilet", [0.35, 0, 0.45], SIZE, { colour: "grey", firstUs: 5 });
    expect(joined(alone)).toEqual(["state-a1"]);
    const beside = new KnownScene();
    beside.thing("a1", "chair", [0, 0, 0.45], SIZE, { colour: "white" });
    beside.thing("a2", "chair", [-0.7, 0, 0.45], SIZE, { colour: "white" });
    beside.thing("b1", "chair", [0.35, 0, 0.45], SIZE, { colour: "grey", firstUs: 5 });
    expect(joined(beside)).toHaveLength(3);
  });

  test("have the box of the map that is said to have the better ones", () => {
    const known = new KnownScene();
    const a = known.thing("a1", "table", [0, 0, 0.4], [1, 1, 0.8]);
    known.thing("b1", "table", [0.1, 0, 0.4], [1.6, 1.6, 0.8], { firstUs: 5 });
    mergeAcross(known.scene, { ofSecond: new Set(["state-b1"]), shapes: "first" }, known.journal);
    expect(a.worldBox.max.x - a.worldBox.min.x).toBeCloseTo(1, 2);
  });

  test("are as the later look says, by one clock", () => {
    const drawn = () => {
      const known = new KnownScene();
      const first = known.thing("a1", "door", [0, 0, 1], [0.9, 0.1, 2]);
      const second = known.thing("b1", "door", [0.05, 0, 1], [0.9, 0.1, 2], { firstUs: 5 });
      first.evidence.fluents.set("open", true, 3, 900);
      // By a clock that is 600 ahead: at 700 by the other.
      second.evidence.fluents.set("open", false, 3, 1_300);
      return { known, first };
    };
    const ofSecond = new Set(["state-b1"]);
    const [off, right] = [drawn(), drawn()];
    mergeAcross(off.known.scene, { ofSecond }, off.known.journal);
    mergeAcross(right.known.scene, { ofSecond, secondAheadUs: 600 }, right.known.journal);
    expect(off.first.evidence.fluents.valueOf("open")).toBe(false);
    expect(right.first.evidence.fluents.valueOf("open")).toBe(true);
  });

  test("of which one was hardly seen are one with what both know in that place", () => {
    const known = new KnownScene();
    known.thing("a1", "wardrobe", [0, 0, 1], [1.2, 0.6, 2]);
    known.thing("b1", "wardrobe", [0.1, 0, 1], [1.2, 0.6, 2], { firstUs: 5 });
    known.thing("b2", "wardrobe", [0.4, 0, 1.2], [0.5, 0.6, 1.2], { firstUs: 5, looks: 2 });
    known.thing("b3", "wardrobe", [2.5, 0, 1], [1.2, 0.6, 2], { firstUs: 5, looks: 2 });
    expect(joined(known)).toEqual(["state-a1", "state-b3"]);
  });

  test("of a robot that is doubted are what stands in their place, whatever it calls them", () => {
    const drawn = () => {
      const known = new KnownScene();
      known.thing("a1", "chair", [0, 0, 0.45], SIZE);
      known.thing("b1", "vase", [0.1, 0, 0.5], [0.2, 0.2, 0.3], { colour: "blue", firstUs: 5, looks: 3 });
      known.thing("b2", "vase", [3, 0, 0.45], SIZE, { firstUs: 5, looks: 3 });
      return known;
    };
    expect(joined(drawn())).toEqual(["state-a1", "state-b1", "state-b2"]);
    expect(joined(drawn(), true)).toEqual(["state-a1", "state-b2"]);
  });

  test("that only a doubted robot saw, and called something else each time, are not believed", () => {
    const known = new KnownScene();
    known.thing("b2", "vase", [3, 0, 0.45], SIZE, { firstUs: 5, looks: 3 });
    const unsure = known.thing("b3", "vase", [6, 0, 0.45], SIZE, { firstUs: 5, looks: 3 });
    expect(joined(known, true)).toEqual(["state-b2"]);
    expect(unsure.identity.endedUs).toBe(unsure.evidence.firstSeenUs + 1);
    expect(joined(known, true)).toEqual(["state-b2"]);
  });

  test("are what the believed robot calls them, though the doubted one called them otherwise more often", () => {
    const drawn = () => {
      const known = new KnownScene();
      known.thing("b1", "mug", [0.02, 0, 0.45], SIZE, { looks: 6 });
      known.thing("a1", "vase", [0, 0, 0.45], SIZE, { firstUs: 5, looks: 4 });
      return known;
    };
    const calls = new Map([
      ["mug", 10],
      ["vase", 9],
    ]);
    const doubted = { ...DOUBTED, nats: new Map([["track-b1", calls]]) };
    const [equal, weighed] = [drawn(), drawn()];
    const ofSecond = new Set(["state-b1"]);
    mergeAcross(equal.scene, { ofSecond }, equal.journal);
    mergeAcross(weighed.scene, { ofSecond, doubted }, weighed.journal);
    expect([...equal.scene.things.values()].map(({ words }) => words.category)).toEqual(["mug"]);
    expect([...weighed.scene.things.values()].map(({ words }) => words.category)).toEqual(["vase"]);
  });
});
