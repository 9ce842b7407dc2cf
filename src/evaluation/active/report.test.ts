import { describe, expect, test } from "vitest";
import type { RunLine } from "../../schema/index.ts";
import type { Episode } from "./episode.ts";
import { formatActiveReport, reportOf } from "./report.ts";
import { isReversed } from "./reversed.ts";

const EPISODE: Episode = {
  seed: "1",
  questionId: "q1",
  explorers: "memory",
  nth: 0,
  isAnswerable: true,
  subtype: "attribute/colour",
  success: true,
  match: 1,
  pathM: 10,
  teamM: 20,
  leastM: 5,
  steps: 4,
  normSteps: 0.2,
  goals: 4,
  reversed: 1,
  end: "answered",
  isConsistent: true,
  lookedShare: 0.9,
  seconds: 30,
  ms: 1000,
  cpuMs: 500,
  planMs: 12,
  moves: 60,
};
const settings = { noise: 0.5, wording: "dev", seeds: ["1", "2"] };

describe("figures of active questions", () => {
  test("SPL is success by the least walk over the walk; who need not go has all of it", () => {
    const of = (more: Partial<Episode>) => reportOf([{ ...EPISODE, ...more }], settings).rows[0]!;
    expect(of({}).measures.spl.value).toBe(0.5);
    expect(of({}).teamSpl).toBe(0.25);
    expect(of({ pathM: 0 }).measures.spl.value).toBe(1);
    expect(of({ pathM: 3 }).measures.spl.value).toBe(1);
    expect(of({ success: false, match: 0.5 }).measures).toMatchObject({
      spl: { value: 0 },
      matchSpl: { value: 0.25 },
    });
    expect(of({}).measures.reversed.value).toBe(0.25);
    expect(of({ goals: 0, reversed: 0 }).measures.reversed.value).toBe(0);
  });

  test("ours is compared on the same questions, with the sign that makes more better", () => {
    const episodes = ["1", "2"].flatMap((seed) => [
      { ...EPISODE, seed },
      { ...EPISODE, seed, explorers: "nearest", success: false, match: 0, pathM: 30 },
      { ...EPISODE, seed, explorers: "nearest", questionId: "other", pathM: 0 },
    ]);
    const nearest = reportOf(episodes, settings).rows.find(({ explorers }) => explorers === "nearest")!;
    expect(nearest.n).toBe(4);
    expect(nearest.ahead).toMatchObject({ success: { value: 1, n: 2 }, metres: { value: 20, n: 2 } });
    const text = formatActiveReport(reportOf(episodes, settings));
    expect(text).toMatch(/^memory +2 +1\.000/m);
    expect(text).toContain("nearest: success 1.000");
  });

  test("those without an answer are counted apart, and what rests on nothing is not consistent", () => {
    const episodes = [
      { ...EPISODE, isAnswerable: false },
      { ...EPISODE, questionId: "q2", isAnswerable: false, success: false },
      { ...EPISODE, questionId: "q3", isConsistent: false },
    ];
    const [row] = reportOf(episodes, settings).rows;
    expect(row!.unanswerable).toEqual({ n: 2, recognised: 0.5, looked: 0.9 });
    expect(row!.consistent).toBe(0.5);
  });
});

describe("reversed goals", () => {
  const step = (x: number, target: string, gx: number, agentId = "a"): RunLine => ({
    kind: "step",
    n: 0,
    agentId,
    timeUs: 0,
    pose: { position: { x, y: 0, z: 0 }, yawRad: 0 },
    sdM: 0,
    frontiers: [],
    checklist: [],
    decision: { kind: "explore", reason: "r", target, goal: { position: { x: gx, y: 0, z: 0 }, yawRad: 0 } },
    used: [],
    made: [],
    pathM: 0,
    planMs: 0,
  });

  test("count a goal that was left for one behind, not one that was reached or lies ahead", () => {
    expect(isReversed([step(0, "f1", 5), step(2, "f1", 5), step(4.8, "f2", -3)])).toEqual({
      goals: 2,
      reversed: 0,
    });
    expect(isReversed([step(0, "f1", 5), step(2, "f2", 6)])).toEqual({ goals: 2, reversed: 0 });
    expect(isReversed([step(0, "f1", 5), step(2, "f2", -3)])).toEqual({ goals: 2, reversed: 1 });
    expect(isReversed([step(0, "f1", 5), step(2, "f2", -3, "b")])).toEqual({ goals: 2, reversed: 0 });
  });
});
