import { expect, test } from "vitest";
import { withRoomNames } from "./room-names.ts";
import { sentencesOf } from "./tokens.ts";

const wordsOf = (question: string, ...rooms: string[]) =>
  withRoomNames(sentencesOf(question), new Set(rooms)).flatMap(({ tokens }) =>
    tokens.map(({ word }) => word),
  );

test("a name that somebody gave a room is one word, the longest that fits", () => {
  expect(wordsOf("Is the lamp in Anna's den on?", "anna's den", "anna's den upstairs")).toEqual([
    "is",
    "the",
    "lamp",
    "in",
    "anna's den",
    "on",
  ]);
});

test("kinds of room, numbered or not, stay words, and so does what is no name", () => {
  for (const question of ["Where is the living room?", "Where is bedroom 2?", "Where is Anna's desk?"])
    expect(wordsOf(question, "living room", "bedroom 2", "anna's den")).toEqual(wordsOf(question));
});
