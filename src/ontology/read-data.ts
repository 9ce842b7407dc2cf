import { readFileSync } from "node:fs";

/** The lines of a data file without comments; files lie beside the code in src/ and in dist/, in plain ASCII. */
export function linesOf(file: string): string[] {
  return readFileSync(new URL(`./data/${file}.txt`, import.meta.url), "latin1")
    .split("\n")
    .filter((line) => line !== "" && !line.startsWith("#"));
}

/** Made at the first call and kept: nothing is read before somebody asks. */
export function lazily<T>(make: () => T): () => T {
  let made: { readonly value: T } | undefined;
  return () => {
    made ??= { value: make() };
    return made.value;
  };
}

/** How names are compared: lower case, no apostrophes, one space for anything that is neither letter nor digit. */
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
