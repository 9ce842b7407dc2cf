import { expect, test } from "vitest";
import type { MapParts, Percept } from "../../schema/core.ts";
import { ShownParts } from "./shown-parts.ts";
import type { Thing } from "./thing.ts";

const perceptOf = (part: number, parts?: MapParts) =>
  ({ detections: [{ part }], parts }) as unknown as Percept;

test("a stay was seen as a thing of the map, and as what that was cut into, and as nothing else", () => {
  const shown = new ShownParts();
  const thing = { stateId: "a" } as Thing;
  shown.note(perceptOf(1), new Map([[thing, 0]]));
  expect(shown.wasSeenAs("a", 1)).toBe(true);
  expect(shown.wasSeenAs("a", 2)).toBe(false);
  shown.note(perceptOf(2, { shown: [2], none: [{ part: 1, heirs: [2], isNothing: false }] }), new Map());
  expect(shown.wasSeenAs("a", 2)).toBe(true);
  expect(shown.wasSeenAs("b", 2)).toBe(false);
  expect(shown.wasSeenAs("a", undefined)).toBe(false);
});
