import { expect, test } from "vitest";
import { print } from "../algebra/notation.ts";
import { readDescription } from "./description.ts";
import { readSituation } from "./situation.ts";
import { sentencesOf } from "./tokens.ts";

/** The things and rooms of a description with their relations, as "bed: near; bathroom: in". */
function described(text: string): string | undefined {
  const expression = readDescription(sentencesOf(text));
  const set = expression?.of[0]?.of[0];
  if (!set) return undefined;
  const [head, ...others] = set.of.map(({ with: { category, name } }) => category ?? name);
  const relations = set.with["relations"] as string[];
  return [head, ...others.map((one, n) => `${relations[n]} ${one}`)].join("; ");
}

test("a description by sentences is its thing and all that is mentioned", () => {
  const expression = readDescription(
    sentencesOf("Find the white dresser with a mirror on it. It is located to the right of the sofa."),
  );
  expect(expression && print(expression)).toBe(
    'place(the(described(things(category: "dresser", colour: "white"), things(category: "mirror"), things(category: "sofa"), relations: ["with","right"])))',
  );
  expect(described("Find the bathroom with a mirror. The mirror is located near a plant.")).toBe(
    "mirror; near bathroom; near plant",
  );
});

test("who asks for a good place to do something describes no thing", () => {
  expect(
    described("Where's a good place to store my backpack if I want to keep it near my jacket and the door?"),
  ).toBeUndefined();
});

test("a relation holds for a list, and is turned round where the other is said to stand so", () => {
  expect(described("Locate the plant situated between the bed and the window")).toBe(
    "plant; between bed; between window",
  );
  expect(described("Find the chair. It is near the shelf, the bag and the lamp.")).toBe(
    "chair; near shelf; near bag; near lamp",
  );
  expect(described("Find the radiator with a window above it, located next to the guitar.")).toBe(
    "radiator; below window; beside guitar",
  );
  expect(described("Find the picture. There is a guitar below the picture.")).toBe("picture; above guitar");
});

test("things have the names that they are called by, compounds by their last word", () => {
  expect(described("Find the frosted glass window located near the refrigerator.")).toBe(
    "window; near refrigerator",
  );
  expect(described("Find the children's book located on the carpet.")).toBe("book; on carpet");
});

test("what is short, asks further or seeks nothing is left to who reads questions", () => {
  expect(described("Find the mug on the table")).toBeUndefined();
  expect(described("Find the mug. What colour is it?")).toBeUndefined();
  expect(described("Find the mug. Tell me its colour.")).toBeUndefined();
  expect(described("The dresser is next to the sofa, the lamp and the window.")).toBeUndefined();
});

test("where what is described stands is not where the speaker is", () => {
  const text =
    "Find the mirror near the sink. On the left side there is a vase. It is located above the sink.";
  expect(readSituation(sentencesOf(text))).toBeUndefined();
});
