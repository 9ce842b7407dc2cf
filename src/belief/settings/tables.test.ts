import { readdirSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { TABLES } from "../../schema/settings.ts";

it("gives every number a unit and a range that it lies in", async () => {
  const files = readdirSync(import.meta.dirname).filter((file) => !file.endsWith(".test.ts"));
  for (const file of files) await import(join(import.meta.dirname, file));
  const own = [...TABLES].filter(([name]) => name.startsWith("belief."));
  expect(own.length).toBeGreaterThanOrEqual(files.length);
  for (const [stage, { table }] of own) {
    for (const [name, [value, unit, min, max]] of Object.entries(table)) {
      expect(unit, `${stage}.${name}`).not.toBe("");
      expect(min <= value && value <= max && min < max, `${stage}.${name}`).toBe(true);
    }
  }
});
