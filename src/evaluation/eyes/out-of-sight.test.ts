import { expect, test } from "vitest";
import type { Truth } from "../tracking/truth.ts";
import { isOutOfSight } from "./out-of-sight.ts";

const things = [
  { id: "mug-1", category: "mug", type: "small" },
  { id: "glass-1", category: "glass", type: "small" },
  { id: "radiator-1", category: "radiator", type: "furniture" },
  { id: "television-1", category: "television", type: "small" },
  { id: "wardrobe-1", category: "wardrobe", type: "furniture" },
  { id: "sofa-1", category: "sofa", type: "furniture" },
  { id: "person-1", category: "person", type: "person" },
];
const truth = { document: { house: { things } } } as unknown as Truth;

function isHidden(target: string, fluent?: string, subtype = "state/is"): boolean {
  return isOutOfSight({ subtype, targets: [target], about: fluent === undefined ? {} : { fluent } }, truth);
}

test("what no picture shows is out of sight: contents of mugs, warmth, names of people, writing", () => {
  expect(isHidden("mug-1", "fill")).toBe(true);
  expect(isHidden("radiator-1", "power")).toBe(true);
  expect(isHidden("person-1", undefined, "localisation/room")).toBe(true);
  expect(isHidden("mug-1", undefined, "attribute/text")).toBe(true);
});

test("what is drawn is not", () => {
  expect(isHidden("glass-1", "fill")).toBe(false);
  expect(isHidden("television-1", "power")).toBe(false);
  expect(isHidden("wardrobe-1", "openness")).toBe(false);
  expect(isHidden("sofa-1", "occupancy")).toBe(false);
  expect(isHidden("mug-1", undefined, "localisation/room")).toBe(false);
});
