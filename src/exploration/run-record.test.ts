import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import type { RunLine } from "../schema/index.ts";
import { parseRun, RunWriter, readRun } from "./run-record.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-run-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

const HEAD: RunLine = {
  kind: "run",
  version: 1,
  id: "run-1",
  question: "Where is the mug?",
  task: "answer",
  policy: "memory",
  mode: "loci",
  agents: [{ id: "robot-1", start: { position: { x: 0, y: 0, z: 0 }, yawRad: 0 } }],
  budget: { steps: 10, pathM: 30, seconds: 600 },
  switches: { planner: true, stopping: true, answering: true },
  place: { family: "house", seed: "1" },
  sceneId: "default",
  startedUs: 0,
};
const MAP: RunLine = {
  kind: "map",
  n: 0,
  floorZ: 0,
  originX: 0,
  originY: 0,
  cellM: 0.1,
  width: 4,
  height: 1,
  runs: "1u2f1o",
};
const END: RunLine = {
  kind: "end",
  end: "budget",
  why: "its steps are used up",
  answer: null,
  steps: 0,
  pathM: { "robot-1": 0 },
  seconds: 0,
  looked: [],
};

describe("a recorded run", () => {
  test("comes back as it was written, line by line", async () => {
    const path = join(folder, "run.jsonl");
    const writer = new RunWriter(path);
    await writer.ready();
    for (const line of [HEAD, MAP, END]) writer.write(line);
    await writer.close();
    expect(await readRun(path)).toEqual([HEAD, MAP, END]);
  });

  test("that was cut off with its process is read up to there", async () => {
    const whole = [HEAD, MAP].map((line) => JSON.stringify(line)).join("\n");
    expect(parseRun(`${whole}\n{"kind":"ste`)).toEqual([HEAD, MAP]);
  });

  test("of another version, of another kind or damaged in the middle is refused in one line", async () => {
    const lines = (...all: unknown[]) => all.map((line) => JSON.stringify(line)).join("\n");
    expect(() => parseRun(lines({ ...HEAD, version: 2 }))).toThrow(/line 1 of the run/);
    expect(() => parseRun(lines(MAP))).toThrow(/begins with a line of kind run/);
    expect(() => parseRun(`${JSON.stringify(HEAD)}\n{oops\n${JSON.stringify(END)}`)).toThrow(
      /line 2 of the run is not JSON/,
    );
    expect(() => parseRun(lines(HEAD, { ...MAP, runs: "12x" }))).toThrow(/line 2/);
    expect(() => parseRun("")).toThrow(/begins with/);
    await expect(readRun(join(folder, "none.jsonl"))).rejects.toMatchObject({ code: "source-unavailable" });
    const nowhere = new RunWriter(join(folder, "no", "such", "folder.jsonl"));
    await expect(nowhere.ready()).rejects.toMatchObject({ code: "invalid-input" });
    const text = join(folder, "text.txt");
    await writeFile(text, "hello");
    await expect(readRun(text)).rejects.toMatchObject({ code: "invalid-input" });
    expect(await readFile(text, "utf8")).toBe("hello");
  });
});
