import { type AnswerInput, type AnswerRecord, answerSchema } from "../../schema/index.ts";
import { contextTokens } from "../metrics/text.ts";
import type { Answerer, EvidenceItem } from "./strategy.ts";

const MOST_CHARS = 4_000;
const CITED = 3;

/**
 * Uses retrieval literally: the place is that of the first result, the text is all results. It adds nothing, so that
 * retrieval alone is measured: Embodied-RAG's leaf, and how much of a whole place its chains describe.
 */
export const FIRST_FOUND: Answerer = {
  id: "first-found-1",
  async answer(question, evidence) {
    const placed = evidence.find(({ position }) => position !== undefined);
    const text = evidence
      .map((item) => item.text)
      .join("\n")
      .slice(0, MOST_CHARS);
    return answerSchema.parse({
      question: question.text,
      askedAtUs: question.askedAtUs,
      strategy: "first-found",
      status: evidence.length === 0 ? "insufficient" : "answered",
      confidence: 0.5,
      type: "text",
      text,
      ...(placed?.position && { position: { point: placed.position } }),
      evidence: evidence.slice(0, CITED).map(({ ref, kind, fromUs, agentId, score, text: why }) => ({
        ref,
        kind,
        why: why.slice(0, 500),
        atUs: fromUs,
        agentId,
        score,
      })),
      trace: {
        shown: evidence.map(shownOf),
        contextTokens: evidence.reduce((sum, item) => sum + contextTokens(item.text), 0),
      },
    } satisfies AnswerInput);
  },
};

/** How a piece of evidence goes into the trace of an answer. */
function shownOf(item: EvidenceItem): AnswerRecord["trace"]["shown"][number] {
  return {
    ref: item.ref,
    kind: item.kind,
    fromUs: item.fromUs,
    toUs: item.toUs,
    score: item.score,
    trackIds: [...item.trackIds],
    ...(item.position === undefined ? {} : { position: item.position }),
  };
}
