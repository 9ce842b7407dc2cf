import { normalise } from "../normalise.ts";
import { ASIDES, FRAMES } from "./families.ts";

/**
 * What is asked, without the courtesies around it: normalised, without fillers, tags and "could you tell me". Words
 * that are written with a capital inside a sentence are names.
 */
export function coreOf(question: string): { text: string; names: ReadonlySet<string> } {
  const names = new Set<string>();
  for (const match of question.matchAll(/(?<=[a-z0-9,;:”"]\s+)([A-Z][a-z]+)\b/g))
    names.add(match[1]!.toLowerCase());
  let text = normalise(question);
  for (const pattern of [...ASIDES, ...FRAMES]) text = text.replace(pattern, " ");
  text = text
    .replace(/\s+/g, " ")
    .replace(/\s+([,.;:?!])/g, "$1")
    .replace(/^[\s,.:;!?]+|[\s,.:;!]+$/g, "");
  return { text, names };
}
