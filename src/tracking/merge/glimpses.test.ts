import { describe, expect, test } from "vitest";
import { vec3 } from "../../geometry/index.ts";
import { KnownScene } from "../testing/known-scene.ts";
import { confirmAcross, type Glimpse } from "./glimpses.ts";

const WORLD = { p: vec3(0, 0, 0), q: { w: 1, x: 0, y: 0, z: 0 } };

function glimpse(id: string, category: string, x: number, options: Partial<Glimpse> = {}): Glimpse {
  const ofSecond = id.startsWith("b");
  return {
    ofSecond,
    category,
    extent: vec3(0.3, 0.3, 0.3),
    worldFromSubmap: WORLD,
    timeUs: ofSecond ? 9_000_000 : 1_000_000,
    agentId: ofSecond ? "robot-2" : "robot-1",
    observationId: `obs-${id}`,
    detectionId: `det-${id}`,
    labels: [],
    submap: "world",
    positionInSubmap: vec3(x, 0, 1),
    ...options,
  };
}

function believed(known: KnownScene, ...glimpses: Glimpse[]): string[] {
  const before = new Set(known.scene.things.values());
  confirmAcross(known.scene, glimpses, known.journal);
  return [...known.scene.things.values()]
    .filter((thing) => !before.has(thing))
    .map(({ words }) => words.category);
}

describe("what two robots glimpsed", () => {
  test("once each is believed where both call it the same in one place", () => {
    const known = new KnownScene();
    expect(believed(known, glimpse("a", "bowl", 0), glimpse("b", "bowl", 0.2))).toEqual(["bowl"]);
    const [thing] = known.scene.things.values();
    expect(thing).toMatchObject({ isConfirmed: true, author: "robot-1" });
    expect(thing!.evidence).toMatchObject({
      detections: 2,
      firstSeenUs: 1_000_000,
      lastSeenUs: 9_000_000,
    });
    expect(known.journal.sightings.map(({ detectionId }) => detectionId)).toEqual(["det-a", "det-b"]);
  });

  test("is not believed on one robot's word, under two names, or apart", () => {
    expect(believed(new KnownScene(), glimpse("a", "bowl", 0), glimpse("a2", "bowl", 0.1))).toEqual([]);
    expect(believed(new KnownScene(), glimpse("a", "bowl", 0), glimpse("b", "mug", 0.1))).toEqual([]);
    expect(believed(new KnownScene(), glimpse("a", "bowl", 0), glimpse("b", "bowl", 2))).toEqual([]);
  });

  test("is not told by evidence that other people may see", () => {
    const other = glimpse("b", "bowl", 0.1, { labels: ["private"] });
    expect(believed(new KnownScene(), glimpse("a", "bowl", 0), other)).toEqual([]);
  });

  test("is nothing new where something known stands, or a larger one of its kind is right beside it", () => {
    const [a, b] = [glimpse("a", "bowl", 0), glimpse("b", "bowl", 0.1)];
    const misnamed = new KnownScene();
    misnamed.thing("a1", "vase", [0, 0, 1], [0.4, 0.4, 0.4]);
    expect(believed(misnamed, a, b)).toEqual([]);
    const piece = new KnownScene();
    piece.thing("a1", "bowl", [0.8, 0, 1], [1.2, 0.6, 0.6]);
    expect(believed(piece, a, b)).toEqual([]);
    const beside = new KnownScene();
    beside.thing("a1", "bowl", [0.6, 0, 1], [0.3, 0.3, 0.3]);
    expect(believed(beside, a, b)).toEqual(["bowl"]);
  });

  test("walks about and is not there: people and pets are left out", () => {
    expect(believed(new KnownScene(), glimpse("a", "person", 0), glimpse("b", "person", 0.1))).toEqual([]);
  });
});
