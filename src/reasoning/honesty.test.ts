import { describe, expect, it } from "vitest";
import type { Finding } from "./finding.ts";
import { honest } from "./honesty.ts";
import { parseQuestion } from "./parse/parse-question.ts";

const FOUND: Finding = { status: "answered", text: "in the kitchen", evidence: [], confidence: 0.9 };
const LOST: Finding = { status: "not-seen", text: "I have not seen it.", evidence: [], confidence: 0.6 };

function said(question: string, finding: Finding): Finding {
  return honest(question, parseQuestion(question, { nowUs: 0 })[0]!, finding);
}

describe("what may be said of what was found", () => {
  it("leaves answers about what was alone", () => {
    expect(said("Where is the mug?", FOUND)).toBe(FOUND);
    expect(said("Where is the mug?", LOST)).toBe(LOST);
  });

  it("tells nothing of the future but what is so now", () => {
    const { status, text, confidence } = said("Where will the mug be tomorrow?", FOUND);
    expect(status).toBe("insufficient");
    expect(text).toMatch(/cannot tell.*in the kitchen/);
    expect(confidence).toBeLessThan(0.5);
  });

  it.each(["blorb frumious gnarp?", "Wo ist denn meine Tasse?"])(
    "does not pretend to have read %s",
    (question) => {
      expect(said(question, LOST).status).toBe("insufficient");
    },
  );

  it("takes no answer to a question without a letter that it reads", () => {
    expect(said("狗在哪里？", FOUND).status).toBe("insufficient");
  });
});
