import { describe, expect, it } from "vitest";
import { type Expectation, expectationSchema, type Marked } from "./expectation.ts";
import { explainMarking, markAnswer } from "./mark.ts";
import { countsIn, roomsIn, roomWord } from "./read-text.ts";

const NOW_US = Date.UTC(2026, 0, 5, 9, 6) * 1000;
const at = (h: number, m: number, s: number) => ({
  atUs: Date.UTC(2026, 0, 5, h, m, s) * 1000,
  agoS: 0,
});

const said = (text: string, more: Partial<Marked> = {}): Marked => ({
  question: "?",
  askedAtUs: NOW_US,
  status: "answered",
  text,
  ...more,
});

const verdict = (expect: unknown, answer: Marked) =>
  markAnswer(expectationSchema.parse(expect) as Expectation, answer).verdict;

type Case = readonly [expect: unknown, answer: Marked, verdict: string];

const kitchen = { position: { point: { x: 0, y: 0, z: 0 }, frame: "world", region: "kitchen" } };

describe("answers", () => {
  const cases: readonly Case[] = [
    [{ yes: true }, said("yes, it is on", { binary: true }), "right"],
    [{ yes: true }, said("It is on.", { binary: true }), "right"],
    [{ yes: true }, said("Yes."), "right"],
    [{ yes: true }, said("yes, it is on", { binary: false }), "wrong"],
    [{ yes: true }, said("no, it is off", { binary: true }), "wrong"],
    [{ yes: true }, said("It is on."), "wrong"],
    [{ yes: false }, said("no: I have not seen a piano", { status: "not-seen", binary: false }), "right"],
    [{ yes: false }, said("I cannot tell.", { status: "insufficient" }), "wrongly-refused"],
    [{ count: 3 }, said("three chairs", { count: 3 }), "right"],
    [{ count: 3 }, said("In bedroom 2 there are 3 chairs.", { count: 3 }), "right"],
    [{ count: 3 }, said("4 chairs", { count: 3 }), "wrong"],
    [{ count: 3 }, said("3 chairs", { count: 4 }), "wrong"],
    [{ count: 3 }, said("I have not seen any chairs.", { status: "not-seen", count: 0 }), "wrongly-refused"],
    [{ count: 0 }, said("none", { count: 0 }), "right"],
    [{ count: 1 }, said("There is a chair, seen at 09:03."), "right"],
    [{ count: 12, tolerance: 1 }, said("eleven"), "right"],
    [
      { number: 13.1, unit: "m2", tolerance: 1 },
      said("about 13 m²", { quantity: { value: 12.4, unit: "m2" } }),
      "right",
    ],
    [
      { number: 13.1, unit: "m2", tolerance: 1 },
      said("about 13 m²", { quantity: { value: 8, unit: "m2" } }),
      "wrong",
    ],
    [{ number: 13.1, unit: "m2", tolerance: 1 }, said("about 8 square metres"), "wrong"],
    [{ number: 45, unit: "cm", tolerance: 5 }, said("0.46 m high"), "right"],
    [{ number: 2, unit: "min", tolerance: 0.2 }, said("2 minutes and 5 seconds"), "right"],
    [{ number: 2, unit: "min", tolerance: 0.2 }, said("for 5 seconds"), "wrong"],
    [{ number: 2, unit: "m", tolerance: 0.3 }, said("It is far."), "wrong"],
    [{ time: "09:03:20", toleranceS: 20 }, said("at 09:03", { time: at(9, 3, 12) }), "right"],
    [{ time: "09:03:20", toleranceS: 20 }, said("at 09:03:12", { time: at(9, 1, 0) }), "wrong"],
    [{ time: "09:03:20", toleranceS: 20 }, said("2 minutes and 30 seconds ago"), "right"],
    [{ time: "09:03:20", toleranceS: 20 }, said("4 minutes ago"), "wrong"],
    [{ room: ["kitchen"] }, said("in the kitchen, next to the hallway", kitchen), "right"],
    [{ room: ["hallway"] }, said("in the kitchen, next to the hallway", kitchen), "wrong"],
    [{ room: ["hallway"] }, said("in the kitchen, next to the hallway"), "wrong"],
    [{ room: ["hallway"] }, said("in the corridor"), "right"],
    [{ room: ["kitchen"] }, said("on the kitchen table in the dining room"), "wrong"],
    [
      { place: { room: ["kitchen"], on: ["worktop"] } },
      said("on the kitchen counter in the kitchen", kitchen),
      "right",
    ],
    [
      { place: { room: ["kitchen"], on: ["table"], near: ["fridge"] } },
      said("by the refrigerator in the kitchen"),
      "right",
    ],
    [{ place: { room: ["kitchen"], on: ["table"] } }, said("in the kitchen", kitchen), "wrong"],
    [{ words: { all: [["red"], ["wood", "wooden"]] } }, said("It is red and wooden."), "right"],
    [{ words: { all: [["red"]], none: ["blue"] } }, said("red or blue"), "wrong"],
    [{ words: { all: [["bed"]] } }, said("in the bedroom"), "wrong"],
    [{ words: { all: [["bed"]] } }, said("on the single bed"), "right"],
    [{ words: { all: [["white"]] } }, said("no, it is off; white"), "right"],
    [{ words: { all: [["left"]] } }, said("in front"), "wrong"],
    [{ words: { all: [["ahead", "front"]] } }, said("one right and one in front"), "right"],
    [
      { route: ["kitchen", "hallway", "bedroom"] },
      said("From the kitchen through the hall to the bedroom, 7 m."),
      "right",
    ],
    [{ route: ["kitchen", "hallway", "bedroom"] }, said("Through the hallway to the bedroom."), "right"],
    [
      { route: ["kitchen", "hallway", "hallway", "bedroom"] },
      said("hallway, up the stairs, hallway, bedroom"),
      "right",
    ],
    [{ route: ["kitchen", "hallway", "bedroom"] }, said("kitchen, office, bedroom"), "wrong"],
    [{ direction: ["left"] }, said("to your left, above the table"), "right"],
    [{ direction: ["left"] }, said("to your right"), "wrong"],
    [{ direction: ["behind"] }, said("right behind you"), "right"],
    [
      { anyOf: [{ yes: false }, { refuse: "unknown" }] },
      said("I have not seen one.", { status: "not-seen" }),
      "rightly-refused",
    ],
    [{ anyOf: [{ yes: false }, { refuse: "unknown" }] }, said("no", { binary: false }), "right"],
    [{ anyOf: [{ yes: false }, { refuse: "unknown" }] }, said("yes", { binary: true }), "wrong"],
    [
      { allOf: [{ room: ["kitchen"] }, { words: { all: [["off"]] } }] },
      said("In the kitchen; it is off."),
      "right",
    ],
    [{ allOf: [{ room: ["kitchen"] }, { words: { all: [["off"]] } }] }, said("In the kitchen."), "wrong"],
  ];
  it.each(cases)("%j", (expected, answer, wanted) => {
    expect({ text: answer.text, verdict: verdict(expected, answer) }).toEqual({
      text: answer.text,
      verdict: wanted,
    });
  });
});

describe("lists are whole", () => {
  const two = {
    things: [
      { any: ["mug", "cup"], colour: ["red"] },
      { any: ["book"], count: 2 },
    ],
  };
  const cases: readonly Case[] = [
    [two, said("a red ceramic mug and two books", { set: ["red mug", "book", "book"] }), "right"],
    [two, said("a red ceramic mug and two books"), "right"],
    [two, said("the mug, which is red, and both books"), "right"],
    [two, said("a red mug"), "wrong"],
    [two, said("a blue mug and two red books"), "wrong"],
    [two, said("a red mug and two books", { set: ["red mug"] }), "wrong"],
    [two, said("a red mug and a book", { set: ["red mug", "book"] }), "wrong"],
    [two, said("a red mug, two books and a lamp", { set: ["red mug", "book", "book", "lamp"] }), "wrong"],
    [two, said("a red mug, two books and a laptop"), "wrong"],
    [two, said("on the desk: a red mug and two books"), "right"],
    [{ ...two, exactly: false }, said("a red mug, two books and a laptop"), "right"],
    [{ ...two, may: ["laptop"] }, said("a red mug, two books and a laptop"), "right"],
    [two, said("I cannot tell.", { status: "insufficient" }), "wrongly-refused"],
    [{ things: [] }, said("nothing that I noticed", { set: [] }), "right"],
    [{ things: [] }, said("I have not seen any.", { status: "not-seen" }), "right"],
    [{ things: [] }, said("a mug", { set: ["mug"] }), "wrong"],
    [{ things: [{ any: ["kitchen"] }, { any: ["hallway"] }] }, said("the kitchen and the hallway"), "right"],
    [
      { things: [{ any: ["kitchen"] }, { any: ["hallway"] }] },
      said("the kitchen, the hallway and the office"),
      "wrong",
    ],
  ];
  it.each(cases)("%j", (expected, answer, wanted) => {
    expect({ text: answer.text, verdict: verdict(expected, answer) }).toEqual({
      text: answer.text,
      verdict: wanted,
    });
  });
});

describe("refusals are told apart", () => {
  const cases: readonly Case[] = [
    [
      { refuse: "act" },
      said("I cannot switch it off: I only remember.", { status: "insufficient" }),
      "rightly-refused",
    ],
    [{ refuse: "act" }, said("I have not seen a beer.", { status: "not-seen" }), "wrong"],
    [{ refuse: "act" }, said("on the counter"), "wrong"],
    [
      { refuse: "ambiguous" },
      said("Which one: the red or the blue?", { status: "ambiguous" }),
      "rightly-refused",
    ],
    [
      { refuse: "ambiguous" },
      said("Which one do you mean, the red or the blue?", { status: "insufficient" }),
      "rightly-refused",
    ],
    [{ refuse: "ambiguous" }, said("in the kitchen", kitchen), "wrong"],
    [{ refuse: "taste" }, said("That is a matter of taste.", { status: "insufficient" }), "rightly-refused"],
    [{ refuse: "taste" }, said("the red one"), "wrong"],
    [{ refuse: "unknown" }, said("I have not seen it.", { status: "not-seen" }), "rightly-refused"],
    [{ refuse: "unknown" }, said("I do not know", { status: "ambiguous" }), "wrong"],
    [
      { allOf: [{ refuse: "unknown" }, { words: { none: ["nothing", "empty"] } }] },
      said("There is nothing in it.", { status: "looked-absent" }),
      "wrong",
    ],
    [
      { allOf: [{ refuse: "unknown" }, { words: { none: ["nothing", "empty"] } }] },
      said("It was closed: I have not seen what is in it.", { status: "insufficient" }),
      "rightly-refused",
    ],
    [
      { refuse: "false-premise" },
      said("There is no sofa in the kitchen.", { status: "false-premise" }),
      "rightly-refused",
    ],
    [{ refuse: "false-premise" }, said("It is not blue but red."), "wrong"],
    [{ refuse: "false-premise", says: [["red"]] }, said("It is not blue but red."), "rightly-refused"],
    [
      { refuse: "false-premise", says: [["red"]] },
      said("It is not blue.", { status: "false-premise" }),
      "wrong",
    ],
    [{ yes: true }, said("Which one?", { status: "ambiguous", binary: true }), "wrongly-refused"],
  ];
  it.each(cases)("%j", (expected, answer, wanted) => {
    expect({ text: answer.text, verdict: verdict(expected, answer) }).toEqual({
      text: answer.text,
      verdict: wanted,
    });
  });
});

it("says what is wrong with an expectation", () => {
  const wrong = (value: unknown) => expectationSchema.safeParse(value).error?.issues[0]?.message;
  expect(wrong({ nmber: 3 })).toMatch(/expected one of yes, count/);
  expect(wrong({ number: 3, unit: "m2" })).toMatch(/tolerance/);
  expect(wrong({ time: "9 o'clock", toleranceS: 3 })).toMatch(/expected a time such as/);
  expect(wrong({ yes: true, no: true })).toMatch(/no/);
  expect(wrong({ anyOf: [{ yes: true }] })).toMatch(/2 to/);
  expect(wrong({ anyOf: [{ yes: true }, { refuse: "bored" }] })).toMatch(/refuse/);
  expect(wrong(["yes"])).toMatch(/an object/);
});

it("tells writers how each form is marked", () => {
  const how = (value: unknown) => explainMarking(expectationSchema.parse(value));
  expect(how({ things: [{ any: ["mug"], colour: ["red"], count: 2 }] })).toBe(
    "names 2 × red mug, all of them and nothing else",
  );
  expect(how({ anyOf: [{ yes: false }, { refuse: "unknown", says: [["attic"]] }] })).toMatch(
    /^\(says no.*\) OR \(says that it does not know .*; says attic\)$/,
  );
});

it("reads areas and codes of a warehouse: no code is a count, and a slot lies in its aisle", () => {
  expect(roomsIn("From aisle B through the cross aisle to staging bay 2, then staging 3.")).toEqual([
    "aisle b",
    "cross aisle",
    "staging 2",
    "staging 3",
  ]);
  expect(roomsIn("It is in slot A-03-2, in aisle A.")).toEqual(["aisle a"]);
  expect(roomWord("aisle C")).toBe("aisle c");
  expect(countsIn("robot-1 saw 2 boxes of KX-402, in A-03-2 and in staging 4, at dock 1.")).toEqual([2]);
});
