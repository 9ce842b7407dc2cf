import { looksEnglish } from "./english.ts";
import type { Finding } from "./finding.ts";
import type { Need } from "./need.ts";

const FUTURE = /\b(?:will|shall|tomorrow|next (?:week|month|year))\b/;
/** What was found, as far as it may be said: nothing of the future, and nothing of what was not understood. */
export function honest(question: string, need: Need, finding: Finding): Finding {
  // Whether a thing stays is guessed by its kind; of the weather nothing is known at all.
  const isGuess = need.asks === "predict" && finding.status === "answered";
  if (FUTURE.test(question.toLowerCase()) && !isGuess && need.asks !== "capacity") {
    const now = finding.status === "answered" ? ` Now: ${finding.text}` : "";
    const { evidence, goal } = finding;
    return {
      status: "insufficient",
      text: `I remember what was, and cannot tell what will be.${now}`,
      evidence,
      confidence: 0.4,
      goal,
    };
  }
  if (!/[a-z]/i.test(question)) return notEnglish(finding);
  if (finding.status === "not-seen" && !looksEnglish(question)) return notEnglish(finding);
  return finding;
}

function notEnglish({ evidence }: Finding): Finding {
  return {
    status: "insufficient",
    text: "I do not understand the question: I read English.",
    evidence,
    confidence: 0.3,
  };
}
