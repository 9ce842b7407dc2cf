import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { distance, Random } from "../../geometry/index.ts";
import { agglomerate } from "./agglomerate.ts";
import { buildForest } from "./build.ts";
import { deleteGroup, deleteLeaf, insertLeaf } from "./change.ts";
import { extractiveSummariser } from "./extractive.ts";
import type { Forest, ForestLeaf } from "./forest.ts";
import { regionRecords } from "./records.ts";
import { summarise } from "./summarise.ts";
import { viewOf } from "./view.ts";

const coordinate = fc.double({ min: -60, max: 60, noNaN: true });
const leavesArbitrary = fc
  .array(fc.record({ x: coordinate, y: coordinate, z: fc.double({ min: 0, max: 6, noNaN: true }) }), {
    maxLength: 60,
  })
  .map((positions) => positions.map((position, i): ForestLeaf => ({ id: `leaf-${i}`, position })));

/** Checks every promise of the class comment by brute force. */
function check(forest: Forest, expected: readonly ForestLeaf[]): void {
  const positions = new Map(expected.map(({ id, position }) => [id, position]));
  const found = forest.leavesOf(forest.root).map((leaf) => forest.idOf(leaf));
  expect([...found].sort()).toEqual([...positions.keys()].sort());
  for (const node of forest.nodes()) {
    if (forest.isLeaf(node)) continue;
    const children = forest.childrenOf(node);
    const leaves = forest.leavesOf(node).map((leaf) => positions.get(forest.idOf(leaf))!);
    expect(forest.leavesUnder(node)).toBe(leaves.length);
    for (const child of children) expect(forest.parentOf(child)).toBe(node);
    expect(children.filter((child) => !forest.isGroup(child)).length).toBeLessThanOrEqual(forest.fanOut);
    if (leaves.length > 0) {
      const { min, max } = forest.boundsOf(node);
      const centroid = forest.centroidOf(node);
      for (const axis of ["x", "y", "z"] as const) {
        expect(min[axis]).toBeCloseTo(Math.min(...leaves.map((p) => p[axis])), 6);
        expect(max[axis]).toBeCloseTo(Math.max(...leaves.map((p) => p[axis])), 6);
        expect(centroid[axis]).toBeCloseTo(leaves.reduce((sum, p) => sum + p[axis], 0) / leaves.length, 6);
      }
    }
    if (forest.isGroup(node)) continue;
    expect(children.length).toBeGreaterThan(1);
    let widest = 0;
    for (const a of leaves) for (const b of leaves) widest = Math.max(widest, distance(a, b));
    expect(widest).toBeLessThanOrEqual(forest.widthOf(forest.levelOf(node)) * (1 + 1e-9));
  }
}

/** Complete linkage with a full matrix, for comparison. */
function bruteForce(points: readonly { x: number; y: number; z: number }[], widthM: number): string {
  const clusters = points.map((point, i) => ({ points: [point], members: [i] }));
  const linkage = (a: (typeof clusters)[number], b: (typeof clusters)[number]): number =>
    Math.max(...a.points.flatMap((p) => b.points.map((q) => distance(p, q))));
  for (;;) {
    let [best, at]: [number, [number, number] | undefined] = [widthM, undefined];
    for (let i = 0; i < clusters.length; i++)
      for (let j = i + 1; j < clusters.length; j++) {
        const apart = linkage(clusters[i]!, clusters[j]!);
        if (apart < best || (apart === best && at === undefined)) [best, at] = [apart, [i, j]];
      }
    if (at === undefined) break;
    const [a, b] = [clusters[at[0]]!, clusters.splice(at[1], 1)[0]!];
    a.points.push(...b.points);
    a.members.push(...b.members);
  }
  return JSON.stringify(
    clusters.map(({ members }) => members.sort((a, b) => a - b)).sort((a, b) => a[0]! - b[0]!),
  );
}

describe("complete linkage", () => {
  it("joins as the full matrix does", () => {
    fc.assert(
      fc.property(leavesArbitrary, fc.double({ min: 1, max: 80, noNaN: true }), (leaves, widthM) => {
        const points = leaves.map(({ position }) => position);
        const pairs = points.flatMap((p, i) =>
          points.flatMap((q, j) => (i < j && distance(p, q) <= widthM ? [{ i, j, d: distance(p, q) }] : [])),
        );
        // Equal distances may be joined in either order.
        fc.pre(new Set(pairs.map(({ d }) => d)).size === pairs.length);
        const owner = agglomerate(points.length, {
          count: pairs.length,
          a: Int32Array.from(pairs, ({ i }) => i),
          b: Int32Array.from(pairs, ({ j }) => j),
          distance: Float64Array.from(pairs, ({ d }) => d),
        });
        const clusters = [...Map.groupBy(points.keys(), (i) => owner[i]!).values()].sort(
          (a, b) => a[0]! - b[0]!,
        );
        expect(JSON.stringify(clusters)).toBe(bruteForce(points, widthM));
      }),
      { numRuns: 60 },
    );
  });
});

describe("the forest", () => {
  it("keeps its promises when built", () => {
    fc.assert(
      fc.property(
        leavesArbitrary,
        fc.option(fc.constantFrom(2, 10)),
        fc.constantFrom(2, 6),
        (leaves, firstM, least) => {
          check(
            buildForest(leaves, { ...(firstM === null ? {} : { firstM }), leastChildren: least }),
            leaves,
          );
        },
      ),
      { numRuns: 60 },
    );
  });

  it("has one tree, or as many as the last distance leaves", () => {
    const leaves = [0, 1, 2, 100, 101, 5_000].map((x, i) => ({ id: `p${i}`, position: { x, y: 0, z: 0 } }));
    expect(viewOf(buildForest(leaves)).roots).toHaveLength(1);
    expect(viewOf(buildForest(leaves, { firstM: 2, lastM: 200 })).roots).toHaveLength(2);
    expect(viewOf(buildForest([])).roots).toHaveLength(0);
  });

  it("keeps its promises in a crowd", () => {
    const random = new Random("crowd");
    const leaves = Array.from({ length: 900 }, (_, i) => ({
      id: `c${i}`,
      position: { x: random.normal(0, 2), y: random.normal(0, 2), z: random.range(0, 1) },
    }));
    check(buildForest(leaves, { firstM: 2 }), leaves);
  });

  it("keeps its promises while leaves come and go", () => {
    fc.assert(
      fc.property(leavesArbitrary, leavesArbitrary, fc.integer(), (first, second, seed) => {
        const random = new Random(seed);
        const groups = [
          { id: "floor" },
          { id: "room-a", parent: "floor" },
          { id: "room-b", parent: "floor" },
        ];
        const put = (leaf: ForestLeaf): ForestLeaf => ({
          ...leaf,
          group: random.pick([undefined, "floor", "room-a", "room-b"]),
        });
        const start = first.map(put);
        const forest = buildForest(start, { firstM: 2, groups });
        const there = new Map(start.map((leaf) => [leaf.id, leaf]));
        for (const { id, position } of second) {
          const leaf = put({ id: `new-${id}`, position });
          insertLeaf(forest, leaf);
          there.set(leaf.id, leaf);
          if (random.chance(0.4)) {
            const gone = random.pick([...there.keys()]);
            expect(deleteLeaf(forest, gone)).toBe(true);
            there.delete(gone);
          }
        }
        check(forest, [...there.values()]);
        for (const { id, group } of there.values()) {
          let above = forest.nodeOf(id);
          while (above !== undefined && !forest.isGroup(above)) above = forest.parentOf(above);
          expect(above).toBe(group === undefined ? forest.root : forest.nodeOf(group));
        }
        for (const id of there.keys()) deleteLeaf(forest, id);
        expect(forest.leafCount).toBe(0);
        for (const { id } of groups.reverse()) deleteGroup(forest, id);
        expect([...forest.nodes()]).toEqual([]);
      }),
      { numRuns: 40 },
    );
  });

  it("lets meaning part what is near, when asked", () => {
    const leaves = Array.from({ length: 8 }, (_, i) => ({
      id: `m${i}`,
      position: { x: i * 1.2, y: 0, z: 0 },
      vector: Float32Array.from(i % 2 === 0 ? [1, 0] : [0, 1]),
    }));
    const mixed = buildForest(leaves, { firstM: 4, lastM: 4, distanceShare: 0.4 });
    const plain = buildForest(leaves, { firstM: 4, lastM: 4 });
    const isPure = (forest: Forest): boolean =>
      forest
        .childrenOf(forest.root)
        .every(
          (top) =>
            new Set(forest.leavesOf(top).map((leaf) => Number(forest.idOf(leaf).slice(1)) % 2)).size === 1,
        );
    expect(isPure(mixed)).toBe(true);
    expect(isPure(plain)).toBe(false);
  });

  it("refuses what it cannot place", () => {
    const forest = buildForest([{ id: "a", position: { x: 0, y: 0, z: 0 } }]);
    expect(() => insertLeaf(forest, { id: "a", position: { x: 1, y: 0, z: 0 } })).toThrowError(/already/);
    expect(() => insertLeaf(forest, { id: "b", position: { x: Number.NaN, y: 0, z: 0 } })).toThrowError(
      /finite/,
    );
    expect(() => insertLeaf(forest, { id: "b", position: { x: 0, y: 0, z: 0 }, group: "x" })).toThrowError(
      /no group/,
    );
    expect(() => buildForest([], { firstM: 0 })).toThrowError(/positive/);
    expect(deleteLeaf(forest, "nobody")).toBe(false);
  });
});

describe("records", () => {
  it("of a room that nobody entered say in which map its outline lies", () => {
    const forest = buildForest([{ id: "here", position: { x: 0, y: 0, z: 0 } }], { firstM: 2 });
    forest.putGroup({ id: "seen through the door" });
    const hull = [
      { x: 2, y: 0, z: 0 },
      { x: 5, y: 0, z: 0 },
      { x: 5, y: 4, z: 0 },
    ];
    const records = regionRecords(forest, {
      ...{ sceneId: "default", labels: [], frame: "robot-2.map", sinceUs: () => 1 },
      group: (id) => (id === "seen through the door" ? { type: "room", name: "kitchen", hull } : undefined),
    });
    expect(records.find(({ id }) => id === "seen through the door")).toMatchObject({
      anchor: { submap: "robot-2.map", p: { x: 3.5, y: 2, z: 0 } },
      extent: { x: 3, y: 4, z: 0 },
      hull,
      leaves: 0,
    });
  });
});

describe("summaries", () => {
  const leaves = Array.from({ length: 30 }, (_, i) => ({ id: `s${i}`, position: { x: i, y: 0, z: 0 } }));

  it("are written bottom up, and again only where more than a fifth changed", async () => {
    const forest = buildForest(leaves, { firstM: 2 });
    const asked: number[] = [];
    const summariser = {
      id: "spy",
      parallel: 3,
      summarise: async ({
        leaves: count,
        parts,
      }: {
        leaves: number;
        parts: readonly { name?: string; leaves: number }[];
      }) => {
        asked.push(count);
        for (const part of parts) if (part.leaves > 1) expect(part.name).toBeDefined();
        return { name: `n${count}`, summary: "s", relationships: [] };
      },
    };
    const content = { lines: () => [], things: () => [] };
    await summarise(forest, { summariser, content });
    const inner = [...forest.nodes()].filter((node) => !forest.isLeaf(node)).length;
    expect(asked).toHaveLength(inner + 1);
    expect(asked.at(-1)).toBe(30);
    asked.length = 0;
    await summarise(forest, { summariser, content });
    expect(asked).toEqual([]);
    insertLeaf(forest, { id: "late", position: { x: 0.5, y: 0, z: 0 } });
    expect(viewOf(forest).isDirty(viewOf(forest).site)).toBe(false);
    await summarise(forest, { summariser, content });
    expect(asked.length).toBeGreaterThan(0);
    expect(asked).not.toContain(31);
    asked.length = 0;
    await summarise(forest, { summariser, content, all: true });
    expect(asked).toContain(31);
  });

  it("say what is there without a model", async () => {
    const things = await extractiveSummariser.summarise({
      type: "cluster",
      leaves: 2,
      parts: [],
      things: [
        { category: "chair", count: 4 },
        { category: "piano", count: 1 },
      ],
      commonness: (category) => (category === "chair" ? 0.9 : 0.1),
    });
    expect(things.name).toBe("around the piano and chair");
    expect(things.summary).toBe("Around the piano and chair has a piano and 4 chairs.");
    const words = await extractiveSummariser.summarise({
      type: "cluster",
      leaves: 2,
      parts: [{ lines: ["A quiet library with tall shelves. Somebody reads."], leaves: 1 }],
      things: [],
      words: [
        { word: "library", weight: 2 },
        { word: "shelves", weight: 1 },
      ],
    });
    expect(words).toEqual({
      name: "library and shelves",
      summary: "A quiet library with tall shelves. Somebody reads.",
      relationships: [],
    });
  });
});
