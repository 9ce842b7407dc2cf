import { expect, it } from "vitest";
import { print, scan } from "../algebra/notation.ts";
import { asMeant } from "./usage.ts";

function meant(question: string, expression: string): string {
  const reading = { parts: [scan(expression)], cost: 0, explained: 1, notes: [] };
  return print(asMeant([reading], question)[0]!.parts[0]!);
}

it("takes a thing that is only named for one of that kind, unless words on it are spoken of", () => {
  const unicorn = 'exists(things(text: "unicorn"))';
  expect(meant("Is there a unicorn?", unicorn)).toBe('exists(things(category: "unicorn"))');
  expect(meant("is there anything that says unicorn?", unicorn)).toBe(unicorn);
  expect(meant("Is there a “unicorn”?", unicorn)).toBe(unicorn);
  const slot = 'exists(things(text: "a-12"))';
  expect(meant("is there an a-12?", slot)).toBe(slot);
});
