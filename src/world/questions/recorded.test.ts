import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { questionSchema } from "../../schema/index.ts";
import { parseRecordOptions, QUESTIONS_FILE, recordHouse, TRUTH_FILE } from "../recorder/index.ts";
import { checkQuestions } from "./index.ts";

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), "loci-questions-"));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

describe("questions beside a recording", () => {
  it("are written with it, one a line, and hold by its own truth", async () => {
    const out = join(folder, "recording");
    const summary = await recordHouse({
      family: "house",
      seed: 4,
      minutes: 0.45,
      lidar: false,
      fps: 1,
      noise: 0.5,
      rooms: 4,
      objects: 60,
      questions: "openeqa",
      questionCount: 16,
      out,
      workers: 0,
    });
    const lines = (await readFile(join(out, QUESTIONS_FILE), "utf8")).trimEnd().split("\n");
    const questions = lines.map((line) => questionSchema.parse(JSON.parse(line)));
    expect(questions.length).toBe(summary.questions);
    expect(questions.length).toBeGreaterThan(8);
    const truth: unknown = JSON.parse(await readFile(join(out, TRUTH_FILE), "utf8"));
    expect(checkQuestions(questions, truth).faults).toEqual([]);
  });

  it("need two agents to be collaborative, which is said before anything is written", () => {
    expect(() => parseRecordOptions({ family: "house", out: "x", questions: "collab" })).toThrowError(
      /2 agents/,
    );
    expect(() => parseRecordOptions({ family: "house", out: "x", questions: "trivia" })).toThrowError(
      /openeqa/,
    );
  });
});
