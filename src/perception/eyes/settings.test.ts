import { expect, it } from "vitest";
import { TABLES } from "../../schema/settings.ts";
import "./seeing.ts";

it("gives every number of the eyes a unit and a range that it lies in", () => {
  const own = [...TABLES].filter(([name]) => name.startsWith("eyes."));
  expect(own.length).toBeGreaterThan(30);
  for (const [stage, { table }] of own) {
    for (const [name, [value, unit, min, max]] of Object.entries(table)) {
      expect(unit, `${stage}.${name}`).not.toBe("");
      expect(min <= value && value <= max && min < max, `${stage}.${name}`).toBe(true);
    }
  }
});
