import { describe, expect, it, test } from "vitest";
import { asksWhatToDo, thingsAgainst } from "./complaints.ts";
import { isThingWord, thingsFor } from "./match.ts";
import { roomsLike, roomsToDo } from "./rooms.ts";
import { stemsOf } from "./stems.ts";

describe("things for a need, by its words alone", () => {
  test.each([
    ["dry my hands", "towel"],
    ["boil some water for tea", "kettle"],
    ["I have butter and jam but nothing to spread them on.", "bread"],
    ["There is a wine stain on my blouse", "washing machine"],
    ["Something to cut bread with", "knife"],
    ["play an instrument", "guitar"],
    ["a guest has to stay the night", "sofa"],
  ])("%s: %s", async (need, thing) => {
    const { kinds } = await thingsFor(need, undefined);
    expect(kinds.slice(0, 3).flat()).toContain(thing);
  });

  it("knows of none where no cue is met, and keeps other purposes out", async () => {
    expect((await thingsFor("frobnicate the quux", undefined)).kinds).toEqual([]);
    expect((await thingsFor("iron a shirt", undefined)).kinds.flat()).not.toContain("kettle");
  });

  it("knows words for things, seen or not", () => {
    expect(isThingWord("step ladder")).toBe(true);
    expect(isThingWord("location")).toBe(false);
  });
});

describe("rooms for a wish", () => {
  test.each([
    ["private and bright", "bathroom"],
    ["dim and private", "bedroom"],
    ["good for company and cosy", "living room"],
    ["noisy and colourful", "children's room"],
  ])("%s: %s", (mood, room) => expect(roomsLike(mood)[0]).toBe(room));

  test.each([
    ["do the washing", "laundry"],
    ["have a wash", "bathroom"],
    ["eat with guests", "dining room"],
    ["cook dinner", "kitchen"],
  ])("%s: %s", (doing, room) => expect(roomsToDo(doing)[0]).toBe(room));

  it("has none for what is no mood and no doing", () => {
    expect([roomsLike("xyzzy"), roomsToDo("xyzzy")]).toEqual([[], []]);
  });
});

describe("complaints", () => {
  it("are told from questions for a place or a thing", () => {
    const asks = (text: string) => asksWhatToDo({ text, answer: "text" });
    expect(asks("it is freezing in here. how do i fix that?")).toBe(true);
    expect(asks("i am cold. any advice?")).toBe(true);
    expect(asks("what can i use to boil water?")).toBe(false);
    expect(asks("i am cold. where can i find a blanket?")).toBe(false);
  });

  it("have things that help", () => {
    expect(thingsAgainst("i am freezing")[0]).toEqual(["radiator"]);
    expect(thingsAgainst("the kitchen is full of steam")[0]).toContain("range hood");
    expect(thingsAgainst("all is well")).toEqual([]);
  });
});

it("stems alike what means alike", () => {
  expect(stemsOf("The dusty floors!")).toEqual(stemsOf("dust floor"));
  expect(stemsOf("where can I go")).toEqual([]);
});
