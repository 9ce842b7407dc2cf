import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { tokensOf, withinBudget } from "./budget.ts";
import { greedyCover } from "./cover.ts";
import { jaccard, maximalMarginalRelevance } from "./diversify.ts";
import { reciprocalRank, weightedSum } from "./fuse.ts";

const list = (...pairs: [string, number][]) => pairs.map(([id, score]) => ({ id, score }));

describe("reciprocal-rank fusion", () => {
  it("adds up places, not scores", () => {
    const fused = reciprocalRank([list(["a", 900], ["b", 1]), list(["b", 0.2], ["c", 0.1])]);
    expect(fused.map(({ id }) => id)).toEqual(["b", "a", "c"]);
    expect(fused[0]!.score).toBeCloseTo(1 / 62 + 1 / 61, 12);
  });

  it("breaks ties by id and listens to weights", () => {
    expect(reciprocalRank([list(["z", 1]), list(["a", 1])]).map(({ id }) => id)).toEqual(["a", "z"]);
    expect(reciprocalRank([list(["z", 1]), list(["a", 1])], { weights: [2, 1] })[0]!.id).toBe("z");
  });
});

describe("weighted fusion", () => {
  it("brings lists to one scale", () => {
    const fused = weightedSum(
      [list(["a", 100], ["b", 90], ["c", 0]), list(["b", 0.9], ["c", 0.5], ["a", 0.1])],
      [1, 1],
      "minmax",
    );
    expect(fused.map(({ id }) => id)).toEqual(["b", "a", "c"]);
  });

  it("gives what a list lacks that list's least score", () => {
    const fused = new Map(
      weightedSum([list(["a", 3], ["b", 2]), list(["c", 5], ["a", 4])], [1, 1], "none").map((f) => [
        f.id,
        f.score,
      ]),
    );
    expect(fused).toEqual(
      new Map([
        ["a", 7],
        ["c", 7],
        ["b", 6],
      ]),
    );
  });

  it("does not blow up a list in which all are equal", () => {
    const fused = weightedSum([list(["a", 1], ["b", 1]), list(["b", 2], ["a", 1])], [5, 1]);
    expect(fused[0]!.id).toBe("b");
    expect(fused.every(({ score }) => Number.isFinite(score))).toBe(true);
  });

  it("does not change with the scale of a list", () => {
    fc.assert(
      fc.property(
        fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 2, maxLength: 20 }),
        fc.integer({ min: 1, max: 50 }),
        (scores, factor) => {
          const one = scores.map((score, i) => ({ id: `i${i}`, score }));
          const other = scores.map((_, i) => ({ id: `i${i}`, score: (i * 7) % 5 }));
          const scaled = one.map(({ id, score }) => ({ id, score: score * factor }));
          for (const how of ["zscore", "minmax"] as const) {
            const [a, b] = [
              weightedSum([one, other], [1, 1], how),
              weightedSum([scaled, other], [1, 1], how),
            ];
            const second = new Map(b.map(({ id, score }) => [id, score]));
            for (const { id, score } of a) expect(score).toBeCloseTo(second.get(id)!, 9);
          }
        },
      ),
    );
  });
});

describe("marginal relevance", () => {
  const likeness = (a: number, b: number) => ([0, 1].includes(a) && [0, 1].includes(b) ? 1 : 0);
  it("passes over a near copy for something else", () => {
    expect(maximalMarginalRelevance([1, 0.95, 0.4], likeness, { lambda: 0.5, k: 2 })).toEqual([0, 2]);
    expect(maximalMarginalRelevance([1, 0.95, 0.4], likeness, { lambda: 1, k: 2 })).toEqual([0, 1]);
  });
  it("takes everything when there is room, each once", () => {
    expect(maximalMarginalRelevance([0.2, 0.2, 0.1], () => 0.5, { lambda: 0.7, k: 9 }).sort()).toEqual([
      0, 1, 2,
    ]);
    expect(maximalMarginalRelevance([], () => 0, { lambda: 0.7, k: 3 })).toEqual([]);
  });
  it("jaccard of sets", () => {
    expect(jaccard(new Set([1, 2, 3]), new Set([2, 3, 4]))).toBe(0.5);
    expect(jaccard(new Set(), new Set())).toBe(0);
  });
});

describe("cover", () => {
  const caption = (clusters: number[], fit = 0.5, timeUs = 0) => ({ clusters, fit, timeUs });

  it("prefers one caption for two clusters to two for one each", () => {
    const chosen = greedyCover([caption([0], 1), caption([1], 1), caption([0, 1], 0.9)], [1, 1], { k: 6 });
    expect(chosen).toEqual([{ index: 2, covers: [0, 1] }]);
  });

  it("takes the newest, or the oldest, of captions that tell nearly the same", () => {
    const visits = [
      caption([0], 1, 10),
      caption([0], 0.95, 30),
      caption([0], 0.9, 20),
      caption([0], 0.1, 40),
    ];
    const index = (prefer?: "newest" | "oldest") =>
      greedyCover(visits, [1], { k: 1, ...(prefer ? { prefer } : {}) })[0]!.index;
    expect([index(), index("newest"), index("oldest")]).toEqual([0, 1, 0]);
  });

  it("stops when too little is gained", () => {
    const chosen = greedyCover([caption([0]), caption([1])], [1, 0.01], { k: 6 });
    expect(chosen.map(({ index }) => index)).toEqual([0]);
  });

  it("keeps to k and never repeats itself", () => {
    const many = Array.from({ length: 20 }, (_, i) => caption([i]));
    const chosen = greedyCover(many, new Array<number>(20).fill(1), { k: 6 });
    expect(new Set(chosen.map(({ index }) => index)).size).toBe(6);
  });

  it("adds other times of a cluster, newest first and apart", () => {
    const minute = 60e6;
    const visits = [0, 1, 10, 10.5, 20].map((m) => caption([0], m === 0 ? 1 : 0.2, m * minute));
    const chosen = greedyCover(visits, [1], { k: 6, extraPerCluster: 2 });
    expect(chosen.map(({ index }) => index)).toEqual([0, 4, 3]);
  });
});

describe("budget", () => {
  it("keeps the best whatever it costs and fills up by density", () => {
    const items = [
      { score: 0.5, tokens: 10 },
      { score: 0.9, tokens: 60 },
      { score: 0.4, tokens: 5 },
      { score: 0.8, tokens: 90 },
    ];
    expect(withinBudget(items, 75)).toEqual([0, 1, 2]);
    expect(withinBudget(items, 1)).toEqual([1]);
    expect(withinBudget([], 100)).toEqual([]);
  });

  it("counts about four characters a token", () => {
    expect(tokensOf("")).toBe(1);
    expect(tokensOf("a red mug on the table")).toBe(6);
  });
});
