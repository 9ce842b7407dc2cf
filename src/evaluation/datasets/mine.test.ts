import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeEach, describe, expect, it } from "vitest";
import { csvRows } from "./csv.ts";
import { loadDataset } from "./load-dataset.ts";

const folders: string[] = [];
let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "loci-mine-"));
  folders.push(folder);
});
afterAll(() => {
  for (const one of folders) rmSync(one, { recursive: true, force: true });
});
const write = (name: string, lines: readonly object[]) =>
  writeFileSync(join(folder, name), lines.map((line) => JSON.stringify(line)).join("\n"));

describe("my folder and my questions", () => {
  it("takes a question and its answer, in the form the answer has", () => {
    write("questions.jsonl", [
      { question: "Is the door open?", answer: "yes" },
      { question: "How many chairs are there?", answer: 4 },
      { question: "Which room?", answer: "B", options: ["kitchen", "hall"] },
      { question: "Which room?", answer: "Kitchen", options: ["kitchen", "hall"] },
      { question: "What colour is it?", answer: "dark blue" },
    ]);
    const [scene] = loadDataset("mine", folder).scenes;
    expect(scene?.recording).toBe(folder);
    expect(scene?.questions.map(({ answer }) => answer)).toEqual([
      { type: "binary", text: "yes", value: true },
      { type: "count", text: "4", count: 4 },
      { type: "choice", text: "hall", letter: "B" },
      { type: "choice", text: "kitchen", letter: "A" },
      { type: "text", text: "dark blue" },
    ]);
  });

  it("leaves out what a person rejected or has not looked at, and prefers a memory", () => {
    mkdirSync(join(folder, "memory"));
    write("questions.jsonl", [
      { question: "One?", answer: "a", accept: true },
      { question: "Two?", answer: "b", accept: false },
      { question: "Three?", answer: "c", accept: null },
    ]);
    const { excluded, scenes } = loadDataset("mine", folder);
    expect(scenes[0]?.memory).toBe(join(folder, "memory"));
    expect(excluded.map(({ questionId }) => questionId)).toEqual(["mine-2", "mine-3"]);
  });

  it.each([
    [[{ question: "", answer: "x" }], "line 1"],
    [[{ question: "Which?", answer: "C", options: ["a", "b"] }], "none of its options"],
    [[{ question: "Where?", answer: "x", scene: "attic" }], "no attic"],
  ])("refuses %j in one line", (lines, says) => {
    write("questions.jsonl", lines);
    expect(() => loadDataset("mine", folder)).toThrow(says);
  });
});

describe("questions in CSV", () => {
  const CSV = `scene,floor,question,choices,answer,label\n00001-abc,0,"Is there a mug, or a ""cup""?","['Mug', 'Cup', 'Both', 'None']",B,identification\n`;

  it("reads quotes, commas and line breaks", () => {
    expect(csvRows('a,b\r\n"x,""y""\nz",2\n')).toEqual([{ a: 'x,"y"\nz', b: "2" }]);
  });

  it("says what to fetch where no scene is there, and asks of those that are", () => {
    writeFileSync(join(folder, "questions.csv"), CSV);
    expect(() => loadDataset("hm-eqa", folder)).toThrow(/no frames of any.*scenes\/SCENE_FLOOR/);
    mkdirSync(join(folder, "scenes", "00001-abc_0"), { recursive: true });
    const { scenes, excluded } = loadDataset("hm-eqa", folder);
    expect(excluded).toEqual([]);
    expect(scenes[0]).toMatchObject({ id: "00001-abc_0", recording: join(folder, "scenes", "00001-abc_0") });
    expect(scenes[0]?.questions[0]).toMatchObject({
      text: 'Is there a mug, or a "cup"?',
      type: "recognition",
      answer: { type: "choice", text: "Cup", letter: "B" },
    });
  });
});

describe("EXPRESS-Bench", () => {
  it("turns Habitat's axes and keeps the goal", () => {
    const one = {
      question: "What is on the desk?",
      answer: "a lamp",
      type: "object",
      scene_id: "00800-x",
      start_position: [1, 0, 2],
      start_rotation: [1, 0, 0, 0],
      goal_position: [3, 0.5, -4],
    };
    writeFileSync(join(folder, "express-bench.json"), JSON.stringify([one]));
    mkdirSync(join(folder, "scenes", "00800-x"), { recursive: true });
    const question = loadDataset("express-bench", folder).scenes[0]?.questions[0];
    expect(question?.start?.position).toEqual({ x: 1, y: -2, z: 0 });
    expect(question?.about["goal"]).toEqual({ x: 3, y: 4, z: 0.5 });
  });
});

describe("LA-EQA", () => {
  it("takes either of two answers, and says what to fetch", () => {
    const one = {
      question: "Where was it last night?",
      answer: "On the sofa OR the couch",
      category: "past",
      question_id: "h_1",
      scene_name: "092-x",
    };
    writeFileSync(join(folder, "eqa-questions.json"), JSON.stringify([one]));
    expect(() => loadDataset("la-eqa", folder)).toThrow("scenes/SCENE_NAME");
    mkdirSync(join(folder, "scenes", "092-x"), { recursive: true });
    expect(loadDataset("la-eqa", folder).scenes[0]?.questions[0]).toMatchObject({
      type: "temporal",
      answer: { type: "text", text: "On the sofa" },
      extra: ["the couch"],
    });
  });
});
