import { expect, it } from "vitest";
import { isSignboard } from "./labelled.ts";
import type { StateRecord } from "./thing.ts";

const named = (category: string, name: string) => ({
  category,
  state: { name, text: [name] } as unknown as StateRecord,
});

it("takes a person or vehicle with the name of a place on it for the sign of that place", () => {
  expect(isSignboard(named("person", "white metal person that says “DOCK 1”"))).toBe(true);
  expect(isSignboard(named("forklift", "blue metal forklift that says “AISLE B”"))).toBe(true);
  expect(isSignboard(named("forklift", "red metal forklift that says “F2”"))).toBe(false);
  expect(isSignboard(named("person", "Anna"))).toBe(false);
  expect(isSignboard(named("sign", "sign that says “AISLE B”"))).toBe(false);
});
