import { expect, it } from "vitest";
import type { Thing } from "../recall/thing.ts";
import { kindName, theKind } from "./naming.ts";

function called(
  name: string,
  category: string,
  ...attributes: string[]
): Pick<Thing, "name" | "category" | "state"> {
  const known = Object.fromEntries(attributes.map((value, n) => [`a${n}`, { value, p: 1 }]));
  return { name, category, state: { attributes: known } as unknown as Thing["state"] };
}

it("leaves out what only describes", () => {
  expect(kindName(called("grey steel tumble dryer", "dryer", "grey", "steel"))).toBe("tumble dryer");
  expect(kindName(called("green box that says “TEA”", "box", "green"))).toBe("box");
  expect(theKind(called("white metal radiator", "radiator", "white", "metal"))).toBe("the radiator");
});

it("keeps what belongs to the name", () => {
  expect(kindName(called("brown cardboard box", "cardboard box", "brown", "cardboard"))).toBe(
    "cardboard box",
  );
  expect(kindName(called("red", "red", "red"))).toBe("red");
  expect(theKind(called("Anna", "person"))).toBe("Anna");
});
