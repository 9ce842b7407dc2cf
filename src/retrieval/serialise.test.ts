import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Evidence } from "./evidence.ts";
import { executePlan } from "./execute/execute.ts";
import { parsePlan } from "./plan/plan.ts";
import { serialise, serialiseItem } from "./serialise.ts";
import { NOW_US, openTestMemory, type TestMemory } from "./testing/small-memory.ts";

let memory: TestMemory;
let items: readonly Evidence[];
const ids = ["bedroom-b", "blue", "kitchen-a", "mug1", "kitchen", "moved"];
beforeAll(async () => {
  memory = await openTestMemory();
  const plan = parsePlan({ version: 1, steps: [{ as: "g", op: "given", ids }], out: "g" });
  const found = new Map((await executePlan(plan, memory)).items.map((item) => [item.id, item]));
  items = ids.map((id, i) => ({ ...found.get(id)!, score: 10 - i }));
});
afterAll(() => memory.close());

describe("evidence written out", () => {
  it("goes by time and says who, when, where and how sure", () => {
    const { text, ids: written } = serialise(items, { nowUs: NOW_US });
    const lines = text.split("\n");
    expect(lines).toHaveLength(6);
    const froms = written.map((id) => items.find((item) => item.id === id)!.record.validFromUs);
    expect(froms).toEqual([...froms].sort((a, b) => a - b));
    const blue = lines.find((line) => line.includes("[blue]"))!;
    expect(blue).toContain("1970-01-01 00:00:02 (16.6 min ago) to 1970-01-01 00:10:02 (6.6 min ago)");
    expect(blue).toContain("at (3.20, 3.00, 0.95)");
    expect(blue).toContain("in kitchen");
    expect(blue).toContain("by local");
    expect(blue).toContain("sure 0.90");
    expect(blue).toContain("blue mug");
  });

  it("keeps the best within a budget", () => {
    const { ids: kept, tokens } = serialise(items, { nowUs: NOW_US, tokens: 90 });
    expect(kept).toContain("bedroom-b");
    expect(kept).not.toContain("moved");
    expect(tokens).toBeLessThanOrEqual(92);
    expect(serialise([], { nowUs: NOW_US })).toEqual({ text: "", tokens: 0, ids: [] });
  });

  it("keeps the nearest where the score is a distance", () => {
    const ranked = items.map((item, i) => ({ ...item, score: i, scores: { distanceM: i } }));
    const { ids: kept } = serialise(ranked, { nowUs: NOW_US, tokens: 90 });
    expect(kept).toContain("bedroom-b");
    expect(kept).not.toContain("moved");
  });

  it("leaves out what an ablation takes away", () => {
    const line = serialiseItem(items[1]!, NOW_US, ["place", "time"]);
    expect(line).not.toMatch(/ago|at \(|in kitchen/);
    expect(serialiseItem(items[1]!, NOW_US, ["meaning"])).not.toContain("blue mug");
  });

  it("writes an item once and tells of other times", () => {
    const twice = [items[0]!, { ...items[0]!, alsoSeen: [{ fromUs: 30e6, toUs: 31e6 }] }];
    expect(serialise(twice, { nowUs: NOW_US }).ids).toEqual(["bedroom-b"]);
    expect(serialiseItem(twice[1]!, NOW_US)).toContain("also seen 1970-01-01 00:00:30");
  });
});
