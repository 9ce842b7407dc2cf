import { describe, expect, it } from "vitest";
import { boxFromCentre, centreOf, extentOf, scale, vec3 } from "../../geometry/index.ts";
import type { LiftedDetection } from "../../schema/core.ts";
import { RULE_ADJUDICATOR } from "../state/adjudicator.ts";
import type { Candidate } from "../state/frame.ts";
import { Readings } from "../state/readings.ts";
import type { PlacedSolid } from "../state/shape.ts";
import { SpatialHash } from "../state/spatial-hash.ts";
import { Thing } from "../state/thing.ts";
import { BACKGROUND, vectorOf } from "../testing/toy-room.ts";
import { proposals } from "./association.ts";

type Three = readonly [number, number, number];

function detectionOf(category: string, attributes: Record<string, string> = {}): LiftedDetection {
  const vector = vectorOf(category);
  const words = { category, phrase: category, attributes, vector, categoryVector: vector };
  return words as unknown as LiftedDetection;
}

function known(category: string, centre: Three, extent: Three, calledBefore: string): Thing {
  const worldBox = boxFromCentre(vec3(...centre), vec3(...extent));
  const thing = new Thing({
    type: "object",
    stateId: `state-${category}`,
    trackId: `track-${category}`,
    labels: [],
    author: "robot",
    worldBox,
    timeUs: 0,
  });
  thing.words.add(detectionOf(category), 1);
  thing.words.add(detectionOf(calledBefore), 0.1);
  thing.evidence.detections = 5;
  return thing;
}

function candidate(category: string, centre: Three, extent: Three): Candidate {
  const box = boxFromCentre(vec3(...centre), vec3(...extent));
  const solid = { box, centroid: centreOf(box), half: scale(extentOf(box), 0.5), sdM: 0.01, pixelM: 0.01 };
  return { index: 0, detection: detectionOf(category), solid: solid as unknown as PlacedSolid };
}

function isFound(thing: Thing, one: Candidate): boolean {
  const things = new SpatialHash<Thing>(1);
  things.add(thing);
  const context = {
    things,
    mode: "loci" as const,
    background: BACKGROUND,
    adjudicator: RULE_ADJUDICATOR,
    readings: new Readings(),
    isAligned: true,
    mayMatch: () => true,
  };
  return proposals(one, 0, context).length > 0;
}

describe("proposals", () => {
  const IRON = known("iron", [0, 0, 0.95], [0.3, 0.4, 0.15], "board");

  it("takes no look for a thing of another name on it, even one it was called once", () => {
    expect(isFound(IRON, candidate("board", [0, 0, 0.5], [0.4, 1.2, 1]))).toBe(false);
    expect(isFound(IRON, candidate("iron", [0, 0, 0.5], [0.4, 1.2, 1]))).toBe(true);
  });

  it("takes a look of its own size for a thing misnamed", () => {
    expect(isFound(IRON, candidate("board", [0, 0, 0.95], [0.3, 0.35, 0.15]))).toBe(true);
  });

  it.each([
    ["a picture on the other face of its wall", 0.5, -0.12, 6, false],
    ["the picture itself, from the side it was seen from", 0.5, -0.12, 1, true],
    ["the picture itself, from the other side but no farther there", 0.5, 0, 6, true],
    ["a door, from behind", 2, -0.12, 6, true],
  ])("tells a flat thing from %s", (_, height, y, bearing, isSame) => {
    const hung = known("picture", [0, 0, 1.2], [0.8, 0.04, height], "picture");
    hung.shape.viewpoints = [vec3(0.3, 0.9, 0), vec3(-0.3, 0.9, 0)];
    const one = candidate("picture", [0, y, 1.2], [0.8, 0.04, height]);
    expect(isFound(hung, { ...one, solid: { ...one.solid, bearing } })).toBe(isSame);
  });

  it("tells a picture of another colour on the other face from the one before", () => {
    const hung = known("picture", [0, 0, 1.2], [0.8, 0.04, 0.5], "picture");
    hung.shape.viewpoints = [vec3(0.3, 0.9, 0), vec3(-0.3, 0.9, 0)];
    for (let n = 0; n < 3; n++) hung.words.add(detectionOf("picture", { colour: "red" }), 1);
    const one = candidate("picture", [0, 0, 1.2], [0.8, 0.04, 0.5]);
    const of = (colour: string, bearing: number) => ({
      ...one,
      solid: { ...one.solid, bearing },
      detection: detectionOf("picture", { colour }),
    });
    expect(isFound(hung, of("red", 6))).toBe(true);
    expect(isFound(hung, of("grey", 6))).toBe(false);
    expect(isFound(hung, of("grey", 1))).toBe(true);
  });

  it("takes a look that says all otherwise for another, of small things sooner than of large ones", () => {
    const of = { colour: "red", material: "paper", cover: "hard" };
    const isSame = (sideM: number, attributes: Record<string, string>) => {
      const thing = known("book", [0, 0, 1], [sideM, sideM, sideM], "book");
      for (let n = 0; n < 5; n++) thing.words.add(detectionOf("book", of), 1);
      const one = candidate("book", [0, 0, 1], [sideM, sideM, sideM]);
      return isFound(thing, { ...one, detection: detectionOf("book", attributes) });
    };
    const otherwise = { colour: "blue", material: "cloth", cover: "soft" };
    expect(isSame(0.2, of)).toBe(true);
    expect(isSame(0.2, { ...of, colour: "blue" })).toBe(true);
    expect(isSame(0.2, otherwise)).toBe(false);
    expect(isSame(0.8, otherwise)).toBe(true);
  });
});
