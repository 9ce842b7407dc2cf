import type { Expression } from "../../schema/index.ts";

/**
 * What a reading says of the question before, until reasoning/talk puts that in: `previous()` is that question, `spoken()` the
 * things, people or rooms that it was answered with or was about, `again(x)` the same question of other things, another room or time.
 */
const PLACEHOLDERS: ReadonlySet<string> = new Set(["previous", "spoken", "again"]);

export function isPlaceholder(op: string): boolean {
  return PLACEHOLDERS.has(op);
}

/** Whether it goes on from a question before. */
export function goesOn(part: Expression): boolean {
  return PLACEHOLDERS.has(part.op) || part.of.some(goesOn);
}
