import { expect, it } from "vitest";
import { print, scan } from "./algebra/notation.ts";
import { unknownValue } from "./algebra/value.ts";
import { loosened } from "./loosened.ts";
import { thing } from "./testing/made-values.ts";

const asked = scan(
  'is(the(relate(things(category: "tv"), the(things(category: "bookcase")), relation: "on")), attribute: "power", value: "on")',
);
const tv = thing("tv");

it("asks of the one thing that is not where it was said to be", () => {
  const loose = loosened(asked, unknownValue("looked-absent", "", { choices: [tv] }));
  expect(loose && print(loose)).toBe('is(the(things(category: "tv")), attribute: "power", value: "on")');
});

it("asks of nothing else where two may be meant, or nobody looked", () => {
  expect(loosened(asked, unknownValue("looked-absent", "", { choices: [tv, tv] }))).toBeUndefined();
  expect(loosened(asked, unknownValue("never-seen", ""))).toBeUndefined();
  expect(
    loosened(scan('place(the(things(category: "tv")))'), unknownValue("looked-absent", "")),
  ).toBeUndefined();
});
