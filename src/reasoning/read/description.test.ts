import { expect, test } from "vitest";
import { print } from "../algebra/notation.ts";
import { readDescription } from "./description.ts";
import { sentencesOf } from "./tokens.ts";

function described(text: string): string | undefined {
  const expression = readDescription(sentencesOf(text));
  return expression && print(expression);
}

test("a description by sentences is its thing and all that is mentioned", () => {
  expect(
    described("Find the white dresser with a mirror on it. It is located to the right of the sofa."),
  ).toBe(
    'place(the(relate(relate(things(category: "dresser", colour: "white"), things(category: "mirror"), relation: "with"), things(category: "sofa"), relation: "right")))',
  );
  expect(described("Find the bathroom with a mirror. The mirror is located near a plant.")).toBe(
    'place(the(relate(in(things(category: "mirror"), rooms(name: "bathroom")), things(category: "plant"), relation: "near")))',
  );
  expect(described("Locate the plant situated between the bed and the window")).toContain(
    'things(category: "bed")',
  );
});

test("what is short, asks further or seeks nothing is left to who reads questions", () => {
  expect(described("Find the mug on the table")).toBeUndefined();
  expect(described("Find the mug. What colour is it?")).toBeUndefined();
  expect(described("Find the mug. Tell me its colour.")).toBeUndefined();
  expect(described("The dresser is next to the sofa, the lamp and the window.")).toBeUndefined();
});
