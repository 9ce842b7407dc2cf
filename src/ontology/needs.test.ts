import { describe, expect, it, test } from "vitest";
import {
  helpsAgainst,
  purposesOf,
  purposeTexts,
  roomFit,
  roomFor,
  roomKind,
  roomsLike,
  servesPurpose,
  stemsOf,
} from "./index.ts";

const names = (text: string, meaning?: readonly number[]) =>
  servesPurpose(text, meaning).map(({ entry }) => entry.name);

describe("things for a purpose", () => {
  test.each([
    ["dry my hands", "towel"],
    ["boil some water for tea", "kettle"],
    ["I have butter and jam but nothing to spread them on.", "bread"],
    ["There is a wine stain on my blouse", "washing machine"],
    ["Something to cut bread with", "knife"],
    ["cut paper", "scissors"],
    ["play an instrument", "guitar"],
    ["a guest has to stay the night", "sofa"],
    ["charge a phone", "phone charger"],
    ["hang a coat", "coat rack"],
    ["keep food cold", "fridge"],
    ["drink from", "glass"],
    ["sit on", "seat"],
  ])("%s: %s", (wish, thing) => expect(names(wish).slice(0, 3)).toContain(thing));

  test.each([
    ["my hands are freezing", "glove"],
    ["I’m thirsty", "glass"],
    ["it's too dark in here", "lamp"],
    ["I spilled something", "mop"],
    ["I have a headache", "medicine box"],
    ["it is freezing in here. how do i fix that?", "radiator"],
    ["the kitchen is full of steam", "range hood"],
  ])("%s: %s", (complaint, thing) => expect(names(complaint)[0]).toBe(thing));

  it("are none where no cue is met, and not those of other purposes", () => {
    expect(names("frobnicate the quux")).toEqual([]);
    expect(names("iron a shirt")).not.toContain("kettle");
    expect(helpsAgainst("all is well")).toEqual([]);
  });

  it("follow meaning where somebody measures it", () => {
    const texts = purposeTexts();
    const likeness = texts.map(({ name }) => (name === "telescope" ? 0.9 : 0));
    expect(names("frobnicate the quux", likeness)).toEqual(["telescope"]);
    expect(texts.every(({ cues }) => cues.length > 0)).toBe(true);
    expect(purposesOf("kettle")).toContain("boil water");
  });
});

describe("rooms", () => {
  test.each([
    ["loo", "toilet"],
    ["Sitting Room", "living room"],
    ["kids' bedroom", "children's room"],
    ["larder", "pantry"],
    ["bathrooms", "bathroom"],
    ["utility room", "laundry"],
    ["corridor", "hallway"],
  ])("%s is a %s", (words, name) => expect(roomKind(words)?.name).toBe(name));

  it("fit one another by kind and likeness", () => {
    expect([roomFit("lounge", "living room"), roomFit("loo", "bathroom")]).toEqual([1, 0.8]);
    expect([roomFit("garage", "workshop"), roomFit("kitchen", "bedroom")]).toEqual([0.7, 0]);
    expect([roomFit("house", "kitchen"), roomFit("holodeck", "holodeck")]).toEqual([0, 1]);
    expect([roomKind("house")?.isWhole, roomKind("kitchen")?.isWhole]).toEqual([true, false]);
  });

  test.each([
    ["do the washing", "laundry"],
    ["have a wash", "bathroom"],
    ["eat with guests", "dining room"],
    ["cook dinner", "kitchen"],
    ["sleep", "bedroom"],
  ])("to %s: %s", (doing, room) => expect(roomFor(doing)[0]).toBe(room));

  test.each([
    ["private and bright", "bathroom"],
    ["dim and private", "bedroom"],
    ["good for company and cosy", "living room"],
    ["noisy and colourful", "children's room"],
  ])("%s: %s", (mood, room) => expect(roomsLike(mood)[0]).toBe(room));

  it("are none for what is no mood and no doing", () => {
    expect([roomsLike("xyzzy"), roomFor("xyzzy")]).toEqual([[], []]);
  });
});

it("stems alike what means alike", () => {
  expect(stemsOf("The dusty floors!")).toEqual(stemsOf("dust floor"));
  expect(stemsOf("where can I go")).toEqual([]);
});
