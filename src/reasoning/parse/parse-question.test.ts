import * as fc from "fast-check";
import { describe, expect, it, test } from "vitest";
import { needSchema } from "../need.ts";
import { parseQuestion } from "./parse-question.ts";

const NOW_US = Date.UTC(2026, 0, 5, 12, 0) * 1000;
const parse = (text: string) => parseQuestion(text, { nowUs: NOW_US });

/** asks, answer, target head, and what else matters: `property`, `@region`, `predicate anchor`. */
const CASES: [string, string][] = [
  ["Where is the red mug?", "locate position mug colour=red"],
  ["where are my reading glasses", "locate position reading glass"],
  ["Could you please tell me where the broom is?", "locate position broom"],
  ["Do you remember where I left the car keys?", "locate position car key"],
  ["Where did you last see the vacuum cleaner?", "locate position vacuum cleaner"],
  ["Which room is the piano in?", "locate text piano .room"],
  ["On which floor is the dryer?", "locate text dryer .floor"],
  ["Find me the blue backpack", "locate position backpack colour=blue"],
  ["Take me to the nearest chair", "nearest position chair"],
  ["What colour is the sofa in the living room?", "attribute text sofa .colour @living room"],
  ["What is the colour of the curtains?", "attribute text curtain .colour"],
  ["What is the kettle made of?", "attribute text kettle .material"],
  ["What does the sign on the door say?", "attribute text sign .text on door"],
  ["What is on the kitchen counter?", "recognise text object on kitchen counter"],
  ["What is between the bed and the wardrobe?", "recognise text object between bed+wardrobe"],
  ["What is the tall object behind the sofa?", "recognise text object behind sofa"],
  ["Which appliance is next to the sink?", "recognise text appliance next-to sink"],
  ["What is to the left of the television?", "recognise text object left television"],
  ["Is the garage door open?", "state binary garage door .openness"],
  ["Is the stove on or off?", "state text stove"],
  ["Was the bin in the kitchen full?", "state binary bin .fill @kitchen"],
  ["Is there a microwave in the kitchen?", "exist binary microwave @kitchen"],
  ["Have you seen a bicycle?", "exist binary bicycle"],
  ["Does the house have a garage?", "exist binary garage @house"],
  ["Is the vase on the shelf?", "relate binary vase on shelf"],
  ["Are the lamp and the sofa in the same room?", "relate binary lamp"],
  ["How many chairs are there in the dining room?", "count count chair @dining room"],
  ["How many books are on the second shelf?", "count count book on shelf"],
  ["How far is the bed from the window?", "distance quantity bed"],
  ["How tall is the bookcase?", "size quantity bookcase .height"],
  ["How long is the table?", "size quantity table .length"],
  ["Which is bigger, the fridge or the oven?", "compare text fridge"],
  ["Is the wardrobe taller than the door?", "compare binary wardrobe"],
  ["Which chair is closest to the door?", "compare text chair"],
  ["When did you last see the cat?", "when time cat"],
  ["How long did you stay in the kitchen?", "duration duration kitchen"],
  ["How many times did you enter the bathroom?", "frequency count bathroom"],
  ["Which way did you turn after passing the sofa?", "ego text object"],
  ["Did you stop at the front door?", "ego binary door"],
  ["What has changed since yesterday?", "change set object"],
  ["Where was the parcel before?", "change position parcel"],
  ["Which direction was the person walking?", "motion motion person"],
  ["How fast was the forklift moving?", "motion motion forklift"],
  ["What was the woman carrying?", "carry text woman"],
  ["Is there room on the shelf for a box?", "capacity binary box"],
  ["How many more boxes fit on the shelf?", "capacity count box"],
  ["What can I use to dry my hands?", "function text object"],
  ["Where can I charge my phone?", "function position phone"],
  ["Find me a quiet place to read", "implicit position object"],
  ["Describe the apartment", "describe text object"],
  ["What kind of room is this?", "room text object"],
  ["Will the mug still be on the table?", "predict binary mug"],
  ["Where does this belong?", "belong position object"],
  ["There is a box in the hall. What colour is it?", "attribute text box .colour"],
];

describe("questions into needs", () => {
  it.each(CASES)("%s", (question, expected) => {
    const [need] = parse(question);
    const goal = need!.subgoals[0]!;
    const { target, property, region, relations } = goal;
    const parts = [need!.asks, need!.answer, target.head];
    for (const [name, value] of Object.entries(target.attributes)) parts.push(`${name}=${value}`);
    if (property !== undefined && expected.includes(".")) parts.push(`.${property}`);
    for (const { predicate, anchor, anchor2 } of relations)
      if (anchor) parts.push(`${predicate} ${anchor.head}${anchor2 ? `+${anchor2.head}` : ""}`);
    if (region && expected.includes("@")) parts.push(`@${region.head}`);
    expect(parts.join(" ")).toBe(expected);
    expect(need!.fallback).toBeUndefined();
  });

  it("splits questions that ask two things, and carries the thing over", () => {
    const [size, when, ...rest] = parse("How tall was the bus, and when did I see it?");
    expect(rest).toEqual([]);
    expect(size).toMatchObject({ asks: "size", subgoals: [{ target: { head: "bus" } }] });
    expect(when).toMatchObject({ asks: "when", subgoals: [{ target: { head: "bus" } }] });
  });

  it("reads times", () => {
    const at = (text: string) => parse(text)[0]!.times[0];
    expect(at("What was on the table 10 minutes ago?")).toMatchObject({
      kind: "ago",
      fromUs: NOW_US - 600e6,
    });
    expect(at("What did you see in the last hour?")).toMatchObject({
      kind: "during",
      fromUs: NOW_US - 3600e6,
    });
    expect(at("Was the door open at 09:30?")).toMatchObject({
      kind: "at",
      fromUs: Date.UTC(2026, 0, 5, 9, 30) * 1000,
    });
    expect(at("What moved since yesterday?")).toMatchObject({
      kind: "since",
      fromUs: Date.UTC(2026, 0, 4) * 1000,
    });
    expect(at("Where was the mug as of 09:00?")).toMatchObject({
      kind: "as-of",
      fromUs: Date.UTC(2026, 0, 5, 9) * 1000,
    });
    expect(at("What did you see after you passed the sofa?")).toMatchObject({
      kind: "after",
      event: { verb: "pass", target: { head: "sofa" } },
    });
    expect(at("When did you first see the dog?")).toMatchObject({ kind: "first" });
  });

  it("knows whose left is meant", () => {
    expect(parse("What was to my right 12 s ago?")[0]).toMatchObject({
      times: [{ kind: "ago" }],
      subgoals: [{ relations: [{ predicate: "right", frame: { kind: "ego" } }] }],
    });
    expect(parse("What is left of the sofa as seen from the door?")[0]).toMatchObject({
      frame: { kind: "viewer", ref: { head: "door" } },
      subgoals: [{ relations: [{ predicate: "left", anchor: { head: "sofa" } }] }],
    });
  });

  it("says when it does not understand", () => {
    expect(parse("Why is there something rather than nothing?")[0]?.fallback).toBeDefined();
    expect(parse("wo ist die rote Tasse, und warum eigentlich nicht?")[0]?.cues).toHaveLength(1);
  });
});

test("any text gives a need that holds to the schema, and the same one again", () => {
  const words = fc.constantFrom(
    ...'what where is the red mug on in of to left how many when did you or and ? , . a between 3 minutes ago open " "" says reads'.split(
      " ",
    ),
  );
  const sentence = fc
    .array(fc.oneof(words, fc.string({ maxLength: 8 })), { maxLength: 30 })
    .map((list) => list.join(" "));
  fc.assert(
    fc.property(fc.oneof(sentence, fc.string({ unit: "grapheme", maxLength: 200 })), (text) => {
      const needs = parse(text);
      expect(needs.length).toBeGreaterThan(0);
      for (const need of needs) needSchema.parse(need);
      expect(parse(text)).toEqual(needs);
    }),
    { numRuns: 500 },
  );
  expect(parse("where is ".repeat(1000))[0]).toBeDefined();
});
