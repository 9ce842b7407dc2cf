import { expect, it } from "vitest";
import { print } from "../algebra/notation.ts";
import { namedBy } from "./options.ts";

it("the things that options name are read one by one, and others go first after each", async () => {
  let turns = 0;
  const othersFirst = () => {
    turns++;
    return undefined;
  };
  const options = ["the mug", "the red chair", "the sofa"];
  const named = await namedBy(options, { nowUs: 0 }, othersFirst);
  expect(print(named!)).toMatch(/mug.*chair.*sofa/);
  expect(turns).toBe(options.length);
  expect(await namedBy(["the mug"], { nowUs: 0 }, othersFirst)).toBeUndefined();
});
