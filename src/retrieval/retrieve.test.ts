import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { explain } from "./explain.ts";
import { parsePlan } from "./plan/plan.ts";
import { STRATEGIES } from "./presets/presets.ts";
import { type Retrieved, type RetrieveOptions, retrieve } from "./retrieve.ts";
import { openTestMemory, type TestMemory } from "./testing/small-memory.ts";

const S = 1_000_000;
let memory: TestMemory;
beforeAll(async () => {
  memory = await openTestMemory();
});
afterAll(() => memory.close());

const ask = (text: string, options: Partial<RetrieveOptions> = {}, rest: object = {}): Promise<Retrieved> =>
  retrieve({ text, ...rest }, { ...memory, ...options });
const ids = ({ items }: Retrieved) => items.map(({ id }) => id);

describe.each(
  STRATEGIES.flatMap((strategy) => [
    { strategy, mode: "ours" as const },
    { strategy, mode: "paper" as const },
  ]),
)("$strategy, $mode", ({ strategy, mode }) => {
  it("runs, repeats itself, replays from its own JSON, and accounts for its time", async () => {
    const options = { strategy, mode };
    const first = await ask("Where is the red mug?", options);
    const again = await ask("Where is the red mug?", options);
    expect(ids(again)).toEqual(ids(first));
    const replayed = await ask("Where is the red mug?", {
      plan: parsePlan(JSON.parse(JSON.stringify(first.plan))),
    });
    expect(ids(replayed)).toEqual(ids(first));
    expect(Object.values(first.trace.stages).every((ms) => ms >= 0)).toBe(true);
    expect(first.items.length === 0).toBe(strategy === "blind");
    expect(explain(first)).toContain("ms by stage");
  });
});

describe("now", () => {
  it("is the end of what links lead to", async () => {
    const place = { kind: "place" as const, id: "p3", yawRad: 0, text: ["by the wall"] };
    const other = await openTestMemory([
      { ...place, captions: ["bedroom-a", "bedroom-b"], validFromUs: 1 * S, validToUs: null },
    ]);
    const plan = parsePlan({
      version: 1,
      title: "captions of a place",
      steps: [
        { as: "p", op: "given", ids: ["p3"] },
        { as: "c", op: "join", from: "p", along: "place-caption" },
      ],
      out: "c",
    });
    const captionsAt = async (nowUs: number) =>
      ids(await retrieve({ text: "wall" }, { ...other, nowUs, plan })).sort();
    expect(await captionsAt(1_000 * S)).toEqual(["bedroom-a", "bedroom-b"]);
    expect(await captionsAt(100 * S)).toEqual(["bedroom-a"]);
    await other.close();
  });

  it("is the end of what can be meant", async () => {
    const early = await ask("red mug in the bedroom", { strategy: "r4", nowUs: 400 * S });
    expect(ids(early)).toContain("mug1");
    expect(ids(early)).not.toContain("mug2");
    expect(early.plan.steps.map(({ op }) => op)).toContain("during");
    const late = await ask("red mug in the bedroom", { strategy: "r4" });
    expect(late.plan.steps.map(({ op }) => op)).not.toContain("during");
  });
});

describe("r4", () => {
  it("gives whole records, one a thing, with when they were seen", async () => {
    const found = await ask("Where is the red mug?", { strategy: "r4" });
    expect(found.items[0]!.record).toMatchObject({ kind: "state", trackId: "t-mug1" });
    expect(
      found.items.filter(({ record }) => record.kind === "state" && record.trackId === "t-mug1"),
    ).toHaveLength(1);
    expect(found.items[0]!.presence).toBeDefined();
    expect(found.items[0]!.position).toBeDefined();
  });

  it("obeys where and when", async () => {
    const before = { during: { fromUs: 0, toUs: 400 * S } };
    expect(ids(await ask("red mug", { strategy: "r4", k: 1 }, before))).toEqual(["mug1"]);
    const here = { near: { centre: { x: 9.4, y: 0.5, z: 0.6 }, radiusM: 0.2 } };
    expect(ids(await ask("red mug", { strategy: "r4", k: 1 }, here))).toEqual(["mug2"]);
    const after = { during: { fromUs: 700 * S, toUs: null }, regionId: "kitchen" };
    expect(ids(await ask("red mug", { strategy: "r4", k: 1 }, after))).toEqual(["blue"]);
  });

  it("without the key of meaning still searches by place; without any key by none", async () => {
    const rest = { near: { centre: { x: 8, y: 1, z: 0.3 }, radiusM: 0.5 } };
    expect(ids(await ask("lamp", { strategy: "r4", keys: { meaning: false }, k: 1 }, rest))).toEqual(["bed"]);
    const none = await ask(
      "lamp",
      { strategy: "r4", mode: "paper", keys: { meaning: false, space: false, time: false } },
      rest,
    );
    expect(none.items).toEqual([]);
  });
});

describe("star", () => {
  it("spends its captions on different things, not on visits of one", async () => {
    const plain = ids(await ask("stove and reading lamp", { strategy: "flat-rag", k: 2 }));
    const { items, clusters } = await ask("stove and reading lamp", { strategy: "star", k: 2 });
    expect(new Set(plain.map((id) => id.split("-")[0])).size).toBe(1);
    expect(new Set(items.map(({ id }) => id.split("-")[0])).size).toBe(2);
    expect(clusters.length).toBeGreaterThan(0);
  });

  it("in the paper's way has the caption of each cluster that is most like the question, best first (eq. 8–10)", async () => {
    const { items, clusters } = await ask("green reading lamp", { strategy: "star", mode: "paper", k: 8 });
    const scores = items.map(({ score }) => score);
    expect(scores).toEqual([...scores].sort((a, b) => b - a));
    const all = await ask("green reading lamp", { strategy: "flat-rag", k: 100 });
    const best = clusters.flatMap(({ states }) => {
      const group = all.items.filter(
        ({ record }) => record.kind === "caption" && record.states.some((id) => states.includes(id)),
      );
      return group.length === 0 ? [] : [Math.max(...group.map(({ score }) => score))];
    });
    expect(best.length).toBeGreaterThan(0);
    for (const score of best) expect(scores.some((one) => Math.abs(one - score) < 1e-6)).toBe(true);
  });
});

describe("embodied-rag", () => {
  it("navigates to places, explains with the regions above them", async () => {
    const go = await ask("a bed to sleep in", { strategy: "embodied-rag", output: "navigate", k: 1 });
    expect(ids(go)).toEqual(["p2"]);
    const told = ids(await ask("a bed to sleep in", { strategy: "embodied-rag", k: 1 }));
    expect(told).toEqual(expect.arrayContaining(["flat", "bedroom", "p2", "bedroom-a"]));
    const whole = await ask("Describe the environment.", { strategy: "embodied-rag" });
    expect(whole.plan.steps.some(({ op }) => op === "summary")).toBe(true);
  });

  it("searches flat where there is no forest", async () => {
    const { forest: _, ...flat } = memory;
    const found = await retrieve({ text: "bed" }, { ...flat, strategy: "embodied-rag" });
    expect(found.items.every(({ kind }) => kind === "caption")).toBe(true);
  });
});

describe("memory-eqa", () => {
  it("searches by the words that it is given, and for the planner also by what is near", async () => {
    const [planner, answer] = await Promise.all(
      (["planner", "answer"] as const).map(async (role) => {
        const { plan } = await ask("Is the lamp on?", { strategy: "memory-eqa", role });
        return plan.steps;
      }),
    );
    for (const steps of [planner!, answer!])
      expect(steps.find(({ op }) => op === "sem")).toMatchObject({ text: "Is the lamp on?" });
    expect(planner!.some(({ op }) => op === "near")).toBe(true);
    expect(answer!.some(({ op }) => op === "near")).toBe(false);
  });

  it("combines a picture with the words only where the memory has pictures", async () => {
    const image = new Float32Array(8).fill(0.1);
    const found = await ask("lamp", { strategy: "memory-eqa" }, { image });
    expect(found.trace.steps.find(({ op }) => op === "image")?.notes).toEqual([
      "this memory has no image vectors",
    ]);
  });
});

describe("auto", () => {
  it("brings captions and things", async () => {
    const kinds = new Set((await ask("Where is the red mug?")).items.map(({ kind }) => kind));
    expect(kinds).toEqual(new Set(["caption", "state"]));
  });

  it("uses the forest for needs and for the whole", async () => {
    const { plan } = await ask("Where can I find a place to sit?");
    expect(plan.steps.some(({ op }) => op === "descend")).toBe(true);
    expect((await ask("Where is the red mug?")).plan.steps.some(({ op }) => op === "descend")).toBe(false);
  });

  it("keeps to a budget", async () => {
    const free = await ask("mugs and lamps");
    const tight = await ask("mugs and lamps", { tokens: 60 });
    expect(tight.trace.tokens).toBeLessThan(free.trace.tokens);
    expect(tight.trace.tokens).toBeLessThanOrEqual(62);
  });
});

describe("questions that are none", () => {
  it.each([
    ["", "invalid-input"],
    ["   ", "invalid-input"],
    ["mug ".repeat(9_000), "limit-exceeded"],
  ])("%#", async (text, code) => {
    await expect(ask(text)).rejects.toMatchObject({ code });
  });

  it("an unknown strategy is named", async () => {
    await expect(ask("mug", { strategy: "magic" as "auto" })).rejects.toThrow(/unknown strategy "magic"/);
  });

  it("another embedder is refused", async () => {
    const other = { ...memory.embedder, info: { id: "other", dim: 128 } };
    await expect(ask("mug", { embedder: other, strategy: "flat-rag" })).rejects.toMatchObject({
      code: "embedder-mismatch",
    });
  });
});
