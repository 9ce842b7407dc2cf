import { expect, it } from "vitest";
import "./associate.ts";
import "./common.ts";
import "./merge.ts";
import "./moves.ts";
import "./observe.ts";
import "./presence.ts";
import "./records.ts";
import { TABLES } from "../../schema/settings.ts";

it("gives every number a unit and a range that it lies in", () => {
  const stages = ["associate", "common", "merge", "moves", "observe", "presence", "records"];
  // Tables of other rooms have a dot in their names; they are present if another test loaded them before.
  expect([...TABLES.keys()].filter((name) => !name.includes(".")).sort()).toEqual(stages);
  for (const [stage, { table }] of TABLES) {
    for (const [name, [value, unit, min, max]] of Object.entries(table)) {
      expect(unit, `${stage}.${name}`).not.toBe("");
      expect(min <= value && value <= max && min < max, `${stage}.${name}`).toBe(true);
    }
  }
});
