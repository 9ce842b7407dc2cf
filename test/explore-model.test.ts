import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import { exploreWith } from "../src/compose/explore.ts";
import { type Memory, openMemory } from "../src/compose/memory.ts";
import { openOpenAiChat } from "../src/models/language/openai-chat.ts";
import {
  type ChatAsked,
  imagesIn,
  type Reply,
  refuse,
  type ScriptedServer,
  say,
  sayJson,
  startScriptedServer,
  textOf,
} from "../src/models/testing/scripted-server.ts";
import type { Consultation, RunLine } from "../src/schema/index.ts";
import { LiveHouse } from "../src/world/live-house.ts";
import { loci } from "./command-line.ts";

const folder = mkdtempSync(join(tmpdir(), "loci-explore-model-"));
let server: ScriptedServer;
let house: LiveHouse;
let memory: Memory;
let count = 0;
let outing = 0;
beforeAll(async () => {
  house = new LiveHouse({ seed: 40004, rooms: 5, floors: 1, noise: 0 });
  server = await startScriptedServer();
});
afterAll(async () => {
  await server.close();
  rmSync(folder, { recursive: true, force: true });
});
beforeEach(async () => {
  memory = await openMemory(join(folder, `m${count++}`));
  server.asked.length = 0;
  server.script = [];
  return () => memory.close();
});

/** MemoryEQA's prompts by the words that only they have. */
const KINDS = {
  q_p: "before you choose where to go",
  q_s: "would show that enough has been seen",
  sure: "How confident are you",
  where: "Which place leads best",
  q_a: "must be remembered to answer it",
  answer: "Answer in one brief sentence",
} as const;
type Kind = keyof typeof KINDS;
const kindOf = (asked: ChatAsked): Kind | "other" =>
  (Object.keys(KINDS) as Kind[]).find((kind) => textOf(asked).includes(KINDS[kind])) ?? "other";

/** A model that answers each kind of prompt in its own way. */
function plays(by: Partial<Record<Kind, (asked: ChatAsked, nth: number) => Reply>>): void {
  const seen = new Map<string, number>();
  const usual: Record<Kind, Reply> = {
    q_p: say("doors and rooms near here"),
    q_s: say("a thing of the kind that is asked for"),
    sure: say("A"),
    where: sayJson({ letter: "A", reason: "it shows most" }),
    q_a: say("what it looks like"),
    answer: say("I have not seen it."),
  };
  server.otherwise = (response, asked) => {
    const kind = kindOf(asked);
    if (kind === "other") return refuse(500)(response, asked);
    const nth = seen.get(kind) ?? 0;
    seen.set(kind, nth + 1);
    (by[kind]?.(asked, nth) ?? usual[kind])(response, asked);
  };
}

const budget = { steps: 3, pathM: 40, seconds: 3600 };
const GIRAFFE = "Is there a giraffe?";
const model = () => openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0, vision: false });

async function explores(more: Partial<Parameters<typeof exploreWith>[1]> = {}) {
  const lines: RunLine[] = [];
  const explored = await exploreWith(memory, {
    question: GIRAFFE,
    bodies: [house.body("robot-1", { startUs: house.startUs + outing++ * 600_000_000 })],
    budget,
    keepsViews: false,
    model: model(),
    system: "rules",
    ...more,
    onLine: (line) => lines.push(line),
  });
  const steps = lines.flatMap((line) => (line.kind === "step" ? [line] : []));
  const consulted = lines.flatMap((line) => ("consulted" in line ? (line.consulted ?? []) : []));
  return { explored, lines, steps, consulted };
}
const by = (consulted: readonly Consultation[], module: string) =>
  consulted.filter((one) => one.module === module);

describe("an agent that goes to look with a language model", { timeout: 120_000 }, () => {
  test("asks the memory for stopping and for planning, step by step, in the words of the model", async () => {
    const facts = ["a couch", "a table", "a radiator", "a curtain"];
    const places = ["doors near here", "a hallway with doors", "rooms not seen yet"];
    plays({ q_s: (_, nth) => say(facts[nth]), q_p: (_, nth) => say(places[nth]) });
    const { explored, steps, consulted, lines } = await explores({ policy: "memory-eqa" });
    expect(explored).toMatchObject({ end: "budget", steps: 3 });
    const round = ["q_s", "sure", "q_p", "where"];
    expect(server.asked.map(kindOf)).toEqual([...round, ...round, ...round, "q_s", "sure"]);
    expect(by(consulted, "stopping").map(({ query, by: who }) => [query, who])).toEqual(
      facts.map((fact) => [fact, "model"]),
    );
    expect(by(consulted, "planner")[1]).toMatchObject({
      query: places[1],
      prompts: ["memory-eqa/planner-query@2", "memory-eqa/explore-direction@3"],
      choice: "A",
      reason: "it shows most",
      tokens: 220,
    });
    expect(by(consulted, "planner")[1]!.retrieved.length).toBeGreaterThan(0);
    expect(lines[0]).toMatchObject({ kind: "run", model: "openai:tiny" });
    expect(steps.every(({ consulted: said }) => said?.length === 2)).toBe(true);
  });

  test("tells it what is left to look at, and looks no further where it says that nothing would help", async () => {
    plays({ where: () => sayJson({ letter: "STOP", reason: "no giraffe lives in a house" }) });
    const { explored, steps } = await explores();
    expect(explored).toMatchObject({ end: "answered", steps: 0 });
    expect(explored.why).toContain("no giraffe lives in a house");
    expect(steps).toEqual([]);
    const sure = textOf(server.asked.find((one) => kindOf(one) === "sure")!);
    expect(sure).toMatch(/% looked at/);
    expect(sure).toMatch(/unknown: .* m of way/);
    // Literally there is no such choice, and no such words.
    server.asked.length = 0;
    const { explored: literal, steps: gone } = await explores({ policy: "memory-eqa", mode: "paper" });
    expect(literal.end).toBe("budget");
    expect(gone[0]!.consulted!.some(({ fallback }) => fallback !== undefined)).toBe(true);
    expect(server.asked.map(textOf).join()).not.toMatch(/% looked at|"STOP" instead/);
  });

  test("goes where the model says, for its reason", async () => {
    plays({ where: () => sayJson({ letter: "B", reason: "a kitchen may be there" }) });
    const { steps } = await explores();
    const [first] = steps;
    const planner = by(first!.consulted!, "planner")[0]!;
    expect(planner.offered!.length).toBeGreaterThan(1);
    expect(planner).toMatchObject({ own: "A", choice: "B" });
    expect(first!.decision).toMatchObject({
      reason: "a kitchen may be there",
      target: planner.offered![1]!.target,
    });
    expect(first!.frontiers.find(({ fate }) => fate === "chosen")?.id).toBe(first!.decision.target);
  });

  test.each([
    ["a place that was not offered", sayJson({ letter: "Z", reason: "r" }), /there is no place Z/],
    ["nonsense", say("to the moon"), /model-failed/],
  ])("that says %s leaves the choice to the planner", async (_, reply, why) => {
    plays({ where: () => reply });
    const { steps } = await explores();
    const planner = by(steps[0]!.consulted!, "planner")[0]!;
    expect(planner.fallback).toMatch(why);
    expect(steps[0]!.decision.target).toBe(planner.offered![0]!.target);
    expect(steps[0]!.decision.reason).not.toBe("r");
  });

  test("shows the model what this memory holds, and in modules without memory what is in view", async () => {
    const first = () => textOf(server.asked.find((one) => kindOf(one) === "sure")!);
    const firstIds = ({ steps }: Awaited<ReturnType<typeof explores>>) =>
      by(steps[0]!.consulted!, "stopping")[0]!.retrieved;
    plays({ q_s: () => say("a hallway with a painting and doors") });
    const before = await explores({ budget: { ...budget, steps: 8 } });
    for (const id of firstIds(before)) expect(first()).toContain(`[${id}]`);
    server.asked.length = 0;
    const later = await explores();
    const remembered = firstIds(later).filter((id) => !firstIds(before).includes(id));
    expect(remembered.length).toBeGreaterThan(0);
    for (const id of remembered) expect(first()).toContain(`[${id}]`);
    const began = later.lines[0]!.kind === "run" ? later.lines[0]!.startedUs : 0;
    const records = await (await memory.reader()).get(remembered);
    expect(records.some((record) => record!.validFromUs < began)).toBe(true);
    server.asked.length = 0;
    const { consulted } = await explores({ switches: { planner: false, stopping: false } });
    expect(new Set(server.asked.map(kindOf))).toEqual(new Set(["sure", "where"]));
    expect(consulted.flatMap(({ query, retrieved }) => [query ?? [], retrieved].flat())).toEqual([]);
    for (const id of remembered) expect(first()).not.toContain(`[${id}]`);
  });

  test("stops where the model is sure and the answer is one, and asks for more sureness where it is none", async () => {
    const { category } = house.timeline.house.things.find(({ type }) => type === "furniture")!;
    plays({ sure: () => say("E") });
    const known = await explores({ question: `Where is the ${category}?` });
    expect(known.explored).toMatchObject({ end: "answered", answer: { status: "answered" } });
    plays({ sure: () => say("C") });
    // Our reader makes nothing of it: without a model nobody would move.
    const odd = await explores({ question: "asdf qwer zxcv" });
    expect(odd.explored).toMatchObject({ end: "budget", steps: 3 });
    expect(by(odd.consulted, "stopping").every(({ sure }) => sure === 0.5)).toBe(true);
  });

  test("goes on by rules where the model cannot be reached, or its budget is used up", async () => {
    server.otherwise = refuse(500);
    const gone = await explores();
    expect(gone.explored).toMatchObject({ end: "budget", steps: 3 });
    const [first] = by(gone.consulted, "stopping");
    expect(first).toMatchObject({ by: "rules", fallback: expect.stringContaining("answered 500") });
    expect(first!.query).toContain("giraffe");
    // Three failures in a row, then it is let rest.
    expect(server.asked).toHaveLength(3);
    expect(by(gone.consulted, "stopping").at(-1)!.fallback).toContain("asked again at step");
    plays({});
    server.asked.length = 0;
    const poor = await explores({ modelBudget: { calls: 3 } });
    expect(server.asked).toHaveLength(3);
    expect(poor.explored).toMatchObject({ end: "budget", steps: 3 });
    expect(poor.consulted.some(({ fallback }) => fallback?.includes("budget of 3 calls"))).toBe(true);
  });

  test("is cancelled in the middle of a call", async () => {
    const stop = new AbortController();
    plays({
      where: () => () => {
        stop.abort();
      },
    });
    const { explored } = await explores({ signal: stop.signal });
    expect(explored).toMatchObject({ end: "cancelled", steps: 0 });
  });

  test("sees the places on the view and on a plan from above where it sees", async () => {
    plays({});
    const seeing = openOpenAiChat({ baseUrl: server.baseUrl, model: "tiny", retries: 0 });
    await explores({ model: seeing, budget: { ...budget, steps: 1 } });
    const where = server.asked.find((one) => kindOf(one) === "where")!;
    // This body sees no colours, so there is the plan alone.
    expect(imagesIn(where)).toBe(1);
    expect(textOf(where)).toContain("the plan from above");
  });

  test("answers by the system that was asked for, from what the walk has left in the memory", async () => {
    const { category, colour } = house.timeline.house.things.find(({ type }) => type === "furniture")!;
    const question = `What colour is the ${category}?`;
    plays({
      sure: (_, nth) => say(nth < 2 ? "A" : "E"),
      q_a: () => say(`the ${category} and its colour`),
      answer: () => say(`It is ${colour}. [1]`),
    });
    const { explored, lines } = await explores({
      question,
      policy: "memory-eqa",
      mode: "paper",
      system: undefined,
      budget: { ...budget, steps: 12 },
    });
    expect(explored).toMatchObject({
      end: "answered",
      steps: 2,
      why: expect.stringContaining("openai:tiny"),
    });
    expect(explored.answer!.text).toContain(colour);
    expect(explored.answer!.strategy).toContain("memory-eqa");
    expect(server.asked.map(kindOf).slice(-4)).toEqual(["q_s", "sure", "q_a", "answer"]);
    expect(textOf(server.asked.at(-1)!)).toContain(category);
    const end = lines.at(-1)!;
    const told = end.kind === "end" ? (end.consulted ?? []) : [];
    expect(told.map(({ module }) => module)).toEqual(["stopping", "answering"]);
    expect(told[1]!.retrieved.length).toBeGreaterThan(0);
  });

  test.each([
    ["--model", "openai:x@http://127.0.0.1:1/v1", /^loci: .*model-unavailable\]\n$/],
    ["--system", "oracle", /^loci: expected a system .*\[invalid-input\]\n$/],
    ["--model-calls", "0", /--model-calls/],
  ])("is told of a wrong %s before anything is written", async (flag, value, why) => {
    const place = join(folder, `none${flag}`);
    const { code, err } = await loci(["explore", "--question", GIRAFFE, "--memory", place, flag, value]);
    expect(code).not.toBe(0);
    expect(err).toMatch(why);
    expect(existsSync(place)).toBe(false);
  });
});
