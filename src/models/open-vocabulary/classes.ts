import { LociError } from "../../schema/index.ts";

/** With more words every picture becomes slow and every word uncertain. */
const MAX_CLASSES = 256;
const CLASS_CHARS = 80;

/** The words to look for, without repeats, in order; unusable ones are refused. */
export function checkClasses(classes: readonly string[]): string[] {
  const words = [...new Set(classes.map((word) => word.trim().replaceAll(/\s+/g, " ").toLowerCase()))];
  const bad = words.find((word) => word === "" || word.length > CLASS_CHARS);
  if (bad !== undefined)
    throw new LociError(
      "invalid-input",
      `expected words of 1 to ${CLASS_CHARS} characters to look for, got "${bad.slice(0, CLASS_CHARS)}"`,
    );
  if (words.length === 0 || words.length > MAX_CLASSES)
    throw new LociError(
      "invalid-input",
      `an open detector needs 1 to ${MAX_CLASSES} words to look for, got ${words.length}; say --classes mug,chair`,
    );
  return words;
}

/** Grounding DINO reads all words as one text, each ended by a full stop, and answers with parts of that text. */
export function groundingText(classes: readonly string[]): string {
  return classes.map((word) => `${word.replaceAll(".", " ").trim()}.`).join(" ");
}

/**
 * The word that a part of the text stands for: an equal one, else the one that shares most of its words ("mug" for
 * "coffee mug"), the first on ties. Undefined if none shares any.
 */
export function classOf(phrase: string, classes: readonly string[]): string | undefined {
  const said = wordsOf(phrase);
  let best: { readonly name: string; readonly share: number } | undefined;
  for (const name of classes) {
    const words = wordsOf(name);
    const share = words.filter((word) => said.includes(word)).length / words.length;
    if (share > (best?.share ?? 0)) best = { name, share };
  }
  return best?.name;
}

function wordsOf(text: string): string[] {
  return text
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter((word) => word !== "");
}
