/** Where a list goes on: commas, "and" or "with" before a thing, the colon after the name of a room. */
const BETWEEN =
  /(,\s+and\s+|,\s+|:\s+|\s+(?:and|with)\s+(?=(?:an?|the|some|several|two|three|four|five|six|open|closed)\s))/;
const SENTENCE = /(?<=[.!?])\s+(?=\p{Lu})/u;

/** A part of a sentence that may be told again elsewhere: one thing of a list. */
export interface Part {
  readonly words: string;
  /** The same without the words that only lead in. */
  readonly core: string;
  /** In how many sentences it is. */
  readonly count: number;
}

/** The parts that sentences are made of, each once, in the order in which they first come. */
export function partsOf(lines: readonly string[]): Part[] {
  const parts = new Map<string, Part>();
  for (const sentence of lines.flatMap((line) => line.split(SENTENCE))) {
    const told = new Set<string>();
    for (const [n, piece] of sentence.split(BETWEEN).entries()) {
      // Every other piece is a separator.
      if (n % 2 === 1) continue;
      const words = withoutLead(
        piece
          .replaceAll(/\s+/g, " ")
          .replace(/[.:;]+$/, "")
          .trim(),
      );
      const core = coreOf(words);
      if (core === "" || told.has(core)) continue;
      told.add(core);
      const known = parts.get(core);
      parts.set(core, { words: known?.words ?? words, core, count: (known?.count ?? 0) + 1 });
    }
  }
  return [...parts.values()];
}

/** A list in words: "a red mug (3×), a stove". */
export function listed(parts: readonly Part[]): string {
  return parts.map(({ words, count }) => (count > 1 ? `${words} (${count}×)` : words)).join(", ");
}

const withoutLead = (words: string) => words.replace(/^(?:there (?:is|are)|this is)\s+/i, "");

/** The part of a statement that decides equality: without case, article and lead. */
export function coreOf(words: string): string {
  return withoutLead(words)
    .toLowerCase()
    .replace(/^(?:an?|the)\s+/, "")
    .replace(/[.!]\s*$/, "")
    .trim();
}

/** Texts about similar places: the common part, and the rest of each. */
export interface Apart {
  /** Empty where there is no part that all have. */
  readonly common: string;
  readonly texts: readonly string[];
}

/**
 * Separates several texts into common and distinctive parts: a part that all of them have does not help to choose, and
 * is given once.
 */
export function apart(texts: readonly (readonly string[])[]): Apart {
  const parts = texts.map((lines) => partsOf(lines));
  const [first = []] = parts;
  const inAll = (core: string) =>
    parts.length > 1 && parts.every((own) => own.some((part) => part.core === core));
  const common = first.filter(({ core }) => inAll(core));
  return {
    common: common.map(({ words }) => words).join(", "),
    texts: parts.map((own) => listed(own.filter(({ core }) => !inAll(core)))),
  };
}
