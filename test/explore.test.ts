import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exploreWith } from "../src/compose/explore.ts";
import { type Memory, openMemory } from "../src/compose/memory.ts";
import { type Body, parseRun, readRun, type Stand } from "../src/exploration/index.ts";
import { drawStep } from "../src/interfaces/cli/run-picture.ts";
import type { RunLine } from "../src/schema/index.ts";
import { LiveHouse } from "../src/world/live-house.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-explore-"));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

let house: LiveHouse;
let memory: Memory;
let count = 0;
beforeAll(() => {
  house = new LiveHouse({ seed: 40004, rooms: 5, floors: 1, noise: 0 });
});
beforeEach(async () => {
  memory = await openMemory(join(folder, `m${count++}`));
  return () => memory.close();
});

const budget = { steps: 40, pathM: 120, seconds: 3600 };
const body = (id = "robot-1", start: Stand = house.start()) => house.body(id, { start });
const keepsViews = false;
/** A body that does what another does, but for what is given. */
const like = (one: Body, more: Partial<Body>): Body => ({
  agentId: one.agentId,
  model: one.model,
  whereabouts: (limits) => one.whereabouts(limits),
  look: (limits) => one.look(limits),
  go: (to, limits) => one.go(to, limits),
  ...more,
});
/** Something large that stands in another room than the one where agents begin. */
function farThing(): { category: string; colour: string | undefined } {
  const { things } = house.timeline.house;
  const counted = new Map<string, number>();
  for (const { category } of things) counted.set(category, (counted.get(category) ?? 0) + 1);
  const here = house.start().positionInWorld;
  const far = things
    .filter(({ type, category }) => type === "furniture" && counted.get(category) === 1)
    .map((thing) => ({ thing, at: house.timeline.placementAt(thing.id, house.startUs)! }))
    .sort(
      (a, b) =>
        Math.hypot(b.at.centre.x - here.x, b.at.centre.y - here.y) -
        Math.hypot(a.at.centre.x - here.x, a.at.centre.y - here.y),
    );
  const { category, colour } = far[0]!.thing;
  return { category, colour };
}

describe("an agent that goes to look", { timeout: 240_000 }, () => {
  test("finds what it does not know, remembers it, and does not go again", async () => {
    const { category, colour } = farThing();
    const record = join(folder, "run.jsonl");
    const question = `What colour is the ${category}?`;
    const first = await exploreWith(memory, { question, bodies: [body()], budget, record, keepsViews });
    expect(first).toMatchObject({ end: "answered", answer: { status: "answered" } });
    expect(first.answer!.text.toLowerCase()).toContain(colour);
    expect(first.pathM["robot-1"]).toBeGreaterThan(1);
    const run = await readRun(record);
    expect(run[0]).toMatchObject({ kind: "run", question, policy: "memory" });
    expect(run.at(-1)).toMatchObject({ kind: "end", end: "answered", steps: first.steps });
    const steps = run.filter((line) => line.kind === "step");
    expect(steps).toHaveLength(first.steps);
    expect(
      steps.every(({ frontiers, decision }) => decision.kind !== "explore" || frontiers.length > 0),
    ).toBe(true);
    expect(steps.at(-1)!.pathM).toBeCloseTo(first.pathM["robot-1"]!, 6);
    const map = run.find((line) => line.kind === "map")!;
    expect(drawStep(map, steps[0]!)).toMatch(/[→↗↑↖←↙↓↘]/);
    const later = house.body("robot-1", { startUs: house.startUs + 3_600_000_000 });
    const second = await exploreWith(memory, { question, bodies: [later], budget, keepsViews });
    expect(second).toMatchObject({ end: "answered", steps: 0, pathM: { "robot-1": 0 } });
    expect(second.answer!.text).toBe(first.answer!.text);
    const there = house.body("robot-1", { startUs: house.startUs + 7_200_000_000 });
    const went = await exploreWith(memory, {
      question: `the ${category}`,
      task: "navigate",
      bodies: [there],
      budget,
      keepsViews,
    });
    expect(went.end).toBe("answered");
    expect(went.pathM["robot-1"]!).toBeLessThan(first.pathM["robot-1"]! + 3);
  });

  test("says that something is not there only after it has looked everywhere, and proves it", async () => {
    const explored = await exploreWith(memory, {
      question: "Is there a giraffe?",
      bodies: [body()],
      budget,
      keepsViews,
    });
    expect(["absent", "explored", "unreachable", "budget"]).toContain(explored.end);
    expect(explored.answer!.binary ?? false).toBe(false);
    expect(explored.steps).toBeGreaterThan(3);
    expect(explored.looked.length).toBeGreaterThan(1);
    expect(explored.looked.filter(({ share }) => share > 0.8).length).toBeGreaterThan(1);
  });

  test("ends in a house in which there is nothing, and says that it looked", async () => {
    const one = body();
    const bare = like(one, {
      look: async (limits) => {
        const { frames, edges } = await one.look(limits);
        return {
          edges,
          frames: frames.map(({ masks: _, ...frame }) => ({ ...frame, detections: [], captions: [] })),
        };
      },
    });
    const explored = await exploreWith(memory, {
      question: "What colour is the kettle?",
      bodies: [bare],
      budget,
      keepsViews,
    });
    expect(["absent", "explored", "unreachable", "budget"]).toContain(explored.end);
    expect(explored.answer!.status).not.toBe("answered");
    expect(explored.steps).toBeGreaterThan(3);
  });

  test("as the paper has it nothing is looked at again or from nearer, and confidence alone ends it", async () => {
    const { category } = farThing();
    const lines: RunLine[] = [];
    const explored = await exploreWith(memory, {
      question: `What colour is the ${category}?`,
      bodies: [body()],
      budget,
      keepsViews,
      policy: "memory-eqa",
      mode: "paper",
      onLine: (line) => lines.push(line),
    });
    const kinds = lines.flatMap((line) => (line.kind === "step" ? [line.decision.kind] : []));
    expect(new Set(kinds)).toEqual(new Set(["explore"]));
    expect(explored).toMatchObject({ end: "answered", answer: { status: "answered" } });
    expect(explored.answer!.confidence).toBeGreaterThanOrEqual(0.5);
  });

  test("does not move for a question about nothing", async () => {
    const nonsense = await exploreWith(memory, {
      question: "asdf qwer zxcv",
      bodies: [body()],
      budget,
      keepsViews,
    });
    expect(nonsense).toMatchObject({ end: "not-understood", steps: 0, pathM: { "robot-1": 0 } });
    expect(nonsense.why).not.toBe("");
    const why = await exploreWith(memory, {
      question: "What is the meaning of life?",
      bodies: [body("robot-2")],
      budget,
      keepsViews,
    });
    expect(why.pathM["robot-2"]).toBe(0);
    await expect(exploreWith(memory, { question: " ", bodies: [body()], budget })).rejects.toMatchObject({
      code: "invalid-input",
    });
    await expect(exploreWith(memory, { question: "Where?", bodies: [], budget })).rejects.toMatchObject({
      code: "invalid-input",
    });
  });

  test("ends within its budget, of steps, of metres and of seconds", async () => {
    const question = "How many giraffes are there?";
    const steps = await exploreWith(memory, {
      question,
      bodies: [body()],
      budget: { ...budget, steps: 2 },
      keepsViews,
    });
    expect(steps).toMatchObject({ end: "budget", steps: 2, why: expect.stringContaining("steps") });
    const metres = await exploreWith(memory, {
      question,
      bodies: [body("robot-2")],
      budget: { ...budget, pathM: 2 },
      keepsViews,
    });
    expect(metres.end).toBe("budget");
    expect(metres.pathM["robot-2"]!).toBeLessThan(6);
    const seconds = await exploreWith(memory, {
      question,
      bodies: [body("robot-3")],
      budget: { ...budget, seconds: 5 },
      keepsViews,
    });
    expect(seconds).toMatchObject({ end: "budget", why: expect.stringContaining("s are used up") });
  });

  test("gives a body up that does not answer, from the start or on the way", async () => {
    const silent = new Promise<never>(() => undefined);
    const options = { question: "Where is the giraffe?", budget, answerMs: 20, keepsViews };
    const mute = like(body(), { whereabouts: () => silent });
    expect(await exploreWith(memory, { ...options, bodies: [mute] })).toMatchObject({
      end: "body-failed",
      answer: null,
    });
    const stuck = like(body(), { go: () => silent });
    const explored = await exploreWith(memory, { ...options, bodies: [stuck], answerMs: 2_000 });
    expect(explored).toMatchObject({ end: "body-failed", why: expect.stringContaining("did not answer") });
  });

  test("gives up what cannot be reached and a body that does not move, and says so", async () => {
    const one = body();
    const still = like(one, {
      go: async (to, limits) =>
        Math.hypot(
          to.positionInWorld.x - one.truth.positionInWorld.x,
          to.positionInWorld.y - one.truth.positionInWorld.y,
        ) < 0.1
          ? one.go(to, limits)
          : {
              outcome: "refused",
              pathM: 0,
              turnRad: 0,
              at: await one.whereabouts(),
              why: "the fence ends here",
            },
    });
    const explored = await exploreWith(memory, {
      question: "Where is the giraffe?",
      bodies: [still],
      budget,
      keepsViews,
    });
    expect(["body-failed", "unreachable"]).toContain(explored.end);
    expect(explored.pathM["robot-1"]).toBe(0);
    expect(explored.steps).toBeLessThan(budget.steps);
  });

  test("a door that shuts on the way is another wall: it goes elsewhere and ends", async () => {
    const one = body();
    let doors = 0;
    const shut = like(one, {
      go: async (to, limits) => {
        const at = await one.whereabouts();
        const isFar =
          Math.hypot(
            to.positionInWorld.x - at.positionInWorld.x,
            to.positionInWorld.y - at.positionInWorld.y,
          ) > 1;
        if (!isFar || doors >= 3) return one.go(to, limits);
        doors++;
        return { outcome: "stuck", pathM: 0, turnRad: 0, at, why: "a door has shut" };
      },
    });
    const explored = await exploreWith(memory, {
      question: "Is there a giraffe?",
      bodies: [shut],
      budget,
      keepsViews,
    });
    expect(explored.steps).toBeLessThanOrEqual(budget.steps);
    expect(explored.pathM["robot-1"]!).toBeGreaterThan(2);
    expect(explored.end).not.toBe("answered");
  });

  test("a closed door with nothing known behind it: no count is whole, and it says why", async () => {
    // Two of its doors are closed, and three of six rooms lie behind them.
    const closed = new LiveHouse({ seed: 41075, rooms: 6, noise: 0 });
    const options = { budget, keepsViews };
    const counted = await exploreWith(memory, {
      ...options,
      question: "How many chairs are there?",
      bodies: [closed.body("robot-1")],
    });
    expect(counted).toMatchObject({
      end: "unreachable",
      why: expect.stringContaining("closed doors in the"),
    });
    expect(counted.answer).toMatchObject({ count: 4, text: expect.stringContaining("I could not look") });
    expect(counted.answer!.confidence).toBeLessThan(0.5);
    const missed = await exploreWith(memory, {
      ...options,
      question: "Is there a giraffe?",
      bodies: [closed.body("robot-1", { startUs: closed.startUs + 600e6 })],
    });
    expect(missed).toMatchObject({ end: "unreachable", answer: { binary: false } });
    expect(missed.answer!.confidence).toBeLessThan(0.5);
    const known = await exploreWith(memory, {
      ...options,
      question: "What colour is the bed?",
      bodies: [closed.body("robot-1", { startUs: closed.startUs + 1200e6 })],
    });
    expect(known.end).toBe("answered");
    expect(known.answer!.confidence).toBeGreaterThan(0.5);
    // A day later they may be open: it goes to the doors, and to nothing else.
    const lines: RunLine[] = [];
    const again = await exploreWith(memory, {
      ...options,
      question: "How many chairs are there?",
      bodies: [closed.body("robot-1", { startUs: closed.startUs + 26 * 3600e6 })],
      onLine: (line) => lines.push(line),
    });
    expect(again.end).toBe("unreachable");
    const went = lines.flatMap((line) => (line.kind === "step" ? [line.decision.target] : []));
    expect(new Set(went.map((target) => target?.slice(0, 6)))).toEqual(new Set(["state-"]));
  });

  test("leaves a stop that it was told of and cannot reach for the next one", async () => {
    const one = body();
    const { positionInWorld, yawRad } = house.start();
    const outside = { positionInWorld: { ...positionInWorld, x: positionInWorld.x + 500 }, yawRad };
    const explored = await exploreWith(memory, {
      question: "Is there a giraffe?",
      bodies: [one],
      budget,
      keepsViews,
      policy: "oracle",
      route: [outside, house.start(1)],
    });
    expect(explored).toMatchObject({ end: "explored" });
    expect(explored.pathM["robot-1"]).toBeGreaterThan(1);
  });

  test("can be cancelled at any step", async () => {
    const controller = new AbortController();
    const explored = await exploreWith(memory, {
      question: "Is there a giraffe?",
      bodies: [body()],
      budget,
      keepsViews,
      signal: controller.signal,
      onLine: (line) => line.kind === "step" && line.n === 1 && controller.abort(),
    });
    expect(explored).toMatchObject({ end: "cancelled", steps: 2 });
  });

  test("several share the frontiers out, and what one sees all know", async () => {
    const lines: RunLine[] = [];
    const bodies = [0, 1, 2].map((n) => body(`robot-${n + 1}`, house.start(n)));
    const { category, colour } = farThing();
    const explored = await exploreWith(memory, {
      question: `What colour is the ${category}?`,
      bodies,
      budget,
      keepsViews,
      onLine: (line) => lines.push(line),
    });
    expect(explored.answer!.text.toLowerCase()).toContain(colour);
    expect(parseRun(lines.map((line) => JSON.stringify(line)).join("\n"))).toEqual(lines);
    const steps = lines.filter((line) => line.kind === "step");
    for (const n of new Set(steps.map((line) => line.n))) {
      const targets = steps.flatMap((line) =>
        line.n === n && line.decision.kind === "explore" ? (line.decision.target ?? []) : [],
      );
      expect(new Set(targets).size).toBe(targets.length);
    }
  });

  test("goes over the stairs for what is on another storey, and comes down again for what is below", async () => {
    const tall = new LiveHouse({ seed: 7, floors: 2, rooms: 8, noise: 0 });
    const lines: RunLine[] = [];
    const onLine = (line: RunLine) => lines.push(line);
    const ample = { steps: 60, pathM: 200, seconds: 7200 };
    const up = tall.body("robot-1");
    const bed = "What colour is the bed?";
    const first = await exploreWith(memory, {
      question: bed,
      bodies: [up],
      budget: ample,
      keepsViews,
      onLine,
    });
    expect(first).toMatchObject({ end: "answered", answer: { status: "answered", text: "grey" } });
    expect(up.truth.positionInWorld.z).toBeGreaterThan(2);
    expect(first.looked.map(({ room }) => room)).toEqual(expect.arrayContaining(["bedroom", "kitchen"]));
    expect(parseRun(lines.map((line) => JSON.stringify(line)).join("\n"))).toEqual(lines);
    const { timeUs, ...start } = up.truth;
    const down = tall.body("robot-1", { start, startUs: timeUs + 60e6 });
    const task = {
      question: "the stove",
      task: "navigate",
      bodies: [down],
      budget: ample,
      keepsViews,
    } as const;
    expect(await exploreWith(memory, task)).toMatchObject({ end: "answered" });
    expect(down.truth.positionInWorld.z).toBeLessThan(0.5);
  });

  test("a body that cannot climb says that it could not look upstairs", async () => {
    const tall = new LiveHouse({ seed: 7, floors: 2, rooms: 8, noise: 0 });
    const question = "What colour is the bed?";
    const few = { steps: 60, pathM: 200, seconds: 7200 };
    const explored = await exploreWith(memory, {
      question,
      bodies: [like(tall.body("robot-1"), {})],
      budget: few,
      keepsViews,
    });
    expect(explored).toMatchObject({ end: "unreachable", answer: { status: "not-seen" } });
  });

  test("the memory may be left out of its modules one by one", async () => {
    const { category } = farThing();
    const question = `What colour is the ${category}?`;
    const plain = await exploreWith(memory, {
      question,
      bodies: [body()],
      budget,
      keepsViews,
      policy: "nearest",
      switches: { planner: false, stopping: false },
    });
    expect(plain.steps).toBeGreaterThan(0);
    expect(plain.steps).toBeLessThanOrEqual(budget.steps);
  });
});
