import { expect, it } from "vitest";
import { print, scan } from "../algebra/notation.ts";
import { askedOf } from "./addressed.ts";

it("asks one robot of what it saw, also where each of a set is asked about", () => {
  expect(print(askedOf(scan('exists(doings(the(things(category: "mug")), verb: "see"))'), "robot-1"))).toBe(
    'by(exists(doings(witnessed(things(category: "mug"), agent: "robot-1"), verb: "see")), agent: "robot-1")',
  );
  const each = 'name(filter(things(), exists(doings(it(), verb: "see"))))';
  expect(print(askedOf(scan(each), "robot-1"))).toBe(`by(${each}, agent: "robot-1")`);
});
