import { LociError } from "../../schema/index.ts";

/** More words than this make every picture slow and every word unsure. */
const MAX_CLASSES = 256;
const CLASS_CHARS = 80;

/** The words to look for, each once, in their order; what cannot be looked for is refused. */
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

/** Grounding DINO reads all words as one text, each ended by a full stop, and answers with pieces of that text. */
export function groundingText(classes: readonly string[]): string {
  return classes.map((word) => `${word.replaceAll(".", " ").trim()}.`).join(" ");
}

/**
 * The word that a piece of the text stands for: the one itself, else the one with which it shares most of its own
 * words ("mug" for "coffee mug"), of equals the first. Undefined where it shares none.
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
