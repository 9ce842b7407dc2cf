import { describe, expect, it } from "vitest";
import { boxFromCentre, centreOf, extentOf, scale, vec3 } from "../geometry/index.ts";
import type { LiftedDetection } from "../schema/core.ts";
import { RULE_ADJUDICATOR } from "./adjudicator.ts";
import { type Candidate, proposals } from "./association.ts";
import { DEFAULT_SETTINGS } from "./settings.ts";
import type { PlacedSolid } from "./shape.ts";
import { SpatialHash } from "./spatial-hash.ts";
import { Thing } from "./thing.ts";
import { BACKGROUND, vectorOf } from "./toy-room.ts";

type Three = readonly [number, number, number];

function detectionOf(category: string): LiftedDetection {
  const vector = vectorOf(category);
  const words = { category, phrase: category, attributes: {}, vector, categoryVector: vector };
  return words as unknown as LiftedDetection;
}

function known(category: string, centre: Three, extent: Three, calledBefore: string): Thing {
  const worldBox = boxFromCentre(vec3(...centre), vec3(...extent));
  const thing = new Thing({
    stateId: `state-${category}`,
    trackId: `track-${category}`,
    labels: [],
    author: "robot",
    worldBox,
    timeUs: 0,
  });
  thing.words.add(detectionOf(category), 1);
  thing.words.add(detectionOf(calledBefore), 0.1);
  thing.detections = 5;
  return thing;
}

function candidate(category: string, centre: Three, extent: Three): Candidate {
  const box = boxFromCentre(vec3(...centre), vec3(...extent));
  const solid = { box, centroid: centreOf(box), half: scale(extentOf(box), 0.5), sdM: 0.01, pixelM: 0.01 };
  return { index: 0, detection: detectionOf(category), solid: solid as unknown as PlacedSolid };
}

describe("proposals", () => {
  const IRON = known("iron", [0, 0, 0.95], [0.3, 0.4, 0.15], "board");
  const things = new SpatialHash<Thing>(1);
  things.add(IRON);
  const context = {
    things,
    settings: DEFAULT_SETTINGS,
    background: BACKGROUND,
    adjudicator: RULE_ADJUDICATOR,
    isAligned: true,
    mayMatch: () => true,
  };
  const found = (one: Candidate) => proposals(one, 0, context).map(({ thing }) => thing);

  it("takes no look for a thing of another name on it, even one it was called once", () => {
    expect(found(candidate("board", [0, 0, 0.5], [0.4, 1.2, 1]))).toEqual([]);
    expect(found(candidate("iron", [0, 0, 0.5], [0.4, 1.2, 1]))).toEqual([IRON]);
  });

  it("takes a look of its own size for a thing misnamed", () => {
    expect(found(candidate("board", [0, 0, 0.95], [0.3, 0.35, 0.15]))).toEqual([IRON]);
  });
});
