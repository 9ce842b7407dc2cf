import { describe, expect, test } from "vitest";
import type { Part } from "../inquiry/part.ts";
import { observationOf, QUERIES } from "./words.ts";

const part = (category: string, state: Part["state"], rooms: readonly string[] = []): Part => ({
  need: { key: category, kind: "thing", categories: [category], rooms, expression: undefined },
  state,
  p: 0.5,
  candidates: [],
  usual: [],
});
const known = (more: Partial<Parameters<typeof QUERIES.planner>[0]> = {}) => ({
  question: "Is the kettle in the kitchen blue?",
  parts: [part("kettle", "open", ["kitchen"]), part("lamp", "found")],
  room: "hallway",
  visible: ["a black kettle", "a door"],
  ...more,
});

describe("what the memory is asked for without a model", () => {
  test("by the planner is what is open, where it may be and where one stands", () => {
    expect(QUERIES.planner(known())).toBe("the kettle in the kitchen; kitchen; hallway");
    expect(QUERIES.planner(known({ parts: [part("lamp", "open")], room: undefined }))).toBe("the lamp");
    expect(QUERIES.planner(known({ parts: [] }))).toBe("Is the kettle in the kitchen blue?; hallway");
  });

  test("for stopping is all that is asked for, and what of its kind is in view", () => {
    expect(QUERIES.stopping(known())).toBe("the kettle in the kitchen; the lamp; a black kettle");
    expect(QUERIES.stopping(known({ visible: [] }))).toBe("the kettle in the kitchen; the lamp");
  });

  test("stays a phrase, however long the question", () => {
    const long = known({ question: "why ".repeat(500), parts: [] });
    for (const query of Object.values(QUERIES)) expect(query(long).length).toBeLessThanOrEqual(300);
  });

  test("observation says what is in view and where", () => {
    expect(observationOf(known())).toBe("a black kettle, a door in the hallway");
    expect(observationOf({ room: undefined, visible: [] })).toContain("nothing is known");
  });
});
