import { LIMITS, LociError } from "../schema/core.ts";

/** The lines by which a text is found: its sentences, each embedded on its own (docs/formulas.md#lines). */
export function linesOf(text: string): string[] {
  const segments = new Intl.Segmenter("en", { granularity: "sentence" }).segment(text);
  const lines = Array.from(segments, ({ segment }) => segment.replace(/\s+/g, " ").trim()).filter(
    (line) => line !== "",
  );
  if (lines.length === 0) throw new LociError("invalid-input", "there is no text to remember");
  if (text.length > LIMITS.lineChars * 4 || lines.length > LIMITS.linesPerRecord) {
    throw new LociError(
      "limit-exceeded",
      `a fact has at most ${LIMITS.linesPerRecord} sentences and ${LIMITS.lineChars * 4} characters`,
    );
  }
  return lines;
}
