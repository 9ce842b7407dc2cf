import { readFileSync } from "node:fs";

/** The lines of a data file without comments; files lie beside the code in src/ and in dist/, in plain ASCII. */
export function linesOf(file: string): string[] {
  return readFileSync(new URL(`./data/${file}.txt`, import.meta.url), "latin1")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** Computed on the first call and cached: nothing is read before it is needed. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** Most cached names, and their greatest length: a memory holds a few hundred, and callers add some. */
const MOST_REMEMBERED = 4_096;
const LONGEST_REMEMBERED = 64;

/** Caches a function of a name; the cache is emptied when it is full. */
export function remembered<T>(make: (name: string) => T): (name: string) => T {
  const known = new Map<string, { readonly value: T }>();
  return (name) => {
    const found = known.get(name);
    if (found !== undefined) return found.value;
    const value = make(name);
    if (known.size >= MOST_REMEMBERED) known.clear();
    if (name.length <= LONGEST_REMEMBERED) known.set(name, { value });
    return value;
  };
}

/** The key under which names are compared: lower case, no apostrophes, one space for any other non-alphanumeric run. */
export function keyOf(words: string): string {
  return PLAIN.test(words)
    ? words
    : words
        .toLowerCase()
        .replace(/['’]/g, "")
        .replace(/[^a-z0-9]+/g, " ")
        .trim();
}
const PLAIN = /^[a-z0-9]+(?: [a-z0-9]+)*$/;
