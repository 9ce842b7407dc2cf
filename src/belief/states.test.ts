import { expect, it } from "vitest";
import { withoutImpossible } from "./states.ts";
import type { StateRecord } from "./thing.ts";

it("believes of nobody that they are open, and of no door that it sits", () => {
  const attribute = (value: string) => ({ value, p: 0.7, support: 1, lastUs: 0 });
  const record = (category: string) =>
    ({
      category,
      text: [`the ${category} is open`, `the ${category} is sitting`],
      attributes: { openness: attribute("open"), posture: attribute("sitting"), colour: attribute("red") },
    }) as unknown as StateRecord;
  const person = withoutImpossible(record("person"));
  expect(Object.keys(person.attributes)).toEqual(["posture", "colour"]);
  expect(person.text).toEqual(["the person is sitting"]);
  expect(Object.keys(withoutImpossible(record("door")).attributes)).toEqual(["openness", "colour"]);
  const plain = { ...record("door"), attributes: {} };
  expect(withoutImpossible(plain)).toBe(plain);
});
