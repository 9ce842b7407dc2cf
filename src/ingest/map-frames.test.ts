import { expect, test } from "vitest";
import { FrameGraph, fromYaw, yawOf } from "../geometry/index.ts";
import { MapFrames } from "./map-frames.ts";

const edge = (parent: string, child: string, x: number, revision = 0) => ({
  parent,
  child,
  transform: { p: { x, y: 0, z: 0 }, q: fromYaw(0) },
  kind: "submap" as const,
  revision,
});

test("a new piece of map is no correction, a moved one is", () => {
  const frames = new MapFrames(new FrameGraph([]));
  expect(frames.add([edge("world", "submap-1", 1)])).toBe(false);
  expect(frames.add([edge("world", "submap-2", 5, 3)])).toBe(false);
  expect(frames.add([edge("world", "submap-1", 1, 4)])).toBe(false);
  expect(frames.add([edge("world", "submap-1", 1.2, 5)])).toBe(true);
  expect(frames.rootFrom("submap-1")?.p.x).toBe(1.2);
});

test("an edge that is there already is no news, the same one elsewhere or in another revision is", () => {
  const frames = new MapFrames(new FrameGraph([]));
  frames.add([edge("world", "submap-1", 1)]);
  const moved = [edge("world", "submap-1", 1.5), edge("world", "submap-1", 1, 2)];
  expect(frames.news([edge("world", "submap-1", 1), ...moved])).toEqual(moved);
});

test("what hangs from nothing is a map of its own until it is aligned", () => {
  const frames = new MapFrames(new FrameGraph([]));
  frames.add([edge("robot-2.map", "submap-9", 2)]);
  expect(["submap-9", "world", "robot-2.map"].map((frame) => frames.knows(frame))).toEqual([
    true,
    true,
    false,
  ]);
  expect(frames.rootOf("submap-9")).toBe("robot-2.map");
  expect(frames.rootFrom("submap-9")?.p.x).toBe(2);
  frames.add([edge("world", "robot-2.map", 10, 1)]);
  expect(frames.rootOf("submap-9")).toBe("world");
  expect(frames.rootFrom("submap-9")?.p.x).toBe(12);
});

test("edges that contradict each other are refused with a reason", () => {
  const frames = new MapFrames(new FrameGraph([]));
  frames.add([edge("world", "submap-1", 1)]);
  expect(() => frames.add([edge("world", "submap-1", 2)])).toThrow(/contradict/);
});

test("an upright frame lies along the axes of the map, is made once, and follows corrections", () => {
  const frames = new MapFrames(new FrameGraph([]));
  const turned = (yaw: number, revision: number) => ({
    ...edge("world", "submap-1", 1, revision),
    transform: { p: { x: 1, y: 2, z: 0 }, q: fromYaw(yaw) },
  });
  frames.add([turned(1, 0)]);
  const first = frames.uprightOf("submap-1", frames.rootFrom("submap-1")!);
  expect(first.edges).toHaveLength(1);
  const world = frames.rootFrom(first.frame)!;
  expect(world.p).toEqual({ x: 1, y: 2, z: 0 });
  expect(yawOf(world.q)).toBeCloseTo(0, 12);
  frames.add([turned(1.1, 1)]);
  expect(frames.uprightOf("submap-1", frames.rootFrom("submap-1")!)).toMatchObject({
    frame: first.frame,
    edges: [],
  });
  expect(yawOf(frames.rootFrom(first.frame)!.q)).toBeCloseTo(0.1, 12);
  expect(frames.uprightOf("world", frames.rootFrom("world")!).edges).toEqual([]);
});
