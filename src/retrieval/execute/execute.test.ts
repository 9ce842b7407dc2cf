import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { isLociError, RECORD_KINDS } from "../../schema/core.ts";
import { type Plan, parsePlan } from "../plan/plan.ts";
import type { StepInput } from "../plan/steps.ts";
import { NOW_US, openTestMemory, type TestMemory } from "../testing/small-memory.ts";
import { type Execution, executePlan } from "./execute.ts";
import type { PlanContext } from "./run.ts";

const S = 1_000_000;
let memory: TestMemory;
beforeAll(async () => {
  memory = await openTestMemory();
});
afterAll(() => memory.close());

const planOf = (...steps: StepInput[]): Plan => parsePlan({ version: 1, steps, out: steps.at(-1)!.as });
const run = (steps: StepInput[], context: Partial<PlanContext> = {}): Promise<Execution> =>
  executePlan(planOf(...steps), { ...memory, ...context });
const ids = async (...steps: StepInput[]) => (await run(steps)).items.map(({ id }) => id);
const sem = (text: string, rest: object = {}): StepInput => ({
  as: "a",
  op: "sem",
  kinds: ["state"],
  text,
  ...rest,
});

describe("sources", () => {
  it("by meaning, by words, all, recent, given", async () => {
    expect((await ids(sem("green reading lamp")))[0]).toBe("lamp");
    expect(await ids({ as: "a", op: "lex", kinds: ["state"], text: "fridge" })).toEqual(["fridge"]);
    expect(await ids({ as: "a", op: "all", kinds: ["caption"] })).toEqual([
      "kitchen-a",
      "bedroom-a",
      "kitchen-b",
      "bedroom-b",
    ]);
    expect(await ids({ as: "a", op: "recent", kinds: ["caption"], k: 1 })).toEqual(["bedroom-b"]);
    expect(await ids({ as: "a", op: "given", ids: ["bed", "nobody"] })).toEqual(["bed"]);
  });

  it("spreads evenly over time, under a constraint too", async () => {
    const spread: StepInput = { as: "a", op: "uniform", kinds: ["caption"], k: 2 };
    expect(await ids(spread)).toEqual(["bedroom-a", "bedroom-b"]);
    expect(await ids(spread, { as: "b", op: "before", from: "a", time: 100 * S })).toEqual([
      "kitchen-a",
      "bedroom-a",
    ]);
  });

  it("weighs concepts: a word itself beats one that may stand for it", async () => {
    const concepts = [{ words: "icebox", same: ["fridge"], kinds: ["stove"] }];
    const stood = await run([{ as: "a", op: "concepts", kinds: ["state"], concepts }]);
    expect(new Set(stood.items.map(({ id }) => id))).toEqual(new Set(["fridge", "stove"]));
    expect(stood.items[0]!.scores.words).toBe(stood.items[0]!.score);
    const own = [{ words: "stove", same: ["fridge"] }];
    expect(await ids({ as: "a", op: "concepts", kinds: ["state"], concepts: own })).toEqual([
      "stove",
      "fridge",
    ]);
  });

  it("gives the same scores for a cut pool as for a whole one", async () => {
    const concepts = [{ words: "mug", same: ["lamp", "bed"] }, { words: "red" }];
    const whole = await run([{ as: "a", op: "concepts", kinds: ["state"], concepts, k: 100 }]);
    const cut = await run([{ as: "a", op: "concepts", kinds: ["state"], concepts, k: 2 }]);
    expect(cut.items.map(({ id, score }) => [id, score])).toEqual(
      whole.items.slice(0, 2).map(({ id, score }) => [id, score]),
    );
  });

  it("finds views near given times, and says where there is none", async () => {
    const found = await run([{ as: "a", op: "viewsAt", times: [2 * S, 500 * S] }]);
    expect(found.items.map(({ id }) => id)).toEqual(["v1"]);
    expect(found.steps[0]!.notes.join()).toContain("no view within 3 s");
  });

  it("is empty and weak, not broken, where meaning cannot be asked", async () => {
    const { embedder: _, ...blind } = memory;
    const { items, weak } = await executePlan(planOf(sem("lamp")), blind);
    expect(items).toEqual([]);
    expect(weak).toBe(true);
    expect((await run([sem("zzz qqq xxx")])).weak).toBe(true);
  });
});

describe("constraints are part of the search", () => {
  it("never filter a cut list", async () => {
    // The best two mugs by meaning are the red ones; only the third is in the kitchen and there now.
    const best = sem("red mug", { k: 1 });
    expect(
      await ids(
        best,
        { as: "b", op: "since", from: "a", time: 700 * S },
        { as: "c", op: "near", from: "b", at: { x: 3, y: 3, z: 1 }, radiusM: 1 },
      ),
    ).toEqual(["blue"]);
  });

  it("near a point, the asker, or what an earlier step found", async () => {
    const all: StepInput = { as: "all", op: "all", kinds: ["state"] };
    expect(await ids(all, { as: "b", op: "near", from: "all", at: "here", radiusM: 1.2 })).toContain("stove");
    const chained = await ids(sem("round table", { k: 1 }), all, {
      as: "c",
      op: "near",
      from: "all",
      at: { of: "a" },
      radiusM: 0.6,
    });
    expect(new Set(chained)).toEqual(new Set(["table", "mug1", "blue"]));
    expect(await ids(all, { as: "b", op: "nearest", from: "all", at: { x: 9.4, y: 1, z: 1 }, k: 1 })).toEqual(
      ["lamp"],
    );
  });

  it("tries each of several anchors", async () => {
    const anchors: StepInput = { as: "m", op: "lex", kinds: ["state"], text: "mug" };
    const around = await ids(
      anchors,
      { as: "all", op: "all", kinds: ["state"] },
      { as: "c", op: "near", from: "all", at: { of: "m", top: 3 }, radiusM: 0.5 },
    );
    expect(around).toContain("table");
    expect(around).toContain("lamp");
  });

  it("in a direction as the asker sees it", async () => {
    const all: StepInput = { as: "all", op: "all", kinds: ["state"] };
    const towards = (
      direction: "left" | "front" | "behind" | "above",
      of: "here" | { of: string } = "here",
    ) => ids(all, sem("table"), { as: "d", op: "dir", from: "all", of, direction, rangeM: 12 });
    expect(await towards("front")).toContain("bed");
    expect(await towards("front")).not.toContain("stove");
    expect(new Set(await towards("above", { of: "a" }))).toContain("mug1");
    // Of a thing, behind is away from the asker: the bed lies beyond the table.
    expect(await towards("behind", { of: "a" })).toContain("bed");
    expect(await towards("front", { of: "a" })).not.toContain("bed");
  });

  it("between two things, and along the way that somebody took", async () => {
    const all: StepInput = { as: "all", op: "all", kinds: ["state"] };
    const step: StepInput = {
      as: "n",
      op: "between",
      from: "all",
      a: { of: "s" },
      b: { x: 8, y: 1, z: 0.3 },
    };
    const stove: StepInput = { as: "s", op: "lex", kinds: ["state"], text: "stove" };
    const found = await ids(all, stove, step);
    expect(found).toContain("fridge");
    expect(found).not.toContain("lamp");
    expect(await ids(all, stove, { ...step, b: { of: "s" } })).toEqual([]);
    const along = (radiusM: number, endS: number): StepInput[] => [
      { as: "c", op: "all", kinds: ["caption"] },
      { as: "p", op: "alongPath", from: "c", start: 0, end: endS * 1e6, radiusM },
    ];
    expect(await ids(...along(1, 10))).toContain("kitchen-a");
    expect(await ids(...along(1, 10))).not.toContain("bedroom-a");
    expect(await ids(...along(50, 10))).toContain("bedroom-a");
  });

  it("in a region, a box, a view", async () => {
    const all: StepInput = { as: "all", op: "all", kinds: ["state"] };
    expect(new Set(await ids(all, { as: "r", op: "inRegion", from: "all", region: "bedroom" }))).toEqual(
      new Set(["bed", "lamp", "mug2"]),
    );
    expect(
      await ids(all, {
        as: "b",
        op: "box",
        from: "all",
        min: { x: 9.2, y: 0, z: 0 },
        max: { x: 10, y: 0.6, z: 1 },
      }),
    ).toEqual(["mug2"]);
    const seen = await ids(all, {
      as: "v",
      op: "visibleFrom",
      from: "all",
      horizontalRad: 1,
      verticalRad: 1,
      rangeM: 20,
    });
    expect(seen).toContain("lamp");
    expect(seen).not.toContain("stove");
  });

  it("two places at once, and times that exclude each other", async () => {
    const all: StepInput = { as: "all", op: "all", kinds: ["state"] };
    const both = await ids(
      all,
      { as: "b", op: "near", from: "all", at: { x: 3, y: 3, z: 1 }, radiusM: 2 },
      { as: "c", op: "near", from: "b", at: { x: 1.9, y: 1, z: 1 }, radiusM: 0.1 },
    );
    expect(both).toEqual(["fridge"]);
    const never = await run([
      all,
      { as: "b", op: "at", from: "all", time: 100 },
      { as: "c", op: "at", from: "b", time: 200 },
    ]);
    expect(never.items).toEqual([]);
    expect(never.steps.at(-1)!.notes).toContain("its times exclude each other");
  });

  it("at, during, before, after, since, ago, and relative to another step", async () => {
    const mugs: StepInput = { as: "m", op: "lex", kinds: ["state"], text: "red mug" };
    const under = (step: object) =>
      ids(mugs, { as: "t", from: "m", ...step } as StepInput, {
        as: "w",
        op: "where",
        from: "t",
        owner: ["t-mug1"],
      });
    expect(await under({ op: "at", time: 400 * S })).toEqual(["mug1"]);
    expect(await under({ op: "at", time: "now" })).toEqual(["mug2"]);
    expect(await under({ op: "before", time: 550 * S })).toEqual(["mug1"]);
    expect(await under({ op: "after", time: { agoS: 450 } })).toEqual(["mug2"]);
    expect(await under({ op: "during", start: 0, end: { agoS: 900 } })).toEqual(["mug1"]);
    const after = await ids(
      { as: "e", op: "all", kinds: ["event"] },
      { as: "c", op: "all", kinds: ["caption"] },
      { as: "d", op: "after", from: "c", time: { of: "e" } },
    );
    expect(after).toEqual(["kitchen-b", "bedroom-b"]);
  });

  it("by attribute and category", async () => {
    const all: StepInput = { as: "all", op: "all", kinds: ["state"] };
    expect(await ids(all, { as: "w", op: "where", from: "all", attributes: { colour: "blue" } })).toEqual([
      "blue",
    ]);
    expect((await ids(all, { as: "w", op: "where", from: "all", category: ["mug"] })).sort()).toEqual([
      "blue",
      "mug1",
      "mug2",
    ]);
  });

  it("as of another time, where that can be opened", async () => {
    const plan: StepInput[] = [
      { as: "all", op: "all", kinds: ["state"] },
      { as: "w", op: "where", from: "all", category: ["mug"] },
      { as: "o", op: "asOf", from: "w", worldUs: 400 * S },
    ];
    expect((await ids(...plan)).sort()).toEqual(["blue", "mug1"]);
    const { readerAsOf: _, ...without } = memory;
    await expect(executePlan(planOf(...plan), without)).rejects.toMatchObject({ code: "not-supported" });
  });

  it("on a list filter what is in it", async () => {
    const kept = await run([
      { as: "c", op: "all", kinds: ["caption"] },
      { as: "j", op: "join", from: "c", along: "caption-state" },
      { as: "r", op: "inRegion", from: "j", region: "bedroom" },
    ]);
    expect(new Set(kept.items.map(({ id }) => id))).toEqual(new Set(["bed", "lamp", "mug2"]));
    expect(kept.steps.at(-1)!.rejected).toContainEqual({ id: "stove", why: "not inRegion" });
  });

  it("without a pose say what is missing", async () => {
    const { pose: _, ...lost } = memory;
    const plan = planOf(
      { as: "all", op: "all", kinds: ["state"] },
      { as: "b", op: "near", from: "all", at: "here", radiusM: 1 },
    );
    await expect(executePlan(plan, lost)).rejects.toMatchObject({ code: "not-supported" });
  });
});

describe("order and logic", () => {
  it("first and last go by when a thing was seen", async () => {
    const states: StepInput = { as: "a", op: "all", kinds: ["state"] };
    expect(await ids(states, { as: "b", op: "last", from: "a" })).toEqual(["lamp"]);
    expect(
      await ids({ as: "a", op: "all", kinds: ["caption"] }, { as: "b", op: "first", from: "a", k: 2 }),
    ).toEqual(["kitchen-a", "bedroom-a"]);
  });

  it("and, or, minus", async () => {
    const mug: StepInput = { as: "m", op: "lex", kinds: ["state"], text: "mug" };
    const red: StepInput = { as: "r", op: "lex", kinds: ["state"], text: "red" };
    expect((await ids(mug, red, { as: "x", op: "and", of: ["m", "r"] })).sort()).toEqual(["mug1", "mug2"]);
    expect(await ids(mug, red, { as: "x", op: "minus", from: "m", without: "r" })).toEqual(["blue"]);
    expect(
      (
        await ids(
          mug,
          { as: "l", op: "lex", kinds: ["state"], text: "lamp" },
          { as: "x", op: "or", of: ["m", "l"] },
        )
      ).sort(),
    ).toEqual(["blue", "lamp", "mug1", "mug2"]);
  });

  it("fuses exactly although one list was cut", async () => {
    const lists = (k: number): StepInput[] => [
      { as: "s", op: "sem", kinds: ["state"], text: "red mug on a table", k },
      { as: "l", op: "lex", kinds: ["state"], text: "blue mug", k: 100 },
      { as: "w", op: "weighted", of: ["s", "l"], weights: [1, 1], normalise: "none" },
    ];
    const scores = (e: Execution) => new Map(e.items.map(({ id, score }) => [id, score]));
    const [cut, whole] = [scores(await run(lists(1))), scores(await run(lists(100)))];
    for (const [id, score] of cut) expect(score).toBeCloseTo(whole.get(id)!, 9);
    expect(cut.get("blue")).toBeDefined();
  });
});

describe("links", () => {
  const from = (id: string): StepInput => ({ as: "g", op: "given", ids: [id] });
  it.each([
    ["kitchen-a", "caption-state", ["blue", "fridge", "mug1", "stove", "table"]],
    ["kitchen-a", "caption-view", ["v1"]],
    ["v1", "view-state", ["stove"]],
    ["stove", "state-caption", ["kitchen-a", "kitchen-b"]],
    ["mug2", "state-track", ["t-mug1"]],
    ["t-mug1", "track-state", ["mug1", "mug2"]],
    ["bed", "state-region", ["bedroom"]],
    ["mug1", "state-support", ["table"]],
    ["table", "state-supported", ["mug1"]],
    ["p1", "place-region", ["kitchen"]],
    ["p1", "place-caption", ["kitchen-a"]],
    ["bedroom", "region-state", ["bed", "lamp", "mug2"]],
    ["flat", "region-children", ["bedroom", "kitchen"]],
    ["mug2", "track-event", ["moved"]],
  ] as const)("%s along %s", async (id, along, linked) => {
    expect((await ids(from(id), { as: "j", op: "join", from: "g", along })).sort()).toEqual([...linked]);
  });

  it("what happened around the same time", async () => {
    expect(
      await ids(from("moved"), { as: "n", op: "inTime", from: "g", kinds: ["caption"], windowS: 60 }),
    ).toEqual(["kitchen-b"]);
  });
});

describe("selection", () => {
  it("topK, dedupeByTrack, budget: each says what it turned away", async () => {
    const mugs: StepInput = { as: "m", op: "lex", kinds: ["state"], text: "red mug" };
    const one = await run([mugs, { as: "d", op: "dedupeByTrack", from: "m" }]);
    expect(one.items.map(({ id }) => id)).toEqual(["mug1", "blue"]);
    expect(one.steps.at(-1)!.rejected).toEqual([{ id: "mug2", why: "another state of t-mug1" }]);
    const cheap = await run([mugs, { as: "b", op: "budget", from: "m", tokens: 1 }]);
    expect(cheap.items).toHaveLength(1);
    expect(cheap.steps.at(-1)!.rejectedCount).toBe(2);
  });

  it("adaptive k takes few where one stands out and more where none does", async () => {
    const adaptive = async (text: string) =>
      (
        await run([
          sem(text),
          { as: "r", op: "radius", from: "a", minZ: -100, alphaE: 1.3 },
          { as: "k", op: "adaptiveK", from: "r", kMin: 1 },
        ])
      ).items;
    const clear = await adaptive("green reading lamp");
    expect(clear[0]!.id).toBe("lamp");
    expect(clear.length).toBeLessThan((await adaptive("something")).length + 3);
    expect(await adaptive("green reading lamp")).toEqual(clear);
  });

  it("differs where it can: two visits of one room are one too many", async () => {
    const plain = await ids(
      { as: "c", op: "sem", kinds: ["caption"], text: "stove and fridge" },
      { as: "t", op: "topK", from: "c", k: 2 },
    );
    const spread = await ids(
      { as: "c", op: "sem", kinds: ["caption"], text: "stove and fridge" },
      { as: "m", op: "mmr", from: "c", k: 2, lambda: 0.3 },
    );
    expect(plain).toEqual(["kitchen-a", "kitchen-b"]);
    expect(spread[0]).toBe("kitchen-a");
    expect(spread[1]).toMatch(/bedroom/);
  });
});

describe("bottleneck and cover", () => {
  const captions: StepInput = { as: "c", op: "all", kinds: ["caption"] };
  const joined: StepInput = { as: "j", op: "join", from: "c", along: "caption-state" };
  const grouped = (cues: string[]): StepInput => ({ as: "i", op: "ib", from: "j", cues, alpha: 0.3 });

  it("keeps what was asked for and drops the rest", async () => {
    const { clusters, items, steps } = await run([captions, joined, grouped(["green reading lamp"])]);
    expect(clusters.flatMap(({ states }) => states)).toEqual(["lamp"]);
    expect(items.map(({ id }) => id)).toEqual(["lamp"]);
    expect(steps.at(-1)!.rejected).toContainEqual({ id: "stove", why: "nothing that was asked for" });
  });

  it("covers every cluster with the fewest captions, and tells of the other visits", async () => {
    const plan = [
      captions,
      joined,
      grouped(["white stove", "green reading lamp"]),
      { as: "k", op: "cover", from: "c", clusters: "i", k: 4, fillZ: 100 } as StepInput,
    ];
    const { items } = await run(plan);
    expect(items).toHaveLength(2);
    expect(items.map(({ id }) => id.split("-")[0]).sort()).toEqual(["bedroom", "kitchen"]);
    expect(items.every(({ alsoSeen }) => (alsoSeen?.length ?? 0) >= 2)).toBe(true);
  });

  it("adds other times for a temporal question", async () => {
    const { items } = await run([
      captions,
      joined,
      grouped(["green reading lamp"]),
      { as: "k", op: "cover", from: "c", clusters: "i", k: 4, temporal: true, fillZ: 100 },
    ]);
    expect(items.map(({ id }) => id).sort()).toEqual(["bedroom-a", "bedroom-b"]);
  });

  it("falls back to captions that differ, and says that it is weak", async () => {
    const { items, weak } = await run([
      captions,
      joined,
      { as: "i", op: "ib", from: "j", cues: ["zzzz"], alpha: 0.9 },
      { as: "k", op: "cover", from: "c", clusters: "i", k: 2 },
    ]);
    expect(items).toHaveLength(2);
    expect(weak).toBe(true);
  });
});

describe("hierarchy", () => {
  it("descends to distinct places and gives their chains once each", async () => {
    const { items } = await run([
      { as: "d", op: "descend", text: "bed", k: 2 },
      { as: "c", op: "chains", from: "d" },
    ]);
    expect(items.map(({ id }) => id)).toEqual(["flat", "bedroom", "p2", "kitchen", "p1"]);
    const [leaf] = (await run([{ as: "d", op: "descend", text: "bed", k: 1 }])).items;
    expect(leaf).toMatchObject({ id: "p2", chain: ["bedroom", "flat"] });
  });

  it("summaries from a level upwards", async () => {
    expect(await ids({ as: "s", op: "summary" })).toEqual(["flat"]);
    expect(await ids({ as: "s", op: "summary", minLevel: 1, text: "bedroom with bed", k: 1 })).toEqual([
      "bedroom",
    ]);
  });

  it("without a forest is empty and weak", async () => {
    const { forest: _, ...flat } = memory;
    const { items, weak } = await executePlan(planOf({ as: "d", op: "descend", text: "bed" }), flat);
    expect({ items, weak }).toEqual({ items: [], weak: true });
  });
});

describe("control", () => {
  it("broadens until enough is found", async () => {
    const narrow: StepInput[] = [
      { as: "all", op: "all", kinds: ["state"] },
      { as: "n", op: "near", from: "all", at: { x: 1, y: 1, z: 0.5 }, radiusM: 0.3 },
      { as: "b", op: "broaden", from: "n", atLeast: 2, rounds: 4 },
    ];
    const { items, steps } = await run(narrow);
    expect(items.map(({ id }) => id)).toContain("fridge");
    expect(items[0]!.id).toBe("stove");
    expect(steps.at(-1)!.notes[0]).toContain("round 2");
  });

  it("looks into the rooms beside a room in its third round", async () => {
    const inBedroom = (rounds: number): StepInput[] => [
      { as: "s", op: "lex", kinds: ["state"], text: "stove" },
      { as: "r", op: "inRegion", from: "s", region: "bedroom" },
      { as: "b", op: "broaden", from: "r", rounds },
    ];
    expect(await ids(...inBedroom(2))).toEqual([]);
    expect(await ids(...inBedroom(3))).toEqual(["stove"]);
  });

  it("falls back in order", async () => {
    const found = await ids(
      { as: "x", op: "lex", kinds: ["state"], text: "unicorn" },
      { as: "y", op: "lex", kinds: ["state"], text: "lamp" },
      { as: "f", op: "fallback", of: ["x", "y"] },
    );
    expect(found).toEqual(["lamp"]);
  });

  it("counts from the first and from the last", async () => {
    const captions: StepInput = { as: "c", op: "all", kinds: ["caption"] };
    const inTime = await ids(captions, { as: "o", op: "chronological", from: "c" });
    const nth = (n: number, fromEnd: boolean) => ids(captions, { as: "n", op: "nth", from: "c", n, fromEnd });
    expect(await nth(2, false)).toEqual([inTime[1]]);
    expect(await nth(2, true)).toEqual([inTime.at(-2)]);
    expect(await nth(100, false)).toEqual([]);
  });

  it("runs only what the result needs, each step once, and times it", async () => {
    const { steps } = await run([
      { as: "unused", op: "all", kinds: [...RECORD_KINDS] },
      { as: "m", op: "lex", kinds: ["state"], text: "mug" },
      { as: "o", op: "or", of: ["m", "m"] },
    ]);
    expect(steps.map(({ as }) => as)).toEqual(["m", "o"]);
    expect(steps.every(({ ms }) => ms >= 0)).toBe(true);
  });

  it("replays from JSON to the same items", async () => {
    const plan = planOf(sem("red mug"), { as: "t", op: "topK", from: "a", k: 3 });
    const again = parsePlan(JSON.parse(JSON.stringify(plan)));
    expect(again).toEqual(plan);
    const items = (e: Execution) => e.items.map(({ id, score }) => ({ id, score }));
    expect(items(await executePlan(again, memory))).toEqual(items(await executePlan(plan, memory)));
  });

  it("comes with when things were seen", async () => {
    const { items } = await run([{ as: "g", op: "given", ids: ["stove"] }]);
    expect(items[0]!.presence).toMatchObject({ firstSeenUs: S, lastSeenUs: 600 * S, seenCount: 3 });
  });

  it("stops when told to", async () => {
    const signal = AbortSignal.abort();
    const error = await run([sem("lamp")], { signal }).catch((e: unknown) => e);
    expect(isLociError(error, "aborted")).toBe(true);
    expect(NOW_US).toBe(memory.nowUs);
  });
});
