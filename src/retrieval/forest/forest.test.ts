import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { Random } from "../../geometry/index.ts";
import { LociError } from "../../schema/core.ts";
import { type ChildScorer, descend } from "./descend.ts";
import { chainOf, type SearchForest } from "./search-forest.ts";
import { type ChildSelector, embeddingScorer, selectorScorer } from "./selector.ts";

/** A forest from nested arrays; strings are leaves. */
type Tree = string | { readonly id: string; readonly children: readonly Tree[] };

function forestOf(trees: readonly Tree[]): SearchForest & { readonly leaves: string[] } {
  const nodes = new Map<string, { parent: string | undefined; children: string[] }>();
  const leaves: string[] = [];
  const add = (tree: Tree, parent: string | undefined): string => {
    const id = typeof tree === "string" ? tree : tree.id;
    nodes.set(id, { parent, children: [] });
    if (typeof tree === "string") leaves.push(id);
    else nodes.get(id)!.children = tree.children.map((child) => add(child, id));
    return id;
  };
  const roots = trees.map((tree) => add(tree, undefined));
  const view = {
    roots,
    leaves,
    children: (id: string) => nodes.get(id)!.children,
    parent: (id: string) => nodes.get(id)?.parent,
    text: (id: string) => [id],
    centroid: (id: string) => ({ x: id.length, y: 0, z: 0 }),
    leafCount: (id: string): number => {
      const below = nodes.get(id)?.children;
      if (below === undefined) return 0;
      return below.length === 0 ? 1 : below.reduce((sum, child) => sum + view.leafCount(child), 0);
    },
  };
  return view;
}

const house = forestOf([
  {
    id: "house",
    children: [
      { id: "kitchen", children: ["fridge", "stove", "sink"] },
      { id: "bedroom", children: [{ id: "corner", children: ["lamp"] }, "bed"] },
    ],
  },
  { id: "garden", children: ["tree"] },
]);
const likes =
  (liked: Record<string, number>): ChildScorer =>
  async (children) =>
    children.map((id) => liked[id] ?? 0);

describe("descent", () => {
  it("finds the leaf whose whole path is best, then the next", async () => {
    const { leaves } = await descend(house, likes({ house: 2, kitchen: 2, stove: 3 }), { k: 3 });
    expect(leaves.map(({ id }) => id).slice(0, 1)).toEqual(["stove"]);
    expect(leaves[0]!.chain).toEqual(["stove", "kitchen", "house"]);
    expect(leaves.map(({ logScore }) => logScore)).toEqual(
      [...leaves.map(({ logScore }) => logScore)].sort((a, b) => b - a),
    );
  });

  it.each(["best-first", "paper"] as const)(
    "%s: gives k distinct leaves, and all when asked for more",
    async (mode) => {
      for (const k of [1, 3, 6, 50]) {
        const { leaves } = await descend(house, likes({ kitchen: 1 }), { k, mode });
        expect(new Set(leaves.map(({ id }) => id)).size).toBe(Math.min(k, 6));
      }
    },
  );

  it("opens a node once and asks nothing where there is nothing to choose", async () => {
    const asked: string[] = [];
    const { opened } = await descend(
      house,
      async (children) => {
        asked.push(children.join());
        return children.map(() => 0);
      },
      { k: 6 },
    );
    expect(asked.sort()).toEqual(["corner,bed", "fridge,stove,sink", "house,garden", "kitchen,bedroom"]);
    expect(opened).toBe(4);
  });

  it("best-first gives the very k best paths", async () => {
    await fc.assert(
      fc.asyncProperty(fc.integer({ min: 0, max: 1e6 }), fc.integer({ min: 1, max: 8 }), async (seed, k) => {
        const random = new Random(seed);
        let name = 0;
        const grow = (depth: number): Tree =>
          depth === 0 || random.chance(0.2)
            ? `n${name++}`
            : { id: `n${name++}`, children: Array.from({ length: random.int(1, 5) }, () => grow(depth - 1)) };
        const forest = forestOf([grow(3), grow(2)]);
        const scores = new Map(Array.from({ length: name }, (_, i) => [`n${i}`, random.range(-2, 2)]));
        const scorer: ChildScorer = async (children) => children.map((id) => scores.get(id)!);
        const all = await descend(forest, scorer, { k: 1_000 });
        expect(all.leaves.map(({ id }) => id).sort()).toEqual([...forest.leaves].sort());
        const few = await descend(forest, scorer, { k });
        expect(few.leaves).toEqual(all.leaves.slice(0, k));
        expect(few.opened).toBeLessThanOrEqual(all.opened);
      }),
      { numRuns: 60 },
    );
  });

  it("takes an empty forest and a single leaf, and survives scores that are none", async () => {
    expect((await descend(forestOf([]), likes({}), { k: 3 })).leaves).toEqual([]);
    expect((await descend(forestOf(["here"]), likes({}), { k: 3 })).leaves).toMatchObject([{ id: "here" }]);
    const broken = await descend(house, async (c) => c.map(() => Number.NaN), { k: 2 });
    expect(broken.leaves).toHaveLength(2);
  });

  it("in the paper's way walks k/N times down every tree, always to the best child that has a leaf left", async () => {
    const asked: string[] = [];
    const score = likes({ kitchen: 2, stove: 1, garden: -5 });
    const { leaves } = await descend(
      house,
      async (children) => {
        asked.push(children.join());
        return score(children);
      },
      { k: 4, mode: "paper" },
    );
    const trees = leaves.map(({ chain }) => chain.at(-1));
    // The garden has one leaf, however little it is liked, and then hands its walks on.
    expect(trees).toEqual(["house", "garden", "house", "house"]);
    expect(leaves[0]!.id).toBe("stove");
    expect(asked).toContain("fridge,stove,sink");
    expect(asked).toContain("fridge,sink");
  });

  it("ends a chain that runs in a circle", () => {
    const broken: SearchForest = { ...house, parent: (id) => (id === "a" ? "b" : "a") };
    expect(chainOf(broken, "a")).toEqual(["a", "b"]);
  });
});

describe("the embedding scorer", () => {
  const meaning = async (ids: readonly string[]) =>
    ids.map((id) => (id === "kitchen" ? 1 : id === "bedroom" ? 1.1 : 0));

  it("lets a leaf hit outweigh a slightly better summary", async () => {
    const plain = await descend(house, embeddingScorer({ forest: house, meaning }), { k: 1 });
    const informed = embeddingScorer({ forest: house, meaning, leafHits: [{ id: "stove", z: 4 }] });
    expect((await descend(house, informed, { k: 1 })).leaves[0]!.id).toBe("stove");
    expect(plain.leaves[0]!.chain).not.toContain("kitchen");
  });

  it("counts tags and nearness", async () => {
    const flat = async (ids: readonly string[]) => ids.map(() => 0);
    const tagged = await embeddingScorer({ forest: house, meaning: flat, tags: ["Garden"] })([
      "house",
      "garden",
    ]);
    expect(tagged[1]).toBeGreaterThan(tagged[0]!);
    const near = embeddingScorer({ forest: house, meaning: flat, near: { x: 6, y: 0, z: 0 }, nearM: 1 });
    const scores = await near(["house", "garden"]);
    expect(scores[1]).toBeGreaterThan(scores[0]!);
  });
});

describe("a reasoning selector", () => {
  const byEmbedding = likes({ kitchen: 0.1 });
  const selectorThat = (score: ChildSelector["score"]) =>
    selectorScorer("where is it cold?", { score }, house, byEmbedding);

  it("decides where it answers properly", async () => {
    const score = selectorThat(
      async (_, children) =>
        new Map(children.map(({ id }) => [id, id === "fridge" || id === "kitchen" ? 90 : 5])),
    );
    expect((await descend(house, score, { k: 1, temperature: 0.3 })).leaves[0]!.id).toBe("fridge");
  });

  it("is asked twice, then the embedding decides; invented ids are never taken", async () => {
    let calls = 0;
    const score = selectorThat(async () => {
      calls++;
      return new Map([["cellar", 100]]);
    });
    expect(await score(["kitchen", "bedroom"])).toEqual([0.1, 0]);
    expect(calls).toBe(2);
    const failing = selectorThat(async () => {
      throw new LociError("model-failed", "no answer");
    });
    expect(await failing(["kitchen", "bedroom"])).toEqual([0.1, 0]);
  });

  it("passes an abort on", async () => {
    const aborted = selectorThat(async () => {
      throw new LociError("aborted", "the call was aborted");
    });
    await expect(aborted(["kitchen", "bedroom"])).rejects.toMatchObject({ code: "aborted" });
  });
});
