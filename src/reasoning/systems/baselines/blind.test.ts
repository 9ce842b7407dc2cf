import { expect, it } from "vitest";
import { guess } from "./blind.ts";
import { expectationOf } from "./expectation.ts";

const askedAtUs = 600_000_000;

it.each([
  ["How many chairs are there?", "count"],
  ["When did you see the bus?", "time"],
  ["How long ago did you pass the gate?", "time"],
  ["How long were you in the building?", "duration"],
  ["How long is the table?", "quantity"],
  ["How far is the door from the bed?", "quantity"],
  ["Where is my cup?", "position"],
  ["Can you take me to the restroom?", "binary"],
  ["Take me to the nearest sink.", "position"],
  ["Is the door open?", "binary"],
  ["Is the door open or closed?", "text"],
  ["What color is the sofa?", "text"],
])("expects of “%s” a %s", (text, expected) => {
  expect(expectationOf(text)).toBe(expected);
});

it("guesses blindly, the same way for the same seed", () => {
  const guessed = (text: string, options?: string[]) =>
    guess({ text, askedAtUs, options }, { nowUs: askedAtUs, seed: "seed" });
  expect(guessed("What color is the sofa?")).toMatchObject({ text: "white" });
  expect(guessed("Is it open?")).toMatchObject({ binary: true });
  expect(guessed("Where is it?")).toMatchObject({ type: "text", text: "on the table" });
  expect(guessed("How many?")).toMatchObject({ count: 2 });
  expect(guessed("When was it?")).toMatchObject({ time: { agoS: 300 } });
  const options = ["a", "b", "c", "d"];
  expect(guessed("Which?", options).choice).toBe(guessed("Which?", options).choice);
  const drawn = new Set<string | undefined>();
  for (let i = 0; i < 40; i++) {
    const answer = guess({ text: "Which?", askedAtUs, options }, { nowUs: askedAtUs, seed: String(i) });
    drawn.add(answer.choice);
  }
  expect(drawn.size).toBe(4);
});
