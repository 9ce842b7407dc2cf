import { describe, expect, it } from "vitest";
import { isLociError } from "../../schema/core.ts";
import { broadenPlan, inputsOf, PlanBuilder, parsePlan } from "./plan.ts";
import type { StepOf } from "./steps.ts";

const refusal = (value: unknown): string => {
  try {
    parsePlan(value);
    return "";
  } catch (error) {
    return isLociError(error, "invalid-input") ? error.message : String(error);
  }
};

describe("a plan", () => {
  const sem = { as: "a", op: "sem", kinds: ["state"], text: "mug" };

  it("fills in its defaults and survives JSON", () => {
    const plan = parsePlan({ version: 1, steps: [sem], out: "a" });
    expect(plan.steps[0]).toEqual({ ...sem, k: 100 });
    expect(parsePlan(JSON.parse(JSON.stringify(plan)))).toEqual(plan);
  });

  it.each([
    ["an unknown operator", { version: 1, steps: [{ as: "a", op: "eval", code: "1" }], out: "a" }],
    ["no steps", { version: 1, steps: [], out: "a" }],
    ["a missing result", { version: 1, steps: [sem], out: "b" }],
    [
      "a step that reads a later one",
      { version: 1, steps: [{ as: "t", op: "topK", from: "a", k: 1 }, sem], out: "t" },
    ],
    ["a step that reads itself", { version: 1, steps: [{ as: "t", op: "topK", from: "t", k: 1 }], out: "t" }],
    ["a name that is taken", { version: 1, steps: [sem, sem], out: "a" }],
    [
      "a place of an unknown step",
      { version: 1, steps: [sem, { as: "n", op: "near", from: "a", at: { of: "z" }, radiusM: 1 }], out: "n" },
    ],
    ["a number that is none", { version: 1, steps: [{ ...sem, k: Number.NaN }], out: "a" }],
    ["too much at once", { version: 1, steps: [{ ...sem, k: 1e9 }], out: "a" }],
  ])("is refused with %s", (_, value) => {
    expect(refusal(value)).toMatch(/^plan/);
  });

  it("knows what each step reads", () => {
    const b = new PlanBuilder("x");
    const anchor = b.add({ op: "sem", kinds: ["state"], text: "table" });
    const all = b.add({ op: "all", kinds: ["state"] });
    const near = b.add({ op: "near", from: all, at: { of: anchor }, radiusM: 2 });
    const plan = b.build(near);
    expect(inputsOf(plan.steps[2]!)).toEqual([all, anchor]);
  });
});

describe("broadening", () => {
  const b = new PlanBuilder("x");
  const sem = b.add({ op: "sem", kinds: ["state"], text: "mug", k: 10, minZ: 2 });
  const near = b.add({ op: "near", from: sem, at: "here", radiusM: 1.5 });
  const during = b.add({ op: "during", from: near, start: { agoS: 30 }, end: { agoS: 10 } });
  const plan = b.build(during);
  const now = 100e6;
  const step = <O extends string>(round: number, op: O) =>
    broadenPlan(plan, round, now).steps.find((s) => s.op === op) as StepOf<O & "sem">;

  it("follows the schedule: z 2, 1, 0; radius and k doubled; time threefold", () => {
    expect([0, 1, 2, 3].map((round) => step(round, "sem").minZ)).toEqual([2, 1, 0, 0]);
    expect([0, 1, 2].map((round) => step(round, "sem").k)).toEqual([10, 20, 40]);
    expect([0, 1, 2].map((round) => (step(round, "near") as unknown as StepOf<"near">).radiusM)).toEqual([
      1.5, 3, 6,
    ]);
    const spans = [1, 2].map((round) => step(round, "during") as unknown as StepOf<"during">);
    expect(spans.map(({ start, end }) => [start, end])).toEqual([
      [50e6, 110e6],
      [-10e6, 170e6],
    ]);
  });

  it("leaves the plan itself alone and stays valid", () => {
    const before = JSON.stringify(plan);
    expect(parsePlan(broadenPlan(plan, 5, now))).toBeDefined();
    expect(JSON.stringify(plan)).toBe(before);
  });
});
