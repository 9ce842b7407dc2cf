import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromYaw } from "../../geometry/index.ts";
import type { SceneMap } from "../../map/index.ts";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import { searchByKeys } from "./keys.ts";
import { LoopMemory, type LoopMemoryOptions } from "./loop-memory.ts";
import { TOOLS, ToolRunner } from "./tools.ts";

let memory: TestMemory;
beforeAll(async () => {
  memory = await openTestMemory();
});
afterAll(() => memory.close());

const memoryOf = (more: Partial<LoopMemoryOptions> = {}) => {
  const { reader, embedder, nowUs, pose } = memory;
  return new LoopMemory({ reader, embedder, nowUs, pose, ...more });
};
const run = async (tool: string, input: object, memory = memoryOf()) => {
  const [result] = await new ToolRunner(memory).run([{ tool, input }]);
  const body = JSON.parse(result!.text) as { records?: string[]; error?: string } & Record<string, unknown>;
  return {
    ...body,
    result: result!,
    ids: (body.records ?? []).map((line) => /^\[([^\]]+)\]/.exec(line)?.[1]),
  };
};

describe("the tools", () => {
  it("find each thing once, as it was last", async () => {
    const { ids } = await run("search_objects", { text: "red mug" });
    expect(ids).toContain("mug2");
    expect(ids).not.toContain("mug1");
    expect((await run("search_objects", { text: "mug", room: "kitchen" })).ids).not.toContain("mug2");
  });

  it("find what is near now, and what was near then", async () => {
    expect((await run("search_near", { id: "table", radiusM: 1 })).ids).toEqual(["blue"]);
    const then = await run("search_near", {
      id: "table",
      radiusM: 1,
      from: "1970-01-01 00:01:00",
      to: "00:02:00",
    });
    expect(then.ids.sort()).toEqual(["blue", "mug1"]);
    expect((await run("search_near", { x: 9.4, y: 0.6, z: 0.5, radiusM: 0.5 })).ids).toEqual([
      "bed",
      "lamp",
      "mug2",
    ]);
  });

  it("tell left from right, by the robot's eyes or a thing's own front", async () => {
    // From (2, 2) facing east the stove (1, 1) is behind to the right, the table (3, 3) ahead to the left.
    const all = { id: "me", radiusM: 3 };
    expect((await run("search_near", { ...all, direction: "front" })).ids).not.toContain("stove");
    const turned = memoryOf({ pose: { p: { x: 2, y: 2, z: 0.5 }, q: fromYaw(Math.PI / 4) } });
    expect((await run("search_near", { ...all, direction: "front" }, turned)).ids).toContain("table");
    expect((await run("search_near", { ...all, direction: "behind" }, turned)).ids).toContain("stove");
    // The bed faces east; the lamp stands in front of it.
    expect((await run("search_near", { id: "bed", radiusM: 3, direction: "front" })).ids).toContain("lamp");
    const nowhere = memoryOf({ pose: undefined });
    expect((await run("search_near", { id: "table", direction: "left" }, nowhere)).error).toMatch(
      /somebody who looks/,
    );
    expect((await run("search_near", { id: "me" }, nowhere)).error).toMatch(/not known where the robot is/);
  });

  it("find by time, in order", async () => {
    const { ids } = await run("search_time", { from: 400, to: 0 });
    expect(ids).toEqual(["kitchen-b", "bedroom-b"]);
  });

  it("tell changes between two times", async () => {
    expect(await run("diff", { from: 500 })).toMatchObject({ changes: { move: 1 }, ids: ["moved"] });
    expect(await run("diff", { from: 100 })).toMatchObject({ changes: {} });
  });

  it("count different things, now or then", async () => {
    expect((await run("count", { category: "mugs" })).result.count).toBe(2);
    expect((await run("count", { category: "mug", room: "kitchen" })).result.count).toBe(1);
    expect((await run("count", { category: "mug", room: "kitchen", from: 999, to: 900 })).result.count).toBe(
      2,
    );
  });

  it("tell all places of a thing", async () => {
    expect((await run("get_record", { id: "mug2" })).ids.sort()).toEqual(["mug1", "mug2"]);
  });

  it("describe a region and name them all", async () => {
    const kitchen = await run("describe_region", { room: "Kitchen" });
    expect(kitchen).toMatchObject({ contents: { stove: 1, fridge: 1, table: 1, mug: 1 } });
    expect(kitchen.ids).toContain("kitchen");
    expect(await run("describe_region", {})).toMatchObject({
      regions: ["bedroom (room)", "flat (site)", "kitchen (room)"],
    });
  });

  it("measure ways by the map where there is one", async () => {
    expect(await run("path", { to: "bed" })).toMatchObject({ straightM: 6.09, pathM: null });
    const map = { nearestReachable: () => ({ x: 7, y: 1, z: 0 }), path: () => ({ lengthM: 7.5 }) };
    const memory = memoryOf({ map: async () => map as unknown as SceneMap });
    expect(await run("path", { to: "bed", from: "stove" }, memory)).toMatchObject({ pathM: 7.5 });
  });

  it("show pictures, and put only what was shown into the book", async () => {
    const memory = memoryOf();
    const { result, ids } = await run("get_view", { id: "kitchen-a" }, memory);
    expect(result.images).toHaveLength(1);
    expect(ids).toEqual(["v1"]);
    expect(memory.shown().map(({ id }) => id)).toEqual(["v1"]);
    expect(memory.known("bed")).toBeUndefined();
  });

  it("tell what is wrong with a call", async () => {
    expect((await run("search_text", {})).error).toMatch(/text/);
    expect((await run("get_record", { id: "nobody" })).error).toMatch(/no record has the id/);
    expect((await run("search_objects", { text: "mug", limit: 1e6 })).error).toBeDefined();
    for (const { spec } of TOOLS.values()) expect(spec.input).toMatchObject({ type: "object" });
  });
});

describe("the keys", () => {
  const search = async (keys: object, level: number) => {
    const memory = memoryOf();
    memory.level = level;
    const results = await searchByKeys(
      { semantic: [], ...keys },
      "Where is it?",
      memory,
      new ToolRunner(memory),
    );
    return results.map(({ call }) => ({ tool: call.tool, ...(call.input as Record<string, unknown>) }));
  };

  it("widen by the schedule: twice the hits and the radius, three times the time", async () => {
    const keys = { semantic: ["mug"], room: "kitchen", fromAgoS: 60, toAgoS: 30 };
    expect((await search(keys, 0))[0]).toEqual({
      tool: "search_objects",
      text: "mug",
      room: "kitchen",
      from: 60,
      to: 30,
      limit: 8,
    });
    expect((await search(keys, 1))[0]).toMatchObject({ room: "kitchen", from: 90, to: 0, limit: 16 });
    expect((await search(keys, 3))[0]).toEqual({ tool: "search_objects", text: "mug", limit: 64 });
    const near = { near: "round wooden table", withinM: 1 };
    expect((await search(near, 0)).filter(({ tool }) => tool === "search_near")[0]).toMatchObject({
      radiusM: 1,
    });
    expect((await search(near, 2)).filter(({ tool }) => tool === "search_near")[0]).toMatchObject({
      radiusM: 4,
    });
  });

  it("fall back on the whole question, and ignore a room that is not there", async () => {
    expect((await search({}, 0)).map((call) => "text" in call && call.text)).toEqual([
      "Where is it?",
      "Where is it?",
    ]);
    expect((await search({ semantic: ["mug"], room: "cellar" }, 0))[0]).not.toHaveProperty("room");
  });

  it("take in neighbouring rooms at the second step", async () => {
    const memory = memoryOf();
    expect((await memory.regionsNamed("kitchen")).map(({ id }) => id)).toEqual(["kitchen"]);
    memory.level = 2;
    expect((await memory.regionsNamed("kitchen")).map(({ id }) => id).sort()).toEqual(["bedroom", "kitchen"]);
  });

  it("let weaker likenesses in as they widen", async () => {
    const found = async (level: number) => {
      const memory = memoryOf({ background: { mean: 0, sd: 0.3 } });
      memory.level = level;
      return (await memory.search({ kinds: ["state"], limit: 50 }, "mugs")).length;
    };
    expect(await found(0)).toBeLessThan(await found(2));
  });
});
