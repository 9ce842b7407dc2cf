import { describe, expect, it } from "vitest";
import { QUESTION_TYPES } from "../../schema/index.ts";
import { PAPER_EXAMPLES } from "../testing/paper-examples.ts";
import { SUBTYPES } from "./types/index.ts";
import { WORDINGS } from "./wording/index.ts";

describe("the papers' own questions", () => {
  it("each have a type, and a subtype of ours of that type", () => {
    for (const { text, type, subtype } of PAPER_EXAMPLES) {
      expect(QUESTION_TYPES).toContain(type);
      if (subtype === undefined) continue;
      expect(SUBTYPES.find((kind) => kind.subtype === subtype)?.type, text).toBe(type);
      expect(WORDINGS[subtype], text).toBeDefined();
    }
  });

  it("are there once each, from all five papers", () => {
    expect(new Set(PAPER_EXAMPLES.map(({ text }) => text)).size).toBe(PAPER_EXAMPLES.length);
    const papers = new Set(PAPER_EXAMPLES.map(({ paper }) => paper));
    for (const paper of ["R4", "MemoryEQA", "STaR", "Embodied-RAG", "R-EQA"]) expect(papers).toContain(paper);
  });

  it("are answered by a generator but for the few that need another world", () => {
    const without = PAPER_EXAMPLES.filter(({ subtype }) => subtype === undefined);
    expect(without.length).toBeLessThanOrEqual(8);
  });
});
