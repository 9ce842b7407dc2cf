import { describe, expect, it } from "vitest";
import { sentencesOf } from "../tokens.ts";
import { sourceOf } from "../trained/source.ts";
import { placesOf, placesOfRobot } from "./places.ts";

const said = (question: string) => sourceOf(sentencesOf(question));

describe("the name of a robot", () => {
  it.each([
    ["what did robot-2 see", [2]],
    ["what did robot 2 see", [2, 3]],
    ["what did robot two see", [2, 3]],
    ["what did the second robot see", [3, 4]],
    ["did robot 1 go further than robot 2", [6, 7]],
  ])("is found by its number: %s", (question, places) => {
    expect(placesOfRobot("robot-2", said(question))).toEqual(places);
  });

  it("is that of no other robot", () => {
    expect(placesOfRobot("robot-2", said("what did robot 1 see, and the first robot"))).toBeUndefined();
    expect(placesOfRobot("other robot", said("and the other robot?"))).toEqual([2, 3]);
  });
});

describe("a literal", () => {
  it("is found despite a spelling error, but not where a number differs", () => {
    expect(placesOf("dishwasher", said("is the dishwahser on"))).toEqual([2]);
    expect(placesOf("lk-881", said("where is lk-882"))).toBeUndefined();
  });
});
