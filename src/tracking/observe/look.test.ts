import { describe, expect, it } from "vitest";
import { type Box, boxFromCentre, vec3 } from "../../geometry/index.ts";
import type { MemoryReader } from "../../memory/index.ts";
import type { LiftedDetection } from "../../schema/core.ts";
import { RULE_ADJUDICATOR } from "../state/adjudicator.ts";
import type { AlignedFrame, Candidate } from "../state/frame.ts";
import { Scene } from "../state/scene.ts";
import { Thing } from "../state/thing.ts";
import { KnownScene } from "../testing/known-scene.ts";
import { BACKGROUND, look, thing } from "../testing/toy-room.ts";
import { Tracker } from "../tracker.ts";
import { confirmGlimpsed, isFragment } from "./look.ts";

/** Two detections of one frame, the first of them matched with a chair whose box holds both. */
function fragment(first: Box, second: Box, leftPx: number, times = 1): boolean {
  const scene = new Scene({
    sceneId: "toy",
    mode: "loci" as const,
    background: BACKGROUND,
    adjudicator: RULE_ADJUDICATOR,
  });
  const chair = new Thing({
    type: "object",
    stateId: "state-chair",
    trackId: "track-chair",
    labels: [],
    author: "robot",
    worldBox: boxFromCentre(vec3(0, 0.25, 0.5), vec3(0.5, 1.1, 1)),
    timeUs: 0,
  });
  const looks = [first, second].map((box, index) => ({
    index,
    solid: { box },
    detection: {
      category: "chair",
      phrase: "chair",
      attributes: {},
      vector: null,
      categoryVector: null,
      bbox: [index * leftPx, 0, index * leftPx + 20, 40],
    } as unknown as LiftedDetection,
  })) as unknown as Candidate[];
  chair.words.add(looks[0]!.detection, 1);
  scene.things.add(chair);
  const frame = {
    candidates: looks,
    matched: [chair, undefined],
    percept: { detections: looks.map(({ detection }) => detection), intrinsics: { width: 160 } },
  } as unknown as AlignedFrame;
  chair.evidence.detections = 10;
  for (let n = 1; n < times; n++) isFragment(scene, looks[1]!, frame, new Set([chair]));
  return isFragment(scene, looks[1]!, frame, new Set([chair]));
}

describe("isFragment", () => {
  const left = boxFromCentre(vec3(0, 0, 0.5), vec3(0.4, 0.4, 0.8));
  const next = boxFromCentre(vec3(0, 0.45, 0.5), vec3(0.4, 0.4, 0.8));

  it("takes what touches another look at a thing for a piece of it", () => {
    expect(fragment(left, next, 21)).toBe(true);
  });

  it("takes what is reported apart again and again for another thing", () => {
    expect(fragment(left, next, 21, 2)).toBe(true);
    expect(fragment(left, next, 21, 3)).toBe(false);
  });

  it("takes what has something between it and the other look for another thing", () => {
    expect(fragment(left, next, 40)).toBe(false);
    const behind = boxFromCentre(vec3(0, 0.7, 0.5), vec3(0.4, 0.1, 0.8));
    expect(fragment(left, behind, 21)).toBe(false);
  });
});

describe("two looks from one place, half a second apart", () => {
  const mug = thing("mug", "mug", [3, 0.2, 0.9], [0.5, 0.5, 0.5], { colour: "red" });
  const known = async (score: number): Promise<number> => {
    const nothing = { search: async () => ({ hits: [] }), get: async () => [], presence: async () => [] };
    const tracker = await Tracker.open(nothing as unknown as MemoryReader, {
      sceneId: "toy",
      background: BACKGROUND,
    });
    let tracks = 0;
    for (const timeS of [0, 0.5]) {
      const step = await tracker.observe(
        look({ timeS, from: vec3(1, 0, 1.6), at: vec3(3, 0, 0.7), things: [mug], score }),
      );
      tracks += step.records.filter(({ kind }) => kind === "track").length;
    }
    return tracks;
  };

  it("make a thing known that shows well", async () => {
    expect(await known(0.9)).toBe(1);
  });

  it("do not where the detector itself doubts what it sees", async () => {
    expect(await known(0.48)).toBe(0);
  });
});

describe("what was seen once, at the end of a recording", () => {
  const nothing = { search: async () => ({ hits: [] }), get: async () => [], presence: async () => [] };
  const eyes = [vec3(1, 0, 1.6), vec3(1, 0.6, 1.6), vec3(1, -0.6, 1.6)];
  const table = thing("table", "table", [3, 0, 0.4], [1.2, 1.6, 0.8], { colour: "brown" });
  /** Three observations of a table; the first also reports another thing, the others do so on request. */
  const known = async (other: ReturnType<typeof thing>, at = vec3(3, 0, 0.7)): Promise<string[]> => {
    const reader = nothing as unknown as MemoryReader;
    const tracker = await Tracker.open(reader, { sceneId: "toy", background: BACKGROUND });
    for (const [n, from] of eyes.entries()) {
      const things = n === 0 ? [table, other] : [table];
      await tracker.observe(look({ timeS: 5 * n, from, at: n === 0 ? vec3(3, 0, 0.7) : at, things }));
    }
    expect([...tracker.things()].map(({ category }) => category)).toEqual(["table"]);
    await tracker.finish(1_020_000_000);
    return [...tracker.things()].map(({ category }) => category).sort();
  };
  const elsewhere = vec3(3, 3, 0.7);

  it("is believed where it is small, was described and was not looked at again", async () => {
    expect(
      await known(thing("mug", "mug", [3, -0.5, 0.9], [0.12, 0.12, 0.2], { colour: "red" }), elsewhere),
    ).toEqual(["mug", "table"]);
  });

  it.each([
    ["it is large", thing("box", "box", [3, -1.4, 0.5], [0.6, 0.6, 1], { colour: "red" })],
    ["nothing was said of it", thing("mug", "mug", [3, -0.5, 0.9], [0.12, 0.12, 0.2])],
    [
      "it may be a part of what is known",
      thing("leg", "stool", [2.4, 0, 0.6], [0.1, 0.2, 0.3], { colour: "brown" }),
    ],
  ])("is not believed where %s", async (_, other) => {
    expect(await known(other, elsewhere)).toEqual(["table"]);
  });

  it("is not believed where looks that should have shown it did not", async () => {
    const bowl = thing("bowl", "bowl", [3, -0.2, 0.95], [0.2, 0.2, 0.25], { colour: "red" });
    expect(await known(bowl)).toEqual(["table"]);
  });
});

describe("a glimpse at the end of a recording", () => {
  /** A red book of paper, well known, and one observation of something in about its place. */
  function glimpsed(colour: string, title: string): boolean {
    const put = new KnownScene();
    const size = [0.05, 0.2, 0.25] as const;
    const known = put.thing("known", "book", [0, 0, 1], size, { colour: "red" });
    const glimpse = put.thing("glimpse", "book", [0.02, 0, 1], size, {
      colour,
      looks: 1,
      isConfirmed: false,
    });
    glimpse.evidence.existence = 2;
    for (const one of [known, glimpse]) one.words.votesOn("material").add("paper", 1);
    known.words.votesOn("title").add("DUNE", 1);
    glimpse.words.votesOn("title").add(title, 1);
    confirmGlimpsed(put.scene, put.journal);
    return glimpse.isConfirmed;
  }

  it("is believed where it differs from what it leans on in more than it shares", () => {
    expect(glimpsed("white", "VOLCANOES")).toBe(true);
  });

  it("is taken for a part of that, or for that misread, where it does not", () => {
    expect(glimpsed("red", "DUNE")).toBe(false);
    expect(glimpsed("white", "DUNE")).toBe(false);
  });
});
