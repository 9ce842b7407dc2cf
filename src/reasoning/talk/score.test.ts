import { expect, it } from "vitest";
import { node } from "../algebra/notation.ts";
import { room, thing } from "../testing/made-values.ts";
import { referents } from "./fill.ts";
import { mentionsIn } from "./mentions.ts";
import { type costOf, wantedBy } from "./score.ts";
import { ofRooms, ofThings } from "./spoken.ts";

const kitchen = ofRooms([room("kitchen")]);
const somebody = ofThings([{ ...thing("person"), category: "person", name: "Anna" }]);
const mug = ofThings([thing("mug", { category: "mug" })]);
const table = { ...ofThings([thing("table", { category: "table" })]), isHolder: true };
const cups = ofThings([thing("a", { category: "cup" }), thing("b", { category: "cup" })]);

const likeliest = (all: Parameters<typeof referents>[0], wants: Parameters<typeof costOf>[1]) =>
  referents(all, [wants])[0]?.meant;

it("takes a person for who was somewhere, and a room for where", () => {
  const parent = node("stay", [node("rooms"), node("spoken")]);
  expect(likeliest([kitchen, somebody], wantedBy(parent, 1))).toEqual(somebody);
  expect(likeliest([somebody, kitchen], wantedBy(parent, 0))).toEqual(kitchen);
});

it("takes nothing where she is asked about and no person was spoken of", () => {
  expect(referents([kitchen, mug], [{ sort: "person" }])).toEqual([]);
});

it("prefers what was told to what was named, and the last turn to those before", () => {
  const asked = { ...mug, role: "asked" as const };
  expect(likeliest([asked, cups], {})).toEqual(cups);
  expect(likeliest([{ ...cups, ago: 1 }, asked], {})).toEqual(asked);
});

it("takes several for them and one for it", () => {
  expect(likeliest([mug, cups], { several: true })).toEqual(cups);
  expect(likeliest([cups, mug], { several: false })).toEqual(mug);
});

it("takes what can bear things for what is on it, and the thing itself for its colour", () => {
  const on = wantedBy(node("relate", [node("things"), node("spoken")], { relation: "on" }), 1);
  expect(likeliest([mug, table, kitchen], on)).toEqual(table);
  expect(
    likeliest([table, mug], wantedBy(node("attribute", [node("spoken")], { name: "colour" }), 0)),
  ).toEqual(mug);
});

it("leaves out what the operator does not take", () => {
  expect(
    referents([kitchen], [wantedBy(node("attribute", [node("spoken")], { name: "colour" }), 0)]),
  ).toEqual([]);
});

it("finds the words that refer to something, none twice", () => {
  const words = (text: string) => mentionsIn(text, [cups, somebody]).map((one) => one.words);
  expect(words("Was she in there?")).toEqual(["she", "in there"]);
  expect(words("Which ones are upstairs?")).toEqual(["Which ones"]);
  expect(words("Is the second one free?")).toEqual(["the second one"]);
  expect(words("Is there a mug?")).toEqual([]);
});
