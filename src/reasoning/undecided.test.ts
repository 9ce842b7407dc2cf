import { expect, it } from "vitest";
import { scan } from "./algebra/notation.ts";
import { isUndecided } from "./answer.ts";

const told = (text: string, notation: string) =>
  isUndecided({ expression: scan(notation), said: { status: "answered", type: "text", text, evidence: [] } });

it("leaves open what is told as neither of the places that were asked about", () => {
  const asked = 'place(the(things(category: "mug")), among: ["on the desk", "on the shelf"])';
  expect(told("in the kitchen, near the sink", asked)).toBe(true);
  expect(told("on the shelf", asked)).toBe(false);
  expect(told("in the kitchen, near the sink", 'place(the(things(category: "mug")))')).toBe(false);
});
