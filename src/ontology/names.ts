import { below, type Entry, vocabulary } from "./entry.ts";
import { singularOf } from "./nouns.ts";
import { keyOf, remembered } from "./read-data.ts";

/** Every entry with this name, or with the singular of it, the likeliest meaning first. */
export function meaningsOf(words: string): readonly Entry[] {
  return meanings(words);
}

const meanings = remembered((words): readonly Entry[] => {
  const { byKey } = vocabulary();
  const key = keyOf(words);
  const exact = byKey.get(key);
  const one = singularOf(key);
  const single = one === key ? undefined : byKey.get(one);
  if (exact === undefined || single === undefined) return exact ?? single ?? [];
  return [...new Set([...exact, ...single])];
});

/** The likeliest entry for a name, a synonym or a plural of it. */
export function lookup(words: string): Entry | undefined {
  return meaningsOf(words)[0];
}

/** The entry of a phrase by its longest known ending: "my grandmother's blue coffee mug" is a coffee mug. */
export function headOf(phrase: string): Entry | undefined {
  return heads(phrase);
}

const heads = remembered((phrase): Entry | undefined => {
  const words = keyOf(phrase).split(" ");
  for (let at = Math.max(0, words.length - vocabulary().longest); at < words.length; at++) {
    const found = lookup(words.slice(at).join(" "));
    if (found !== undefined) return found;
  }
  return undefined;
});

export interface NameFound {
  readonly entry: Entry;
  /** Number of tokens it covers. */
  readonly length: number;
  readonly plural: boolean;
}

/** The longest name that begins at a token, for readers that scan from left to right. */
export function longestName(tokens: readonly string[], at: number): NameFound | undefined {
  const most = Math.min(vocabulary().longest, tokens.length - at);
  for (let length = most; length > 0; length--) {
    const words = keyOf(tokens.slice(at, at + length).join(" "));
    if (words === "") return undefined;
    const entry = lookup(words);
    if (entry !== undefined)
      return { entry, length, plural: entry.said.number !== "pair" && singularOf(words) !== words };
  }
  return undefined;
}

/** Other names of the same thing, and the names of its kinds, nearest kinds first. */
export function namesFor(name: string): { same: readonly string[]; kinds: readonly string[] } {
  const key = singularOf(keyOf(name));
  const entries = meaningsOf(name);
  const same = entries.flatMap(({ names }) => names).filter((other) => singularOf(keyOf(other)) !== key);
  const kinds = entries.flatMap((entry) => subordinates(entry).flatMap(({ names }) => names));
  return { same: [...new Set(same)], kinds: [...new Set(kinds)] };
}

/** All subcategories of an entry, breadth first. */
export function subordinates(entry: Entry): readonly Entry[] {
  const kinds = below();
  const found = new Set<Entry>();
  const queue = [...(kinds.get(entry.name) ?? [])];
  for (const next of queue) {
    if (found.has(next)) continue;
    found.add(next);
    queue.push(...(kinds.get(next.name) ?? []));
  }
  return [...found];
}
