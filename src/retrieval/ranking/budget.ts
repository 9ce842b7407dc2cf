/** Average characters per token of English in language models' tokenisers. */
const CHARS_PER_TOKEN = 4;

/** About how many tokens a text costs; never fewer than one. */
export function tokensOf(text: string): number {
  return Math.max(1, Math.ceil(text.length / CHARS_PER_TOKEN));
}

/**
 * Which items fit a budget of tokens: the best one first whatever it costs, the rest by score for each token
 * (docs/formulas.md#ambiguity) as long as they fit. Returns indices in the order given. Scores may be negative: only their
 * differences count.
 */
export function withinBudget(
  items: readonly { readonly score: number; readonly tokens: number }[],
  tokens: number,
): number[] {
  if (items.length === 0) return [];
  const least = Math.min(...items.map(({ score }) => score));
  const density = (i: number) => (items[i]!.score - least + 1e-9) / items[i]!.tokens;
  let best = 0;
  items.forEach(({ score }, i) => {
    if (score > items[best]!.score) best = i;
  });
  const others = [...items.keys()].filter((i) => i !== best).sort((a, b) => density(b) - density(a) || a - b);
  let left = tokens - items[best]!.tokens;
  const kept = [best];
  for (const i of others) {
    if (items[i]!.tokens > left) continue;
    left -= items[i]!.tokens;
    kept.push(i);
  }
  return kept.sort((a, b) => a - b);
}
