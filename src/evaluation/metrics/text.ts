/** ROUGE-L as F1: 2·LCS / (|a| + |b|) over words in lower case without punctuation (docs/formulas.md#metrics); 0 for no words. */
export function rougeL(candidate: string, reference: string): number {
  const a = rougeWords(candidate);
  const b = rougeWords(reference);
  return a.length + b.length === 0 ? 0 : (2 * longestCommon(a, b)) / (a.length + b.length);
}

function rougeWords(text: string): string[] {
  return text
    .toLowerCase()
    .replaceAll(/[\p{P}\p{S}]/gu, "")
    .split(/\s+/)
    .filter((word) => word !== "");
}

/** Length of the longest common subsequence, in one row of memory. */
function longestCommon(a: readonly string[], b: readonly string[]): number {
  const row = new Array<number>(b.length + 1).fill(0);
  for (const word of a) {
    let diagonal = 0;
    for (let j = 1; j <= b.length; j++) {
      const above = row[j]!;
      row[j] = word === b[j - 1] ? diagonal + 1 : Math.max(above, row[j - 1]!);
      diagonal = above;
    }
  }
  return row[b.length]!;
}

/** English text runs at about four characters a token in the usual vocabularies. */
const CHARS_PER_TOKEN = 4;

/** An estimate of a text's tokens that is the same for every strategy and needs no model's vocabulary. */
export function contextTokens(text: string): number {
  return Math.ceil(text.length / CHARS_PER_TOKEN);
}
