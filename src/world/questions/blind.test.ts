import { describe, expect, it } from "vitest";
import { type QuestionInput, questionSchema } from "../../schema/index.ts";
import { blindAnswerable, blindPrior } from "./blind.ts";

const question = (rest: Partial<QuestionInput>) =>
  questionSchema.parse({
    id: "q-1",
    family: "house",
    suite: "all",
    type: "attribute",
    subtype: "attribute/colour",
    text: "What colour is the toilet?",
    answer: { type: "text", text: "white" },
    scope: "episodic",
    askedAtUs: 0,
    difficulty: "easy",
    answerable: true,
    ...rest,
  });

describe("blind answers", () => {
  it("know what houses are like", () => {
    expect(blindPrior({ text: "What colour is the toilet?", form: "text", options: undefined })).toBe(
      "white",
    );
    expect(blindPrior({ text: "Which room is the fridge in?", form: "text", options: undefined })).toBe(
      "kitchen",
    );
    const options = ["red", "white", "blue", "green"];
    expect(blindPrior({ text: "What colour is the bathtub?", form: "choice", options })).toBe("B");
  });

  it("count how many of them are right", () => {
    expect(blindAnswerable(question({}))).toBeGreaterThan(0.3);
    expect(blindAnswerable(question({ answer: { type: "text", text: "purple" } }))).toBe(0);
  });

  it("give a yes-sayer half of the yes/no questions", () => {
    const text = "Is the mug on the table?";
    const yes = blindAnswerable(question({ text, answer: { type: "binary", value: true, text: "yes" } }));
    const no = blindAnswerable(question({ text, answer: { type: "binary", value: false, text: "no" } }));
    expect(yes + no).toBeCloseTo(1);
  });

  it("let those who admit to know nothing be right where there is nothing to know", () => {
    const none = question({
      text: "Where is the piano?",
      answer: { type: "none", status: "not-seen", text: "I have not seen a piano" },
      answerable: false,
      unanswerableReason: "never-seen",
    });
    expect(blindAnswerable(none)).toBeCloseTo(0.2);
  });
});
