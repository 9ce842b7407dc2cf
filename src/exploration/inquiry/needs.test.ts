import { describe, expect, test } from "vitest";
import { scan } from "../../reasoning/index.ts";
import { needsOf, wordsOf } from "./needs.ts";
import { isSameRoom, prospectOf } from "./prospects.ts";

const needs = (notation: string) =>
  needsOf([scan(notation)]).map(({ kind, categories, rooms }) => ({ kind, categories, rooms }));

describe("the parts of a question", () => {
  test.each([
    [
      'attribute(the(things(category: "kettle")), name: "colour")',
      [{ kind: "thing", categories: ["kettle"], rooms: [] }],
    ],
    [
      'count(in(things(category: "chair"), rooms(name: "kitchen")))',
      [{ kind: "all-of", categories: ["chair"], rooms: ["kitchen"] }],
    ],
    [
      'exists(things(category: "fire extinguisher"))',
      [{ kind: "one-of", categories: ["fire extinguisher"], rooms: [] }],
    ],
    [
      'greater(size(the(things(category: "sofa")), dimension: "length"), size(the(in(things(category: "bed"), rooms(name: "bedroom"))), dimension: "length"))',
      [
        { kind: "thing", categories: ["sofa"], rooms: [] },
        { kind: "thing", categories: ["bed"], rooms: ["bedroom"] },
      ],
    ],
    [
      'count(relate(things(), the(things(category: "nightstand")), relation: "on"))',
      [
        { kind: "around", categories: ["nightstand"], rooms: [] },
        { kind: "thing", categories: ["nightstand"], rooms: [] },
      ],
    ],
    [
      'count(filter(rooms(), exists(in(things(category: "picture"), it()))))',
      [{ kind: "all-of", categories: ["picture"], rooms: [] }],
    ],
    [
      'size(rooms(name: "kitchen"), dimension: "area")',
      [{ kind: "room", categories: [], rooms: ["kitchen"] }],
    ],
    ['count(rooms(name: "bedroom"))', [{ kind: "all-of", categories: [], rooms: [] }]],
  ])("%s", (notation, expected) => {
    for (const part of expected) expect(needs(notation)).toContainEqual(part);
  });

  test("the same part is one, however often it is named", () => {
    expect(needs('or(the(things(category: "mug")), the(things(category: "mug")))')).toHaveLength(1);
  });
});

describe("where a need may be met", () => {
  const kettle = {
    need: {
      key: "k",
      kind: "thing" as const,
      categories: ["kettle"],
      rooms: [] as string[],
      expression: undefined,
    },
    usual: [] as string[],
  };
  const scoped = { ...kettle, need: { ...kettle.need, rooms: ["bedroom"] } };
  const whole = { ...kettle, need: { ...kettle.need, kind: "all-of" as const } };
  const there = (roomType: string | undefined, isOpening = false) => ({ roomType, isOpening });

  test("where such things usually are before where they are not; a new room is in between", () => {
    const [kitchen, bedroom] = [
      prospectOf([kettle], there("kitchen")),
      prospectOf([kettle], there("bedroom")),
    ];
    const beyond = prospectOf([kettle], there("bedroom", true));
    expect(kitchen).toBeGreaterThan(beyond);
    expect(beyond).toBeGreaterThan(bedroom);
  });

  test("the room that is named before all others, and a set of everything everywhere alike", () => {
    expect(prospectOf([scoped], there("bedroom"))).toBeGreaterThan(
      prospectOf([scoped], there("kitchen")) * 5,
    );
    expect(prospectOf([whole], there("kitchen"))).toBe(prospectOf([whole], there("bedroom")));
    expect(prospectOf([kettle, scoped], there("bedroom"))).toBe(prospectOf([scoped], there("bedroom")));
  });

  test("a room in which this very thing usually is comes before what is true of its kind", () => {
    const ours = { ...kettle, usual: ["office"] };
    expect(prospectOf([ours], there("office"))).toBeGreaterThan(prospectOf([ours], there("kitchen")));
    expect(prospectOf([ours], there("office"))).toBeGreaterThan(prospectOf([kettle], there("office")));
  });

  test("names of rooms that say whose or where they are mean their kind", () => {
    expect(isSameRoom("Anna's bedroom", "bedroom")).toBe(true);
    expect(isSameRoom("upstairs hallway", "hallway")).toBe(true);
    expect(isSameRoom("kitchen", "bathroom")).toBe(false);
  });
});

describe("a part in words", () => {
  test.each([
    [
      'attribute(the(in(things(category: "bookshelf", colour: "black"), rooms(name: "office"))), name: "colour")',
      "the black bookshelf in the office",
    ],
    ['count(in(things(category: "chair"), rooms(name: "kitchen")))', "every chair in the kitchen"],
    ['exists(things(category: "fire extinguisher"))', "some fire extinguisher"],
    [
      'count(relate(things(), the(things(category: "nightstand", colour: "white")), relation: "on"))',
      "what is at the white nightstand",
    ],
    ["count(rooms())", "every room"],
  ])("%s: %s", (notation, words) => expect(wordsOf(needsOf([scan(notation)])[0]!)).toBe(words));
});
