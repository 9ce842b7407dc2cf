import { spawn } from "node:child_process";
import { once } from "node:events";
import { appendFileSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as pause } from "node:timers/promises";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { LociError } from "../../schema/index.ts";
import type { Judge } from "../judge/judge.ts";
import { knowing, questionOf, questionsOf, sceneIn } from "../testing/toy-suite.ts";
import { evaluateSuite } from "./evaluate-suite.ts";
import { reportOf } from "./report.ts";
import { formatReport } from "./report-text.ts";
import { progressLine, type RunOptions, type RunProgress, runSuite } from "./run-suite.ts";
import type { Strategy } from "./strategy.ts";

let folder: string;
/** Scenes of the same name are the same in all tests, so their memories are written once. */
let memories: string;
beforeAll(() => {
  memories = mkdtempSync(join(tmpdir(), "loci-suite-memories-"));
});
afterAll(() => rmSync(memories, { recursive: true, force: true }));
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-suite-"));
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const options = (more: Partial<RunOptions> = {}): RunOptions => ({
  suite: "test",
  commit: "test",
  scenes: [sceneIn(memories, "a", questionsOf(8))],
  strategies: [knowing("knows")],
  ...more,
});
const linesIn = (path: string) => (existsSync(path) ? readFileSync(path, "utf8").split("\n").length - 1 : 0);
const comparable = ({ machine: _, file: __, ...report }: Awaited<ReturnType<typeof evaluateSuite>>) => report;

describe("a run", () => {
  it("asks everything of everybody, baselines beside", async () => {
    const { results, comparisons, failures } = await evaluateSuite(options());
    expect(results.map(({ strategy }) => strategy)).toEqual(["blind", "uniform", "whole-history", "knows"]);
    const [blind, uniform, whole, knows] = results.map(({ overall }) => overall);
    expect(knows).toMatchObject({
      n: 8,
      answered: 8,
      failed: 0,
      match: { value: 100 },
      success: { value: 100 },
    });
    expect(knows!.figures["recall@1"]).toEqual({ value: 1, median: 1, n: 8 });
    expect(blind!.match.value).toBeLessThan(whole!.match.value);
    expect(uniform!.figures["contextTokens"]!.value).toBeLessThan(whole!.figures["contextTokens"]!.value);
    expect(whole!.figures["recall@all"]!.value).toBe(1);
    expect(failures.total).toBe(0);
    expect(comparisons.map(({ against }) => against)).toEqual(["blind", "uniform", "whole-history"]);
    expect(comparisons[0]!.match.value).toBeCloseTo(100 - blind!.match.value, 9);
  });

  it("hides the truth from whoever answers, and what came after the question", async () => {
    const seen: unknown[] = [];
    const nosy: Strategy = {
      id: "nosy",
      async answer(question, context) {
        seen.push(Object.keys(question).sort(), await context.reader.count({ kinds: ["caption"] }));
        return knowing("nosy").answer(question, context);
      },
    };
    const question = questionOf({
      id: "q",
      text: "What color is mug number 0?",
      answer: { type: "text", text: "red" },
      askedAtUs: 60_000_000,
      about: { windowFromUs: 25_000_000 },
      targets: ["secret"],
    });
    await runSuite(options({ scenes: [sceneIn(memories, "a", [question])], strategies: [nosy] }));
    expect(seen).toEqual([["askedAtUs", "id", "scope", "text"], 4]);
  });

  it("tells how far it is and how long it takes", async () => {
    const progress: RunProgress[] = [];
    let now = 0;
    await runSuite(
      options({ onProgress: (line) => progress.push(line), nowMs: () => (now += 10), parallel: 1 }),
    );
    expect(progress[0]).toMatchObject({ done: 0, total: 32, leftS: null });
    expect(progress.at(-1)).toMatchObject({ done: 32, total: 32, failed: 0, leftS: 0 });
    expect(progressLine({ done: 3, total: 9, failed: 1, reused: 0, scene: "a", leftS: 200 })).toBe(
      "3/9, 1 failed, 4 min left · a",
    );
  });

  it("never has more in flight than it may", async () => {
    let [flying, most] = [0, 0];
    const busy: Strategy = {
      id: "busy",
      async answer(question, context) {
        most = Math.max(most, ++flying);
        await pause(2);
        flying--;
        return knowing("busy").answer(question, context);
      },
    };
    await runSuite(options({ strategies: [busy], beside: [], parallel: 3 }));
    expect(most).toBeGreaterThan(1);
    expect(most).toBeLessThanOrEqual(3);
    await expect(runSuite(options({ parallel: 0 }))).rejects.toThrow("parallel: a whole number");
  });

  it("refuses the same question or strategy twice", async () => {
    const twice = [...questionsOf(1), ...questionsOf(1)];
    await expect(runSuite(options({ scenes: [sceneIn(memories, "a", twice)] }))).rejects.toThrow("twice");
    await expect(runSuite(options({ strategies: [knowing("x"), knowing("x")] }))).rejects.toThrow("once");
  });
});

describe("what goes wrong", () => {
  it("is counted and shown, whoever did it, and never averaged away", async () => {
    const faulty: Strategy = {
      id: "faulty",
      async answer(question, context) {
        if (question.id === "q0") throw new LociError("unknown-id", "the frame at 10 s is missing");
        if (question.id === "q1") throw new TypeError("undefined is not a function");
        if (question.id === "q2") return { text: "no answer at all" } as never;
        if (question.id === "q3") return new Promise(() => {});
        return knowing("faulty").answer(question, context);
      },
    };
    const out = join(folder, "rows.jsonl");
    const report = await evaluateSuite(
      options({ strategies: [faulty], beside: [], out, questionTimeoutMs: 60 }),
    );
    const cell = report.results.at(-1)!.overall;
    expect(cell).toMatchObject({ n: 8, answered: 4, failed: 4, match: { value: 50 }, matchOfJudged: 100 });
    expect(report.failures).toMatchObject({
      total: 4,
      byCode: {
        "answer: bug": 1,
        "answer: invalid-input": 1,
        "answer: limit-exceeded": 1,
        "answer: unknown-id": 1,
      },
    });
    expect(formatReport(report)).toContain("faulty on q0 (answer): the frame at 10 s is missing");
    const rows = readFileSync(out, "utf8")
      .trim()
      .split("\n")
      .map((line) => JSON.parse(line));
    expect(rows.find((row) => row.strategy === "faulty" && row.questionId === "q2").malformedAnswer).toBe(
      '{"text":"no answer at all"}',
    );
    // A failure is a result: it is not asked again unless a retry is requested.
    const again = await runSuite(options({ strategies: [faulty], beside: [], out, questionTimeoutMs: 60 }));
    expect(again).toMatchObject({ asked: 0, reused: 8 });
    const retried = await runSuite(
      options({ strategies: [faulty], beside: [], out, questionTimeoutMs: 60, retryFailed: true }),
    );
    expect(retried).toMatchObject({ asked: 4, reused: 4 });
  });

  it("counts a scene that cannot be opened against every question of it", async () => {
    const lost = {
      ...sceneIn(memories, "lost", questionsOf(2)),
      open: () => Promise.reject(new LociError("memory-not-found", "no recording there")),
    };
    const report = await evaluateSuite(options({ scenes: [sceneIn(memories, "a", questionsOf(2)), lost] }));
    expect(report.failures).toMatchObject({ total: 8, byCode: { "memory: memory-not-found": 8 } });
    expect(report.results.at(-1)!.overall).toMatchObject({ n: 4, failed: 2, match: { value: 50 } });
  });

  it("counts a judge's prose as nothing and shows it; a broken judge too", async () => {
    const chatty: Judge = {
      id: "chatty",
      async judge(question) {
        if (question.id === "q0") return { score: null, why: "no mark", unparsable: ["Well…", "Hmm."] };
        if (question.id === "q1") return { score: 5, why: "5", unparsable: ["Let me think."] };
        if (question.id === "q2") throw new LociError("model-unavailable", "no connection");
        return { score: 5, why: "5" };
      },
    };
    const report = await evaluateSuite(options({ judge: chatty }));
    expect(report.results.at(-1)!.overall).toMatchObject({
      n: 8,
      answered: 8,
      failed: 0,
      withoutMark: 2,
      match: { value: 75 },
      matchOfJudged: 100,
    });
    expect(report.unparsable.total).toBe(8);
    expect(report.unparsable.shown.filter(({ mended }) => mended)).toHaveLength(4);
    expect(report.failures.byCode).toEqual({ "judge: model-unavailable": 4 });
    expect(formatReport(report)).toContain('"Well…"');
  });

  it("stops when told to and keeps what it has", async () => {
    const stop = new AbortController();
    const out = join(folder, "rows.jsonl");
    const run = runSuite(
      options({
        out,
        signal: stop.signal,
        onProgress: ({ done }) => {
          if (done === 5) stop.abort();
        },
      }),
    );
    await expect(run).rejects.toMatchObject({ code: "aborted" });
    const kept = linesIn(out);
    expect(kept).toBeGreaterThanOrEqual(5);
    expect(await runSuite(options({ out }))).toMatchObject({ reused: kept, asked: 32 - kept, torn: 0 });
  });
});

describe("resuming", () => {
  it("drops a torn last line, keeps and counts malformed ones, and leaves other runs' rows alone", async () => {
    const out = join(folder, "rows.jsonl");
    const whole = await evaluateSuite(options({ out }));
    const lines = readFileSync(out, "utf8").trim().split("\n");
    const other = JSON.stringify({ ...JSON.parse(lines[0]!), key: "another" });
    writeFileSync(
      out,
      `${[lines[0], "{not json", '{"format":1}', other, ...lines.slice(1, 10)].join("\n")}\n`,
    );
    appendFileSync(out, lines[10]!.slice(0, 100));
    const resumed = await evaluateSuite(options({ out }));
    expect(resumed.file).toMatchObject({ torn: 1, malformedTotal: 2, foreign: 1, reused: 10, asked: 22 });
    expect(resumed.file.malformed.map(({ line }) => line)).toEqual([2, 3]);
    expect(comparable(resumed)).toEqual(comparable(whole));
    expect(formatReport(resumed)).toContain("line 2: not JSON");
    expect((await evaluateSuite(options({ out }))).file).toMatchObject({
      torn: 0,
      malformedTotal: 2,
      reused: 32,
    });
  });

  it("does not use rows of other code, other settings, another judge or a changed question", async () => {
    const out = join(folder, "rows.jsonl");
    await runSuite(options({ out }));
    expect(await runSuite(options({ out, commit: "newer" }))).toMatchObject({ reused: 0 });
    expect(await runSuite(options({ out, strategies: [knowing("knows", 1)] }))).toMatchObject({ reused: 24 });
    const [first, ...rest] = questionsOf(8);
    const changed = [{ ...first!, text: "What color is the mug number 0?" }, ...rest];
    expect(await runSuite(options({ out, scenes: [sceneIn(memories, "a", changed)] }))).toMatchObject({
      reused: 28,
    });
    const judge: Judge = { id: "other", judge: async () => ({ score: 1, why: "" }) };
    expect(await runSuite(options({ out, judge }))).toMatchObject({ reused: 0 });
  });

  it("gives the same report after the process was really killed half-way", async () => {
    const out = join(folder, "killed.jsonl");
    const worker = join(import.meta.dirname, "../testing/killed-run-worker.ts");
    const child = spawn(process.execPath, [worker, join(folder, "killed"), out], { stdio: "ignore" });
    const exited = once(child, "exit");
    while (linesIn(out) < 40 && child.exitCode === null) await pause(5);
    child.kill("SIGKILL");
    expect((await exited)[1]).toBe("SIGKILL");
    const killed = (where: string) =>
      options({
        suite: "killed",
        scenes: ["a", "b"].map((id) => sceneIn(join(folder, where), id, questionsOf(12))),
        strategies: [knowing("slow", 15)],
        parallel: 3,
      });
    const resumed = reportOf(await runSuite({ ...killed("killed"), out }));
    expect(resumed.file.reused).toBeGreaterThanOrEqual(40);
    expect(resumed.file.asked).toBeGreaterThan(0);
    expect(resumed.file.reused + resumed.file.asked).toBe(96);
    const untouched = reportOf(await runSuite(killed("untouched")));
    expect(comparable(resumed)).toEqual(comparable(untouched));
  }, 20_000);
});
