import type { Expression } from "../../schema/index.ts";

/**
 * References to the previous question that reasoning/talk replaces: `previous()` is that question, `spoken()` the
 * things, people or rooms of its answer or subject, `there()` its place, `then()` the time of its answer, `again(x)`
 * the same question about other things, another room or time; `again(it())` about each of the last two.
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["previous", "spoken", "there", "then", "again"]);

export function isPlaceholder(op: string): boolean {
  return PLACEHOLDERS.has(op);
}

/** Whether it continues a previous question. */
export function goesOn(part: Expression): boolean {
  return PLACEHOLDERS.has(part.op) || part.of.some(goesOn);
}
