import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, it, onTestFinished } from "vitest";
import { evaluateParser } from "./evaluate-parser.ts";
import { OPEN_EQA_LABELS } from "./open-eqa-labels.ts";
import { scoreParser } from "./score-parser.ts";

const questions = [
  { id: "aaaaaaaa-1", text: "Where is the red mug?" },
  { id: "bbbbbbbb-2", text: "Is the garage door open?" },
  { id: "cccccccc-3", text: "How many chairs are there?" },
  { id: "dddddddd-4", text: "Warum ist die Banane krumm und was sagt der Hund dazu heute?" },
];

it("counts answer type and target apart, and together", async () => {
  const score = await scoreParser(questions, [
    { id: "aaaaaaaa", answers: ["position"], targets: ["cup", "mug"] },
    { id: "bbbbbbbb", answers: ["text"], targets: ["door"] },
    { id: "cccccccc", answers: ["count"], targets: ["table"] },
    { id: "eeeeeeee", answers: ["count"], targets: ["table"] },
  ]);
  expect(score).toMatchObject({ labelled: 3, missing: ["eeeeeeee"], all: { questions: 4 } });
  expect(score.answer.value).toBeCloseTo(2 / 3, 9);
  expect(score.target.value).toBeCloseTo(2 / 3, 9);
  expect(score.both.value).toBeCloseTo(1 / 3, 9);
  expect(score.wrong.map(({ id }) => id)).toEqual(["bbbbbbbb", "cccccccc"]);
  expect(score.fallback.value).toBe(0);
  expect(score.all.fallback.value).toBeCloseTo(1 / 4, 9);
});

it("takes the end of a compound name, never its start, for the target", async () => {
  const one = async (text: string, target: string) => {
    const labels = [{ id: "a", answers: ["position"], targets: [target] }];
    return (await scoreParser([{ id: "a", text }], labels)).target.value;
  };
  expect(await one("Where is the toilet paper roll?", "roll")).toBe(1);
  expect(await one("Where is the toilet paper roll?", "toilet")).toBe(0);
});

it("has a hundred labels, each once, with something that is right", () => {
  expect(new Set(OPEN_EQA_LABELS.map(({ id }) => id)).size).toBe(100);
  for (const { id, answers, targets } of OPEN_EQA_LABELS) {
    expect(id).toMatch(/^[0-9a-f]{8}$/);
    expect(answers.length).toBeGreaterThan(0);
    expect(targets.every((target) => target !== "")).toBe(true);
  }
});

it("refuses a file that has none of the labelled questions, and one that is none", async () => {
  const folder = mkdtempSync(join(tmpdir(), "loci-parser-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  await expect(evaluateParser(folder)).rejects.toThrow(/expected open-eqa-v0.json/);
  writeFileSync(
    join(folder, "open-eqa-v0.json"),
    JSON.stringify([{ question: "Where is it?", question_id: "none" }]),
  );
  await expect(evaluateParser(folder)).rejects.toThrow(/none of the labelled questions/);
  const { id } = OPEN_EQA_LABELS[0]!;
  writeFileSync(
    join(folder, "open-eqa-v0.json"),
    JSON.stringify([{ question: "Where is the mug?", question_id: `${id}-rest` }]),
  );
  const { score, text } = await evaluateParser(join(folder, "open-eqa-v0.json"));
  expect(score).toMatchObject({ labelled: 1, missing: { length: 99 } });
  expect(text).toContain("99 labelled questions are not in the file");
});
