/** The kind of answer that the words of a question ask for; no more than a baseline needs. */
export type Expectation = "binary" | "count" | "duration" | "quantity" | "time" | "position" | "text";

const RULES: readonly (readonly [RegExp, Expectation])[] = [
  [/\bhow (many|often)\b|\bwhat number\b|\bcount\b/, "count"],
  [/\bhow long ago\b|\bwhen\b|\bwhat time\b|\bminutes ago\b/, "time"],
  [
    /\bhow long (was|were|did|do|does|have|has|had|will|am|are you|until|since)\b|\bfor how long\b/,
    "duration",
  ],
  [
    /\bhow (far|tall|high|wide|deep|long|big|large|fast|heavy)\b|\bwhat is the (distance|height|width|length|size|area)\b/,
    "quantity",
  ],
  [/\bwhere\b|\btake me\b|\bbring me\b|\bguide me\b|\bgo to\b|\bnearest\b|\bclosest\b/, "position"],
];
const YES_OR_NO =
  /^(is|are|was|were|am|did|do|does|has|have|had|can|could|will|would|should|isn't|aren't|didn't|don't)\b/;

/** Rules in order; a question that starts with a verb is yes or no unless it offers alternatives. */
export function expectationOf(question: string): Expectation {
  const text = question.toLowerCase().trim();
  if (/\bwhether\b|^any\b/.test(text)) return "binary";
  if (YES_OR_NO.test(text)) return /\bor\b/.test(text) ? "text" : "binary";
  return RULES.find(([pattern]) => pattern.test(text))?.[1] ?? "text";
}
