import * as fc from "fast-check";
import { expect, test } from "vitest";
import { type FrameEdge, FrameGraph, NOWHERE } from "./frame-graph.ts";
import { fromYaw, yawOf } from "./quat.ts";
import { anyTransform } from "./testing/arbitraries.ts";
import { compose, IDENTITY, invert, type Transform, transformDelta } from "./transform.ts";
import { distance, vec3 } from "./vec3.ts";

const move = (x: number, y = 0, yawRad = 0): Transform => ({ p: vec3(x, y, 0), q: fromYaw(yawRad) });
const edge = (
  parent: string,
  child: string,
  transform: Transform,
  rest: Partial<FrameEdge> = {},
): FrameEdge => ({
  parent,
  child,
  transform,
  stampUs: null,
  kind: "submap",
  revision: 0,
  ...rest,
});
const odom = (stampUs: number, transform: Transform, revision = 0): FrameEdge =>
  edge("odom", "base", transform, { stampUs, kind: "odom", revision });
const same = (actual: Transform | undefined, expected: Transform) => {
  expect(actual).toBeDefined();
  const delta = transformDelta(actual!, expected);
  expect(delta.translationM).toBeLessThan(1e-9);
  expect(delta.rotationRad).toBeLessThan(1e-9);
};

test("a chain composes, an inverse inverts, siblings meet at their ancestor", () => {
  const graph = new FrameGraph([
    edge("world", "map", move(1, 0, Math.PI / 2)),
    edge("map", "a", move(2)),
    edge("map", "b", move(0, 3)),
  ]);
  same(graph.resolve("world", "a"), move(1, 2, Math.PI / 2));
  same(graph.resolve("a", "world"), invert(move(1, 2, Math.PI / 2)));
  same(graph.resolve("a", "b"), move(-2, 3));
  expect(graph.resolve("map", "a")).toEqual(move(2));
  expect(graph.resolve("a", "a")).toEqual(IDENTITY);
  expect(graph.frames()).toEqual(["a", "b", "map", "world"]);
});

test("any path through random trees agrees with composing by hand", () => {
  const tree = fc
    .array(fc.tuple(fc.nat(100), anyTransform), { minLength: 2, maxLength: 12 })
    .map((list) => list.map(([pick, t], i) => edge(i === 0 ? "world" : `f${pick % i}`, `f${i}`, t)));
  fc.assert(
    fc.property(tree, fc.nat(100), fc.nat(100), (edges, i, j) => {
      const graph = new FrameGraph(edges);
      const poses = new Map<string, Transform>([["world", IDENTITY]]);
      for (const { parent, child, transform } of edges)
        poses.set(child, compose(poses.get(parent)!, transform));
      const [a, b] = [`f${i % edges.length}`, `f${j % edges.length}`];
      const delta = transformDelta(graph.resolve(a, b)!, compose(invert(poses.get(a)!), poses.get(b)!));
      expect(delta.translationM).toBeLessThan(1e-8);
      expect(delta.rotationRad).toBeLessThan(1e-8);
    }),
  );
});

test("unknown and unconnected frames do not resolve", () => {
  const graph = new FrameGraph([edge("world", "a", move(1)), edge("island", "b", move(2))]);
  expect(graph.resolve("a", "b")).toBeUndefined();
  expect(graph.resolve("world", "nowhere")).toBeUndefined();
  expect(graph.resolve("nowhere", "nowhere")).toBeUndefined();
  expect(new FrameGraph([]).resolve("world", "world")).toEqual(IDENTITY);
  expect(new FrameGraph([]).revision).toBe(0);
});

test("a trajectory interpolates between its samples and holds nowhere else", () => {
  const graph = new FrameGraph([
    odom(2000, move(4, 0, 1)),
    odom(1000, move(0)),
    edge("base", "camera", move(0, 1)),
  ]);
  const at = (timeUs: number) => graph.resolve("odom", "base", { timeUs });
  expect(at(1000)).toEqual(move(0));
  expect(at(2000)).toEqual(move(4, 0, 1));
  expect(at(1250)!.p).toEqual(vec3(1, 0, 0));
  expect(yawOf(at(1250)!.q)).toBeCloseTo(0.25, 12);
  expect(at(999)).toBeUndefined();
  expect(at(2001)).toBeUndefined();
  expect(graph.resolve("odom", "base")).toBeUndefined();
  expect(graph.resolve("base", "camera")).toEqual(move(0, 1));
  expect(graph.resolve("camera", "base", { timeUs: 5 })).toBeDefined();
  same(graph.resolve("odom", "camera", { timeUs: 1000 }), move(0, 1));
});

test("static edges hold at all times even when stamped", () => {
  const graph = new FrameGraph([
    edge("base", "lidar", move(1), { kind: "static", stampUs: 50 }),
    edge("base", "lidar", move(1), { kind: "static", stampUs: 90 }),
  ]);
  expect(graph.resolve("base", "lidar")).toEqual(move(1));
  expect(graph.resolve("base", "lidar", { timeUs: 10 })).toEqual(move(1));
});

test("a later revision replaces, an earlier one stays readable", () => {
  const first = new FrameGraph([edge("world", "s1", move(1)), edge("world", "s2", move(5), { revision: 2 })]);
  const graph = first.withEdges([edge("world", "s1", move(3), { revision: 4, kind: "loop" })]);
  expect(graph.revision).toBe(4);
  expect(first.revision).toBe(2);
  const x = (g: FrameGraph, frame: string, revision?: number) =>
    g.resolve("world", frame, revision === undefined ? {} : { revision })?.p.x;
  expect(x(graph, "s1")).toBe(3);
  expect(x(graph, "s1", 3)).toBe(1);
  expect(x(graph, "s1", 99)).toBe(3);
  expect(x(first, "s1")).toBe(1);
  expect(x(graph, "s2", 1)).toBeUndefined();
  expect(x(graph, "s2", 2)).toBe(5);
  expect(x(graph, "s1", -1)).toBeUndefined();
});

test("a revised trajectory replaces the whole of the old one", () => {
  const graph = new FrameGraph([odom(0, move(0)), odom(100, move(1)), odom(50, move(9), 1)]);
  expect(graph.resolve("odom", "base", { timeUs: 50 })!.p.x).toBe(9);
  expect(graph.resolve("odom", "base", { timeUs: 60 })).toBeUndefined();
  expect(graph.resolve("odom", "base", { timeUs: 60, revision: 0 })!.p.x).toBeCloseTo(0.6, 12);
});

test("a later revision may hang a frame from another parent", () => {
  const graph = new FrameGraph([
    edge("world", "a", move(1)),
    edge("other", "robot", move(1)),
    edge("a", "robot", move(2), { revision: 1, kind: "alignment" }),
  ]);
  expect(graph.resolve("world", "robot", { revision: 0 })).toBeUndefined();
  same(graph.resolve("world", "robot"), move(3));
  expect(graph.resolve("other", "robot")).toBeUndefined();
});

test("a frame that was taken off hangs from nothing until it is hung up again", () => {
  const joined = new FrameGraph([edge("world", "robot", move(2)), edge("robot", "submap", move(1))]);
  expect([joined.topOf("submap"), joined.isTakenOff("robot")]).toEqual(["world", false]);
  const off = joined.withEdges([edge(NOWHERE, "robot", IDENTITY, { revision: 1, kind: "alignment" })]);
  expect([off.topOf("submap"), off.isTakenOff("robot")]).toEqual(["robot", true]);
  expect(off.resolve("world", "submap")).toBeUndefined();
  same(off.resolve("robot", "submap"), move(1));
  same(off.resolve("world", "submap", { revision: 0 }), move(3));
  expect(off.frames()).not.toContain(NOWHERE);
  const again = off.withEdges([edge("world", "robot", move(5), { revision: 2, kind: "alignment" })]);
  expect([again.topOf("submap"), again.isTakenOff("robot")]).toEqual(["world", false]);
});

test("contradictions throw, repetitions do not", () => {
  const a = edge("world", "a", move(1));
  expect(() => new FrameGraph([a, edge("map", "a", move(1))])).toThrow(/two parents/);
  expect(() => new FrameGraph([a, edge("world", "a", move(2))])).toThrow(RangeError);
  expect(() => new FrameGraph([a, edge("world", "a", move(1), { stampUs: 1, kind: "odom" })])).toThrow(
    RangeError,
  );
  expect(() => new FrameGraph([odom(5, move(1)), odom(5, move(2))])).toThrow(RangeError);
  expect(() => new FrameGraph([a]).withEdges([edge("map", "a", move(1))])).toThrow(/two parents/);
  expect(new FrameGraph([a, a, odom(5, move(1)), odom(5, move(1))]).frames()).toContain("a");
});

test("cycles throw, at whichever revision they close", () => {
  const ab = edge("a", "b", move(1));
  expect(() => new FrameGraph([ab, edge("b", "a", move(1))])).toThrow(/cycle/);
  expect(() => new FrameGraph([edge("a", "a", move(1))])).toThrow(RangeError);
  expect(
    () => new FrameGraph([ab, edge("world", "a", move(1)), edge("b", "a", move(1), { revision: 3 })]),
  ).toThrow(/cycle.*revision 3/);
  const healed = [ab, edge("b", "a", move(1), { revision: 3 }), edge("world", "b", move(1), { revision: 3 })];
  same(new FrameGraph(healed).resolve("world", "a"), move(2));
});

test("poisoned edges are refused, single precision is repaired", () => {
  const bad = (rest: Partial<FrameEdge>) => () => new FrameGraph([edge("world", "a", move(1), rest)]);
  expect(bad({ transform: move(Number.NaN) })).toThrow(/finite/);
  expect(bad({ transform: { p: vec3(0, 0, 0), q: { w: 0, x: 0, y: 0, z: 0 } } })).toThrow(RangeError);
  expect(bad({ revision: 0.5 })).toThrow(/revision/);
  expect(bad({ revision: -1 })).toThrow(/revision/);
  expect(bad({ stampUs: 1.5 })).toThrow(/microseconds/);
  const rough = { w: Math.fround(Math.cos(0.3)), x: 0, y: 0, z: Math.fround(Math.sin(0.3)) };
  const q = new FrameGraph([edge("world", "a", { p: vec3(0, 0, 0), q: rough })]).resolve("world", "a")!.q;
  expect(Math.abs(q.w * q.w + q.z * q.z - 1)).toBeLessThan(1e-15);
});

test("changedFrames names what moved more than 2 cm or 0.5°, descendants included", () => {
  const graph = new FrameGraph([
    ...["still", "slid", "nudged", "turned", "twitched"].map((frame) => edge("world", frame, move(1))),
    edge("slid", "cup", move(1)),
    edge("world", "slid", move(1.03), { revision: 1 }),
    edge("world", "nudged", move(1.019), { revision: 1 }),
    edge("world", "turned", move(1, 0, 0.01), { revision: 1 }),
    edge("world", "twitched", move(1, 0, 0.008), { revision: 1 }),
    edge("world", "new", move(7), { revision: 1 }),
    edge("nowhere", "lost", move(7), { revision: 1 }),
  ]);
  const changed = graph.changedFrames(0, 1);
  expect(changed.map(({ frame }) => frame)).toEqual(["cup", "new", "slid", "turned"]);
  expect(changed[0]).toEqual({ frame: "cup", before: move(2), after: move(1.03 + 1) });
  expect(changed[1]).toEqual({ frame: "new", after: move(7) });
  expect(graph.changedFrames(1, 0).find(({ frame }) => frame === "new")).toEqual({
    frame: "new",
    before: move(7),
  });
  expect(graph.changedFrames(0, 0)).toEqual([]);
  const strict = graph.changedFrames(0, 1, { translationM: 0, rotationRad: 0 });
  expect(strict.map(({ frame }) => frame)).toEqual(["cup", "new", "nudged", "slid", "turned", "twitched"]);
});

test("many revisions in turn stay right although only some are cached", () => {
  const edges = Array.from({ length: 30 }, (_, revision) => edge("world", "s", move(revision), { revision }));
  const graph = new FrameGraph(edges);
  for (let round = 0; round < 3; round++) {
    for (let revision = 0; revision < 30; revision++) {
      expect(graph.resolve("world", "s", { revision })!.p.x).toBe(revision);
    }
  }
});

test("a hundred thousand anchors over three hundred submaps do not rebuild poses", () => {
  const edges = Array.from({ length: 300 }, (_, i) =>
    edge(i === 0 ? "world" : `s${i - 1}`, `s${i}`, move(0.1)),
  );
  const graph = new FrameGraph(edges);
  const poses = edges.map(({ child }) => graph.resolve("world", child)!);
  let rebuilt = 0;
  for (let i = 0; i < 100_000; i++) if (graph.resolve("world", `s${i % 300}`) !== poses[i % 300]) rebuilt++;
  expect(rebuilt).toBe(0);
  expect(distance(poses[299]!.p, vec3(30, 0, 0))).toBeLessThan(1e-9);
});
