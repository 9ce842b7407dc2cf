import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { fromYaw } from "../../geometry/index.ts";
import type { SceneMap } from "../../map/index.ts";
import { openTestMemory, type TestMemory } from "../../retrieval/testing/small-memory.ts";
import { Effort } from "../../schema/core.ts";
import { searchByKeys } from "./keys.ts";
import { LoopMemory, type LoopMemoryOptions } from "./loop-memory.ts";
import { recordsText } from "./record-lines.ts";
import { TOOLS, ToolRunner } from "./tools.ts";
import { EXAMPLES } from "./tools-query.ts";

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
  const body = JSON.parse(result!.text) as Partial<Record<"records" | "rooms", string[]>> &
    Partial<Record<"error" | "sides" | "help" | "new", string>>;
  const ids = (body.records ?? []).map((line) => memory.known(line.split(" ")[0]!)?.id);
  return { ...body, result: result!, ids };
};

describe("the tools", () => {
  it("find each thing once, as it was last, on one line", async () => {
    const { ids, records } = await run("search", { text: "red mug" });
    expect(ids).toContain("mug2");
    expect(ids).not.toContain("mug1");
    // Its kind, place, size, earlier places, and times seen.
    expect(records![ids.indexOf("mug2")]).toMatch(
      /^t\d+ mug · bedroom · 10×10×10 cm .*moved: kitchen 00:00:00–00:08:20 · seen 00:\d\d:\d\d–/,
    );
    expect((await run("search", { text: "mug", room: "kitchen" })).ids).not.toContain("mug2");
    expect((await run("search", { text: "mug2" })).ids).toEqual(["mug2"]);
  });

  it("find what is near now, and what was near then, in the same room", async () => {
    expect((await run("search", { near: "table" })).ids).toContain("blue");
    expect((await run("search", { near: "table" })).ids).not.toContain("mug1");
    const then = await run("search", { near: "table", from: "1970-01-01 00:01:00", to: "00:02:00" });
    expect(then.ids).toEqual(expect.arrayContaining(["blue", "mug1"]));
    expect((await run("search", { near: "round wooden table" })).ids).toContain("blue");
    expect((await run("search", { near: "no such thing at all" })).error ?? "").toMatch(
      /^$|no thing is called/,
    );
  });

  it("are refused what costs too much, as any question is", async () => {
    const all = 'total(things(), count(relate(things(), it(), relation: "near", withinM: 1000)))';
    const { error } = await run("query", { expr: all }, memoryOf({ effort: new Effort({ units: 10 }) }));
    expect(error).toMatch(/costs more than 10 steps/);
  });

  it("tell left from right, and say whose left it is", async () => {
    // From (2, 2) facing east the stove (1, 1) is behind to the right, the table (3, 3) ahead to the left.
    expect((await run("search", { side: "front" })).ids).not.toContain("stove");
    const turned = memoryOf({ pose: { p: { x: 2, y: 2, z: 0.5 }, q: fromYaw(Math.PI / 4) } });
    expect((await run("search", { near: "me", side: "front" }, turned)).ids).toContain("table");
    expect((await run("search", { side: "behind" }, turned)).ids).toContain("stove");
    // The bed faces east; the lamp stands in front of it.
    const bed = await run("search", { near: "bed", side: "front" });
    expect(bed.ids).toContain("lamp");
    expect(bed).toMatchObject({ sides: "by its own front" });
    const nowhere = memoryOf({ pose: undefined });
    expect((await run("search", { side: "front" }, nowhere)).error).toMatch(/not known where the robot is/);
  });

  it("find what was said, each sentence once, and what happened in order", async () => {
    const { ids, records } = await run("search", { kind: "captions", from: 1_000 });
    expect(ids).toEqual(["kitchen-a", "bedroom-a"]);
    expect(records![0]).toMatch(/\(2×\): A white stove/);
    expect((await run("search", { kind: "events" })).records).toEqual([
      "e1 00:09:10, witnessed · the mug was moved · t1 · bedroom",
    ]);
  });

  it("tell changes between two times, and whether they were witnessed", async () => {
    expect(await run("changes", { from: 500 })).toMatchObject({ changes: { move: 1 }, ids: ["moved"] });
    expect(await run("changes", { from: 500, room: "kitchen" })).toMatchObject({ changes: {} });
    expect(await run("changes", { from: 100 })).toMatchObject({ changes: {}, records: [] });
  });

  it("answer expressions, now or then, with what they rest on", async () => {
    const mugs = await run("query", { expr: 'count(things(category: "mug"))' });
    expect(mugs.result.count).toBe(2);
    expect(mugs.ids.sort()).toEqual(["blue", "mug2"]);
    const inKitchen = 'count(in(things(category: "mug"), rooms(name: "kitchen")))';
    expect((await run("query", { expr: inKitchen })).result.count).toBe(1);
    const then = await run("query", { expr: `at(${inKitchen}, moment("00:01:00"))` });
    expect(then.result.count).toBe(2);
  });

  it.each([
    ['count(things(categry: "mug"))', /categry.*options category, colour/s],
    ["count(things(category: mug))", /expected a word in quotes.*such as count\(/s],
    ["cuont(things())", /there is no operator cuont. the operators are .*count/s],
    ['area(rooms(name: "kitchen"))', /no operator area. size\(.*as in size\(rooms\(.*dimension: "area"/s],
    ['most(things(), by: "height")', /most\(set: .*as in name\(most\(.*size\(it\(\)/s],
    ['at(count(things()), moment("late"))', /clock time such as "09:05:23", got "late"/],
    ["greater(things(), things())", /greater\(a: number/],
  ])("say of %s how it is written", async (expr, problem) => {
    expect((await run("query", { expr })).error).toMatch(problem);
  });

  it("explain an operator", async () => {
    expect(await run("query", { expr: "help(relate)" })).toMatchObject({ help: /^relate\(set: things/ });
  });

  it("list a room's things with their sides, and all rooms", async () => {
    const kitchen = await run("room", { room: "Kitchen" });
    expect(kitchen).toMatchObject({
      contents: { stove: 1, fridge: 1, table: 1, mug: 1 },
      sides: "as the robot stands and looks now",
    });
    expect(kitchen.records).toContainEqual(expect.stringMatching(/^t\d+ table · .* · front left 1\.4 m$/));
    const bedroom = await run("room", { room: "bedroom" });
    expect(bedroom["sides"]).toMatch(/^the robot is in the kitchen; /);
    const memory = memoryOf();
    const { rooms } = (await run("room", {}, memory)) as unknown as { rooms: string[] };
    expect(rooms.map((line) => line.split(" ")[1]).sort()).toEqual(["bedroom", "kitchen"]);
    // The record of a line may be cited by the id at its beginning.
    expect(rooms.map((line) => memory.known(line.split(" ")[0]!)?.kind)).toEqual(["region", "region"]);
    expect((await run("room", { room: "attic" })).error).toMatch(/there are .*kitchen/);
  });

  it("measure ways by the map where there is one", async () => {
    expect(await run("route", { to: "bed" })).toMatchObject({ straightM: 6.09, pathM: null });
    const map = { nearestReachable: () => ({ x: 7, y: 1, z: 0 }), path: () => ({ lengthM: 7.5 }) };
    const memory = memoryOf({ map: async () => map as unknown as SceneMap });
    expect(await run("route", { to: "bed", from: "stove" }, memory)).toMatchObject({ pathM: 7.5 });
  });

  it.each(["stove", "kitchen-a", "v1", "00:00:01"])("show pictures of %s", async (at) => {
    const memory = memoryOf();
    const { result, ...told } = await run("look", { at }, memory);
    expect(result.images).toHaveLength(1);
    expect(told).toMatchObject({
      pictures: ["p1"],
      captions: [expect.stringMatching(/^p1 · .*shows t\d+ stove$/)],
    });
    expect(memory.known("p1")?.id).toBe("v1");
    // The contents of a picture may be cited; nothing else was shown.
    expect(memory.shown().map(({ id }) => id)).toEqual(["v1"]);
    expect(memory.known(memory.evidence.ids.known("t-stove")!)?.id).toBe("stove");
    expect(memory.known("bed")).toBeUndefined();
  });

  it.each(Object.entries(EXAMPLES))("compute the example of %s as it is written", async (name, expr) => {
    const { error } = await run("query", { expr });
    expect(error).toBeUndefined();
    expect((await run("query", { expr: `help(${name})` })).help).toContain(expr);
  });
  it("say that a search found nothing new", async () => {
    const m = memoryOf();
    expect((await run("search", { text: "red mug" }, m)).new).toBeUndefined();
    expect((await run("search", { text: "mug that is red" }, m)).new).toMatch(/shown before/);
  });
  it("tell the area of a room and its sides, wherever a room is told", async () => {
    const m = memoryOf();
    const [line] = (await run("room", { room: "kitchen" }, m)).rooms!;
    expect(line).toMatch(/^r\d+ kitchen · \d+ m², .* by .* · /);
    expect(await recordsText(await m.get(["kitchen"]), m, 500)).toBe(line);
  });
  it("search several rooms at once", async () => {
    const found = await run("search_objects", { text: "mug", room: ["kitchen", "bedroom"] });
    expect(found.ids.sort()).toEqual(["blue", "mug2"]);
    expect((await run("search_objects", { text: "mug", room: ["kitchen", "loft"] })).error).toMatch(/"loft"/);
  });
  it("tell what is wrong with a call", async () => {
    expect((await run("look", {})).error).toMatch(/at/);
    expect((await run("look", { at: "nobody" })).error).toMatch(/expected the id of .*got "nobody"/);
    expect((await run("look", { at: "bed" })).error).toMatch(/no picture was kept of bed/);
    expect((await run("search", { text: "mug", side: "upwards" })).error).toMatch(/side/);
    for (const { spec } of TOOLS.values()) expect(spec.input).toMatchObject({ type: "object" });
  });

  it("cost few tokens to offer, with an example for each measure", () => {
    const chars = [...TOOLS.values()].reduce((sum, { spec }) => sum + JSON.stringify(spec).length, 0);
    expect(chars / 4).toBeLessThan(500);
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
