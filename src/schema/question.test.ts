import { describe, expect, it } from "vitest";
import { type QuestionInput, questionSchema } from "./question.ts";

const QUESTION: QuestionInput = {
  id: "q-1",
  family: "open-eqa",
  suite: "open-eqa",
  type: "localisation",
  subtype: "object localization",
  text: "Where is the kettle?",
  answer: { type: "text", text: "on the counter" },
  scope: "episodic",
  askedAtUs: 5,
  difficulty: "easy",
  answerable: true,
};

describe("questionSchema", () => {
  it("takes what an adapter of a real dataset knows, and no more", () => {
    expect(questionSchema.parse(QUESTION)).toMatchObject({
      paraphrases: { dev: [], test: [] },
      extra: [],
      targets: [],
      tolerance: {},
      about: {},
    });
  });

  it("survives a line of JSON", () => {
    const question = questionSchema.parse({ ...QUESTION, minPath: { m: 1.5, steps: 7, viewpoints: [] } });
    expect(questionSchema.parse(JSON.parse(JSON.stringify(question)))).toEqual(question);
  });

  it.each([
    ["an unanswerable question with an answer", { answerable: false }],
    ["an answerable one without", { answer: { type: "none", status: "not-seen", text: "no idea" } }],
    ["a choice without options", { answer: { type: "choice", letter: "A", text: "red" } }],
    ["options without a choice", { options: ["red", "blue"] }],
    [
      "a letter beyond the options",
      { answer: { type: "choice", letter: "C", text: "red" }, options: ["red", "blue"] },
    ],
    ["an empty text", { text: "" }],
    ["a number that is none", { answer: { type: "duration", text: "?", durationS: Number.NaN } }],
    ["a type nobody knows", { type: "guessing" }],
  ])("refuses %s", (_, change) => {
    expect(questionSchema.safeParse({ ...QUESTION, ...change }).success).toBe(false);
  });

  it("takes two answers in one", () => {
    const answer = {
      type: "compound",
      text: "2 m; a minute ago",
      parts: [
        { type: "quantity", text: "2 m", quantity: { value: 2, unit: "m" } },
        { type: "time", text: "a minute ago", atUs: 1, agoS: 60 },
      ],
    };
    expect(questionSchema.safeParse({ ...QUESTION, type: "compound", answer }).success).toBe(true);
  });
});
