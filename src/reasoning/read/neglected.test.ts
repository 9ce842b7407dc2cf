import { expect, it } from "vitest";
import { scan } from "../algebra/notation.ts";
import { neglected } from "./neglected.ts";

function costOf(question: string, ...parts: readonly string[]): number {
  return neglected(question.split(" "), parts.map(scan));
}

it("costs a reading what always means something and leaves no trace in it", () => {
  const windows = 'count(things(category: "window"))';
  const there = 'count(in(things(category: "window"), rooms(name: "living room")))';
  expect(costOf("how many windows are in the living room", there)).toBe(0);
  expect(costOf("how many windows are in the living room", windows)).toBeGreaterThan(0);
  expect(costOf("how many red mugs", 'count(things(category: "mug"))')).toBeGreaterThan(0);
  expect(costOf("how many red mugs", 'count(things(category: "mug", colour: "red"))')).toBe(0);
  expect(costOf("where is the zorbleflax", 'count(things(category: "zorbleflax"))')).toBeGreaterThan(0.8);
});

it("does not mind the whole place, nor what is told without end", () => {
  expect(costOf("how many windows are there in the house", 'count(things(category: "window"))')).toBe(0);
  const many = "kitchen hallway bathroom bedroom office red green blue yellow pink";
  expect(costOf(many, 'count(things(category: "window"))')).toBeLessThan(1);
});
