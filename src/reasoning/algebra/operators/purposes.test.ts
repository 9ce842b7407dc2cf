import { expect, test } from "vitest";
import type { KnownThing } from "../../../belief/thing.ts";
import { verbFor } from "./purposes.ts";

function thing(category: string, attributes: Record<string, string>): KnownThing {
  const known = Object.entries(attributes).map(([name, value]) => [name, { value, p: 1 }]);
  return { category, state: { attributes: Object.fromEntries(known) } } as unknown as KnownThing;
}

test("what is not known to be on is turned on, where it can be; what is closed is opened", () => {
  expect(verbFor(thing("radiator", { power: "off" }))).toBe("turn on");
  expect(verbFor(thing("radiator", {}))).toBe("turn on");
  expect(verbFor(thing("radiator", { power: "on" }))).toBe("use");
  expect(verbFor(thing("fridge", { openness: "closed" }))).toBe("open");
  expect(verbFor(thing("fridge", {}))).toBe("use");
  expect(verbFor(thing("bed", {}))).toBe("use");
});
