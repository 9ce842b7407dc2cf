import { expect, it } from "vitest";
import { print, scan } from "../algebra/notation.ts";
import { distinct } from "./several.ts";

it("asks the same question once", () => {
  const [place, name] = ['place(the(things(category: "mug")))', 'name(things(category: "mug"))'];
  expect(distinct([place, name, place].map(scan)).map(print)).toEqual([place, name]);
});
