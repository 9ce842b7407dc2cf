import { expect, test } from "vitest";
import type { KnownThing } from "../../belief/thing.ts";
import { nounOf } from "./naming.ts";

function called(
  name: string,
  category: string,
  namedBy?: string,
): Pick<KnownThing, "name" | "category" | "state"> {
  const state = { name, category, namedBy, attributes: {} } as unknown as KnownThing["state"];
  return { name, category, state };
}

test.each([
  ["round white stool with a chrome rim", "stool", "stool"],
  ["narrow brown wooden chest of drawers", "chest of drawers", "chest of drawers"],
  ["blue fabric office chair with armrests", "office chair", "office chair"],
  ["white and pink book", "book", "book"],
  ["light wooden desk", "desk", "light wooden desk"],
  ["tumble dryer", "dryer", "tumble dryer"],
])(
  "the noun of what a model described as “%s” is its kind, without its looks and parts",
  (name, kind, noun) => {
    expect(nounOf(called(name, kind, "openai:model"))).toBe(noun);
  },
);

test("a recording's own name is kept as it is, but for known attributes", () => {
  expect(nounOf(called("round mirror with a frame", "mirror"))).toBe("round mirror with a frame");
});
