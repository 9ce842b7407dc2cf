import { expect, it } from "vitest";
import { type Stated, statementsIn } from "./statements.ts";

const thingsIn = (line: string) => statementsIn(line).flatMap(({ things }) => things);

it.each<[string, readonly Partial<Stated["things"][number]>[]]>([
  [
    "There is a red mug on the wooden table.",
    [
      { category: "mug", count: 1, attributes: { colour: "red" }, holder: { by: "on", at: 1 } },
      { category: "table", attributes: { material: "wood" } },
    ],
  ],
  ["The fridge is closed.", [{ category: "fridge", attributes: { openness: "closed" } }]],
  ["two open blue boxes", [{ category: "box", count: 2, attributes: { openness: "open", colour: "blue" } }]],
  ["several cups", [{ category: "cup", count: 3 }]],
  ["a white fridge that says “BUY TEA”", [{ category: "fridge", text: "BUY TEA" }]],
  ["box number 7 is full", [{ category: "box", text: "7", attributes: { fill: "full" } }]],
  // The last name of a phrase is its head; its owner is not part of it.
  ["a wall cupboard door", [{ category: "door" }]],
  ["the child's bed", [{ category: "bed" }]],
  // A word that is not known is a thing where an article says so, up to the next relation.
  ["There is a frobnicator beside the sink.", [{ category: "frobnicator" }, { category: "sink" }]],
  ["A green Olga stands in the dining room.", [{ category: "person", name: "Olga" }]],
  ["", []],
  ["There is nothing.", []],
  ["Quickly, quickly!", []],
])("reads “%s”", (line, expected) => {
  const things = thingsIn(line);
  expect(things).toHaveLength(expected.length);
  expect(things).toMatchObject(expected);
});

it("tells the room that a sentence speaks of, and none where it names none", () => {
  expect(statementsIn("Kitchen: a stove.").map(({ room }) => room)).toEqual(["kitchen"]);
  expect(statementsIn("A kitchen with a stove.").map(({ room }) => room)).toEqual(["kitchen"]);
  expect(statementsIn("There is a stove.").map(({ room }) => room)).toEqual([undefined]);
});

it("gives no thing two looks: what is said of one is not said of the next", () => {
  expect(thingsIn("a red mug, a table and a closed fridge").map(({ attributes }) => attributes)).toEqual([
    { colour: "red" },
    {},
    { openness: "closed" },
  ]);
});
