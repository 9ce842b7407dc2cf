/** The comparable content of one sampled direct answer. */
export interface Sample {
  readonly answer?: string | null | undefined;
  readonly binary?: boolean | null | undefined;
  readonly count?: number | null | undefined;
  readonly choice?: string | null | undefined;
  readonly confidence: number;
}

export const SAMPLES = 3;
export const LEAST_AGREEING = 2;
const LEAST_CONFIDENCE = 0.7;
const LEAST_SHARED_WORDS = 0.5;

/**
 * R⁴'s self-estimated answerability made testable (docs/formulas.md#answerable): at least two of the samples give the
 * same answer, each with a confidence of at least 0.7. Returns the most confident of them with the mean of the stated
 * confidences, or undefined.
 */
export function agreed<S extends Sample>(
  answers: readonly S[],
  drawn: number,
): { best: S; confidence: number } | undefined {
  for (const answer of answers) {
    const same = answers.filter((other) => isSame(answer, other));
    const sure = same.filter(({ confidence }) => confidence >= LEAST_CONFIDENCE);
    if (sure.length < LEAST_AGREEING) continue;
    const best = sure.reduce((a, b) => (b.confidence > a.confidence ? b : a));
    const mean = sure.reduce((sum, { confidence }) => sum + confidence, 0) / sure.length;
    // The third one's doubt counts as well.
    return { best, confidence: mean * (sure.length / drawn) ** 0.5 };
  }
  return undefined;
}

function isSame(a: Sample, b: Sample): boolean {
  if (a.choice != null || b.choice != null) return a.choice === b.choice;
  if (a.binary != null || b.binary != null) return a.binary === b.binary;
  if (a.count != null || b.count != null) return a.count === b.count;
  const [x, y] = [wordsOf(a.answer ?? ""), wordsOf(b.answer ?? "")];
  const shared = [...x].filter((word) => y.has(word)).length;
  return x.size > 0 && shared / Math.min(x.size, y.size) >= LEAST_SHARED_WORDS && !differsInNumbers(x, y);
}

/** "Two chairs" and "three chairs" share most words and say different things. */
function differsInNumbers(x: ReadonlySet<string>, y: ReadonlySet<string>): boolean {
  const numbers = (words: ReadonlySet<string>) =>
    [...words].filter((word) =>
      /^(?:\d+|no|not|zero|one|two|three|four|five|six|seven|eight|nine|ten)$/.test(word),
    );
  return numbers(x).sort().join() !== numbers(y).sort().join();
}

function wordsOf(text: string): Set<string> {
  const words = text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];
  return new Set(
    words.filter((word) => !/^(?:a|an|the|is|are|it|its|this|that|of|in|on|at|there)$/.test(word)),
  );
}
