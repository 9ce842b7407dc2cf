import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../geometry/index.ts";
import { isLociError } from "../../schema/core.ts";
import { type BottleneckOptions, type BottleneckResult, bottleneck } from "./bottleneck.ts";
import { informationOf, jsDivergence, relevanceOf } from "./distributions.ts";

const CUE1 = [0.34, 0.31, 0.25, 0.1, 0.12, 0.33, 0.33];
const CUE2 = [0.3, 0.28, 0.24, 0.11, 0.09, 0.2, 0.2];
const chain = {
  scores: Float64Array.from(CUE1.flatMap((s, i) => [s, CUE2[i]!])),
  cues: 2,
  edges: Int32Array.from([0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6]),
};
const clio = { alpha: 0.23, nullMode: "clio", topK: 2, cumulative: true } as const;
const soft = { alpha: 0.23, nullMode: "soft", temperature: 0.03 } as const;
const membersOf = ({ clusters }: BottleneckResult) => clusters.map(({ members }) => members);

describe("the golden chain", () => {
  it("merges as the reference does and knows each loss", () => {
    const { information, merges, refused } = bottleneck(chain, { ...clio, delta: 1e-3 });
    expect(information).toBeCloseTo(0.964841, 6);
    expect(merges.map(({ a, b }) => [a, b])).toEqual([
      [3, 4],
      [5, 6],
      [0, 1],
      [0, 2],
    ]);
    expect(merges[0]!.delta).toBe(0);
    expect(merges[1]!.delta).toBe(0);
    expect(merges[2]!.delta).toBeCloseTo(6.22865e-6, 10);
    expect(merges[3]!.delta).toBeCloseTo(8.13402e-5, 9);
    expect(refused).toMatchObject({ a: 3, b: 5 });
    expect(refused!.delta).toBeCloseTo(0.319278, 6);
  });

  it.each<[string, BottleneckOptions, number[][]]>([
    ["raw 1e-5", { ...clio, delta: 1e-5 }, [[0, 1], [2], [3, 4], [5, 6]]],
    [
      "raw 1e-3",
      { ...clio, delta: 1e-3 },
      [
        [0, 1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
    [
      "scale-free .02",
      { ...clio, deltaN: 0.02 },
      [
        [0, 1, 2],
        [3, 4],
        [5, 6],
      ],
    ],
    ["soft, scale-free .10", { ...soft, deltaN: 0.1 }, [[0, 1], [2], [3, 4], [5, 6]]],
  ])("%s", (_, options, clusters) => {
    expect(membersOf(bottleneck(chain, options))).toEqual(clusters);
  });

  it("soft null: first-step losses", () => {
    const relevance = relevanceOf(chain.scores, 2, soft);
    const information = informationOf(relevance, 3);
    expect(information).toBeCloseTo(0.93276, 6);
    const row = (i: number) => relevance.subarray(i * 3, i * 3 + 3);
    const deltaN = [0, 1, 2, 3, 4, 5].map(
      (i) => (7 * (2 / 7) * jsDivergence(row(i), row(i + 1))) / information,
    );
    const golden = [0.017335, 0.147235, 1.03901, 0.005226, 1.713601, 0];
    deltaN.forEach((value, i) => {
      expect(value).toBeCloseTo(golden[i]!, 5);
    });
  });

  it("tells what has nothing to do with the cues", () => {
    const { clusters } = bottleneck(chain, { ...soft, deltaN: 0.1 });
    expect(clusters.map(({ isNull }) => isNull)).toEqual([false, false, true, false]);
    expect(clusters[0]!.score).toBe(0.34);
  });
});

describe("the bottleneck", () => {
  it("gives connected components where nothing carries information", () => {
    const scores = new Float64Array(5).fill(0.5);
    const edges = Int32Array.from([0, 1, 1, 2, 3, 4]);
    // Null and the one cue weigh the same: p(y|x) is uniform and I₀ is 0.
    const result = bottleneck({ scores, cues: 1, edges }, { alpha: 0.5, nullMode: "soft" });
    expect(result.information).toBe(0);
    expect(membersOf(result)).toEqual([
      [0, 1, 2],
      [3, 4],
    ]);
  });

  it("leaves things without neighbours alone, and takes nothing at all", () => {
    const none = new Int32Array(0);
    expect(membersOf(bottleneck({ scores: Float64Array.of(0.9), cues: 1, edges: none }, soft))).toEqual([
      [0],
    ]);
    expect(bottleneck({ scores: new Float64Array(0), cues: 1, edges: none }, soft).clusters).toEqual([]);
  });

  it("loses exactly the information that it says", () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 10_000 }), (seed) => {
        const { scores, edges } = randomGraph(seed, 24);
        const before = informationOf(relevanceOf(scores, 2, soft), 3);
        const { clusters, merges } = bottleneck({ scores, cues: 2, edges }, { ...soft, deltaN: 0.5 });
        let after = 0;
        for (const { members, relevance } of clusters)
          for (const p of relevance) after += (members.length / 24) * p * Math.log2(p * 3);
        expect(before - after).toBeCloseTo(merges.reduce((sum, { delta }) => sum + delta, 0) * before, 9);
      }),
      { numRuns: 50 },
    );
  });

  it("clusters each connected component as if it were alone with the global scale", () => {
    const { scores, edges } = randomGraph(3, 30);
    const apart = edges.filter((_, i) => edges[i - (i % 2)]! < 15 === edges[i - (i % 2) + 1]! < 15);
    const whole = bottleneck({ scores, cues: 2, edges: apart }, { ...soft, deltaN: 0.2 });
    const shuffled = Int32Array.from([...apart].reverse());
    expect(membersOf(bottleneck({ scores, cues: 2, edges: shuffled }, { ...soft, deltaN: 0.2 }))).toEqual(
      membersOf(whole),
    );
  });

  it("keeps its granularity when ten times as much that is irrelevant is added; the raw threshold does not", () => {
    const relevant = (n: number, options: { deltaN: number } | { delta: number }) => {
      const { scores, edges, groups } = street(n, 7);
      const { clusters } = bottleneck({ scores, cues: 2, edges }, { ...soft, ...options });
      const found = clusters.filter(({ isNull }) => !isNull).map(({ members }) => members.join());
      return groups.filter((group) => found.includes(group.join())).length;
    };
    // Eight groups of five look-alikes in a street of 40, 400 and 4,000 other things.
    for (const others of [40, 400, 4_000]) expect(relevant(others, { deltaN: 0.1 })).toBe(8);
    // A raw threshold that is perfect among 400 melts everything into one among 4,000, and so does the
    // released code's .10 even among 40.
    expect(relevant(400, { delta: 0.01 })).toBe(8);
    expect(relevant(4_000, { delta: 0.01 })).toBe(0);
    expect(relevant(40, { delta: 0.1 })).toBe(0);
  });

  it("refuses what is not a graph", () => {
    const scores = Float64Array.of(0.1, 0.2);
    const refused = (run: () => unknown) => {
      try {
        run();
        return undefined;
      } catch (error) {
        return isLociError(error) ? error.code : error;
      }
    };
    expect(refused(() => bottleneck({ scores, cues: 1, edges: Int32Array.of(0, 2) }, soft))).toBe(
      "invalid-input",
    );
    expect(refused(() => bottleneck({ scores, cues: 0, edges: new Int32Array(0) }, soft))).toBe(
      "invalid-input",
    );
    expect(
      refused(() =>
        bottleneck({ scores: Float64Array.of(Number.NaN), cues: 1, edges: new Int32Array(0) }, soft),
      ),
    ).toBe("invalid-input");
  });
});

function randomGraph(seed: number, n: number) {
  const random = new Random(seed);
  const scores = Float64Array.from({ length: n * 2 }, () => random.range(0, 0.45));
  const edges: number[] = [];
  for (let i = 1; i < n; i++) edges.push(random.int(0, i), i);
  for (let i = 0; i < n; i++) {
    const [a, b] = [random.int(0, n), random.int(0, n)];
    if (a !== b) edges.push(a, b);
  }
  return { scores, edges: Int32Array.from(edges) };
}

/** A line of things, each next to the one before it: eight relevant groups of five among `others` irrelevant ones. */
function street(others: number, seed: number) {
  const random = new Random(seed);
  const between = others / 8;
  const scores: number[] = [];
  const groups: number[][] = [];
  for (let g = 0; g < 8; g++) {
    const members: number[] = [];
    // Groups take turns in what they match and how well, so that melting two of them is a mistake.
    const strong = g % 2 === 0 ? 0.34 : 0.27;
    for (let i = 0; i < 5; i++) {
      members.push(scores.length / 2);
      scores.push(strong + random.normal(0, 0.004), 0.12 + random.normal(0, 0.004));
    }
    groups.push(members);
    for (let i = 0; i < between; i++)
      scores.push(0.08 + random.normal(0, 0.03), 0.08 + random.normal(0, 0.03));
  }
  const n = scores.length / 2;
  const edges = Array.from({ length: n - 1 }, (_, i) => [i, i + 1]).flat();
  return { scores: Float64Array.from(scores), edges: Int32Array.from(edges), groups };
}
