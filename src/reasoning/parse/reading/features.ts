import type { Chunk } from "./chunk.ts";

/** Words that carry little of what is asked by themselves. */
const SMALL = new Set(
  "is was do did can not i you it this that there one and or of to as at all the if any".split(" "),
);
const FILLED = ["THING", "ROOM", "KIND", "KINDS", "NAME", "STATE", "SIDE"];

/**
 * What is told of a question's form: its symbols, alone, next to each other and, for those that carry meaning,
 * anywhere together; how it begins and ends; how many things, rooms and so on it names.
 */
export function featuresOf(chunks: readonly Chunk[], hasOptions: boolean): string[] {
  const found = new Set<string>(["bias"]);
  if (hasOptions) found.add("options");
  const symbols = chunks.flatMap(({ kind, symbol }) => (kind === "pause" || symbol === "?" ? [] : [symbol]));
  for (const [n, symbol] of symbols.entries()) {
    found.add(symbol);
    if (n === 0) found.add(`^ ${symbol}`);
    const [next = "$", later] = [symbols[n + 1], symbols[n + 2]];
    found.add(`${symbol} ${next}`);
    if (later !== undefined) found.add(`${symbol} _ ${later}`);
  }
  const content = [...new Set(symbols.filter((symbol) => !SMALL.has(symbol)))].toSorted();
  for (const [n, a] of content.entries()) for (const b of content.slice(n + 1)) found.add(`${a} & ${b}`);
  for (const symbol of FILLED)
    found.add(`${symbol}=${Math.min(symbols.filter((one) => one === symbol).length, 3)}`);
  return [...found];
}
