import { describe, expect, it } from "vitest";
import { type Box, boxFromCentre, vec3 } from "../geometry/index.ts";
import type { LiftedDetection } from "../schema/core.ts";
import { RULE_ADJUDICATOR } from "./adjudicator.ts";
import type { Candidate } from "./association.ts";
import type { AlignedFrame } from "./frame.ts";
import { isFragment } from "./observing.ts";
import { Scene } from "./scene.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import { Thing } from "./thing.ts";
import { BACKGROUND } from "./toy-room.ts";

/** Two looks of one frame, the first of them matched with a chair whose box holds both. */
function fragment(first: Box, second: Box, leftPx: number): boolean {
  const scene = new Scene({
    sceneId: "toy",
    settings: DEFAULT_SETTINGS,
    background: BACKGROUND,
    adjudicator: RULE_ADJUDICATOR,
  });
  const chair = new Thing({
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
  return isFragment(scene, looks[1]!, frame, new Set([chair]));
}

describe("isFragment", () => {
  const left = boxFromCentre(vec3(0, 0, 0.5), vec3(0.4, 0.4, 0.8));
  const next = boxFromCentre(vec3(0, 0.45, 0.5), vec3(0.4, 0.4, 0.8));

  it("takes what touches another look at a thing for a piece of it", () => {
    expect(fragment(left, next, 21)).toBe(true);
  });

  it("takes what has something between it and the other look for another thing", () => {
    expect(fragment(left, next, 40)).toBe(false);
    const behind = boxFromCentre(vec3(0, 0.7, 0.5), vec3(0.4, 0.1, 0.8));
    expect(fragment(left, behind, 21)).toBe(false);
  });
});
